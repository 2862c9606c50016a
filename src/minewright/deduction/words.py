"""A step in words, and the numbers behind the words as data for a page to draw.

Everything said is worked out here from the position and the step's clues. Nothing is taken from the
reasoner that found the step, so a sentence is one more proof of it.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Literal, TypedDict

from minewright._kernel import MINED
from minewright.deduction.step import Deduction
from minewright.topology import Topology

Says = Literal["safe", "mined", "too many", "too few"]
Place = tuple[int, ...]

MAX_NAMED = 6
"""So many cells are all named; of more, only as many as three groups can name."""
MAX_CLUES = 4
"""So many clues are named one by one; more by where they are."""
MAX_BALANCED = 8
"""Among so many clues, all ways to balance some against the others are tried."""
MAX_STATES = 20_000
"""States tried when the mines that clues need are counted; beyond, the sentence is general."""

_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_AXIS = re.compile(r"(\w+) (\d+)")


class Step(TypedDict):
    """A step as data; cells are coordinates as a topology takes them, from 0."""

    kind: int
    order: int
    pattern: str | None
    total: bool
    clues: list[Place]
    safe: list[Place]
    mined: list[Place]
    sentence: str


class ClueData(TypedDict):
    """A clue: its number, the mines it has left, and the covered cells they are in."""

    cell: int
    coordinates: Place
    number: int
    left: int
    cells: list[int]


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


class TotalData(TypedDict):
    """The mine total: mines left, covered cells away from the clues, and bounds at the clues."""

    mines: int
    left: int
    covered: int
    away: list[int]
    least: int | None
    most: int | None


class Arithmetic(TypedDict):
    """A step with every number that its sentence is made of; cells are indices."""

    kind: int
    order: int
    pattern: str | None
    clues: list[ClueData]
    pairs: list[PairData]
    balance: BalanceData | None
    total: TotalData | None
    safe: list[int]
    mined: list[int]
    supposition: SuppositionData | None
    sentence: str


def sentence(step: Deduction) -> str:
    """Say a step in a sentence or two, as a good player would."""
    return _Speaker(step).sentence


def as_data(step: Deduction) -> Step:
    """Put a step in a form that JSON takes, cells as coordinates."""
    place = step.position.topology.coordinates
    return {
        "kind": step.kind,
        "order": step.order,
        "pattern": step.pattern,
        "total": step.total,
        "clues": [place(cell) for cell in step.clues],
        "safe": [place(cell) for cell in step.safe],
        "mined": [place(cell) for cell in step.mined],
        "sentence": step.sentence,
    }


def arithmetic(step: Deduction) -> Arithmetic:
    """Give the numbers behind a step, in a form that JSON takes, for a page to draw."""
    speaker = _Speaker(step)
    place = step.position.topology.coordinates
    return {
        "kind": step.kind,
        "order": step.order,
        "pattern": step.pattern,
        "clues": [
            {
                "cell": clue.cell,
                "coordinates": place(clue.cell),
                "number": clue.number,
                "left": clue.left,
                "cells": sorted(clue.cells),
            }
            for clue in speaker.clues
        ],
        "pairs": list(_pairs(speaker.clues)),
        "balance": None if speaker.balance is None else speaker.balance.as_data(),
        "total": speaker.total,
        "safe": list(step.safe),
        "mined": list(step.mined),
        "supposition": None if speaker.supposition is None else speaker.supposition.as_data(),
        "sentence": speaker.sentence,
    }


# Words


def number_word(number: int) -> str:
    """Write a number: up to twelve in letters, 0 as "no"."""
    return _WORDS[number] if number < len(_WORDS) else f"{number:,}"


def counted(number: int, noun: str) -> str:
    """Write how many there are of something: "one mine", "two mines", "no mine"."""
    return f"{number_word(number)} {noun}{'' if number < 2 else 's'}"


def places(topology: Topology, cells: Collection[int], noun: str = "cell") -> str:
    """Name cells: "row 6, columns 1 to 3 and 5"; of very many the first ones, and how many more."""
    groups = _groups([topology.describe(cell) for cell in sorted(cells)])
    if len(cells) > MAX_NAMED and len(groups) > 3:
        named = groups[:2]
        others = len(cells) - sum(count for _, count in named)
        named.append((f"{number_word(others)} other {noun}s", others))
        groups = named
    return _listed([text for text, _ in groups])


def _groups(names: Sequence[str]) -> list[tuple[str, int]]:
    """Put names together that differ in one number only, by row or by column, whichever is less.

    Each group comes with the number of cells in it.
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
    """Put names together that differ in the number of one axis only, in order of the first ones."""
    groups: dict[tuple[tuple[str, ...], ...], list[int]] = {}
    for at, name in enumerate(parts):
        groups.setdefault((*name[:free], *name[free + 1 :]), []).append(at)
    found = []
    for head, members in groups.items():
        if len(members) == 1:
            text = names[members[0]]
        else:
            numbers = [int(parts[at][free][1]) for at in members]
            last = f"{parts[members[0]][free][0]}s {_listed(_spans(numbers))}"
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


