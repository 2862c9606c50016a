"""Guessers: which cell to open when nothing is certain."""

from collections.abc import Sequence

from minewright.inference import BudgetExceeded, analyze
from minewright.position import Position
from minewright.strategies.constraints import cells_of, frontier, set_of, view
from minewright.strategies.registry import GuesserKind, Option, register
from minewright.strategies.strategy import Choice, Conclusion, Guesser, Random

SAME = 1e-9
"""Chances this close to each other count as equal, so that every machine chooses the same cell."""


class RandomGuesser(Guesser):
    """Kofford's first guesser, and MineBot's: any covered cell."""

    def choose(
        self, position: Position, cells: Sequence[int], conclusion: Conclusion, random: Random
    ) -> Choice:
        """Choose any of the cells, all equally likely."""
        return Choice(pick(cells, random), "a guess: any cell")


class NeighbourGuesser(Guesser):
    """Kofford's second guesser: a covered cell next to an open one."""

    def choose(
        self, position: Position, cells: Sequence[int], conclusion: Conclusion, random: Random
    ) -> Choice:
        """Choose any of the cells next to a number, or any cell at all if there is none."""
        seen = frontier(view(position).constraints())
        near = [cell for cell in cells if seen >> cell & 1]
        return Choice(pick(near or cells, random), "a guess: any cell next to an open one")


class BestNeighbourGuesser(Guesser):
    """Kofford's third guesser: next to the number with the fewest mines per covered cell.

    He computes (number - nearby mines) / nearby covered squares for every number and takes the
    *highest*, which is the most dangerous place. The text means the lowest, as its results show.
    `reading="literal"` does what it says.
    """

    def __init__(self, reading: str = "meant") -> None:
        self.literal = reading == "literal"

    def choose(
        self, position: Position, cells: Sequence[int], conclusion: Conclusion, random: Random
    ) -> Choice:
        """Choose a random covered cell of the best number, or any cell if there is no number."""
        allowed = set_of(tuple(cells))
        found = [
            (constraint.mines / constraint.cells.bit_count(), constraint)
            for constraint in view(position).constraints()
            if constraint.cells & allowed
        ]
        if not found:
            return Choice(pick(cells, random), "a guess: any cell, as there is no number to go by")
        best = (max if self.literal else min)(ratio for ratio, _ in found)
        places = [constraint for ratio, constraint in found if ratio == best]
        place = places[random.below(len(places))]
        where = position.topology.describe(place.clue)
        return Choice(
            pick(cells_of(place.cells & allowed), random),
            f"a guess: {place.mines} of {place.cells.bit_count()} cells at {where} are mined",
        )


class LocalGuesser(Guesser):
    """The Final Report's naive chance: what each number alone says about the cells around it.

    A cell's chance is the largest that any number next to it gives. Without a number next to it,
    the chance is the density of mines in all covered cells.
    """

    def choose(
        self, position: Position, cells: Sequence[int], conclusion: Conclusion, random: Random
    ) -> Choice:
        """Choose a cell of the least chance; ties are broken at random."""
        chances = local_chances(position)
        return least(cells, chances, random, "by the numbers one at a time")


class SafestGuesser(Guesser):
    """The safest cell by exact chances; ties go to the first cell, or to the one in a corner."""

    def __init__(self, ties: str = "first") -> None:
        self.ties = ties

    def choose(
        self, position: Position, cells: Sequence[int], conclusion: Conclusion, random: Random
    ) -> Choice:
        """Choose a cell of the least chance."""
        chances = exact_chances(position, conclusion)
        if chances is None:
            return least(
                cells, local_chances(position), random, "as exact chances are beyond the budget"
            )
        low = min(chances[cell] for cell in cells)
        equal = [cell for cell in cells if chances[cell] <= low + SAME]
        near = position.topology.graph.neighbours
        if self.ties == "random":
            cell = pick(equal, random)
        elif self.ties == "corner":
            cell = min(equal, key=lambda cell: len(near(cell)))
        else:
            cell = equal[0]
        return Choice(cell, f"a guess: the chance of a mine is {low:.1%}, and none is lower")


def pick(cells: Sequence[int], random: Random) -> int:
    """Choose one of the cells, all equally likely."""
    return cells[random.below(len(cells))]


def least(cells: Sequence[int], chances: Sequence[float], random: Random, why: str) -> Choice:
    """Choose any of the cells with the least chance of a mine."""
    low = min(chances[cell] for cell in cells)
    equal = [cell for cell in cells if chances[cell] <= low + SAME]
    return Choice(pick(equal, random), f"a guess: the chance of a mine looks like {low:.1%}, {why}")


def local_chances(position: Position) -> list[float]:
    """Return the chance of a mine in each unknown cell, by the numbers one at a time."""
    seen = view(position)
    unknown = seen.unknown.bit_count()
    density = 0.5 if seen.mines is None or not unknown else seen.mines / unknown
    found = [-1.0] * position.topology.size
    for _, cells, mines in seen.constraints():
        chance = mines / cells.bit_count()
        for cell in cells_of(cells):
            found[cell] = max(found[cell], chance)
    return [density if chance < 0 else chance for chance in found]


def exact_chances(position: Position, conclusion: Conclusion) -> dict[int, float] | None:
    """Return the deducer's chances, or those of exact inference; None beyond the budget."""
    if conclusion.chances is not None:
        return dict(conclusion.chances)
    try:
        analysis = analyze(position, trust_marks=True)
    except BudgetExceeded:
        return None
    if not analysis.consistent:
        return None
    return {cell: p for cell, p in enumerate(analysis.chances) if p is not None}


register(
    GuesserKind(
        "random", "Kofford; MineBot", "any covered cell", RandomGuesser, title="Random cell"
    )
)
register(
    GuesserKind(
        "neighbour",
        "Kofford",
        "any covered cell next to an open one",
        NeighbourGuesser,
        title="Random neighbour",
    )
)
register(
    GuesserKind(
        "best-neighbour",
        "Kofford",
        "next to the number with the fewest mines per covered cell",
        BestNeighbourGuesser,
        {
            "reading": Option(
                "meant", ("meant", "literal"), "the lowest ratio, or the highest as the text says"
            )
        },
    )
)
register(
    GuesserKind(
        "local",
        "Final Report",
        "the least chance by single numbers",
        LocalGuesser,
        title="Safest by single numbers",
    )
)
register(
    GuesserKind(
        "safest",
        "Collet; MineBot's further research",
        "the least chance by exact inference",
        SafestGuesser,
        {"ties": Option("first", ("first", "corner", "random"), "how to choose among equals")},
        title="Safest cell",
    )
)
