"""The work behind the documents: all that they ask of the lab is asked here.

Games are an experiment of the lab. Anything else is rows of numbers, made piece by piece. Both are
kept as they are made, so that a run may stop at any moment and the same command continues it.

A run that asks for more games after a look at the claims keeps those of each later look in a
directory of its own, beside those of the first.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from csv import writer
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from typing import Final, Literal

import polars as pl

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
    look: int = 0
    """Which look at the claims this is, from 1 on; 0 if there is only one."""

    def count(self, sizes: Mapping[str, int]) -> int:
        """Return how many games or puzzles there are by this look, given those of each scale."""
        return sizes[self.scale] * times(self.look)

    def places(self, name: str) -> list[tuple[Path, Callable[[int], range]]]:
        """Return the directory of each look so far, and its part of a number of games."""
        first = (self.out / name, range)
        later = [
            (self.out / name / f"look-{look}", partial(_added, look))
            for look in range(2, self.look + 1)
        ]
        return [first, *later]


def times(look: int) -> int:
    """Return how many times the games of the scale there are at a look."""
    return 1 << max(0, look - 1)


def _added(look: int, games: int) -> range:
    """Return the games that a later look adds: as many as there were before it."""
    return range(games * times(look - 1), games * times(look))


def make(request: Request, name: str, kinds: Sequence[Piece], size: int) -> list[list[Row]]:
    """Make the rows of all kinds in pieces of `size`, or continue; return them kind by kind.

    A kind has the rows of one look; each later one adds others.
    """
    require_matplotlib()
    found: list[list[Row]] = [[] for _ in kinds]
    about: dict[str, str | int] = {
        "reproduction": name,
        "scale": request.scale,
        "seed": request.seed,
        "version": version("minewright"),
    }
    for directory, part in request.places(name):
        claim(directory, about)
        cut = [
            (at, one)
            for at, kind in enumerate(kinds)
            for one in replace(kind, numbers=part(len(kind.numbers))).cut(size)
        ]
        pieces = [one for _, one in cut]
        done = complete(directory, pieces, request.workers, request.progress)
        for (at, _), rows in zip(cut, done, strict=True):
            found[at] += rows
    return found


def play(request: Request, name: str, experiment: Experiment, *more: Experiment) -> "Played":
    """Play an experiment in the directory `name`, or continue it; others in directories below."""
    require_matplotlib()
    runs = []
    for directory, part in request.places(name):
        own = [_part(one, part) for one in (experiment, *more)]
        runs.append(Run.create(directory / "run", own[0]))
        runs += [Run.create(directory / one.name / "run", one) for one in own[1:]]
    for run in runs:
        run.play(partial(processes, request.workers), progress=request.progress)
    return Played(*runs)


def _part(experiment: Experiment, part: Callable[[int], range]) -> Experiment:
    games = part(experiment.games)
    return replace(experiment, begin=games.start, games=len(games))


class Played:
    """The games of some runs, arm by arm. Two runs share all of their arms or none."""

    def __init__(self, *runs: Run) -> None:
        parts: dict[tuple[Arm, ...], list[Run]] = {}
        for run in runs:
            parts.setdefault(run.experiment.arms, []).append(run)
        self._all = [_together(own) for own in parts.values()]
        self._rows = {
            arms[arm]: own
            for arms, rows in zip(parts, self._all, strict=True)
            for (arm,), own in rows.group_by("arm", maintain_order=True)
        }
        self.results = {
            one.arm: one
            for own, rows in zip(parts.values(), self._all, strict=True)
            for one in results(own[0].experiment, rows)
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


def _together(runs: Sequence[Run]) -> pl.DataFrame:
    """Return the rows of runs with the same arms, in order of arm and game."""
    return pl.concat([run.rows() for run in runs]).sort("arm", "stream")


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
