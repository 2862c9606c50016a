"""Times minimal clue sets of Bullets grids, ours against SAT and CP-SAT, and whole puzzles.

A clue set is the paper's: all safe cells are clues; each is hidden in random order, and stays
hidden if the solution is still the only one. Every side gets every arrangement of bullets, taking
turns, in one run on one core. The time is processor time, including everything that a side sets up
for an arrangement. Afterwards another side checks every clue set: the solution is unique, and no
clue can be spared.

The peers are set up as well as we could. minicard has cardinality constraints of its own, one
solver for all clue sets of an arrangement, and clues that assumptions switch on. It keeps what it
has learnt, and its first guess is the solution. (Skipping clues outside the last core did not
help.) CP-SAT has one worker and gets its clues as assumptions too. Presolve and linear relaxation
are off, since they made it slower, as did a fresh model for each question.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from math import inf
from statistics import median
from time import perf_counter, process_time
from typing import Annotated, Protocol, cast

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from minewright import Budget, _kernel
from minewright.documents.bullets.puzzles import Point, make
from minewright.topology import Topology, get

BUDGET = Budget(2**62, inf)
# How often our side repeats its clue sets: single calls are too short for the clock.
ROUNDS = 20
# CP-SAT is only asked about one in this many arrangements.
CP_SAT_EVERY = 10
# Seconds per puzzle: on the largest grids, single arrangements can take minutes.
LIMIT = 60.0


class Side(Protocol):
    """Something that finds minimal clue sets."""

    def clue_sets(self, bullets: Sequence[int], count: int, seed: int) -> list[list[int]]: ...

    def unique(self, bullets: Sequence[int], clues: Sequence[int]) -> bool: ...


class Minewright:
    """Our kernel."""

    def __init__(self, topology: Topology) -> None:
        self.graph = topology.graph

    def clue_sets(self, bullets: Sequence[int], count: int, seed: int) -> list[list[int]]:
        return _kernel.bullets_clues(self.graph, bullets, seed, 0, count, BUDGET)

    def unique(self, bullets: Sequence[int], clues: Sequence[int]) -> bool:
        return _kernel.bullets_unique(self.graph, bullets, clues, BUDGET)


class Rivals(Protocol):
    """A solver set up for one arrangement: is there another with the same clues?"""

    def exists(self, clues: Sequence[int]) -> bool: ...


class Peer:
    """A solver that is asked after each hidden clue whether the solution has a rival."""

    def __init__(self, topology: Topology) -> None:
        self.near = [topology.neighbours(cell) for cell in range(topology.size)]

    def rivals(self, bullets: Sequence[int]) -> Rivals:
        raise NotImplementedError

    def clue_sets(self, bullets: Sequence[int], count: int, seed: int) -> list[list[int]]:
        rivals, shuffler = self.rivals(bullets), random.Random(seed)
        found = []
        for _ in range(count):
            order = [cell for cell in range(len(self.near)) if cell not in set(bullets)]
            shuffler.shuffle(order)
            clues = dict.fromkeys(order)
            for cell in order:
                del clues[cell]
                if rivals.exists(list(clues)):
                    clues[cell] = None
            found.append(list(clues))
        return found

    def unique(self, bullets: Sequence[int], clues: Sequence[int]) -> bool:
        return not self.rivals(bullets).exists(clues)


class _Sat(Protocol):
    def add_clause(self, clause: list[int]) -> None: ...
    def add_atmost(self, lits: list[int], k: int) -> None: ...
    def set_phases(self, literals: list[int]) -> None: ...
    def solve(self, assumptions: list[int]) -> bool: ...


class _PySat(Protocol):
    def Minicard(self) -> _Sat: ...  # noqa: N802 - python-sat's name


class Minicard(Peer):
    """python-sat's minicard."""

    def __init__(self, topology: Topology) -> None:
        super().__init__(topology)
        self.module = cast(_PySat, import_module("pysat.solvers"))

    def rivals(self, bullets: Sequence[int]) -> Rivals:
        return _MinicardRivals(self.module.Minicard(), self.near, set(bullets))


