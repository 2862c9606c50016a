"""A step in words, and the numbers behind the words as data for a page to draw.

Everything is worked out here from the position and the step's clues. Nothing is taken from the
reasoner that found the step, so a sentence is one more proof of it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import TypedDict

from minewright.deduction.phrases import (
    MAX_NAMED,
    capital,
    counted,
    listed,
    number_word,
    places,
    verb,
)
from minewright.deduction.reasons import (
    MAX_BALANCED,
    Balance,
    BalanceData,
    Clue,
    Link,
    PairData,
    Supposition,
    SuppositionData,
    bounds_of,
    clue_of,
    links_from,
    pairs_of,
    refutation,
    union_of,
)
from minewright.deduction.step import Deduction
from minewright.inference import analyze
from minewright.position import MINED

Place = tuple[int, ...]

MAX_CLUES = 4
"""Up to this many clues are named one by one; more are only located."""


class Step(TypedDict):
    """A step as data; cells are the coordinates of a topology, counted from 0."""

    kind: int
    order: int
    pattern: str | None
    total: bool
    clues: list[Place]
    safe: list[Place]
    mined: list[Place]
    sentence: str


class ClueData(TypedDict):
    """A clue: its number, the mines it still needs, and its covered cells."""

    cell: int
    coordinates: Place
    number: int
    left: int
    cells: list[int]


class TotalData(TypedDict):
    """The mine total: mines left, cells away from the clues, and bounds on mines near the clues."""

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
    """Return a step in a sentence or two, as a good player would say it."""
    return _Speaker(step).sentence


def as_data(step: Deduction) -> Step:
    """Return a step as JSON data, with cells as coordinates."""
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
    """Return the numbers behind a step as JSON data, for a page to draw."""
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
        "pairs": list(pairs_of(speaker.clues)),
        "balance": None if speaker.balance is None else speaker.balance.as_data(),
        "total": speaker.total,
        "safe": list(step.safe),
        "mined": list(step.mined),
        "supposition": None if speaker.supposition is None else speaker.supposition.as_data(),
        "sentence": speaker.sentence,
    }


class _Speaker:
    """Finds the reasons for one step and puts them into words."""

    def __init__(self, step: Deduction) -> None:
        self.step = step
        self.topology = step.position.topology
        self.clues = tuple(clue_of(step, cell) for cell in step.clues)
        self.near = union_of(self.clues)
        self.safe, self.mined = frozenset(step.safe), frozenset(step.mined)

    @cached_property
    def total(self) -> TotalData | None:
        """What the mine total says, for a step that needs it."""
        position = self.step.position
        if not self.step.total or position.mines is None:
            return None
        bounds = bounds_of(self.clues, {})
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
    def balance(self) -> Balance | None:
        """A count that proves all conclusions of a step without the total, if the words use it."""
        if self.step.total or not 2 <= len(self.clues) <= MAX_BALANCED:
            return None
        if self._chain is not None and len(self._chain.links) <= 3 and not self._untold:
            return None
        for sides in product((True, False), repeat=len(self.clues)):
            rich = tuple(c for c, is_rich in zip(self.clues, sides, strict=True) if is_rich)
            poor = tuple(c for c, is_rich in zip(self.clues, sides, strict=True) if not is_rich)
            if rich and poor:
                found = Balance(rich, poor)
                if found.holds and self.mined <= found.mined and self.safe <= found.safe:
                    return found
        return None

    @cached_property
    def supposition(self) -> Supposition | None:
        """What refutes the opposite of a conclusion, if the words use it."""
        if self.total is not None:
            return self._count(self.total)
        return self._chain if self.balance is None else None

    @cached_property
    def _chain(self) -> Supposition | None:
        """The shortest chain that refutes the opposite of a conclusion, with all clues if it can.

        Two clues are better said by a balance.
        """
        found = []
        for cell in self.step.cells if len(self.clues) > 2 else ():
            links = refutation(self.clues, cell, cell in self.safe)
            if links:
                unused = len(self.clues) - len({link.clue.cell for link in links})
                found.append((unused, len(links), cell, links))
        if not found:
            return None
        _, _, cell, links = min(found, key=lambda chain: chain[:3])
        return Supposition(cell, cell in self.safe, links)

    @cached_property
    def _untold(self) -> set[int]:
        """The conclusions that do not follow, clue by clue, from the one that a chain proves."""
        if self._chain is None:
            return set(self.step.cells)
        known = dict.fromkeys(self._like(self._chain.cell), not self._chain.mined)
        for _ in links_from(self.clues, known):
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
        return f"However the mines next to {self._names()} are placed, {self._conclusions()}."

    # One clue

    def _from_one_clue(self, clue: Clue) -> str:
        head = capital(self._name(clue))
        if clue.left == 0 and not self.mined:
            if clue.number == 0:
                return f"{head} has no mines next to it, so {self._conclusions()}."
            its = ("its mine", "both of its mines")[clue.number - 1 :][:1]
            have = its[0] if its else f"all {number_word(clue.number)} of its mines"
            return f"{head} already has {have}, so {self._conclusions()}."
        if clue.left == len(clue.cells) and not self.safe:
            if clue.left == 1:
                mine = "its mine" if clue.number == 1 else "its last mine"
                return f"{head} has only one cell left for {mine}, so {self._conclusions()}."
            mines, cells = counted(clue.left, "mine"), counted(clue.left, "cell")
            return (
                f"{head} still needs {mines} and has only {cells} left, so {self._conclusions()}."
            )
        return ""

    # Two clues

    def _from_two_clues(self, balance: Balance) -> str:
        (rich,), (poor,) = balance.rich, balance.poor
        shared = len(rich.cells & poor.cells)
        mines, cells = counted(rich.left, "mine"), counted(len(rich.cells), "cell")
        part = f"{number_word(shared)} of those cells"
        if shared == len(rich.cells):
            part = {1: "it", 2: "both cells"}.get(shared, f"all {number_word(shared)} cells")
        also = "also" if rich.left == poor.left else "only"
        head = (
            f"{capital(self._name(rich))} still needs {mines} in {cells} and shares {part} with"
            f" {self._name(poor)}, which {also} needs {number_word(poor.left)}."
        )
        count = number_word(poor.left)
        held = "cell holds" if shared == 1 else "cells hold"
        if not self.mined and shared == len(rich.cells):
            all_of_them = {1: "that mine", 2: "both mines"}.get(poor.left, f"all {count} mines")
            return f"{head} The shared {held} {all_of_them}, so {self._conclusions()}."
        says, mines_of_poor = [], counted(poor.left, "mine")
        if self.mined:
            says.append(f"at most {mines_of_poor}, so {self._group(self.mined)} mined")
        if self.safe:
            least = count if self.mined else mines_of_poor
            says.append(f"at least {least}, so {self._group(self.safe)} safe")
        they = "it holds" if shared == 1 else "they hold"
        return f"{head} The shared {held} {f'; {they} '.join(says)}."

    # More clues

    def _from_a_balance(self, balance: Balance) -> str:
        rich, poor = balance.rich, balance.poor
        needs = self._needs(rich, balance.left)
        if len(rich) == 1:
            needs += f" in {counted(len(balance.rich_cells), 'cell')}"
        first, *others = poor
        limits = [f"{self._name(first)} can account for at most {number_word(first.left)} of them"]
        limits += [f"{self._name(clue)} for at most {number_word(clue.left)}" for clue in others]
        text = f"{capital(needs)}. {capital(listed(limits))}"
        if not self.mined:
            they = (
                "together they account for all of them, without overlap, and have"
                if others
                else "it accounts for all of them and has"
            )
            return f"{text}, so {they} no mines elsewhere: {self._group(self.safe)} safe."
        text += f", so {self._group(self.mined)} mined"
        if self.safe:
            rest = sum(clue.left for clue in poor)
            needed = "they need, without overlap" if others else "it needs"
            text += f"; the other {'one is' if rest == 1 else f'{number_word(rest)} are'} all"
            text += f" {needed}, so {self._group(self.safe)} safe"
        return f"{text}."

    def _needs(self, clues: Sequence[Clue], mines: int) -> str:
        """Return how many mines some clues still need, if no two of them share a cell."""
        if len(clues) == 1:
            return f"{self._names(clues)} still needs {counted(mines, 'mine')}"
        return (
            f"{self._names(clues)} share no cells and together still need {counted(mines, 'mine')}"
        )

    def _from_a_supposition(self, supposed: Supposition) -> str:
        known = {supposed.cell: supposed.mined}
        says = []
        for link in supposed.links:
            says.append(self._link(link, known))
            known |= dict.fromkeys(link.cells, link.says == "mined")
        verdict = "safe" if supposed.mined else "mined"
        where = self.topology.describe(supposed.cell)
        text = (
            f"If {where} were {'mined' if supposed.mined else 'safe'},"
            f" {'; then '.join(says)}. So {where} is {verdict}"
        )
        same = self._like(supposed.cell) - {supposed.cell}
        if same:
            text += f", and so {self._inverted(same)}"
        return text + self._rest(supposed, {supposed.cell, *same})

    def _link(self, link: Link, known: Mapping[int, bool]) -> str:
        name = self._name(link.clue)
        mined = sum(known.get(cell, False) for cell in link.clue.cells)
        room = sum(cell not in known for cell in link.clue.cells)
        match link.says:
            case "safe":
                return f"{name} would be satisfied, so {self._places(link.cells)} would be safe"
            case "mined":
                need = "a mine" if len(link.cells) == 1 else "mines"
                return f"{name} would need {need} at {self._places(link.cells)}"
            case "too many":
                return f"{name} would have too many mines"
            case "too few":
                left = link.clue.left - mined
                which = "its " if left == link.clue.number else "its last "
                mines = f"{which}{'mine' if left == 1 else f'{number_word(left)} mines'}"
                cells = counted(room, "cell") if room == 0 else f"only {counted(room, 'cell')}"
                return f"{name} would have {cells} left for {mines}"

    def _rest(self, supposed: Supposition, told: set[int]) -> str:
        """Return the other conclusions, with any clue that only they need."""
        rest = set(self.step.cells) - told
        if not rest:
            return "."
        used = {link.clue for link in supposed.links}
        unused = [clue for clue in self.clues if clue not in used]
        if unused:
            # Some of these may follow from the clues already used; only the others need more.
            already = rest & self._certain(used)
            text = f"; the same clues show that {self._conclusions(already)}" if already else ""
            if rest - already:
                text += f"; with {self._names(unused)} as well, {self._conclusions(rest - already)}"
            return f"{text}."
        then = rest - self._untold
        text = f"; it follows that {self._conclusions(then)}" if then else ""
        if self._untold:
            text += f"; the same clues show that {self._conclusions(self._untold)}"
        return f"{text}."

    def _certain(self, clues: Iterable[Clue]) -> set[int]:
        """Return the cells that are certain by some of the step's clues alone."""
        found = analyze(
            self.step.position, clues=[clue.cell for clue in clues], use_total=self.step.total
        )
        return {*found.safe, *found.mined}

    # The total

    def _count(self, total: TotalData) -> Supposition | None:
        if not self.clues or self._settles_the_rest(total):
            return None
        room = len(total["away"])
        for cell in self.step.cells:
            if cell not in self.near:
                continue
            mined = cell in self.safe
            bounds = bounds_of(self.clues, {cell: mined})
            if bounds is not None and (
                bounds[0] > total["left"] or bounds[1] + room < total["left"]
            ):
                return Supposition(cell, mined, (), bounds)
        return None

    def _settles_the_rest(self, total: TotalData) -> bool:
        """Return True if the total makes all cells away from the clues safe, or all mined."""
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
                few = (
                    "There are no mines",
                    "The only mine has been found",
                    "Both mines have been found",
                )
                mines = total["mines"]
                found = (
                    few[mines] if mines < 3 else f"All {number_word(mines)} mines have been found"
                )
                return f"{found}, so {self._group_or_all(self.safe, covered)} safe."
            left_over = f"{counted(left, 'mine')} and {counted(covered, 'covered cell')}"
            mined = self._group_or_all(self.mined, covered)
            return f"{capital(left_over)} are left, so {mined} mined."
        if self._settles_the_rest(total):
            return self._from_the_rest(total)
        if self.supposition is not None and self.supposition.bounds is not None:
            return self._from_a_count(total, self.supposition)
        are = "is" if left == 1 else "are"
        return (
            f"Only {counted(left, 'mine')} {are} left in {counted(covered, 'covered cell')}."
            f" However the mines next to {self._names()} are placed, {self._conclusions()}."
        )

    def _from_the_rest(self, total: TotalData) -> str:
        left, away = total["left"], frozenset(total["away"])
        apart = sum(len(clue.cells) for clue in self.clues) == len(self.near)
        inside = set(self.step.cells) - away
        if away <= self.safe:
            limit = left
            if apart:
                text = capital(self._needs(self.clues, left))
            else:
                names = capital(self._names())
                text = f"{names} together need at least {counted(left, 'mine')}"
            only = f"only {number_word(left)} {'is' if left == 1 else 'are'} left"
            text += f", and {only}, so {self._other(away)} safe"
        else:
            limit = left - len(away)
            at_most, at_least = ("", "") if apart else ("at most ", "at least ")
            are = "is" if limit == 1 else "are"
            mines, cells = counted(len(away), "mine"), counted(len(away), "other covered cell")
            text = (
                f"{capital(at_most + number_word(limit))} of the {number_word(left)} remaining"
                f" mines {are} next to {self._names()}, which leaves {at_least}{mines} for"
                f" {cells}, so {self._other(away)} mined"
            )
        if inside:
            # Only one number of mines is possible at these clues now: the fewest, or the most.
            exactly = f"exactly {counted(limit, 'mine')} next to these clues"
            text += f"; with {exactly}, {self._conclusions(inside)}"
        return f"{text}."

    def _from_a_count(self, total: TotalData, supposed: Supposition) -> str:
        least, most = supposed.bounds or (0, 0)
        left, room = total["left"], len(total["away"])
        where = self.topology.describe(supposed.cell)
        text = f"If {where} were {'mined' if supposed.mined else 'safe'}, {self._names()} would"
        if least > left:
            only = f"only {number_word(left)} {'is' if left == 1 else 'are'} left"
            text += f" need at least {counted(least, 'mine')}, but {only}."
        else:
            other = f" and the other covered cells for at most {number_word(room)}" if room else ""
            are = "is" if left == 1 else "are"
            text += (
                f" account for at most {counted(most, 'mine')}{other}, but {number_word(left)}"
                f" {are} left."
            )
        text += f" So {where} is {'safe' if supposed.mined else 'mined'}"
        others = set(self.step.cells) - {supposed.cell}
        if others:
            text += f"; the same clues and the total show that {self._conclusions(others)}"
        return f"{text}."

    # Parts

    def _name(self, clue: Clue) -> str:
        return f"the {clue.number} at {self.topology.describe(clue.cell)}"

    def _names(self, clues: Sequence[Clue] | None = None) -> str:
        clues = self.clues if clues is None else clues
        if len(clues) <= MAX_CLUES:
            return listed([self._name(clue) for clue in clues])
        cells = [clue.cell for clue in clues]
        return f"the {number_word(len(cells))} clues at {places(self.topology, cells, 'place')}"

    def _places(self, cells: Collection[int]) -> str:
        return places(self.topology, cells)

    def _group(self, cells: Collection[int]) -> str:
        return f"{self._places(cells)} {verb(cells)}"

    def _group_or_all(self, cells: Collection[int], covered: int) -> str:
        if len(cells) == covered > MAX_NAMED:
            return f"all {number_word(covered)} covered cells are"
        return self._group(cells)

    def _other(self, cells: Collection[int]) -> str:
        if len(cells) > MAX_NAMED:
            return f"the other {number_word(len(cells))} covered cells are"
        return self._group(cells)

    def _inverted(self, cells: Collection[int]) -> str:
        return f"{verb(cells)} {self._places(cells)}"

    def _conclusions(self, cells: Iterable[int] | None = None) -> str:
        told = set(self.step.cells if cells is None else cells)
        groups = [(told & self.safe, "safe"), (told & self.mined, "mined")]
        said = [f"{self._group(group)} {verdict}" for group, verdict in groups if group]
        return " and ".join(said)

    def _like(self, cell: int) -> set[int]:
        """Return the cells with the same clues and conclusion, which the same words prove."""
        inside = [clue for clue in self.clues if cell in clue.cells]
        concluded = self.safe if cell in self.safe else self.mined
        return {
            other
            for other in concluded & self.near
            if [clue for clue in self.clues if other in clue.cells] == inside
        }
