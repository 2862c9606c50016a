"""Small pieces of messages: counts, sides and quotes; and numbers, as people type and give them."""

from collections.abc import Callable
from operator import index
from reprlib import repr as shortened
from typing import Final, SupportsIndex, cast

_HUGE = 10**12
_LONG: Final = 10**20
"""Messages do not spell out larger numbers; Python refuses to print some of them."""


def read_number(field: str) -> int | None:
    """Return an integer written in plain digits, or None for anything else.

    A number with more digits than any board needs is not computed: the result is one that every
    limit refuses.
    """
    if not (field.isascii() and field.isdigit()):
        return None
    digits = field.lstrip("0") or "0"
    return int(digits) if len(digits) <= 12 else _HUGE


def whole(value: object) -> int | None:
    """Return a whole number as an int, or None for anything else, including True and False.

    The integers of other libraries, such as NumPy, are whole numbers too.
    """
    if isinstance(value, bool):
        return None
    try:
        return index(cast(SupportsIndex, value))
    except TypeError:
        return None


def whole_within(
    what: str, value: object, least: int, most: int | None, error: Callable[[str], Exception]
) -> int:
    """Return a whole number from `least` to `most` as an int; without a `most`, from `least` up.

    Raise `error` if the value is anything else. The message begins with `what` it is for.
    """
    number = whole(value)
    if number is not None and least <= number and (most is None or number <= most):
        return number
    if most is None:
        limits = f"of at least {least:,}"
    else:
        limits = f"from {least:,} to {'2^64-1' if most == 2**64 - 1 else f'{most:,}'}"
    if number is None:
        found = shortened(value)
    else:
        found = f"{number:,}" if abs(number) < _LONG else "a number that long"
    raise error(f"{what} is a whole number {limits}, not {found}")


def counted(number: int, noun: str) -> str:
    """Return a count for a message: "1 mine", "2 guesses", or "a trillion or more mines".

    A number of any length is read as a trillion, and counts of solutions have any length.
    """
    written = f"{number:,}" if number < _HUGE else "a trillion or more"
    return f"{written} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Return the plural of a regular noun: "mines", "guesses"."""
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"


def write_sides(shape: tuple[int, ...]) -> str:
    """Return the sides in the form `30x16`."""
    return "x".join(map(str, shape))


def quote(text: str) -> str:
    """Return someone else's text in quotes, cut to a length that fits into a message."""
    return repr(text) if len(text) <= 40 else f"{text[:40]!r}… ({len(text):,} characters)"


def one_line(text: str) -> str:
    """Return a message as one line, whatever somebody else's words in it contain."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(text.split()))


def why_not_json(error: Exception) -> str:
    """Return in words why Python's reader of JSON refused a text."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    return str(error)[:200]
