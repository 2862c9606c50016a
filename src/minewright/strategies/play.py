"""One game, played by a strategy: the only place where strategy and minefield meet."""

from collections.abc import Callable
from time import thread_time
from typing import NamedTuple

from minewright._kernel import MARKED, Random
from minewright.game import Game, GameError
from minewright.position import Position
from minewright.strategies.strategy import Strategy, Turn

OWN_NUMBERS = 1 << 63
"""Added to a game's stream for the player's random numbers: they are not the minefield's."""


class Record(NamedTuple):
    """What came of a game."""

    won: bool
    cleared: int
    """Safe cells opened."""
    found: int
    """Mines called as such; all of them in a won game."""
    guesses: int
    """Cells opened that nothing was concluded about; the first only where it may explode."""
    blunder: bool
    """A cell that was called safe exploded, or one that was called mined was safe."""
    timed_out: bool
    gave_up: int
    """Turns in which the deducer's budget ran out."""
    seconds: float
    """Of the processor, for the strategy's own thinking and the game."""


Watch = Callable[[Position, Turn], None]
"""Called with the position before each turn and the turn."""


def own_numbers(seed: int, stream: int = 0) -> Random:
    """Give the random numbers of the player of this game."""
    return Random(seed, OWN_NUMBERS + stream)


def play(
    game: Game, strategy: Strategy, *, seconds: float | None = None, watch: Watch | None = None
) -> Record:
    """Play a game to its end, or until so many seconds of the processor are spent."""
    began = thread_time()
    guesses = gave_up = 0
    timed_out = False
    while not game.over:
        if seconds is not None and thread_time() - began > seconds:
            timed_out = True
            break
        position = game.position
        turn = strategy.turn(position)
        if turn is None:
            break
        if watch is not None:
            watch(position, turn)
        gave_up += turn.conclusion.gave_up
        first = game.state == "ready"
        if turn.guess is None:
            act(game, turn)
        else:
            begin(game, turn.guess.cell) if first else game.open(turn.guess.cell)
            guesses += not first or (game.start == "any" and game.mines > 0)
    won = game.state == "won"
    marks = [cell for cell, code in enumerate(game.position.cells) if code == MARKED]
    called_safe = game.state == "lost" and turn is not None and turn.guess is None
    if not game.over:
        game.give_up()
    truth = game.minefield
    right = sum(cell in truth for cell in marks)
    return Record(
        won=won,
        cleared=game.topology.size - game.mines - game.covered_safe,
        found=game.mines if won else right,
        guesses=guesses,
        blunder=called_safe or right < len(marks),
        timed_out=timed_out,
        gave_up=gave_up,
        seconds=thread_time() - began,
    )


def begin(game: Game, cell: int) -> None:
    """Make the first opening here, or where the start rule allows it if not here."""
    try:
        game.open(cell)
    except GameError:
        near = game.topology.graph.neighbours
        game.open(min(range(game.topology.size), key=lambda other: len(near(other))))


def act(game: Game, turn: Turn) -> None:
    """Make a turn's marks and openings, as far as the game goes."""
    for move in turn.moves:
        if game.over or move.cell is None:
            return
        if move.kind == "mark":
            game.mark(move.cell)
        else:
            game.open(move.cell)
