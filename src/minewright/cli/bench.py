"""`minewright bench`: a fixed amount of work, its speed, and a signature of its results."""

import sys
from typing import Annotated

import typer

from minewright.cli.streams import write


def bench(
    workers: Annotated[
        int, typer.Option(min=1, max=256, metavar="N", help="The number of processes.")
    ] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Do a fixed amount of work, and show its speed and a signature of its results."""
    from minewright import bench

    result = bench.run(workers, progress=sys.stderr.isatty())
    write(result.json() if json else str(result))
