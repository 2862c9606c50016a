"""The figures of a run, as `minewright lab report` shows them."""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

from fastapi import HTTPException
from pydantic import BaseModel

from minewright.lab.run import DEFINITION
from minewright.web.lab import runfiles
from minewright.web.lab.runfiles import broken
from minewright.web.shared.models import Chance

if TYPE_CHECKING:
    import polars as pl

    from minewright.lab.experiment import Experiment
    from minewright.lab.run import Run
    from minewright.lab.score import Score

MAX_SHARDS: Final = 256 << 20
"""The most bytes of rows that are read."""


class TableView(BaseModel):
    """A table as `minewright lab report` writes it."""

    head: list[str]
    rows: list[list[str]]


class ShareWon(BaseModel):
    """The share of games that a player won, with its 95% interval."""

    player: str
    board: str
    won: Chance
    low: Chance
    high: Chance


class Arms(BaseModel):
    """A player on a board, and how many of its games have been played."""

    arm: str
    played: int


class Figures(NamedTuple):
    """The figures of a run."""

    arms: list[Arms]
    titles: dict[str, str]
    players: TableView
    shares: list[ShareWon]
    comparisons: TableView
    safety: list[TableView]
    verdict: str | None
    notes: list[str]


def figures(directory: Path) -> Figures:
    """Return the figures of a run; unchanged files are read once."""
    if find_spec("polars") is None:
        raise HTTPException(422, "figures need polars; pip install 'minewright[lab]'")
    runfiles.experiment(directory)
    stamp = _stamp(directory)
    if sum(size for _, _, size in stamp) > MAX_SHARDS:
        raise HTTPException(422, "this run is too large for this page; use `minewright lab report`")
    return _summed(directory, stamp)


def draw(directory: Path) -> bytes:
    """Draw the plot as the report does; return no bytes if there is nothing to draw."""
    from minewright.lab.plots import PlotError

    figures(directory)
    try:
        return _draw(directory, _stamp(directory))
    except PlotError as error:
        raise HTTPException(422, str(error)) from None


Stamp = tuple[tuple[str, int, int], ...]
"""The files of a run: name, time and size of each."""


def _stamp(directory: Path) -> Stamp:
    found = []
    for path in (directory / DEFINITION, *sorted((directory / "shards").glob("*.parquet"))):
        try:
            now = path.stat()
        except OSError:
            continue
        found.append((path.name, now.st_mtime_ns, now.st_size))
    return tuple(found)


@lru_cache(maxsize=64)
def _summed(directory: Path, _: Stamp) -> Figures:
    from polars.exceptions import PolarsError

    try:
        return _sum(_run(directory))
    except (PolarsError, OSError, ValueError, LookupError, TypeError, ArithmeticError) as error:
        raise broken(f"its rows cannot be read ({str(error).splitlines()[0]})") from None


def _run(directory: Path) -> "Run":
    from minewright.lab.run import Run

    return Run(directory, runfiles.experiment(directory))


def _sum(run: "Run") -> Figures:
    from minewright.lab import report

    experiment = run.experiment
    rows = run.rows()
    played = dict(rows.group_by("arm").len().iter_rows())
    found = report.results(experiment, rows)
    lines = report.result_rows(found)
    compared = report.comparisons(experiment, rows)
    verdict = run.verdict()
    over = rows.height == experiment.games * len(experiment.arms)
    shares = [
        ShareWon(
            player=line[0], board=line[1], won=one.win_rate, low=max(0, low), high=min(1, high)
        )
        for one, line in zip(found, lines, strict=True)
        for low, high in (one.ci95,)
    ]
    return Figures(
        arms=[
            Arms(arm=str(arm), played=played.get(at, 0)) for at, arm in enumerate(experiment.arms)
        ],
        titles={arm.player: arm.title for arm in experiment.arms},
        players=_table(report.RESULT_HEAD, lines),
        shares=shares if len(shares) <= report.MOST_DRAWN else [],
        comparisons=_table(report.COMPARISON_HEAD, report.comparison_rows(compared)),
        safety=_safety(experiment, rows, found),
        verdict=report.verdict_words(experiment, verdict, over, titles=True) or None,
        notes=[report.OPTIONAL_STOP] if experiment.duel else [],
    )


def _safety(
    experiment: "Experiment", rows: "pl.DataFrame", found: "list[Score]"
) -> list[TableView]:
    """Return the tables of a run that measured safety: its players, then its pairs."""
    from minewright.lab import report, safety

    players = safety.score_rows(found)
    pairs = safety.pair_rows(report.safety_pairs(experiment, rows))
    tables = ((safety.HEAD, players), (safety.PAIR_HEAD, pairs))
    return [_table(head, rows) for head, rows in tables if rows]


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> TableView:
    return TableView(head=list(head), rows=list(map(list, rows)))


_drawing: Final = Lock()


@lru_cache(maxsize=16)
def _draw(directory: Path, _: Stamp) -> bytes:
    from minewright.lab import report
    from minewright.lab.plots import require_matplotlib

    require_matplotlib()
    # The settings of matplotlib are shared by all threads.
    with _drawing, TemporaryDirectory() as place:
        report.write(_run(directory), Path(place))
        drawn = Path(place, "won.svg")
        return drawn.read_bytes() if drawn.is_file() else b""
