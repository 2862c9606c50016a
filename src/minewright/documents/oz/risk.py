"""Whether a risk may pay: the best move of a position with few minefields, found by trying all."""

from collections.abc import Sequence
from itertools import combinations, product
from typing import Final

from minewright.inference import BudgetExceeded
from minewright.position import Position
from minewright.strategies.constraints import CellSet, cells_of, neighbourhoods, set_of
from minewright.strategies.oz import SolutionTable, table

FEW: Final = 12
"""The most minefields for which every line of play is tried."""


def minefields(found: SolutionTable) -> list[CellSet]:
    """Return every minefield of a position, as a set of mined cells that are not yet known."""
    fields = []
    for values, left in zip(found.solutions, found.rest_mines, strict=True):
        assert left is not None
        choices = [
            list(combinations(cells, mines))
            for cells, mines in zip(found.variables, values, strict=True)
        ]
        choices.append(list(combinations(found.rest, left)))
        fields += [
            set_of(tuple(cell for some in one for cell in some)) for one in product(*choices)
        ]
    return fields


class Play:
    """Perfect play on a list of minefields that are equally likely."""

    def __init__(self, fields: Sequence[CellSet], around: Sequence[CellSet]) -> None:
        self._around = around
        self._fields = tuple(fields)
        self._known: dict[tuple[tuple[CellSet, ...], CellSet], int] = {}

    def won_by(self, cell: int, covered: CellSet) -> int:
        """Return how many of the minefields are won if this cell is opened first."""
        return self._opened(self._fields, cell, covered)

    def _opened(self, fields: tuple[CellSet, ...], cell: int, covered: CellSet) -> int:
        shown: dict[int, list[CellSet]] = {}
        for field in fields:
            if not field >> cell & 1:
                shown.setdefault((field & self._around[cell]).bit_count(), []).append(field)
        left = covered & ~(1 << cell)
        return sum(self._best(tuple(own), left) for own in shown.values())

    def _best(self, fields: tuple[CellSet, ...], covered: CellSet) -> int:
        if len(fields) == 1:
            return 1
        key = fields, covered
        if key not in self._known:
            ever = 0
            for field in fields:
                ever |= field
            safe = covered & ~ever
            # A safe cell is opened first: it costs nothing, and may tell something.
            cells = cells_of(safe & -safe if safe else covered)
            self._known[key] = max(self._opened(fields, cell, covered) for cell in cells)
        return self._known[key]


def risk_pays(position: Position) -> bool | None:
    """Return True if some cell wins more often than every cell with the lowest chance of a mine.

    Return None if there are too many minefields to try every line of play.
    """
    try:
        found = table(position, "binary")
    except (ValueError, BudgetExceeded):
        # Few minefields may still have many solutions that break the mine total.
        return None
    if not 1 < found.minefields <= FEW:
        return None
    fields = minefields(found)
    covered = set_of((*(cell for own in found.variables for cell in own), *found.rest))
    around = neighbourhoods(position.topology)
    play = Play(fields, [around[cell] for cell in range(position.topology.size)])
    mined = {cell: sum(field >> cell & 1 for field in fields) for cell in cells_of(covered)}
    lowest = min(mined.values())
    won = {cell: play.won_by(cell, covered) for cell in mined}
    safest = max(won[cell] for cell, mines in mined.items() if mines == lowest)
    return max(won.values()) > safest
