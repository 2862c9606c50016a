"""`minewright simulate`: a strategy plays many games, or one game turn by turn."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from minewright.cli.bars import watched
from minewright.cli.seeds import seed_of
from minewright.cli.streams import (
    INTERRUPTED,
    CommandError,
    complain,
    whole_file,
    write,
)
from minewright.cli.unused import refuse

if TYPE_CHECKING:
    from minewright.lab.trace import Trace


def _known_strategies() -> list[str]:
    from minewright.strategies import strategies

    return list(strategies())


def _known_guessers() -> list[str]:
    from minewright.strategies import guessers

    return list(guessers())


def _known_first_moves() -> list[str]:
    from minewright.strategies import first_moves

    return list(first_moves())


def _known_topologies() -> list[str]:
    from minewright.topology import topologies

    return list(topologies())


def simulate(
    context: typer.Context,
    strategy: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Who plays, such as exact or champion; see `minewright strategies`.",
            autocompletion=_known_strategies,
            show_default=False,
        ),
    ],
    board: Annotated[
        str,
        typer.Option(
            metavar="B", help="The board, such as 30x16x99, beginner, intermediate or expert."
        ),
    ] = "beginner",
    start: Annotated[
        Literal["any", "safe", "open"],
        typer.Option(
            help="The first opening may hit a mine (any), never does (safe), or has no mine next "
            "to it either (open)."
        ),
    ] = "safe",
    guesser: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Who chooses when nothing is certain; by default the strategy's own guesser.",
            autocompletion=_known_guessers,
            show_default=False,
        ),
    ] = "",
    first: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The first move; by default the strategy's own.",
            autocompletion=_known_first_moves,
            show_default=False,
        ),
    ] = "",
    topology: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Which cells touch; see `minewright topologies`.",
            autocompletion=_known_topologies,
        ),
    ] = "moore",
    games: Annotated[int, typer.Option(metavar="N", help="The number of games.")] = 1000,
    seed: Annotated[
        int,
        typer.Option(parser=seed_of, metavar="S", help="The same seed gives the same games."),
    ] = 0,
    workers: Annotated[int, typer.Option(metavar="W", help="The number of processes.")] = 1,
    timeout: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="End a game that takes more processor time; it does not count as won.",
        ),
    ] = None,
    native: Annotated[
        bool,
        typer.Option(
            "--native/--no-native",
            help="Let the kernel play where it plays the same moves, or always use Python.",
        ),
    ] = True,
    measure: Annotated[
        Literal["wins", "safety"],
        typer.Option(
            help="Count wins, or also play on past a loss and multiply the safeties of all risks: "
            "the same mean with much less luck (native strategies only)."
        ),
    ] = "wins",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    trace: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Instead, show one game turn by turn: as text (- for standard output), or as a "
            "picture if FILE ends in .svg.",
        ),
    ] = None,
    chain: Annotated[
        bool,
        typer.Option(
            "--chain",
            help="With --trace: also show how the strategy came to each finding, step by step "
            "(MineBot).",
        ),
    ] = False,
    game: Annotated[
        int, typer.Option(min=0, max=2**63 - 1, metavar="K", help="Which game of the seed.")
    ] = 0,
) -> int:
    """Let a strategy play, and show how often it wins, how much it clears, how often it guesses."""
    from minewright.board import Board, BoardError
    from minewright.game import GameError
    from minewright.lab.arm import Arm
    from minewright.lab.simulate import SimulationError, Stopped, check_timeout
    from minewright.lab.simulate import simulate as run
    from minewright.lab.trace import trace as play_and_trace
    from minewright.strategies import StrategyError
    from minewright.topology import TopologyError

    if trace is None:
        refuse(context, "works only with --trace; give that too", "game", "chain")
    else:
        why = "does not go with --trace, which shows one game as it is played; leave it out"
        refuse(context, why, "json", "games", "workers", "measure")
    try:
        size = Board.parse(board)
        if trace is not None:
            check_timeout(timeout)
            arm = Arm(strategy, str(size), start, topology, guesser, first)
            arm.check(seed, native=False)
            play = partial(play_and_trace, arm, seed, game, seconds=timeout)
            return _show(play, trace, chain)
        with watched(strategy, "games") as bar:
            found = run(
                size,
                strategy,
                games,
                seed,
                start=start,
                topology=topology,
                guesser=guesser,
                first=first,
                workers=workers,
                timeout=timeout,
                native=native,
                measure=measure,
                progress=bar,
            )
    except (BoardError, TopologyError, GameError, StrategyError, SimulationError) as error:
        raise CommandError(str(error)) from None
    except Stopped as stop:
        so_far = stop.simulation
        if so_far is not None:
            write(so_far.json() if json else str(so_far))
        done = so_far.games if so_far else 0
        return complain(f"stopped after {done:,} of {games:,} games", INTERRUPTED)
    write(found.json() if json else str(found))
    return 0


def _show(play: Callable[[], "Trace"], file: str, chain: bool) -> int:
    """Write the trace of a game. If it goes to a file, print its name and how the game ended."""
    from minewright.render.terminal import Screen
    from minewright.render.trace import heading, trace_svg, trace_text

    if file == "-":
        write(trace_text(play(), Screen.of(sys.stdout), chain=chain))
        return 0
    draws = Path(file).suffix.lower() == ".svg"
    if not draws and Path(file).suffix.lower() not in ("", ".txt"):
        raise CommandError(f"--trace {file}: a trace is text (.txt) or a picture (.svg)")
    # Open the file first: if that fails, nothing is played.
    with whole_file("--trace", file) as target:
        played = play()
        shown = (
            trace_svg(played, chain=chain) if draws else trace_text(played, Screen(), chain=chain)
        )
        target.write(shown.encode())
    write(f"{file}: {heading(played)}\n")
    return 0
