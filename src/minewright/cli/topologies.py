"""`minewright topologies`: the ways in which cells can touch."""

import sys
from typing import Annotated

import typer

from minewright.cli.streams import in_json, write


def topologies(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List the topologies, each with a drawing of which cells touch."""
    from minewright.render.terminal import Screen, gallery
    from minewright.topology import topologies

    kinds = topologies()
    if json:
        rows = {
            name: {"summary": kind.summary, "sides": [kind.sides[0], kind.sides[-1]]}
            for name, kind in kinds.items()
        }
        write(in_json(rows))
    else:
        write(gallery(kinds, Screen.of(sys.stdout)))
