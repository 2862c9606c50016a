"""The binary solver and the set solver: all solutions, and the chances they give (3.3, 3.4).

Both restrict the problem to the cells next to open ones. Every solution of the restricted problem
stands for a class of minefields, whose size is a product of binomials. The binary solver has one
variable per cell, the set solver one per box.

The text solves the whole problem at once. Here every component is solved by itself, and the results
are joined under the mine total, with the same outcome: the text's number of solutions is the
product of the components' numbers. `table` writes out the classes as in tables 1 and 2.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, inf, prod
from typing import ClassVar, Final, Literal

from minewright._kernel import Sums, TooHard
from minewright.inference import Budget, BudgetExceeded
from minewright.position import Position
from minewright.strategies.constraints import (
    CellSet,
    Constraint,
    boxes_of,
    cells_of,
    components,
    set_of,
)
from minewright.strategies.oz.collector import Collector
from minewright.strategies.oz.engine import Engine
from minewright.strategies.oz.field import Contradiction, SymbolicField
from minewright.strategies.solutions import Joined, Part, join

BUDGET: Final = Budget(2_000_000, inf)
"""The most values that a search tries for one component before it gives up."""

TABLE_BUDGET: Final = Budget(20_000_000, inf)
"""The most values that it tries for a whole table."""

MOST_LISTED: Final = 100_000
"""The most solutions that are listed one by one."""

Variables = Literal["binary", "sets"]


class Solver(Engine):
    """Solves the problem posed by the collected constraints."""

    kind: ClassVar[Variables]

    def __init__(self, field: SymbolicField, collector: Collector) -> None:
        super().__init__(field, collector)
        self.chances: dict[int, float] = {}
        """The chance of a mine in each cell that was unknown; empty after giving up."""
        self.solutions: int | None = None
        """The number of solutions computed for that; None after giving up."""
        self.gave_up = False
        # The components solved last: most of them appear again after the next opening.
        self._solved: dict[tuple[tuple[CellSet, int], ...], Part] = {}

    def work(self) -> bool:
        """Solve each component, join them, and tell what all solutions have in common."""
        constraints = self.collector.numbers()
        total = self.collector.total()
        solved = {}
        for component in apart(constraints):
            key = tuple([(cells, mines) for _, cells, mines in component])
            solved[key] = self._solved.get(key) or solve(component, self.kind)
        self._solved = solved
        parts = [part for part in solved.values() if part.tally.complete]
        self.gave_up = len(parts) < len(solved)
        if self.gave_up:
            # Without a component's solutions its mines are unknown, so the total says nothing.
            joined = join(parts, (), None)
        else:
            touched = 0
            for constraint in constraints:
                touched |= constraint.cells
            rest = cells_of(self.field.unknown & ~touched)
            joined = join(parts, rest, None if total is None else total.mines)
        return self._tell(joined)

    def _tell(self, joined: Joined) -> bool:
        if not joined.consistent:
            raise Contradiction("no minefield agrees with all numbers and the total")
        self.chances = {} if self.gave_up else joined.chances
        self.solutions = None if self.gave_up else joined.solutions
        return self.field.tell(self.name, None, set_of(joined.safe), set_of(joined.mined))


class Binary(Solver):
    """The binary solver: one variable of domain 0#1 for each cell next to an open one."""

    name: ClassVar[str] = "binary"
    kind: ClassVar[Variables] = "binary"


class SetSolver(Solver):
    """The set solver: one variable per box, which counts its mines."""

    name: ClassVar[str] = "sets"
    kind: ClassVar[Variables] = "sets"


def apart(constraints: Sequence[Constraint]) -> list[list[Constraint]]:
    """Return the constraints in groups that share no cells, each in the given order."""
    groups = components(constraint.cells for constraint in constraints)
    return [[one for one in constraints if one.cells & cells] for cells in groups]


def variables_of(constraints: Sequence[Constraint], kind: Variables) -> list[CellSet]:
    """Return the variables, single cells or boxes, in the order in which constraints name them."""
    boxes = boxes_of(constraints)
    named = (cell for constraint in constraints for cell in cells_of(constraint.cells))
    return list(dict.fromkeys(1 << cell if kind == "binary" else boxes[cell] for cell in named))


def system(constraints: Sequence[Constraint], variables: Sequence[CellSet]) -> Sums:
    """Return the constraints as sums over the variables."""
    sums = {
        (tuple([at for at, some in enumerate(variables) if some & cells]), mines)
        for _, cells, mines in constraints
    }
    return Sums([some.bit_count() for some in variables], sorted(sums))


def solve(constraints: Sequence[Constraint], kind: Variables) -> Part:
    """Return all solutions of one component."""
    variables = variables_of(constraints, kind)
    tally = system(constraints, variables).tally("gac", "constrained", BUDGET)
    return Part(tally, tuple(map(cells_of, variables)))


