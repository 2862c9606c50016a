"""Draw the pictures of docs/algorithms.md: boxes, components, and the merge.

Usage: scripts/algorithm_pictures.py [--out DIR]
"""

from collections import Counter, defaultdict
from itertools import product
from math import comb
from pathlib import Path
from typing import Annotated

import typer

from minewright.position import MAX_NUMBER, Position

ROOT = Path(__file__).resolve().parents[1]
TEXT = """10x5x9
0002###2##
0002######
00012##2##
00001#####
00001##1##"""
SIDE = 40
COLOURS = (
    *("#8dd3c7", "#ffffb3", "#bebada", "#fb8072", "#80b1d3", "#fdb462", "#b3de69", "#fccde5"),
    *("#bc80bd", "#ccebc5", "#ffed6f", "#d9d9d9", "#a6cee3", "#cab2d6", "#fdbf6f", "#b2df8a"),
)
REST = "#eceff1"
Box = tuple[frozenset[int], list[int]]


def boxes(position: Position) -> list[Box]:
    """Return the boxes: for each set of clues, the covered cells that touch exactly these."""
    near = position.topology.neighbours
    found: dict[frozenset[int], list[int]] = defaultdict(list)
    for cell in position.covered:
        clues = frozenset(c for c in near(cell) if position[c] <= MAX_NUMBER)
        if clues:
            found[clues].append(cell)
    return list(found.items())


def components(all_boxes: list[Box]) -> list[list[Box]]:
    """Return the boxes of each component: those that clues link to each other."""
    parts: list[list[Box]] = []
    for box in all_boxes:
        linked = [part for part in parts if any(box[0] & other[0] for other in part)]
        parts = [part for part in parts if part not in linked]
        parts.append([box, *(other for part in linked for other in part)])
    return sorted(parts, key=lambda part: min(min(cells) for _, cells in part))


def ways(position: Position, part: list[Box]) -> Counter[int]:
    """Return the number of ways in which a component can hold each number of mines."""
    clues = {clue for box, _ in part for clue in box}
    found: Counter[int] = Counter()
    for counts in product(*(range(len(cells) + 1) for _, cells in part)):
        sums = dict.fromkeys(clues, 0)
        for (box, _), count in zip(part, counts, strict=True):
            for clue in box:
                sums[clue] += count
        if all(sums[clue] == position[clue] for clue in clues):
            number = 1
            for (_, cells), count in zip(part, counts, strict=True):
                number *= comb(len(cells), count)
            found[sum(counts)] += number
    return found


def board(position: Position, fill: dict[int, str], words: dict[int, str]) -> str:
    """Draw a position with the cells filled and named."""
    width, height = position.shape
    parts = []
    for cell, code in enumerate(position.cells):
        x, y = cell % width * SIDE, cell // width * SIDE
        colour = "#ffffff" if code <= MAX_NUMBER else fill.get(cell, REST)
        parts.append(
            f'<rect x="{x + 1}" y="{y + 1}" width="{SIDE - 2}" height="{SIDE - 2}" rx="3"'
            f' fill="{colour}" stroke="#90a4ae"/>'
        )
        text = (str(code) if code else "") if code <= MAX_NUMBER else words.get(cell, "")
        weight = "700" if code <= MAX_NUMBER else "400"
        parts.append(
            f'<text x="{x + SIDE / 2}" y="{y + SIDE / 2 + 6}" text-anchor="middle"'
            f' font-weight="{weight}" fill="#263238">{text}</text>'
        )
    return svg(width * SIDE, height * SIDE, "".join(parts))


def svg(width: float, height: float, inside: str) -> str:
    """Return a picture on white, so that it can be read on any page."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' font-family="system-ui, sans-serif" font-size="16"><rect width="{width}"'
        f' height="{height}" fill="#ffffff"/>{inside}</svg>\n'
    )


def columns(title: str, counts: dict[int, int], left: float, colour: str) -> str:
    """Draw how many ways there are for each number of mines."""
    most = max(counts.values())
    parts = [f'<text x="{left}" y="20" font-size="14">{title}</text>']
    for at, (mines, number) in enumerate(sorted(counts.items())):
        x, tall = left + 56 * at, 110 * number / most
        parts.append(
            f'<rect x="{x}" y="{160 - tall:.1f}" width="40" height="{tall:.1f}" fill="{colour}"'
            ' stroke="#90a4ae"/>'
        )
        parts.append(
            f'<text x="{x + 20}" y="{154 - tall:.1f}" text-anchor="middle" font-size="12">'
            f"{number:,}</text>"
        )
        parts.append(
            f'<text x="{x + 20}" y="178" text-anchor="middle" font-size="13">{mines}</text>'
        )
    return "".join(parts)


def merge(position: Position, parts: list[list[Box]]) -> str:
    """Draw the ways of the components, and how the mine total joins them with the rest."""
    known = [ways(position, part) for part in parts]
    linked = sum(len(cells) for part in parts for _, cells in part)
    rest = len(position.covered) - linked
    assert position.mines is not None
    joined: Counter[int] = Counter({0: 1})
    for counts in known:
        joined = Counter(
            {
                total: sum(joined[total - mines] * number for mines, number in counts.items())
                for total in range(position.mines + 1)
                if any(joined[total - mines] for mines in counts)
            }
        )
    final = {
        mines: number * comb(rest, position.mines - mines)
        for mines, number in joined.items()
        if number and 0 <= position.mines - mines <= rest
    }
    drawn, left = "", 16.0
    for name, (counts, colour) in enumerate(zip(known, COLOURS[3:], strict=False), 1):
        drawn += columns(f"Component {name}", dict(counts), left, colour)
        left += max(56 * len(counts), 120) + 40
    drawn += columns(f"Together, with {rest} cells of rest", final, left, "#80b1d3")
    left += max(56 * len(final), 230) + 16
    below = f"mines in the part; on the right, mines beside numbers, of {position.mines} in all"
    drawn += f'<text x="16" y="200" font-size="12" fill="#607d8b">{below}</text>'
    return svg(left, 212, drawn)


def pictures() -> dict[str, str]:
    """Return all pictures by name."""
    position = Position.parse(TEXT)
    all_boxes = boxes(position)
    parts = components(all_boxes)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    fill: dict[int, str] = {}
    words: dict[int, str] = {}
    for (_, cells), colour, letter in zip(all_boxes, COLOURS * 2, letters, strict=False):
        fill |= dict.fromkeys(cells, colour)
        words |= dict.fromkeys(cells, letter)
    by_part: dict[int, str] = {}
    names: dict[int, str] = {}
    for number, (part, colour) in enumerate(zip(parts, COLOURS[3:], strict=False), 1):
        for _, cells in part:
            by_part |= dict.fromkeys(cells, colour)
            names |= dict.fromkeys(cells, str(number))
    return {
        "boxes.svg": board(position, fill, words),
        "components.svg": board(position, by_part, names),
        "merge.svg": merge(position, parts),
    }


def main(out: Annotated[Path, typer.Option()] = ROOT / "docs" / "images") -> None:
    """Write the pictures."""
    for name, picture in pictures().items():
        (out / name).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
