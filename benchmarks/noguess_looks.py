"""Draws what repaired boards look like beside uniform ones, and what boards cost by density.

`map` counts the mines of every cell over many boards. `curve` makes boards of rising density and
takes processor time and memory. Both keep their figures in --out and draw them again from there.
"""

import json
import resource
from pathlib import Path
from statistics import NormalDist
from time import process_time
from typing import Annotated

import typer

import minewright as mw
from minewright import noguess
from minewright.documents.charts import drawing
from minewright.lab.statistics import Mean
from minewright.noguess.maker import middle
from minewright.topology import get

UNIFORM = 0.21
"""On boards with a larger share of mines, hardly any drawn minefield qualifies."""
LIMIT = 30.0
"""Seconds for one board of the curve."""

app = typer.Typer(help="What boards without guesses look like, and what they cost.")


def made(board: mw.Board, way: str, seed: int) -> frozenset[int]:
    """Return a minefield that begins with an opening in the middle; `ordinary` ones may need
    a guess."""
    if way != "ordinary":
        chosen: noguess.Way = "uniform" if way == "uniform" else "repaired"
        return noguess.make(board, seed=seed, way=chosen).minefield
    game = mw.Game(board, "open", seed)
    game.open(middle(game.topology))
    if not game.over:
        game.give_up()
    return game.minefield


def longest_wall(board: mw.Board, mined: frozenset[int]) -> int:
    """Return the length of the longest straight row or column of mines."""
    width, height = board.shape
    best = 0
    for step, lines in (
        (1, [range(row * width, (row + 1) * width) for row in range(height)]),
        (width, [range(column, width * height, width) for column in range(width)]),
    ):
        assert step
        for line in lines:
            run = 0
            for cell in line:
                run = run + 1 if cell in mined else 0
                best = max(best, run)
    return best


@app.command("map")
def frequency_map(
    out: Annotated[Path, typer.Option(help="figures are kept here, and the picture beside them")],
    boards: Annotated[str, typer.Option(help="separated by commas")] = (
        "16x16x40,30x16x99,30x16x130,30x16x170"
    ),
    count: Annotated[int, typer.Option(min=100, help="boards of each kind and way")] = 2000,
) -> None:
    """Compare how often each cell is mined, and how long the walls are."""
    kept: dict[str, dict[str, list[int]]] = json.loads(out.read_text()) if out.exists() else {}
    for name in boards.split(","):
        board = mw.Board.parse(name)
        crowded = board.mines / board.size > UNIFORM
        for way in ("repaired", "ordinary" if crowded else "uniform"):
            if f"{name} {way}" in kept:
                continue
            counts, walls = [0] * board.size, []
            # Other seeds for the other way: with the same ones, both would begin with the same draw
            # and be alike.
            seeds = range(count) if way == "repaired" else range(count, 2 * count)
            for seed in seeds:
                field = made(board, way, seed)
                walls.append(longest_wall(board, field))
                for cell in field:
                    counts[cell] += 1
            kept[f"{name} {way}"] = {"counts": counts, "walls": walls}
            out.write_text(json.dumps(kept))
    rows = boards.split(",")
    with drawing(out.with_suffix(".svg"), (9, 2.1 * len(rows)), len(rows), 2) as axes:
        for at, name in enumerate(rows):
            board = mw.Board.parse(name)
            ways = [key.split()[1] for key in kept if key.startswith(f"{name} ")]
            shares = {way: shares_of(kept[f"{name} {way}"]["counts"], count) for way in ways}
            top = max(max(share) for share in shares.values())
            for place, way in enumerate(ways):
                width, height = board.shape
                grid = [shares[way][row * width : (row + 1) * width] for row in range(height)]
                ax = axes[2 * at + place]
                drawn = ax.imshow(grid, vmin=0, vmax=top, cmap="viridis")
                ax.set_title(f"{name}, {way}", fontsize=9)
                ax.set_xticks([])
                ax.set_yticks([])
                ax.figure.colorbar(drawn, ax=ax, shrink=0.8)
            print(verdict(name, ways, kept, count))


def shares_of(counts: list[int], boards: int) -> list[float]:
    """Return how often each cell is mined."""
    return [mines / boards for mines in counts]