class _MinicardRivals:
    def __init__(self, solver: _Sat, near: list[tuple[int, ...]], bullets: set[int]) -> None:
        self.solver = solver
        size = len(near)
        cells = [cell + 1 for cell in range(size)]
        safe = [cell for cell in range(size) if cell not in bullets]
        self.switch = {cell: size + 1 + at for at, cell in enumerate(safe)}
        last = size + len(safe)
        for cell in safe:
            switch = self.switch[cell]
            solver.add_clause([-switch, -cells[cell]])
            around = [cells[neighbour] for neighbour in near[cell]]
            number = sum(neighbour in bullets for neighbour in near[cell])
            for literals, bound in (
                (around, number),
                ([-literal for literal in around], len(around) - number),
            ):
                slack = len(around) - bound
                if bound == 0:
                    for literal in literals:
                        solver.add_clause([-switch, -literal])
                elif slack:
                    # While the switch is on, the fillers use up the slack; otherwise the bound has
                    # no effect.
                    fillers = list(range(last + 1, last + 1 + slack))
                    last += slack
                    for filler in fillers:
                        solver.add_clause([-switch, filler])
                    solver.add_atmost(literals + fillers, len(around))
        solver.add_atmost(cells, len(bullets))
        solver.add_atmost([-cell for cell in cells], size - len(bullets))
        solver.add_clause([-cells[bullet] for bullet in bullets])
        solver.set_phases([cells[c] if c in bullets else -cells[c] for c in range(size)])

    def exists(self, clues: Sequence[int]) -> bool:
        return self.solver.solve([self.switch[clue] for clue in clues])


class _Variable(Protocol):
    def negated(self) -> _Variable: ...


class _Constraint(Protocol):
    def only_enforce_if(self, literal: _Variable) -> object: ...


class _Sum(Protocol):
    def __eq__(self, other: object) -> bool: ...


class _LinearExpr(Protocol):
    def sum(self, variables: list[_Variable]) -> _Sum: ...


class _Model(Protocol):
    def new_bool_var(self, name: str) -> _Variable: ...
    def add(self, constraint: object) -> _Constraint: ...
    def add_bool_or(self, literals: list[_Variable]) -> object: ...
    def add_implication(self, first: _Variable, second: _Variable) -> object: ...
    def add_assumptions(self, literals: list[_Variable]) -> object: ...
    def clear_assumptions(self) -> object: ...


class _Parameters(Protocol):
    num_workers: int
    cp_model_presolve: bool
    linearization_level: int


class _CpSolver(Protocol):
    parameters: _Parameters

    def solve(self, model: _Model) -> int: ...


class _CpModel(Protocol):
    INFEASIBLE: int
    LinearExpr: _LinearExpr

    def CpModel(self) -> _Model: ...  # noqa: N802 - the library's name
    def CpSolver(self) -> _CpSolver: ...  # noqa: N802 - the library's name


class CpSat(Peer):
    """CP-SAT of OR-Tools."""

    def __init__(self, topology: Topology) -> None:
        super().__init__(topology)
        self.module = cast(_CpModel, import_module("ortools.sat.python.cp_model"))

    def rivals(self, bullets: Sequence[int]) -> Rivals:
        return _CpSatRivals(self.module, self.near, set(bullets))


class _CpSatRivals:
    def __init__(self, cp: _CpModel, near: list[tuple[int, ...]], bullets: set[int]) -> None:
        self.infeasible = cp.INFEASIBLE
        self.solver = cp.CpSolver()
        self.solver.parameters.num_workers = 1
        self.solver.parameters.cp_model_presolve = False
        self.solver.parameters.linearization_level = 0
        self.model = cp.CpModel()
        cells = [self.model.new_bool_var("") for _ in near]
        self.switch: dict[int, _Variable] = {}
        for cell in range(len(near)):
            if cell in bullets:
                continue
            switch = self.switch[cell] = self.model.new_bool_var("")
            number = sum(neighbour in bullets for neighbour in near[cell])
            around = cp.LinearExpr.sum([cells[neighbour] for neighbour in near[cell]])
            self.model.add_implication(switch, cells[cell].negated())
            self.model.add(around == number).only_enforce_if(switch)
        self.model.add(cp.LinearExpr.sum(cells) == len(bullets))
        self.model.add_bool_or([cells[bullet].negated() for bullet in bullets])

    def exists(self, clues: Sequence[int]) -> bool:
        self.model.clear_assumptions()
        self.model.add_assumptions([self.switch[clue] for clue in clues])
        return self.solver.solve(self.model) != self.infeasible


