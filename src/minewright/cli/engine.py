"""`minewright engine`: answers to other programs, one JSON object per line."""

import sys
from io import BufferedReader, FileIO
from typing import Annotated

import typer

from minewright.cli.streams import CommandError, no_output, write


def engine(
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of the protocol and exit.")
    ] = False,
) -> int:
    """Answer queries from other programs: JSON lines on standard input and output.

    See docs/engine.md. A first try: echo '{"id": 1, "action": "version"}' | minewright engine
    """
    if schema:
        from importlib.resources import files

        write(files("minewright.engine").joinpath("schema.json").read_text("utf-8"))
        return 0
    from minewright.engine import Engine

    if sys.stdin is None:
        raise CommandError("standard input is closed; give queries, one per line")
    # A buffer of its own: Python locks that of sys.stdin at exit, while a thread still reads.
    source = BufferedReader(FileIO(sys.stdin.fileno(), closefd=False))
    try:
        Engine(source, sys.stdout.buffer).run()
    except OSError as error:
        raise no_output(error, "standard input or output") from None
    return 0