def _listed(items: Sequence[str]) -> str:
    if len(items) == 1:
        return items[0]
    # Items with commas or "and" of their own need a comma more to be told apart.
    nested = any(" and " in item for item in items) or (
        len(items) > 2 and any("," in item for item in items)
    )
    return f"{', '.join(items[:-1])}{',' if nested else ''} and {items[-1]}"


def _verb(cells: Collection[int]) -> str:
    return "is" if len(cells) == 1 else "are"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


# Reasons


@dataclass(frozen=True, slots=True)
class _Clue:
    """A clue as it stands in the position of a step."""

    cell: int
    number: int
    left: int
    cells: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Link:
    """What a clue says, once some cells are known, about cells that were not."""

    clue: _Clue
    says: Says
    cells: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Balance:
    """Rich clues whose mines fit only if all cells that no poor clue has are mined.

    Then the poor ones have all their mines at the rich ones, and no two of them the same mine.
    """

    rich: tuple[_Clue, ...]
    poor: tuple[_Clue, ...]

    @property
    def rich_cells(self) -> frozenset[int]:
        return _union(self.rich)

    @property
    def left(self) -> int:
        return sum(clue.left for clue in self.rich)

    @property
    def mined(self) -> frozenset[int]:
        return self.rich_cells - _union(self.poor)

    @property
    def safe(self) -> frozenset[int]:
        """The cells of the poor clues away from the rich ones, or of two poor clues at once."""
        twice = (one.cells & other.cells for one, other in combinations(self.poor, 2))
        return (_union(self.poor) - self.rich_cells).union(*twice)

    @property
    def holds(self) -> bool:
        apart = sum(len(clue.cells) for clue in self.rich) == len(self.rich_cells)
        touching = all(clue.cells & self.rich_cells for clue in self.poor)
        return (
            apart
            and touching
            and (self.left - sum(clue.left for clue in self.poor) == len(self.mined))
        )

    def as_data(self) -> BalanceData:
        return {
            "rich": [clue.cell for clue in self.rich],
            "poor": [clue.cell for clue in self.poor],
        }


@dataclass(frozen=True, slots=True)
class _Supposition:
    """The opposite of a conclusion, and what refutes it."""

    cell: int
    mined: bool
    links: tuple[_Link, ...] = ()
    bounds: tuple[int, int] | None = None

    def as_data(self) -> SuppositionData:
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


def _clue(step: Deduction, cell: int) -> _Clue:
    position = step.position
    near = position.topology.neighbours(cell)
    known = sum(position[other] == MINED for other in near)
    covered = frozenset(position.covered).intersection(near)
    return _Clue(cell, position[cell], position[cell] - known, covered)


def _union(clues: Iterable[_Clue]) -> frozenset[int]:
    return frozenset[int]().union(*(clue.cells for clue in clues))


def _pairs(clues: Sequence[_Clue]) -> Iterator[PairData]:
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


def _say(clue: _Clue, known: Mapping[int, bool]) -> _Link | None:
    """Apply one clue to what is known, or supposed, about its cells."""
    unknown = tuple(sorted(cell for cell in clue.cells if cell not in known))
    left = clue.left - sum(known.get(cell, False) for cell in clue.cells)
    if left < 0:
        return _Link(clue, "too many")
    if left > len(unknown):
        return _Link(clue, "too few")
    if unknown and left == 0:
        return _Link(clue, "safe", unknown)
    if unknown and left == len(unknown):
        return _Link(clue, "mined", unknown)
    return None


