"""A board: how large it is and how many mines it holds, written `30x16x99`."""

from dataclasses import dataclass
from math import prod

MAX_CELLS = 4_000_000
MAX_SIDES = 4


class BoardError(ValueError):
    """A board that cannot be: the message is one line that says what to mend."""


@dataclass(frozen=True, slots=True)
class Board:
    """Width, height (and further sides of a box) and the number of mines.

    Raises BoardError for sides or mines that no board can have.

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
        if not 0 <= self.mines <= self.size:
            raise BoardError(
                f"{write_sides(self.shape)} has {self.size} cells and holds 0 to {self.size} mines,"
                f" not {shorten(str(self.mines))}"
            )

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

        Raises BoardError for anything else.
        """
        text = text.strip(" ")
        named = NAMED.get(text.lower())
        if named:
            return named
        numbers = [read_number(field) for field in text.lower().split("x", MAX_SIDES + 1)]
        *sides, mines = numbers
        if not 2 <= len(sides) <= MAX_SIDES or mines is None or None in sides:
            raise BoardError(
                f"expected a board as WIDTHxHEIGHTxMINES, such as 30x16x99, or one of"
                f" {', '.join(NAMED)}; found {shorten(repr(text))}"
            )
        return cls(tuple(side for side in sides if side is not None), mines)

    def __str__(self) -> str:
        return f"{write_sides(self.shape)}x{self.mines}"


def read_number(field: str) -> int | None:
    """Read a whole number in plain digits; None for anything else.

    A number too long for any board is read as one that is too large, at no cost.
    """
    if not (field.isascii() and field.isdigit()):
        return None
    digits = field.lstrip("0")
    return int(digits or "0") if len(digits) <= 12 else 10**12


def shape_problem(shape: tuple[int, ...]) -> str | None:
    """Say what is wrong with a shape, or None if its sides and size are possible."""
    for side in shape:
        if side < 1:
            return f"every side is at least 1, not {side}"
    if prod(shape) > MAX_CELLS:
        return f"{write_sides(shape)} is too large: a board has at most {MAX_CELLS:,} cells"
    return None


def write_sides(shape: tuple[int, ...]) -> str:
    """Write the sides as the player does: `30x16`."""
    return shorten("x".join(map(str, shape)))


def shorten(text: str) -> str:
    """Cut what somebody else wrote to a length that fits in a message."""
    return text if len(text) <= 60 else f"{text[:50]}… ({len(text):,} characters)"


BEGINNER = Board((9, 9), 10)
INTERMEDIATE = Board((16, 16), 40)
EXPERT = Board((30, 16), 99)
NAMED = {"beginner": BEGINNER, "intermediate": INTERMEDIATE, "expert": EXPERT}
