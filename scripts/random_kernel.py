"""Calls every function of the kernel with random arguments, both sensible and hostile.

Round i of a seed always asks the same questions, so --first I --rounds 1 reproduces a crash. With
--threads, all threads ask the same questions about the same objects at once and must get the same
answers. scripts/sanitize.py runs this under the sanitizers; it also runs on the usual kernel.
"""

import argparse
import math
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from minewright import _kernel as kernel
from minewright import topology as topologies

REFUSALS = (ValueError, IndexError, TypeError, OverflowError, kernel.TooHard)
"""How the kernel may refuse a question. Anything else is a finding."""

TOPOLOGIES = ("moore", "neumann", "hex", "torus", "knight", "box")
PLAYERS = ("exact", "exact-corner", "pseq", "champion:fast", "champion:usual")
LEVELS = ("fast", "usual", "deep", "any other word")
STARTS = ("any", "safe", "open")
LOOK_AHEAD = ("check", "forward", "gac", "ac3")
ORDERS = ("given", "constrained")
EXTREMES = (-(2**63), -(2**31), -2, -1, 0, 1, 2, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1)

# Answers depend on the states alone, never on the clock, so that they can be reproduced.
NO_CLOCK = 1e9
Answer = object
Question = tuple[str, Callable[[], Answer]]


class Limits(NamedTuple):
    """A budget that may be out of bounds."""

    states: int
    seconds: float = NO_CLOCK


@dataclass
class Tally:
    """How often each question was asked, and how often it was refused."""

    asked: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str, int] = (0.0, "", 0)

    def add(self, other: "Tally") -> None:
        """Add another tally to this one."""
        self.asked += other.asked
        self.refused += other.refused
        self.slowest = max(self.slowest, other.slowest)

    def __str__(self) -> str:
        rows = [f"{'function':<22}{'asked':>12}{'refused':>12}"]
        rows += (
            f"{name:<22}{count:>12,}{self.refused[name]:>12,}"
            for name, count in sorted(self.asked.items())
        )
        seconds, name, number = self.slowest
        rows.append(f"{self.asked.total():,} questions; the slowest took {seconds:.1f} s")
        rows.append(f"  ({name}, round {number})")
        return "\n".join(rows)


# Scenes: graphs, positions, systems.


def lattice(rng: random.Random) -> kernel.Graph:
    """Return a small board of some topology."""
    name = rng.choice(TOPOLOGIES)
    most = 3 if name == "box" else 9
    shape = [rng.randint(1, most) for _ in range(3 if name == "box" else 2)]
    if rng.random() < 0.1:
        shape[-1] = rng.randint(10, 60)
    return topologies.get(name, tuple(shape)).graph


def net(rng: random.Random) -> kernel.Graph:
    """Return a random symmetric graph: sparse, dense, a star, all isolated, or empty."""
    size = rng.choice((0, 1, 2, 5, 12, 40, 100, 260))
    lists: list[set[int]] = [set() for _ in range(size)]
    kind = rng.choice(("sparse", "dense", "star", "isolated"))
    if kind == "star" and size:
        pairs: Iterable[tuple[int, int]] = ((0, other) for other in range(1, min(size, 252)))
    elif kind == "isolated" or size < 2:
        pairs = ()
    else:
        share = 2 * size if kind == "sparse" else 4 * size
        pairs = ((rng.randrange(size), rng.randrange(size)) for _ in range(share))
    for one, other in pairs:
        if one != other:
            lists[one].add(other)
            lists[other].add(one)
    return kernel.Graph([sorted(near) for near in lists])


def played(graph: kernel.Graph, rng: random.Random) -> tuple[bytes, int]:
    """Return a position in the middle of a game, and its mines."""
    minefield = kernel.Minefield(graph)
    start = rng.choice(STARTS)
    mines = int(minefield.room(start) * rng.choice((0.0, 0.1, 0.2, 0.3, 0.6, 1.0)))
    minefield.reset(mines, start, kernel.Random(rng.getrandbits(64)))
    truth_known = start == "any"
    for cell in rng.sample(range(graph.size), graph.size):
        if minefield.covered_safe == 0 or rng.random() < 0.1:
            break
        if not truth_known and not minefield.allows(cell):
            continue
        if truth_known and minefield.truth[cell] == kernel.MINED:
            if rng.random() < 0.3:
                minefield.mark(cell)
            continue
        minefield.open(cell)
        truth_known = True
    return minefield.visible, mines


