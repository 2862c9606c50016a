"""Options that a command would ignore are refused: whoever gives one expects something of it."""

import typer

from minewright.cli.streams import CommandError


def refuse(context: typer.Context, why: str, *options: str) -> None:
    """Raise CommandError if one of these options was given; the message says `why` not."""
    for name in options:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise CommandError(f"--{name.strip('_').replace('_', '-')} {why}")
