"""MineBot: truth, contrapositive, exhaustion and burnout, in this order (document 003).

The text's locations are our cells; its open locations with unknown ones around them are our
numbers. A strategy has failed when it finds nothing "over the entire board", so each algorithm
goes through all numbers of a position and returns all that it finds. After a success, the next
turn begins with truth.

Three things decide how well MineBot plays, and the text leaves each of them open:

- `contradiction`. The text names "a location having too many mines" as an example ("such as"). With
  `many` it is the only contradiction; a number with too few cells left is then neither of truth's
  two cases, and a 1 next to a 1 at the edge, which every player knows, is beyond MineBot. With
  `both`, a number with too few cells left is a contradiction too.
- `visits`. Truth is applied to a number, then to each of its open neighbours, and so on, to each of
  "up to n locations": `once`, in the order of the recursion, or to `all` numbers of the board,
  again and again until nothing new is found.
- `guess`. "One non-open location" is opened at random. Read to the letter (`non-open`), that
  includes locations that MineBot itself has marked as mines. With `unknown` it leaves those alone.

The defaults are `many`, `once` and `unknown`. They were chosen with one result of the text in view,
5.6% of 500 expert games, so their agreement with it is no evidence for them.

Only burnout counts the remaining mines. The other three use the numbers alone.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from itertools import combinations
from math import comb, inf
from typing import NamedTuple

from minewright._kernel import Sums, Support
from minewright.inference import Budget
from minewright.position import MAX_NUMBER, Position
from minewright.strategies.constraints import CellSet, boxes_of, cells_of, frontier, set_of, view
from minewright.strategies.registry import Kind, Option, register
from minewright.strategies.strategy import Conclusion, Deducer, Finding

CONFIGURATIONS = 1000
"""The most mark configurations to try for one number.

It is enough for twelve cells, and a number on a flat board touches eight. Exhaustion skips numbers
with more, which only exist in three dimensions.
"""

NODES = 100_000
"""The most nodes of a search over the whole board, before it gives up."""


class Reading(NamedTuple):
    """How an assumption is followed: see above."""

    contradiction: str = "many"
    visits: str = "once"


LITERAL = Reading()


class Numbers:
    """The numbers of a position that have unknown cells around them, and what follows from them."""

    def __init__(self, position: Position, reading: Reading = LITERAL) -> None:
        self.position = position
        self.reading = reading
        self.seen = view(position)
        self.constraints = self.seen.constraints()
        self.walks: dict[int, list[tuple[CellSet, int]]] = {}

    def describe(self, cell: int) -> str:
        """Return the name of a cell."""
        return self.position.topology.describe(cell)

    @cached_property
    def near(self) -> CellSet:
        """The unknown cells next to a number."""
        return frontier(self.constraints)

    # One assumption and what follows from it

    def refutes(self, clue: int, marks: Sequence[int]) -> bool:
        """Return True if marks around a number, followed by truth, lead to a contradiction.

        Cells that truth would open count as open, although their numbers stay unknown.
        """
        # The kernel is the strictest reading: what it does not refute, no other does.
        place, sums = self.places
        refuted = sums.assume([place[cell] for cell in marks], ()) is None
        strictest = self.reading == ("both", "all")
        return refuted and (strictest or self.contradicts(clue, set_of(tuple(marks))))

    def contradicts(self, clue: int, marked: CellSet) -> bool:
        """Walk from a number with these marks; return True if that meets a contradiction."""
        few, again = self.reading.contradiction == "both", self.reading.visits == "all"
        numbers = list(self.said.values()) if again else self.walk(clue)
        noted = 0
        while True:
            before = marked, noted
            for cells, mines in numbers:
                count = (cells & marked).bit_count()
                left = cells & ~marked & ~noted
                if count > mines or (few and count + left.bit_count() < mines):
                    return True
                if count == mines:
                    noted |= left
                elif count + left.bit_count() == mines:
                    marked |= left
            if not again or before == (marked, noted):
                return False

    def walk(self, clue: int) -> list[tuple[CellSet, int]]:
        """Return the numbers in the order of the recursion: one, then each open neighbour."""
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
        """The place of each cell in the kernel's system, and the system of all numbers."""
        place = {cell: at for at, cell in enumerate(cells_of(self.near))}
        sums = [([place[cell] for cell in cells_of(cells)], m) for _, cells, m in self.constraints]
        return place, Sums([1] * len(place), sums)

    @cached_property
    def consistent(self) -> bool:
        """Whether propagation finds no clash; after a wrong mark, nothing could be proved."""
        return self.places[1].assume((), ()) is not None

    # All configurations of the whole board

    @cached_property
    def boxes(self) -> list[CellSet]:
        """The unknown cells next to numbers, grouped by the numbers they touch.

        Cells of one group are interchangeable: a search need only find how many of them are mined.
        """
        found = boxes_of(self.constraints)
        return sorted(set(found.values()), key=lambda box: box & -box)

    def together(self, boxes: Sequence[CellSet], mines: int | None = None) -> Sums:
        """Return what the numbers say about the boxes; `mines`, if given, is their sum."""
        sums: list[tuple[Sequence[int], int]] = [
            ([at for at, box in enumerate(boxes) if box & cells], count)
            for _, cells, count in self.constraints
        ]
        if mines is not None:
            sums.append((range(len(boxes)), mines))
        return Sums([box.bit_count() for box in boxes], sums)


