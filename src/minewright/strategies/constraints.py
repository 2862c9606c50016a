"""A position as sets of cells: what the numbers say about the cells that are not known yet.

A set of cells is a whole number whose bit `n` stands for cell `n`: intersections, differences and
sizes are then single operations of Python's, on boards of any size.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from typing import Final, NamedTuple

from minewright._kernel import COVERED, MARKED, MAX_NUMBER, MINED
from minewright.position import Position
from minewright.strategies.strategy import StrategyError
from minewright.topology import Topology

CellSet = int

MAX_CELLS: Final = 40_000
"""How large a board may be: every set is as wide as the board."""
_KEPT_BITS: Final = 1 << 26
"""How much of a board's neighbourhoods is kept for the next position, all sets together."""

_UNKNOWN = bytes(ord("1" if code == COVERED else "0") for code in range(256))
_MINED = bytes(ord("1" if code in (MARKED, MINED) else "0") for code in range(256))
_OPEN = bytes(code <= MAX_NUMBER for code in range(256))


class Constraint(NamedTuple):
    """So many of these unknown cells are mined: the open cell `clue` says so."""

    clue: int
    cells: CellSet
    mines: int


class View(NamedTuple):
    """A position as a deducer reads it; marked cells count as mined, all other covered as unknown.

    `mines` is how many mines the unknown cells hold, None where the total is not known.
    """

    position: Position
    unknown: CellSet
    mined: CellSet
    mines: int | None

    @property
    def neighbours(self) -> Mapping[int, CellSet]:
        """The neighbours of each cell of the board."""
        return neighbourhoods(self.position.topology)

    def constraints(self) -> list[Constraint]:
        """Give what each number says that has unknown cells around it, in order of the cells."""
        unknown, mined, cells = self.unknown, self.mined, self.position.cells
        around = neighbourhoods(self.position.topology)
        found = []
        for cell in compress(range(len(cells)), cells.translate(_OPEN)):
            near = around[cell]
            if near & unknown:
                found.append(
                    Constraint(cell, near & unknown, cells[cell] - (near & mined).bit_count())
                )
        return found


def view(position: Position) -> View:
    """Read a position."""
    backwards = position.cells[::-1]
    unknown = int(backwards.translate(_UNKNOWN), 2)
    mined = int(backwards.translate(_MINED), 2)
    mines = None if position.mines is None else position.mines - mined.bit_count()
    return View(position, unknown, mined, mines)


def cells_of(some: CellSet) -> tuple[int, ...]:
    """Give the cells of a set in ascending order."""
    found = []
    while some:
        lowest = some & -some
        found.append(lowest.bit_length() - 1)
        some ^= lowest
    return tuple(found)


def set_of(cells: tuple[int, ...]) -> CellSet:
    """Give the set of these cells."""
    some = 0
    for cell in cells:
        some |= 1 << cell
    return some


def frontier(constraints: Iterable[Constraint]) -> CellSet:
    """Give the cells that stand in any constraint."""
    some = 0
    for constraint in constraints:
        some |= constraint.cells
    return some


def components(sets: Iterable[CellSet]) -> list[CellSet]:
    """Join sets that share cells, directly or through others; in order of their first cells."""
    found: list[CellSet] = []
    for cells in sets:
        apart = []
        for other in found:
            if other & cells:
                cells |= other
            else:
                apart.append(other)
        found = [*apart, cells]
    return sorted(found, key=lambda cells: cells & -cells)


def boxes_of(constraints: Sequence[Constraint]) -> dict[int, CellSet]:
    """Give the box of each cell: the cells that stand in the same constraints as it does."""
    stands_in: dict[int, int] = {}
    for place, constraint in enumerate(constraints):
        for cell in cells_of(constraint.cells):
            stands_in[cell] = stands_in.get(cell, 0) | 1 << place
    boxes: dict[int, CellSet] = {}
    for cell, where in stands_in.items():
        boxes[where] = boxes.get(where, 0) | 1 << cell
    return {cell: boxes[where] for cell, where in stands_in.items()}


class _Neighbourhoods(dict[int, CellSet]):
    """The neighbours of each cell, made when they are asked for, and kept if there is room."""

    def __init__(self, topology: Topology) -> None:
        super().__init__()
        self._neighbours = topology.graph.neighbours
        self._room = _KEPT_BITS // topology.size

    def __missing__(self, cell: int) -> CellSet:
        found = set_of(self._neighbours(cell))
        if len(self) < self._room:
            self[cell] = found
        return found


@lru_cache(maxsize=16)
def neighbourhoods(topology: Topology) -> Mapping[int, CellSet]:
    """Give the set of neighbours of each cell; raises StrategyError if there are too many."""
    check_size(topology)
    return _Neighbourhoods(topology)


def check_size(topology: Topology) -> None:
    """Raise StrategyError if the board is too large for sets."""
    if topology.size > MAX_CELLS:
        raise StrategyError(
            f"strategies in Python play boards of up to {MAX_CELLS:,} cells, this one has "
            f"{topology.size:,}; play a smaller one, or a native strategy (exact, pseq)"
        )
