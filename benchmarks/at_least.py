"""Times both engines of the at-least reasoner on the same positions, and compares their answers."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Annotated

import typer
from make_positions import Item
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from minewright import Budget, _kernel
from minewright._kernel import TooHard
from minewright.deduction.at_least import constraints_of
from minewright.position import Position

STORED = Path(__file__).with_name("positions.json")
# The default budget of the fast engine; each engine counts its own states.
STATES = 20_000_000
# Calls shorter than SHORT seconds are repeated, and the fastest counts.
SHORT, ROUNDS = 0.05, 5

Answer = bytes | str | None


def timed(engine: Callable[[Budget], bytes | None], limit: float) -> tuple[float, Answer]:
    """Return the seconds of one call and its answer; 'too hard' past the limit."""
    best = float("inf")
    answer: Answer = None
    for _ in range(ROUNDS):
        start = process_time()
        try:
            answer = engine(Budget(STATES, limit))
        except TooHard:
            answer = "too hard"
        best = min(best, process_time() - start)
        if best > SHORT:
            break
    return best, answer


def main(
    total: Annotated[bool, typer.Option(help="use the mine total too")] = False,
    limit: Annotated[float, typer.Option(min=0.01, help="seconds a call")] = 2.0,
    every: Annotated[int, typer.Option(min=1, help="take every n-th position only")] = 1,
) -> None:
    """Compare the engines, board by board; exit code 1 if an answer differs."""
    items: list[Item] = json.loads(STORED.read_text(encoding="utf-8"))
    fast: dict[str, list[float]] = defaultdict(list)
    dancing: dict[str, list[float]] = defaultdict(list)
    hard: dict[str, int] = defaultdict(int)
    ratios: dict[str, list[float]] = defaultdict(list)
    different = 0
    with Progress(console=Console(stderr=True)) as progress:
        for item in progress.track(items[::every], description="positions"):
            group = item["id"].split("#")[0]
            position = Position.parse(item["text"])
            rows = [(c.count, c.cells, c.value) for c in constraints_of(position, total=total)]
            kernel = _kernel.AtLeasts(position.topology.size, rows)
            seconds, answer = timed(kernel.count, limit)
            slower, other = timed(kernel.dance, limit)
            fast[group].append(seconds)
            dancing[group].append(slower)
            if "too hard" in (answer, other):
                hard[group] += 1
            else:
                ratios[group].append(slower / seconds)
                different += answer != other
    table = Table(title=f"At-least constraints, {'with' if total else 'without'} the mine total")
    table.add_column("board")
    for heading in ("positions", "fast, ms", "dancing, ms", "ratio", "worst ratio", "too hard"):
        table.add_column(heading, justify="right")
    for group, seconds_each in fast.items():
        both = ratios[group]
        table.add_row(
            group,
            str(len(seconds_each)),
            f"{1e3 * median(seconds_each):.3f}",
            f"{1e3 * median(dancing[group]):.3f}",
            f"{median(both):.1f}" if both else "-",
            f"{max(both):.1f}" if both else "-",
            str(hard[group]),
        )
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(table)
    console.print(
        "Medians of processor time a call. Ratio: dancing to fast, where both gave an answer. "
        f"Too hard: one of them gave up after {limit:g} s. Different answers: {different}."
    )
    if different:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
