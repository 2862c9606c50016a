"""The zero propagator and the simple propagators (sections 4.2 and 3.1)."""

from typing import ClassVar

from minewright.strategies.constraints import neighbourhoods
from minewright.strategies.oz.collector import TOTAL, Collector
from minewright.strategies.oz.engine import Engine
from minewright.strategies.oz.field import SymbolicField


class Zero(Engine):
    """The zero propagator: all cells around `safe(0)` are safe.

    A game opens these by itself, so the propagator only matters for positions from elsewhere.
    """

    name: ClassVar[str] = "zero"

    def __init__(self, field: SymbolicField, collector: Collector) -> None:
        super().__init__(field, collector)
        self._around = neighbourhoods(field.topology)
        self._read = 0

    def work(self) -> bool:
        """Look at each number once."""
        field = self.field
        told = False
        for cell, number in field.numbers[self._read :]:
            if number == 0:
                told |= field.tell(self.name, cell, safe=self._around[cell])
        self._read = len(field.numbers)
        return told


class Simple(Engine):
    """The simple propagators: what a sum says about single cells.

    A sum over variables of domain 0#1 can infer something in two cases only: if all its mines are
    known, the other cells are 0, and if it needs all its cells, they are 1.
    """

    name: ClassVar[str] = "simple"

    def work(self) -> bool:
        """Propagate to the fixpoint."""
        return propagate_sums(self)


def propagate_sums(engine: Engine) -> bool:
    """Tell what each constraint says by itself, to the fixpoint; return True if there was news."""
    news = False
    while _once(engine.name, engine.field, engine.collector):
        news = True
    return news


def _once(name: str, field: SymbolicField, collector: Collector) -> bool:
    told = False
    for clue, cells, mines in collector.numbers():
        if mines == 0:
            told |= field.tell(name, clue, safe=cells)
        elif mines == cells.bit_count():
            told |= field.tell(name, clue, mined=cells)
    total = collector.total()
    if total is not None and total.cells:
        if total.mines == 0:
            told |= field.tell(name, TOTAL, safe=total.cells)
        elif total.mines == total.cells.bit_count():
            told |= field.tell(name, TOTAL, mined=total.cells)
    return told