def _follow(clues: Sequence[_Clue], known: dict[int, bool]) -> Iterator[_Link]:
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
                yield _Link(link.clue, link.says, cells)


def _refute(clues: Sequence[_Clue], cell: int, mined: bool) -> tuple[_Link, ...]:
    """Find the chain from a supposition to a clue that cannot be met; empty if there is none.

    Only links that the end depends on are kept, and in each only the cells it depends on.
    """
    known = {cell: mined}
    links = list(_follow(clues, known))
    if not links or links[-1].cells:
        return ()
    needed: set[int] = set()
    kept: list[_Link] = []
    for link in reversed(links):
        cells = tuple(other for other in link.cells if other in needed)
        if cells or not link.cells:
            kept.append(_Link(link.clue, link.says, cells))
            # A clue runs out of mines by those known, and out of cells by those known to be safe.
            because = link.says in ("safe", "too many")
            earlier = {cell} | {c for before in links[: links.index(link)] for c in before.cells}
            needed |= {c for c in link.clue.cells & earlier if known[c] == because}
    return tuple(reversed(kept))


def _bounds(clues: Sequence[_Clue], known: Mapping[int, bool]) -> tuple[int, int] | None:
    """Count the fewest and the most mines that the cells of some clues can hold together.

    None if there is no way at all, or too many states on the way.
    """
    groups: dict[tuple[int, ...], list[int]] = {}
    for cell in sorted(_union(clues)):
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


# Sentences


