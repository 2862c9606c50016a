"""The daily board without guesses: the same for everybody, on every machine, for ever.

People compare what they played, so a day's board is a promise. Boards, difficulties, seeds and the
way they are drawn are all part of it. A change to any of them must keep the old boards for earlier
days; a test checks a whole week.
"""

from datetime import date
from functools import lru_cache
from typing import Final

from minewright.board import Board
from minewright.deduction.effort import Level
from minewright.game import GameError
from minewright.noguess.maker import NoGuessBoard, make

FIRST_DAY: Final = date(2000, 1, 1)

# Small and easy on Monday, large and hard on Sunday.
_WEEK: Final[tuple[tuple[str, Level], ...]] = (
    ("9x9x10", "easy"),
    ("9x9x10", "medium"),
    ("16x16x40", "easy"),
    ("16x16x40", "medium"),
    ("16x16x40", "hard"),
    ("30x16x99", "medium"),
    ("30x16x99", "hard"),
)


def day_of(number: int) -> date:
    """Return the day of a number such as 20260131; raise GameError if there is none."""
    try:
        return date(number // 10_000, number // 100 % 100, number % 100)
    except (ValueError, OverflowError):
        raise GameError(f"{number} is no date; write 31 January 2026 as 20260131") from None


def board_of(day: date) -> tuple[Board, Level]:
    """Return the board of a day and how hard it is, without making it."""
    board, level = _WEEK[day.weekday()]
    return Board.parse(board), level


@lru_cache(maxsize=64)
def daily(day: date) -> NoGuessBoard:
    """Return the board of a day. It depends on the date alone, not on the clock.

    Among the boards of its difficulty that begin with an opening in the middle, all are equally
    likely.

    >>> daily(date(2026, 1, 5)).board
    Board(shape=(9, 9), mines=10)
    """
    board, level = board_of(day)
    return make(board, seed=int(f"{day.year}{day:%m%d}"), difficulty=level, way="uniform")
