"""Write the manual page from the commands' own help, to docs/minewright.1.

Usage: scripts/manpage.py [--out FILE]
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from typer.main import get_command

from minewright import __version__
from minewright.cli import app

ROOT = Path(__file__).resolve().parents[1]


def escape(text: str) -> str:
    """Return text that groff prints as it is."""
    plain = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    plain = "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in plain)
    return f"\\&{plain}" if plain[:1] in (".", "'") else plain


def commands(command: object, path: str) -> Iterator[tuple[str, object]]:
    """Yield every command below one, with the words that call it."""
    for name, below in sorted(getattr(command, "commands", {}).items()):
        words = f"{path} {name}"
        if getattr(below, "commands", None):
            yield from commands(below, words)
        else:
            yield words, below


def describe(words: str, command: object) -> Iterator[str]:
    """Yield the lines about one command: what it does, its arguments and its options."""
    yield f".SS {escape(words)}"
    for paragraph in re.split(r"\n\s*\n", str(getattr(command, "help", "") or "")):
        yield ".PP"
        yield escape(paragraph)
    for parameter in getattr(command, "params", []):
        if getattr(parameter, "hidden", False) or parameter.name == "help":
            continue
        flags = [*parameter.opts, *parameter.secondary_opts]
        if parameter.param_type_name == "argument":
            name = parameter.metavar or parameter.name.upper()
        else:
            value = "" if parameter.is_flag else f" {parameter.metavar or 'VALUE'}"
            name = ", ".join(flags) + value
        yield ".TP"
        yield f".B {escape(name)}"
        yield escape(str(parameter.help or ""))


def page() -> str:
    """Return the manual page."""
    lines = [
        f'.TH MINEWRIGHT 1 "" "Minewright {__version__}" "User commands"',
        ".SH NAME",
        "minewright \\- play, explain, prove, measure and make Minesweeper",
        ".SH SYNOPSIS",
        ".B minewright",
        ".I COMMAND",
        "[\\fIARGUMENTS\\fR]",
        ".SH DESCRIPTION",
        escape(
            "Minewright is a Minesweeper workbench. It says what is certain in any position and how"
            " likely everything else is, plays, makes boards and puzzles, and serves a web app."
            " `minewright serve` is the place to begin."
        ),
        ".SH COMMANDS",
    ]
    for words, command in commands(get_command(app), "minewright"):
        lines += describe(words, command)
    lines += [
        ".SH EXIT STATUS",
        *(".TP\n.B 0", "An answer."),
        *(".TP\n.B 1", "An answer that says no: no minefield fits, or a proof is not one."),
        *(".TP\n.B 2", "A mistake of the user's, told in one line on standard error."),
        *(
            ".TP\n.B 3",
            "Work beyond the budget or beyond this machine: too little memory, or no workers.",
        ),
        ".SH FILES",
        escape("`minewright formats` lists the files of other programs that are read and written."),
    ]
    return "\n".join([*lines, ""])


def main(out: Annotated[Path, typer.Option()] = ROOT / "docs" / "minewright.1") -> None:
    """Write the page."""
    out.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
