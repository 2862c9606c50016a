"""What exact inference knows of a position: the optional information of the environments."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from minewright.game import StartRule
from minewright.inference import Analysis, Budget, BudgetExceeded, analyze_many
from minewright.position import COVERED, MINED, Position

BUDGET: Final = Budget(states=2_000_000, seconds=2.0)
"""What one position may cost: a learner waits for it."""


class Truth(NamedTuple):
    """The chance of a mine in every cell, the least in any covered cell, and the safe cells.

    An open cell has the chance 0, and is not called safe. If a position is beyond the budget, all
    chances are NaN.
    """

    chances: NDArray[np.float64]
    least: float
    safe: NDArray[np.bool_]

    def regret(self, cell: int) -> float:
        """Return how much riskier a covered cell is than the safest one."""
        return float(self.chances[cell]) - self.least


def truths(positions: list[Position], start: StartRule) -> list[Truth]:
    """Return what is known of each position; before the first opening, the start rule decides."""
    asked = [position for position in positions if not _untouched(position, start)]
    answers = iter(_analyses(asked))
    return [
        _begun(position) if _untouched(position, start) else _truth(position, next(answers))
        for position in positions
    ]


def _begun(position: Position) -> Truth:
    size = position.topology.size
    return Truth(np.zeros(size), 0.0, np.ones(size, np.bool_))


def _truth(position: Position, analysis: Analysis | None) -> Truth:
    safe = np.zeros(position.topology.size, np.bool_)
    if analysis is None:
        return Truth(np.full(safe.size, np.nan), float("nan"), safe)
    safe[list(analysis.safe)] = True
    chances = analysis.probability
    least = float(np.nanmin(chances, initial=1.0))
    exploded = np.frombuffer(position.cells, np.uint8) == MINED
    return Truth(np.where(np.isnan(chances), exploded, chances), least, safe)


def _untouched(position: Position, start: StartRule) -> bool:
    """Return True for a position whose first opening cannot explode."""
    cells = position.cells
    return start != "any" and cells.count(COVERED) == len(cells)


def _analyses(positions: list[Position]) -> list[Analysis | None]:
    """Return the analysis of each position, or None beyond the budget."""
    found: list[Analysis | None] = []
    while len(found) < len(positions):
        try:
            found += analyze_many(positions[len(found) :], budget=BUDGET)
        except BudgetExceeded as beyond:
            found += [*beyond.done, None]
    return found
