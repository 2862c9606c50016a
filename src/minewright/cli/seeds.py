"""The option --seed, alike in every command."""

import typer

from minewright.board import MAX_SEED


def seed_of(given: str | int) -> int:
    """Return the seed that an option asks for; the default is a number already.

    typer could check a range, but then the help of every command would show its twenty digits.
    """
    text = str(given)
    # Python refuses to read thousands of digits.
    short = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_SEED))
    if not short or int(text) > MAX_SEED:
        raise typer.BadParameter(f"{text!r} is not a whole number from 0 to {MAX_SEED}.")
    return int(text)