class _Speaker:
    """Finds the reasons of one step, and the words for them."""

    def __init__(self, step: Deduction) -> None:
        self.step = step
        self.topology = step.position.topology
        self.clues = tuple(_clue(step, cell) for cell in step.clues)
        self.near = _union(self.clues)
        self.safe, self.mined = frozenset(step.safe), frozenset(step.mined)

    @cached_property
    def total(self) -> TotalData | None:
        """What the mine total says, for a step that needs it."""
        position = self.step.position
        if not self.step.total or position.mines is None:
            return None
        bounds = _bounds(self.clues, {})
        covered = position.covered
        return {
            "mines": position.mines,
            "left": position.mines - position.cells.count(MINED),
            "covered": len(covered),
            "away": [cell for cell in covered if cell not in self.near],
            "least": None if bounds is None else bounds[0],
            "most": None if bounds is None else bounds[1],
        }

    @cached_property
    def balance(self) -> _Balance | None:
        """A count that proves all conclusions of a step without the total, where it is used."""
        if self.step.total or not 2 <= len(self.clues) <= MAX_BALANCED:
            return None
        if self._chain is not None and len(self._chain.links) <= 3 and not self._untold:
            return None
        for sides in product((True, False), repeat=len(self.clues)):
            rich = tuple(c for c, is_rich in zip(self.clues, sides, strict=True) if is_rich)
            poor = tuple(c for c, is_rich in zip(self.clues, sides, strict=True) if not is_rich)
            if rich and poor:
                found = _Balance(rich, poor)
                if found.holds and self.mined <= found.mined and self.safe <= found.safe:
                    return found
        return None

    @cached_property
    def supposition(self) -> _Supposition | None:
        """What refutes the opposite of a conclusion, where the sentence says that."""
        if self.total is not None:
            return self._count(self.total)
        return self._chain if self.balance is None else None

    @cached_property
    def _chain(self) -> _Supposition | None:
        """The shortest chain that refutes the opposite of a conclusion, with all clues if it can.

        Two clues are better said by a balance.
        """
        found = []
        for cell in self.step.cells if len(self.clues) > 2 else ():
            links = _refute(self.clues, cell, cell in self.safe)
            if links:
                unused = len(self.clues) - len({link.clue.cell for link in links})
                found.append((unused, len(links), cell, links))
        if not found:
            return None
        _, _, cell, links = min(found, key=lambda chain: chain[:3])
        return _Supposition(cell, cell in self.safe, links)

    @cached_property
    def _untold(self) -> set[int]:
        """The conclusions that do not follow, clue by clue, from the one that a chain proves."""
        if self._chain is None:
            return set(self.step.cells)
        known = dict.fromkeys(self._like(self._chain.cell), not self._chain.mined)
        for _ in _follow(self.clues, known):
            pass
        return set(self.step.cells) - set(known)

    @cached_property
    def sentence(self) -> str:
        """The step in words."""
        if self.total is not None:
            return self._from_the_total(self.total)
        if len(self.clues) == 1 and (text := self._from_one_clue(self.clues[0])):
            return text
        if self.balance is not None:
            two = len(self.clues) == 2
            return (self._from_two_clues if two else self._from_a_balance)(self.balance)
        if self.supposition is not None:
            return self._from_a_supposition(self.supposition)
        return f"However {self._names()} get their mines, {self._conclusions()}."

    # One clue

    def _from_one_clue(self, clue: _Clue) -> str:
        head = _capital(self._name(clue))
        if clue.left == 0 and not self.mined:
            if clue.number == 0:
                return f"{head} has no mine next to it, so {self._conclusions()}."
            its = ("its mine", "both its mines")[clue.number - 1 :][:1]
            have = its[0] if its else f"all {number_word(clue.number)} of its mines"
            return f"{head} has {have} already, so {self._conclusions()}."
        if clue.left == len(clue.cells) and not self.safe:
            if clue.left == 1:
                mine = "its mine" if clue.number == 1 else "its last mine"
                return f"{head} has only one cell left for {mine}, so {self._conclusions()}."
            mines, cells = counted(clue.left, "mine"), counted(clue.left, "cell")
            return f"{head} has {mines} left in {cells}, so {self._conclusions()}."
        return ""

    # Two clues

    def _from_two_clues(self, balance: _Balance) -> str:
        (rich,), (poor,) = balance.rich, balance.poor
        shared = len(rich.cells & poor.cells)
        mines, cells = counted(rich.left, "mine"), counted(len(rich.cells), "cell")
        part = f"{number_word(shared)} of them"
        if shared == len(rich.cells):
            part = {1: "it", 2: "both"}.get(shared, f"all {number_word(shared)}")
        too = " too" if rich.left == poor.left else ""
        head = (
            f"{_capital(self._name(rich))} has {mines} left in {cells} and shares {part} with"
            f" {self._name(poor)}, which has {counted(poor.left, 'mine')} left{too}."
        )
        count = number_word(poor.left)
        held = "cell holds" if shared == 1 else "cells hold"
        if not self.mined and shared == len(rich.cells):
            all_of_them = {1: "it", 2: "both"}.get(poor.left, f"all {count}")
            return f"{head} The shared {held} {all_of_them}, so {self._conclusions()}."
        says = []
        if self.mined:
            says.append(f"at most {count}, so {self._group(self.mined)} mined")
        if self.safe:
            says.append(f"at least {count}, so {self._group(self.safe)} safe")
        they = "it holds" if shared == 1 else "they hold"
        return f"{head} The shared {held} {f'; {they} '.join(says)}."

    # More clues

    def _from_a_balance(self, balance: _Balance) -> str:
        rich, poor = balance.rich, balance.poor
        cells = "different cells" if len(rich) > 1 else counted(len(balance.rich_cells), "cell")
        text = (
            f"{_capital(self._names(rich))} {'have' if len(rich) > 1 else 'has'}"
            f" {counted(balance.left, 'mine')} left in {cells}."
        )
        first, *others = poor
        limits = [f"{self._name(first)} can have at most {number_word(first.left)} of them"]
        limits += [f"{self._name(clue)} at most {number_word(clue.left)}" for clue in others]
        text += f" {_capital(_listed(limits))}"
        they, apart = ("they have", ", each its own") if others else ("it has", "")
        if not self.mined:
            text += f", so {they} all of them{apart}, and no others"
            return f"{text}: {self._group(self.safe)} safe."
        text += f", so {self._group(self.mined)} mined"
        if self.safe:
            text += f"; {they} just these{apart}, so {self._group(self.safe)} safe"
        return f"{text}."

    def _from_a_supposition(self, supposed: _Supposition) -> str:
        known = {supposed.cell: supposed.mined}
        says = []
        for link in supposed.links:
            says.append(self._link(link, known))
            known |= dict.fromkeys(link.cells, link.says == "mined")
        verdict = "safe" if supposed.mined else "mined"
        where = self.topology.describe(supposed.cell)
        text = (
            f"If {where} were {'mined' if supposed.mined else 'safe'},"
            f" {'; then '.join(says)}. So it is {verdict}"
        )
        same = self._like(supposed.cell) - {supposed.cell}
        if same:
            text += f", and so {self._inverted(same)}"
        return text + self._rest(supposed, {supposed.cell, *same})

    def _link(self, link: _Link, known: Mapping[int, bool]) -> str:
        name = self._name(link.clue)
        mined = sum(known.get(cell, False) for cell in link.clue.cells)
        room = sum(cell not in known for cell in link.clue.cells)
        match link.says:
            case "safe":
                return f"{name} would be complete, so {self._places(link.cells)} would be safe"
            case "mined":
                need = "a mine" if len(link.cells) == 1 else "mines"
                return f"{name} would need {need} at {self._places(link.cells)}"
            case "too many":
                return f"{name} would have a mine too many"
            case "too few":
                left = link.clue.left - mined
                which = "its " if left == link.clue.number else "its last "
                mines = f"{which}{'mine' if left == 1 else f'{number_word(left)} mines'}"
                cells = counted(room, "cell") if room == 0 else f"only {counted(room, 'cell')}"
                return f"{name} would have {cells} left for {mines}"

    def _rest(self, supposed: _Supposition, told: set[int]) -> str:
        """Say the conclusions that the supposition did not, and any clue that only they need."""
        rest = set(self.step.cells) - told
        if not rest:
            return "."
        used = {link.clue for link in supposed.links}
        unused = [clue for clue in self.clues if clue not in used]
        if unused:
            return f"; with {self._names(unused)} too, {self._conclusions(rest)}."
        then = rest - self._untold
        text = f"; with it, {self._conclusions(then)}" if then else ""
        if self._untold:
            text += f"; by the same clues, {self._conclusions(self._untold)}"
        return f"{text}."

    # The total

    def _count(self, total: TotalData) -> _Supposition | None:
        if not self.clues or self._settles_the_rest(total):
            return None
        room = len(total["away"])
        for cell in self.step.cells:
            if cell not in self.near:
                continue
            mined = cell in self.safe
            bounds = _bounds(self.clues, {cell: mined})
            if bounds is not None and (
                bounds[0] > total["left"] or bounds[1] + room < total["left"]
            ):
                return _Supposition(cell, mined, (), bounds)
        return None

    def _settles_the_rest(self, total: TotalData) -> bool:
        """Whether the total makes all cells away from the clues safe, or all mined."""
        away, left = set(total["away"]), total["left"]
        if not away or total["least"] is None or total["most"] is None:
            return False
        return (total["least"] == left and away <= self.safe) or (
            total["most"] + len(away) == left and away <= self.mined
        )

    def _from_the_total(self, total: TotalData) -> str:
        left, covered = total["left"], total["covered"]
        if not self.clues:
            if left == 0:
                few = ("There is no mine to be", "The only mine is", "Both mines are")
                mines = total["mines"]
                found = few[mines] if mines < 3 else f"All {number_word(mines)} mines are"
                return f"{found} found, so {self._group_or_all(self.safe, covered)} safe."
            left_over = f"{counted(left, 'mine')} {'is' if left == 1 else 'are'} left"
            cells, mined = counted(covered, "covered cell"), self._group_or_all(self.mined, covered)
            return f"{_capital(left_over)} in {cells}, so {mined} mined."
        if self._settles_the_rest(total):
            return self._from_the_rest(total)
        if self.supposition is not None and self.supposition.bounds is not None:
            return self._from_a_count(total, self.supposition)
        are = "is" if left == 1 else "are"
        return (
            f"Only {counted(left, 'mine')} {are} left in {counted(covered, 'covered cell')}."
            f" However {self._names()} get their mines, {self._conclusions()}."
        )

    def _from_the_rest(self, total: TotalData) -> str:
        left, away = total["left"], frozenset(total["away"])
        apart = sum(len(clue.cells) for clue in self.clues) == len(self.near)
        names = _capital(self._names())
        have = "has" if len(self.clues) == 1 else "have"
        inside = set(self.step.cells) - away
        if away <= self.safe:
            mines, limit = counted(left, "mine"), left
            if apart:
                where = "" if len(self.clues) == 1 else " in different cells"
                text = f"{names} {have} {mines} left{where}"
            else:
                text = f"{names} need at least {mines}"
            are = "that is the only one left" if left == 1 else "no more are left"
            text += f", and {are}, so {self._other(away)} safe"
        else:
            limit = left - len(away)
            at_most = "" if apart else "at most "
            are = "lies" if limit == 1 else "lie"
            others, cells = number_word(len(away)), counted(len(away), "other covered cell")
            text = (
                f"{_capital(at_most + number_word(limit))} of the {counted(left, 'mine')} left"
                f" {are} next to {self._names()}, and for the other {others} there"
                f" {_verb(away)} only {cells}, so {self._other(away)} mined"
            )
        if inside:
            # There is one number of mines that these clues can have now: the fewest, or the most.
            text += f"; with {counted(limit, 'mine')} at these clues, {self._conclusions(inside)}"
        return f"{text}."

    def _from_a_count(self, total: TotalData, supposed: _Supposition) -> str:
        least, most = supposed.bounds or (0, 0)
        left, room = total["left"], len(total["away"])
        where = self.topology.describe(supposed.cell)
        text = f"If {where} were {'mined' if supposed.mined else 'safe'}, {self._names()} would"
        if least > left:
            only = f"only {number_word(left)} {'is' if left == 1 else 'are'} left"
            text += f" need at least {counted(least, 'mine')}, but {only}."
        else:
            other = f" and the other covered cells {number_word(room)}" if room else ""
            are = "is" if left == 1 else "are"
            text += (
                f" take at most {counted(most, 'mine')}{other}, but {number_word(left)} {are} left."
            )
        text += f" So it is {'safe' if supposed.mined else 'mined'}"
        others = set(self.step.cells) - {supposed.cell}
        if others:
            text += f"; by the same clues and the total, {self._conclusions(others)}"
        return f"{text}."

    # Parts

    def _name(self, clue: _Clue) -> str:
        return f"the {clue.number} at {self.topology.describe(clue.cell)}"

    def _names(self, clues: Sequence[_Clue] | None = None) -> str:
        clues = self.clues if clues is None else clues
        if len(clues) <= MAX_CLUES:
            return _listed([self._name(clue) for clue in clues])
        cells = [clue.cell for clue in clues]
        return f"the {number_word(len(cells))} clues at {places(self.topology, cells, 'clue')}"

    def _places(self, cells: Collection[int]) -> str:
        return places(self.topology, cells)

    def _group(self, cells: Collection[int]) -> str:
        return f"{self._places(cells)} {_verb(cells)}"

    def _group_or_all(self, cells: Collection[int], covered: int) -> str:
        if len(cells) == covered > MAX_NAMED:
            return f"all {number_word(covered)} covered cells are"
        return self._group(cells)

    def _other(self, cells: Collection[int]) -> str:
        if len(cells) > MAX_NAMED:
            return f"the other {number_word(len(cells))} covered cells are"
        return self._group(cells)

    def _inverted(self, cells: Collection[int]) -> str:
        return f"{_verb(cells)} {self._places(cells)}"

    def _conclusions(self, cells: Iterable[int] | None = None) -> str:
        told = set(self.step.cells if cells is None else cells)
        groups = [(told & self.safe, "safe"), (told & self.mined, "mined")]
        said = [f"{self._group(group)} {verdict}" for group, verdict in groups if group]
        return " and ".join(said)

    def _like(self, cell: int) -> set[int]:
        """Give the cells in the same clues with the same conclusion: the same words prove them."""
        inside = [clue for clue in self.clues if cell in clue.cells]
        concluded = self.safe if cell in self.safe else self.mined
        return {
            other
            for other in concluded & self.near
            if [clue for clue in self.clues if other in clue.cells] == inside
        }
