"""Compares two versions of Minewright on the same work, in turn, in one run.

Each kind of work runs in a process of its own: once with the old version, once with this one, and
so on. What counts is processor time, since the machine may have other work. Ratios are taken within
pairs, because the two runs of a pair meet the same machine.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

HERE = Path(__file__).resolve().parent
EXPERIMENT = HERE.parent / "docs" / "examples" / "compare.toml"
POSITIONS = HERE / "positions.json"

# Every stored position in turn, twenty times over.
INFERENCE = f"""
import json
from minewright.inference import Budget, BudgetExceeded, analyze
from minewright.position import Position

positions = [Position.parse(item["text"]) for item in json.load(open({str(POSITIONS)!r}))]
total = 0.0
for position in positions * 20:
    try:
        total += sum(map(float, analyze(position, budget=Budget(states=200_000)).probability))
    except BudgetExceeded:
        total += 1000
print(round(total, 6))
"""


class Work(NamedTuple):
    """One kind of work: its name, and the arguments of Python for it."""

    name: str
    arguments: list[str]


def command(name: str, words: str) -> Work:
    """Return the work of a command."""
    return Work(name, ["-m", "minewright", *words.split()])


def players(strategy: str, board: str, games: int) -> Work:
    """Return the work of playing this many games on one core."""
    return command(
        f"players: {strategy} on {board}",
        f"simulate --strategy {strategy} --board {board} --games {games} "
        "--start safe --seed 1 --workers 1 --json",
    )


WORKS = (
    Work("inference", ["-c", INFERENCE]),
    players("exact", "30x16x99", 20_000),
    players("pseq", "30x16x99", 8_000),
    players("csp", "16x16x40", 300),
    command("lab", f"lab run {EXPERIMENT} --out new --workers 1"),
    command("bullets", "bullets make --size 8 --bullets 20 --iterations 300 --count 16 --seed 1"),
    command("bench", "bench --json"),
)


def seconds(python: str, work: Work) -> float:
    """Return the processor time of the work, including that of the processes it starts."""
    with tempfile.TemporaryDirectory() as directory:
        before = os.times()
        subprocess.run(
            [python, *work.arguments],
            check=True,
            cwd=directory,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def main(
    old: Annotated[str, typer.Argument(help="the Python that has the older version")],
    runs: Annotated[int, typer.Option(min=1, help="pairs of runs of each kind of work")] = 5,
) -> None:
    """Do the same work with an older version and with this one, and compare their times."""
    table = Table("work", "old, s", "new, s", "new / old", "lowest", "highest")
    for column in table.columns[1:]:
        column.justify = "right"
    console = Console()
    for work in track(WORKS, "Working", console=Console(stderr=True)):
        pairs = [(seconds(old, work), seconds(sys.executable, work)) for _ in range(runs)]
        ratios = [new / before for before, new in pairs]
        table.add_row(
            work.name,
            *(f"{median(side):.2f}" for side in zip(*pairs, strict=True)),
            *(f"{value:.2f}" for value in (median(ratios), min(ratios), max(ratios))),
        )
    console.print(table)


if __name__ == "__main__":
    typer.run(main)
