"""MineBot: truth, contrapositive, exhaustion and burnout, in rising order (document 003).

The text's locations are our cells, its open ones with unknown cells around them our numbers. A
strategy has failed when it finds nothing "over the entire board", so each algorithm goes over all
numbers of a position and gives all that it finds there; after a success truth has the next turn.

How contrapositive and exhaustion follow an assumption decides how well MineBot plays, and the text
can be read in two ways:

- `reading=literal`, the default. Truth is applied to a number, then to each open neighbour of it,
  and so on, to each of "up to n locations" once. The contradiction to be found is the one that is
  named, a number with too many mines. One with too few cells left is neither of truth's two cases,
  so truth passes over it: a 1 beside a 1 at the edge, which every player knows, is beyond MineBot.
- `reading=thorough`. Truth is applied until there is nothing new, and both are contradictions.

The default was chosen with the text's result in view, 5.6% of 500 expert games, so that its coming
near is no test of it. What tells is the contradiction: readings that see only too many mines, in
whatever order they visit the numbers, won 4 to 7% of 1000 to 3000 games, those that see both 12 to
15% of 600 to 3000. The order is not decided by the text's 500 games; ours is the recursion's.

Only burnout counts the mines that are left. The other three know the numbers alone.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from itertools import combinations
from math import comb, inf

from minewright._kernel import MAX_NUMBER, Sums, Support
from minewright.position import Position
from minewright.strategies.constraints import CellSet, boxes_of, cells_of, frontier, set_of, view
from minewright.strategies.registry import Kind, Option, register
from minewright.strategies.strategy import Conclusion, Deducer, Finding

CONFIGURATIONS = 1000
"""Of one number, at most, are tried: enough for twelve cells, and on a flat board it has eight.

