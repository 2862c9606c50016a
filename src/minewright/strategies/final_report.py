"""The Final Report (Postolaki and Rahman 2020): constraint propagation under backtracking search.

`csp` is Studholme's strategy as the report describes it, and `equation` is its first half, which
the report compares it with. The others differ from it, and from each other, in how far a node of
the search looks ahead: `forward-checking` (algorithm 3), `gac` (algorithm 4), `fringe`, and `ac3`
(algorithm 1), which the authors planned but did not get to. `csp-fringe` is another plan of
theirs: CSP Strategy with the constraints of `fringe`.

The report says "we opted not to value order" and gives no order of variables other than
Studholme's, so all except `csp` take the cells in reading order, and 0 before 1. What it wishes
for is an option here: `order=constrained` takes the most constrained cell first, and breaks ties by
the degree heuristic; `simplify=yes` fuses a method with the Equation strategy, which then comes
first. The report makes every square of the grid a variable. Here, the covered cells that no number
touches are one variable, their number of mines, because they are interchangeable. All searches have
a budget of values tried, so that they end: the report's own ran for seconds, and `fringe` did not
end on its largest board.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import ClassVar, Final, NamedTuple

from minewright._kernel import Sums
from minewright.inference import Budget
from minewright.position import Position
from minewright.strategies.constraints import (
    CellSet,
    Constraint,
    View,
    cells_of,
    components,
    frontier,
    view,
)
from minewright.strategies.registry import Kind, Option, register
from minewright.strategies.solutions import Part, join
from minewright.strategies.strategy import NOTHING, Conclusion, Deducer, Finding

NO_CLOCK: Final = 1e9
"""No time limit: a budget counts only values tried, so that every machine finds the same."""

FEW: Final = 20
"""`fringe` employs a sum constraint if there are fewer cells than this."""

TOTAL: Final = -1
"""The mine total among the clues of an equation; numbers are named by their cells."""


class Equation(NamedTuple):
    """A constraint, possibly simplified, and the clues it comes from."""

    mines: int
    clues: tuple[int, ...]


class Simplifying(Deducer):
    """Studholme's Equation strategy: the numbers as equations, simplified as far as possible.

    The subset rule simplifies them: a + b + c + d = 4 and a + b = 2 leave c + d = 2. Trivial
    equations, with no mines or only mines, are played at once.
    """

    def conclude(self, position: Position) -> Conclusion:
        """Simplify; if nothing follows, see whether there is another way."""
        seen = view(position)
        numbers = self.equations(seen)
        if numbers is None:
            return NOTHING
        findings = trivial(numbers, position)
        if findings:
            return Conclusion(findings)
        equations = simplified(numbers)
        if equations is None:
            return NOTHING
        findings = trivial(equations, position)
        return Conclusion(findings) if findings else self.enumerate(seen, equations)

    def equations(self, seen: View) -> dict[CellSet, Equation] | None:
        """Return what the numbers say, each set of cells once; None on a clash."""
        return equations_of(seen.constraints())

    def enumerate(self, seen: View, equations: dict[CellSet, Equation]) -> Conclusion:
        """Conclude nothing: this strategy does not look at solutions."""
        return NOTHING


class Csp(Simplifying):
    """Studholme's CSP strategy (algorithm 2).

    It begins as the Equation strategy does. If there are no trivial equations, the
    constraints are coupled through the cells they share, and a backtracking search enumerates the
    solutions of each coupled subset: the most constrained cell first, 0 before 1, every assignment
    checked. Cells with the same value in all solutions under the mine total are certain. If there
    are none, each solution is weighted by the ways to lay the remaining mines, which gives every
    cell its chance.

    A coupled subset is a craps shoot if nothing outside can ever say more about it. All unknown
    neighbours of its cells belong to it, so no other opening will touch it, and all its solutions
    have the same number of mines, so no count will either. The guess is then made there at once:
    waiting does not make it easier, and opening it may help elsewhere.
    """

    def __init__(self, nodes: str) -> None:
        self.nodes = int(nodes)

    def enumerate(self, seen: View, equations: dict[CellSet, Equation]) -> Conclusion:
        """Find all solutions of each coupled subset, and what they say together."""
        parts = []
        shoots: list[int] = []
        rest = seen.unknown
        gave_up = False
        for some, own in coupled(equations):
            cells = cells_of(some)
            place = {cell: i for i, cell in enumerate(cells)}
            system = Sums(
                [1] * len(cells),
                [([place[cell] for cell in cells_of(each)], equations[each].mines) for each in own],
            )
            tally = system.tally("check", "constrained", Budget(self.nodes, NO_CLOCK))
            rest &= ~some
            if not tally.complete:
                gave_up = True
                continue
            parts.append(Part(tally, tuple((cell,) for cell in cells)))
            same_count = seen.mines is None or len(tally.ways) == 1
            if same_count and closed(some, seen):
                shoots += cells
        # Without all subsets there is nothing to compare with the total.
        joined = join(parts, cells_of(rest), None if gave_up else seen.mines)
        if joined.safe or joined.mined:
            finding = Finding(joined.safe, joined.mined, "true in all solutions of the constraints")
            return Conclusion((finding,), gave_up=gave_up, solutions=joined.solutions)
        if gave_up or not joined.consistent:
            return Conclusion(gave_up=gave_up)
        return Conclusion((), joined.chances, tuple(shoots), solutions=joined.solutions)


class CspFringe(Csp):
    """CSP Strategy with fringe constraints, which the report plans "for smaller games".

    As in the fringe, only covered cells next to numbers are variables, and the mine total is a sum
    constraint only while fewer than 20 cells of the board are unknown. All of them are variables
    then, and the total is an equation like any other: it is simplified and coupled, not joined
    afterwards. It guesses among its variables, because it knows nothing about other cells.
    """

    def equations(self, seen: View) -> dict[CellSet, Equation] | None:
        """Add the mine total to what the numbers say if few cells are unknown."""
        constraints = seen.constraints()
        if seen.mines is not None and 0 < seen.unknown.bit_count() < FEW:
            constraints.append(Constraint(TOTAL, seen.unknown, seen.mines))
        return equations_of(constraints)

    def enumerate(self, seen: View, equations: dict[CellSet, Equation]) -> Conclusion:
        """Find all solutions of each coupled subset, under no total but that of an equation."""
        found = super().enumerate(seen._replace(mines=None), equations)
        return replace(found, among=found.among or cells_of(reduce(or_, equations, 0)))


def equations_of(constraints: Sequence[Constraint]) -> dict[CellSet, Equation] | None:
    """Return what the numbers say, each set of cells once; None on a clash."""
    found: dict[CellSet, Equation] = {}
    for clue, cells, mines in constraints:
        first = found.setdefault(cells, Equation(mines, (clue,)))
        if first.mines != mines or not 0 <= mines <= cells.bit_count():
            return None
    return found


def trivial(equations: dict[CellSet, Equation], position: Position) -> tuple[Finding, ...]:
    """Return what single equations say: no mines, or only mines."""
    findings = []
    for some, (mines, clues) in equations.items():
        if mines == 0:
            findings.append(Finding(cells_of(some), (), f"{_numbers(clues, position)}: no mines"))
        elif mines == some.bit_count():
            findings.append(Finding((), cells_of(some), f"{_numbers(clues, position)}: only mines"))
    return tuple(findings)


def _numbers(clues: tuple[int, ...], position: Position) -> str:
    places = [position.topology.describe(clue) for clue in clues if clue != TOTAL]
    told = ["the mine total"] if TOTAL in clues else []
    if len(places) == 1:
        told.insert(0, f"the number at {places[0]}")
    elif places:
        told.insert(0, f"the numbers at {', '.join(places[:-1])} and {places[-1]}")
    return " and ".join(told)


def simplified(equations: dict[CellSet, Equation]) -> dict[CellSet, Equation] | None:
    """Subtract from each constraint those inside it, until none is inside another.

    Return None on a clash. A constraint always equals what was subtracted plus what is left, so
    nothing is lost.
    """
    while True:
        ascending = sorted(equations, key=int.bit_count)
        fewer: dict[CellSet, Equation] = {}
        for some in ascending:
            left, (mines, clues) = some, equations[some]
            size = some.bit_count()
            for inner in ascending:
                if inner.bit_count() >= size:
                    break
                if inner & left == inner:
                    left ^= inner
                    mines -= equations[inner].mines
                    clues += equations[inner].clues
            if not 0 <= mines <= left.bit_count():
                return None
            if left not in fewer:
                fewer[left] = Equation(mines, tuple(dict.fromkeys(clues)))
            elif fewer[left].mines != mines:
                return None
        fewer.pop(0, None)
        if fewer.keys() == equations.keys():
            return fewer
        equations = fewer


def coupled(equations: dict[CellSet, Equation]) -> list[tuple[CellSet, list[CellSet]]]:
    """Return groups of constraints that share cells, directly or indirectly."""
    return [
        (cells, [some for some in equations if some & cells]) for cells in components(equations)
    ]


def closed(some: CellSet, seen: View) -> bool:
    """Return True if all unknown neighbours of these cells are among them."""
    neighbours = seen.neighbours
    outside = seen.unknown & ~some
    return not any(neighbours[cell] & outside for cell in cells_of(some))


class SumProblem(NamedTuple):
    """A position as one system of sums, and what each of its variables stands for."""

    system: Sums
    cells: tuple[tuple[int, ...], ...]


def problem_of(
    constraints: Sequence[Constraint], groups: Sequence[tuple[int, ...]], mines: int | None
) -> SumProblem:
    """Return a problem with one variable per group of cells; `mines`, if given, is their sum."""
    place = {cell: i for i, cells in enumerate(groups) for cell in cells}
    sums = [([place[cell] for cell in cells_of(some)], count) for _, some, count in constraints]
    if mines is not None:
        sums.append((list(range(len(groups))), mines))
    return SumProblem(Sums([len(cells) for cells in groups], sums), tuple(groups))


class Searching(Deducer):
    """One problem for the whole board: propagation, then a search for both values of each cell.

    If propagation alone leaves a cell only one value, that is played at once. If it settles no
    cell, a backtracking search with the same propagation at every node looks for a solution with
    each value of each cell; every solution found serves all cells. A value without a solution is
    excluded. If the budget runs out, what has been proved by then stands.
    """

    by: ClassVar[str]

    def __init__(self, nodes: str, order: str = "given", simplify: str = "no") -> None:
        self.nodes = int(nodes)
        self.order = order
        self.before = Simplifying() if simplify == "yes" else None

    def problem(self, position: Position) -> SumProblem:
        """Return a variable per unknown cell next to a number, one for the rest, and the total."""
        seen = view(position)
        constraints = seen.constraints()
        known = frontier(constraints)
        groups: list[tuple[int, ...]] = [(cell,) for cell in cells_of(known)]
        rest = cells_of(seen.unknown & ~known)
        if rest and seen.mines is not None:
            groups.append(rest)
        return problem_of(constraints, groups, seen.mines)

    def conclude(self, position: Position) -> Conclusion:
        """Propagate, then search."""
        if self.before and (found := self.before.conclude(position)).findings:
            return found
        problem = self.problem(position)
        try:
            ranges = problem.system.propagate(self.by)
        except ValueError:
            # On a huge board, the mine total's chain of partial sums is too long for AC-3. What the
            # numbers say without it still holds.
            return replace(self.conclude(replace(position, mines=None)), gave_up=True)
        if ranges is None:
            return NOTHING
        findings = _certain(problem, *ranges, "propagation leaves no other value")
        if findings:
            return Conclusion(findings)
        support = problem.system.support(self.by, self.order, Budget(self.nodes, NO_CLOCK))
        findings = _certain(problem, support.low, support.high, "no solution has another value")
        return Conclusion(findings, gave_up=not support.complete)


class ForwardChecking(Searching):
    """Forward checking (algorithm 3): a constraint with one variable left prunes that variable.

    The algorithm says "only has 1 assigned var" and then takes "constraint's unassigned var". It
    means one unassigned variable, as the text beside it says.
    """

    by = "forward"


class Gac(Searching):
    """Generalised arc consistency (algorithm 4): every constraint prunes every variable in it."""

    by = "gac"


class Ac3(Searching):
    """AC-3 (algorithm 1) on sum variables: the theory the authors did not get to test.

    AC-3 needs binary constraints. As in the sum-variable methods that the report mentions, each
    number's sum becomes a chain of partial sums. Every link is a variable, tied to the one before,
    the one after and its cell. AC-3 prunes as much as `gac`, so both play the same games; only the
    effort differs.
    """

    by = "ac3"


class Fringe(Searching):
    """The fringe (Howard and Mehrortra): only covered cells next to open ones are variables.

    It uses plain backtracking. "The sum constraint was only employed when there were less than 20
    squares" can be read in two ways. Elsewhere the report calls the sum around a number a sum
    constraint, twice: with `sums=numbers`, 20 or more variables are left without any constraint,
    and every cell is a guess. With `sums=total`, the default, the words mean the mine total, which
    joins in when fewer than 20 cells of the board are unknown (covered and unmarked). All of them
    are variables then.
    """

    by = "check"

    def __init__(self, sums: str, **searching: str) -> None:
        super().__init__(**searching)
        self.numbers = sums == "numbers"

    def problem(self, position: Position) -> SumProblem:
        """Return the unknown cells next to numbers, and the sums that are employed."""
        seen = view(position)
        constraints = seen.constraints()
        near = frontier(constraints)
        if self.numbers:
            return problem_of(constraints if near.bit_count() < FEW else [], _each(near), None)
        few = seen.unknown.bit_count() < FEW
        return problem_of(
            constraints, _each(seen.unknown if few else near), seen.mines if few else None
        )


def _each(cells: CellSet) -> list[tuple[int, ...]]:
    return [(cell,) for cell in cells_of(cells)]


def _certain(
    problem: SumProblem, low: Sequence[int], high: Sequence[int], reason: str
) -> tuple[Finding, ...]:
    """Return the cells of variables that must be 0, or at their maximum."""
    safe: list[int] = []
    mined: list[int] = []
    for cells, least, most in zip(problem.cells, low, high, strict=False):
        if most == 0:
            safe += cells
        elif least == len(cells):
            mined += cells
    return (Finding(tuple(safe), tuple(mined), reason),) if safe or mined else ()


def _nodes(default: int) -> dict[str, Option]:
    return {"nodes": Option(str(default), summary="values a search tries before it gives up")}


_SEARCHING = _nodes(20_000) | {
    "order": Option(
        "given", ("given", "constrained"), "cells in reading order, or the most constrained first"
    ),
    "simplify": Option("no", ("no", "yes"), "whether the Equation strategy comes first"),
}


register(
    Kind(
        "equation",
        "Postolaki and Rahman 2020, sections 4.1 and 4.3; Studholme 2000",
        "numbers as equations, simplified where one is part of another",
        Simplifying,
        title="Equations",
        guesser="local",
        first="corner",
    )
)
register(
    Kind(
        "csp",
        "Postolaki and Rahman 2020, algorithm 2; Studholme 2000",
        "simplifies constraints, solves those that share cells, takes hopeless guesses at once",
        Csp,
        title="Constraint solver",
        complete="yes",
        guesser="safest",
        first="corner",
        options=_nodes(1_000_000),
    )
)
register(
    Kind(
        "csp-fringe",
        "Postolaki and Rahman 2020, section 5",
        "the constraint solver, but it uses the mine total only when few cells are left",
        CspFringe,
        title="Constraint solver, fringe only",
        guesser="safest",
        first="corner",
        options=_nodes(1_000_000),
    )
)
register(
    Kind(
        "forward-checking",
        "Postolaki and Rahman 2020, algorithm 3",
        "backtracking; a number with one cell left prunes it",
        ForwardChecking,
        complete="yes",
        guesser="local",
        first="corner",
        options=_SEARCHING,
    )
)
register(
    Kind(
        "gac",
        "Postolaki and Rahman 2020, algorithm 4; Bayer, Snyder and Choueiry 2006",
        "backtracking; every number prunes all its cells",
        Gac,
        title="Generalised arc consistency",
        complete="yes",
        guesser="local",
        first="corner",
        options=_SEARCHING,
    )
)
register(
    Kind(
        "fringe",
        "Postolaki and Rahman 2020, section 4.2; Howard and Mehrortra 2018",
        "backtracking on cells next to numbers; the mine total only when few cells are left",
        Fringe,
        title="Fringe backtracking",
        guesser="random",
        first="corner",
        options=_SEARCHING
        | {
            "sums": Option(
                "total",
                ("total", "numbers"),
                "what needs fewer than 20 cells: the mine total, or all that the numbers say",
            )
        },
    )
)
register(
    Kind(
        "ac3",
        "Postolaki and Rahman 2020, algorithm 1",
        "backtracking; arc consistency of partial sums",
        Ac3,
        title="Arc consistency (AC-3)",
        complete="yes",
        guesser="local",
        first="corner",
        options=_SEARCHING,
    )
)
