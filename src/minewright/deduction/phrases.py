"""Small pieces of language: numbers, lists and places in words."""

import re
from collections.abc import Collection, Sequence

from minewright.messages import plural
from minewright.topology import Topology

MAX_NAMED = 6
"""Up to this many cells are all named; of more, at most three groups are."""

_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_AXIS = re.compile(r"(\w+) (\d+)")


def number_word(number: int) -> str:
    """Return a number in words up to twelve, 0 as "no"; larger ones in digits."""
    return _WORDS[number] if number < len(_WORDS) else f"{number:,}"


def spelled(number: int, noun: str) -> str:
    """Return a number in words with its noun: "one mine", "two mines", "no mine"."""
    return f"{number_word(number)} {noun if number < 2 else plural(noun)}"


def places(topology: Topology, cells: Collection[int], noun: str = "cell") -> str:
    """Name cells, as in "row 6, columns 1 to 3 and 5"; of many, name the first and count others."""
    groups = _groups([topology.describe(cell) for cell in sorted(cells)])
    if len(cells) > MAX_NAMED and len(groups) > 3:
        named = groups[:2]
        others = len(cells) - sum(count for _, count in named)
        named.append((f"{number_word(others)} other {noun}s", others))
        groups = named
    return listed([text for text, _ in groups])


def _groups(names: Sequence[str]) -> list[tuple[str, int]]:
    """Group names that differ in one number only, by row or by column, whichever is shorter.

    Return each group with the number of its cells.
    """
    split = [[_AXIS.fullmatch(part) for part in name.split(", ")] for name in names]
    parts = [[part.groups() for part in name if part is not None] for name in split]
    axes = {tuple(axis for axis, _ in name) for name in parts}
    if any(None in name for name in split) or len(axes) != 1:
        return [(name, 1) for name in names]
    sides = len(parts[0])
    rows = _grouped(names, parts, sides - 1)
    columns = _grouped(names, parts, sides - 2) if sides > 1 else rows
    # A list that is half rows and half columns is hard to read.
    neat = all(count > 1 for _, count in columns)
    return columns if neat and len(columns) < len(rows) else rows


def _grouped(
    names: Sequence[str], parts: Sequence[Sequence[tuple[str, ...]]], free: int
) -> list[tuple[str, int]]:
    """Group names that differ only on the axis `free`, in the order of their first members."""
    groups: dict[tuple[tuple[str, ...], ...], list[int]] = {}
    for at, name in enumerate(parts):
        groups.setdefault((*name[:free], *name[free + 1 :]), []).append(at)
    found = []
    for head, members in groups.items():
        if len(members) == 1:
            text = names[members[0]]
        else:
            numbers = [int(parts[at][free][1]) for at in members]
            last = f"{parts[members[0]][free][0]}s {listed(_spans(numbers))}"
            text = ", ".join([*(" ".join(part) for part in head), last])
        found.append((text, len(members)))
    return found


def _spans(numbers: list[int]) -> list[str]:
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][-1] == number - 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    return [
        text
        for span in spans
        for text in ([f"{span[0]} to {span[-1]}"] if len(span) > 2 else map(str, span))
    ]


def listed(items: Sequence[str]) -> str:
    """Join items with commas and "and"."""
    if len(items) == 1:
        return items[0]
    # Items that contain commas or "and" need one more comma to be told apart.
    nested = any(" and " in item for item in items) or (
        len(items) > 2 and any("," in item for item in items)
    )
    return f"{', '.join(items[:-1])}{',' if nested else ''} and {items[-1]}"


def capital(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[0].upper() + text[1:]
