"""Reproductions that play games: an experiment of the lab behind a page."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from minewright.lab.executors import processes
from minewright.lab.experiment import Experiment
from minewright.lab.page import Page
from minewright.lab.plots import require_matplotlib
from minewright.lab.report import Result, results
from minewright.lab.reproduce import ReproductionError, Request
from minewright.lab.reproductions.parts import table_csv, write_pages
from minewright.lab.run import Run, RunError
from minewright.lab.store import write_whole


def play(request: Request, name: str, experiment: Experiment) -> tuple[Path, Run]:
    """Play an experiment in the directory of a reproduction, or go on with it."""
    require_matplotlib()
    directory = request.out / name
    try:
        run = Run.create(directory / "run", experiment)
        run.play(
            partial(processes, request.workers),
            ahead=1 if request.workers == 1 else 4 * request.workers,
            progress=request.progress,
        )
    except RunError as error:
        raise ReproductionError(str(error)) from None
    return directory, run


def write_page(directory: Path, page: Page, run: Run) -> Path:
    """Write the page, the figures of every arm and all rows as CSV; give the page."""
    found = results(run.experiment, run.rows())
    write_whole(directory / "table.csv", table_csv(_HEAD, map(_row, found)))
    write_whole(directory / "games.csv", run.rows().write_csv())
    return write_pages(directory, page)


_HEAD = (
    "strategy",
    "guesser",
    "first",
    "board",
    "topology",
    "start",
    "games",
    "wins",
    "win_rate",
    "low",
    "high",
    "cleared",
    "found",
    "guesses",
    "guesses_won",
    "guesses_lost",
    "cpu_seconds",
    "timeouts",
)


def _row(one: Result) -> Sequence[object]:
    arm = one.arm
    return (
        arm.strategy,
        arm.guesser,
        arm.first,
        arm.board,
        arm.topology,
        arm.start,
        one.games,
        one.wins,
        one.win_rate,
        *one.interval,
        one.cleared,
        one.found,
        one.guesses,
        one.guesses_won,
        one.guesses_lost,
        one.cpu_seconds,
        one.timeouts,
    )
