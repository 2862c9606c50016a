"""A fixed work: games on many boards and topologies, every position of them analysed.

The signature stands for all results: if it changes, behaviour changed. It is the same in every
run, on every machine and for any number of workers.
"""

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from json import dumps
from time import perf_counter
from typing import Final, Protocol

import numpy as np

from minewright.board import Board
from minewright.game import Game
from minewright.inference import Analysis, analyze

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

# Rounded so coarsely that the last bits, in which machines may differ, practically never show.
DIGITS: Final = 6


Task = tuple[str, str, int]
"""Board, topology, and which game of them."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one game gave: its positions, the seconds spent on analysing them, its results."""

    positions: int
    seconds: float
    digest: bytes


@dataclass(frozen=True, slots=True)
class Result:
    """Speed and signature of the whole work, and the speed on each kind of board."""

    positions: int
    seconds: float
    workers: int
    signature: str
    sets: tuple[tuple[str, int, float], ...]

    def json(self) -> str:
        """Write the result as one JSON object."""
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


class _Advance(Protocol):
    def __call__(self) -> None: ...


def run(workers: int = 1, *, progress: bool = False) -> Result:
    """Do the work with so many processes, and show how far it is if asked."""
    tasks = [(*SETS[at][:2], game) for at in range(len(SETS)) for game in range(SETS[at][2])]
    parts: list[Part] = []
    with _progress(len(tasks), progress) as advance:
        for part in map(play, tasks) if workers == 1 else _share(tasks, workers):
            parts.append(part)
            advance()
    rows = []
    start = 0
    for board, topology, games in SETS:
        own = parts[start : start + games]
        start += games
        positions = sum(part.positions for part in own)
        rows.append((f"{board} {topology}", positions, positions / sum(p.seconds for p in own)))
    return Result(
        positions=sum(part.positions for part in parts),
        seconds=sum(part.seconds for part in parts),
        workers=workers,
        signature=sha256(b"".join(part.digest for part in parts)).hexdigest()[:16],
        sets=tuple(rows),
    )


def _share(tasks: list[Task], workers: int) -> Iterator[Part]:
    """Do the tasks in several processes and give the parts in order."""
    # An interrupt is for this process: the others would each add a traceback of their own.
    pool = ProcessPoolExecutor(
        workers, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
    )
    try:
        yield from pool.map(play, tasks, chunksize=10)
    finally:
        pool.shutdown(cancel_futures=True)


def play(task: Task) -> Part:
    """Play one game to its end and analyse every position of it."""
    board, topology, stream = task
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
        # The least of the rounded chances, so that every machine makes the same move.
        for cell in analysis.safe or (min(covered, key=rounded.__getitem__),):
            game.open(cell)
    return Part(positions, seconds, digest.digest())


def _words(analysis: Analysis) -> bytes:
    return f"{analysis.safe} {analysis.mined} {analysis.solutions}".encode()


@contextmanager
def _progress(total: int, shown: bool) -> Iterator[_Advance]:
    """Give what to call after each game; it moves a bar on standard error if one is shown."""
    if not shown:
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Playing", total=total)
        yield lambda: bar.advance(task)
