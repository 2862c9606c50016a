"""The names that people choose for the table of the day: short, printable, and not in disguise."""

import unicodedata
from typing import Final

from minewright.errors import MinewrightError

LONGEST: Final = 20
"""The most characters in a name."""
_SIGNS: Final = frozenset(" -_.'")
_INVISIBLE: Final = frozenset(
    chr(code)
    for first, last in (
        (0x34F, 0x34F),
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0xFE00, 0xFE0F),
        (0xE0100, 0xE01EF),
    )
    for code in range(first, last + 1)
)
"""Letters and marks that are invisible: fillers, joiners and variation selectors. A name could
consist of nothing else, or use them to look like somebody else's."""
_MARKS: Final = 2
"""The most marks in a row. Some scripts need this many; more would pile up over other lines."""


class NameRefused(MinewrightError):
    """A name that cannot be used; the message says why."""


def read_name(text: str) -> str:
    """Return a name in its normalised form; raise NameRefused if it cannot be used.

    Full-width letters and the like become ordinary ones, and spaces are trimmed, so that two names
    that look the same are the same more often than not.
    """
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    if not any(character.isalnum() for character in name):
        raise NameRefused("a name needs at least one letter or digit")
    if len(name) > LONGEST:
        raise NameRefused(f"a name has at most {LONGEST} characters, not {len(name)}")
    marks = 0
    for character in name:
        kind = unicodedata.category(character)
        marks = marks + 1 if kind.startswith("M") else 0
        if marks > _MARKS:
            raise NameRefused(f"a name has at most {_MARKS} extra accents per letter")
        if character in _INVISIBLE or not (kind[0] in "LNM" or character in _SIGNS):
            raise NameRefused("a name has letters, digits, spaces and the signs - _ . ' only")
    return name