@dataclass
class Measured:
    """What a side needed: seconds and clue sets of each arrangement."""

    name: str
    seconds: list[float] = field(default_factory=list)
    sets: int = 0
    wrong: int = 0

    @property
    def per_second(self) -> float:
        return self.sets / sum(self.seconds)


def wrong(judge: Side, bullets: Sequence[int], clues: Sequence[int]) -> bool:
    """Return True if a clue set is not unique, or a clue could be spared."""
    return not judge.unique(bullets, clues) or any(
        judge.unique(bullets, [other for other in clues if other != clue]) for clue in clues
    )


def clue_sets(topology: Topology, bullets: int, count: int, arrangements: int) -> list[Measured]:
    """Measure all sides on the same arrangements, with `count` clue sets of each."""
    shuffler = random.Random(1)
    ours, minicard, cp_sat = Minewright(topology), Minicard(topology), CpSat(topology)
    measured = [Measured("minewright"), Measured("minicard"), Measured("CP-SAT")]
    for at in track(
        range(arrangements),
        f"clue sets, {count} an arrangement",
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    ):
        cells = sorted(shuffler.sample(range(topology.size), bullets))
        # CP-SAT is too slow to judge; our side and minicard judge each other.
        for side, judge, own, rounds in (
            (ours, minicard, measured[0], ROUNDS),
            (minicard, ours, measured[1], 1),
            (cp_sat, ours, measured[2], 1 if at % CP_SAT_EVERY == 0 else 0),
        ):
            for turn in range(rounds):
                started = process_time()
                found = side.clue_sets(cells, count, at * ROUNDS + turn)
                own.seconds.append(process_time() - started)
                own.sets += len(found)
                if turn == 0:
                    own.wrong += sum(wrong(judge, cells, clues) for clues in found)
    return measured


def puzzles(side: int, bullets: int, count: int) -> Iterator[tuple[float, float, bool]]:
    """Make whole puzzles; yield seconds and energy of each, and whether the limit ended it."""
    point = Point(side, bullets, samples=3, iterations=500)
    for stream in range(count):
        started, began = process_time(), perf_counter()
        puzzle = make(point, seed=1, stream=stream, seconds=LIMIT)
        yield process_time() - started, puzzle.energy, perf_counter() - began >= LIMIT


def main(
    arrangements: Annotated[int, typer.Option(min=1, metavar="N")] = 200,
    large: Annotated[bool, typer.Option(help="make puzzles of 16x16 too (minutes)")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Time clue sets of 7x7 grids with 15 bullets on every side, and our whole puzzles."""
    console = Console()
    figures: dict[str, float] = {}
    for count in (1, 3):
        sides = clue_sets(get("moore", (7, 7)), 15, count, arrangements)
        table = Table("side", "clue sets", "a second", "ms each", "ours is faster by", "wrong")
        for column in table.columns[1:]:
            column.justify = "right"
        for own in sides:
            table.add_row(
                own.name,
                f"{own.sets:,}",
                f"{own.per_second:,.0f}",
                f"{1000 / own.per_second:.3f}",
                f"{sides[0].per_second / own.per_second:,.0f}" if own is not sides[0] else "",
                str(own.wrong),
            )
            figures[f"{own.name} sets/s, {count} an arrangement"] = own.per_second
            figures[f"{own.name} wrong, {count} an arrangement"] = own.wrong
        if not as_json:
            console.print(f"7x7, 15 bullets, clue sets of each arrangement: {count}")
            console.print(table)
    table = Table("grid", "bullets", "puzzles", "median s", "worst s", "median energy", "cut short")
    for side, bullets, count in ((7, 15, 50), (10, 30, 10), (16, 77, 4 if large else 0)):
        if not count:
            continue
        made = list(puzzles(side, bullets, count))
        times = [seconds for seconds, _, _ in made]
        energy = median(energy for _, energy, _ in made)
        figures[f"{side}x{side}x{bullets} median seconds"] = median(times)
        figures[f"{side}x{side}x{bullets} worst seconds"] = max(times)
        table.add_row(
            f"{side}x{side}",
            str(bullets),
            str(count),
            f"{median(times):.3f}",
            f"{max(times):.3f}",
            f"{energy:.1f}",
            str(sum(cut for _, _, cut in made)),
        )
    if as_json:
        print(json.dumps(figures))
        return
    console.print(f"Puzzles of 500 iterations with 3 samples, graded; at most {LIMIT:.0f} s each")
    console.print(table)


if __name__ == "__main__":
    typer.run(main)
