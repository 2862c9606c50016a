"""Many ratings in a few figures, with their uncertainty; and the rating of a position."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import Final, NamedTuple

from minewright.inference import Budget, analyze, enumerate_solutions
from minewright.lab.statistics import Mean, wilson
from minewright.position import COVERED, MARKED, MAX_NUMBER, MINED, SAFE, Position
from minewright.rating.rating import BUDGET, GUESSER, Rating, rate_minefield
from minewright.strategies.play import own_numbers
from minewright.strategies.strategy import Random

CONFIDENCE: Final = 0.95
SAMPLES: Final = 50
"""How many minefields that fit a position are rated, if there are more."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Ratings of many boards."""

    ratings: tuple[Rating, ...]
    all: bool = False
    """Whether there are no other boards of the kind: then the figures are exact."""

    def mean(self, figure: str) -> tuple[float, float | None] | None:
        """Return the mean of a figure and the half-width of its 95% interval.

        Neither one board nor all of them have an interval. None if no board has the figure. The
        figures are those of `Rating.as_data`.
        """
        values = [value for one in self.ratings if (value := _figure(one, figure)) is not None]
        if not values:
            return None
        if self.all or len(values) == 1:
            return fmean(values), None
        found = Mean.of(values, CONFIDENCE)
        return found.value, found.half

    @property
    def won(self) -> tuple[float, float, float]:
        """The share of boards on which no guess hit a mine, and its 95% interval.

        If these are all boards, both ends are the share itself.
        """
        wins = sum(one.won for one in self.ratings)
        share = wins / len(self.ratings)
        return share, *((share, share) if self.all else wilson(wins, len(self.ratings), CONFIDENCE))

    @property
    def hardest(self) -> dict[int, int]:
        """How many boards have a hardest step of one clue, two clues, and so on."""
        return dict(sorted(Counter(one.effort.hardest for one in self.ratings).items()))

    @property
    def without_guesses(self) -> int:
        """How many boards need no guess."""
        return sum(not one.guesses for one in self.ratings)

    def as_data(self) -> dict[str, object]:
        """Return the figures as JSON data: means with the half-widths of their intervals."""
        return {
            "boards": len(self.ratings),
            "without_guesses": self.without_guesses,
            "won": self.won[0],
            "won_ci95": self.won[1:],
            "hardest": {str(clues): boards for clues, boards in self.hardest.items()},
            **{name: self.mean(name) for name in FIGURES},
        }


FIGURES: Final = (*("bbbv", "openings", "steps", "workload", "guesses", "chance", "difficulty"),)


class Fitting(NamedTuple):
    """Minefields that fit a position."""

    ratings: Iterator[Rating]
    """Each minefield is rated when its rating is asked for."""
    total: int
    all: bool
    """Whether no others fit. If there are others, those before any point are a fair sample too."""


def rate_position(
    position: Position,
    *,
    samples: int = SAMPLES,
    guesser: str = GUESSER,
    seed: int = 0,
    budget: Budget = BUDGET,
) -> Summary:
    """Rate what is left of a game, on minefields that fit the position.

    All of them are rated if there are at most `samples`, otherwise that many are drawn, each one
    equally likely. Raise ValueError if none fits.
    """
    found = rate_fitting(position, samples=samples, guesser=guesser, seed=seed, budget=budget)
    return Summary(tuple(found.ratings), all=found.all)


def rate_fitting(
    position: Position,
    *,
    samples: int = SAMPLES,
    guesser: str = GUESSER,
    seed: int = 0,
    budget: Budget = BUDGET,
) -> Fitting:
    """Rate minefields that fit a position one after another, as `rate_position` does."""
    analysis = analyze(position, budget=budget)
    if not analysis.consistent:
        raise ValueError("no minefield fits this position")
    fields: Iterable[frozenset[int]]
    few = analysis.solutions <= samples
    if few:
        fields = sorted(enumerate_solutions(position, samples, budget=budget), key=sorted)
    else:
        random = own_numbers(seed)
        fields = (draw(position, random, budget) for _ in range(samples))
    known = frozenset(cell for cell, code in enumerate(position.cells) if code == MINED)
    seen = position.cells.replace(bytes((MARKED,)), bytes((COVERED,)))
    ratings = (
        rate_minefield(
            position.topology,
            field | known,
            0,
            seen=seen,
            guesser=guesser,
            seed=seed,
            budget=budget,
        )
        for field in fields
    )
    return Fitting(ratings, int(analysis.solutions) if few else samples, few)


def draw(position: Position, random: Random, budget: Budget = BUDGET) -> frozenset[int]:
    """Draw a minefield that fits a position, each one equally likely; known mines are left out.

    Cells are settled one by one, each by its exact chance given all those before it. The cells
    that no number touches come last, all at once.
    """
    mined: set[int] = set()
    while True:
        analysis = analyze(position, budget=budget)
        mined.update(analysis.mined)
        settled = dict.fromkeys(analysis.safe, SAFE) | dict.fromkeys(analysis.mined, MINED)
        position = position.with_cells(settled)
        cell = next(_uncertain(position), None)
        if cell is None:
            return frozenset(mined | _rest(position, random))
        holds = random.uniform() < (analysis.chances[cell] or 0.0)
        if holds:
            mined.add(cell)
        position = position.with_cells({cell: MINED if holds else SAFE})


def _uncertain(position: Position) -> Iterator[int]:
    """Yield the covered cells beside a number; without a total, all covered cells."""
    near = position.topology.graph.neighbours
    for cell in position.covered:
        beside = any(position[other] <= MAX_NUMBER for other in near(cell))
        if position.mines is None or beside:
            yield cell


def _rest(position: Position, random: Random) -> set[int]:
    """Put the mines that are left anywhere among the covered cells."""
    cells = list(position.covered)
    left = 0 if position.mines is None else position.mines - position.cells.count(MINED)
    for at in range(left):
        other = at + random.below(len(cells) - at)
        cells[at], cells[other] = cells[other], cells[at]
    return set(cells[:left])


def _figure(rating: Rating, figure: str) -> float | None:
    value = rating.as_data()[figure]
    assert value is None or isinstance(value, int | float), "a figure is a number"
    return value
