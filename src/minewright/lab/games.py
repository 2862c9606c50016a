"""Games, one row each: what a worker does, wherever it stands."""

from functools import cache
from importlib.metadata import version
from typing import Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from minewright import _kernel
from minewright.errors import MinewrightError
from minewright.game import Game
from minewright.lab.experiment import fault
from minewright.lab.plan import Plan
from minewright.strategies.play import Record

# A native player gives a game up beyond these, so that none goes on for ever; few come near.
STATES: Final = 1_000_000_000
SECONDS: Final = 60.0


class PlayError(MinewrightError, RuntimeError):
    """A strategy that failed: in which game, and where, in one line."""


OUTCOMES: Final = ("won", "lost", "timed out", "stuck")
"""How a game may end; stuck: no move is left by the strategy's own (wrong) marks."""
_WON, _LOST, _TIMED_OUT, _STUCK = range(4)


class Rows(TypedDict):
    """Columns of rows, one row a game, in the order of the games."""

    outcome: NDArray[np.uint8]
    """A place in OUTCOMES."""
    guesses: NDArray[np.uint32]
    cleared: NDArray[np.uint32]
    found: NDArray[np.uint32]
    blunder: NDArray[np.bool_]
    gave_up: NDArray[np.uint32]
    cpu_seconds: NDArray[np.float64]
    signature: NDArray[np.uint64]
    """Stands for how the game ended, and at which cell: it changes only if the play changes."""


def play_games(plan: Plan, first: int, games: int) -> Rows:
    """Play these games of a plan; raises PlayError if the strategy does not get through one."""
    if plan.first_cell is not None:
        return _natively(plan, plan.first_cell, first, games)
    records: list[Record] = []
    outcomes: list[int] = []
    exploded: list[int] = []
    for number in range(first, first + games):
        game = plan.game(number)
        try:
            record = plan.play(game, number)
        except Exception as error:  # whatever a stranger's strategy does wrong
            raise PlayError(
                f"{plan}, game {number} of seed {plan.seed}: {fault(error)}; what is done is kept"
            ) from error
        last = game.moves[-1].cell if game.state == "lost" else None
        records.append(record)
        outcomes.append(_outcome(record, game))
        exploded.append(-1 if last is None else last)
    return _rows(
        np.array(outcomes, np.uint8),
        np.array([record.guesses for record in records], np.uint32),
        np.array([record.cleared for record in records], np.uint32),
        np.array([record.found for record in records], np.uint32),
        np.array([record.blunder for record in records], np.bool_),
        np.array([record.gave_up for record in records], np.uint32),
        np.array([record.seconds for record in records], np.float64),
        np.array(exploded, np.int64),
    )


def _natively(plan: Plan, cell: int, first: int, games: int) -> Rows:
    match = _kernel.Match(
        plan.board.mines,
        plan.start,
        plan.recipe.native,
        cell,
        plan.seed,
        STATES,
        plan.timeout or SECONDS,
    )
    played = _kernel.play_games(plan.topology.graph, match, first, games)
    return _rows(
        np.where(played.won, _WON, np.where(played.timed_out, _TIMED_OUT, _LOST)).astype(np.uint8),
        played.guesses,
        played.cleared,
        played.found,
        np.zeros(games, np.bool_),
        played.gave_up.astype(np.uint32),
        played.nanoseconds / 1e9,
        played.exploded,
    )


def _rows(
    outcome: NDArray[np.uint8],
    guesses: NDArray[np.uint32],
    cleared: NDArray[np.uint32],
    found: NDArray[np.uint32],
    blunder: NDArray[np.bool_],
    gave_up: NDArray[np.uint32],
    cpu_seconds: NDArray[np.float64],
    exploded: NDArray[np.int64],
) -> Rows:
    # Fowler, Noll and Vo's hash, on all rows at once; at the end its high bits reach the low ones.
    signature = np.full(len(outcome), 0xCBF29CE484222325, np.uint64)
    for column in (outcome, guesses, cleared, found, blunder, gave_up, exploded):
        signature ^= column.astype(np.uint64)
        signature *= np.uint64(0x100000001B3)
    signature ^= signature >> np.uint64(32)
    return {
        "outcome": outcome,
        "guesses": guesses,
        "cleared": cleared,
        "found": found,
        "blunder": blunder,
        "gave_up": gave_up,
        "cpu_seconds": cpu_seconds,
        "signature": signature,
    }


def _outcome(record: Record, game: Game) -> int:
    if record.won:
        return _WON
    if record.timed_out:
        return _TIMED_OUT
    return _STUCK if game.state == "given up" else _LOST


@cache
def own_version() -> str:
    """Give the version of Minewright that plays."""
    return version("minewright")
