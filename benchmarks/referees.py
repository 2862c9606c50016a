"""The referees that judge the kernel's answers.

They are: the minefield from which a position was made, exact integers, brute force, a SAT solver
and another program. Each takes a question and the kernel's answer, and yields what is wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Protocol, Self, cast

from peers import SIDES, Worker

from minewright.inference import Analysis
from minewright.position import COVERED, MARKED, MAX_NUMBER, MINED, SAFE, Position

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from reference import reference

TOLERANCE = 1e-12
# Another program adds its doubles in another order.
PEER_TOLERANCE = 1e-9
PEER_SECONDS = 2.0


@dataclass(frozen=True)
class Question:
    """A position, which parts of it count, and the minefield it shows, unless it was spoilt."""

    position: Position
    trust_marks: bool
    use_total: bool
    made_from: frozenset[int] | None = None

    @property
    def total(self) -> int | None:
        """The mine total, if it is known and counts."""
        return self.position.mines if self.use_total else None

    @property
    def known(self) -> frozenset[int]:
        """The codes of cells that are certainly mined."""
        return frozenset((MINED, MARKED) if self.trust_marks else (MINED,))

    def __str__(self) -> str:
        options = ", trust_marks=True" * self.trust_marks + ", use_total=False" * (
            not self.use_total
        )
        lists = self.position.topology
        net = f"\n{[lists.neighbours(c) for c in range(lists.size)]}" if lists.name == "net" else ""
        return f"analyze(position{options}) of\n{self.position}{net}"


class _Solver(Protocol):
    def solve(self, assumptions: Sequence[int] = ()) -> bool: ...
    def get_model(self) -> list[int] | None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...


class _Solvers(Protocol):
    def Solver(self, name: str, bootstrap_with: list[list[int]]) -> _Solver: ...  # noqa: N802


class _Encoded(Protocol):
    clauses: list[list[int]]
    nv: int


class _Encoder(Protocol):
    def equals(self, lits: list[int], bound: int, top_id: int) -> _Encoded: ...


class _Cards(Protocol):
    CardEnc: _Encoder


# The package says nothing about its types.
_solvers = cast(_Solvers, import_module("pysat.solvers"))
_cards = cast(_Cards, import_module("pysat.card"))

Referee = Callable[[Question, Analysis], Iterator[str]]


def by_its_minefield(question: Question, found: Analysis) -> Iterator[str]:
    """Compare what is certain with the minefield from which the position was made."""
    truth = question.made_from
    if truth is None:
        return
    if not found.consistent:
        yield "inconsistent, but it was made from a minefield"
    if truth.intersection(found.safe) or not truth.issuperset(found.mined):
        yield f"safe {found.safe}, mined {found.mined}; it was made from {sorted(truth)}"


def by_integers(question: Question, found: Analysis) -> Iterator[str]:
    """Compare with exact counts, and check these by laws that need no counting.

    The number of minefields with a mine in a given cell is a whole number. Added up over the cells
    around a clue, these make the clue's number for each minefield; over all cells, the mine total.
    """
    count = found.solutions
    if found.consistent != (count > 0):
        yield f"consistent is {found.consistent}, but there are {count} minefields"
    if not found.consistent or not count:
        return
    position, chances = question.position, found.probability.tolist()
    fractions = found.fractions
    yield from _certain(found, fractions)
    mined_in: dict[int, int] = {}
    for cell, fraction in enumerate(fractions):
        covered = position.cells[cell] in (COVERED, MARKED)
        if (fraction is not None) != covered or (chances[cell] == chances[cell]) != covered:
            yield f"cell {cell}: a chance of {chances[cell]}, exactly {fraction}"
        elif fraction is not None:
            if not abs(chances[cell] - fraction.numerator / fraction.denominator) <= TOLERANCE:
                yield f"cell {cell}: a chance of {chances[cell]}, exactly {fraction}"
            mined_in[cell], rest = divmod(count * fraction.numerator, fraction.denominator)
            if rest:
                yield f"cell {cell}: {fraction} of {count} minefields is no whole number"
        elif position.cells[cell] == MINED:
            mined_in[cell] = count
    neighbours = position.topology.graph.neighbours
    for cell, number in enumerate(position.cells):
        if number <= MAX_NUMBER:
            around = sum(mined_in.get(other, 0) for other in neighbours(cell))
            if around != number * count:
                yield f"cell {cell} shows {number}, but around it are {Fraction(around, count)}"
    if question.total is not None and sum(mined_in.values()) != question.total * count:
        yield f"all chances add up to {Fraction(sum(mined_in.values()), count)} mines"


def _certain(found: Analysis, fractions: Sequence[Fraction | None]) -> Iterator[str]:
    """Check that a cell is certain if and only if its exact fraction is 0 or 1."""
    pairs = [(cell, p) for cell, p in enumerate(fractions) if p is not None]
    safe = tuple(cell for cell, p in pairs if p.numerator == 0)
    mined = tuple(cell for cell, p in pairs if p.numerator == p.denominator)
    if (found.safe, found.mined) != (safe, mined):
        yield f"safe {found.safe}, mined {found.mined}; exactly {safe} and {mined}"


def by_brute_force(question: Question, found: Analysis) -> Iterator[str]:
    """Compare with all minefields of a tiny position."""
    truth = reference(
        question.position, trust_marks=question.trust_marks, use_total=question.use_total
    )
    if found.solutions != truth.solutions:
        yield f"{found.solutions} solutions, brute force finds {truth.solutions}"
    if found.fractions != truth.fractions:
        yield "the fractions are not those of brute force"


def by_sat(question: Question, found: Analysis) -> Iterator[str]:
    """Ask a SAT solver about both values of every covered cell."""
    position = question.position
    variables = {
        cell: number
        for number, cell in enumerate(
            (
                c
                for c, code in enumerate(position.cells)
                if code in (COVERED, MARKED) and code not in question.known
            ),
            1,
        )
    }
    clauses = _clauses(question, variables)
    safe: set[int] = set()
    mined = {c for c in found.position.covered if c not in variables}
    with _solvers.Solver("minisat22", clauses or []) as solver:
        consistent = clauses is not None and solver.solve()
        if consistent != found.consistent:
            yield f"consistent is {found.consistent}, the SAT solver says {consistent}"
        if not consistent:
            return
        # What some model shows need not be asked.
        possible: set[int] = set()
        for cell, variable in variables.items():
            for literal in (variable, -variable):
                if literal not in possible and solver.solve(assumptions=[literal]):
                    # A variable in no clause is in no model: both its values are possible.
                    possible.update(solver.get_model() or ())
                    possible.add(literal)
            if variable not in possible:
                safe.add(cell)
            elif -variable not in possible:
                mined.add(cell)
    if (set(found.safe), set(found.mined)) != (safe, mined):
        yield (
            f"safe {found.safe}, mined {found.mined};"
            f" the SAT solver says {sorted(safe)} and {sorted(mined)}"
        )


def _clauses(question: Question, variables: dict[int, int]) -> list[list[int]] | None:
    """Return clues and total as clauses; None if one cannot hold, whatever the others say."""
    position, known = question.position, question.known
    codes, neighbours = position.cells, position.topology.graph.neighbours
    sums = [
        (list(neighbours(cell)), number)
        for cell, number in enumerate(codes)
        if number <= MAX_NUMBER
    ]
    if question.total is not None:
        sums.append((list(range(len(codes))), question.total))
    last = len(variables)
    clauses: list[list[int]] = []
    for cells, number in sums:
        literals = [variables[cell] for cell in cells if cell in variables]
        left = number - sum(codes[cell] in known for cell in cells)
        if not 0 <= left <= len(literals):
            return None
        if literals:
            encoded = _cards.CardEnc.equals(literals, left, last)
            clauses += encoded.clauses
            last = max(last, encoded.nv)
    return clauses


class Peer:
    """ms_toollib in its own process, where it may hang or crash."""

    def __init__(self) -> None:
        self._worker = Worker(SIDES["ms_toollib onboard"])
        self.version = self._worker.version

    def can_judge(self, question: Question) -> bool:
        """Return True if ms_toollib can read it: squares, a total, no facts but the numbers."""
        position = question.position
        return (
            position.topology.name == "moore"
            and question.total is not None
            and not question.trust_marks
            and not {SAFE, MINED}.intersection(position.cells)
            and bool(position.covered)
        )

    def __call__(self, question: Question, found: Analysis) -> Iterator[str]:
        """Compare with its probabilities. Raise NoAnswerError if it gives none."""
        text = str(question.position).replace("F", "#")
        reply = self._worker.ask([text], PEER_SECONDS)
        if reply["status"] != "answered":
            raise NoAnswerError(f"{reply['status']} {reply['message']}")
        (row,) = reply["rows"]
        for cell in found.position.covered:
            theirs, ours = row[cell], found.chances[cell]
            if theirs is None or ours is None or not abs(theirs - ours) <= PEER_TOLERANCE:
                yield f"cell {cell}: {ours}, ms_toollib says {theirs}"
                return

    def stop(self) -> None:
        """End the process."""
        self._worker.stop()


class NoAnswerError(Exception):
    """The peer refused, hung or crashed."""
