"""Games that need no guess, wherever they begin."""

from time import monotonic
from typing import Final

from minewright.game import Game, GameError
from minewright.inference import Budget, BudgetExceeded
from minewright.noguess.maker import NoGuessBoard, NoGuessError, make
from minewright.position import MARKED

BUDGET: Final = Budget(states=10_000_000, seconds=5.0)
"""What the minefield may cost: the player waits for it."""
_ATTEMPTS: Final = 1 << 16
"""Boards of a game's own stream, the next one taken if the last is not as hard as it should be."""


class NoGuessGame(Game):
    """A game whose minefield is made by the first opening, so that no guess follows it.

    The first cell shows a 0 under the start rule `open`, and otherwise any number.
    """

    least: int = 0
    most: int | None = None
    """How many numbers its hardest step takes together: at least and at most."""

    def _before(self, cells: tuple[int, ...]) -> None:
        if self.seed is None or self._field.opened_count:
            return
        (first,) = cells
        try:
            made = self._make(first, self.seed)
        except (NoGuessError, BudgetExceeded, ValueError) as error:
            raise GameError(str(error)) from None
        marked = [cell for cell, code in enumerate(self._field.visible) if code == MARKED]
        self._field.reset_to(sorted(made.minefield), "any")
        for cell in marked:
            self._field.mark(cell)

    def _make(self, first: int, seed: int) -> NoGuessBoard:
        end = monotonic() + BUDGET.seconds
        for attempt in range(_ATTEMPTS):
            if (left := end - monotonic()) <= 0:
                break
            made = make(
                self.board,
                first=first,
                seed=seed,
                stream=self.stream + attempt * _ATTEMPTS,
                topology=self.topology,
                start="open" if self.start == "open" else "safe",
                clues=self.most,
                total=self.most != 1,
                budget=Budget(BUDGET.states, left),
            )
            if not self.least or made.proof.hardest >= self.least:
                return made
        raise NoGuessError(
            f"no board {self.board} of this difficulty was found in time; choose another "
            "difficulty, or more mines for a harder one"
        )


class EasyNoGuessGame(NoGuessGame):
    """A game that one number at a time opens, without the number of mines."""

    most = 1


class MediumNoGuessGame(NoGuessGame):
    """A game in which two numbers have to be seen together somewhere, and never more."""

    least = most = 2


class HardNoGuessGame(NoGuessGame):
    """A game in which three numbers or more have to be seen together somewhere."""

    least = 3
