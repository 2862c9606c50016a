"""What goes over the wire and more than one part of the server speaks of.

A cell is its index; what it shows is a code: 0 to 251 an open number, 252 mined, 253 safe,
254 marked, 255 covered. A seed stays below 2^53, where every number of a page's is exact.
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
    """Keep what was computed within 0 and 1, where a chance is."""
    return min(max(chance, 0.0), 1.0)


class Asked(BaseModel):
    """What a page sends: nothing is read that was not asked for, or as something else."""

    model_config = ConfigDict(extra="forbid", strict=True)