def codes(graph: kernel.Graph, rng: random.Random) -> tuple[bytes, int]:
    """Return a position and a total that may be consistent or not."""
    kind = rng.random()
    if kind < 0.6:
        cells, mines = played(graph, rng)
        if kind < 0.2:  # a clue too many, and mostly inconsistent
            changed = bytearray(cells)
            for _ in range(rng.randint(1, 3)):
                if changed:
                    cell = rng.randrange(len(changed))
                    changed[cell] = rng.choice((0, 1, 2, 3, 8, 251, 252, 253, 254, 255))
            cells = bytes(changed)
    else:
        shown = rng.choice((0.05, 0.3, 0.7))
        cells = bytes(
            rng.choice((0, 1, 1, 2, 3, 4)) if rng.random() < shown else rng.choice((252, 253, *CO))
            for _ in range(graph.size)
        )
        mines = rng.randint(0, graph.size)
    if rng.random() < 0.3:
        mines = rng.choice((-1, *EXTREMES))
    return cells, mines


CO = (254, *([255] * 12))


def at_leasts(rng: random.Random) -> tuple[int, list[tuple[int, list[int], bool]]]:
    """Return variables and at-least constraints over them."""
    variables = rng.choice((0, 1, 4, 10, 30))
    constraints = []
    for _ in range(rng.randint(0, 12)):
        cells = rng.sample(range(variables), rng.randint(0, min(variables, 8)))
        count = rng.randint(-1, len(cells)) if rng.random() < 0.97 else rng.choice(EXTREMES)
        constraints.append((count, cells, rng.random() < 0.5))
    return variables, constraints


def sums(rng: random.Random) -> tuple[list[int], list[tuple[list[int], int]]]:
    """Return caps and sums over them."""
    size = rng.choice((0, 1, 3, 8, 14))
    widest = rng.choice((1, 1, 1, 3, 8, 70))
    caps = [rng.randint(0, widest) if rng.random() < 0.3 else 1 for _ in range(size)]
    if caps and rng.random() < 0.05:
        caps[0] = rng.choice((1_000_000, 65_536, 2**31 - 1, -1))
    given = []
    for _ in range(rng.randint(0, 8)):
        variables = rng.sample(range(size), rng.randint(0, min(size, 6)))
        total = rng.randint(0, max(1, sum(caps[v] for v in variables if caps[v] > 0)))
        given.append((variables, total if rng.random() < 0.97 else rng.choice(EXTREMES)))
    return caps, given


# Questions about one scene.


def told(inference: kernel.Inference) -> Answer:
    """Return every part of an inference."""
    return (
        inference.consistent,
        inference.in_range,
        inference.approximate,
        inference.best,
        tuple(inference.safe),
        tuple(inference.mined),
        inference.probability.tobytes(),
        inference.standard_error.tobytes(),
        tuple(inference.chances),
    )


def exactly(found: kernel.Exact) -> Answer:
    """Return every part of an exact count."""
    parts = [
        (part.boxes, part.low, part.primes, part.ways, part.mined) if found.consistent else ()
        for part in found.parts
    ]
    return found.consistent, found.mines_left, found.safe, found.mined, found.rest, parts


