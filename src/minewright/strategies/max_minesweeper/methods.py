"""Kofford's three methods: check all solutions, break early, and ask whether one exists.

All use the same boolean constraints: the variables are the covered cells next to an open number,
and each number says which combinations of them may be mined. They do not use the mine total;
`total=yes` adds it.
"""

from abc import abstractmethod
from contextlib import nullcontext
from typing import NamedTuple

from minewright.inference import BudgetExceeded
from minewright.position import COVERED, Position
from minewright.strategies.constraints import (
    CellSet,
    Constraint,
    View,
    cells_of,
    components,
    frontier,
    view,
)
from minewright.strategies.max_minesweeper.engines import Engine, engine, load
from minewright.strategies.strategy import NOTHING, Conclusion, Deducer, Finding


class Total(NamedTuple):
    """What the mine total says about the cells next to numbers and one cell of the rest.

    The cells of the rest are interchangeable, so what is certain of one is certain of all.
    """

    cells: CellSet
    least: int
    most: int
    rest: CellSet

    @property
    def bites(self) -> bool:
        """Whether it says anything at all."""
        return self.least > 0 or self.most < self.cells.bit_count()


class Seen:
    """Which cells were mined, and which were not, in the solutions seen so far."""

    def __init__(self, cells: CellSet) -> None:
        self.cells = cells
        self.mined = self.spared = 0
        self.solutions = 0

    def add(self, mined: CellSet) -> bool:
        """Record a solution; return True if a cell changed that never had before."""
        before = self.mined & self.spared
        self.mined |= mined
        self.spared |= self.cells & ~mined
        self.solutions += 1
        return self.mined & self.spared != before

    def finding(self, reason: str, rest: CellSet = 0) -> Finding:
        """Return the cells that never changed; the lowest cell of `rest` stands for all of it."""
        safe, mined = self.spared & ~self.mined, self.mined & ~self.spared
        if safe & rest:
            safe |= rest
        elif mined & rest:
            mined |= rest
        return Finding(cells_of(safe), cells_of(mined), reason)


class Method(Deducer):
    """The common part of the three methods: the engine of a game, and what it has been told."""

    def __init__(self, engine: str, encoding: str, total: str) -> None:
        load(engine)
        self._name = engine
        self._encoding = encoding
        self._total = total == "yes"
        self._engine: Engine | None = None
        self._seen: View | None = None
        self._told: CellSet = 0
        self._variables: CellSet = 0

    def conclude(self, position: Position) -> Conclusion:
        """Tell the engine what is new, and ask it."""
        seen = view(position)
        constraints = seen.constraints()
        solver = self._tell(seen, constraints)
        cells = frontier(constraints)
        total = self._bounds(seen, cells)
        if not cells and total is None:
            return NOTHING
        return self._ask(solver, constraints, cells, total)

    @abstractmethod
    def _ask(
        self, solver: Engine, constraints: list[Constraint], cells: CellSet, total: Total | None
    ) -> Conclusion:
        """Conclude about these cells; `total` is None if it says nothing."""

    def _tell(self, seen: View, constraints: list[Constraint]) -> Engine:
        """Add numbers not seen before, and cells that have become known.

        A number is told once, over the cells unknown at that time. What is learned about them
        later is told as facts, so the engine can continue from one turn to the next.
        """
        before, solver = self._seen, self._engine
        if solver is None or before is None or not _follows(before.position, seen.position):
            topology = seen.position.topology
            solver = self._engine = engine(self._name, topology.size, self._encoding)
            self._told = self._variables = 0
        else:
            known = before.unknown & ~seen.unknown & self._variables
            for cell in cells_of(known):
                solver.fact(cell, bool(seen.mined >> cell & 1))
        for clue, cells, mines in constraints:
            if not self._told >> clue & 1:
                solver.exactly(cells_of(cells), mines)
                self._told |= 1 << clue
                self._variables |= cells
        self._seen = seen
        return solver

    def _bounds(self, seen: View, cells: CellSet) -> Total | None:
        if not self._total or seen.mines is None:
            return None
        rest = seen.unknown & ~cells
        # One cell of the rest counts with the others; its other cells take what is left.
        spare = max(0, rest.bit_count() - 1)
        found = Total(cells | rest & -rest, seen.mines - spare, seen.mines, rest)
        return found if found.bites else None


