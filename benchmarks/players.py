"""Compares the games won by the native players with published figures; measures their speed."""

import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from minewright import _kernel
from minewright.board import Board
from minewright.game import StartRule
from minewright.inference import DEFAULT_BUDGET
from minewright.lab.statistics import wilson
from minewright.position import Position
from minewright.strategies import Recipe, own_numbers
from minewright.topology import get

STARTS: tuple[StartRule, ...] = ("safe", "open")
BOARDS = "8x8x10,9x9x10,16x16x40,30x16x99"
PLAYERS = "exact,exact-corner,pseq"
# PSEQ's games won in %, safe and open (Tu et al. 2017, and their program's own later runs).
PUBLISHED = {
    "8x8x10": (81.635, 90.146),
    "9x9x10": (91.678, 97.145),
    "16x16x40": (78.123, 88.927),
    "30x16x99": (39.616, 52.784),
}
PIECE = 500


def first_cell(board: Board, start: StartRule) -> int:
    """Return where the published games began: a corner, or third (Expert: fourth) from edges."""
    first = Recipe("pseq", start=start).first_move()
    return first.choose(Position.covered_board(board), own_numbers(0)).cell


def main(
    games: Annotated[
        int, typer.Option(min=1, help="of each player, board and start rule")
    ] = 10_000,
    boards: Annotated[str, typer.Option(help="separated by commas")] = BOARDS,
    players: Annotated[str, typer.Option(help="separated by commas")] = PLAYERS,
    seed: Annotated[int, typer.Option(min=0, help="of all games")] = 1,
) -> None:
    """Play, and print the share won with its 95% interval, and the speed on one core."""
    table = Table(title=f"Native players, {games:,} games each, seed {seed}")
    for heading in ("player", "board", "start"):
        table.add_column(heading)
    for heading in ("won, %", "95% interval", "published", "guesses", "games/s", "worst, ms"):
        table.add_column(heading, justify="right")
    chosen = [Board.parse(name) for name in boards.split(",")]
    names = players.split(",")
    gave_up = 0
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("games", total=len(names) * len(chosen) * len(STARTS) * games)
        for player in names:
            for board in chosen:
                topology = get("moore", board.shape)
                for start, column in zip(STARTS, (0, 1), strict=True):
                    match = _kernel.Match(
                        board.mines,
                        start,
                        player,
                        first_cell(board, start),
                        seed,
                        DEFAULT_BUDGET,
                    )
                    won = guesses = 0
                    spent: list[int] = []
                    for first in range(0, games, PIECE):
                        count = min(PIECE, games - first)
                        played = _kernel.play_games(topology.graph, match, first, count)
                        won += int(played.won.sum())
                        guesses += int(played.guesses.sum())
                        gave_up += int(played.gave_up.sum())
                        spent += played.nanoseconds.tolist()
                        progress.advance(task, count)
                    low, high = wilson(won, games, 0.95)
                    known = PUBLISHED.get(str(board)) if player == "pseq" else None
                    inside = known and low <= known[column] / 100 <= high
                    table.add_row(
                        player,
                        str(board),
                        start,
                        f"{won / games:.3%}"[:-1],
                        f"{100 * low:.3f} to {100 * high:.3f}",
                        f"{known[column]:.3f} {'in' if inside else 'OUT'}" if known else "",
                        f"{guesses / games:.3f}",
                        f"{games / (sum(spent) / 1e9):,.0f}",
                        f"{max(spent) / 1e6:.1f}",
                    )
    console = Console(width=None if sys.stdout.isatty() else 110)
    console.print(table)
    console.print(
        "Speed and worst game by processor time of one core. Published: PSEQ, Tu et al. 2017; "
        "in or out of our interval (one in twenty is out by chance). "
        f"Games given up for want of budget: {gave_up}."
    )


if __name__ == "__main__":
    typer.run(main)
