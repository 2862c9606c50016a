"""The solvers behind Max Minesweeper: Z3, which the text used, and MiniSat, which it mentions.

Both are told about a number once, when it is first seen, and keep what they learn for the rest of
the game. They are imported only when a game is played.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from itertools import combinations
from types import ModuleType
from typing import Final, Protocol

from minewright.inference import BudgetExceeded
from minewright.strategies.constraints import CellSet, cells_of
from minewright.strategies.max_minesweeper.encoding import (
    Clauses,
    counter,
    every_combination,
    spelt_out,
)
from minewright.strategies.strategy import StrategyError

CONFLICTS: Final = 200_000
"""MiniSat's budget per question."""
RESOURCES: Final = 2_000_000
"""Z3's budget per question, in its own units rather than time, so that all machines agree."""

MODULES: Final = {"z3": "z3", "minisat": "pysat.solvers"}
"""The module each engine needs."""


class Engine(ABC):
    """A solver whose variables are cells; true means mined."""

    @abstractmethod
    def exactly(self, cells: Sequence[int], mines: int) -> None:
        """State for good that exactly `mines` of these cells are mined."""

    @abstractmethod
    def between(self, cells: Sequence[int], least: int, most: int) -> None:
        """Add, compactly, that `least` to `most` of these cells are mined."""

    @abstractmethod
    def fact(self, cell: int, mined: bool) -> None:
        """Add permanently that this cell is mined, or that it is safe."""

    @abstractmethod
    def forbid(self, cells: CellSet, mined: CellSet) -> None:
        """Exclude the solution in which exactly these of the cells are mined."""

    @abstractmethod
    def scope(self) -> AbstractContextManager[None]:
        """Forget what `between` and `forbid` add inside the `with` block when it ends."""

    @abstractmethod
    def solve(self, cells: CellSet, cell: int | None = None, mined: bool = True) -> CellSet | None:
        """Return the mined ones of these cells in a solution, or None if there is none.

        With `cell`, find a solution in which that cell is mined, or safe. Raise BudgetExceeded if
        it takes too long.
        """


