"""Every strategy of the registry: what it concludes, how fast it plays, and that it is sound."""

from time import process_time
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from minewright import Board, Game, Position
from minewright.game import StartRule
from minewright.lab.conclusions import coverage, positions, unproved
from minewright.lab.statistics import wilson
from minewright.strategies import Recipe, Turn, describe, play, strategies
from minewright.strategies.play import own_numbers

app = typer.Typer(add_completion=False)
console = Console(width=100)
waiting = Console(stderr=True)

GAMES: tuple[tuple[str, str, StartRule], ...] = (
    ("9x9x10", "moore", "safe"),
    ("9x9x20", "moore", "any"),
    ("16x16x40", "moore", "open"),
    ("9x9x12", "torus", "open"),
    ("9x9x16", "hex", "safe"),
    ("9x9x20", "neumann", "any"),
    ("9x9x12", "knight", "safe"),
    ("5x5x5x12", "box", "open"),
)
"""Board, topology and start rule: densities of 0.1 to 0.25."""

Only = Annotated[list[str] | None, typer.Argument(help="strategies; all if none is named")]
Seed = Annotated[int, typer.Option(help="of everything random")]


@app.command()
def conclusions(
    only: Only = None,
    count: Annotated[int, typer.Option(min=1, help="positions, every second one stuck")] = 500,
    seed: Seed = 1,
) -> None:
    """Show the share of certain cells that each strategy finds on the same positions."""
    given = list(positions(count, seed))
    table = Table("strategy", box=None)
    for heading in (
        "certain cells",
        "stuck",
        "safe",
        "mined",
        "positions",
        "not proved",
        "gave up",
    ):
        table.add_column(heading, justify="right")
    for name in track(only or list(strategies()), "Asking", console=waiting, transient=True):
        recipe = Recipe(name)
        found = coverage(recipe, [position for position, _ in given])
        stuck = coverage(recipe, [position for position, is_stuck in given if is_stuck])
        table.add_row(
            name,
            f"{found.share:.1%}",
            f"{stuck.share:.1%}",
            f"{found.safe / found.safe_all:.1%}",
            f"{found.mined / found.mined_all:.1%}",
            f"{found.everything / found.positions:.1%}",
            str(found.wrong),
            str(found.gave_up),
        )
    console.print(table)
    console.print(
        f"{count} positions, seed {seed}; `positions`: those where everything certain was found"
    )


@app.command()
def speed(
    only: Only = None,
    board: str = "9x9x10",
    start: StartRule = "safe",
    seconds: Annotated[float, typer.Option(min=0.1, help="of the processor, a strategy")] = 3.0,
    seed: Seed = 1,
) -> None:
    """Show games per second of one core, in Python, and the share won."""
    table = Table("strategy", box=None)
    for heading in ("games/s", "games", "won", "95% interval", "blunders"):
        table.add_column(heading, justify="right")
    for name in track(only or list(strategies()), "Playing", console=waiting, transient=True):
        recipe = Recipe(name)
        games = won = blunders = 0
        began = process_time()
        while (spent := process_time() - began) < seconds:
            game = _game(board, "moore", start, seed, games)
            record = play(game, recipe.player(own_numbers(seed, games)))
            games += 1
            won += record.won
            blunders += record.blunder
        low, high = wilson(won, games, 0.95)
        table.add_row(
            name,
            f"{games / spent:,.0f}",
            f"{games:,}",
            f"{won / games:.1%}",
            f"{low:.1%} to {high:.1%}",
            str(blunders),
        )
    console.print(table)
    console.print(f"{board}, start {start}, seed {seed}, one core, processor time")


@app.command()
def soundness(
    only: Only = None,
    games: Annotated[int, typer.Option(min=1, help="a strategy and kind of board")] = 150,
    seed: Seed = 1,
) -> None:
    """Check every act of every game against exact inference; exit code 1 if one is not proved."""
    names = only or [name for name, kind in strategies().items() if kind.sound]
    bad = 0
    table = Table("strategy", box=None)
    for heading in ("games", "turns checked", "not proved", "blunders"):
        table.add_column(heading, justify="right")
    for name in track(names, "Checking", console=waiting, transient=True):
        turns: list[int] = []

        def watch(position: Position, turn: Turn, turns: list[int] = turns) -> None:
            if turn.findings:
                turns.append(len(unproved(position, turn)))

        blunders = played = 0
        recipe = Recipe(name)
        for board, topology, start in GAMES:
            # The engines of the extra `sat` are a hundred times slower than the rest.
            for stream in range(max(1, games // 10) if describe(name).needs else games):
                game = _game(board, topology, start, seed, stream)
                record = play(game, recipe.player(own_numbers(seed, stream)), watch=watch)
                blunders += record.blunder
                played += 1
        wrong = sum(map(bool, turns))
        table.add_row(name, f"{played:,}", f"{len(turns):,}", str(wrong), str(blunders))
        bad += (wrong or blunders) and describe(name).sound
    console.print(table)
    raise typer.Exit(1 if bad else 0)


def _game(board: str, topology: str, start: StartRule, seed: int, stream: int) -> Game:
    return Game(Board.parse(board), start, seed, topology, stream=stream)


if __name__ == "__main__":
    app()
