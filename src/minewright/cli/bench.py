"""`minewright bench`: a fixed amount of work, its speed, and a signature of its results."""

from typing import Annotated

import typer

from minewright.cli.bars import watched
from minewright.cli.streams import write


def bench(
    workers: Annotated[
        int, typer.Option(min=1, max=256, metavar="N", help="The number of processes.")
    ] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Do a fixed amount of work, and show its speed and a signature of its results."""
    from minewright import bench

    with watched("bench", "games") as progress:
        report = bench.run(workers, progress)
    write(report.json() if json else str(report))