def verdict(name: str, ways: list[str], kept: dict[str, dict[str, list[int]]], count: int) -> str:
    """Return a line that compares two ways of making a board.

    The statistic is the sum over cells of the squared difference by its variance. Where nothing
    differs it is near the number of cells; the mines of one board repel each other a little, which
    makes it smaller.
    """
    one, other = (kept[f"{name} {way}"] for way in ways)
    topology = get("moore", mw.Board.parse(name).shape)
    first = middle(topology)
    cells = [c for c in range(topology.size) if c != first and c not in topology.neighbours(first)]
    chi_square = 0.0
    for cell in cells:
        a, b = one["counts"][cell] / count, other["counts"][cell] / count
        share = (a + b) / 2
        chi_square += (a - b) ** 2 / (2 * share * (1 - share) / count)
    freedom = len(cells) - 1
    distance = (chi_square - freedom) / (2 * freedom) ** 0.5
    p = 1 - NormalDist().cdf(distance)
    lengths = [Mean.of(list(map(float, each["walls"])), 0.95) for each in (one, other)]
    low, high = (pick(one["counts"][cell] / count for cell in cells) for pick in (min, max))
    largest = max(abs(one["counts"][cell] - other["counts"][cell]) / count for cell in cells)
    return (
        f"{name}: {ways[0]} against {ways[1]}, {count} boards each: chi-square {chi_square:.0f} for"
        f" {freedom} degrees of freedom (p = {p:.3f}); {ways[0]} cells are mined in {low:.3f} to"
        f" {high:.3f} of boards; largest difference {largest:.3f}; longest wall"
        f" {lengths[0].value:.3f} ± {lengths[0].half:.3f} and"
        f" {lengths[1].value:.3f} ± {lengths[1].half:.3f}"
    )


@app.command()
def curve(
    out: Annotated[Path, typer.Option(help="figures are kept here, and the picture beside them")],
    sides: str = "30x16",
    count: Annotated[int, typer.Option(min=2, help="boards of each density and way")] = 20,
    most: Annotated[int, typer.Option(max=95, help="the highest density, in percent")] = 60,
) -> None:
    """Make boards of rising density: milliseconds of processor time for each, and memory."""
    width, height = map(int, sides.split("x"))
    kept: dict[str, list[float]] = json.loads(out.read_text()) if out.exists() else {}
    ways: tuple[noguess.Way, ...] = ("repaired", "uniform")
    for way in ways:
        for percent in range(5, most + 1, 5):
            board = mw.Board((width, height), width * height * percent // 100)
            key = f"{way} {board.mines}"
            before = [kept[k] for k in kept if k.startswith(way)]
            if key in kept or (before and not before[-1]):
                continue
            spent: list[float] = []
            for seed in range(count):
                begun = process_time()
                try:
                    noguess.make(board, seed=seed, way=way, budget=mw.Budget(10**12, LIMIT))
                except noguess.NoGuessError:
                    spent = []
                    break
                spent.append(process_time() - begun)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            kept[key] = spent
            out.write_text(json.dumps(kept))
            told = "not found" if not spent else str_ms(spent)
            print(f"{way} {board}: {told}; at most {memory:.0f} MB so far", flush=True)
    with drawing(out.with_suffix(".svg"), (7, 3.5)) as (ax,):
        for way in ways:
            points = [
                (int(key.split()[1]) / (width * height), 1e3 * sum(spent) / len(spent), spent)
                for key, spent in kept.items()
                if key.startswith(way) and spent
            ]
            ax.plot([p[0] for p in points], [p[1] for p in points], marker="o", label=way)
            low = [1e3 * min(p[2]) for p in points]
            high = [1e3 * max(p[2]) for p in points]
            ax.fill_between([p[0] for p in points], low, high, alpha=0.2)
        ax.set_yscale("log")
        ax.set_xlabel(f"share of mines on {sides}")
        ax.set_ylabel("ms per board (band: fastest to slowest)")
        ax.legend()
        ax.grid(alpha=0.3)


def str_ms(spent: list[float]) -> str:
    """Return a mean with its interval, and the worst."""
    mean = Mean.of(spent, 0.95)
    return f"{1e3 * mean.value:.2f} ± {1e3 * mean.half:.2f} ms, at worst {1e3 * max(spent):.1f}"


if __name__ == "__main__":
    app()
