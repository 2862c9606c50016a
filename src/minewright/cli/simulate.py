"""`minewright simulate`: a strategy plays many games, or one game turn by turn."""

import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from minewright.cli.streams import (
    BEYOND_BUDGET,
    INTERRUPTED,
    CommandError,
    complain,
    write,
)

if TYPE_CHECKING:
    from rich.progress import Progress

    from minewright.lab.plan import Plan
    from minewright.lab.simulate import Simulation

PATIENCE: Final = 2.0
"""Seconds before the progress bar appears."""
GAMES: Final = 1000


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
    strategy: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Who plays, such as exact or max-exists:engine=minisat; see `minewright "
            "strategies`.",
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
    games: Annotated[
        int | None,
        typer.Option(metavar="N", help="The number of games.", show_default=f"{GAMES:,}"),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(min=0, max=2**64 - 1, metavar="S", help="The same seed gives the same games."),
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
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    trace: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Instead, show one game turn by turn: as text (- for standard output), or as a "
            "picture if FILE ends in .svg.",
        ),
    ] = None,
    game: Annotated[
        int | None,
        typer.Option(
            min=0, max=2**63 - 1, metavar="K", help="Which game of the seed.", show_default="0"
        ),
    ] = None,
) -> int:
    """Let a strategy play, and show how often it wins, how much it clears, how often it guesses."""
    from minewright.board import Board, BoardError
    from minewright.game import GameError
    from minewright.lab.plan import Plan, PlanError
    from minewright.lab.simulate import Stopped, WorkerLost
    from minewright.lab.simulate import simulate as run
    from minewright.strategies import StrategyError
    from minewright.topology import TopologyError

    if trace is None and game is not None:
        raise CommandError("--game chooses the game that --trace shows; give --trace too")
    if trace is not None and (json or games is not None):
        other = "--json" if json else "--games"
        raise CommandError(f"--trace shows one game, chosen with --game; leave out {other}")
    asked = GAMES if games is None else games
    try:
        size = Board.parse(board)
        if trace is not None:
            plan = Plan.of(size, strategy, seed, start, topology, guesser, first, timeout)
            return _show(plan, game or 0, trace)
        with _Bar(strategy, asked) as bar:
            found = run(
                size,
                strategy,
                asked,
                seed,
                start=start,
                topology=topology,
                guesser=guesser,
                first=first,
                workers=workers,
                timeout=timeout,
                native=native,
                progress=bar.show if bar.wanted else None,
            )
    except (BoardError, TopologyError, GameError, StrategyError, PlanError) as error:
        raise CommandError(str(error)) from None
    except WorkerLost as error:
        raise CommandError(str(error), BEYOND_BUDGET) from None
    except Stopped as stop:
        so_far = stop.simulation
        if so_far is not None:
            write(so_far.json() if json else str(so_far))
        done = so_far.games if so_far else 0
        return complain(f"stopped after {done:,} of {asked:,} games", INTERRUPTED)
    write(found.json() if json else str(found))
    return 0


def _show(plan: "Plan", number: int, file: str) -> int:
    """Write the trace of a game. If it goes to a file, print its name and how the game ended."""
    from minewright.lab.trace import trace
    from minewright.render.terminal import Screen
    from minewright.render.trace import heading, trace_svg, trace_text

    if file == "-":
        write(trace_text(trace(plan, number), Screen.of(sys.stdout)))
        return 0
    draws = Path(file).suffix.lower() == ".svg"
    if not draws and Path(file).suffix.lower() not in ("", ".txt"):
        raise CommandError(f"--trace {file}: a trace is text (.txt) or a picture (.svg)")
    try:
        # Open the file first: if that fails, nothing is played.
        with open(file, "w", encoding="utf-8") as target:
            played = trace(plan, number)
            target.write(trace_svg(played) if draws else trace_text(played, Screen()))
    except OSError as error:
        raise CommandError(f"--trace {file}: cannot be written ({error.strerror})") from None
    write(f"{file}: {heading(played)}\n")
    return 0


class _Bar:
    """A progress bar that appears, on a terminal, only if the work takes a while."""

    def __init__(self, name: str, games: int) -> None:
        self.wanted = sys.stderr is not None and sys.stderr.isatty()
        self._name = name
        self._games = games
        self._began = monotonic()
        self._progress: Progress | None = None

    def __enter__(self) -> "_Bar":
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def show(self, so_far: "Simulation") -> None:
        """Show how many games are over and how they went."""
        if monotonic() - self._began < PATIENCE:
            return
        tally = (
            f"{so_far.games:,} games, {so_far.win_rate:.1%} won, "
            f"{so_far.games_per_second:,.0f} per second, left"
        )
        if self._progress is None:
            self._progress = self._begin(tally)
        self._progress.update(self._progress.task_ids[0], completed=so_far.games, tally=tally)

    def _begin(self, tally: str) -> "Progress":
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(16),
            TextColumn("{task.fields[tally]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            speed_estimate_period=120,
        )
        bar.add_task(self._name, total=self._games, tally=tally)
        bar.start()
        return bar
