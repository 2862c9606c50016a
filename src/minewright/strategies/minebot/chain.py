"""How MineBot came to a finding, step by step: what its figures 6 to 11 show, for any position.

An assumption is followed once more, and this time every number on the way is kept. Of these, only
those that the contradiction rests on are shown.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Final, NamedTuple

from minewright.messages import counted
from minewright.strategies.constraints import CellSet, cells_of, set_of
from minewright.strategies.minebot.numbers import Numbers, too_many
from minewright.strategies.strategy import Finding, Scene

MAX_WAYS: Final = 12
"""The most mark configurations that are shown one by one."""


class Link(NamedTuple):
    """What truth says at a number under an assumption, and the cells that it rests on."""

    clue: int
    safe: CellSet
    mined: CellSet
    because: CellSet


class Refutation(NamedTuple):
    """The links of a chain that are needed, and the number at which it breaks.

    That number has too many of the cells `because` mined or, if `few`, too many of them open.
    """

    links: tuple[Link, ...]
    clue: int
    because: CellSet
    few: bool


def refutation(numbers: Numbers, clue: int, assumed: CellSet) -> Refutation | None:
    """Follow marks around a number as `Numbers.contradicts` does; None without a contradiction."""
    again = numbers.reading.visits == "all"
    visited = numbers.constraints if again else numbers.walk(clue)
    marked, noted = assumed, 0
    links: list[Link] = []
    while True:
        before = marked, noted
        for at, cells, mines in visited:
            count, left = (cells & marked).bit_count(), cells & ~marked & ~noted
            few = count + left.bit_count() < mines and numbers.reading.contradiction == "both"
            if count > mines or few:
                because = cells & (noted if few else marked)
                return Refutation(_needed(links, because), at, because, few)
            if count == mines and left:
                links.append(Link(at, left, 0, cells & marked))
                noted |= left
            elif count + left.bit_count() == mines and left:
                links.append(Link(at, 0, left, cells & noted))
                marked |= left
        if not again or before == (marked, noted):
            return None


def _needed(links: list[Link], cells: CellSet) -> tuple[Link, ...]:
    """Return the links that say something about these cells, and those that these rest on."""
    found = []
    for link in reversed(links):
        if (link.safe | link.mined) & cells:
            found.append(link)
            cells |= link.because
    return tuple(reversed(found))


# Contrapositive


def by_refutation(numbers: Numbers, finding: Finding) -> tuple[Scene, ...]:
    """Show how a mark in the one cell of a finding leads to a contradiction."""
    (cell,) = finding.safe
    for clue, cells, _ in numbers.constraints:
        if cells >> cell & 1 and (broken := refutation(numbers, clue, 1 << cell)):
            where = numbers.describe(cell)
            return (
                Scene(f"Suppose {where} is a mine.", mined=(cell,)),
                *_followed(numbers, broken, 1 << cell),
                Scene(f"So {where} is safe.", safe=(cell,)),
            )
    return ()


def _followed(numbers: Numbers, broken: Refutation, assumed: CellSet) -> Iterator[Scene]:
    """Yield a scene for each number on the way, each with all that has been assumed by then."""
    safe, mined = 0, assumed
    for link in broken.links:
        safe, mined = safe | link.safe, mined | link.mined
        yield Scene(_link(numbers, link), (link.clue,), cells_of(safe), cells_of(mined))
    yield Scene(
        f"{_clash(numbers, broken)}: a contradiction.",
        (broken.clue,),
        cells_of(safe),
        cells_of(mined),
    )


def _link(numbers: Numbers, link: Link) -> str:
    where = _number(numbers, link.clue)
    if link.safe:
        return f"{where} then has all its mines: {_cells(link.safe)} would be safe."
    return f"{where} then needs all its cells: {_cells(link.mined)} would be mined."


def _clash(numbers: Numbers, broken: Refutation) -> str:
    where = _number(numbers, broken.clue)
    if broken.few:
        return f"{where} would have too few cells for its mines"
    flags = numbers.position.cells[broken.clue] - numbers.said[broken.clue].mines
    return f"{where} would have {counted(flags + broken.because.bit_count(), 'mine')}"


def _number(numbers: Numbers, clue: int) -> str:
    return f"The {numbers.position.cells[clue]} at {numbers.describe(clue)}"


def _cells(cells: CellSet) -> str:
    return counted(cells.bit_count(), "cell")


# Exhaustion


def by_exhaustion(numbers: Numbers, finding: Finding) -> tuple[Scene, ...]:
    """Show all mark configurations of the number that a finding comes from, and what is left."""
    safe, mined = set_of(finding.safe), set_of(finding.mined)
    for clue, cells, mines in numbers.constraints:
        if (safe | mined) & ~cells or too_many(cells, mines):
            continue
        ways = [set_of(marks) for marks in combinations(cells_of(cells), mines)]
        broken = {way: refutation(numbers, clue, way) for way in ways}
        valid = [way for way in ways if broken[way] is None]
        if valid and all(way & safe == 0 and way & mined == mined for way in valid):
            return (
                Scene(
                    f"{_number(numbers, clue)} can have its mines in {counted(len(ways), 'way')}.",
                    (clue,),
                ),
                *_ways(numbers, clue, broken),
                Scene(_left(len(valid), finding), (clue,), finding.safe, finding.mined),
            )
    return ()


def _ways(numbers: Numbers, clue: int, broken: dict[CellSet, Refutation | None]) -> Iterator[Scene]:
    for at, (way, found) in enumerate(broken.items(), 1):
        if at > MAX_WAYS:
            yield Scene(f"{counted(len(broken) - MAX_WAYS, 'more way')}, not shown.", (clue,))
            return
        if found is None:
            yield Scene(f"Way {at}: nothing contradicts it.", (clue,), (), cells_of(way))
            continue
        *_, last = _followed(numbers, found, way)
        clues = dict.fromkeys((clue, *(link.clue for link in found.links), found.clue))
        words = f"Way {at}: {_clash(numbers, found)}."
        yield Scene(words.replace(": The ", ": the "), tuple(clues), last.safe, last.mined)


def _left(valid: int, finding: Finding) -> str:
    ways = "the only way that is left" if valid == 1 else f"all {valid} ways that are left"
    parts = ((len(finding.safe), "safe"), (len(finding.mined), "mined"))
    same = " and ".join(f"{counted(count, 'cell')} {what}" for count, what in parts if count)
    return f"In {ways}: {same}."


# Burnout


def by_the_total(numbers: Numbers, finding: Finding) -> tuple[Scene, ...]:
    """Show the numbers that need all remaining mines, and the cells that get none."""
    mines = numbers.seen.mines or 0
    left = f"{counted(mines, 'mine')} {'is' if mines == 1 else 'are'} left"
    clues = tuple(clue for clue, _, needed in numbers.constraints if needed > 0)
    return (
        Scene(f"{left}, and these numbers cannot be satisfied with fewer.", clues),
        Scene(f"So {counted(len(finding.safe), 'other cell')} must be safe.", clues, finding.safe),
    )
