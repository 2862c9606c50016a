"""When nothing is certain: the safest cell, its risk, and whether waiting could help."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic

from minewright.deduction.phrases import number_word, places
from minewright.inference import (
    DEFAULT_BUDGET,
    Analysis,
    Budget,
    BudgetExceeded,
    analyze,
    enumerate_solutions,
)
from minewright.position import COVERED, MARKED, MAX_NUMBER, MINED, SAFE, Position

MAX_ARRANGEMENTS = 500
"""A group of cells with more arrangements is not examined."""
MAX_WITNESSES = 16
"""The most minefields to try when showing that a guess is early."""


@dataclass(frozen=True, slots=True)
class Guess:
    """The safest cell when nothing is certain.

    `risk` is its chance of a mine. `fraction` is the same as an exact fraction, or None if that
    was beyond the budget. `cells` is the group of the cell: the forced group, or else the
    uncertain cells that clues link to it. `forced` is:

    - True if the group is *forced*: in no consistent minefield does any safe cell of the group
      ever become certain, whatever cells outside the group are opened. Waiting does not help.
    - False if the guess is *early*: there is a consistent minefield where this very cell becomes
      certain once the safe cells outside its group are open.
    - None if neither was found within the limits.

    To be exact: fix all mines outside the group. Two arrangements of mines in the group look
    alike if three things hold. Both fit the clues. Every cell outside the group that is neither
    certainly mined nor among the fixed mines would show the same number with both. And, if the
    mine total is known, both have the same number of mines. A group is forced if each arrangement
    looks like some other one, and no cell is safe in all arrangements that look alike.
    """

    cell: int
    risk: float
    fraction: Fraction | None
    forced: bool | None
    cells: tuple[int, ...]
    sentence: str


def guess(position: Position, *, budget: Budget = DEFAULT_BUDGET) -> Guess | None:
    """Return where to guess if a guess is needed.

    Return None if a covered cell is certainly safe, if no covered cell can be safe at all, or if
    no minefield fits the position. Raise BudgetExceeded if exact inference does.
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
    # If the total is known, two cells that look alike always hold the same number of mines: one.
    one_mine = len(cells) == 2 and (group.paired or position.mines is not None)
    sentence = _sentence(position, cell, _risk(risk, fraction), forced, cells, one_mine)
    return Guess(cell, risk, fraction, forced, cells, sentence)


def what_is_left(position: Position, guessed: Guess | None) -> str:
    """Return what is left to do when nothing more is certain; `guessed` is the guess, if known.

    A safe cell that is still unopened comes first: its number may tell more.
    """
    if not position.covered:
        return "Every cell is known."
    safe = position.cells.count(SAFE)
    if safe:
        cells = "safe cell is" if safe == 1 else f"{safe:,} safe cells are"
        return f"Nothing more is certain until the {cells} opened."
    return guessed.sentence if guessed else "Nothing more is certain."


def may_guess(position: Position, *, budget: Budget = DEFAULT_BUDGET) -> bool:
    """Return True if no covered cell is certainly safe. The answer gives nothing else away.

    Return False if no minefield fits the position: a guess cannot help then.
    """
    analysis = analyze(position, budget=budget)
    return analysis.consistent and not analysis.safe


def mark_is_wrong(position: Position, *, budget: Budget = DEFAULT_BUDGET) -> bool:
    """Return True if some mark is provably wrong, without saying which.

    Marks are wrong if no consistent minefield has mines at all of them. The simplest case is a
    mark on a cell that is certainly safe. If no minefield fits the position even without the
    marks, nothing is proved about them.
    """
    if MARKED not in position.cells:
        return False
    trusting = analyze(position, trust_marks=True, budget=budget)
    return not trusting.consistent and analyze(position, budget=budget).consistent


