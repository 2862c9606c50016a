"""Reproductions that play games: an experiment of the lab behind a page."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from minewright.documents.parts import Share, table_csv, write_pages
from minewright.documents.reproduce import ReproductionError, Request
from minewright.lab.executors import processes
from minewright.lab.experiment import Arm, Experiment
from minewright.lab.files import write_whole
from minewright.lab.page import Page
from minewright.lab.plots import require_matplotlib
from minewright.lab.report import Result, results
from minewright.lab.run import Run, RunError
from minewright.lab.score import Score
from minewright.lab.statistics import Mean, Paired
from minewright.work.executors import processes


def play(request: Request, name: str, experiment: Experiment) -> tuple[Path, Run]:
    """Play an experiment in the directory of a reproduction, or go on with it."""
    require_matplotlib()
    directory = request.out / name
    try:
        run = Run.create(directory / "run", experiment)
        run.play(partial(processes, request.workers), progress=request.progress)
    except RunError as error:
        raise ReproductionError(str(error)) from None
    return directory, run


class Played:
    """The rows of a run, arm by arm."""

    def __init__(self, run: Run) -> None:
        self._rows = {
            run.experiment.arms[arm]: rows
            for (arm,), rows in run.rows().group_by("arm", maintain_order=True)
        }
        self.results = {one.arm: one for one in results(run.experiment, run.rows())}
        """What each arm did."""

    def values(self, arm: Arm, column: str, *, won: bool | None = None) -> list[float]:
        """Give a column of an arm's games, of all or of those won or not won, in order."""
        rows = self._rows[arm]
        if won is not None:
            rows = rows.filter((rows["outcome"] == "won") == won)
        return rows[column].cast(float).to_list()

    def share(self, arm: Arm) -> Share:
        """Give the share of games an arm won."""
        return Share(self.results[arm].wins, self.results[arm].games)

    def mean(self, arm: Arm, column: str, *, won: bool | None = None) -> Mean | None:
        """Give the mean of a column with its 95% interval; None of fewer than two games."""
        values = self.values(arm, column, won=won)
        return Mean.of(values, 0.95) if len(values) > 1 else None

    def paired(self, first: Arm, second: Arm, confidence: float) -> Paired:
        """Compare the wins of two arms game by game."""
        won = [(self._rows[arm]["outcome"] == "won").to_list() for arm in (first, second)]
        pairs = list(zip(*won, strict=True))
        return Paired(
            len(pairs), pairs.count((True, False)), pairs.count((False, True)), confidence
        )

    def less(self, first: Arm, second: Arm, column: str, weight: float = 1.0) -> Mean:
        """Give the mean of a column less `weight` times another arm's, game by game."""
        both = zip(self.values(first, column), self.values(second, column), strict=True)
        return Mean.of([one - weight * other for one, other in both])


def write_page(directory: Path, page: Page, run: Run, *, games: bool = True) -> Path:
    """Write the page, the figures of every arm and all rows as CSV; give the page.

    Without `games` the rows stay where the run has them, in `run/shards`, which is far smaller.
    """
    found = results(run.experiment, run.rows())
    write_whole(directory / "table.csv", table_csv(_HEAD, map(_row, found)))
    if games:
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


def _row(one: Score) -> Sequence[object]:
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
        *one.ci95,
        one.cleared,
        one.found,
        one.guesses,
        one.guesses_won,
        one.guesses_lost,
        one.cpu_seconds,
        one.timeouts,
    )
