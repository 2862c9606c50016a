"""The numbers of a position as MineBot reads them, and what follows from an assumption."""

from collections.abc import Sequence
from functools import cached_property
from math import comb
from typing import NamedTuple

from minewright._kernel import Sums
from minewright.position import MAX_NUMBER, Position
from minewright.strategies.constraints import (
    CellSet,
    Constraint,
    boxes_of,
    cells_of,
    frontier,
    set_of,
    view,
)


class Reading(NamedTuple):
    """How an assumption is followed: see the package."""

    contradiction: str = "many"
    visits: str = "once"


LITERAL = Reading()

CONFIGURATIONS = 1000
"""The most mark configurations to try for one number.

It is enough for twelve cells, and a number on a flat board touches eight. Exhaustion skips numbers
with more, which only exist in three dimensions.
"""


def too_many(cells: CellSet, mines: int) -> bool:
    """Return True if a number has more mark configurations than are tried."""
    return comb(cells.bit_count(), mines) > CONFIGURATIONS


class Numbers:
    """The numbers of a position that have unknown cells around them, and what follows from them."""

    def __init__(self, position: Position, reading: Reading = LITERAL) -> None:
        self.position = position
        self.reading = reading
        self.seen = view(position)
        self.constraints = self.seen.constraints()
        self.walks: dict[int, list[Constraint]] = {}

    def describe(self, cell: int) -> str:
        """Return the name of a cell."""
        return self.position.topology.describe(cell)

    @cached_property
    def near(self) -> CellSet:
        """The unknown cells next to a number."""
        return frontier(self.constraints)

    # One assumption and what follows from it

    def refutes(self, clue: int, marks: Sequence[int]) -> bool:
        """Return True if marks around a number, followed by truth, lead to a contradiction.

        Cells that truth would open count as open, although their numbers stay unknown.
        """
        # The kernel is the strictest reading: what it does not refute, no other does.
        place, sums = self.places
        refuted = sums.assume([place[cell] for cell in marks], ()) is None
        strictest = self.reading == ("both", "all")
        return refuted and (strictest or self.contradicts(clue, set_of(tuple(marks))))

    def contradicts(self, clue: int, marked: CellSet) -> bool:
        """Walk from a number with these marks; return True if that meets a contradiction."""
        few, again = self.reading.contradiction == "both", self.reading.visits == "all"
        numbers = self.constraints if again else self.walk(clue)
        noted = 0
        while True:
            before = marked, noted
            for _, cells, mines in numbers:
                count = (cells & marked).bit_count()
                left = cells & ~marked & ~noted
                if count > mines or (few and count + left.bit_count() < mines):
                    return True
                if count == mines:
                    noted |= left
                elif count + left.bit_count() == mines:
                    marked |= left
            if not again or before == (marked, noted):
                return False

    def walk(self, clue: int) -> list[Constraint]:
        """Return the numbers in the order of the recursion: one, then each open neighbour."""
        if clue in self.walks:
            return self.walks[clue]
        said = self.said
        around, new = self.seen.neighbours, self.open & ~(1 << clue)
        order, path = [said[clue]], [clue]
        while path:
            ahead = around[path[-1]] & new
            if not ahead:
                path.pop()
                continue
            first = ahead & -ahead
            new ^= first
            cell = first.bit_length() - 1
            path.append(cell)
            if cell in said:
                order.append(said[cell])
        self.walks[clue] = order
        return order

    @cached_property
    def said(self) -> dict[int, Constraint]:
        """What each number says."""
        return {constraint.clue: constraint for constraint in self.constraints}

    @cached_property
    def open(self) -> CellSet:
        """The open cells, whose values are known."""
        cells = self.position.cells
        return set_of(tuple(cell for cell, code in enumerate(cells) if code <= MAX_NUMBER))

    @cached_property
    def places(self) -> tuple[dict[int, int], Sums]:
        """The place of each cell in the kernel's system, and the system of all numbers."""
        place = {cell: at for at, cell in enumerate(cells_of(self.near))}
        sums = [([place[cell] for cell in cells_of(cells)], m) for _, cells, m in self.constraints]
        return place, Sums([1] * len(place), sums)

    @cached_property
    def consistent(self) -> bool:
        """Whether propagation finds no clash; after a wrong mark, nothing could be proved."""
        return self.places[1].assume((), ()) is not None

    # All configurations of the whole board

    @cached_property
    def boxes(self) -> list[CellSet]:
        """The unknown cells next to numbers, grouped by the numbers they touch.

        Cells of one group are interchangeable: a search need only find how many of them are mined.
        """
        found = boxes_of(self.constraints)
        return sorted(set(found.values()), key=lambda box: box & -box)

    def together(self, boxes: Sequence[CellSet], mines: int | None = None) -> Sums:
        """Return what the numbers say about the boxes; `mines`, if given, is their sum."""
        sums: list[tuple[Sequence[int], int]] = [
            ([at for at, box in enumerate(boxes) if box & cells], count)
            for _, cells, count in self.constraints
        ]
        if mines is not None:
            sums.append((range(len(boxes)), mines))
        return Sums([box.bit_count() for box in boxes], sums)
