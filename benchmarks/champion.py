"""The champion measured: strength by safety, the worst game, and how true its estimates are.

python benchmarks/champion.py strength --games 20000
python benchmarks/champion.py calibration --games 2000 --plot calibration.svg
"""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

import minewright as mw
from minewright.board import Board
from minewright.lab.arm import Arm
from minewright.lab.games import play_games

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
    """Compare the estimated chance to win at every guess with how the games ended."""
    told: list[float] = []
    won: list[bool] = []
    for stream in range(games):
        game = mw.Game(Board.parse(board), seed=seed, stream=stream)
        game.open(0)
        here = 0
        while not game.over:
            analysis = mw.analyze(game.position)
            if analysis.safe:
                for cell in analysis.safe:
                    if not game.over:
                        game.open(cell)
                continue
            move = mw.best_move(game.position, level="fast")
            told.append(move.win)
            here += 1
            game.open(move.cell)
        won += [game.state == "won"] * here
    estimate, truth = np.array(told), np.array(won, float)
    groups = np.array_split(np.argsort(estimate), 10)
    points = [(estimate[g].mean(), truth[g].mean(), len(g)) for g in groups if len(g)]
    for mean, share, count in points:
        error = 1.96 * np.sqrt(share * (1 - share) / count)
        print(f"estimate {mean:6.1%}   won {share:6.1%} ± {error:.1%}   ({count} guesses)")
    if plot is not None:
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(5, 5))
        axes.plot([0, 1], [0, 1], color="grey", linewidth=1)
        errors = [1.96 * np.sqrt(share * (1 - share) / count) for _, share, count in points]
        axes.errorbar(
            [mean for mean, _, _ in points], [s for _, s, _ in points], errors, fmt="o", capsize=3
        )
        axes.set(xlabel="estimated chance to win", ylabel="share of games won", title=board)
        figure.savefig(plot)


if __name__ == "__main__":
    app()
