"""A position as sets of cells: what the numbers say about the cells that are not known yet.

A set of cells is a whole number whose bit `n` stands for cell `n`: intersections, differences and
sizes are then single operations of Python's, on boards of any size.
"""

from functools import lru_cache
from itertools import compress
from typing import NamedTuple

from minewright._kernel import COVERED, MARKED, MAX_NUMBER, MINED
from minewright.position import Position
from minewright.topology import Topology

CellSet = int

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
    def neighbours(self) -> tuple[CellSet, ...]:
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


@lru_cache(maxsize=16)
def neighbourhoods(topology: Topology) -> tuple[CellSet, ...]:
    """Give the set of neighbours of each cell."""
    neighbours = topology.graph.neighbours
    return tuple(set_of(neighbours(cell)) for cell in range(topology.size))
