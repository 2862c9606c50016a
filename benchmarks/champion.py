"""The champion measured: strength by safety, the worst game, and how good its estimates are.

python benchmarks/champion.py strength --games 20000
python benchmarks/champion.py calibration --games 2000 --plot calibration.svg
python benchmarks/champion.py losses --games 500
python benchmarks/champion.py truth
python benchmarks/champion.py first --board 9x9x10 --start safe
"""

from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import typer

import minewright as mw
import minewright.champion
import minewright.strategies
from minewright import _kernel
from minewright.board import Board
from minewright.lab.arm import Arm
from minewright.lab.games import play_games
from minewright.position import COVERED, MINED, SAFE
from minewright.topology import get

BOARDS = ("8x8x10", "9x9x10", "16x16x40", "30x16x99", "10x10x10", "24x30x200", "30x20x130")
app = typer.Typer(pretty_exceptions_enable=False)


@app.command()
def strength(
    games: Annotated[int, typer.Option(help="Games per board and start rule.")] = 2000,
    strategy: Annotated[str, typer.Option(help="Who plays.")] = "champion",
    seed: int = 1,
    boards: Annotated[str, typer.Option(help="Boards, separated by commas.")] = ",".join(BOARDS),
) -> None:
    """Print the win rate by safety with its 95% interval, the speed and the worst game."""
    for board in boards.split(","):
        for start in ("safe", "open"):
            rows = play_games(Arm(strategy, board, start), seed, 0, games, measure="safety")
            safety = rows["safety"]
            half = 1.96 * safety.std() / np.sqrt(games)
            slow = rows["cpu_seconds"].max()
            print(
                f"{board:>10} {start:<5}{strategy:<14}{safety.mean():8.3%} ± {half:.3%}"
                f"{games / rows['cpu_seconds'].sum():9,.0f} games/s, worst {slow:.3f} s",
                flush=True,
            )


@app.command()
def calibration(
    games: int = 500,
    board: str = "16x16x40",
    seed: int = 1,
    plot: Annotated[Path | None, typer.Option(help="Draw it as SVG.")] = None,
) -> None:
    """Compare the estimate at every guess with the safety of the rest of the game.

    A game goes on past each risk, on a minefield on which the move survives, as with `--measure
    safety`. The product of the safeties from a guess on has the chance to win as its mean. The
    guesses of one game are not independent, so the intervals come from resampling whole games.
    """
    told: list[list[tuple[float, float]]] = []
    for stream in range(games):
        rest = 1.0
        own = []
        for _, move in reversed(_guesses(Board.parse(board), "safe", 0, seed, stream)):
            rest *= 1 - move.risk
            own.append((move.win, rest))
        told.append(own)
    points = _points([pair for own in told for pair in own], told)
    for mean, share, error, count in points:
        print(f"estimate {mean:6.1%}   rest {share:6.1%} ± {error:.1%}   ({count} guesses)")
    if plot is not None:
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(5, 5))
        axes.plot([0, 1], [0, 1], color="grey", linewidth=1)
        means, shares, errors = ([point[at] for point in points] for at in range(3))
        axes.errorbar(means, shares, errors, fmt="o", capsize=3)
        axes.set(
            xlabel="estimated chance to win",
            ylabel="mean safety of the rest of the game",
            title=board,
        )
        figure.tight_layout()
        figure.savefig(plot)


@app.command()
def losses(
    games: int = 500,
    board: str = "30x16x99",
    zero: Annotated[bool, typer.Option("--open", help="Rule open, not safe.")] = False,
    seed: int = 1,
) -> None:
    """Print where the risk is taken: the sum of -log(safety) per game, by kind of guess."""
    size = Board.parse(board)
    start: Literal["safe", "open"] = "open" if zero else "safe"
    first = Arm("champion", board, start).first_cell
    assert first is not None
    costs: dict[str, list[tuple[int, float]]] = {}
    for stream in range(games):
        for opened, move in _guesses(size, start, first, seed, stream):
            kind = _kind(opened, move)
            costs.setdefault(kind, []).append((stream, -float(np.log(1 - move.risk))))
    for kind, found in sorted(costs.items(), key=lambda item: -sum(cost for _, cost in item[1])):
        own = np.bincount([game for game, _ in found], [cost for _, cost in found], games)
        half = 1.96 * own.std() / np.sqrt(games)
        often = len(found) / games
        print(f"{kind:<28}{own.mean():7.3f} ± {half:.3f}  {often:6.2f} guesses per game")


def _kind(opened: int, move: mw.champion.BestMove) -> str:
    if move.proved:
        return "solved, one half" if abs(move.risk - 0.5) < 1e-9 else "solved, other risks"
    stages = {9: "up to 9", 39: "10 to 39", 299: "40 to 299", 10**9: "300 and more"}
    return f"{next(name for most, name in stages.items() if opened <= most)} cells open"


