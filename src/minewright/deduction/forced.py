"""Whether a guess is forced, or whether opening other cells could settle the cells around it."""

from collections.abc import Iterable, Iterator
from time import monotonic

from minewright.inference import Analysis, Budget, BudgetExceeded, analyze, enumerate_solutions
from minewright.position import COVERED, MAX_NUMBER, MINED, SAFE, Position

MAX_ARRANGEMENTS = 500
"""A group of cells with more arrangements is not examined."""
MAX_WITNESSES = 16
"""The most minefields to try when showing that a guess is early."""


class Group:
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
        # Cells that no clue touches are linked by the total alone. To call all of them forced
        # would only say that any first opening is a guess.
        group = self._grow(arrangements, whole=self.clued)
        if group is not None:
            return True, group
        # The total, or cells that no clue touches, can tie cells of several parts together.
        wide = Group(self.analysis, self.cell, self.budget)
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
        """Return the uncertain cells that clues link to the cell.

        If no clue touches the cell, return all uncertain cells that no clue touches.
        """
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
