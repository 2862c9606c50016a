"""A position as sets of cells: what the numbers say about the unknown cells.

A set of cells is an integer whose bit `n` stands for cell `n`. Intersections, differences and sizes
are then single Python operations, on boards of any size.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from typing import Final, NamedTuple

from minewright.position import COVERED, MARKED, MAX_NUMBER, MINED, Position
from minewright.strategies.strategy import StrategyError
from minewright.topology import Topology

CellSet = int

MAX_CELLS: Final = 40_000
"""The largest board: every set is as wide as the board."""
_KEPT_BITS: Final = 1 << 26
"""The total size of the neighbourhoods of a board that are kept for the next position."""

_UNKNOWN = bytes(ord("1" if code == COVERED else "0") for code in range(256))
_MINED = bytes(ord("1" if code in (MARKED, MINED) else "0") for code in range(256))
_OPEN = bytes(code <= MAX_NUMBER for code in range(256))


class Constraint(NamedTuple):
    """Exactly `mines` of these unknown cells are mined, according to the open cell `clue`."""

    clue: int
    cells: CellSet
    mines: int


class View(NamedTuple):
    """A position as a deducer reads it: marked cells count as mined, other covered ones as unknown.

    `mines` is the number of mines in the unknown cells, or None if the total is unknown.
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
        """Return a constraint for each number with unknown cells around it, in order."""
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
    """Return a position as a deducer reads it."""
    backwards = position.cells[::-1]
    unknown = int(backwards.translate(_UNKNOWN), 2)
    mined = int(backwards.translate(_MINED), 2)
    mines = None if position.mines is None else position.mines - mined.bit_count()
    return View(position, unknown, mined, mines)


def cells_of(some: CellSet) -> tuple[int, ...]:
    """Return the cells of a set in ascending order."""
    found = []
    while some:
        lowest = some & -some
        found.append(lowest.bit_length() - 1)
        some ^= lowest
    return tuple(found)


def set_of(cells: tuple[int, ...]) -> CellSet:
    """Return the set of these cells."""
    some = 0
    for cell in cells:
        some |= 1 << cell
    return some


def frontier(constraints: Iterable[Constraint]) -> CellSet:
    """Return the cells that stand in any constraint."""
    some = 0
    for constraint in constraints:
        some |= constraint.cells
    return some


def components(sets: Iterable[CellSet]) -> list[CellSet]:
    """Return unions of sets that share cells, directly or indirectly, sorted by first cell."""
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
    """Return the box of each cell: all cells that stand in the same constraints."""
    stands_in: dict[int, int] = {}
    for place, constraint in enumerate(constraints):
        for cell in cells_of(constraint.cells):
            stands_in[cell] = stands_in.get(cell, 0) | 1 << place
    boxes: dict[int, CellSet] = {}
    for cell, where in stands_in.items():
        boxes[where] = boxes.get(where, 0) | 1 << cell
    return {cell: boxes[where] for cell, where in stands_in.items()}


class _Neighbourhoods(dict[int, CellSet]):
    """The neighbours of each cell, made on demand and kept if there is room."""

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
    """Return the neighbours of each cell as sets. Raise StrategyError if there are too many."""
    check_size(topology)
    return _Neighbourhoods(topology)


def check_size(topology: Topology) -> None:
    """Raise StrategyError if the board is too large for sets."""
    if topology.size > MAX_CELLS:
        raise StrategyError(
            f"strategies in Python play boards of up to {MAX_CELLS:,} cells, but this one has "
            f"{topology.size:,}; use a smaller board, or a native strategy (exact, pseq)"
        )
