"""Limits on reading one file: cells, events, moves and time."""

from collections.abc import Iterable, Iterator
from math import inf, prod
from time import monotonic
from typing import Final, TypeVar

from minewright.board import MAX_CELLS, shape_problem
from minewright.formats.model import FormatError
from minewright.messages import write_sides
from minewright.topology import Topology, get

MAX_EVENTS: Final = 200_000
"""A mouse reports at most a few hundred per second, and clocks end at 999 seconds."""
_TEXT: Final = 32
"""The most bytes per cell of a text, including a frame around it."""
_ROUND: Final = 1_000
"""The number of events between two checks of the clock."""

T = TypeVar("T")


class Bounds:
    """The limits for reading one file; the seconds begin when this is made."""

    def __init__(self, cells: int = MAX_CELLS, seconds: float = inf) -> None:
        self._cells = cells
        self._end = monotonic() + seconds

    def topology(self, width: int, height: int, place: str = "") -> Topology:
        """Return the board of squares with these sides."""
        self.check_sides((width, height), place)
        return get("moore", (width, height))

    def check_sides(self, sides: tuple[int, ...], place: str = "") -> None:
        """Refuse a board that is impossible, or larger than is read here."""
        problem = shape_problem(sides)
        if not problem and prod(sides) > self._cells:
            problem = f"the board is too large: at most {self._cells:,} cells are read here"
        if problem:
            raise FormatError(f"{write_sides(sides)} is not a board: {problem}", place)

    def check_text(self, data: bytes) -> None:
        """Refuse a text that is longer than any position."""
        most = _TEXT * (self._cells + 1_000)
        if len(data) > most:
            raise FormatError(f"more than {most:,} bytes of text; no position is that long")

    def each(self, events: Iterable[T]) -> Iterator[T]:
        """Yield events or lines. Raise FormatError for too many, or if it takes too long."""
        for number, event in enumerate(events):
            if number == MAX_EVENTS:
                raise FormatError(f"more than {MAX_EVENTS:,} events; no game has that many")
            if number % _ROUND == 0 and monotonic() > self._end:
                raise FormatError("reading it took too long; try again, or open a shorter game")
            yield event
