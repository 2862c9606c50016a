"""When nothing is certain: the safest cell, its risk, and whether the guess can be avoided."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic

from minewright._kernel import COVERED, MARKED, MAX_NUMBER, MINED, SAFE
from minewright.deduction.phrases import number_word, places
from minewright.inference import (
    DEFAULT_BUDGET,
    Analysis,
    Budget,
    BudgetExceeded,
    analyze,
    enumerate_solutions,
)
from minewright.position import Position

MAX_ARRANGEMENTS = 500
"""A group of cells with more arrangements is not looked into."""
MAX_WITNESSES = 16
"""So many minefields are tried to show that a guess is early."""


@dataclass(frozen=True, slots=True)
class Guess:
    """The safest cell where nothing is certain.

    `risk` is its chance of a mine, and `fraction` the same exactly, or None where that was beyond
    the budget. `cells` is the group that the cell stands in: the forced one, or else the
    uncertain cells linked to it by clues. `forced` is:

    - True if the group is *forced*: in no consistent minefield does any safe cell of the group
      ever become certain, whatever cells outside the group are opened. Waiting is no use.
    - False if the guess is *early*: there is a consistent minefield where this very cell becomes
      certain once the safe cells outside its group are open.
    - None if neither was found within the limits.

    Exactly: fix all mines outside the group. Two arrangements of mines in the group look alike
    if both fit the clues, every cell outside the group that is not certainly mined (and not mined
    in what was fixed) would show the same number with both, and, where the mine total is known,
    both hold as many mines. A group is forced if each arrangement looks like some other one,
    and among those that look alike no cell is safe in all.
    """

    cell: int
    risk: float
    fraction: Fraction | None
    forced: bool | None
    cells: tuple[int, ...]
    sentence: str


def guess(position: Position, *, budget: Budget = DEFAULT_BUDGET) -> Guess | None:
    """Say where to guess if a guess is needed.

    None if a covered cell is certainly safe, if no covered cell can be safe at all, or if no
    minefield looks like the position. Raises BudgetExceeded where exact inference does.
    """
    analysis = analyze(position, budget=budget)
    cell = analysis.best
    certain = len(analysis.safe) + len(analysis.mined)
    if not analysis.consistent or analysis.safe or cell is None:
        return None
    if certain == len(position.covered):
        return None
    risk = analysis.chances[cell]
    assert risk is not None
    try:
        fraction = analysis.fractions[cell]
    except BudgetExceeded:
        fraction = None
    group = _Group(analysis, cell, budget)
    try:
        forced, cells = group.decide()
    except BudgetExceeded:
        forced, cells = None, group.cells
    # Two cells that look alike hold as many mines in all ways if the total is known: one.
    one_mine = len(cells) == 2 and (group.paired or position.mines is not None)
    sentence = _sentence(position, cell, _risk(risk, fraction), forced, cells, one_mine)
    return Guess(cell, risk, fraction, forced, cells, sentence)


def what_is_left(position: Position, guessed: Guess | None) -> str:
    """Say what is left to do where nothing more is certain; `guessed` is where to guess, if known.

    A safe cell that is not open yet comes first: its number may tell more.
    """
    if not position.covered:
        return "Every cell is known."
    safe = position.cells.count(SAFE)
    if safe:
        cells = "safe cell is" if safe == 1 else f"{safe:,} safe cells are"
        return f"Nothing more is certain until the {cells} open."
    return guessed.sentence if guessed else "Nothing more is certain."


def may_guess(position: Position, *, budget: Budget = DEFAULT_BUDGET) -> bool:
    """Whether no covered cell is certainly safe: the answer gives nothing else away.

    False for a position that no minefield looks like: a guess cannot mend that.
    """
    analysis = analyze(position, budget=budget)
    return analysis.consistent and not analysis.safe


def mark_is_wrong(position: Position, *, budget: Budget = DEFAULT_BUDGET) -> bool:
    """Whether some mark is provably wrong; which one is not said.

    Marks are wrong if no consistent minefield has mines at all of them; a mark on a cell that is
    certainly safe is the plainest case. In a position that no minefield looks like, marks or no
    marks, nothing is proved about them.
    """
    if MARKED not in position.cells:
        return False
    trusting = analyze(position, trust_marks=True, budget=budget)
    return not trusting.consistent and analyze(position, budget=budget).consistent


class _Group:
    """The uncertain cells around a cell, their arrangements, and what can be seen of them.

    Arrangements are integers, one bit a cell of `cells`.
    """

    def __init__(self, analysis: Analysis, cell: int, budget: Budget) -> None:
        self.analysis = analysis
        self.position = analysis.position
        self.cell = cell
        self._states = budget.states
        self._end = monotonic() + budget.seconds
        self.mined = frozenset(analysis.mined)
        self.covered = frozenset(self.position.covered)
        self.uncertain = self.covered - self.mined
        self.clued = self.paired = False
        self._take(self._linked())
        # What is not elsewhere: without clues, other cells tell as much as they see.
        self.own = frozenset(self.cells if self.clued else (cell,))

    def _seconds(self) -> float:
        """Give the seconds that are left; raises BudgetExceeded when there are none."""
        left = self._end - monotonic()
        if left <= 0:
            raise BudgetExceeded("too long: whether the guess is forced was not found out")
        return left

    @property
    def budget(self) -> Budget:
        """What is left for a question; raises BudgetExceeded when the time is over."""
        return Budget(self._states, self._seconds())

    def decide(self) -> tuple[bool | None, tuple[int, ...]]:
        """Find whether a guess at the cell is forced or early, and the group it stands in."""
        linked = self.cells
        pair = self._pair()
        if pair is not None:
            self.paired = True
            return True, pair
        arrangements = self._arrangements()
        # Cells that no clue sees are linked by nothing but the total: that all of them together
        # are forced would only say that any first opening is a guess.
        group = self._grow(arrangements, whole=self.clued)
        if group is not None:
            return True, group
        # Cells of several parts can hang together by the total, or by cells that no clue sees.
        wide = _Group(self.analysis, self.cell, self.budget)
        wide._take(self.uncertain)
        everything = wide._arrangements()
        group = wide._grow(everything, whole=False)
        if group is None and self._early(arrangements):
            return False, linked
        group = group or wide._grow(everything, whole=True)
        return (None, linked) if group is None else (True, group)

    def _take(self, cells: Iterable[int]) -> None:
        """Look at some uncertain cells, the cell to guess among them."""
        self.cells = tuple(sorted(cells))
        self.bits = {cell: 1 << at for at, cell in enumerate(self.cells)}

    def _linked(self) -> set[int]:
        """Give the uncertain cells that clues link to the cell; without clues, all such cells."""
        near = self.position.topology.neighbours
        found, fresh = {self.cell}, [self.cell]
        while fresh:
            for clue in near(fresh.pop()):
                if self.position[clue] <= MAX_NUMBER:
                    self.clued = True
                    cells = self.uncertain.intersection(near(clue)) - found
                    found |= cells
                    fresh += cells
        if self.clued:
            return found
        return {
            cell
            for cell in self.uncertain
            if all(self.position[other] > MAX_NUMBER for other in near(cell))
        }

    def _watchers(self, cells: Iterable[int]) -> set[int]:
        """Give the cells next to some that show no number yet and may come to show one."""
        near = {other for cell in cells for other in self.position.topology.neighbours(cell)}
        return {cell for cell in near if cell in self.uncertain or self.position[cell] == SAFE}

    def _pair(self) -> tuple[int, ...] | None:
        """Find a cell that shares all that matters with this one, and exactly one mine.

        The two have the same clues and the same cells around that may come to show a number, so
        whatever is seen, the mine could as well be in the other.
        """
        near = self.position.topology.neighbours

        def sight(cell: int, other: int) -> set[int]:
            seen = self._watchers([cell])
            seen |= {clue for clue in near(cell) if self.position[clue] <= MAX_NUMBER}
            return seen - {other}

        for other in self.cells:
            self._seconds()  # a large board takes a while
            if other == self.cell or sight(self.cell, other) != sight(other, self.cell):
                continue
            both = (
                self._possible(dict.fromkeys((self.cell, other), code)) for code in (MINED, SAFE)
            )
            if not any(both):
                return tuple(sorted((self.cell, other)))
        return None

    def _possible(self, facts: dict[int, int]) -> bool:
        """Whether some consistent minefield has these facts."""
        mines = self.position.mines
        known = self.position.cells.count(MINED) + sum(code == MINED for code in facts.values())
        room = known + sum(cell not in facts for cell in self.covered)
        if mines is not None and not known <= mines <= room:
            return False
        return analyze(self.position.with_cells(facts), budget=self.budget).consistent

    def _arrangements(self) -> list[int]:
        """List the ways to mine the group in consistent minefields; none if they are too many."""
        position = self.position
        around = {other for cell in self.cells for other in position.topology.neighbours(cell)}

        def code(cell: int) -> int:
            if cell in self.bits:
                return COVERED
            if cell in self.mined or position[cell] == MINED:
                return MINED
            return position[cell] if cell in around and position[cell] <= MAX_NUMBER else SAFE

        # Only where nothing else is uncertain must the group hold all mines that are left.
        total = position.mines if len(self.cells) == len(self.uncertain) else None
        part = Position(position.topology, bytes(map(code, range(len(position.cells)))), total)
        found = enumerate_solutions(part, MAX_ARRANGEMENTS + 1, budget=self.budget)
        if len(found) > MAX_ARRANGEMENTS:
            return []
        ways = [sum(self.bits[cell] for cell in field if cell in self.bits) for field in found]
        if self.position.mines is None:
            return ways
        # The rest of the board must take the other mines: that depends on their number only.
        counts = {way.bit_count(): way for way in ways}
        fitting = {count for count, way in counts.items() if self._possible(self._facts(way))}
        return [way for way in ways if way.bit_count() in fitting]

    def _facts(self, way: int) -> dict[int, int]:
        return {cell: MINED if way & bit else SAFE for cell, bit in self.bits.items()}

    def _mask(self, cells: Iterable[int]) -> int:
        return sum(self.bits.get(cell, 0) for cell in cells)

    def _look(self, way: int, group: int, views: dict[int, int]) -> tuple[int, ...]:
        """Say how an arrangement looks from outside a group: equal for those that look alike."""
        total = 0 if self.position.mines is None else way.bit_count()
        numbers = (
            (way & view).bit_count() if not way & self.bits.get(cell, 0) else -1
            for cell, view in views.items()
            if not self.bits.get(cell, 0) & group
        )
        return way & ~group, total, *numbers

    def _grow(self, ways: list[int], whole: bool) -> tuple[int, ...] | None:
        """Find a forced group: start with the cell, and add what another arrangement changes.

        If that leads nowhere, `whole` tries all cells looked at as one group.
        """
        if not ways:
            return None
        near = self.position.topology.neighbours
        views = {cell: self._mask(near(cell)) for cell in self._watchers(self.cells)}
        every = (1 << len(self.cells)) - 1
        group = self.bits[self.cell]
        while True:
            told = self._told(ways, group, views)
            if told is None:
                return self._members(group)
            twin = min(self._twins(told[0], told[1], ways, views), default=None)
            if twin is None or group == every:
                break
            group |= twin[1]
        if whole and self._told(ways, every, views) is None:
            return self.cells
        return None

    def _told(self, ways: list[int], group: int, views: dict[int, int]) -> tuple[int, int] | None:
        """Find an arrangement that gives away a cell of a group, if seen from outside."""
        alike: dict[tuple[int, ...], list[int]] = {}
        for way in ways:
            alike.setdefault(self._look(way, group, views), []).append(way)
        for members in alike.values():
            mined = 0
            for way in members:
                mined |= way
            if group & ~mined:
                return members[0], group & ~mined
            if len(members) == 1:
                return members[0], 0
        return None

    def _twins(
        self, way: int, safe: int, ways: list[int], views: dict[int, int]
    ) -> Iterator[tuple[int, int]]:
        """Give arrangements that no number tells from one, with a mine where that one is safe.

        Each comes as the number of cells that differ, and these cells. Every other cell that is
        safe shows the same with both.
        """
        first = safe & -safe
        for other in ways:
            change = way ^ other
            if not change or (first and not other & first):
                continue
            if self._look(way, change, views) == self._look(other, change, views):
                yield change.bit_count(), change

    def _early(self, ways: list[int]) -> bool:
        """Find a minefield where cells elsewhere, once open, make this cell certain."""
        for field in self._witnesses(ways):
            opened = {
                cell: sum(other in field for other in self.position.topology.neighbours(cell))
                for cell, code in enumerate(self.position.cells)
                if (cell in self.covered or code == SAFE)
                and cell not in field
                and cell not in self.own
            }
            seen = analyze(self.position.with_cells(opened), budget=self.budget)
            if self.cell in seen.safe:
                return True
        return False

    def _witnesses(self, ways: list[int]) -> Iterator[frozenset[int]]:
        """Give minefields where the cell is safe, and as many of those that see it as may be."""
        bit = self.bits[self.cell]
        starts = [self._facts(way) for way in ways if not way & bit][:MAX_WITNESSES]
        for facts in starts if starts and self.clued else [{self.cell: SAFE}]:
            for watcher in sorted(self._watchers([self.cell]) - self.own):
                if watcher in self.covered and self._possible(facts | {watcher: SAFE}):
                    facts[watcher] = SAFE
            yield from enumerate_solutions(self.position.with_cells(facts), 2, budget=self.budget)

    def _members(self, group: int) -> tuple[int, ...]:
        return tuple(cell for cell, bit in self.bits.items() if bit & group)


def _sentence(
    position: Position,
    cell: int,
    risk: str,
    forced: bool | None,
    cells: tuple[int, ...],
    one_mine: bool,
) -> str:
    topology = position.topology
    head = "Nothing is certain"
    if SAFE in position.cells:
        head = "Nothing more is certain before the safe cells are open"
    text = f"{head}. The safest cell is {topology.describe(cell)}, with a risk of {risk}."
    if forced is None:
        return f"{text} Whether the guess is forced or only early was not found out."
    if not forced:
        return f"{text} The guess is early: other cells, once open, may make it certain."
    where = places(topology, cells)
    if one_mine:
        return (
            f"{text} The guess is forced: {where} hold one mine between them, and no number will"
            " ever tell which."
        )
    those = "it" if len(cells) == 1 else f"a cell of {where}"
    return f"{text} The guess is forced: no number elsewhere will ever make {those} certain."


def _risk(risk: float, fraction: Fraction | None) -> str:
    if fraction is not None and fraction.denominator <= 12:
        return f"{number_word(fraction.numerator)} in {number_word(fraction.denominator)}"
    percent = 100 * risk
    if percent < 0.1:
        return "less than 0.1%"
    return f"{min(percent, 99.9):.{0 if 10 <= percent <= 90 else 1}f}%"
