"""One game turn by turn: what was known, what was done and why, and what that risked."""

from dataclasses import dataclass, replace

from minewright.game import Game
from minewright.inference import BudgetExceeded, analyze
from minewright.lab.arm import Arm
from minewright.position import COVERED, Position
from minewright.strategies import Choice, Record, Turn


@dataclass(frozen=True, slots=True)
class TracedTurn:
    """One turn of a game: the position before it, what was done, and what that risked."""

    position: Position
    turn: Turn
    risk: float | None
    """The exact chance that the guessed cell is mined; None if there is no guess, or too hard."""
    missed: int
    """How many cells exact inference proves safe where the strategy guessed."""

    @property
    def first(self) -> bool:
        """Whether the whole board was still covered."""
        return self.position.cells.count(COVERED) == len(self.position.cells)


@dataclass(frozen=True, slots=True)
class Trace:
    """One game from beginning to end."""

    arm: Arm
    seed: int
    number: int
    steps: tuple[TracedTurn, ...]
    record: Record
    end: Position
    """What the player saw at the end."""
    minefield: frozenset[int]


def trace(arm: Arm, seed: int, number: int = 0, *, seconds: float | None = None) -> Trace:
    """Play one game of a seed and keep its turns."""
    arm.check(seed, native=False)
    steps: list[TracedTurn] = []
    game = arm.game(seed, number)
    record = arm.play(
        game,
        seed,
        number,
        seconds=seconds,
        watch=lambda position, turn: steps.append(_step(game, turn)),
    )
    if steps:
        steps[0] = _as_begun(steps[0], game)
    return Trace(arm, seed, number, tuple(steps), record, game.position, game.minefield)


def _step(game: Game, turn: Turn) -> TracedTurn:
    position = game.position
    if turn.guess is None:
        return TracedTurn(position, turn, None, 0)
    if game.state == "ready":
        certain = game.start != "any"
        return TracedTurn(position, turn, 0.0 if certain else game.mines / game.topology.size, 0)
    try:
        analysis = analyze(position)
    except BudgetExceeded:
        return TracedTurn(position, turn, None, 0)
    return TracedTurn(position, turn, analysis.chances[turn.guess.cell], len(analysis.safe))


def _as_begun(step: TracedTurn, game: Game) -> TracedTurn:
    """Name the cell that the game began with, if the start rule did not allow the one chosen."""
    chosen, cell = step.turn.guess, game.moves[0].cell
    if chosen is None or cell is None or chosen.cell == cell:
        return step
    guess = Choice(cell, f"the start rule does not allow {game.topology.describe(chosen.cell)}")
    return replace(step, turn=step.turn._replace(guess=guess))
