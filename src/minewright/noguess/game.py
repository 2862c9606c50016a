"""A game that needs no guess, wherever it begins."""

from typing import Final

from minewright.game import Game, GameError
from minewright.inference import Budget
from minewright.noguess.maker import NoGuessError, make
from minewright.position import MARKED

BUDGET: Final = Budget(states=10_000_000, seconds=5.0)
"""What the minefield may cost: the player waits for it."""


class NoGuessGame(Game):
    """A game whose minefield is made by the first opening, so that no guess follows it.

    The first cell shows a 0 under the start rule `open`, and otherwise any number.
    """

    def _lay(self, first: int) -> None:
        seed = self.seed
        if seed is None:
            return
        try:
            made = make(
                self.board,
                first=first,
                seed=seed,
                stream=self.stream,
                topology=self.topology,
                start="open" if self.start == "open" else "safe",
                budget=BUDGET,
            )
        except (NoGuessError, ValueError) as error:
            raise GameError(str(error)) from None
        marked = [cell for cell, code in enumerate(self._field.visible) if code == MARKED]
        self._field.reset_to(sorted(made.minefield), "any")
        for cell in marked:
            self._field.mark(cell)