class _Group:
    """The uncertain cells around a cell, their arrangements, and what can be seen of them.

    Arrangements are integers with one bit per cell of `cells`.
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
        # The cells that do not count as elsewhere: without clues, only the cell itself.
        self.own = frozenset(self.cells if self.clued else (cell,))

    def _seconds(self) -> float:
        """Return the seconds left. Raise BudgetExceeded if there are none."""
        left = self._end - monotonic()
        if left <= 0:
            raise BudgetExceeded("not enough time to find out whether the guess is forced")
        return left

    @property
    def budget(self) -> Budget:
        """What is left for one question. Raise BudgetExceeded when the time is up."""
        return Budget(self._states, self._seconds())

    def decide(self) -> tuple[bool | None, tuple[int, ...]]:
        """Return whether a guess at the cell is forced or early, and the group of the cell."""
        linked = self.cells
        pair = self._pair()
        if pair is not None:
            self.paired = True
            return True, pair
        arrangements = self._arrangements()
        # Only the total links cells that no clue touches. That all of them together are forced
        # would only mean that any first opening is a guess.
        group = self._grow(arrangements, whole=self.clued)
        if group is not None:
            return True, group
        # The total, or cells that no clue touches, can tie cells of several parts together.
        wide = _Group(self.analysis, self.cell, self.budget)
        wide._take(self.uncertain)
        everything = wide._arrangements()
        group = wide._grow(everything, whole=False)
        if group is None and self._early(arrangements):
            return False, linked
        group = group or wide._grow(everything, whole=True)
        return (None, linked) if group is None else (True, group)

    def _take(self, cells: Iterable[int]) -> None:
        """Make the group these uncertain cells, which include the cell to guess."""
        self.cells = tuple(sorted(cells))
        self.bits = {cell: 1 << at for at, cell in enumerate(self.cells)}

    def _linked(self) -> set[int]:
        """Return the uncertain cells that clues link to the cell, or, without clues, all such."""
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
        """Return the neighbours of some cells that show no number yet but may do so later."""
        near = {other for cell in cells for other in self.position.topology.neighbours(cell)}
        return {cell for cell in near if cell in self.uncertain or self.position[cell] == SAFE}

    def _pair(self) -> tuple[int, ...] | None:
        """Find a cell with the same surroundings such that it and this one hold exactly one mine.

        The two have the same clues and the same neighbours that may show a number later. So
        whatever is seen, the mine could just as well be in the other cell.
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
        """Return True if some consistent minefield agrees with these facts."""
        mines = self.position.mines
        known = self.position.cells.count(MINED) + sum(code == MINED for code in facts.values())
        room = known + sum(cell not in facts for cell in self.covered)
        if mines is not None and not known <= mines <= room:
            return False
        return analyze(self.position.with_cells(facts), budget=self.budget).consistent

    def _arrangements(self) -> list[int]:
        """Return the ways to mine the group in consistent minefields; none if too many."""
        position = self.position
        around = {other for cell in self.cells for other in position.topology.neighbours(cell)}

        def code(cell: int) -> int:
            if cell in self.bits:
                return COVERED
            if cell in self.mined or position[cell] == MINED:
                return MINED
            return position[cell] if cell in around and position[cell] <= MAX_NUMBER else SAFE

        # The group must hold all remaining mines only if nothing else is uncertain.
        total = position.mines if len(self.cells) == len(self.uncertain) else None
        part = Position(position.topology, bytes(map(code, range(len(position.cells)))), total)
        found = enumerate_solutions(part, MAX_ARRANGEMENTS + 1, budget=self.budget)
        if len(found) > MAX_ARRANGEMENTS:
            return []
        ways = [sum(self.bits[cell] for cell in field if cell in self.bits) for field in found]
        if self.position.mines is None:
            return ways
        # The rest of the board must hold the other mines, which depends on their number only.
        counts = {way.bit_count(): way for way in ways}
        fitting = {count for count, way in counts.items() if self._possible(self._facts(way))}
        return [way for way in ways if way.bit_count() in fitting]

    def _facts(self, way: int) -> dict[int, int]:
        return {cell: MINED if way & bit else SAFE for cell, bit in self.bits.items()}

    def _mask(self, cells: Iterable[int]) -> int:
        return sum(self.bits.get(cell, 0) for cell in cells)

    def _look(self, way: int, group: int, views: dict[int, int]) -> tuple[int, ...]:
        """Return how an arrangement looks from outside a group; those that look alike are equal."""
        total = 0 if self.position.mines is None else way.bit_count()
        numbers = (
            (way & view).bit_count() if not way & self.bits.get(cell, 0) else -1
            for cell, view in views.items()
            if not self.bits.get(cell, 0) & group
        )
        return way & ~group, total, *numbers

    def _grow(self, ways: list[int], whole: bool) -> tuple[int, ...] | None:
        """Find a forced group: start with the cell, and add the cells in which a twin differs.

        If that fails, `whole` tries all cells as one group.
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
        """Find an arrangement that, seen from outside, gives away a cell of a group."""
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
        """Yield arrangements that no number distinguishes from `way`, with a mine in `safe`.

        Each comes as the number of cells that differ, and those cells. Every other safe cell
        shows the same number with both.
        """
        first = safe & -safe
        for other in ways:
            change = way ^ other
            if not change or (first and not other & first):
                continue
            if self._look(way, change, views) == self._look(other, change, views):
                yield change.bit_count(), change

    def _early(self, ways: list[int]) -> bool:
        """Return True if, in some minefield, opening cells elsewhere makes this cell certain."""
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
        """Yield minefields where the cell is safe, and as many of its watchers as possible."""
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
        head = "Nothing more is certain until the safe cells are opened"
    text = f"{head}. The safest cell is {topology.describe(cell)}, with a risk of {risk}."
    if forced is None:
        return f"{text} It is not clear whether waiting would help."
    if not forced:
        return f"{text} You could wait: opening other cells may settle this one."
    where = places(topology, cells)
    if one_mine:
        return (
            f"{text} The guess is forced: {where} hold one mine between them, and no number will"
            " ever show which."
        )
    what = "whether it is safe" if len(cells) == 1 else f"a safe cell among {where}"
    return f"{text} The guess is forced: no number elsewhere will ever show {what}."


def _risk(risk: float, fraction: Fraction | None) -> str:
    if fraction is not None and fraction.denominator <= 12:
        return f"{number_word(fraction.numerator)} in {number_word(fraction.denominator)}"
    percent = 100 * risk
    if percent < 0.1:
        return "less than 0.1%"
    return f"{min(percent, 99.9):.{0 if 10 <= percent <= 90 else 1}f}%"
