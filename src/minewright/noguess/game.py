"""Games that need no guess, wherever they begin; and the daily one, which begins where it says."""

from array import array
from collections.abc import Iterable
from datetime import date
from typing import ClassVar, Final

from minewright.board import Board
from minewright.deduction.effort import Level
from minewright.game import Game, GameError, Move, MoveTooHard, StartRule
from minewright.inference import Budget, BudgetExceeded
from minewright.noguess.days import daily, day_of
from minewright.noguess.maker import STREAMS, NoGuessBoard, NoGuessError, make
from minewright.noguess.proof import Proof, prove
from minewright.position import MARKED
from minewright.topology import Topology

BUDGET: Final = Budget(states=10_000_000, seconds=5.0)
"""What the minefield may cost: the player waits for it."""


class NoGuessGame(Game):
    """A game whose minefield is made by the first opening, so that no guess follows it.

    The first cell shows a 0 under the start rule `open`, and otherwise any number.
    """

    difficulty: Level | None = None
    budget: Budget = BUDGET
    MAX_STREAM: ClassVar[int] = STREAMS - 1

    def again(self, moves: Iterable[Move] = ()) -> Game:
        """Return the same game from the start, with these moves made."""
        game = super().again()
        assert isinstance(game, NoGuessGame)
        game.budget, game._made_board = self.budget, self._made_board
        game.play(moves)
        return game

    def _begin(self) -> None:
        super()._begin()
        # Making the minefield again would take as long as it took at first.
        self._made_board: tuple[int, array[int]] | None = getattr(self, "_made_board", None)

    @property
    def proof(self) -> Proof:
        """The steps that open everything from the first cell on, once the game is over.

        Raise GameError while the game is not over, or if no cell was opened.
        """
        mined = self.minefield
        first = next((move.cell for move in self.moves if move.kind == "open"), None)
        if first is None:
            raise GameError("no cell was opened, so there is nothing to prove")
        return prove(self.topology, mined, first, budget=self.budget)

    def _before(self, cells: tuple[int, ...]) -> None:
        if self.seed is None or self._field.opened_count:
            return
        (first,) = cells
        marked = [cell for cell, code in enumerate(self._field.visible) if code == MARKED]
        if self._made_board is None or self._made_board[0] != first:
            # In a list, the numbers would outweigh the rest of the game.
            self._made_board = first, array("i", sorted(self._made(first, self.seed)))
        self._field.reset_to(list(self._made_board[1]), "any")
        for cell in marked:
            self._field.mark(cell)

    def _made(self, first: int, seed: int) -> frozenset[int]:
        """Return the mined cells of a game that begins here."""
        try:
            return make(
                self.board,
                first=first,
                seed=seed,
                stream=self.stream,
                topology=self.topology,
                start="open" if self.start == "open" else "safe",
                difficulty=self.difficulty,
                budget=self.budget,
            ).minefield
        except (NoGuessError, BudgetExceeded):
            wish = "" if self.difficulty is None else f" of difficulty {self.difficulty}"
            mend = "fewer mines" if self.difficulty is None else "fewer mines or another difficulty"
            raise MoveTooHard(
                f"no board {self.board}{wish} without guesses was found; start a game with {mend}"
            ) from None
        except ValueError as error:
            raise GameError(str(error)) from None


class EasyNoGuessGame(NoGuessGame):
    """A game that can be opened with one clue at a time."""

    difficulty = "easy"


class MediumNoGuessGame(NoGuessGame):
    """A game in which some step needs two clues at once, and none needs more."""

    difficulty = "medium"


class HardNoGuessGame(NoGuessGame):
    """A game in which some step needs three clues or more at once."""

    difficulty = "hard"


class DailyGame(NoGuessGame):
    """The game of a day, the same for everybody: its seed is the date, written 20260131.

    It begins at `first`. Raise GameError if there is no such day, or if it has another board.
    """

    def __init__(
        self,
        board: Board | str,
        start: StartRule = "open",
        seed: int = 0,
        topology: str | Topology = "moore",
        *,
        stream: int = 0,
    ) -> None:
        super().__init__(board, start, seed, topology, stream=stream)
        self.day = day_of(seed)
        made = _board_of(self.day)
        if (made.board, made.topology.name) != (self.board, self.topology.name):
            raise GameError(f"the board of {self.day} is {made.board}, not {self.board}")
        self.first = made.first

    @classmethod
    def of(cls, day: date) -> "DailyGame":
        """Return the game of a day."""
        return cls(_board_of(day).board, seed=int(f"{day:%Y%m%d}"))

    def _made(self, first: int, seed: int) -> frozenset[int]:
        if first != self.first:
            raise GameError(f"the daily game begins at {self.topology.describe(self.first)}")
        return _board_of(self.day).minefield


def _board_of(day: date) -> NoGuessBoard:
    """Return the board of a day; raise MoveTooHard if making it takes too long now."""
    try:
        return daily(day)
    except (NoGuessError, BudgetExceeded):
        raise MoveTooHard(f"making the board of {day} takes too long; try again later") from None
