"""A fixed amount of work: games on many boards and topologies, with every position analysed.

The signature stands for all results: if it changes, behaviour has changed. It is the same in every
run, on every machine and for any number of workers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from json import dumps
from time import perf_counter
from typing import Final

import numpy as np

from minewright.board import Board
from minewright.game import Game
from minewright.inference import Analysis, analyze
from minewright.work.crew import Crew
from minewright.work.executors import processes
from minewright.work.progress import Progress, Quiet
from minewright.work.tasks import Task

SEED: Final = 2026
SETS: Final = (
    ("9x9x10", "moore", 600),
    ("16x16x40", "moore", 300),
    ("30x16x99", "moore", 300),
    ("60x60x700", "moore", 30),
    ("16x16x32", "neumann", 300),
    ("16x16x40", "hex", 300),
    ("16x16x40", "torus", 300),
    ("16x16x30", "knight", 300),
    ("6x6x6x20", "box", 300),
)
"""Board, topology and number of games."""

DIGITS: Final = 6
"""Chances are rounded so coarsely that the last bits, in which machines may differ, do not show."""
GAMES_PER_TASK: Final = 10

AnalysedGame = tuple[str, str, int]
"""Board, topology, and the number of the game."""


@dataclass(frozen=True, slots=True)
class GameFigures:
    """What one game gave: its positions, the seconds of analysis, and a digest of the results."""

    positions: int
    seconds: float
    digest: bytes


@dataclass(frozen=True, slots=True)
class BenchReport:
    """Speed and signature of all the work, and the speed on each kind of board."""

    positions: int
    seconds: float
    workers: int
    signature: str
    sets: tuple[tuple[str, int, float], ...]

    def json(self) -> str:
        """Return the report as one JSON object."""
        fields = {
            "positions": self.positions,
            "seconds": round(self.seconds, 3),
            "positions_per_second": round(self.positions / self.seconds),
            "workers": self.workers,
            "signature": self.signature,
            "sets": [
                {"board": name, "positions": positions, "positions_per_second": round(speed)}
                for name, positions, speed in self.sets
            ],
        }
        return f"{dumps(fields)}\n"

    def __str__(self) -> str:
        rows = [f"{'board':<20}{'positions':>10}{'per second':>12}"]
        rows += (
            f"{name:<20}{positions:>10,}{speed:>12,.0f}" for name, positions, speed in self.sets
        )
        rows += (
            "",
            f"positions   {self.positions:,}",
            f"workers     {self.workers}",
            f"seconds     {self.seconds:.2f} of analysis, all workers together",
            f"speed       {self.positions / self.seconds:,.0f} positions per second and worker",
            f"signature   {self.signature}",
        )
        return "\n".join(rows) + "\n"


def run(workers: int = 1, progress: Progress | None = None) -> BenchReport:
    """Do the work in `workers` processes, and tell `progress` how many games are done."""
    progress = progress or Quiet()
    games = [(board, topology, game) for board, topology, count in SETS for game in range(count)]
    parts = [games[at : at + GAMES_PER_TASK] for at in range(0, len(games), GAMES_PER_TASK)]
    tasks = (Task(at, len(part), play_some, (part,)) for at, part in enumerate(parts))
    figures: list[GameFigures] = []
    with Crew(partial(processes, workers, copied=True)) as crew:
        progress.begin(len(games), 0)
        for _, some in crew.perform(tasks, progress, in_order=True):
            figures += some
    rows = []
    start = 0
    for board, topology, count in SETS:
        own = figures[start : start + count]
        start += count
        positions = sum(one.positions for one in own)
        rows.append((f"{board} {topology}", positions, positions / sum(o.seconds for o in own)))
    return BenchReport(
        positions=sum(one.positions for one in figures),
        seconds=sum(one.seconds for one in figures),
        workers=workers,
        signature=sha256(b"".join(one.digest for one in figures)).hexdigest()[:16],
        sets=tuple(rows),
    )


def play_some(games: Sequence[AnalysedGame]) -> list[GameFigures]:
    """Play some games."""
    return [play(game) for game in games]


def play(which: AnalysedGame) -> GameFigures:
    """Play one game to its end, and analyse every position of it."""
    board, topology, stream = which
    game = Game(Board.parse(board), "open", SEED, topology, stream=stream)
    digest = sha256()
    positions, seconds = 0, 0.0
    game.open(game.topology.size // 2)
    while not game.over:
        started = perf_counter()
        analysis = analyze(game.position)
        chances = analysis.probability
        seconds += perf_counter() - started
        positions += 1
        rounded = np.rint(np.nan_to_num(chances, nan=-1.0) * 10**DIGITS).astype("<i8")
        digest.update(_words(analysis) + rounded.tobytes())
        covered = game.position.covered
        # The smallest of the rounded chances, so that every machine makes the same move.
        for cell in analysis.safe or (min(covered, key=rounded.__getitem__),):
            game.open(cell)
    return GameFigures(positions, seconds, digest.digest())


def _words(analysis: Analysis) -> bytes:
    return f"{analysis.safe} {analysis.mined} {analysis.solutions}".encode()
