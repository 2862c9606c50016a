"""The symbolic field: what is known about each cell (Collet 2004, section 4.1).

In Oz an entry is a logic variable, and one thread per cell waits until it is bound. Here the field
keeps two lists of what it was told, in order. Each reader remembers how far it has read; a late
one starts from the beginning.
"""

from typing import Final, Literal, NamedTuple

from minewright.errors import MinewrightError
from minewright.position import MARKED, MAX_NUMBER, MINED, SAFE, Position
from minewright.strategies.constraints import CellSet, cells_of
from minewright.topology import Topology

PLAYER: Final = "player"
"""The source of what a position says besides its numbers."""

# Tables for bytes.translate, which write a position as binary digits.
_OPEN = bytes(ord("1" if code <= MAX_NUMBER else "0") for code in range(256))
_SAFE = bytes(ord("1" if code == SAFE else "0") for code in range(256))
_MINED = bytes(ord("1" if code == MINED else "0") for code in range(256))
_MINED_OR_MARKED = bytes(ord("1" if code in (MINED, MARKED) else "0") for code in range(256))


class Contradiction(MinewrightError, ValueError):
    """The field was told something impossible: no minefield looks like this."""


class CellState(NamedTuple):
    """A cell of the field: `safe(number)`, `safe(_)` if not yet open, `mined`, or unknown."""

    state: Literal["unknown", "safe", "mined"]
    number: int | None = None


class Number(NamedTuple):
    """An open cell and its number."""

    cell: int
    number: int


class Telling(NamedTuple):
    """Cells that an engine called safe or mined, and the clue it used, if there was one."""

    safe: CellSet
    mined: CellSet
    engine: str
    clue: int | None


class SymbolicField:
    """What is known about a board; it only ever grows."""

    def __init__(self, topology: Topology, mines: int | None) -> None:
        self.topology = topology
        self.mines = mines
        """The mine total, or None if it is unknown."""
        self.all: CellSet = (1 << topology.size) - 1
        self.unknown: CellSet = self.all
        self.safe: CellSet = 0
        """Cells known to be safe, open or not."""
        self.open: CellSet = 0
        self.mined: CellSet = 0
        self.numbers: list[Number] = []
        """The open cells, in the order in which they were told."""
        self.tellings: list[Telling] = []
        """What engines told, in order."""
        self.version = 0
        """Increases whenever the field is told something new."""
        self._number: dict[int, int] = {}

    def ask(self, cell: int) -> CellState:
        """Return what is known about a cell."""
        bit = 1 << cell
        if self.safe & bit:
            return CellState("safe", self._number.get(cell))
        return CellState("mined" if self.mined & bit else "unknown")

    def tell(self, engine: str, clue: int | None, safe: CellSet = 0, mined: CellSet = 0) -> bool:
        """Tell which cells are safe and which are mined; return True if that was news.

        Raise Contradiction if one of them is known to be the opposite.
        """
        if safe & (self.mined | mined) or mined & self.safe:
            raise Contradiction("a cell is both safe and mined")
        safe &= self.unknown
        mined &= self.unknown
        if not safe and not mined:
            return False
        self.safe |= safe
        self.mined |= mined
        self.unknown &= ~(safe | mined)
        self.tellings.append(Telling(safe, mined, engine, clue))
        self.version += 1
        return True

    def tell_position(self, position: Position, *, trust_marks: bool = False) -> None:
        """Tell what is visible: newly opened cells, and what the position calls certain.

        Raise Contradiction if it is impossible, or not a later position of the same game.
        """
        backwards = position.cells[::-1]
        opened = int(backwards.translate(_OPEN), 2)
        if self.open & ~opened or position.mines != self.mines:
            raise Contradiction("this is not a later position of the same game")
        if new := opened & ~self.open:
            self.tell_open(position, new)
        safe = int(backwards.translate(_SAFE), 2)
        mined = int(backwards.translate(_MINED_OR_MARKED if trust_marks else _MINED), 2)
        if safe or mined:
            self.tell(PLAYER, None, safe, mined)

    def tell_open(self, position: Position, cells: CellSet) -> None:
        """Tell that these cells are newly open, with the position's numbers.

        Raise Contradiction if one of them is known to be mined.
        """
        if cells & self.mined:
            raise Contradiction("a mined cell is open")
        codes = position.cells
        for cell in cells_of(cells):
            self._number[cell] = codes[cell]
            self.numbers.append(Number(cell, codes[cell]))
        self.safe |= cells
        self.open |= cells
        self.unknown &= ~cells
        self.version += 1
