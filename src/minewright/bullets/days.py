"""The daily puzzle: the same for everybody, on every machine, for ever.

People share what they solved, so a day's puzzle is a promise. Sizes, difficulties, seeds and the
search of `make` with its defaults are all part of it. A change to any of them must keep the old
puzzles for earlier days; a test checks a whole week.
"""

from datetime import date
from functools import lru_cache
from typing import Final

from minewright.bullets.grade import Difficulty
from minewright.bullets.maker import make, make_by_share
from minewright.bullets.puzzle import Puzzle, PuzzleError

FIRST_DAY: Final = date(2000, 1, 1)
BY_STEPS: Final = date(2026, 12, 1)
"""From this day on, the hardest step says how hard a puzzle is, not the share of harder steps."""

# Small and easy on Monday, large and hard on Sunday.
_WEEK: Final[tuple[tuple[int, Difficulty], ...]] = (
    (6, "easy"),
    (7, "easy"),
    (7, "medium"),
    (7, "hard"),
    (8, "medium"),
    (8, "hard"),
    (9, "hard"),
)


@lru_cache(maxsize=64)
def daily(day: date) -> Puzzle:
    """Return the puzzle of a day. It depends on the date alone, not on the clock.

    >>> daily(date(2026, 1, 5))
    <Puzzle 6x6x11 moore, ... clues>
    """
    size, difficulty = _WEEK[day.weekday()]
    seed = int(f"{day.year}{day:%m%d}")
    try:
        if day < BY_STEPS:
            return make_by_share(size, seed, difficulty)
        return make(size, seed=seed, difficulty=difficulty)
    except PuzzleError:
        # No search found one that hard, so take whatever comes.
        return make(size, seed=seed)