class CheckAll(Method):
    """Method 1: find every solution, and conclude what is the same in all of them.

    The text finds the solutions of the whole board, whose number is the product of the components'
    numbers. The default works component by component, with the same conclusions; the text's way is
    `grouping=board`. Nothing is concluded from a group with more than `limit` solutions.
    """

    reason = "the same in all solutions ({})"

    def __init__(
        self,
        engine: str = "z3",
        encoding: str = "paper",
        total: str = "no",
        grouping: str = "components",
        limit: str = "5000",
    ) -> None:
        super().__init__(engine, encoding, total)
        self._apart = grouping == "components"
        self._limit = int(limit)
        # The most solutions in a row without a new change: no limit.
        self._patience: int | None = None

    def _ask(
        self, solver: Engine, constraints: list[Constraint], cells: CellSet, total: Total | None
    ) -> Conclusion:
        groups = components(one.cells for one in constraints) if self._apart else [cells]
        found: list[Finding] = []
        solutions = 0
        gave_up = False
        if total is not None:
            # The total links all components. If that is too much, the numbers alone may suffice.
            tally, gave_up = self._solutions(solver, total.cells, total)
            solutions += tally.solutions
            if not gave_up:
                groups = []
                found.append(tally.finding(self.reason.format(tally.solutions), total.rest))
        for group in groups:
            tally, unfinished = self._solutions(solver, group, None)
            solutions += tally.solutions
            gave_up |= unfinished
            if not unfinished:
                found.append(tally.finding(self.reason.format(tally.solutions)))
        return Conclusion(tuple(found), gave_up=gave_up, solutions=solutions)

    def _solutions(self, solver: Engine, cells: CellSet, total: Total | None) -> tuple[Seen, bool]:
        """Return the solutions of a group, and whether it had to be left unfinished."""
        tally = Seen(cells)
        idle = 0
        with solver.scope():
            if total is not None:
                solver.between(cells_of(cells), total.least, total.most)
            try:
                while (mined := solver.solve(cells)) is not None:
                    if tally.solutions == self._limit:
                        return tally, True
                    idle = 0 if tally.add(mined) else idle + 1
                    if idle == self._patience:
                        break
                    solver.forbid(cells, mined)
            except BudgetExceeded:
                return tally, True
        return tally, False


class BreakEarly(CheckAll):
    """Method 2: like method 1, but stop when no cell has changed for a while.

    `patience` is the most solutions in a row without a new change; the text does not give it. A
    solution left out may have changed a cell, so this sometimes calls mined cells safe, as the
    text reports.
    """

    reason = "the same in the first solutions ({})"

    def __init__(
        self,
        engine: str = "z3",
        encoding: str = "paper",
        total: str = "no",
        grouping: str = "components",
        limit: str = "5000",
        patience: str = "10",
    ) -> None:
        super().__init__(engine, encoding, total, grouping, limit)
        self._patience = int(patience)


class Exists(Method):
    """Method 3: ask for each cell whether there is a solution with a mine there, and without.

    The text concludes a mine if there is no solution with one, and no mine if there is none
    without. It is the other way round, as it is done here. The text asks both questions for every
    cell (`questions=all`); by default a question is skipped if an earlier solution has already
    answered it, which is the case for at least half of them. The conclusions are the same.
    """

    def __init__(
        self,
        engine: str = "z3",
        encoding: str = "paper",
        total: str = "no",
        questions: str = "open",
    ) -> None:
        super().__init__(engine, encoding, total)
        self._every = questions == "all"

    def _ask(
        self, solver: Engine, constraints: list[Constraint], cells: CellSet, total: Total | None
    ) -> Conclusion:
        with nullcontext() if total is None else solver.scope():
            if total is None:
                return self._exists(solver, cells, 0)
            solver.between(cells_of(total.cells), total.least, total.most)
            return self._exists(solver, total.cells, total.rest)

    def _exists(self, solver: Engine, cells: CellSet, rest: CellSet) -> Conclusion:
        tally = Seen(cells)
        doubtful: CellSet = 0
        for cell in cells_of(cells):
            for mined in (True, False):
                answered = (tally.mined if mined else tally.spared) >> cell & 1
                if answered and not self._every:
                    continue
                try:
                    found = solver.solve(cells, cell, mined)
                except BudgetExceeded:
                    doubtful |= 1 << cell
                    continue
                if found is not None:
                    tally.add(found)
            if not (tally.mined | tally.spared | doubtful) >> cell & 1:
                return NOTHING  # no solution at all: a wrong mark
        tally.mined |= doubtful
        tally.spared |= doubtful
        finding = tally.finding("no solution has the opposite", rest)
        return Conclusion((finding,), gave_up=doubtful > 0, solutions=tally.solutions)


def _follows(before: Position, after: Position) -> bool:
    """Return True if a position can come later in the same game."""
    if before.topology != after.topology or before.mines != after.mines:
        return False
    return all(old in (new, COVERED) for old, new in zip(before.cells, after.cells, strict=True))
