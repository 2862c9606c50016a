"""`minewright formats`: the file formats that can be read."""

from typing import Annotated

import typer

from minewright.cli.streams import in_json, write


def formats(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List the file formats that `solve` and the Analyse page read."""
    from minewright.formats import FORMATS

    if json:
        rows = {
            kind.name: {
                "extensions": list(kind.extensions),
                "holds": kind.holds,
                "origin": kind.origin,
            }
            for kind in FORMATS
        }
        write(in_json(rows))
        return
    wide = max(len(kind.name) for kind in FORMATS)
    for kind in FORMATS:
        endings = f" ({', '.join(kind.extensions)})" if kind.extensions else ""
        write(f"{kind.name:{wide}}  {kind.holds}{endings}\n{'':{wide}}  {kind.origin}\n")
