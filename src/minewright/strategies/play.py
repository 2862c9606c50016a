"""One game, played by a strategy: the only place where strategy and minefield meet."""

from collections.abc import Callable
from time import thread_time
from typing import NamedTuple

from minewright.game import Game, GameError
from minewright.position import MARKED, Position
from minewright.strategies.strategy import Random, Strategy, Turn

OWN_NUMBERS = 1 << 63
"""Added to a game's stream to keep the player's random numbers apart from the minefield's."""


class Record(NamedTuple):
    """The outcome of a game."""

    won: bool
    cleared: int
    """The number of safe cells opened."""
    found: int
    """The number of mines called mined; all of them if the game is won."""
    guesses: int
    """The number of cells opened without a conclusion; the first counts if it could explode."""
    blunder: bool
    """Whether a cell called safe exploded, or a cell called mined was safe."""
    timed_out: bool
    gave_up: int
    """The number of turns in which the deducer's budget ran out."""
    seconds: float
    """Processor time, for the strategy and the game together."""


Watch = Callable[[Position, Turn], None]
"""Called for each turn, with the position before it and the turn."""


def own_numbers(seed: int, stream: int = 0) -> Random:
    """Return the random numbers for the player of this game."""
    return Random(seed, OWN_NUMBERS + stream)


def play(
    game: Game, strategy: Strategy, *, seconds: float | None = None, watch: Watch | None = None
) -> Record:
    """Play a game to its end, or until the limit of processor time is reached."""
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
        if turn.guess and first:
            begin(game, turn.guess.cell)
            guesses += game.start == "any" and game.mines > 0
        else:
            act(game, turn)
            guesses += turn.guess is not None
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
    """Make the first opening at this cell, or, if the start rule forbids it, where it allows it."""
    try:
        game.open(cell)
    except GameError:
        near = game.topology.graph.neighbours
        game.open(min(range(game.topology.size), key=lambda other: len(near(other))))


def act(game: Game, turn: Turn) -> None:
    """Make a turn's marks and openings, until the game is over."""
    for move in turn.moves:
        if game.over or move.cell is None:
            return
        if move.kind == "mark":
            game.mark(move.cell)
        else:
            game.open(move.cell)
