"""How much time the lab adds to the players' own, and how much memory a million games take."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from minewright import Board, Budget, Game, _kernel
from minewright.lab.experiment import Arm, Experiment
from minewright.lab.games import STATES
from minewright.lab.run import Run
from minewright.strategies import own_numbers, play
from minewright.work.executors import Here

app = typer.Typer(add_completion=False)
console = Console(width=100)
waiting = Console(stderr=True)

ADDED, GIGABYTES = 0.05, 2.0
"""The limits: the share that the lab adds, and the memory of a million games."""
SEED = 1
# About a second of games at a time, so that writing a shard is part of it.
ARMS = ((Arm("single-point", "9x9x10"), 2000), (Arm("exact", "9x9x10"), 100_000))


@app.command()
def throughput(
    rounds: Annotated[int, typer.Option(min=1, help="of each side, in turn")] = 9,
) -> None:
    """Play the same games in the lab and in a plain loop, in one process; exit code 1 if slow."""
    table = Table("player", box=None)
    for heading in ("games", "plain loop, us", "lab, us", "added", "median of rounds"):
        table.add_column(heading, justify="right")
    slow = False
    for arm, games in ARMS:
        times: list[tuple[float, float]] = []
        for _ in track(range(rounds), arm.player, console=waiting, transient=True):
            times.append((plain(arm, games), in_lab(arm, games)))
        # The machine may have other work: the best round of each side is the least disturbed.
        best, best_lab = (min(side) for side in zip(*times, strict=True))
        table.add_row(
            f"{arm.player}{', native' if arm.recipe.native else ''}",
            f"{games:,}",
            f"{1e6 * best / games:.2f}",
            f"{1e6 * best_lab / games:.2f}",
            f"{best_lab / best - 1:+.1%}",
            f"{median(lab / own - 1 for own, lab in times):+.1%}",
        )
        slow |= best_lab / best - 1 >= ADDED
    console.print(table)
    console.print(
        f"9x9x10, start safe, one process, processor time per game, best of {rounds} rounds; the "
        "lab plays, makes rows and writes them to disk"
    )
    raise typer.Exit(1 if slow else 0)


def plain(arm: Arm, games: int) -> float:
    """Play and keep nothing."""
    board = Board.parse(arm.board)
    if arm.recipe.native:
        topology = Game(board).topology
        match = _kernel.Match(
            board.mines, arm.start, arm.recipe.native, 0, SEED, Budget(STATES, 60.0)
        )
        return timed(lambda: _kernel.play_games(topology.graph, match, 0, games))

    recipe = arm.recipe

    def loop() -> None:
        for stream in range(games):
            game = Game(board, arm.start, SEED, arm.topology, stream=stream)
            play(game, recipe.player(own_numbers(SEED, stream)))

    return timed(loop)


def in_lab(arm: Arm, games: int) -> float:
    """Play in the lab, rows and all."""
    with TemporaryDirectory() as place:
        run = Run.create(Path(place) / "run", Experiment("added", (arm,), games, SEED))
        return timed(lambda: run.play(Here))


def timed(work: Callable[[], object]) -> float:
    began = process_time()
    work()
    return process_time() - began


@app.command()
def memory(
    games: Annotated[int, typer.Option(min=1)] = 1_000_000,
    workers: Annotated[int, typer.Option(min=1)] = 2,
) -> None:
    """Run a million games of `exact` by the command, and add up the peaks of all its processes."""
    with TemporaryDirectory() as place:
        definition = Path(place) / "million.toml"
        definition.write_text(
            f'strategies = ["exact"]\nboards = ["9x9x10"]\ngames = {games}\n', encoding="utf-8"
        )
        out = Path(place) / "run"
        command = [sys.executable, "-m", "minewright", "lab", "run", str(definition)]
        began = perf_counter()
        process = subprocess.Popen(
            [*command, "--out", str(out), "--workers", str(workers)], stdout=subprocess.DEVNULL
        )
        peaks: dict[int, int] = {}
        while process.poll() is None:
            for one in family(process.pid):
                peaks[one] = max(peaks.get(one, 0), peak(one))
            sleep(0.02)
        seconds = perf_counter() - began
        if process.returncode:
            raise typer.Exit(process.returncode)
        rows = Run.open(out).rows().height
        disk = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    total = sum(peaks.values()) / 1e9
    console.print(
        f"{rows:,} games of exact on 9x9x10 in {seconds:.1f} s, {workers} workers: {total:.2f} GB "
        f"in {len(peaks)} processes at their peaks, {disk / 1e6:.1f} MB on disk"
    )
    raise typer.Exit(1 if total >= GIGABYTES or rows != games else 0)


def family(process: int) -> list[int]:
    """Return a process and its children, as Linux's /proc lists them."""
    try:
        text = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [process, *map(int, text.split())]


def peak(process: int) -> int:
    """Return the most memory that a process has had at once, in bytes."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


if __name__ == "__main__":
    app()
