"""Times all steps of the positions of random expert games, and counts their kinds and orders.

Games are played by exact inference: safe cells are opened, or the safest cell if none is safe. Each
position before an opening is explained from its bare numbers, with nothing known from before, so
late positions have many steps. The time is processor time, for the steps alone, without their
words.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import fmean, median
from time import process_time
from typing import Annotated, get_args

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from minewright.board import Board, BoardError
from minewright.deduction import explain
from minewright.deduction.search import Search
from minewright.game import Game
from minewright.inference import analyze
from minewright.position import Position


def positions(board: Board, seed: int, game: int) -> Iterator[Position]:
    """Play one game; yield its position before each round of openings."""
    playing = Game(board, "open", seed, stream=game)
    playing.open(playing.topology.size // 2)
    while not playing.over:
        position = playing.position
        yield position
        analysis = analyze(position)
        safest = () if analysis.best is None else (analysis.best,)
        for cell in analysis.safe or safest:
            playing.open(cell)


@dataclass
class Measured:
    """Milliseconds per position, and what the steps were."""

    times: list[float] = field(default_factory=list)
    kinds: Counter[int] = field(default_factory=Counter)
    orders: Counter[int] = field(default_factory=Counter)
    worst: tuple[float, str] = (0.0, "")

    def add(self, position: Position, search: Search) -> None:
        started = process_time()
        steps = [(step.kind, step.order) for step in explain(position, search)]
        self.times.append(1000 * (process_time() - started))
        if self.times[-1] > self.worst[0]:
            self.worst = self.times[-1], str(position)
        self.kinds.update(kind for kind, _ in steps)
        self.orders.update(order for _, order in steps)

    @property
    def steps(self) -> int:
        return self.kinds.total()

    def figures(self) -> dict[str, float]:
        return {
            "positions": len(self.times),
            "steps": self.steps,
            "mean_ms": fmean(self.times),
            "median_ms": median(self.times),
            "p99_ms": sorted(self.times)[int(0.99 * (len(self.times) - 1))],
            "worst_ms": self.worst[0],
            "steps_per_second": 1000 * self.steps / sum(self.times),
        }


def show(measured: Measured, console: Console) -> None:
    """Print the figures, and the spread of kinds and orders."""
    for name, value in measured.figures().items():
        written = f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"
        console.print(f"{name.replace('_', ' '):<18}{written:>12}", highlight=False)
    for name, counts in (("type", measured.kinds), ("order", measured.orders)):
        table = Table(name, "steps", "share")
        for column in table.columns:
            column.justify = "right"
        for value, count in sorted(counts.items()):
            table.add_row(str(value), f"{count:,}", f"{count / measured.steps:.3%}")
        console.print(table)


def main(
    games: Annotated[int, typer.Option(min=1, metavar="N")] = 100,
    seed: Annotated[int, typer.Option(min=0, metavar="S")] = 1,
    board: Annotated[str, typer.Option(help="WIDTHxHEIGHTxMINES, or a name")] = "expert",
    search: Annotated[str, typer.Option(help=" or ".join(get_args(Search)))] = "simplest",
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Explain every position of random games played by exact inference (start rule: open)."""
    chosen = next((known for known in get_args(Search) if known == search), None)
    if chosen is None:
        raise typer.BadParameter(f"expected {' or '.join(get_args(Search))}", param_hint="--search")
    try:
        sides = Board.parse(board)
    except BoardError as error:
        raise typer.BadParameter(str(error), param_hint="--board") from None
    measured = Measured()
    with Progress(
        TextColumn("games"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as progress:
        for game in progress.track(range(games)):
            for position in positions(sides, seed, game):
                measured.add(position, chosen)
    if not as_json:
        show(measured, Console())
        return
    spread = {"kinds": measured.kinds, "orders": measured.orders}
    data = {"board": str(sides), "search": chosen, "games": games, "seed": seed}
    ordered = {name: dict(sorted(counts.items())) for name, counts in spread.items()}
    print(json.dumps({**data, **measured.figures(), **ordered, "worst": measured.worst[1]}))


if __name__ == "__main__":
    typer.run(main)
