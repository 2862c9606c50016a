"""`minewright strategies`: the registry, with what each strategy can conclude."""

import sys
from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Final

import typer

from minewright.cli.streams import in_json, write

if TYPE_CHECKING:
    from minewright.render.terminal import Run, Screen
    from minewright.strategies.registry import Option

_INDENT: Final = "  "
_NOTES: Final = (
    "Sound: what it calls safe or mined always is. Complete: it finds every certain cell, or every "
    "one that follows from the numbers without the mine total. Any strategy can play with any "
    "guesser and any first move. Options are written like max-exists:engine=minisat,total=yes."
)


def strategies(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List all strategies, guessers and first moves, with their origins and options."""
    if json:
        write(in_json(_data()))
    else:
        from minewright.render.terminal import Screen, paint

        screen = Screen.of(sys.stdout)
        write(paint(_lines(screen), screen))


def _lines(screen: "Screen") -> Iterator[list["Run"]]:
    """Yield one entry per strategy: a line of a table, and a description below it."""
    from minewright.strategies import first_moves, guessers
    from minewright.strategies import strategies as kinds

    rows = [
        (kind.name, "yes" if kind.sound else "no", kind.complete, kind.guesser, kind.first)
        for kind in kinds().values()
    ]
    head = ("strategy", "sound", "complete", "guesser", "first move")
    widths = [max(map(len, column)) + 2 for column in zip(head, *rows, strict=True)]
    yield [("".join(map(str.ljust, head, widths)), "bold")]
    for kind, row in zip(kinds().values(), rows, strict=True):
        cells = list(map(str.ljust, row, widths))
        yield [(cells[0], "bold"), ("".join(cells[1:]), "")]
        native = "; also native" if kind.native else ""
        about = f"{kind.title}: {kind.summary} ({kind.origin}{native})"
        yield from _paragraph(about, screen)
        yield from _options(kind.options, screen)
    yield []
    yield [("guesser", "bold")]
    for guesser in guessers().values():
        yield [(guesser.name, "bold")]
        about = f"{guesser.title}: {guesser.summary} ({guesser.origin})"
        yield from _paragraph(about, screen)
        yield from _options(guesser.options, screen)
    yield []
    yield [("first move", "bold")]
    for first in first_moves().values():
        yield [(first.name.ljust(widths[0]), "bold"), (first.summary, "")]
    yield []
    yield from _paragraph(_NOTES, screen, "")


def _options(options: Mapping[str, "Option"], screen: "Screen") -> Iterator[list["Run"]]:
    for name, option in options.items():
        values = "|".join(option.choices) or "a whole number"
        if option.many:
            values = f"some of {'+'.join(option.choices)}"
        why = f": {option.summary}" if option.summary else ""
        text = f"{name}={values} (default {option.default}){why}"
        yield from _paragraph(text, screen, 2 * _INDENT)


def _paragraph(text: str, screen: "Screen", indent: str = _INDENT) -> Iterator[list["Run"]]:
    if screen.columns is None:
        yield [(indent + text, "")]
        return
    width = max(screen.columns - 1, 40)
    for line in wrap(
        text, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    ):
        yield [(line, "")]


def _data() -> dict[str, object]:
    """Return the registry as JSON data."""
    from minewright.strategies import first_moves, guessers
    from minewright.strategies import strategies as kinds

    return {
        "strategies": [
            {
                "name": kind.name,
                "title": kind.title,
                "origin": kind.origin,
                "summary": kind.summary,
                "sound": kind.sound,
                "complete": kind.complete,
                "guesser": kind.guesser,
                "first": kind.first,
                "options": _option_data(kind.options),
                "native": bool(kind.native),
                "needs": list(kind.needs),
            }
            for kind in kinds().values()
        ],
        "guessers": [
            {
                "name": guesser.name,
                "title": guesser.title,
                "origin": guesser.origin,
                "summary": guesser.summary,
                "options": _option_data(guesser.options),
            }
            for guesser in guessers().values()
        ],
        "first_moves": [
            {"name": first.name, "title": first.title, "summary": first.summary}
            for first in first_moves().values()
        ],
    }


def _option_data(options: Mapping[str, "Option"]) -> dict[str, object]:
    return {
        name: {
            "default": option.default,
            "choices": list(option.choices),
            "many": option.many,
            "summary": option.summary,
        }
        for name, option in options.items()
    }
