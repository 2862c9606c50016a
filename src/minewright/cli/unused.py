"""Options that a command would ignore are refused: whoever gives one expects something of it."""

import typer

from minewright.cli.streams import CommandError


def refuse(context: typer.Context, why: str, *options: str) -> None:
    """Raise CommandError if one of these options was given; the message says `why` not."""
    for option in context.command.params:
        name = option.name or ""
        source = context.get_parameter_source(name)
        if name in options and source is not None and source.name == "COMMANDLINE":
            negated = option.secondary_opts and not context.params[name]
            typed = option.secondary_opts if negated else option.opts
            raise CommandError(f"{typed[0]} {why}")


def refuse_others(context: typer.Context, why: str, *options: str) -> None:
    """Raise CommandError if any other option was given than these; the message says `why` not."""
    others = {option.name or "" for option in context.command.params}
    refuse(context, why, *others.difference(options))