def about_positions(rng: random.Random, graph: kernel.Graph) -> Iterable[Question]:
    """Yield questions about inference and deduction."""
    cells, mines = codes(graph, rng)
    trust = rng.random() < 0.3
    states = rng.choice((0, 1, 100, 10_000, 200_000, 2**63, 2**64 - 1))
    few = min(states, 200_000)
    yield "infer", lambda: told(kernel.infer(graph, cells, mines, trust, Limits(few)))
    yield "consistent", lambda: kernel.consistent(graph, cells, mines, trust, Limits(few))
    marginals = rng.random() < 0.5
    yield (
        "exact",
        lambda: exactly(kernel.exact(graph, cells, mines, trust, marginals, Limits(few))),
    )
    limit = rng.choice((0, 1, 2, 100, 2**64 - 1))
    listed = min(few, 20_000)
    yield (
        "enumerate",
        lambda: kernel.enumerate(graph, cells, mines, trust, limit, Limits(listed)),
    )
    if graph.size:
        cell = rng.randrange(graph.size)
        yield (
            "numbers",
            lambda: repr(kernel.numbers(graph, cells, mines, trust, cell, Limits(few))),
        )
    search = rng.choice(("paper", "simplest", "any other word"))
    yield "deduce", lambda: kernel.deduce(graph, cells, mines, search, Limits(few))
    more = [codes(graph, rng) for _ in range(rng.randint(0, 3))]

    def many() -> Answer:
        found, error = kernel.infer_many(
            graph, [one for one, _ in more], [total for _, total in more], trust, Limits(few)
        )
        return [told(inference) for inference in found], error is None

    yield "infer_many", many


def judged(verdict: kernel.ChampionVerdict | None) -> Answer:
    """Return every part of a verdict."""
    if verdict is None:
        return None
    told = verdict.cell, verdict.risk, verdict.estimate, verdict.lower, verdict.upper
    options = [
        (option.cell, option.risk, option.score, option.next, option.progress, option.expected)
        for option in verdict.options
    ]
    return repr((told, verdict.solved, verdict.layouts, options))


def about_advice(rng: random.Random, graph: kernel.Graph) -> Iterable[Question]:
    """Yield questions about best moves, dilemmas, draws and perfect play."""
    cells, mines = codes(graph, rng)
    few = Limits(rng.choice((0, 1, 100, 10_000, 200_000)))
    level = rng.choice(LEVELS)
    also = rng.choice((-1, -1, rng.randrange(graph.size + 1), *EXTREMES))
    yield "champion", lambda: judged(kernel.champion(graph, cells, mines, level, also, few))
    yield "dilemma_factors", lambda: kernel.dilemma_factors(graph, cells, mines, few)
    trust, seed, stream = rng.random() < 0.3, rng.getrandbits(64), rng.getrandbits(64)
    yield "draw", lambda: kernel.draw(graph, cells, mines, trust, seed, stream, few)
    # What cells show need not come from any board.
    width = rng.randint(0, 8)
    shown = [[rng.randint(-1, 3) for _ in range(width)] for _ in range(rng.randint(0, 9))]
    if shown and rng.random() < 0.1:
        shown[-1].append(rng.choice((-2, 250, 251, 2**31 - 1)))
    work = rng.choice((0, 1, 50, 2**64 - 1))
    yield "solve_layouts", lambda: kernel.solve_layouts(shown, work)
    total = rng.choice((0, 1, 2, rng.randint(0, 2 + graph.size), 2**64 - 1))
    turned = [list(range(graph.size))[::-1]] if rng.random() < 0.5 else []
    if turned and turned[0] and rng.random() < 0.1:
        turned[0][0] = rng.choice((0, graph.size, 2**32 - 1))
    first = [rng.randrange(graph.size + 1)]

    def board() -> Answer:
        found = kernel.solve_board(graph, total, turned, first, few)
        return [(one.cell, one.safe, one.won, one.open, one.open_won) for one in found]

    yield "solve_board", board


