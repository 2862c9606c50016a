"""A board: its size and its number of mines, written `30x16x99`."""

from dataclasses import dataclass
from math import prod
from operator import index
from reprlib import repr as shortened
from typing import Final

from minewright.errors import MinewrightError
from minewright.messages import counted, quote, read_number, whole, write_sides

MAX_CELLS = 4_000_000
MAX_SIDES = 4
MAX_SEED: Final = 2**64 - 1
"""The largest seed, and the largest stream of a game."""


class BoardError(MinewrightError, ValueError):
    """An impossible board; the message is one line that says what to fix."""


@dataclass(frozen=True, slots=True)
class Board:
    """Width, height (and further sides of a box) and the number of mines.

    Raise BoardError for sides or mines that no board can have.

    >>> Board.parse("30x16x99")
    Board(shape=(30, 16), mines=99)
    >>> str(Board((9, 9), 10))
    '9x9x10'
    """

    shape: tuple[int, ...]
    mines: int

    def __post_init__(self) -> None:
        if not 2 <= len(self.shape) <= MAX_SIDES:
            raise BoardError(f"a board has 2 to {MAX_SIDES} sides, not {len(self.shape)}")
        problem = shape_problem(self.shape)
        if problem:
            raise BoardError(problem)
        mines = whole(self.mines)
        if mines is None:
            found = shortened(self.mines)
            raise BoardError(f"the number of mines must be a whole number, not {found}")
        object.__setattr__(self, "shape", tuple(map(index, self.shape)))
        object.__setattr__(self, "mines", mines)
        if mines < 0:
            raise BoardError("a board must have 0 or more mines")
        if mines > self.size:
            raise BoardError(f"{counted(self.size, 'cell')} cannot hold {counted(mines, 'mine')}")

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.shape[0]

    @property
    def height(self) -> int:
        """The number of rows (of one layer, in a box)."""
        return self.shape[1]

    @property
    def size(self) -> int:
        """The number of cells."""
        return prod(self.shape)

    @classmethod
    def parse(cls, text: str) -> "Board":
        """Read `WIDTHxHEIGHTxMINES`, or the name `beginner`, `intermediate` or `expert`.

        Raise BoardError for anything else.
        """
        text = text.strip()
        named = NAMED.get(text.lower())
        if named:
            return named
        *fields, last = text.replace("X", "x").split("x", MAX_SIDES + 1)
        sides = tuple(side for side in map(read_number, fields) if side is not None)
        mines = read_number(last)
        if mines is None or not 2 <= len(sides) == len(fields) <= MAX_SIDES:
            raise BoardError(
                f"expected WIDTHxHEIGHTxMINES, such as 30x16x99, or one of"
                f" {', '.join(NAMED)}; found {quote(text)}"
            )
        return cls(sides, mines)

    @classmethod
    def of(cls, board: "Board | str") -> "Board":
        """Return a board, given itself or its text. Raise BoardError for anything else."""
        if isinstance(board, str):
            return cls.parse(board)
        if not isinstance(board, Board):
            raise BoardError(
                f"expected a Board or text such as '30x16x99', found {shortened(board)}"
            )
        return board

    def __str__(self) -> str:
        return f"{write_sides(self.shape)}x{self.mines}"


def shape_problem(shape: tuple[int, ...]) -> str | None:
    """Return what is wrong with a shape, or None if a board can have it."""
    sides = []
    for side in shape:
        number = whole(side)
        if number is None:
            return f"every side of a board must be a whole number, not {shortened(side)}"
        sides.append(number)
    if min(sides) < 1:
        return "every side of a board must be at least 1"
    if prod(sides) > MAX_CELLS:
        return f"the board is too large: at most {MAX_CELLS:,} cells are possible"
    return None


BEGINNER = Board((9, 9), 10)
INTERMEDIATE = Board((16, 16), 40)
EXPERT = Board((30, 16), 99)
NAMED = {"beginner": BEGINNER, "intermediate": INTERMEDIATE, "expert": EXPERT}
