"""What several pages send and receive.

A cell is its index. What it shows is a code: 0 to 251 an open number, 252 a mine, 253 safe,
254 marked, 255 covered. A seed stays below 2^53, where every number in a browser is exact.
"""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

MAX_SEED: Final = 2**53 - 1
RANDOM_SEEDS: Final = MAX_SEED + 1
"""The number of seeds to choose from: too many to find the one behind a board by trying."""

Cell = Annotated[int, Field(ge=0)]
Code = Annotated[int, Field(ge=0, le=255)]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
Chance = Annotated[float, Field(ge=0, le=1)]


def inside(chance: float) -> float:
    """Return a computed chance, kept between 0 and 1 despite rounding."""
    return min(max(chance, 0.0), 1.0)


class Asked(BaseModel):
    """What a page sends: unknown fields are refused, and no type is converted."""

    model_config = ConfigDict(extra="forbid", strict=True)
