"""Where to guess when nothing is certain: the champion's choice, in a player's words."""

from collections.abc import Callable
from typing import NamedTuple

from minewright.assistant import guess
from minewright.champion import ChampionError, best_move
from minewright.inference import Budget, BudgetExceeded
from minewright.position import Position


class Advice(NamedTuple):
    """A guess, and why."""

    cell: int
    risk: float
    sentence: str
    next: str | None = None
    """What its likeliest numbers would lead to."""


def advise(position: Position, budget: Callable[[], Budget]) -> Advice | None:
    """Return where to guess, or None if no guess is needed.

    Where the champion cannot choose, it is the safest cell. `budget` returns the budget that is
    left. Raise BudgetExceeded if it does not suffice.
    """
    guessed = guess(position, budget=budget())
    if guessed is None:
        return None
    safest = Advice(guessed.cell, guessed.risk, guessed.sentence)
    try:
        move = best_move(position, budget=budget())
    except (BudgetExceeded, ChampionError):
        return safest
    sentence = move.sentence
    if move.cell == guessed.cell:
        # Saying whether waiting could help is worth more than saying that the cell is the safest.
        sentence = f"{guessed.sentence} {move.outlook}"
    try:
        return Advice(move.cell, move.risk, sentence, move.what_next(budget()))
    except BudgetExceeded:
        return Advice(move.cell, move.risk, sentence)
