"""The arithmetic behind a step: what is left, what is shared, what a supposition leads to."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypedDict

from minewright._kernel import MINED
from minewright.deduction.step import Deduction

Says = Literal["safe", "mined", "too many", "too few"]

MAX_BALANCED = 8
"""Among so many clues, all ways to balance some against the others are tried."""
MAX_STATES = 20_000
"""States tried when the mines that clues need are counted; beyond, the sentence is general."""


class PairData(TypedDict):
    """Two clues that share covered cells, and the bounds on the mines in these."""

    clues: tuple[int, int]
    shared: list[int]
    least: int
    most: int


class BalanceData(TypedDict):
    """Rich clues with too many mines left for cells of their own, and poor ones that share some.

    The rich ones have no cell in common. What they have left is what the poor ones have left, and
    one for each cell that none of the poor ones has.
    """

    rich: list[int]
    poor: list[int]


class LinkData(TypedDict):
    """One link of a chain: what a clue says about some cells; none where it cannot be met."""

    clue: int
    says: Says
    cells: list[int]


class SuppositionData(TypedDict):
    """The opposite of a conclusion, and how the clues refute it.

    Either by a chain that ends with a clue that cannot be met, or, without links, because the
    cells of the clues would hold at least `least` and at most `most` mines, against the total.
    """

    cell: int
    mined: bool
    links: list[LinkData]
    least: int | None
    most: int | None


@dataclass(frozen=True, slots=True)
class Clue:
    """A clue as it stands in the position of a step."""

    cell: int
    number: int
    left: int
    cells: frozenset[int]


@dataclass(frozen=True, slots=True)
class Link:
    """What a clue says, once some cells are known, about cells that were not."""

    clue: Clue
    says: Says
    cells: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Balance:
    """Rich clues whose mines fit only if all cells that no poor clue has are mined.

    Then the poor ones have all their mines at the rich ones, and no two of them the same mine.
    """

    rich: tuple[Clue, ...]
    poor: tuple[Clue, ...]

    @property
    def rich_cells(self) -> frozenset[int]:
        """All covered cells of the rich clues."""
        return union_of(self.rich)

    @property
    def left(self) -> int:
        """The mines the rich clues have left."""
        return sum(clue.left for clue in self.rich)

    @property
    def mined(self) -> frozenset[int]:
        """The cells of the rich clues that no poor one shares."""
        return self.rich_cells - union_of(self.poor)

    @property
    def safe(self) -> frozenset[int]:
        """The cells of the poor clues away from the rich ones, or of two poor clues at once."""
        twice = (one.cells & other.cells for one, other in combinations(self.poor, 2))
        return (union_of(self.poor) - self.rich_cells).union(*twice)

    @property
    def holds(self) -> bool:
        """Whether the mines left are just as many as these cells can hold."""
        apart = sum(len(clue.cells) for clue in self.rich) == len(self.rich_cells)
        touching = all(clue.cells & self.rich_cells for clue in self.poor)
        return (
            apart
            and touching
            and (self.left - sum(clue.left for clue in self.poor) == len(self.mined))
        )

    def as_data(self) -> BalanceData:
        """Put it in a form for JSON."""
        return {
            "rich": [clue.cell for clue in self.rich],
            "poor": [clue.cell for clue in self.poor],
        }


@dataclass(frozen=True, slots=True)
class Supposition:
    """The opposite of a conclusion, and what refutes it."""

    cell: int
    mined: bool
    links: tuple[Link, ...] = ()
    bounds: tuple[int, int] | None = None

    def as_data(self) -> SuppositionData:
        """Put it in a form for JSON."""
        return {
            "cell": self.cell,
            "mined": self.mined,
            "links": [
                {"clue": link.clue.cell, "says": link.says, "cells": list(link.cells)}
                for link in self.links
            ],
            "least": None if self.bounds is None else self.bounds[0],
            "most": None if self.bounds is None else self.bounds[1],
        }


def clue_of(step: Deduction, cell: int) -> Clue:
    """Read a clue of a step: its covered cells and the mines left in them."""
    position = step.position
    near = position.topology.neighbours(cell)
    known = sum(position[other] == MINED for other in near)
    covered = frozenset(position.covered).intersection(near)
    return Clue(cell, position[cell], position[cell] - known, covered)


def union_of(clues: Iterable[Clue]) -> frozenset[int]:
    """Collect the covered cells of some clues."""
    return frozenset[int]().union(*(clue.cells for clue in clues))


def pairs_of(clues: Sequence[Clue]) -> Iterator[PairData]:
    """Give the pairs of clues that share cells, with the bounds on the mines there."""
    for one, other in combinations(clues, 2):
        shared = one.cells & other.cells
        if shared:
            least = max(0, *(clue.left - len(clue.cells - shared) for clue in (one, other)))
            most = min(len(shared), one.left, other.left)
            yield {
                "clues": (one.cell, other.cell),
                "shared": sorted(shared),
                "least": least,
                "most": most,
            }


def _say(clue: Clue, known: Mapping[int, bool]) -> Link | None:
    """Apply one clue to what is known, or supposed, about its cells."""
    unknown = tuple(sorted(cell for cell in clue.cells if cell not in known))
    left = clue.left - sum(known.get(cell, False) for cell in clue.cells)
    if left < 0:
        return Link(clue, "too many")
    if left > len(unknown):
        return Link(clue, "too few")
    if unknown and left == 0:
        return Link(clue, "safe", unknown)
    if unknown and left == len(unknown):
        return Link(clue, "mined", unknown)
    return None


def links_from(clues: Sequence[Clue], known: dict[int, bool]) -> Iterator[Link]:
    """Give what clues say one by one, round after round, and add it to what is known."""
    fresh = True
    while fresh:
        fresh = False
        said = [link for clue in clues if (link := _say(clue, known)) is not None]
        ends = [link for link in said if not link.cells]
        if ends:
            yield ends[0]
            return
        for link in said:
            cells = tuple(cell for cell in link.cells if cell not in known)
            if cells:
                known |= dict.fromkeys(cells, link.says == "mined")
                fresh = True
                yield Link(link.clue, link.says, cells)


def refutation(clues: Sequence[Clue], cell: int, mined: bool) -> tuple[Link, ...]:
    """Find the chain from a supposition to a clue that cannot be met; empty if there is none.

    Only links that the end depends on are kept, and in each only the cells it depends on.
    """
    known = {cell: mined}
    links = list(links_from(clues, known))
    if not links or links[-1].cells:
        return ()
    needed: set[int] = set()
    kept: list[Link] = []
    for link in reversed(links):
        cells = tuple(other for other in link.cells if other in needed)
        if cells or not link.cells:
            kept.append(Link(link.clue, link.says, cells))
            # A clue runs out of mines by those known, and out of cells by those known to be safe.
            because = link.says in ("safe", "too many")
            earlier = {cell} | {c for before in links[: links.index(link)] for c in before.cells}
            needed |= {c for c in link.clue.cells & earlier if known[c] == because}
    return tuple(reversed(kept))


def bounds_of(clues: Sequence[Clue], known: Mapping[int, bool]) -> tuple[int, int] | None:
    """Count the fewest and the most mines that the cells of some clues can hold together.

    None if there is no way at all, or too many states on the way.
    """
    groups: dict[tuple[int, ...], list[int]] = {}
    for cell in sorted(union_of(clues)):
        groups.setdefault(tuple(i for i, c in enumerate(clues) if cell in c.cells), []).append(cell)
    boxes = sorted(groups.items())
    last = {i: at for at, (inside, _) in enumerate(boxes) for i in inside}
    states = {tuple(clue.left for clue in clues): (0, 0)}
    for at, (inside, cells) in enumerate(boxes):
        fixed = sum(known.get(cell, False) for cell in cells)
        free = sum(cell not in known for cell in cells)
        after: dict[tuple[int, ...], tuple[int, int]] = {}
        for left, (least, most) in states.items():
            for held in range(fixed, fixed + free + 1):
                now = tuple(n - held if i in inside else n for i, n in enumerate(left))
                if any(now[i] < 0 or (now[i] and last[i] == at) for i in inside):
                    continue
                low, high = after.get(now, (least + held, most + held))
                after[now] = min(low, least + held), max(high, most + held)
        states = after
        if len(states) > MAX_STATES:
            return None
    return states.get((0,) * len(clues))
