"""The clicks that a board takes: its openings, its 3BV, and ZiNi with marks and chords."""

from collections.abc import Container, Iterator
from heapq import heapify, heappop, heappush

from minewright.position import MAX_NUMBER
from minewright.topology import Topology


def bbbv(topology: Topology, truth: bytes, opened: Container[int] | None = None) -> int:
    """Return the fewest clicks that clear a board: one per opening, one per number beside no 0.

    With `opened`, count only the openings and numbers that are open.
    """
    reached = bytearray(len(truth))
    clicks = sum(opened is None or start in opened for start in _openings(topology, truth, reached))
    return clicks + sum(
        not reached[cell] and 0 < number <= MAX_NUMBER and (opened is None or cell in opened)
        for cell, number in enumerate(truth)
    )


def openings(topology: Topology, truth: bytes) -> int:
    """Return how many connected patches of 0s a board has."""
    return sum(1 for _ in _openings(topology, truth, bytearray(len(truth))))


def _openings(topology: Topology, truth: bytes, reached: bytearray) -> Iterator[int]:
    """Yield the first cell of each patch of 0s; mark the patch and the numbers around it."""
    near = topology.graph.neighbours
    start = truth.find(0)
    while start >= 0:
        if not reached[start]:
            yield start
            reached[start] = 1
            patch = [start]
            while patch:
                for cell in near(patch.pop()):
                    if not reached[cell]:
                        reached[cell] = 1
                        if truth[cell] == 0:
                            patch.append(cell)
        start = truth.find(0, start + 1)


def zini(topology: Topology, truth: bytes, *, human: bool = False) -> int:
    """Return how many clicks a greedy player with marks and chords needs: ZiNi.

    It always chords where that saves the most clicks, and clicks where nothing saves any. With
    `human` (HZiNi) it opens all 0s first, and chords only at cells that are open. This is the
    algorithm of Elmar Zimmermann and Christoph Nikolaus; ties go to the first cell, column by
    column, as in other programs. The result need not be the least possible.
    """
    return _Greedy(topology, truth).play(human)


class _Greedy:
    """A board that is being cleared.

    The *premium* of a cell is what a chord there saves: a click for each opening or lone number
    that it opens, less a click for the chord, for each mine to be marked, and for the cell itself
    if it is covered. A cell beside three openings counts two, as in the original.
    """

    def __init__(self, topology: Topology, truth: bytes) -> None:
        near = topology.graph.neighbours
        self._truth = truth
        self._around = [(cell, *near(cell)) for cell in range(topology.size)]
        self._order = sorted(
            range(topology.size), key=lambda cell: topology.coordinates(cell)[::-1]
        )
        self._rank = [0] * topology.size
        for rank, cell in enumerate(self._order):
            self._rank[cell] = rank
        self._open = bytearray(topology.size)
        self._marked = bytearray(topology.size)
        self._clicks = self._opened = 0
        self._members: list[list[int]] = []
        self._openings: list[list[int]] = [[] for _ in range(topology.size)]
        for start in self._order:
            if truth[start] == 0 and not self._openings[start]:
                self._trace(start)
        self._premium = [
            -1 if number == 0 else self._gain(cell) - number - 2
            for cell, number in enumerate(truth)
        ]
        # A heap of cells where a chord could save something, the best on top. Each change of a
        # premium adds an entry; an entry counts only while the cell still has its premium.
        self._chords = [self._entry(c) for c, saved in enumerate(self._premium) if saved >= 0]
        heapify(self._chords)

    def _entry(self, cell: int) -> tuple[int, int, int]:
        return -self._premium[cell], self._rank[cell], cell

    def _trace(self, start: int) -> None:
        """Note the opening that a 0 belongs to, with the numbers around it."""
        opening = len(self._members)
        members = []
        waiting = [start]
        while waiting:
            cell = waiting.pop()
            mine = self._openings[cell]
            if opening in mine or len(mine) == 2:
                continue
            mine.append(opening)
            members.append(cell)
            if self._truth[cell] == 0:
                waiting.extend(self._around[cell])
        self._members.append(members)

    def _gain(self, cell: int) -> int:
        lone = sum(self._is_lone(other) for other in self._around[cell])
        return lone + len(self._openings[cell])

    def _is_lone(self, cell: int) -> bool:
        return self._truth[cell] <= MAX_NUMBER and not self._openings[cell]

    def play(self, human: bool) -> int:
        """Clear the board, and return the number of clicks."""
        safe = [cell for cell in self._order if self._truth[cell] <= MAX_NUMBER]
        if human:
            for cell in safe:
                if self._truth[cell] == 0 and not self._open[cell]:
                    self._click(cell)
        rest = iter(safe)
        while self._opened < len(safe):
            best = self._best(human)
            if best is not None:
                self._chord(best)
                continue
            units = (
                c for c in rest if not self._open[c] and (not self._truth[c] or self._is_lone(c))
            )
            self._click(next(units))
        return self._clicks

    def _best(self, human: bool) -> int | None:
        """Return where a chord saves the most, if it saves anything anywhere."""
        while self._chords:
            saved, _, cell = self._chords[0]
            if -saved == self._premium[cell] and (self._open[cell] or not human):
                return cell
            heappop(self._chords)
        return None

    def _click(self, cell: int) -> None:
        self._clicks += 1
        self._reveal(cell)

    def _chord(self, cell: int) -> None:
        if not self._open[cell]:
            self._click(cell)
        for other in self._around[cell]:
            if self._truth[other] > MAX_NUMBER and not self._marked[other]:
                self._clicks += 1
                self._marked[other] = 1
                self._change(other, 1)
        self._clicks += 1
        for other in self._around[cell]:
            if self._truth[other] <= MAX_NUMBER:
                self._reveal(other)

    def _reveal(self, cell: int) -> None:
        if self._open[cell]:
            return
        if self._truth[cell]:
            self._uncover(cell)
            return
        for member in self._members[self._openings[cell][0]]:
            if not self._open[member]:
                self._uncover(member)
            self._add(member, -1)

    def _uncover(self, cell: int) -> None:
        self._open[cell] = 1
        self._opened += 1
        self._add(cell, 1)
        if self._is_lone(cell):
            self._change(cell, -1)

    def _change(self, cell: int, by: int) -> None:
        for other in self._around[cell]:
            self._add(other, by)

    def _add(self, cell: int, by: int) -> None:
        self._premium[cell] += by
        if self._premium[cell] >= 0 and self._truth[cell] <= MAX_NUMBER:
            heappush(self._chords, self._entry(cell))
