"""What reading one file may cost: so many cells, events and moves, and so much time."""

from collections.abc import Iterable, Iterator
from math import inf, prod
from time import monotonic
from typing import Final, TypeVar

from minewright.board import MAX_CELLS, shape_problem, write_sides
from minewright.formats.model import FormatError
from minewright.topology import Topology, get

MAX_EVENTS: Final = 200_000
"""A mouse tells of at most some hundred a second, and clocks end at 999 seconds."""
_TEXT: Final = 32
"""Bytes a cell may take in a text, with a frame around it."""
_ROUND: Final = 1_000
"""Events between two looks at the clock."""

T = TypeVar("T")


class Bounds:
    """The bounds of one reading, whose seconds begin now."""

    def __init__(self, cells: int = MAX_CELLS, seconds: float = inf) -> None:
        self._cells = cells
        self._end = monotonic() + seconds

    def topology(self, width: int, height: int, place: str = "") -> Topology:
        """Give the squares of these sides."""
        sides = width, height
        problem = shape_problem(sides)
        if not problem and prod(sides) > self._cells:
            problem = f"the board is too large: it has at most {self._cells:,} cells here"
        if problem:
            raise FormatError(f"{write_sides(sides)} is no board: {problem}", place)
        return get("moore", sides)

    def check_text(self, data: bytes) -> None:
        """Refuse a text in which there is room for more than any position."""
        most = _TEXT * (self._cells + 1_000)
        if len(data) > most:
            raise FormatError(f"more than {most:,} bytes of text; no position is that long")

    def each(self, events: Iterable[T]) -> Iterator[T]:
        """Give events, or lines, one after the other, but not too many and not for too long."""
        for number, event in enumerate(events):
            if number == MAX_EVENTS:
                raise FormatError(f"more than {MAX_EVENTS:,} events; no game has that many")
            if number % _ROUND == 0 and monotonic() > self._end:
                raise FormatError("it took too long to read; open it again, or a shorter game")
            yield event
