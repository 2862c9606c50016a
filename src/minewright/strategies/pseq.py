"""PSEQ: which of the safest cells to open (Tu, Li, Chen, Zu and Gu 2017).

The four letters stand for four questions, each asked only about the cells that the previous one
left tied:

- P, the chance of a mine: the lowest. Safety is never traded for anything.
- S, progress: the chance that the number shown makes some other covered cell certainly safe.
- E, how far: the expected number of covered cells that are then certainly safe.
- Q, information: the entropy of the number shown, in bits.

S, E and Q assume that the cell is safe. Remaining ties are broken at random. A cell that shows 0
makes all its neighbours safe, so early in a game S looks for openings and prefers corners. Later
it looks for numbers that settle other cells.

We interpret the letters as the authors' own program, MineSweeperProb, does: by everything that
becomes certain, not by openings alone. That program also counts the opened cell itself if no other
cell stands in the same constraints; here it never counts. Over a million games of 8x8x10, either
way won within 0.01% of the published share.

The kernel plays the same game natively and fast (also called `pseq`); this version is for reading.
"""

from collections.abc import Callable, Sequence
from math import log2
from typing import NamedTuple

from minewright.inference import Analysis, BudgetExceeded, analyze
from minewright.position import Position
from minewright.strategies.baselines import Exact
from minewright.strategies.guessing import SAME, SafestGuesser, pick
from minewright.strategies.registry import GuesserKind, Kind, register
from minewright.strategies.strategy import Choice, Conclusion, Guesser, Random


class Score(NamedTuple):
    """What to expect from opening a cell, given that it is safe: S, E and Q."""

    progress: float
    expected: float
    information: float


def score(position: Position, analysis: Analysis, cell: int) -> Score:
    """Look one move ahead: open the cell, and see what each number it can show would prove."""
    shown = analysis.numbers(cell)
    whole = sum(shown)
    progress = expected = information = 0.0
    for number, weight in enumerate(shown):
        if weight == 0:
            continue
        chance = weight / whole
        safe = len(analyze(position.with_cells({cell: number}), trust_marks=True).safe)
        progress += chance * (safe > 0)
        expected += chance * safe
        information -= chance * log2(chance)
    return Score(progress, expected, information)


def safest(analysis: Analysis, cells: Sequence[int]) -> list[int]:
    """Return the cells with the lowest chance of a mine: P."""
    return _best(cells, lambda cell: -float(analysis.probability[cell]))


def order(position: Position, analysis: Analysis, cells: Sequence[int]) -> list[int]:
    """Return the best of equally safe cells by S, then by E, then by Q."""
    if len(cells) == 1:
        return list(cells)
    scores = {cell: score(position, analysis, cell) for cell in cells}
    by_progress = _best(cells, lambda cell: scores[cell].progress)
    by_expected = _best(by_progress, lambda cell: scores[cell].expected)
    return _best(by_expected, lambda cell: scores[cell].information)


def _best(cells: Sequence[int], value: Callable[[int], float]) -> list[int]:
    """Return the cells with the largest value; values that differ only by rounding are equal."""
    values = [value(cell) for cell in cells]
    best = max(values)
    least = best - SAME * abs(best)
    return [cell for cell, found in zip(cells, values, strict=True) if found >= least]


class Pseq(Guesser):
    """The safest cells first, then the order of PSEQ among them."""

    def choose(
        self, position: Position, cells: Sequence[int], conclusion: Conclusion, random: Random
    ) -> Choice:
        """Choose by P, S, E and Q; remaining ties are broken at random."""
        try:
            analysis = analyze(position, trust_marks=True)
            if not analysis.consistent:
                return SafestGuesser().choose(position, cells, conclusion, random)
            equal = safest(analysis, cells)
            best = order(position, analysis, equal)
        except BudgetExceeded:
            return SafestGuesser().choose(position, cells, conclusion, random)
        cell = best[0] if len(best) == 1 else pick(best, random)
        chance = float(analysis.probability[cell])
        return Choice(
            cell, f"a guess: the chance of a mine is {chance:.1%}, and none is more promising"
        )


register(
    GuesserKind(
        "pseq",
        "Tu et al. 2017",
        "the least chance; ties go to the cell most likely to make progress",
        Pseq,
        title="PSEQ",
    )
)
register(
    Kind(
        "pseq",
        "Tu et al. 2017",
        "exact inference, then the safest cell; ties go to the most promising",
        Exact,
        title="PSEQ",
        complete="yes",
        guesser="pseq",
        first="corner",
        first_open="inside",
        native="pseq",
    )
)