def about_makers(rng: random.Random, graph: kernel.Graph) -> Iterable[Question]:
    """Yield minefields without guesses, and openings by steps."""
    first, start = rng.randrange(graph.size + 1), rng.choice(STARTS)
    mines = rng.choice((rng.randint(0, graph.size + 1), graph.size // 8))
    reasoning, total, repair = rng.choice(("single", "all")), rng.random() < 0.5, rng.random() < 0.7
    wish = kernel.NoGuessWish(mines, first, start, reasoning, total, repair, rng.getrandbits(64))
    stream, limits = rng.getrandbits(64), Limits(rng.choice((0, 10, 2000)))

    def make() -> Answer:
        made = kernel.noguess_make(graph, wish, stream, limits)
        return made.mined, made.drawn, made.moved

    yield "noguess_make", make
    mined = rng.sample(range(graph.size), min(mines, graph.size))
    if rng.random() < 0.1:
        mined.append(rng.choice((0, graph.size, 2**32 - 1)))
    yield "noguess_stuck", lambda: kernel.noguess_stuck(graph, wish, mined, limits)
    minefield = kernel.Minefield(graph)
    minefield.reset_to(sorted({cell for cell in mined if cell < graph.size}))
    truth = minefield.truth if rng.random() < 0.9 else bytes(rng.choices(range(256), k=graph.size))
    covered = bytes([kernel.COVERED]) * (graph.size + (rng.random() < 0.05))
    opened = [rng.randrange(graph.size + 1) for _ in range(rng.randint(0, 2))]
    told = rng.choice((-1, len(mined), *EXTREMES))
    yield (
        "open_by_steps",
        lambda: kernel.open_by_steps(graph, truth, covered, opened, told, limits),
    )
    bullets = mined[: graph.size // 4]
    clues = [cell for cell in range(graph.size) if cell not in bullets]
    yield "bullets_effort", lambda: kernel.bullets_effort(graph, bullets, clues, limits)


def about_lanes(rng: random.Random, graph: kernel.Graph) -> Iterable[Question]:
    """Yield games that are played side by side, in a batch of each caller's own."""
    lanes = rng.choice((0, 1, 3, 8))
    mines = rng.choice((0, graph.size // 6, graph.size, rng.randint(0, graph.size + 1)))
    start = rng.choice(STARTS)
    seeds = [rng.getrandbits(64) for _ in range(lanes + (rng.random() < 0.05))]
    moves = [
        np.array([rng.randint(-2, graph.size) for _ in range(lanes + (rng.random() < 0.02))], int)
        for _ in range(rng.randint(1, 30))
    ]

    def play() -> Answer:
        batch = kernel.Batch(graph, lanes, mines, start, 1.0, -1.0, 0.5, -0.1)
        batch.seed(seeds)
        batch.begin_all()
        seen = []
        for move in moves:
            batch.step(move)
            arrays = batch.visible, batch.mask, batch.reward, batch.over, batch.won, batch.streams
            seen.append([array.tobytes() for array in arrays])
        batch.begin_over()
        visible = batch.visible
        del batch  # the array keeps what it shows alive
        return seen, visible.tobytes()

    yield "Batch", play


def about_sampling(rng: random.Random, graph: kernel.Graph) -> Iterable[Question]:
    """Yield a question that is too hard to be answered exactly, so that it is sampled."""
    cells, mines = codes(graph, rng)
    seed = rng.getrandbits(64)
    states = rng.choice((1, 100, 10_000, 1_000_000))
    seconds = rng.choice((0.05, 0.2, -1.0, 0.0))

    def sample() -> Answer:
        # The clock may stop it at any moment; it only has to stop cleanly.
        with suppress(kernel.TooHard):
            told(kernel.approximate(graph, cells, mines, False, seed, Limits(states, seconds)))
        return None

    yield "approximate", sample


def about_games(rng: random.Random, graph: kernel.Graph) -> Iterable[Question]:
    """Yield whole games."""
    start, player = rng.choice(STARTS), rng.choice(PLAYERS)
    mines = rng.randint(0, max(1, graph.size // 3))
    first_cell = rng.randrange(graph.size + 1)
    seed, first = rng.getrandbits(64), rng.choice((0, 5, 2**63, 2**64 - 1))
    states = rng.choice((0, 10, 20_000))
    record = rng.random() < 0.5

    def games() -> Answer:
        match = kernel.Match(mines, start, player, first_cell, seed, Limits(states), record)
        found = kernel.play_games(graph, match, first, 2)
        return (
            found.won.tolist(),
            found.cleared.tolist(),
            found.found.tolist(),
            found.guesses.tolist(),
            found.exploded.tolist(),
            found.gave_up.tolist(),
            found.moves,
        )

    yield "play_games", games


def about_bullets(rng: random.Random, graph: kernel.Graph) -> Iterable[Question]:
    """Yield questions about puzzles."""
    size = graph.size
    wild = rng.random() < 0.1
    bullets = [rng.randrange(max(1, size)) for _ in range(rng.randint(0, max(1, size // 4)))]
    clues = [cell for cell in range(size) if cell not in bullets and rng.random() < 0.5]
    if wild:
        clues += [rng.choice((size, 2**31, 2**32 - 1))]
    seed, stream = rng.getrandbits(64), rng.getrandbits(64)
    states = rng.choice((0, 100, 20_000))
    yield "bullets_unique", lambda: kernel.bullets_unique(graph, bullets, clues, Limits(states))
    yield "bullets_grade", lambda: kernel.bullets_grade(graph, bullets, clues, Limits(states))
    yield (
        "bullets_clues",
        lambda: kernel.bullets_clues(graph, bullets, seed, stream, 2, Limits(states)),
    )
    orbits: list[list[int]] = []
    if rng.random() < 0.5:
        loose = rng.sample(range(size), size)
        while loose:
            orbits.append([loose.pop() for _ in range(min(len(loose), rng.randint(1, 4)))])
        if wild:
            orbits.append([rng.choice((size, size + 64, 2**20, 2**32 - 1))])
    weights = [rng.choice((0.0, 1.0, -3.5, math.nan, math.inf, 1e300)) for _ in range(6)]
    energy: kernel.Polynomial | Callable[[int, int, int], float]
    if rng.random() < 0.3:
        energy = lambda one, several, total: one - several + total  # noqa: E731
    else:
        energy = kernel.Polynomial(weights[:3], weights[3:])
    hot, cold = (rng.choice((0.0, 1.0, 0.01, -1.0, math.nan, math.inf)) for _ in range(2))
    count = rng.randint(0, size)
    fewest, most = rng.choice((0, 3)), rng.choice((5, 2**64 - 1))
    wish = kernel.BulletsWish(count, 3, 2, 2, hot, cold, orbits, fewest, most)
    yield (
        "bullets_make",
        lambda: repr(kernel.bullets_make(graph, wish, energy, seed, stream, Limits(states))),
    )


def about_systems(rng: random.Random) -> Iterable[Question]:
    """Yield questions about at-least constraints and sums."""
    states = rng.choice((0, 10, 20_000))
    try:
        reasons = kernel.AtLeasts(*at_leasts(rng))
        yield "AtLeasts.count", lambda: reasons.count(Limits(states))
        yield "AtLeasts.dance", lambda: reasons.dance(Limits(states))
    except REFUSALS:
        pass
    caps, given = sums(rng)
    try:
        system = kernel.Sums(caps, given)
    except REFUSALS:
        return
    by, order = rng.choice(LOOK_AHEAD), rng.choice(ORDERS)
    ones, zeros = (
        [rng.randrange(len(caps) + 1) for _ in range(rng.randint(0, 3))] for _ in range(2)
    )
    few = min(states, 2000)
    below, limit = rng.choice(EXTREMES), rng.choice((0, 1, 50, 2**64 - 1))
    yield "Sums.assume", lambda: system.assume(ones, zeros)
    yield "Sums.propagate", lambda: system.propagate(by)
    yield (
        "Sums.fewest",
        lambda: (
            (found := system.fewest(below, Limits(few))).complete,
            found.fewest,
        ),
    )

    def tally() -> Answer:
        found = system.tally(by, order, Limits(few))
        numbers = (found.complete, found.count, found.nodes, found.low)
        return numbers, found.ways, found.mined, found.least, found.most

    def support() -> Answer:
        found = system.support(by, order, Limits(few))
        numbers = (found.complete, found.consistent, found.nodes, found.solutions)
        return numbers, found.low, found.high

    yield "Sums.tally", tally
    yield "Sums.support", support
    yield "Sums.listed", lambda: system.listed(by, order, limit, Limits(few))


def wild(name: str, function: Callable[..., object], *arguments: object) -> Question:
    """Return a question with arguments that may be of any type."""

    def call() -> Answer:
        found = function(*arguments)
        return found if isinstance(found, bool | int | bytes | tuple) else None

    return name, call


def nonsense(rng: random.Random, graph: kernel.Graph) -> Iterable[Question]:
    """Yield questions that no caller should ask; each must be refused or answered."""
    size = graph.size
    values = (*EXTREMES, 2**64 - 1, 2**64, math.nan, "1", None)
    a, b, c, d, e, f = (rng.choice(values) for _ in range(6))
    start = rng.choice((*STARTS, "", "x" * 1000))
    cells = rng.choice((b"", bytes(size + 1), bytes([255]) * (size * 2 + 1), bytes(size)))

    graphs: tuple[object, ...] = ([[0]], [[1], []], [[1, 1], [0, 0]], [[a]], [[]] * 3, a)
    for lists in graphs:
        yield wild("Graph", kernel.Graph, lists)
    sides = [rng.choice((-1, 0, 1, 2, 3, 2**28, 2**40, 2**62, 2**63 - 1)) for _ in range(3)]
    steps = [[[rng.choice((0, 1, -1, *EXTREMES)) for _ in range(3)] for _ in range(2)]]
    if not 1000 < math.prod(sides) <= 2**28:  # it would be made, and take a while
        yield wild("Graph.lattice", kernel.Graph.lattice, sides, steps, rng.random() < 0.5)
    yield wild("Graph.neighbours", graph.neighbours, a)

    yield wild("infer", kernel.infer, graph, cells, b, False, c, d)
    yield wild("infer_many", kernel.infer_many, graph, [cells], [], False, 1, 1.0)
    covered = bytes([255]) * size
    yield wild("numbers", kernel.numbers, graph, covered, 1, False, a, 10, 1.0)

    minefield = kernel.Minefield(graph)
    yield wild("Minefield.reset", minefield.reset, e, start, kernel.Random(1))
    mined = [rng.randrange(size + 1) for _ in range(rng.randint(0, size + 2))]
    yield wild("Minefield.reset_to", minefield.reset_to, mined, start)
    moves: dict[str, Callable[..., object]] = {
        "open": minefield.open,
        "chord": minefield.chord,
        "mark": minefield.mark,
        "allows": minefield.allows,
        "code": minefield.code,
    }
    for name, move in moves.items():
        yield wild(f"Minefield.{name}", move, f)
    yield wild("Minefield.lay", minefield.lay)
    for name, move in moves.items():
        yield wild(f"Minefield.{name}", move, rng.randrange(size + 1))
    yield "Minefield.truth", lambda: (minefield.truth, minefield.visible, minefield.won)

    yield wild("Random", kernel.Random, a, b)
    yield wild("Random.below", kernel.Random(1).below, c)
    player = rng.choice(("exact", "nobody"))
    yield wild("Match", kernel.Match, a, start, player, b, 1, 100, d)
    match = kernel.Match(1, "safe", "exact", 0, 1, Limits(100, 1.0))
    yield wild("play_games", kernel.play_games, graph, match, c, 1)
    for constraint in ((1, [a], True), (1, [0, 0], True), (b, [0], None)):
        yield wild("AtLeasts", kernel.AtLeasts, 3, [constraint])
    yield wild("Sums", kernel.Sums, [a], [([b], c)])
    yield wild("Sums", kernel.Sums, [1, 1], [([0, 0], 1)])
    yield wild("Sums.propagate", kernel.Sums([1], [([0], 1)]).propagate, start)

    yield wild("champion", kernel.champion, graph, cells, a, "fast", b, Limits(100))
    yield wild("draw", kernel.draw, graph, cells, a, False, b, c, Limits(100))
    yield wild("solve_board", kernel.solve_board, graph, a, [[b]], [c], Limits(100))
    yield wild("solve_layouts", kernel.solve_layouts, [[0, a], [b]], c)
    yield wild("NoGuessWish", kernel.NoGuessWish, a, b, start, start, True, True, c)
    yield wild("move_mines", minefield.move_mines, mined)
    # Any number of lanes between these would be accepted, and would take a lot of memory.
    lanes = rng.choice((-1, 2**62, 2**64 - 1, math.nan, None))
    yield wild("Batch", kernel.Batch, graph, lanes, d, start, 1.0, e, f, 0.0)
    batch = kernel.Batch(kernel.Graph([[1], [0]]), 2, 1, "any", 1.0, -1.0, 0.0, 0.0)
    yield wild("Batch.seed", batch.seed, [a])
    odd = rng.choice((np.zeros(2), np.zeros((2, 1), int), np.zeros(4, int)[::2], np.zeros(0, int)))
    yield wild("Batch.step", batch.step, rng.choice((odd, a, [0, 1])))


def questions(seed: int, number: int, shared: bool) -> list[Question]:
    """Return the questions of one round; the answers to `shared` ones never change."""
    rng = random.Random(f"{seed}/{number}")
    graph = lattice(rng) if rng.random() < 0.7 else net(rng)
    found = [
        *about_positions(rng, graph),
        *about_games(rng, graph),
        *about_advice(rng, graph),
        *about_makers(rng, graph),
        *about_lanes(rng, graph),
        *about_bullets(rng, graph),
        *about_systems(rng),
    ]
    if number % 5 == 0:
        found += about_sampling(rng, graph)
    return found if shared else [*found, *nonsense(rng, graph)]


def ask(asked: list[Question], number: int) -> tuple[list[Answer], Tally]:
    """Ask the questions and return the answers; a refusal is an answer too."""
    tally = Tally()
    answers: list[Answer] = []
    for name, question in asked:
        tally.asked[name] += 1
        started = time.perf_counter()
        try:
            answers.append(question())
        except REFUSALS as error:
            tally.refused[name] += 1
            # The seconds in the message of an exceeded budget differ from run to run.
            answers.append((type(error).__name__, str(error.args[0])))
        tally.slowest = max(tally.slowest, (time.perf_counter() - started, name, number))
    return answers, tally


def together(seed: int, number: int, threads: ThreadPoolExecutor, count: int) -> Tally:
    """Let all threads ask the same questions at once. Raise if their answers differ."""
    asked = questions(seed, number, shared=True)
    own, tally = ask(asked, number)
    for answers, more in threads.map(lambda _: ask(asked, number), range(count)):
        tally.add(more)
        for (name, _), mine, other in zip(asked, own, answers, strict=True):
            if mine != other:
                raise AssertionError(f"round {number}: {name} gave {mine} and then {other}")
    return tally


def main() -> None:
    """Ask until the time is up, or the rounds are done."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--rounds", type=int, default=sys.maxsize)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the first round")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--at", type=Path, help="a file that always holds the present round")
    wish = parser.parse_args()
    at = os.open(wish.at, os.O_CREAT | os.O_WRONLY | os.O_TRUNC) if wish.at else None
    end = time.monotonic() + 60 * wish.minutes
    tally = Tally()
    rounds = 0
    with ThreadPoolExecutor(max(1, wish.threads)) as threads:
        while rounds < wish.rounds and time.monotonic() < end:
            number = wish.first + rounds
            if at is not None:
                os.pwrite(at, f"{number:20}".encode(), 0)
            if wish.threads:
                tally.add(together(wish.seed, number, threads, wish.threads))
            else:
                tally.add(ask(questions(wish.seed, number, shared=False), number)[1])
            rounds += 1
    print(f"{rounds:,} rounds of seed {wish.seed}, {wish.threads or 'no'} threads: nothing found")
    print(tally)


if __name__ == "__main__":
    main()
