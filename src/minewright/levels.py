"""How far the champion looks, and what that may cost."""

from typing import Final, Literal, get_args

from minewright.inference import DEFAULT_BUDGET, Budget

Level = Literal["fast", "usual", "deep"]
"""How far the champion looks. At the level deep it also plays games out after the best candidates,
which takes some seconds on a large board."""
LEVELS: Final[tuple[Level, ...]] = get_args(Level)

DEEP_BUDGET: Final = Budget(states=10_000_000_000, seconds=120.0)
"""What a question at the level deep may cost, unless a budget is given."""


def usual_budget(level: Level) -> Budget:
    """Return what a question at a level may cost, unless a budget is given."""
    return DEEP_BUDGET if level == "deep" else DEFAULT_BUDGET
