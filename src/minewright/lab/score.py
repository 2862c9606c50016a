"""A score: what an arm achieved in some games. Sums are kept; shares and means follow from them."""

from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from minewright.board import Board
from minewright.lab.arm import Arm
from minewright.lab.games import OUTCOMES, Rows
from minewright.lab.statistics import normal, wilson

CONFIDENCE: Final = 0.95

UNIT: Final = 2.0**-40
"""Safeties are added up as whole numbers of this unit: such a sum is the same in any order."""


@dataclass(frozen=True, slots=True)
class Score:
    """What an arm achieved. Shares and means are over all its games unless stated otherwise."""

    arm: Arm
    games: int = 0
    wins: int = 0
    cells_opened: int = 0
    """Safe cells opened in all games together."""
    mines_found: int = 0
    """Mines called mined in all games together."""
    guesses_in_won: int = 0
    guesses_in_lost: int = 0
    timeouts: int = 0
    """Games that were ended because they took too long."""
    blunders: int = 0
    """Games in which something was called certain that was not."""
    gave_up: int = 0
    """Turns in which a budget ran out, so that there might have been more to find."""
    cpu_total: float = 0.0
    """Seconds of processor time of all games together."""
    measured: int = 0
    """Games whose safety was measured."""
    safety_sum: int = 0
    """Their safeties, in units."""
    safety_squares: int = 0
    """The squares of their safeties, in units."""

    @classmethod
    def of(cls, arm: Arm, rows: Rows) -> "Score":
        """Sum up games."""
        won = rows["outcome"] == OUTCOMES.index("won")
        safety = rows["safety"][~np.isnan(rows["safety"])]
        return cls(
            arm,
            games=len(won),
            wins=int(won.sum()),
            cells_opened=int(rows["cleared"].sum()),
            mines_found=int(rows["found"].sum()),
            guesses_in_won=int(rows["guesses"][won].sum()),
            guesses_in_lost=int(rows["guesses"][~won].sum()),
            timeouts=int((rows["outcome"] == OUTCOMES.index("timed out")).sum()),
            blunders=int(rows["blunder"].sum()),
            gave_up=int(rows["gave_up"].sum()),
            cpu_total=float(rows["cpu_seconds"].sum()),
            measured=len(safety),
            safety_sum=int((safety / UNIT).round().astype(np.int64).sum()),
            safety_squares=int((safety**2 / UNIT).round().astype(np.int64).sum()),
        )

    def __add__(self, other: "Score") -> "Score":
        """Return the score of both sets of games, which must be of the same arm."""
        return Score(
            self.arm,
            self.games + other.games,
            self.wins + other.wins,
            self.cells_opened + other.cells_opened,
            self.mines_found + other.mines_found,
            self.guesses_in_won + other.guesses_in_won,
            self.guesses_in_lost + other.guesses_in_lost,
            self.timeouts + other.timeouts,
            self.blunders + other.blunders,
            self.gave_up + other.gave_up,
            self.cpu_total + other.cpu_total,
            self.measured + other.measured,
            self.safety_sum + other.safety_sum,
            self.safety_squares + other.safety_squares,
        )

    @property
    def win_rate(self) -> float:
        """The share of games won."""
        return self.wins / self.games

    @property
    def ci95(self) -> tuple[float, float]:
        """The 95% interval of the win rate, by Wilson's score."""
        return wilson(self.wins, self.games, CONFIDENCE)

    @property
    def safety(self) -> float | None:
        """The mean safety of a game, which estimates the win rate; None if it was not measured."""
        return self.safety_sum * UNIT / self.measured if self.measured else None

    @property
    def safety_ci95(self) -> tuple[float, float] | None:
        """The 95% interval of the mean safety; None if fewer than two games were measured."""
        if self.safety is None or self._variance is None:
            return None
        half = normal(CONFIDENCE) * sqrt(self._variance / self.measured)
        if not half:
            # Games that are all alike say nothing about their spread. Take the width of Wilson's
            # interval for something that was never seen.
            half = wilson(0, self.measured, CONFIDENCE)[1]
        return max(0.0, self.safety - half), min(1.0, self.safety + half)

    @property
    def worth(self) -> float | None:
        """How many games judged by win or loss tell as much as one whose safety is measured."""
        if self.safety is None or not self._variance:
            return None
        return self.safety * (1 - self.safety) / self._variance

    @property
    def _variance(self) -> float | None:
        if self.safety is None or self.measured < 2:
            return None
        spread = self.safety_squares * UNIT / self.measured - self.safety**2
        return max(0.0, spread) * self.measured / (self.measured - 1)

    @property
    def cleared(self) -> float:
        """The share of safe cells that was opened; 1 on a board without any."""
        board = Board.parse(self.arm.board)
        safe = board.size - board.mines
        return self.cells_opened / (self.games * safe) if safe else 1.0

    @property
    def found(self) -> float:
        """The share of mines called mined (all of them in a won game); 1 on a board without any."""
        mines = Board.parse(self.arm.board).mines
        return self.mines_found / (self.games * mines) if mines else 1.0

    @property
    def guesses(self) -> float:
        """Guesses per game. The first opening counts only under the start rule `any`."""
        return (self.guesses_in_won + self.guesses_in_lost) / self.games

    @property
    def guesses_won(self) -> float | None:
        """Guesses per won game; None if there is none."""
        return self.guesses_in_won / self.wins if self.wins else None

    @property
    def guesses_lost(self) -> float | None:
        """Guesses per game that was not won; None if there is none."""
        lost = self.games - self.wins
        return self.guesses_in_lost / lost if lost else None

    @property
    def cpu_seconds(self) -> float:
        """Seconds of processor time per game."""
        return self.cpu_total / self.games
