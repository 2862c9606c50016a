"""A step in words.

Everything is worked out here from the position and the step's clues. Nothing is taken from the
reasoner that found the step, so a sentence is one more proof of it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import TypedDict

from minewright.deduction.bare import BareStep
from minewright.deduction.phrases import MAX_NAMED, capital, listed, number_word, places, spelled
from minewright.deduction.reasons import (
    MAX_BALANCED,
    Balance,
    Clue,
    Link,
    Supposition,
    bounds_of,
    clue_of,
    links_from,
    refutation,
    union_of,
)
from minewright.deduction.vocabulary import MINESWEEPER, Vocabulary
from minewright.inference import analyze
from minewright.messages import plural
from minewright.position import MINED

MAX_CLUES = 4
"""Up to this many clues are named one by one; more are only located."""


class TotalData(TypedDict):
    """The mine total: mines left, cells away from the clues, and bounds on mines near the clues."""

    mines: int
    left: int
    covered: int
    away: list[int]
    least: int | None
    most: int | None


class Speaker:
    """Finds the reasons for one step and puts them into the words of a game."""

    def __init__(self, step: BareStep, words: Vocabulary = MINESWEEPER) -> None:
        self.step = step
        self.words = words
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
        """A count that proves all conclusions without the total, if the sentence uses it."""
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
        """What refutes the opposite of a conclusion, if the sentence uses that."""
        if self.total is not None:
            return self._count(self.total)
        return self._chain if self.balance is None else None

    @cached_property
    def _chain(self) -> Supposition | None:
        """The shortest chain that refutes the opposite of a conclusion, with all clues if possible.

        Two clues are better explained by a balance.
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
        return self._however()

    def _however(self) -> str:
        """Return a sentence that gives no reason but the clues."""
        mines = plural(self.words.mine)
        return f"However the {mines} next to {self._names()} are placed, {self._conclusions()}."

    # One clue

    def _from_one_clue(self, clue: Clue) -> str:
        head, mine = capital(self._name(clue)), self.words.mine
        if clue.left == 0 and not self.mined:
            if clue.number == 0:
                return f"{head} has no {plural(mine)} next to it, so {self._conclusions()}."
            every = f"all {number_word(clue.number)} of its {plural(mine)}"
            few = {1: f"its {mine}", 2: f"both of its {plural(mine)}"}
            have = few.get(clue.number, every)
            return f"{head} already has {have}, so {self._conclusions()}."
        if clue.left == len(clue.cells) and not self.safe:
            if clue.left == 1:
                its = f"its {mine}" if clue.number == 1 else f"its last {mine}"
                return f"{head} has only one cell left for {its}, so {self._conclusions()}."
            mines, cells = self._mines(clue.left), spelled(clue.left, "cell")
            return (
                f"{head} still needs {mines} and has only {cells} left, so {self._conclusions()}."
            )
        return ""

    # Two clues

    def _from_two_clues(self, balance: Balance) -> str:
        (rich,), (poor,) = balance.rich, balance.poor
        shared = len(rich.cells & poor.cells)
        mines, cells = self._mines(rich.left), spelled(len(rich.cells), "cell")
        part = f"{number_word(shared)} of those cells"
        if shared == len(rich.cells):
            part = {1: "it", 2: "both cells"}.get(shared, f"all {number_word(shared)} cells")
        needs = "also needs" if rich.left == poor.left else "needs only"
        head = (
            f"{capital(self._name(rich))} still needs {mines} in {cells} and shares {part} with"
            f" {self._name(poor)}, which {needs} {number_word(poor.left)}."
        )
        count = number_word(poor.left)
        held = "cell holds" if shared == 1 else "cells hold"
        if not self.mined and shared == len(rich.cells):
            mine = self.words.mine
            all_of_them = {1: f"that {mine}", 2: f"both {plural(mine)}"}.get(
                poor.left, f"all {count} {plural(mine)}"
            )
            return f"{head} The shared {held} {all_of_them}, so {self._conclusions()}."
        says, mines_of_poor = [], self._mines(poor.left)
        if self.mined:
            says.append(f"at most {mines_of_poor}, so {self._mined(self.mined)}")
        if self.safe:
            least = count if self.mined else mines_of_poor
            says.append(f"at least {least}, so {self._safe(self.safe)}")
        they = "it holds" if shared == 1 else "they hold"
        return f"{head} The shared {held} {f'; {they} '.join(says)}."

    # More clues

    def _from_a_balance(self, balance: Balance) -> str:
        rich, poor = balance.rich, balance.poor
        needs = self._needs(rich, balance.left)
        if len(rich) == 1:
            needs += f" in {spelled(len(balance.rich_cells), 'cell')}"
        first, *others = poor
        limits = [f"{self._name(first)} can account for at most {number_word(first.left)} of them"]
        limits += [f"{self._name(clue)} for at most {number_word(clue.left)}" for clue in others]
        text = f"{capital(needs)}. {capital(listed(limits))}"
        if not self.mined:
            they = (
                "together they account for all of them, with no overlap and none to spare"
                if others
                else "it accounts for all of them, with none to spare"
            )
            return f"{text}, so {they}: {self._safe(self.safe)}."
        text += f", so {self._mined(self.mined)}"
        if self.safe:
            rest = sum(clue.left for clue in poor)
            needed = "they need, with no overlap" if others else "it needs"
            text += f"; the other {'one is' if rest == 1 else f'{number_word(rest)} are'} all"
            text += f" {needed}, so {self._safe(self.safe)}"
        return f"{text}."

    def _needs(self, clues: Sequence[Clue], mines: int) -> str:
        """Return how many mines some clues still need, if no two of them share a cell."""
        if len(clues) == 1:
            return f"{self._names(clues)} still needs {self._mines(mines)}"
        return f"{self._names(clues)} share no cells and together still need {self._mines(mines)}"

    def _from_a_supposition(self, supposed: Supposition) -> str:
        known = {supposed.cell: supposed.mined}
        says = []
        for link in supposed.links:
            says.append(self._link(link, known))
            known |= dict.fromkeys(link.cells, link.says == "mined")
        where, mined = self.topology.describe(supposed.cell), supposed.mined
        text = (
            f"If {self.words.supposed(where, mined)}, {'; then '.join(says)}."
            f" So {self.words.verdict(where, not mined, many=False)}"
        )
        same = self._like(supposed.cell) - {supposed.cell}
        if same:
            text += f", and {self.words.also(self._places(same), not mined, len(same) > 1)}"
        return text + self._rest(supposed, {supposed.cell, *same})

    def _link(self, link: Link, known: Mapping[int, bool]) -> str:
        name, mine = self._name(link.clue), self.words.mine
        mined = sum(known.get(cell, False) for cell in link.clue.cells)
        room = sum(cell not in known for cell in link.clue.cells)
        match link.says:
            case "safe":
                then = f"{self._places(link.cells)} would be {self.words.safe}"
                return f"{name} would be satisfied, so {then}"
            case "mined":
                need = f"a {mine}" if len(link.cells) == 1 else plural(mine)
                return f"{name} would need {need} at {self._places(link.cells)}"
            case "too many":
                return f"{name} would have too many {plural(mine)}"
            case "too few":
                left = link.clue.left - mined
                which = "its " if left == link.clue.number else "its last "
                mines = f"{which}{mine if left == 1 else self._mines(left)}"
                cells = spelled(room, "cell") if room == 0 else f"only {spelled(room, 'cell')}"
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
                return f"{self._all_found(total['mines'])}, so {self._all_or_some(mined=False)}."
            left_over = f"{self._mines(left)} and {self._covered_cells(covered)}"
            return f"{capital(left_over)} are left, so {self._all_or_some(mined=True)}."
        if self._settles_the_rest(total):
            return self._from_the_rest(total)
        if self.supposition is not None and self.supposition.bounds is not None:
            return self._from_a_count(total, self.supposition)
        are = "is" if left == 1 else "are"
        return (
            f"Only {self._mines(left)} {are} left in {self._covered_cells(covered)}."
            f" {self._however()}"
        )

    def _all_found(self, total: int) -> str:
        """Return a clause that says that no mine is left to find."""
        mines = plural(self.words.mine)
        few = (
            f"There are no {mines}",
            f"The only {self.words.mine} has been found",
            f"Both {mines} have been found",
        )
        return few[total] if total < len(few) else f"All {self._mines(total)} have been found"

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
                text = f"{names} together need at least {self._mines(left)}"
            only = f"only {number_word(left)} {'is' if left == 1 else 'are'} left"
            text += f", and {only}, so {self._others(away, mined=False)}"
        else:
            limit = left - len(away)
            at_most, at_least = ("", "") if apart else ("at most ", "at least ")
            are = "is" if limit == 1 else "are"
            mines = self._mines(len(away))
            cells = spelled(len(away), f"other {self.words.covered} cell")
            text = (
                f"{capital(at_most + number_word(limit))} of the {number_word(left)} remaining"
                f" {plural(self.words.mine)} {are} next to {self._names()}, which leaves"
                f" {at_least}{mines} for the {cells}, so {self._others(away, mined=True)}"
            )
        if inside:
            # Only one number of mines is possible at these clues now: the fewest, or the most.
            exactly = f"exactly {self._mines(limit)} next to these clues"
            text += f"; with {exactly}, {self._conclusions(inside)}"
        return f"{text}."

    def _from_a_count(self, total: TotalData, supposed: Supposition) -> str:
        least, most = supposed.bounds or (0, 0)
        left, room = total["left"], len(total["away"])
        where = self.topology.describe(supposed.cell)
        text = f"If {self.words.supposed(where, supposed.mined)}, {self._names()} would"
        if least > left:
            only = f"only {number_word(left)} {'is' if left == 1 else 'are'} left"
            text += f" need at least {self._mines(least)}, but {only}."
        else:
            cells = f"the other {self.words.covered} cells"
            other = f" and {cells} for at most {number_word(room)}" if room else ""
            are = "is" if left == 1 else "are"
            text += (
                f" account for at most {self._mines(most)}{other}, but {number_word(left)}"
                f" {are} left."
            )
        text += f" So {self.words.verdict(where, not supposed.mined, many=False)}"
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

    def _mines(self, number: int) -> str:
        return spelled(number, self.words.mine)

    def _covered_cells(self, number: int) -> str:
        return spelled(number, f"{self.words.covered} cell")

    def _safe(self, cells: Collection[int]) -> str:
        return self.words.verdict(self._places(cells), mined=False, many=len(cells) > 1)

    def _mined(self, cells: Collection[int]) -> str:
        return self.words.verdict(self._places(cells), mined=True, many=len(cells) > 1)

    def _all_or_some(self, mined: bool) -> str:
        """Return the conclusions that all covered cells are alike; a few are named one by one."""
        cells = self.mined if mined else self.safe
        if len(cells) <= MAX_NAMED:
            return self._mined(cells) if mined else self._safe(cells)
        return self.words.verdict(f"all {self._covered_cells(len(cells))}", mined, many=True)

    def _others(self, cells: Collection[int], mined: bool) -> str:
        """Return what is concluded about the cells away from the clues."""
        if len(cells) <= MAX_NAMED:
            return self._mined(cells) if mined else self._safe(cells)
        return self.words.verdict(f"the other {self._covered_cells(len(cells))}", mined, many=True)

    def _conclusions(self, cells: Iterable[int] | None = None) -> str:
        told = set(self.step.cells if cells is None else cells)
        said = []
        if told & self.safe:
            said.append(self._safe(told & self.safe))
        if told & self.mined:
            said.append(self._mined(told & self.mined))
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