class MiniSat(Engine):
    """MiniSat 2.2, through python-sat."""

    def __init__(self, size: int, encoding: str) -> None:
        self._encoding = encoding
        self._solver = load("minisat").Minisat22()
        # Variable n + 1 stands for cell n; those above the board are for the encodings.
        self._last = size
        self._guard: list[int] = []

    def exactly(self, cells: Sequence[int], mines: int) -> None:
        """State for good that exactly `mines` of these cells are mined."""
        literals = [cell + 1 for cell in cells]
        if spelt_out(len(cells), mines, self._encoding):
            self._add(every_combination(literals, mines, self._fresh))
        else:
            self._add(counter(literals, mines, mines, self._fresh))

    def between(self, cells: Sequence[int], least: int, most: int) -> None:
        """Add, compactly, that `least` to `most` of these cells are mined."""
        guard = [-name for name in self._guard]
        literals = [cell + 1 for cell in cells]
        self._add([*guard, *clause] for clause in counter(literals, least, most, self._fresh))

    def fact(self, cell: int, mined: bool) -> None:
        """Add permanently that this cell is mined, or that it is safe."""
        self._solver.add_clause([cell + 1 if mined else -cell - 1])

    def forbid(self, cells: CellSet, mined: CellSet) -> None:
        """Exclude the solution in which exactly these of the cells are mined."""
        clause = [-cell - 1 if mined >> cell & 1 else cell + 1 for cell in cells_of(cells)]
        self._solver.add_clause([*(-name for name in self._guard), *clause])

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Forget what `between` and `forbid` add inside the `with` block when it ends."""
        # The clauses hold only while this variable is assumed, which is never done again later.
        self._guard = [self._fresh()]
        try:
            yield
        finally:
            self._solver.add_clause([-self._guard[0]])
            self._guard = []

    def solve(self, cells: CellSet, cell: int | None = None, mined: bool = True) -> CellSet | None:
        """Return the mined ones of these cells in a solution, or None if there is none."""
        assumed = list(self._guard)
        if cell is not None:
            assumed.append(cell + 1 if mined else -cell - 1)
        self._solver.conf_budget(CONFLICTS)
        answer = self._solver.solve_limited(assumptions=assumed)
        if answer is None:
            raise BudgetExceeded(f"too hard: MiniSat had {CONFLICTS:,} conflicts")
        if not answer:
            return None
        model = self._solver.get_model()
        found = 0
        for one in cells_of(cells):
            if model[one] > 0:
                found |= 1 << one
        return found

    def _fresh(self) -> int:
        self._last += 1
        return self._last

    def _add(self, clauses: Clauses) -> None:
        for clause in clauses:
            self._solver.add_clause(clause)


class _Term(Protocol):
    """A formula of Z3, or a name in it; its module has no types."""

    ast: object


class Z3(Engine):
    """Z3's solver for finite domains."""

    def __init__(self, size: int, encoding: str) -> None:
        self._encoding = encoding
        self._z3 = z3 = load("z3")
        # A context of its own, so that games in other threads do not interfere, and nothing left
        # over from earlier games can change the order of solutions.
        self._context = z3.Context()
        self._solver = z3.SolverFor("QF_FD", ctx=self._context)
        self._solver.set("rlimit", RESOURCES)
        self._known: dict[int, tuple[_Term, _Term, _Term]] = {}

    def exactly(self, cells: Sequence[int], mines: int) -> None:
        """State for good that exactly `mines` of these cells are mined."""
        if not spelt_out(len(cells), mines, self._encoding):
            self.between(cells, mines, mines)
            return
        z3 = self._z3
        self._solver.add(
            self._join(
                z3.Z3_mk_or,
                [
                    self._join(z3.Z3_mk_and, [self._literal(cell, cell in mined) for cell in cells])
                    for mined in combinations(cells, mines)
                ],
            )
        )

    def between(self, cells: Sequence[int], least: int, most: int) -> None:
        """Add, compactly, that `least` to `most` of these cells are mined."""
        weighed = [(self._literal(cell, True), 1) for cell in cells]
        z3 = self._z3
        if not weighed or least > most:
            self._solver.add(z3.BoolVal(least <= 0 <= most, self._context))
        elif least == most:
            self._solver.add(z3.PbEq(weighed, least))
        else:
            self._solver.add(z3.PbGe(weighed, least), z3.PbLe(weighed, most))

    def fact(self, cell: int, mined: bool) -> None:
        """Add permanently that this cell is mined, or that it is safe."""
        self._solver.add(self._literal(cell, mined))

    def forbid(self, cells: CellSet, mined: CellSet) -> None:
        """Exclude the solution in which exactly these of the cells are mined."""
        other = [self._literal(cell, not mined >> cell & 1) for cell in cells_of(cells)]
        self._solver.add(self._join(self._z3.Z3_mk_or, other))

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Forget what `between` and `forbid` add inside the `with` block when it ends."""
        self._solver.push()
        try:
            yield
        finally:
            self._solver.pop()

    def solve(self, cells: CellSet, cell: int | None = None, mined: bool = True) -> CellSet | None:
        """Return the mined ones of these cells in a solution, or None if there is none."""
        z3, solver = self._z3, self._solver
        answer = solver.check() if cell is None else solver.check(self._literal(cell, mined))
        if answer == z3.unknown:
            raise BudgetExceeded(f"too hard: Z3 spent {RESOURCES:,} units")
        if answer == z3.unsat:
            return None
        # Read through Z3's C interface: the module's own wraps each value and is five times slower.
        context, model = self._context.ref(), solver.model()
        found = 0
        for one in cells_of(cells):
            name = self._names(one)[2].ast
            value = z3.Z3_model_get_const_interp(context, model.model, name)
            # A cell that the solution does not depend on has no value, so take it as safe.
            if value and z3.Z3_get_bool_value(context, value) == z3.Z3_L_TRUE:
                found |= 1 << one
        return found

    def _literal(self, cell: int, mined: bool) -> _Term:
        return self._names(cell)[mined]

    def _names(self, cell: int) -> tuple[_Term, _Term, _Term]:
        """Return the terms for a safe cell and a mined cell, and the cell's name in a model."""
        names = self._known.get(cell)
        if names is None:
            variable = self._z3.Bool(f"cell{cell}", self._context)
            names = self._known[cell] = (self._z3.Not(variable), variable, variable.decl())
        return names

    def _join(self, make: Callable[..., object], parts: Sequence[_Term]) -> _Term:
        """Make an And or an Or; the module's own checks each part and is ten times slower."""
        z3 = self._z3
        row = (z3.Ast * len(parts))(*[part.ast for part in parts])
        joined: _Term = z3.BoolRef(make(self._context.ref(), len(parts), row), self._context)
        return joined


def engine(name: str, size: int, encoding: str) -> Engine:
    """Make an engine for a board of `size` cells. Raise StrategyError if it is not installed."""
    return (Z3 if name == "z3" else MiniSat)(size, encoding)


def load(name: str) -> ModuleType:
    """Import what an engine needs. Raise StrategyError, with the remedy, if it is missing."""
    module = MODULES[name]
    try:
        return import_module(module)
    except ImportError:
        raise StrategyError(
            f"engine {name} needs {module}: pip install 'minewright[sat]'"
        ) from None
