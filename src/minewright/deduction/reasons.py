"""The arithmetic behind a step: what clues still need and share, and where suppositions lead."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypedDict

from minewright.deduction.bare import BareStep
from minewright.position import MINED

Says = Literal["safe", "mined", "too many", "too few"]

MAX_BALANCED = 8
"""With up to this many clues, all ways to balance some against the others are tried."""
MAX_STATES = 20_000
"""The most states when counting the mines that clues need; above it, the sentence is general."""


class PairData(TypedDict):
    """Two clues that share covered cells, and bounds on the mines in those cells."""

    clues: tuple[int, int]
    shared: list[int]
    least: int
    most: int


class BalanceData(TypedDict):
    """Rich clues that need too many mines for their own cells, and poor ones that share some.

    The rich clues have no cell in common. They need as many mines as the poor ones need, plus one
    for each of their cells that no poor clue touches.
    """

    rich: list[int]
    poor: list[int]


class LinkData(TypedDict):
    """One link of a chain: what a clue says about some cells; no cells if it cannot be met."""

    clue: int
    says: Says
    cells: list[int]


class SuppositionData(TypedDict):
    """The opposite of a conclusion, and how the clues refute it.

    Either a chain ends at a clue that cannot be met, or, without links, the cells of the clues
    would hold at least `least` and at most `most` mines, which contradicts the total.
    """

    cell: int
    mined: bool
    links: list[LinkData]
    least: int | None
    most: int | None


@dataclass(frozen=True, slots=True)
class Clue:
    """A clue in the position of a step; `left` is the number of mines it still needs."""

    cell: int
    number: int
    left: int
    cells: frozenset[int]


@dataclass(frozen=True, slots=True)
class Link:
    """What a clue says about its unknown cells once the others are known."""

    clue: Clue
    says: Says
    cells: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Balance:
    """Rich clues whose mines fit only if all their cells that no poor clue touches are mined.

    The poor clues then have all their mines next to the rich ones, and share none of them.
    """

    rich: tuple[Clue, ...]
    poor: tuple[Clue, ...]

    @property
    def rich_cells(self) -> frozenset[int]:
        """All covered cells of the rich clues."""
        return union_of(self.rich)

    @property
    def left(self) -> int:
        """The number of mines the rich clues still need."""
        return sum(clue.left for clue in self.rich)

    @property
    def mined(self) -> frozenset[int]:
        """The cells of the rich clues that no poor clue shares."""
        return self.rich_cells - union_of(self.poor)

    @property
    def safe(self) -> frozenset[int]:
        """The cells of poor clues that touch no rich clue, or that touch two poor ones."""
        twice = (one.cells & other.cells for one, other in combinations(self.poor, 2))
        return (union_of(self.poor) - self.rich_cells).union(*twice)

    @property
    def holds(self) -> bool:
        """Whether the mines still needed are exactly as many as these cells can hold."""
        apart = sum(len(clue.cells) for clue in self.rich) == len(self.rich_cells)
        touching = all(clue.cells & self.rich_cells for clue in self.poor)
        return (
            apart
            and touching
            and (self.left - sum(clue.left for clue in self.poor) == len(self.mined))
        )

    def as_data(self) -> BalanceData:
        """Return it as JSON data."""
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
        """Return it as JSON data."""
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


def clue_of(step: BareStep, cell: int) -> Clue:
    """Return a clue of a step, with its covered cells and the mines it still needs."""
    position = step.position
    near = position.topology.neighbours(cell)
    known = sum(position[other] == MINED for other in near)
    covered = frozenset(position.covered).intersection(near)
    return Clue(cell, position[cell], position[cell] - known, covered)


def union_of(clues: Iterable[Clue]) -> frozenset[int]:
    """Return the covered cells of some clues."""
    return frozenset[int]().union(*(clue.cells for clue in clues))


def pairs_of(clues: Sequence[Clue]) -> Iterator[PairData]:
    """Yield the pairs of clues that share cells, with bounds on the mines in those cells."""
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
    """Apply one clue to what is known or supposed about its cells."""
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
    """Yield what the clues say one by one, round after round, and add it to `known`."""
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
    """Return the chain from a supposition to a clue that cannot be met; empty if there is none.

    It keeps only the links that the end depends on, and in each only the cells it depends on.
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
            # Known mines use up a clue's mines; cells known to be safe use up its cells.
            because = link.says in ("safe", "too many")
            earlier = {cell} | {c for before in links[: links.index(link)] for c in before.cells}
            needed |= {c for c in link.clue.cells & earlier if known[c] == because}
    return tuple(reversed(kept))


def bounds_of(clues: Sequence[Clue], known: Mapping[int, bool]) -> tuple[int, int] | None:
    """Return the fewest and the most mines that the cells of some clues can hold together.

    Return None if the clues cannot be met, or if it would take too many states.
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
