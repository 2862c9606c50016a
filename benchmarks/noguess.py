"""Makes boards without guesses, by our maker and by others in turn, and prints the ratio.

The others are `sgt-mines` of Simon Tatham's puzzles (Debian: sgt-puzzles) and two functions of
ms_toollib. The time is processor time. Afterwards, untimed, exact inference opens each of our
boards.
"""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from time import process_time
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

import minewright as mw
from minewright import noguess
from minewright.clicks import bbbv
from minewright.lab.statistics import Mean
from minewright.noguess.maker import middle

BOARDS = "9x9x10,16x16x40,30x16x99,30x16x130,24x30x200,30x30x240,30x16x170"
LOOKED_AT = "16x16x40,30x16x99,30x16x130,30x16x170"
LIMIT = 30.0
"""Seconds for all boards of one kind and side."""
UNIFORM = 0.21
"""On boards with a larger share of mines, hardly any drawn minefield qualifies."""
TATHAM = shutil.which("sgt-mines") or "/usr/games/sgt-mines"

Maker = Callable[[mw.Board, int], float | None]
"""Makes boards; returns the seconds for each, or None if it does not finish."""


def ours(way: noguess.Way, board: mw.Board, count: int) -> float | None:
    begun = process_time()
    made = []
    for seed in range(count):
        try:
            budget = mw.Budget(seconds=LIMIT)
            made.append(noguess.make(board, seed=seed, way=way, budget=budget))
        except noguess.NoGuessError:
            return None
    spent = process_time() - begun
    for one in made:
        check(one)
    return spent / count


def check(made: noguess.NoGuessBoard) -> None:
    """Stop everything if a board needs a guess after all."""
    game = made.game()
    game.open(made.first)
    while not game.over:
        safe = mw.analyze(game.position).safe
        if not safe:
            raise SystemExit(f"a guess is needed: {made.proof.json()}")
        for cell in safe:
            game.open(cell)


def tatham(board: mw.Board, count: int) -> float | None:
    if not os.path.exists(TATHAM):
        return None
    width, height = board.shape
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        wish = f"{width}x{height}n{board.mines}"
        command = [TATHAM, "--generate", str(count), wish]
        subprocess.run(command, check=True, capture_output=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None
    return (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before) / count


def toollib(function: str, board: mw.Board, count: int) -> float | None:
    if not find_spec("ms_toollib"):
        return None
    # In a process of its own, which can be stopped.
    row, column = divmod(middle(mw.Position.covered_board(board).topology), board.shape[0])
    sides = f"{board.shape[1]}, {board.shape[0]}, {board.mines}, {row}, {column}"
    script = (
        "import ms_toollib, time; begun = time.process_time()\n"
        f"for _ in range({count}): ms_toollib.{function}({sides})\n"
        "print(time.process_time() - begun)"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", script], check=True, capture_output=True, timeout=LIMIT
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return None
    return float(done.stdout) / count


MAKERS: dict[str, Maker] = {
    "repaired": partial(ours, "repaired"),
    "uniform": partial(ours, "uniform"),
    "sgt-mines": tatham,
    "ms_toollib adjust": partial(toollib, "laymine_solvable_adjust"),
    "ms_toollib": partial(toollib, "laymine_solvable"),
}
DRAWN = ("uniform", "ms_toollib")
RATIOS = (("repaired", ("sgt-mines", "ms_toollib adjust")), ("uniform", ("ms_toollib",)))


app = typer.Typer(help="Boards without guesses: speed beside others, and what they look like.")


@app.command()
def speed(
    boards: Annotated[str, typer.Option(help="separated by commas")] = BOARDS,
    count: Annotated[int, typer.Option(min=1, help="boards of each kind and side")] = 50,
) -> None:
    """Make boards and print milliseconds of processor time for each, and how much faster we are."""
    table = Table(title=f"Boards without guesses, ms each, {count} of each")
    for heading in ("board", *MAKERS, *(f"{name}: ratio" for name, _ in RATIOS)):
        table.add_column(heading, justify="right")
    for name in boards.split(","):
        board = mw.Board.parse(name)
        crowded = board.mines / board.size > UNIFORM
        seconds = {
            side: None if crowded and side in DRAWN else make(board, count)
            for side, make in MAKERS.items()
        }
        cells = [f"{1e3 * each:.2f}" if each is not None else "-" for each in seconds.values()]
        for side, others in RATIOS:
            rivals = [each for other in others if (each := seconds[other]) is not None]
            own = seconds[side]
            cells.append(f"{min(rivals) / own:.1f}" if rivals and own else "-")
        table.add_row(name, *cells)
    Console().print(table)


def looks(topology: mw.Topology, mined: frozenset[int]) -> tuple[float, float, float, float]:
    """Return a minefield's share of mines at the edge, mines around a mine, openings and 3BV."""
    width, height = topology.shape
    edge = sum(c % width in (0, width - 1) or c // width in (0, height - 1) for c in mined)
    beside = sum(len(mined.intersection(topology.neighbours(cell))) for cell in mined)
    game = mw.Game.from_minefield(topology, mined)
    game.give_up()
    truth = game.show().cells
    empty = {cell for cell, code in enumerate(truth) if code == 0}
    openings = 0
    while empty:
        openings += 1
        patch = [empty.pop()]
        while patch:
            new = empty.intersection(topology.neighbours(patch.pop()))
            empty -= new
            patch += new
    return edge / len(mined), beside / len(mined), openings, bbbv(topology, truth)


@app.command()
def distortion(
    boards: Annotated[str, typer.Option(help="separated by commas")] = LOOKED_AT,
    count: Annotated[int, typer.Option(min=2, help="boards of each kind and way")] = 300,
) -> None:
    """Compare repaired boards with uniform ones, and with boards that may need a guess."""
    table = Table(title=f"Means of {count} boards, with their 95% intervals")
    for heading in ("board", "way", "mines at the edge", "mines around a mine", "openings", "3BV"):
        table.add_column(heading, justify="right")
    for name in boards.split(","):
        board = mw.Board.parse(name)
        topology = mw.Position.covered_board(board).topology
        crowded = board.mines / board.size > UNIFORM
        for way in ("ordinary", "repaired", *(() if crowded else ("uniform",))):
            fields = []
            for seed in range(count):
                if way == "ordinary":
                    game = mw.Game(board, "open", seed)
                    game.open(middle(topology))
                    if not game.over:
                        game.give_up()
                    fields.append(game.minefield)
                else:
                    chosen: noguess.Way = "uniform" if way == "uniform" else "repaired"
                    fields.append(noguess.make(board, seed=seed, way=chosen).minefield)
            columns = zip(*(looks(topology, field) for field in fields), strict=True)
            means = [Mean.of(column, 0.95) for column in columns]
            table.add_row(name, way, *(f"{one.value:.3f} ± {one.half:.3f}" for one in means))
    Console().print(table)


if __name__ == "__main__":
    app()
