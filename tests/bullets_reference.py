"""Bullets as Neller and Tran describe it, on at-least constraints and without the kernel.

Each question goes to a new SAT solver, and "at least k of the variables in l have value v" is all
it is told. This is deliberately simple: the solver and the maker must agree with it.

    python tests/bullets_reference.py 1000    compares this many random puzzles
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import NamedTuple, Protocol, cast

Cells = tuple[int, ...]


class _Solver(Protocol):
    def add_atmost(self, lits: list[int], k: int) -> None: ...
    def add_clause(self, clause: list[int]) -> None: ...
    def solve(self) -> bool: ...
    def get_model(self) -> list[int]: ...
    def delete(self) -> None: ...


class _Solvers(Protocol):
    def Minicard(self) -> _Solver: ...  # noqa: N802 - the name is python-sat's


_solvers = cast(_Solvers, import_module("pysat.solvers"))


class AtLeast(NamedTuple):
    """At least `k` of the variables in `l` have the value `v`."""

    k: int
    l: Cells  # noqa: E741 - the paper's own letter
    v: bool


class Record(NamedTuple):
    """One step: its type, its clues, and what was deduced."""

    type: int
    clues: Cells
    empty: Cells
    bullets: Cells


def exactly(k: int, cells: Sequence[int]) -> list[AtLeast]:
    """Return two at-least constraints that say that k of the cells have bullets."""
    return [AtLeast(k, tuple(cells), True), AtLeast(len(cells) - k, tuple(cells), False)]


def world(constraints: Iterable[AtLeast], size: int) -> frozenset[int] | None:
    """Return the bullets of a possible world that is consistent with the constraints, if any."""
    solver = _solvers.Minicard()
    solver.add_atmost([cell + 1 for cell in range(size)], size)
    try:
        for k, cells, value in constraints:
            if k > len(cells):
                return None
            if k > 0:
                others = [-(cell + 1) if value else cell + 1 for cell in cells]
                solver.add_atmost(others, len(cells) - k)
        if not solver.solve():
            return None
        return frozenset(literal - 1 for literal in solver.get_model() if 0 < literal <= size)
    finally:
        solver.delete()


@dataclass
class Puzzle:
    """A rectangle with clues and a number of bullets; solving it adds to what is known."""

    width: int
    height: int
    clues: dict[int, int]
    bullets: int

    def __post_init__(self) -> None:
        self.size = self.width * self.height
        self.known: dict[int, bool] = dict.fromkeys(self.clues, False)

    def adjacent(self, cell: int) -> Cells:
        row, column = divmod(cell, self.width)
        return tuple(
            r * self.width + c
            for r in range(max(0, row - 1), min(self.height, row + 2))
            for c in range(max(0, column - 1), min(self.width, column + 2))
            if (r, c) != (row, column)
        )

    def unknown(self, cells: Iterable[int]) -> list[int]:
        return [cell for cell in cells if cell not in self.known]

    def facts(self, clues: Iterable[int]) -> list[AtLeast]:
        """Return what clues say, and what is known about the cells adjacent to them."""
        facts = []
        for clue in clues:
            near = self.adjacent(clue)
            facts += exactly(self.clues[clue], near)
            facts += [AtLeast(1, (cell,), self.known[cell]) for cell in near if cell in self.known]
        return facts

    def deduced(self, cell: int, facts: list[AtLeast]) -> bool | None:
        """Return whether the cell must have a bullet, or must not; None if both are possible."""
        may = [
            world([*facts, AtLeast(1, (cell,), value)], self.size) is not None
            for value in (False, True)
        ]
        assert any(may)
        return None if all(may) else may[1]

    def learn(self, type_: int, clues: Iterable[int], news: dict[int, bool]) -> Record:
        self.known |= news
        return Record(
            type_,
            tuple(clues),
            tuple(sorted(cell for cell, bullet in news.items() if not bullet)),
            tuple(sorted(cell for cell, bullet in news.items() if bullet)),
        )

    def type_0(self) -> Record | None:
        for clue in sorted(self.clues):
            unknown = self.unknown(self.adjacent(clue))
            left = self.clues[clue] - sum(self.known.get(cell, 0) for cell in self.adjacent(clue))
            if unknown and left in (0, len(unknown)):
                return self.learn(0, [clue], dict.fromkeys(unknown, left > 0))
        return None

    def type_1(self) -> Record | None:
        clues = [clue for clue in sorted(self.clues) if self.unknown(self.adjacent(clue))]
        cells = sorted({cell for clue in clues for cell in self.unknown(self.adjacent(clue))})
        facts = self.facts(clues)
        first = next((cell for cell in cells if self.deduced(cell, facts) is not None), None)
        if first is None:
            return None
        for clue in tuple(clues):
            fewer = [other for other in clues if other != clue]
            if self.deduced(first, self.facts(fewer)) is not None:
                clues = fewer
        facts = self.facts(clues)
        found = ((cell, self.deduced(cell, facts)) for cell in cells)
        return self.learn(1, clues, {cell: value for cell, value in found if value is not None})

    def type_2(self) -> Record:
        unknown = self.unknown(range(self.size))
        total = [
            *exactly(self.bullets, range(self.size)),
            *(AtLeast(1, (cell,), value) for cell, value in self.known.items()),
        ]

        def rest(clues: list[int]) -> dict[int, bool] | None:
            facts = [*self.facts(clues), *total]
            found = {cell: self.deduced(cell, facts) for cell in unknown}
            settled = {cell: value for cell, value in found.items() if value is not None}
            return settled if len(settled) == len(found) else None

        clues = [clue for clue in sorted(self.clues) if self.unknown(self.adjacent(clue))]
        for clue in tuple(clues):
            fewer = [other for other in clues if other != clue]
            if rest(fewer) is not None:
                clues = fewer
        news = rest(clues)
        assert news is not None
        return self.learn(2, clues, news)

    def solve(self) -> Iterator[Record]:
        while len(self.known) < self.size:
            yield self.type_0() or self.type_1() or self.type_2()

    def solutions(self, most: int = 2) -> list[frozenset[int]]:
        """Return up to `most` arrangements of all bullets that fit the clues."""
        facts = [
            *exactly(self.bullets, range(self.size)),
            *(AtLeast(1, (clue,), False) for clue in self.clues),
            *(
                fact
                for clue in self.clues
                for fact in exactly(self.clues[clue], self.adjacent(clue))
            ),
        ]
        found: list[frozenset[int]] = []
        while len(found) < most:
            other = world(facts, self.size)
            if other is None:
                break
            found.append(other)
            # Next time at least one of its bullets is elsewhere, since their number is the same.
            facts.append(AtLeast(1, tuple(sorted(other)), False))
        return found


def random_clues(width: int, height: int, bullets: int, random: Random) -> Puzzle:
    """Make a puzzle as the paper does: shuffle, then hide each clue that is not needed."""
    cells = list(range(width * height))
    random.shuffle(cells)
    solution = frozenset(cells[:bullets])
    empty = Puzzle(width, height, {}, bullets)
    clues = {
        cell: len(solution.intersection(empty.adjacent(cell))) for cell in sorted(cells[bullets:])
    }
    order = sorted(clues)
    random.shuffle(order)
    for cell in order:
        number = clues.pop(cell)
        if len(Puzzle(width, height, clues, bullets).solutions()) > 1:
            clues[cell] = number
    return Puzzle(width, height, dict(sorted(clues.items())), bullets)


def random_puzzle(seed: int) -> Puzzle:
    """Make a puzzle of 4x4 to 7x7 cells, of any density that puzzles have."""
    random = Random(seed)
    width, height = random.randint(4, 7), random.randint(4, 7)
    share = random.uniform(0.15, 0.45)
    return random_clues(width, height, round(share * width * height), random)


def compare(seed: int) -> tuple[list[Record], list[Record]]:
    """Return this module's record of a random puzzle, and Minewright's."""
    from minewright.bullets import Puzzle as OurPuzzle
    from minewright.bullets import solve
    from minewright.topology import get

    puzzle = random_puzzle(seed)
    topology = get("moore", (puzzle.width, puzzle.height))
    ours = OurPuzzle(topology, tuple(sorted(puzzle.clues.items())), puzzle.bullets)
    steps = solve(ours).steps
    return (
        list(puzzle.solve()),
        [Record(step.type, step.clues, step.empty, step.bullets) for step in steps],
    )


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for seed in range(count):
        reference, ours = compare(seed)
        if reference != ours:
            sys.exit(f"puzzle {seed} differs:\n{reference}\n{ours}")
    print(f"{count} random puzzles of 4x4 to 7x7: the same record for each")
