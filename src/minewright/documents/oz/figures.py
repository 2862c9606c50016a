"""What Collet's text computes: figures 1 and 2 and both tables, and the same computed here."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import chain
from math import comb
from typing import Final

from minewright.lab.page import Table
from minewright.position import Position
from minewright.strategies.oz import Assistant
from minewright.strategies.oz import table as solutions_table

WIDTH: Final = 10
FIGURE_1: Final = (
    """10x10x20
00001#####
00002#####
11102#####
##101#####
##322#####
"""
    + 5 * (10 * "#" + "\n")
)
FIGURE_2: Final = (
    """10x10x20
1#########
1#########
13########
"""
    + 7 * (10 * "#" + "\n")
)

# Table 1 by its rows; a name is the text's index, row and column from 1.
TABLE_1: Final[Mapping[int, str]] = {
    12: "000111111",
    22: "111000000",
    23: "011011011",
    33: "101101101",
    41: "000000111",
    42: "000111000",
    43: "110110110",
}
TABLE_2: Final[Mapping[tuple[int, ...], tuple[int, int]]] = {
    (12,): (0, 1),
    (22,): (1, 0),
    (41, 42): (0, 1),
    (23, 33, 43): (2, 2),
}
SIMPLE: Final = ((41, 52), (42,))
SETS: Final = ((16, 41, 46, 52, 56), (26, 36, 42))
"""What the propagators find in figure 1 according to the text: safe cells, and mined ones."""


def cells(*names: int) -> tuple[int, ...]:
    """Return the cells that the text calls by row and column from 1."""
    return tuple((name // 10 - 1) * WIDTH + name % 10 - 1 for name in names)


def rows_1() -> dict[int, str]:
    """Compute table 1 by its rows."""
    found = solutions_table(Position.parse(FIGURE_2), "binary")
    column = {own[0]: at for at, own in enumerate(found.variables)}
    return {
        name: "".join(str(values[column[cell]]) for values in found.solutions)
        for name in TABLE_1
        for cell in cells(name)
    }


def wrong_in_table_1() -> int:
    """Count the entries of table 1, with its class sizes, that come out otherwise here."""
    found = solutions_table(Position.parse(FIGURE_2), "binary")
    sizes = (comb(89, 17),) * 3 + (comb(89, 16),) * 6
    pairs = chain(
        zip(found.sizes, sizes, strict=True),
        zip("".join(rows_1().values()), "".join(TABLE_1.values()), strict=True),
    )
    return sum(ours != theirs for ours, theirs in pairs)


def wrong_in_table_2() -> int:
    """Count the entries of table 2, with the rest and the class sizes, that come out otherwise."""
    found = solutions_table(Position.parse(FIGURE_2), "sets")
    ours = dict(zip(found.variables, zip(*found.solutions, strict=True), strict=True))
    theirs = {cells(*names): values for names, values in TABLE_2.items()}
    pairs = chain(
        zip(found.rest_mines, (17, 16), strict=True),
        zip(found.sizes, (3 * comb(89, 17), 6 * comb(89, 16)), strict=True),
        ((ours.get(own), values) for own, values in theirs.items()),
    )
    return sum(one != other for one, other in pairs) + len(ours.keys() - theirs.keys())


def chance(name: int) -> Fraction:
    """Compute the chance of a mine in figure 2."""
    return solutions_table(Position.parse(FIGURE_2), "sets").chances[cells(name)[0]]


def rounded_chance(name: int) -> float:
    """Compute the chance of a mine in figure 2 to the text's three places."""
    return round(float(chance(name)), 3)


def minefields(name: int | None) -> float:
    """Count the minefields of figure 2, or those that mine a cell, to the text's four digits."""
    found = solutions_table(Position.parse(FIGURE_2), "sets")
    share = Fraction(1) if name is None else chance(name)
    return float(f"{float(found.minefields * share):.3e}")


def wrong_in_figure_1(engine: str, theirs: tuple[tuple[int, ...], tuple[int, ...]]) -> int:
    """Count the cells of figure 1 that only the text or only our propagators conclude."""
    position = Position.parse(FIGURE_1)
    assistant = Assistant(position.topology, position.mines, (engine,))
    assistant.tell(position)
    assistant.settle()
    known = assistant.known()
    ours = set(known.safe), set(known.mined)
    return sum(len(one ^ set(cells(*other))) for one, other in zip(ours, theirs, strict=True))


def partitions(count: int) -> int:
    """Count the partitions of a set, by Bell's triangle."""
    # Each row begins with the last number of the row above.
    row = [1]
    for _ in range(count - 1):
        grown = [row[-1]]
        for value in row:
            grown.append(grown[-1] + value)
        row = grown
    return row[-1]


def shown_table_1() -> Table:
    """Show table 1 as computed here."""
    found = solutions_table(Position.parse(FIGURE_2), "binary")
    sizes = [f"C(89, {mines})" for mines in found.rest_mines]
    rows = [(f"x{name}", *values) for name, values in rows_1().items()]
    head = ["solution", *(f"s{at + 1}" for at in range(len(found.solutions)))]
    return Table(head, [*rows, ("class size", *sizes)])


def shown_table_2() -> Table:
    """Show table 2 as computed here."""
    found = solutions_table(Position.parse(FIGURE_2), "sets")
    rows = []
    for at, own in enumerate(found.variables):
        names = ", ".join(f"{cell // WIDTH + 1}{cell % WIDTH + 1}" for cell in own)
        rows.append((f"x{{{names}}}", *(str(values[at]) for values in found.solutions)))
    rest = ("xR", *map(str, found.rest_mines))
    sizes = ("class size", *(f"{size:.4e}" for size in found.sizes))
    return Table(("solution", "s1", "s2"), [*rows, rest, sizes])