Exhaustion passes over a number with more, which only boards of three dimensions have.
"""

NODES = 100_000
"""Of a search over the whole board, before it gives up."""


class Numbers:
    """The numbers of a position that have unknown cells around them, and what follows from what."""

    def __init__(self, position: Position, thorough: bool = False) -> None:
        self.position = position
        self.thorough = thorough
        self.seen = view(position)
        self.constraints = self.seen.constraints()
        self.walks: dict[int, list[tuple[CellSet, int]]] = {}

    def describe(self, cell: int) -> str:
        """Name a cell."""
        return self.position.topology.describe(cell)

    @cached_property
    def near(self) -> CellSet:
        """The unknown cells beside a number."""
        return frontier(self.constraints)

    # One assumption and what follows from it

    def refutes(self, clue: int, marks: Sequence[int]) -> bool:
        """Say whether marks around a number, and truth applied from there on, are a contradiction.

        Cells that truth would open are noted as open, though their numbers are not discovered.
        """
        # The kernel goes on until there is nothing new: what it does not refute no walk does.
        place, sums = self.places
        refuted = sums.assume([place[cell] for cell in marks], ()) is None
        return refuted and (self.thorough or self.meets_too_many(clue, set_of(tuple(marks))))

    def meets_too_many(self, clue: int, marked: CellSet) -> bool:
        """Walk from a number with these marks; say whether a number has too many mines."""
        noted = 0
        for cells, mines in self.walk(clue):
            count = (cells & marked).bit_count()
            left = cells & ~marked & ~noted
            if count > mines:
                return True
            if count == mines:
                noted |= left
            elif count + left.bit_count() == mines:
                marked |= left
        return False

    def walk(self, clue: int) -> list[tuple[CellSet, int]]:
        """Give the numbers in the order of the recursion: one, then each open neighbour in turn."""
        if clue in self.walks:
            return self.walks[clue]
        said = self.said
        around, new = self.seen.neighbours, self.open & ~(1 << clue)
        order, path = [said[clue]], [clue]
        while path:
            ahead = around[path[-1]] & new
            if not ahead:
                path.pop()
                continue
            first = ahead & -ahead
            new ^= first
            cell = first.bit_length() - 1
            path.append(cell)
            if cell in said:
                order.append(said[cell])
        self.walks[clue] = order
        return order

    @cached_property
    def said(self) -> dict[int, tuple[CellSet, int]]:
        """What each number says."""
        return {clue: (cells, mines) for clue, cells, mines in self.constraints}

    @cached_property
    def open(self) -> CellSet:
        """The open cells, whose values are known."""
        cells = self.position.cells
        return set_of(tuple(cell for cell, code in enumerate(cells) if code <= MAX_NUMBER))

    @cached_property
    def places(self) -> tuple[dict[int, int], Sums]:
        """What the numbers say, for the kernel, and the place of each cell there."""
        place = {cell: at for at, cell in enumerate(cells_of(self.near))}
        sums = [([place[cell] for cell in cells_of(cells)], m) for _, cells, m in self.constraints]
        return place, Sums([1] * len(place), sums)

    @cached_property
    def consistent(self) -> bool:
        """Whether nothing is a contradiction already: after a wrong mark no proof is one."""
        return self.places[1].assume((), ()) is not None

    # All configurations of the whole board

    @cached_property
    def boxes(self) -> list[CellSet]:
        """The unknown cells beside numbers, those at the same numbers together.

        Such cells are alike: a search need only say how many of them are mined.
        """
        found = boxes_of(self.constraints)
        return sorted(set(found.values()), key=lambda box: box & -box)

    def together(self, boxes: Sequence[CellSet], mines: int | None = None) -> Sums:
        """Give what the numbers say about the boxes, and that all hold so many mines, if given."""
        sums: list[tuple[Sequence[int], int]] = [
            ([at for at, box in enumerate(boxes) if box & cells], count)
            for _, cells, count in self.constraints
        ]
        if mines is not None:
            sums.append((range(len(boxes)), mines))
        return Sums([box.bit_count() for box in boxes], sums)


def truth(numbers: Numbers) -> Conclusion:
    """Look at each number alone: all its mines are marked, or all its unknown cells are mines."""
    findings = []
    for clue, cells, mines in numbers.constraints:
        if mines == 0:
            reason = f"{numbers.describe(clue)} has all its mines: truth"
            findings.append(Finding(cells_of(cells), (), reason))
        elif mines == cells.bit_count():
            reason = f"{numbers.describe(clue)} needs all its cells: truth"
            findings.append(Finding((), cells_of(cells), reason))
    return Conclusion(tuple(findings))


def contrapositive(numbers: Numbers) -> Conclusion:
    """Assume one mark beside each number, and call its cell safe if that is a contradiction.

    The text says that marks are placed "so as to fulfill" a number, and then that "the location
    that was marked must be safe", after at most eight assumptions. Several marks refuted together
    prove none of them wrong, so a mark is assumed alone.
    """
    if not numbers.consistent:
        return Conclusion()
    findings = []
    found = 0
    for clue, cells, _ in numbers.constraints:
        for cell in cells_of(cells & ~found):
            if numbers.refutes(clue, (cell,)):
                found |= 1 << cell
                where, near = numbers.describe(cell), numbers.describe(clue)
                reason = f"a mine in {where} is a contradiction, from {near} on: contrapositive"
                findings.append(Finding((cell,), (), reason))
    return Conclusion(tuple(findings))


def exhaustion(numbers: Numbers) -> Conclusion:
    """Try all mark configurations of each number, and keep what the valid ones have in common."""
    if not numbers.consistent:
        return Conclusion()
    findings = []
    gave_up = False
    for clue, cells, mines in numbers.constraints:
        if comb(cells.bit_count(), mines) > CONFIGURATIONS:
            gave_up = True
            continue
        valid, always, ever = 0, cells, 0
        for marks in combinations(cells_of(cells), mines):
            if not numbers.refutes(clue, marks):
                valid += 1
                always &= set_of(marks)
                ever |= set_of(marks)
                if not always and ever == cells:
                    break  # nothing is in common any more, whatever comes
        else:
            if valid:
                reason = f"so in all valid marks ({valid}) of {numbers.describe(clue)}: exhaustion"
                findings.append(Finding(cells_of(cells & ~ever), cells_of(always), reason))
    return Conclusion(tuple(findings), gave_up=gave_up)


def burnout(numbers: Numbers, nodes: int = NODES) -> Conclusion:
    """Find nothing mined beyond the numbers if their fewest mines are all that are left.

    The text admits a flaw "that prevents all safe locations from being identified", and does not
    say which. The one to be seen is that it concludes only about cells "beyond the neighborhoods
    of these unsatisfied locations"; so does this.
    """
    beyond = numbers.seen.unknown
    for _, cells, mines in numbers.constraints:
        if mines > 0:
            beyond &= ~cells
    burnt = burnt_out(numbers, nodes) if beyond else False
    findings = (Finding(cells_of(beyond), (), _BURNT),) if burnt else ()
    return Conclusion(findings, gave_up=burnt is None)


def mended_burnout(numbers: Numbers, nodes: int = NODES) -> Conclusion:
    """Find every cell that no configuration with the fewest mines marks (Further Research).

    If the fewest mines are all that are left, there are no other configurations.
    """
    burnt = burnt_out(numbers, nodes)
    if not burnt:
        return Conclusion(gave_up=burnt is None)
    safe = numbers.seen.unknown & ~numbers.near
    found = search(numbers.together(numbers.boxes, numbers.seen.mines), nodes)
    for box, high in zip(numbers.boxes, found.high, strict=True):
        if high == 0:
            safe |= box
    findings = (Finding(cells_of(safe), (), _BURNT),) if safe else ()
    return Conclusion(findings, gave_up=not found.complete)


_BURNT = "the numbers need all mines that are left: burnout"


def burnt_out(numbers: Numbers, nodes: int) -> bool | None:
    """Say whether the numbers need all mines that are left; None if that takes too long to find.

    The text's tree branches over the configurations of one number after another; the kernel's
    cuts off what cannot be the minimum, and stops where fewer mines than are left will do.
    """
    mines = numbers.seen.mines
    if mines is None:
        return False
    found = numbers.together(numbers.boxes).fewest(mines, nodes, inf)
    return found.fewest == mines if found.complete else None


def similarity(numbers: Numbers, nodes: int = NODES) -> Conclusion:
    """Keep what all ways to place the mines that are left have in common (Further Research)."""
    mines = numbers.seen.mines
    rest = numbers.seen.unknown & ~numbers.near
    boxes = [*numbers.boxes, rest] if rest and mines is not None else numbers.boxes
    found = search(numbers.together(boxes, mines), nodes)
    if not found.consistent:
        return Conclusion()
    safe = mined = 0
    for box, low, high in zip(boxes, found.low, found.high, strict=True):
        if high == 0:
            safe |= box
        elif low == box.bit_count():
            mined |= box
    reason = "so in every way to place the mines that are left: similarity"
    findings = (Finding(cells_of(safe), cells_of(mined), reason),) if safe or mined else ()
    return Conclusion(findings, gave_up=not found.complete)


def search(system: Sums, nodes: int) -> Support:
    """Find the least and the greatest value of each variable over all solutions."""
    return system.support("gac", "constrained", nodes, inf)


Algorithm = Callable[[Numbers], Conclusion]


class MineBot(Deducer):
    """Applies algorithms in rising order, until one of them finds something."""

    def __init__(self, algorithms: Iterable[Algorithm], reading: str = "literal") -> None:
        self.algorithms = tuple(algorithms)
        self.thorough = reading == "thorough"

    def conclude(self, position: Position) -> Conclusion:
        """Give what the first successful algorithm finds; the next turn begins with the first."""
        numbers = Numbers(position, self.thorough)
        gave_up = False
        for algorithm in self.algorithms:
            conclusion = algorithm(numbers)
            gave_up |= conclusion.gave_up
            if conclusion.findings:
                return Conclusion(conclusion.findings, gave_up=gave_up)
        return Conclusion(gave_up=gave_up)


def published(reading: str, nodes: str) -> Deducer:
    """Make MineBot as published."""
    last = partial(burnout, nodes=int(nodes))
    return MineBot((truth, contrapositive, exhaustion, last), reading)


def burnout_alone(nodes: str) -> Deducer:
    """Make a player of burnout and nothing else."""
    return MineBot((partial(burnout, nodes=int(nodes)),))


def plus(reading: str, nodes: str) -> Deducer:
    """Make MineBot with what it lists under Further Research."""
    mended = partial(mended_burnout, nodes=int(nodes))
    last = partial(similarity, nodes=int(nodes))
    return MineBot((truth, contrapositive, exhaustion, mended, last), reading)


_READING = {
    "reading": Option(
        "literal",
        ("literal", "thorough"),
        "an assumption is followed to each number once, or until there is nothing new",
    )
}
_NODES = {"nodes": Option(str(NODES), summary="how far a search of the whole board goes")}

register(
    Kind(
        "minebot",
        "MineBot, Game Difficulty",
        "truth, contrapositive, exhaustion, burnout, in this order",
        published,
        options=_READING | _NODES,
    )
)
register(
    Kind("minebot-truth", "MineBot, Truth", "one number at a time", partial(MineBot, (truth,)))
)
register(
    Kind(
        "minebot-contrapositive",
        "MineBot, Contrapositive",
        "a mark that leads to a contradiction is wrong",
        partial(MineBot, (contrapositive,)),
        options=_READING,
    )
)
register(
    Kind(
        "minebot-exhaustion",
        "MineBot, Exhaustion",
        "what all valid marks of one number have in common",
        partial(MineBot, (exhaustion,)),
        options=_READING,
    )
)
register(
    Kind(
        "minebot-burnout",
        "MineBot, Burnout",
        "nothing is mined beyond the numbers if they need all mines that are left",
        burnout_alone,
        options=_NODES,
    )
)
register(
    Kind(
        "minebot-plus",
        "MineBot, Further Research",
        "minebot, a mended burnout, what all configurations have in common, the safest guess",
        plus,
        complete="yes",
        # It "guesses among the locations with the least probability": of equals, any.
        guesser="safest:ties=random",
        options=_READING | _NODES,
    )
)
