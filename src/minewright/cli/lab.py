"""`minewright lab`: your own experiments, which scale, resume and report."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from minewright.cli.bars import watched
from minewright.cli.streams import INTERRUPTED, CommandError, complain, ended_gently, write

if TYPE_CHECKING:
    from minewright.lab.run import Run
    from minewright.work.executors import OpenWorkers

group = typer.Typer(
    name="lab",
    help="Experiments: any players on the same boards, any number of games, resumable.",
)

Directory = Annotated[Path, typer.Argument(metavar="DIR", help="The directory of the run.")]
Workers = Annotated[
    int, typer.Option(min=0, max=256, metavar="N", help="The number of processes; 0: one per core.")
]
Dask = Annotated[
    str, typer.Option(metavar="ADDRESS", help="Play on this Dask scheduler, or on a `local` one.")
]


@group.command()
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The experiment: TOML, or Python.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="The directory of the run; by default lab-NAME."),
    ] = None,
    workers: Workers = 0,
    dask: Dask = "",
) -> None:
    """Play an experiment; the same command, or `resume`, continues it, however it ended."""
    with _mistakes():
        from minewright.lab.experiment import Experiment
        from minewright.lab.run import Run

        experiment = Experiment.load(file)
        name = "".join(c if c.isalnum() else "-" for c in experiment.name)
        directory = out or Path(f"lab-{name}")
        # A definition in Python is run only if the user names its file.
        again = f"run {file} --out {directory}" if experiment.source else f"resume {directory}"
        _play(Run.create(directory, experiment), workers, dask, again)


@group.command()
def resume(directory: Directory, workers: Workers = 0, dask: Dask = "") -> None:
    """Continue a run where it ended; if it was defined in Python, `run` the same file again."""
    with _mistakes():
        from minewright.lab.run import Run

        _play(Run.open(directory), workers, dask, f"resume {directory}")


@group.command()
def status(
    directory: Directory,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show how far a run is."""
    with _mistakes():
        from minewright.lab.run import Run
        from minewright.lab.status import status_json, status_text

        found = Run.open(directory)
        write(status_json(found) if json else status_text(found))
        _tell_damage(found)


@group.command()
def report(
    directory: Directory,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write Markdown, HTML and a plot there."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show what a run found: each player's figures, and players compared game by game."""
    with _mistakes():
        from minewright.lab import report
        from minewright.lab.run import Run

        if out is not None and json:
            raise CommandError(
                "--out writes pages and --json prints an object; give only one of them"
            )
        found = Run.open(directory)
        if out is not None:
            from minewright.lab.plots import require_matplotlib

            require_matplotlib()
            write(f"The report is {report.write(found, out)}\n")
        elif json:
            write(report.as_json(found))
        else:
            _show(found)
        _tell_damage(found)


def _tell_damage(run: "Run") -> None:
    """Say that games are left out, if their files are damaged."""
    if damaged := run.damaged():
        files = (
            f"1 file is damaged or foreign and was left out: {damaged[0]}"
            if len(damaged) == 1
            else f"{len(damaged):,} files are damaged or foreign and were left out, such as"
            f" {damaged[0]}"
        )
        complain(f"{files}; `minewright lab resume {run.directory}` plays the missing games", 0)


def _show(run: "Run") -> None:
    """Print the tables of a run."""
    from rich.console import Console
    from rich.table import Table

    from minewright.lab import report, safety

    rows = run.rows()
    tables = (
        (report.RESULT_HEAD, report.result_rows(report.results(run.experiment, rows))),
        (
            report.COMPARISON_HEAD,
            report.comparison_rows(report.comparisons(run.experiment, rows)),
        ),
        (safety.HEAD, safety.score_rows(report.results(run.experiment, rows))),
        (safety.PAIR_HEAD, safety.pair_rows(report.safety_pairs(run.experiment, rows))),
    )
    # Very wide, because folded cells are hard to read, and plain: names are shown as written.
    captured = StringIO()
    console = Console(file=captured, width=1000, highlight=False, markup=False, emoji=False)
    for head, lines in tables:
        if lines:
            table = Table(box=None)
            texts = head.index("games")
            for at, heading in enumerate(head):
                justify: Literal["left", "right"] = "left" if at < texts else "right"
                table.add_column(heading, justify=justify, overflow="fold")
            for line in lines:
                table.add_row(*line)
            console.print(table, "")
    verdict = report.verdict_words(run.experiment, run.verdict(), run.complete)
    shown = captured.getvalue() if rows.height else "No games have been played yet.\n"
    write(shown + (f"{verdict}\n" if verdict else ""))


def _play(run: "Run", workers: int, dask: str, again: str) -> None:
    from minewright.work.cluster import ClusterError

    run.check()
    workers = workers or os.cpu_count() or 1
    again = f"`minewright lab {again}` goes on"
    try:
        with ended_gently(), watched(run.experiment.name, "games") as progress:
            run.play(_open_workers(run, workers, dask), progress=progress)
    except KeyboardInterrupt:
        complain(f"stopped; what is done is kept, {again}", INTERRUPTED)
        raise typer.Exit(INTERRUPTED) from None
    except ClusterError as error:
        raise CommandError(f"{error}; what is done is kept, {again}") from None
    except OSError as error:
        raise CommandError(f"{_told(error)}; what is done is kept, {again}") from None
    _show(run)


def _open_workers(run: "Run", workers: int, dask: str) -> "OpenWorkers":
    if dask:
        from minewright.work import cluster

        return partial(cluster.dask, dask, workers)
    from minewright.work.executors import processes

    # Engines from other projects do not pass interrupts on, so they never play in this process.
    apart = any(arm.recipe.kind.needs for arm in run.experiment.arms)
    return partial(processes, workers, apart=apart)


@contextmanager
def _mistakes() -> Iterator[None]:
    """Turn what the user has to fix into one line."""
    try:
        from minewright.lab.experiment import ExperimentError
        from minewright.lab.files import StoreError
        from minewright.lab.plots import PlotError

        try:
            yield
        except (ExperimentError, PlotError, StoreError) as error:
            raise CommandError(str(error)) from None
    except ModuleNotFoundError as error:
        if error.name != "polars":
            raise
        raise CommandError("the lab needs polars; pip install 'minewright[lab]'") from None
    except OSError as error:
        if isinstance(error, FileExistsError | NotADirectoryError):
            raise CommandError(
                f"{error.filename or 'a file'}: there is a file in the way; choose another place"
            ) from None
        raise CommandError(_told(error)) from None


def _told(error: OSError) -> str:
    """Return which file failed, and how."""
    return f"{error.filename or 'a file'}: {error.strerror or error}"
