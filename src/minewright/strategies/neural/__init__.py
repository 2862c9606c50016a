"""The learned player: a small network that was taught exact chances, and opens what looks safest.

It proves nothing, so it calls nothing safe or mined: every cell it opens is a guess, usually a
very good one. `scripts/learn.py` trains the network, and docs/learned.md says how well it plays.
"""

from collections.abc import Sequence
from typing import Final

from minewright.position import Position
from minewright.strategies.baselines import Blind
from minewright.strategies.guessing import local_chances
from minewright.strategies.neural.network import network
from minewright.strategies.registry import GuesserKind, Kind, register
from minewright.strategies.strategy import Choice, Conclusion, Guesser, Random

CONFIDENT: Final = 0.002
"""Cells below this predicted chance are opened one by one, without looking again in between."""


class NeuralGuesser(Guesser):
    """Opens the cell with the least predicted chance of a mine; ties go to the first."""

    def __init__(self) -> None:
        self._confident: dict[int, float] = {}

    def choose(
        self, position: Position, cells: Sequence[int], conclusion: Conclusion, random: Random
    ) -> Choice:
        """Choose among cells found earlier, or look again."""
        chances = {cell: self._confident[cell] for cell in cells if cell in self._confident}
        if not chances:
            predicted = predict(position)
            chances = {cell: predicted[cell] for cell in cells}
            self._confident = {cell: p for cell, p in chances.items() if p < CONFIDENT}
        cell = min(chances, key=lambda cell: (chances[cell], cell))
        return Choice(cell, f"a guess: the network expects a mine with {chances[cell]:.1%}")


def predict(position: Position) -> list[float]:
    """Return the predicted chance of a mine in each cell; it means nothing for open cells.

    The network knows boards where cells touch as in Minesweeper. Elsewhere, and where the number of
    mines is unknown, the chances are those of the numbers one at a time.
    """
    if position.topology.name != "moore" or position.mines is None:
        return local_chances(position)
    import numpy as np

    width, height = position.shape
    seen = np.frombuffer(position.cells, np.int8).reshape(height, width)
    chances = 1 / (1 + np.exp(-network()(seen, position.mines).ravel()))
    return [float(chance) for chance in chances]


register(
    GuesserKind(
        "neural",
        "learned",
        "the least chance that a small network predicts",
        NeuralGuesser,
        title="Neural network",
    )
)
register(
    Kind(
        "neural",
        "learned",
        "a network taught by exact chances; proves nothing and opens what looks safest",
        Blind,
        title="Neural network",
        guesser="neural",
        first="corner",
        first_open="inside",
    )
)
