"""Games of an arm, one row each: what a worker does, wherever it stands."""

from array import array
from collections.abc import Sequence
from hashlib import blake2b
from importlib.metadata import version
from typing import Final, TypedDict

from minewright import _kernel
from minewright.board import Board
from minewright.game import Game
from minewright.lab.experiment import Arm, fault
from minewright.position import Position
from minewright.strategies import own_numbers, play
from minewright.strategies.play import Record

# A native player stops thinking about a game after so many states; the exact ones need far fewer.
STATES: Final = 1_000_000_000


class PlayError(RuntimeError):
    """A strategy that failed: in which game, and where, in one line."""


class Rows(TypedDict):
    """Columns of rows, one row a game; `stream` is the number of the game."""

    stream: list[int]
    outcome: list[str]
    """won, lost, timed out, or stuck: no move left by the strategy's own (wrong) marks."""
    guesses: list[int]
    cleared: list[int]
    found: list[int]
    blunder: list[bool]
    gave_up: list[int]
    cpu_seconds: list[float]
    signature: list[str]
    """Stands for the cells opened, in order: it changes only if the play changes."""


def play_games(arm: Arm, seed: int, first: int, games: int, timeout: float | None = None) -> Rows:
    """Play these games of an arm; raises PlayError if the strategy does not get through one."""
    native = arm.recipe.native
    if native:
        return _natively(native, arm, seed, first, games, timeout)
    rows = _no_rows()
    board = Board.parse(arm.board)
    for stream in range(first, first + games):
        game = Game(board, arm.start, seed, arm.topology, stream=stream)
        try:
            record = play(game, arm.recipe.player(own_numbers(seed, stream)), seconds=timeout)
        except Exception as error:  # whatever a stranger's strategy does wrong
            raise PlayError(
                f"{arm}, game {stream} of seed {seed}: {fault(error)}; what is done is kept"
            ) from error
        opened = [move.cell for move in game.moves if move.kind == "open"]
        rows["stream"].append(stream)
        rows["outcome"].append(_outcome(record, game))
        rows["guesses"].append(record.guesses)
        rows["cleared"].append(record.cleared)
        rows["found"].append(record.found)
        rows["blunder"].append(record.blunder)
        rows["gave_up"].append(record.gave_up)
        rows["cpu_seconds"].append(record.seconds)
        rows["signature"].append(_sign([cell for cell in opened if cell is not None]))
    return rows


def _natively(
    player: str, arm: Arm, seed: int, first: int, games: int, timeout: float | None
) -> Rows:
    board = Board.parse(arm.board)
    covered = Position.covered_board(board, arm.topology)
    begin = arm.recipe.first_move().choose(covered, own_numbers(seed, first)).cell
    played = _kernel.play_games(
        covered.topology.graph,
        board.mines,
        arm.start,
        player,
        begin,
        seed,
        first,
        games,
        STATES,
        timeout or 60.0,
        True,
    )
    outcomes = [
        "won" if won else "timed out" if gave_up else "lost"
        for won, gave_up in zip(played.won, played.gave_up, strict=True)
    ]
    return {
        "stream": list(range(first, first + games)),
        "outcome": outcomes,
        "guesses": played.guesses,
        "cleared": played.cleared,
        "found": played.found,
        "blunder": [False] * games,
        "gave_up": [int(gave_up) for gave_up in played.gave_up],
        "cpu_seconds": [nanoseconds / 1e9 for nanoseconds in played.nanoseconds],
        "signature": [_sign([cell for cell, _ in moves]) for moves in played.moves],
    }


def _outcome(record: Record, game: Game) -> str:
    if record.won:
        return "won"
    if record.timed_out:
        return "timed out"
    return "stuck" if game.state == "given up" else "lost"


def _sign(cells: Sequence[int]) -> str:
    return blake2b(array("I", cells).tobytes(), digest_size=8).hexdigest()


def _no_rows() -> Rows:
    return {
        "stream": [],
        "outcome": [],
        "guesses": [],
        "cleared": [],
        "found": [],
        "blunder": [],
        "gave_up": [],
        "cpu_seconds": [],
        "signature": [],
    }


def own_version() -> str:
    """Give the version of Minewright that plays."""
    return version("minewright")
