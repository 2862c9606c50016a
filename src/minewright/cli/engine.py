"""`minewright engine`: answers to other programs, one JSON object per line."""

import sys
from typing import Annotated

import typer

from minewright.cli.streams import CommandError, nobody_reads, write


def engine(
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of the protocol and exit.")
    ] = False,
) -> int:
    """Answer queries of other programs: JSON lines on standard input and output.

    See docs/engine.md. A first try: echo '{"id": 1, "action": "version"}' | minewright engine
    """
    if schema:
        from importlib.resources import files

        write(files("minewright.engine").joinpath("schema.json").read_text("utf-8"))
        return 0
    from minewright.engine import Engine

    if sys.stdin is None:
        raise CommandError("standard input is closed; give queries, one per line")
    try:
        Engine(sys.stdin.buffer, sys.stdout.buffer).run()
    except BrokenPipeError:
        raise nobody_reads() from None
    return 0
