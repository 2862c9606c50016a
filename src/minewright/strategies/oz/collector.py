"""The constraint collector: builds the symbolic constraints as numbers appear (section 4.3).

A constraint is Collet's `sum(Is k)`. The mine total is a constraint like all others. But it spans
the whole board, while a number spans a neighbourhood, so the engines ask for it separately.
"""

from typing import Final

from minewright.strategies.constraints import Constraint, neighbourhoods
from minewright.strategies.oz.field import Contradiction, SymbolicField

TOTAL: Final = -1
"""Stands for the clue in the mine total's constraint."""


class Collector:
    """The constraints of a field, each added once and simplified when read."""

    def __init__(self, field: SymbolicField) -> None:
        self.field = field
        self._around = neighbourhoods(field.topology)
        self._read = 0
        self._constraints: list[Constraint] = []
        self._version = -1

    def numbers(self) -> list[Constraint]:
        """Return what the numbers say about unknown cells, with known ones subtracted.

        Raise Contradiction if a number is impossible: too few cells are left for its mines.
        """
        field = self.field
        if self._version == field.version:
            return self._constraints
        constraints = self._constraints
        for cell, number in field.numbers[self._read :]:
            constraints.append(Constraint(cell, self._around[cell], number))
        self._read = len(field.numbers)
        unknown, mined = field.unknown, field.mined
        # A constraint without unknown cells has nothing more to say.
        self._constraints = []
        for constraint in constraints:
            clue, cells, mines = constraint
            left = cells & unknown
            if left == cells:
                self._constraints.append(constraint)
                continue
            mines -= (cells & mined).bit_count()
            if not 0 <= mines <= left.bit_count():
                raise Contradiction("a number has too many mines around it, or too few cells")
            if left:
                self._constraints.append(Constraint(clue, left, mines))
        self._version = field.version
        return self._constraints

    def total(self) -> Constraint | None:
        """Return what the mine total says about all unknown cells; None if it is unknown.

        Raise Contradiction if the mines do not fit into the unknown cells.
        """
        field = self.field
        if field.mines is None:
            return None
        mines = field.mines - field.mined.bit_count()
        if not 0 <= mines <= field.unknown.bit_count():
            raise Contradiction("more mines than the total, or too few cells for them")
        return Constraint(TOTAL, field.unknown, mines)