def _guesses(
    board: Board, start: Literal["safe", "open"], first: int, seed: int, stream: int
) -> list[tuple[int, mw.champion.BestMove]]:
    """Play a game past all its risks; return each guess, and how many cells were open."""
    game = mw.Game(board, start=start, seed=seed, stream=stream)
    opened = game.open(first)
    topology = game.topology
    game.give_up()
    truth = game.show().cells
    cells = bytearray([COVERED]) * topology.size
    for cell in opened:
        cells[cell] = truth[cell]
    found: list[tuple[int, mw.champion.BestMove]] = []
    while cells.count(COVERED) > board.mines:
        position = mw.Position(topology, bytes(cells), board.mines)
        safe = mw.analyze(position).safe
        if not safe:
            move = mw.best_move(position)
            found.append((sum(code < 9 for code in cells), move))
            safe = (move.cell,)
            if truth[move.cell] == MINED:
                free = position.with_cells({move.cell: SAFE})
                mined = mw.random_solution(free, seed, stream * 1000 + len(found))
                drawn = mw.Game.from_minefield(topology, mined)
                drawn.give_up()
                truth = drawn.show().cells
        for cell in safe:
            cells[cell] = truth[cell]
    return found


def _points(
    pairs: list[tuple[float, float]], games: list[list[tuple[float, float]]]
) -> list[tuple[float, float, float, int]]:
    """Return ten groups by estimate: its mean, the mean of what follows, its error, the count."""
    edges = np.quantile([estimate for estimate, _ in pairs], np.linspace(0, 1, 11))
    random = np.random.default_rng(1)
    found = []
    for low, high in pairwise(edges):
        last = high == edges[-1]
        groups = [[p for p in own if low <= p[0] and (p[0] < high or last)] for own in games]
        counts = np.array([len(own) for own in groups])
        if not counts.sum():
            continue
        sums = np.array([sum(rest for _, rest in own) for own in groups])
        told = np.array([sum(estimate for estimate, _ in own) for own in groups])
        again = random.integers(len(games), size=(400, len(games)))
        means = sums[again].sum(1) / np.maximum(counts[again].sum(1), 1)
        total = int(counts.sum())
        error = 1.96 * float(means.std())
        found.append((float(told.sum()) / total, float(sums.sum()) / total, error, total))
    return found


@app.command()
def truth(
    boards: Annotated[str, typer.Option(help="Boards, separated by commas.")] = "4x4x3,4x4x4,5x5x4",
    games: Annotated[int, typer.Option(help="Games of a native player.")] = 20000,
    others: Annotated[int, typer.Option(help="Games of any other player.")] = 1000,
    strategies: Annotated[str, typer.Option(help="Who plays; by default everybody.")] = "",
    seed: int = 1,
) -> None:
    """Print how close every strategy comes to best play, from the corner, start rule any."""
    names = strategies.split(",") if strategies else [*mw.strategies.strategies(), "champion:fast"]
    for board in boards.split(","):
        size = Board.parse(board)
        best = next(move for move in mw.champion.optimal(size).first_moves if move.cell == 0)
        print(f"{board}: best play from the corner {float(best.share):.2%}", flush=True)
        for name in names:
            try:
                arm = Arm(name, board, "any", first="corner")
                arm.check()
            except mw.StrategyError as error:
                print(f"  {name:<24}left out: {error}")
                continue
            native = arm.first_cell is not None
            rows = play_games(arm, seed, 0, games if native else others, 1.0, measure="safety")
            values = rows["safety"] if native else (rows["outcome"] == 0).astype(float)
            half = 1.96 * values.std() / np.sqrt(len(values))
            by = "safety" if native else "wins"
            print(f"  {name:<24}{values.mean():7.2%} ± {half:.2%}  ({len(values):,} by {by})")


@app.command()
def first(
    board: str = "9x9x10",
    start: str = "safe",
    strategy: str = "champion:fast",
    games: Annotated[int, typer.Option(help="Games per cell.")] = 10000,
    reach: Annotated[int, typer.Option(help="How many rows and columns from the corner.")] = 6,
    seed: int = 1,
) -> None:
    """Print a map of the first cell: the win rate by safety from every cell near the corner.

    Cells that a turn or reflection of the board maps onto each other are measured once.
    """
    size = Board.parse(board)
    width, height = size.shape
    print(f"{board}, start {start}, {strategy}, {games:,} games per cell; row by row")
    for row in range(min(reach, (height + 1) // 2)):
        told = []
        for column in range(min(reach, (width + 1) // 2)):
            if width == height and column < row:
                told.append(" " * 13)
                continue
            match = _first_match(size, start, strategy, row * width + column, seed)
            safety = _kernel.play_games(get("moore", size.shape).graph, match, 0, games).safety
            half = 1.96 * safety.std() / np.sqrt(games)
            told.append(f"{safety.mean():6.2%} ±{half:5.2%}")
        print("  ".join(told), flush=True)


def _first_match(size: Board, start: str, strategy: str, cell: int, seed: int) -> _kernel.Match:
    recipe = mw.strategies.Recipe(strategy)
    return _kernel.Match(
        size.mines, start, recipe.native, cell, seed, mw.Budget(10**9, 60.0), safety=True
    )


if __name__ == "__main__":
    app()
