"""Checks the kernel against all referees on any number of random positions.

The work is cut into chunks, each made from the seed and its number. The log has one line per
finished chunk, so that an interrupted run can continue and any single chunk can be repeated.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from math import comb
from pathlib import Path
from random import Random
from time import monotonic
from typing import Annotated

import typer
from peers import NotInstalledError
from referees import (
    NoAnswerError,
    Peer,
    Question,
    Referee,
    by_brute_force,
    by_integers,
    by_its_minefield,
    by_sat,
)
from rich.console import Console
from rich.table import Table

from minewright.inference import Analysis, Budget, BudgetExceeded, analyze_many
from minewright.position import COVERED, MARKED, MAX_NUMBER, MINED, SAFE, Position
from minewright.topology import Net, Topology, TopologyError, get, topologies

CHUNK = 1_000
# Positions in a row share a topology, and are analyzed in one call.
BATCH = 40
# Bounded by states, never by time, so that a chunk has the same answers on every machine.
BUDGET = Budget(states=200_000, seconds=3_600)
# Brute force tries at most this many minefields, which takes some milliseconds.
FIELDS = 1 << 14
DENSITIES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.2, 0.25, 0.3, 0.4, 0.6, 1.0)
SHOWN = 20


@dataclass(frozen=True)
class Size:
    """The size of some positions, their share of all, and how often ms_toollib judges them."""

    name: str
    share: float
    side: int
    peer: float


SIZES = (
    Size("tiny", 0.60, 5, peer=1.0),
    Size("small", 0.33, 10, peer=1.0),
    Size("medium", 0.06, 20, peer=0.3),
    Size("large", 0.01, 40, peer=0.1),
)
# How often the other slow referees are asked, and the most covered cells of a question to SAT.
BRUTE_FORCE, SAT = 0.3, 0.2
SAT_CELLS = 40


@dataclass
class Tally:
    """What was counted, and the positions that are worth a look."""

    counts: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add what another chunk counted."""
        self.counts.update(other.counts)
        self.findings += other.findings


# --- The positions --------------------------------------------------------------------------------


def random_topology(random: Random, side: int) -> Topology:
    """Draw a topology whose cells would fit into a square of this side."""
    while True:
        name = random.choice((*topologies(), "moore", "net"))
        if name == "net":
            return _random_net(random, side)
        sides = random.choice(topologies()[name].sides)
        # The same number of cells for any number of sides.
        longest = max(2, round(side ** (2 / sides)))
        shape = tuple(max(random.randint(1, longest) for _ in range(2)) for _ in range(sides))
        try:
            topology = get(name, shape)
            topology.graph  # noqa: B018  (some shapes are refused when the graph is made)
        except TopologyError:
            continue
        return topology


def _random_net(random: Random, side: int) -> Net:
    """Draw a graph. In a large one, only close cells touch: otherwise no position is easy."""
    size = random.randint(1, side * side)
    reach = size if size <= 25 else random.randint(2, 12)
    lists: list[set[int]] = [set() for _ in range(size)]
    for _ in range(int(size * random.uniform(0.5, 4.0))):
        one = random.randrange(size)
        other = one + random.randint(1, max(1, reach))
        if other < size:
            lists[one].add(other)
            lists[other].add(one)
    return Net([sorted(near) for near in lists])