def truth(numbers: Numbers) -> Conclusion:
    """Look at each number alone: all its mines are marked, or all its unknown cells are mined."""
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
    """Assume one mark next to each number, and call its cell safe if that leads to a contradiction.

    The text says that marks are placed "so as to fulfill" a number, and then that "the location
    that was marked must be safe", after at most eight assumptions. Refuting several marks together
    does not prove that any one of them is wrong, so each mark is assumed alone.
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
                reason = f"a mine in {where} contradicts the numbers from {near} on: contrapositive"
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
                    break  # nothing is in common any more, whatever follows
        else:
            if valid:
                where = numbers.describe(clue)
                reason = f"true in every valid marking of {where} ({valid}): exhaustion"
                findings.append(Finding(cells_of(cells & ~ever), cells_of(always), reason))
    return Conclusion(tuple(findings), gave_up=gave_up)


def burnout(numbers: Numbers, nodes: int = NODES) -> Conclusion:
    """Call all cells beyond the numbers safe if the numbers need all remaining mines.

    The text admits a flaw "that prevents all safe locations from being identified", but does not
    say which. The one we see is that it concludes only about cells "beyond the neighborhoods of
    these unsatisfied locations"; so does this.
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

    If the fewest mines are all the remaining ones, there are no other configurations.
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


_BURNT = "the numbers need all remaining mines: burnout"


def burnt_out(numbers: Numbers, nodes: int) -> bool | None:
    """Return True if the numbers need all remaining mines; None if it takes too long to find out.

    The text's tree branches over the configurations of one number after another. The kernel's tree
    prunes what cannot be the minimum, and the search stops as soon as fewer mines are enough.
    """
    mines = numbers.seen.mines
    if mines is None:
        return False
    found = numbers.together(numbers.boxes).fewest(mines, Budget(nodes, inf))
    return found.fewest == mines if found.complete else None


def similarity(numbers: Numbers, nodes: int = NODES) -> Conclusion:
    """Keep what all ways to place the remaining mines have in common (Further Research)."""
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
    reason = "true in every way to place the remaining mines: similarity"
    findings = (Finding(cells_of(safe), cells_of(mined), reason),) if safe or mined else ()
    return Conclusion(findings, gave_up=not found.complete)


def search(system: Sums, nodes: int) -> Support:
    """Return the least and the greatest value of each variable over all solutions."""
    return system.support("gac", "constrained", Budget(nodes, inf))


Algorithm = Callable[[Numbers], Conclusion]


class MineBot(Deducer):
    """Applies algorithms in order, until one of them finds something."""

    def __init__(
        self,
        algorithms: Iterable[Algorithm],
        contradiction: str = LITERAL.contradiction,
        visits: str = LITERAL.visits,
        guess: str = "unknown",
    ) -> None:
        self.algorithms = tuple(algorithms)
        self.reading = Reading(contradiction, visits)
        self.guesses_marked = guess == "non-open"

    def conclude(self, position: Position) -> Conclusion:
        """Return what the first successful algorithm finds; each turn starts with the first."""
        numbers = Numbers(position, self.reading)
        gave_up = False
        for algorithm in self.algorithms:
            conclusion = algorithm(numbers)
            gave_up |= conclusion.gave_up
            if conclusion.findings:
                return Conclusion(conclusion.findings, gave_up=gave_up)
        among = position.covered if self.guesses_marked else ()
        return Conclusion(among=tuple(among), gave_up=gave_up)


def published(nodes: str, **reading: str) -> Deducer:
    """Make MineBot as published."""
    last = partial(burnout, nodes=int(nodes))
    return MineBot((truth, contrapositive, exhaustion, last), **reading)


def burnout_alone(nodes: str) -> Deducer:
    """Make a player of burnout alone."""
    return MineBot((partial(burnout, nodes=int(nodes)),))


IMPROVEMENTS = ("burnout", "similarity")


def plus(nodes: str, improve: str, **reading: str) -> Deducer:
    """Make MineBot with improvements listed under Further Research."""
    chosen = improve.split("+")
    last = mended_burnout if "burnout" in chosen else burnout
    algorithms: list[Algorithm] = [
        truth,
        contrapositive,
        exhaustion,
        partial(last, nodes=int(nodes)),
    ]
    if "similarity" in chosen:
        algorithms.append(partial(similarity, nodes=int(nodes)))
    return MineBot(algorithms, **reading)


_FOLLOWED = {
    "contradiction": Option(
        LITERAL.contradiction, ("many", "both"), "too many mines, or also too few cells for them"
    ),
    "visits": Option(
        LITERAL.visits,
        ("once", "all"),
        "follow an assumption to each number once, or until there is nothing new",
    ),
}
_READING = _FOLLOWED | {
    "guess": Option(
        "unknown", ("unknown", "non-open"), "guess among unmarked cells, or among marked ones too"
    )
}
_IMPROVE = {
    "improve": Option(
        "+".join(IMPROVEMENTS),
        IMPROVEMENTS,
        "which improvements, beside the guess: a corrected burnout, what all configurations share",
        many=True,
    )
}
_NODES = {"nodes": Option(str(NODES), summary="nodes of a whole-board search before it gives up")}

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
        options=_FOLLOWED,
    )
)
register(
    Kind(
        "minebot-exhaustion",
        "MineBot, Exhaustion",
        "what all valid markings of one number have in common",
        partial(MineBot, (exhaustion,)),
        options=_FOLLOWED,
    )
)
register(
    Kind(
        "minebot-burnout",
        "MineBot, Burnout",
        "nothing is mined beyond the numbers if they need all remaining mines",
        burnout_alone,
        options=_NODES,
    )
)
register(
    Kind(
        "minebot-plus",
        "MineBot, Further Research",
        "minebot, a corrected burnout, what all configurations share, the safest guess",
        plus,
        complete="yes",
        # It "guesses among the locations with the least probability": ties are broken at random.
        guesser="safest:ties=random",
        options=_FOLLOWED | _NODES | _IMPROVE,
    )
)
