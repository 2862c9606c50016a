"""The champion: exact inference, and guesses that look at what comes after them.

The kernel chooses (see `src/kernel/champion.hpp`): near the end of a game perfectly, before that by
the safety of a cell, the safety of the move after it, and how many cells it makes safe. How far it
looks is the level: `champion:fast`, `champion`, `champion:deep`.
"""

from collections.abc import Sequence
from typing import Final

from minewright import _kernel
from minewright.levels import LEVELS, Level, usual_budget
from minewright.position import MARKED, MINED, Position
from minewright.strategies.baselines import Exact
from minewright.strategies.guessing import SafestGuesser
from minewright.strategies.registry import GuesserKind, Kind, Option, register
from minewright.strategies.strategy import Choice, Conclusion, Guesser, Random

LEVEL: Final = Option("usual", LEVELS, "how far it looks")


class Reasoner(Exact):
    """Exact inference; the level matters only to the guesser."""

    def __init__(self, level: Level) -> None:
        self.level = level


class Champion(Guesser):
    """Asks the kernel."""

    def __init__(self, level: Level) -> None:
        self.level = level

    def choose(
        self, position: Position, cells: Sequence[int], conclusion: Conclusion, random: Random
    ) -> Choice:
        """Choose the cell that promises the most wins, or the safest if the mines are unknown."""
        found = None
        if position.mines is not None:
            known = position.cells.replace(bytes((MARKED,)), bytes((MINED,)))
            try:
                found = _kernel.champion(
                    position.topology.graph,
                    known,
                    position.mines,
                    self.level,
                    -1,
                    usual_budget(self.level),
                )
            except _kernel.TooHard:
                found = None
        if found is None or found.cell not in cells:
            return SafestGuesser().choose(position, cells, conclusion, random)
        return Choice(
            found.cell,
            f"a guess: the chance of a mine is {found.risk:.1%}, and it promises the most wins",
        )


register(
    GuesserKind(
        "champion",
        "Minewright",
        "the cell that promises the most wins, seen some moves ahead",
        Champion,
        options={"level": LEVEL},
    )
)
register(
    Kind(
        "champion",
        "Minewright",
        "exact inference, perfect endgames, and guesses that look ahead",
        Reasoner,
        complete="yes",
        guesser="champion",
        first="corner",
        first_open="inside",
        options={"level": LEVEL},
        native="champion",
    )
)