@dataclass(frozen=True)
class SolutionTable:
    """All classes of solutions of a position, as in tables 1 and 2."""

    variables: tuple[tuple[int, ...], ...]
    """The cells of each variable, in the order of the search."""
    rest: tuple[int, ...]
    """The cells of `x_R`."""
    solutions: tuple[tuple[int, ...], ...]
    """The values of the variables in each solution, 0 before 1."""
    rest_mines: tuple[int | None, ...]
    """The value of `x_R` in each solution; None if the mine total is unknown."""
    sizes: tuple[int, ...]
    """The number of minefields each solution stands for."""

    @property
    def minefields(self) -> int:
        """The total number of minefields: the text's N."""
        return sum(self.sizes)

    @cached_property
    def chances(self) -> dict[int, Fraction]:
        """The exact chance of a mine in each cell."""
        if not self.minefields:
            return {}
        found: dict[int, Fraction] = {}
        for at, cells in enumerate(self.variables):
            mined = sum(
                size * values[at] for size, values in zip(self.sizes, self.solutions, strict=True)
            )
            found |= dict.fromkeys(cells, Fraction(mined, self.minefields * len(cells)))
        if self.rest:
            # Without a total, half of all minefields of a class have a mine in a given cell.
            doubled = sum(
                size * (len(self.rest) if mines is None else 2 * mines)
                for size, mines in zip(self.sizes, self.rest_mines, strict=True)
            )
            chance = Fraction(doubled, 2 * self.minefields * len(self.rest))
            found |= dict.fromkeys(self.rest, chance)
        return found


def table(position: Position, kind: Variables, limit: int = MOST_LISTED) -> SolutionTable:
    """Return the solutions of a position as the text finds them: of the whole problem at once.

    Marks count as mines. Raise ValueError if there are more than `limit`, Contradiction (a kind of
    ValueError) if a number is impossible, and BudgetExceeded if they take too long to find.
    """
    collector = _collect(position)
    constraints, total = collector.numbers(), collector.total()
    variables = variables_of(constraints, kind)
    caps = [some.bit_count() for some in variables]
    rest = cells_of(collector.field.unknown & ~sum(variables))
    try:
        found = system(constraints, variables).listed("gac", "given", limit + 1, TABLE_BUDGET)
    except TooHard as error:
        raise BudgetExceeded(
            f"too hard: the table was not complete after {TABLE_BUDGET.states:,} values were "
            "tried; use the solver, which solves each component by itself",
            cells_of(sum(variables)),
            TABLE_BUDGET.states,
        ) from error
    if len(found) > limit:
        raise ValueError(f"more than {limit} solutions")
    solutions, rest_mines, sizes = [], [], []
    for values in found:
        left = None if total is None else total.mines - sum(values)
        if left is not None and not 0 <= left <= len(rest):
            continue
        solutions.append(tuple(values))
        rest_mines.append(left)
        laid = 2 ** len(rest) if left is None else comb(len(rest), left)
        sizes.append(laid * prod(map(comb, caps, values)))
    return SolutionTable(
        tuple(map(cells_of, variables)),
        rest,
        tuple(solutions),
        tuple(rest_mines),
        tuple(sizes),
    )


def solutions_needed(position: Position) -> dict[Variables, int | None]:
    """Return how many solutions each solver computes for a position: 246 and 6 in figure 3.

    Solutions that break the mine total do not count: the text's problem contains it. None stands
    for more than a search can find. Marks count as mines. Raise Contradiction if a number is
    impossible.
    """
    return needed(_collect(position))


def needed(collector: Collector) -> dict[Variables, int | None]:
    """Return how many solutions each solver computes for what a collector has left."""
    constraints, total = collector.numbers(), collector.total()
    touched = 0
    for constraint in constraints:
        touched |= constraint.cells
    rest = (collector.field.unknown & ~touched).bit_count()
    mines = None if total is None else total.mines
    kinds: tuple[Variables, ...] = ("binary", "sets")
    return {kind: _needed(apart(constraints), kind, mines, rest) for kind in kinds}


def _needed(
    parts: Sequence[Sequence[Constraint]], kind: Variables, mines: int | None, rest: int
) -> int | None:
    """Return the number of solutions of all components together under the mine total."""
    tallies = [solve(part, kind).tally for part in parts]
    if not all(tally.complete for tally in tallies):
        return None
    least = sum(tally.low for tally in tallies)
    most = sum(tally.low + len(tally.ways) - 1 for tally in tallies)
    if mines is None or mines - rest <= least <= most <= mines:
        return prod(tally.count for tally in tallies)
    joint = {0: 1}
    for part in parts:
        own = _by_mines(part, kind)
        if own is None:
            return None
        grown: dict[int, int] = {}
        for (sum_, ways), (count, more) in product(joint.items(), own.items()):
            grown[sum_ + count] = grown.get(sum_ + count, 0) + ways * more
        joint = grown
    return sum(ways for count, ways in joint.items() if mines - rest <= count <= mines)


def _by_mines(constraints: Sequence[Constraint], kind: Variables) -> Mapping[int, int] | None:
    """Return the number of solutions of a component by their mines; None if there are too many."""
    variables = variables_of(constraints, kind)
    try:
        found = system(constraints, variables).listed("gac", "given", MOST_LISTED + 1, TABLE_BUDGET)
    except TooHard:
        return None
    return Counter(map(sum, found)) if len(found) <= MOST_LISTED else None


def _collect(position: Position) -> Collector:
    field = SymbolicField(position.topology, position.mines)
    field.tell_position(position, trust_marks=True)
    return Collector(field)
