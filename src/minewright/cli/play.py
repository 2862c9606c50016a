"""`minewright play`: a game in the terminal, with the assistant at hand."""

import os
import sys
from datetime import date
from typing import Annotated, Final, Literal

import typer

from minewright.cli.seeds import seed_of
from minewright.cli.streams import CommandError, ended_gently, write
from minewright.cli.unused import refuse

_WIPE: Final = "\x1b[H\x1b[2J"


def play(
    context: typer.Context,
    board: Annotated[
        str,
        typer.Option(
            metavar="WxHxM", help="The board: sides and mines, or beginner, intermediate, expert."
        ),
    ] = "beginner",
    start: Annotated[
        Literal["any", "safe", "open"],
        typer.Option(help="What the first opening is guaranteed: nothing, no mine, or an opening."),
    ] = "open",
    topology: Annotated[
        str, typer.Option(metavar="NAME", help="Which cells touch; see `minewright topologies`.")
    ] = "moore",
    mode: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="What happens to a guess: ordinary, no-guess (also :easy, :medium, :hard), fair, "
            "kind or safe-bet.",
        ),
    ] = "ordinary",
    seed: Annotated[
        int | None,
        typer.Option(parser=seed_of, metavar="S", help="The first game's seed; by default any."),
    ] = None,
    daily: Annotated[
        bool, typer.Option("--daily", help="Play today's no-guess board, the same for everybody.")
    ] = False,
) -> None:
    """Play in the terminal: arrows, Enter to open, f to flag, h for a hint."""
    from minewright.board import Board, BoardError
    from minewright.cli.keys import keys
    from minewright.cli.table import TerminalGame
    from minewright.game import Game, GameError
    from minewright.modes import begin
    from minewright.noguess import DailyGame
    from minewright.render.terminal import Screen, paint
    from minewright.topology import TopologyError

    if mode == "daily":
        raise CommandError("--mode: for the board of the day, use --daily")
    if daily:
        why = "does not go with --daily, which is one board for everybody; leave it out"
        refuse(context, why, "board", "start", "topology", "mode", "seed")
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        raise CommandError(
            "play needs a terminal for its keys; `minewright serve` plays in a browser"
        )
    try:
        wanted = Board.parse(board)
        seeds = iter(() if seed is None else (seed,))

        def deal() -> Game:
            if daily:
                return DailyGame.of(date.today())
            return begin(mode, wanted, start, next(seeds, int.from_bytes(os.urandom(8))), topology)

        table = TerminalGame(deal)
    except (BoardError, GameError, TopologyError) as error:
        raise CommandError(str(error)) from None
    with ended_gently(), keys() as key:
        while not table.done:
            screen = Screen.of(sys.stdout)
            write(_WIPE + paint(table.lines(screen), screen))
            table.press(key())
    if table.game.over:
        write(f"{table.status()}; seed {table.game.seed}\n")
