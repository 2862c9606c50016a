"""Small pieces of messages: counts, sides and quotes, and numbers as people type them."""

_HUGE = 10**12


def read_number(field: str) -> int | None:
    """Return an integer written in plain digits, or None for anything else.

    A number with more digits than any board needs is not computed: the result is one that every
    limit refuses.
    """
    if not (field.isascii() and field.isdigit()):
        return None
    digits = field.lstrip("0") or "0"
    return int(digits) if len(digits) <= 12 else _HUGE


def counted(number: int, noun: str) -> str:
    """Return a count for a message: "1 mine", "2 guesses", or "so many mines" if absurd."""
    written = f"{number:,}" if number < _HUGE else "so many"
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


def why_not_json(error: Exception) -> str:
    """Return in words why Python's reader of JSON refused a text."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    return str(error)[:200]
