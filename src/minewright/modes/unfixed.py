"""Games whose minefield is not fixed: fair, kind and safe bet.

Such a game hides one minefield at any time, and all that fit what was shown are equally likely.
Where the mode demands another outcome of an opening, a new minefield is drawn from those that fit
and have this outcome. Nobody can tell such a game from one that decides nothing until it has to.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from fractions import Fraction
from math import prod
from typing import Final, Literal, NamedTuple, Never

from minewright.deduction.forced import Group
from minewright.game import Game, GameError, Move, MoveTooHard, StartRule
from minewright.inference import Analysis, Budget, BudgetExceeded, analyze, random_solution
from minewright.position import MINED, SAFE, Position
from minewright.topology import Topology

BUDGET: Final = Budget(states=20_000_000, seconds=10.0)
"""What it may cost to judge one move: the player waits for it."""
Ruling = Literal["allowed", "punished", "forgiven", "bet"]
"""What a mode made of a guess."""
_DRAWS: Final = 1 << 32
"""Streams are used in steps of this: a game's own, then one per move that draws a minefield."""


class UnfixedGame(Game, ABC):
    """A game that draws its minefield again where its mode demands it.

    Every minefield that it ever hides fits all that was shown before.
    """

    budget: Budget = BUDGET

    @classmethod
    def from_minefield(
        cls, topology: Topology, mined: Iterable[int], start: StartRule = "any"
    ) -> Never:
        """Raise GameError: such a game has no given minefield."""
        raise GameError("in this mode the minefield is not fixed; begin with a board and a seed")

    def again(self, moves: Iterable[Move] = ()) -> Game:
        """Return the same game from the start, with these moves made."""
        game = super().again()
        assert isinstance(game, UnfixedGame)
        game.budget = self.budget
        game.play(moves)
        return game

    def _begin(self) -> None:
        super()._begin()
        # What is certainly safe once stays so for the rest of the game.
        self._safe: set[int] = set()
        self._ruling: Ruling | None = None

    @property
    def ruling(self) -> Ruling | None:
        """What the mode made of the last opening, or None if it had nothing to say."""
        return self._ruling

    def _before(self, cells: tuple[int, ...]) -> None:
        self._ruling = None
        if not self._field.opened_count and self.start != "any":
            return  # The start rule makes the first opening safe.
        if self._safe.issuperset(cells):
            return
        try:
            self._judge(cells)
        except BudgetExceeded:
            raise MoveTooHard(
                "this position is too hard to judge the move; open another cell first"
            ) from None

    @abstractmethod
    def _judge(self, cells: tuple[int, ...]) -> None:
        """Make sure that the hidden minefield is one that these covered cells should meet."""

    def _analyse(self) -> Analysis:
        analysis = analyze(self.position, budget=self.budget)
        self._safe.update(analysis.safe)
        return analysis

    def _risky(self, cells: Iterable[int]) -> tuple[int, ...]:
        """Return the cells that are not known to be safe."""
        return tuple(cell for cell in cells if cell not in self._safe)

    def _explodes(self, cells: Iterable[int]) -> bool:
        """Return True if the hidden minefield has a mine in one of these cells."""
        truth = self._field.truth
        return any(truth[cell] == MINED for cell in cells)

    def _free(self, cells: Iterable[int]) -> Position | None:
        """Return the position with these cells known to be safe, or None if it is impossible."""
        position = self.position
        left = set(position.covered).difference(cells)
        if len(left) < self.mines:
            return None
        return position.with_cells(dict.fromkeys(cells, SAFE))

    def _spare(self, cells: Iterable[int]) -> bool:
        """Hide a minefield in which these cells are safe; return False if none fits."""
        free = self._free(cells)
        if free is None or not analyze(free, budget=self.budget).consistent:
            return False
        self._hide(free)
        return True

    def _hide(self, position: Position) -> None:
        """Hide one of the minefields that fit a position."""
        assert self.seed is not None
        stream = (self.stream + (len(self._moves) + 1) * _DRAWS) % 2**64
        mined = random_solution(position, self.seed, stream, budget=self.budget)
        self._field.move_mines(sorted(mined))


class FairGame(UnfixedGame):
    """A game without luck: a guess is safe when it is needed, and a mine when it is not.

    While some covered cell is certainly safe, opening any cell that is not meets a minefield with a
    mine there. When no cell is certainly safe, opening meets one without: only a cell that is mined
    in every minefield that fits explodes. Cells that a chord opens are judged together.
    """

    def _judge(self, cells: tuple[int, ...]) -> None:
        analysis = self._analyse()
        risky = self._risky(cells)
        if not risky:
            return
        if not analysis.safe:
            if not self._explodes(risky) or self._spare(risky):
                self._ruling = "allowed"
        elif not set(risky).intersection(analysis.mined):
            self._ruling = "punished"
            if not self._explodes(risky):
                self._hide(self.position.with_cells({risky[0]: MINED}))


class KindGame(UnfixedGame):
    """An ordinary game that forgives every guess that no information can resolve.

    A guess is forgiven if it is *forced*, as `minewright.Guess` defines it: whatever is opened
    elsewhere, the cell will never be certain. It then meets a minefield without a mine there.
    Every other risk is as in the ordinary game. So is a guess that is not proved to be forced
    because there are too many arrangements to try.
    """

    def _judge(self, cells: tuple[int, ...]) -> None:
        if not self._explodes(cells):
            return
        analysis = self._analyse()
        risky = self._risky(cells)
        if not set(risky).intersection(analysis.mined) and self._forced(analysis, risky):
            self._ruling = "forgiven" if self._spare(risky) else None

    def _forced(self, analysis: Analysis, cells: Iterable[int]) -> bool:
        if analysis.safe:
            # Safe cells that are not open yet belong to what could still be found out.
            known = self.position.with_cells(dict.fromkeys(analysis.safe, SAFE))
            analysis = analyze(known, budget=self.budget)
        return all(Group(analysis, cell, self.budget).decide()[0] for cell in cells)


class Bet(NamedTuple):
    """A guess: the cells that were opened, and the chance that none of them was a mine."""

    cells: tuple[int, ...]
    safety: Fraction


class SafeBetGame(UnfixedGame):
    """A game that measures how well somebody guesses, without any luck.

    Guesses do not explode: each meets a minefield in which it is safe. The score is the product of
    the chances that they were safe. Only what is certainly a mine explodes, and the score is then
    0. A player's mean score is the share of ordinary games that this player wins.
    """

    def _begin(self) -> None:
        super()._begin()
        self._bets: list[Bet] = []

    @property
    def bets(self) -> tuple[Bet, ...]:
        """The guesses so far, each with its safety."""
        return tuple(self._bets)

    @property
    def score(self) -> Fraction:
        """The product of the safeties of all guesses so far."""
        return prod((bet.safety for bet in self._bets), start=Fraction(1))

    def _judge(self, cells: tuple[int, ...]) -> None:
        analysis = self._analyse()
        risky = self._risky(cells)
        if not risky:
            return
        free = self._free(risky)
        left = 0 if free is None else analyze(free, budget=self.budget).solutions
        bet = Bet(risky, Fraction(left, analysis.solutions))
        if free is not None and bet.safety and self._explodes(risky):
            self._hide(free)
        self._bets.append(bet)
        self._ruling = "bet"
