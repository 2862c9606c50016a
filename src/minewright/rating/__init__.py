"""How hard boards and puzzles are, and what it takes to open them."""

from minewright.deduction.effort import LEVELS, Effort, Level
from minewright.rating.rating import (
    BUDGET,
    GUESSER,
    Rateable,
    Rating,
    rate,
    rate_boards,
    rate_minefield,
)
from minewright.rating.summary import Summary, rate_fitting, rate_position

__all__ = [
    "BUDGET",
    "GUESSER",
    "LEVELS",
    "Effort",
    "Level",
    "Rateable",
    "Rating",
    "Summary",
    "rate",
    "rate_boards",
    "rate_fitting",
    "rate_minefield",
    "rate_position",
]
