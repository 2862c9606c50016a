"""Wald's sequential test between two players of the same games."""

from collections.abc import Iterable
from math import log
from typing import Literal, NamedTuple

from minewright.lab.experiment import Duel


class DuelVerdict(NamedTuple):
    """What a duel has shown, and after how many games.

    "first" or "second" is the stronger one. "equal" means that neither wins the share of decided
    games that the duel asks for.
    """

    stronger: Literal["first", "second", "equal"]
    games: int
    first_only: int
    """Games that only the first of the two won."""
    second_only: int


class Match:
    """A duel under way: it hears of games in any order, and judges them in order of number.

    Whole rounds are judged, so the verdict depends only on the games. Two one-sided tests run side
    by side, each with half the error: "the first wins at least `share` of the games that only one
    of them wins" against "it wins half", and the same for the second.
    """

    def __init__(self, duel: Duel, games: int) -> None:
        self.verdict: DuelVerdict | None = None
        self.duel = duel
        self._games = games
        self._judged = 0
        self._heard: dict[int, dict[int, bool]] = {duel.first: {}, duel.second: {}}
        # Each test wrongly claims strength in at most error / 2 of the cases (Ville's bound), and
        # misses it in about `error` of them (Wald's).
        self._upper = log(2 / duel.error)
        self._lower = log(duel.error / (1 - duel.error / 2))
        self._win, self._lose = log(duel.share / 0.5), log((1 - duel.share) / 0.5)
        self._evidence = [0.0, 0.0]
        self._refuted = [False, False]
        self._alone = [0, 0]

    def hear(self, arm: int, games: Iterable[int], won: Iterable[bool]) -> None:
        """Hear who won; games of other arms are ignored."""
        if arm in self._heard and self.verdict is None:
            self._heard[arm].update(zip(games, won, strict=True))
            self._judge()

    def _judge(self) -> None:
        first, second = self._heard[self.duel.first], self._heard[self.duel.second]
        while self._judged < self._games and self.verdict is None:
            end = min(self._judged + self.duel.round, self._games)
            games = range(self._judged, end)
            if not all(game in first and game in second for game in games):
                return
            for game in games:
                one, other = first.pop(game), second.pop(game)
                if one != other and self.verdict is None:
                    self._weigh(game + 1, int(other))
            self._judged = end

    def _weigh(self, games: int, winner: int) -> None:
        self._alone[winner] += 1
        for side in (0, 1):
            self._evidence[side] += self._win if side == winner else self._lose
            if self._refuted[side]:
                continue
            if self._evidence[side] >= self._upper:
                self.verdict = DuelVerdict(("first", "second")[side], games, *self._alone)
                return
            self._refuted[side] = self._evidence[side] <= self._lower
        if all(self._refuted):
            self.verdict = DuelVerdict("equal", games, *self._alone)
