"""The work behind the documents: all that they ask of the lab is asked here.

Games are an experiment of the lab. Anything else is rows of numbers, made piece by piece. Both are
kept as they are made, so that a run may stop at any moment and the same command continues it.
"""

from collections.abc import Iterable, Sequence
from csv import writer
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from typing import Final, Literal

from minewright.documents import estimates
from minewright.documents.estimates import Estimate, Share, Writer
from minewright.errors import MinewrightError
from minewright.lab.experiment import Arm, Experiment, ExperimentError
from minewright.lab.files import StoreError, write_whole
from minewright.lab.pieces import Piece, Row, claim, complete
from minewright.lab.plots import PlotError, require_matplotlib
from minewright.lab.report import results
from minewright.lab.run import Run, RunError
from minewright.lab.score import Score
from minewright.lab.statistics import Paired
from minewright.work.executors import processes
from minewright.work.progress import Progress

__all__ = ["Arm", "Experiment", "Piece", "Row"]

Scale = Literal["quick", "paper"]
"""A look in less than a minute; or the published size, and larger where it is cheap."""


class ReproductionError(MinewrightError, ValueError):
    """A reproduction that does not exist or cannot run, in one line."""


FAILURES: Final = (ExperimentError, PlotError, StoreError, RunError)
"""What the lab raises, in one line, if it cannot play or make something."""


@dataclass(frozen=True, slots=True)
class Request:
    """How to run a reproduction, and the directory in which its own directory is made."""

    scale: Scale
    out: Path
    progress: Progress
    seed: int = 0
    workers: int = 1


def make(request: Request, name: str, pieces: Sequence[Piece]) -> list[list[Row]]:
    """Make the rows of all pieces, or continue; return them piece by piece."""
    require_matplotlib()
    directory = request.out / name
    claim(
        directory,
        {
            "reproduction": name,
            "scale": request.scale,
            "seed": request.seed,
            "version": version("minewright"),
        },
    )
    return complete(directory, pieces, request.workers, request.progress)


def play(request: Request, name: str, experiment: Experiment, *more: Experiment) -> "Played":
    """Play an experiment in the directory `name`, or continue it; others in directories below."""
    require_matplotlib()
    runs = [Run.create(request.out / name / "run", experiment)]
    runs += [Run.create(request.out / name / one.name / "run", one) for one in more]
    for run in runs:
        run.play(partial(processes, request.workers), progress=request.progress)
    return Played(*runs)


class Played:
    """The games of some runs, arm by arm. No arm is in two of them."""

    def __init__(self, *runs: Run) -> None:
        self._all = [run.rows() for run in runs]
        self._rows = {
            run.experiment.arms[arm]: own
            for run, rows in zip(runs, self._all, strict=True)
            for (arm,), own in rows.group_by("arm", maintain_order=True)
        }
        self.results = {
            one.arm: one
            for run, rows in zip(runs, self._all, strict=True)
            for one in results(run.experiment, rows)
        }
        """What each arm did."""

    def values(self, arm: Arm, column: str, *, won: bool | None = None) -> list[float]:
        """Return a column of an arm's games in order: of all, or of those won or not won."""
        rows = self._rows[arm]
        if won is not None:
            rows = rows.filter((rows["outcome"] == "won") == won)
        return rows[column].cast(float).to_list()

    def outcomes(self, arm: Arm, outcome: str) -> list[bool]:
        """Return which games of an arm ended in this way, in order."""
        return (self._rows[arm]["outcome"] == outcome).to_list()

    def share(self, arm: Arm) -> Share:
        """Return the share of games that an arm won."""
        return Share(self.results[arm].wins, self.results[arm].games)

    def won(self, of: str, arm: Arm) -> Estimate:
        """Estimate the share of games that an arm wins."""
        return self.share(arm).estimate(of)

    def wrong(self, of: str, *arms: Arm) -> Estimate:
        """Estimate the share of games in which a cell was called safe or mined and was not."""
        own = [self.results[arm] for arm in arms]
        return Share(sum(one.blunders for one in own), sum(one.games for one in own)).estimate(of)

    def pair(self, first: Arm, second: Arm, confidence: float = 0.95) -> Paired:
        """Compare the wins of two arms game by game."""
        won = [self.outcomes(arm, "won") for arm in (first, second)]
        pairs = list(zip(*won, strict=True))
        return Paired(
            len(pairs), pairs.count((True, False)), pairs.count((False, True)), confidence
        )

    def lead(self, of: str, first: Arm, second: Arm) -> Estimate:
        """Estimate how much more often the first arm wins than the second, game by game."""
        return estimates.paired(of, self.pair(first, second))

    def mean(
        self,
        of: str,
        arm: Arm,
        column: str,
        *,
        won: bool | None = None,
        write: Writer = estimates.number,
    ) -> list[Estimate]:
        """Estimate the mean of a column; nothing of fewer than two games."""
        values = self.values(arm, column, won=won)
        return [estimates.mean(of, values, write)] if len(values) > 1 else []

    def less(
        self, of: str, first: Arm, second: Arm, column: str, write: Writer = estimates.signed
    ) -> Estimate:
        """Estimate the mean of a column less another arm's, game by game."""
        both = zip(self.values(first, column), self.values(second, column), strict=True)
        return estimates.mean(of, [one - other for one, other in both], write)

    def ratio(self, of: str, first: Arm, second: Arm, column: str) -> Estimate:
        """Estimate how many times as large the mean of a column is for the first arm."""
        same = first.field == second.field
        return estimates.ratio(
            of, self.values(first, column), self.values(second, column), same=same
        )

    def games_csv(self) -> str:
        """Write every game as a line of CSV."""
        first, *more = self._all
        return first.write_csv() + "".join(rows.write_csv(include_header=False) for rows in more)

    def table_csv(self) -> str:
        """Write the figures of every arm as CSV."""
        return table_csv(_HEAD, map(_row, self.results.values()))


def table_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table as CSV."""
    text = StringIO()
    out = writer(text, lineterminator="\n")
    out.writerow(head)
    out.writerows(rows)
    return text.getvalue()


def keep(path: Path, content: str | bytes) -> None:
    """Write a file so that nobody ever sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content)


_HEAD: Final = (
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
        *(arm.strategy, arm.guesser, arm.first, arm.board, arm.topology, arm.start),
        *(one.games, one.wins, one.win_rate, *one.ci95),
        *(one.cleared, one.found, one.guesses, one.guesses_won, one.guesses_lost),
        *(one.cpu_seconds, one.timeouts),
    )