def random_question(
    random: Random, topology: Topology, trust_marks: bool, use_total: bool
) -> Question:
    """Draw a minefield, open some of it as players do or anywhere, and perhaps spoil it."""
    size, neighbours = topology.size, topology.graph.neighbours
    density = random.choice(DENSITIES)
    mined = [random.random() < density for _ in range(size)]
    codes = [COVERED] * size
    opening = [cell for cell in random.sample(range(size), size) if not mined[cell]]
    flood = random.random() < 0.5
    wanted = random.randint(0, min(size, 12)) if flood else int(size * random.random() ** 1.5)
    waiting = opening[:wanted]
    while waiting:
        cell = waiting.pop()
        if codes[cell] == COVERED:
            codes[cell] = sum(mined[other] for other in neighbours(cell))
            if flood and not codes[cell]:
                waiting += neighbours(cell)
    if random.random() < 0.3:
        for cell in random.sample(range(size), random.randint(1, 1 + size // 10)):
            codes[cell] = MINED if mined[cell] else SAFE
    if random.random() < 0.3:
        # A mark is an opinion: every fourth is wrong.
        covered = [cell for cell in range(size) if codes[cell] == COVERED]
        for cell in covered:
            if random.random() < (0.3 if mined[cell] else 0.1):
                codes[cell] = MARKED
    total = sum(mined)
    spoilt = random.random() < 0.15
    if spoilt:
        total = _spoil(random, topology, codes, total)
    misled = trust_marks and any(
        code == MARKED and not mined[cell] for cell, code in enumerate(codes)
    )
    position = Position(topology, bytes(codes), None if random.random() < 0.2 else total)
    truth = None if spoilt or misled else frozenset(c for c in range(size) if mined[c])
    return Question(position, trust_marks, use_total, truth)


def _spoil(random: Random, topology: Topology, codes: list[int], total: int) -> int:
    """Change some numbers, or the total; return the new total."""
    numbered = [cell for cell, code in enumerate(codes) if code <= MAX_NUMBER]
    for cell in random.sample(numbered, min(len(numbered), random.randint(0, 2))):
        degree = len(topology.graph.neighbours(cell))
        codes[cell] = random.randint(max(0, codes[cell] - 1), min(degree, codes[cell] + 1))
    if random.random() < 0.5:
        total += random.choice((-3, -1, 1, 3))
    room = sum(code in (COVERED, MARKED, MINED) for code in codes)
    return min(room, max(codes.count(MINED), total))


# --- A chunk --------------------------------------------------------------------------------------


def run_chunk(seed: int, number: int, positions: int, peer: Peer | None) -> Tally:
    """Draw the positions of a chunk, analyze them in batches, and ask the referees."""
    random, tally = Random(f"{seed} {number}"), Tally()
    left = positions
    while left:
        (size,) = random.choices(SIZES, [size.share for size in SIZES])
        topology = random_topology(random, size.side)
        trust_marks, use_total = random.random() < 0.2, random.random() < 0.85
        batch = [
            random_question(random, topology, trust_marks, use_total)
            for _ in range(min(BATCH, left))
        ]
        left -= len(batch)
        answers = _answers([question.position for question in batch], trust_marks, use_total)
        for question, found in zip(batch, answers, strict=True):
            _count(tally, size, question, found)
            if found is not None:
                _judge(tally, size, question, found, random, peer)
    tally.counts["positions"] = positions
    return tally


def _answers(
    positions: Sequence[Position], trust_marks: bool, use_total: bool
) -> list[Analysis | None]:
    """Return all analyses, with None for those that exceed the budget."""
    found: list[Analysis | None] = []
    while len(found) < len(positions):
        rest = positions[len(found) :]
        try:
            found += analyze_many(rest, trust_marks=trust_marks, use_total=use_total, budget=BUDGET)
        except BudgetExceeded as error:
            found += [*error.done, None]
    return found


def _count(tally: Tally, size: Size, question: Question, found: Analysis | None) -> None:
    """Count what kind of position this is."""
    position = question.position
    kinds = {
        "beyond the budget": found is None,
        "inconsistent": found is not None and not found.consistent,
        "total unknown": position.mines is None,
        "total left aside": position.mines is not None and not question.use_total,
        "with marks": MARKED in position.cells,
        "marks trusted": MARKED in position.cells and question.trust_marks,
        "with known cells": MINED in position.cells or SAFE in position.cells,
        f"size {size.name}": True,
        f"on {position.topology.name}": True,
    }
    tally.counts.update(kind for kind, holds in kinds.items() if holds)


def _judge(
    tally: Tally,
    size: Size,
    question: Question,
    found: Analysis,
    random: Random,
    peer: Peer | None,
) -> None:
    """Ask the quick referees about every answer, and the slower ones about a share."""
    brute, sat, asked = (random.random() for _ in range(3))
    ask = partial(_ask, tally, question, found)
    if question.made_from is not None:
        ask("its own minefield", by_its_minefield)
    ask("exact integers", by_integers)
    if brute < BRUTE_FORCE and _fields(question) <= FIELDS:
        ask("brute force", by_brute_force)
    if sat < SAT and len(question.position.covered) <= SAT_CELLS:
        ask("python-sat", by_sat)
    if peer and found.consistent and asked < size.peer and peer.can_judge(question):
        try:
            wrong = list(peer(question, found))
        except NoAnswerError as error:
            tally.counts["without an answer of ms_toollib"] += 1
            tally.findings.append(f"ms_toollib gave no answer ({error}): {question}")
            return
        tally.counts["judged by ms_toollib"] += 1
        if wrong:
            # The SAT solver and brute force decide which of the two is right.
            tally.counts["differs from ms_toollib"] += 1
            tally.findings.append("\n".join(["ms_toollib differs", *wrong, str(question)]))
            ask("python-sat", by_sat)
            if _fields(question) <= FIELDS:
                tally.counts["and brute force confirms ours"] += not list(
                    by_brute_force(question, found)
                )


def _ask(tally: Tally, question: Question, found: Analysis, name: str, referee: Referee) -> None:
    try:
        wrong = list(referee(question, found))
    except BudgetExceeded:
        tally.counts[f"beyond the budget of {name}"] += 1
        return
    tally.counts[f"judged by {name}"] += 1
    if wrong:
        tally.counts["different"] += 1
        tally.findings.append("\n".join([f"{name} differs", *wrong[:5], str(question)]))


def _fields(question: Question) -> int:
    """Bound the number of minefields that brute force would try."""
    cells = question.position.cells
    hidden = sum(code in (COVERED, MARKED, MINED) for code in cells)
    free = sum(code in (COVERED, MARKED) and code not in question.known for code in cells)
    if hidden > 32:
        return sys.maxsize
    if question.total is None:
        return 1 << free
    left = question.total - (hidden - free)
    return comb(free, left) if left >= 0 else 1


# --- The log --------------------------------------------------------------------------------------


class Log:
    """One line of JSON about the run, then one for each finished chunk."""

    def __init__(self, path: Path | None, about: dict[str, int | str]) -> None:
        self.path = path
        self.done: dict[int, Tally] = {}
        if path is None:
            return
        if path.exists():
            self._read(path, about)
        else:
            self._write({"about": about})

    def _read(self, path: Path, about: dict[str, int | str]) -> None:
        whole = path.read_bytes()
        # A line that was cut off when the run was interrupted is written again.
        kept = whole[: whole.rfind(b"\n") + 1]
        if kept != whole:
            path.write_bytes(kept)
        first, *chunks = map(json.loads, kept.decode().splitlines())
        if first != {"about": about}:
            raise typer.BadParameter(f"{path} is the log of another run: {first}")
        for line in chunks:
            self.done[line["chunk"]] = Tally(Counter(line["counts"]), line["findings"])

    def keep(self, number: int, tally: Tally, seconds: float) -> None:
        """Append a chunk to the log."""
        self.done[number] = tally
        line = {"chunk": number, "seconds": round(seconds, 2)}
        self._write({**line, "counts": dict(tally.counts), "findings": tally.findings})

    def _write(self, line: dict[str, object]) -> None:
        if self.path is not None:
            with self.path.open("a") as file:
                print(json.dumps(line), file=file)

    @property
    def total(self) -> Tally:
        """What all chunks counted."""
        total = Tally()
        for number in sorted(self.done):
            total.add(self.done[number])
        return total


def main(
    positions: Annotated[int, typer.Option(min=1)] = 10_000,
    out: Annotated[Path | None, typer.Option(help="the log, from which a run goes on")] = None,
    seed: int = 1,
    chunk: Annotated[int | None, typer.Option(help="only this chunk, once more")] = None,
) -> None:
    """Compare on random positions; exit code 1 if the kernel is wrong anywhere."""
    console = Console(highlight=False)
    try:
        peer: Peer | None = Peer()
    except NotInstalledError as error:
        peer = None
        console.print(f"{error}; install the extra `bench` to ask it too")
    version = peer.version if peer else "none"
    about: dict[str, int | str] = {"seed": seed, "chunk": CHUNK, "ms_toollib": version}
    log = Log(None if chunk is not None else out, about)
    numbers = range(-(-positions // CHUNK)) if chunk is None else [chunk]
    begun, fresh = monotonic(), 0
    for number in numbers:
        if number in log.done:
            continue
        start = monotonic()
        size = CHUNK if chunk is not None else min(CHUNK, positions - number * CHUNK)
        tally = run_chunk(seed, number, size, peer)
        log.keep(number, tally, monotonic() - start)
        fresh += tally.counts["positions"]
        counts = log.total.counts
        print(
            f"{counts['positions']:,} of {positions:,} positions,"
            f" {fresh / (monotonic() - begun):.0f} per second, {counts['different']} different",
            flush=True,
        )
    if peer:
        peer.stop()
    total = log.total
    console.print(_table(total))
    for finding in islice(total.findings, SHOWN):
        console.print(finding, markup=False)
    if total.counts["different"]:
        raise typer.Exit(1)


def _table(total: Tally) -> Table:
    table = Table("kind", "positions", title="The kernel against its referees")
    table.columns[1].justify = "right"
    for kind, count in _in_order(total.counts):
        table.add_row(kind, f"{count:,}")
    return table


def _in_order(counts: Counter[str]) -> Iterator[tuple[str, int]]:
    shown = Counter({"positions": 0, "different": 0})
    shown.update(counts)
    yield from sorted(shown.items(), key=lambda pair: (pair[0].split()[0], -pair[1]))


if __name__ == "__main__":
    typer.run(main)
