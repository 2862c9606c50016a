"""Games, one row each: what a worker does, wherever it is."""

from functools import cache
from importlib.metadata import version
from typing import Final, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from minewright import _kernel
from minewright.errors import MinewrightError
from minewright.game import Game
from minewright.inference import Budget
from minewright.lab.arm import Arm
from minewright.lab.source import fault
from minewright.strategies.play import Record

STATES: Final = 1_000_000_000
SECONDS: Final = 60.0
"""Beyond these limits the kernel's players give up a game, so that none runs for ever."""

OUTCOMES: Final = ("won", "lost", "timed out", "stuck")
"""How a game may end; stuck: the strategy's own (wrong) marks leave it no move."""
_WON, _LOST, _TIMED_OUT, _STUCK = range(4)


Measure = Literal["wins", "safety"]
"""What strength is measured by: the share of games won, or the safety of games as well.

The safety of a game is the chance to survive all its risks: the product of their exact safeties in
a game that continues past each of them. Where a move would explode, the game goes on with a
minefield drawn from all those on which the move survives. The mean safety is the share of games
won, and a game's safety tells much more than whether the game was won.
"""


class PlayError(MinewrightError, RuntimeError):
    """A strategy failed: in which game, and where, in one line."""


class Rows(TypedDict):
    """Columns with one row per game, in the order of the games."""

    outcome: NDArray[np.uint8]
    """An index into OUTCOMES."""
    guesses: NDArray[np.uint32]
    cleared: NDArray[np.uint32]
    found: NDArray[np.uint32]
    blunder: NDArray[np.bool_]
    gave_up: NDArray[np.uint32]
    cpu_seconds: NDArray[np.float64]
    signature: NDArray[np.uint64]
    """A hash of how the game ended, and at which cell: it changes only if the play changes."""
    safety: NDArray[np.float64]
    """The chance to survive all risks of the game; NaN if it was not measured."""


def play_games(
    arm: Arm,
    seed: int,
    first: int,
    games: int,
    timeout: float | None = None,
    *,
    native: bool = True,
    measure: Measure = "wins",
) -> Rows:
    """Play `games` games of a seed, starting with game `first`.

    The kernel plays where it makes the same moves, unless `native` is False; only then can safety
    be measured. Raise PlayError if the strategy fails.
    """
    cell = arm.first_cell if native else None
    if cell is None:
        return _in_python(arm, seed, range(first, first + games), timeout)
    game = arm.game(seed, first)
    match = _kernel.Match(
        game.mines,
        arm.start,
        arm.recipe.native,
        cell,
        seed,
        Budget(STATES, timeout or SECONDS),
        safety=measure == "safety",
    )
    played = _kernel.play_games(game.topology.graph, match, first, games)
    return _rows(
        np.where(played.won, _WON, np.where(played.timed_out, _TIMED_OUT, _LOST)).astype(np.uint8),
        played.guesses,
        played.cleared,
        played.found,
        np.zeros(games, np.bool_),
        played.gave_up.astype(np.uint32),
        played.nanoseconds / 1e9,
        played.exploded,
        played.safety if measure == "safety" else None,
    )


def _in_python(arm: Arm, seed: int, games: range, timeout: float | None) -> Rows:
    records: list[Record] = []
    outcomes: list[int] = []
    exploded: list[int] = []
    for number in games:
        game = arm.game(seed, number)
        try:
            record = arm.play(game, seed, number, seconds=timeout)
        except Exception as error:  # whatever a user's strategy does wrong
            raise PlayError(
                f"{arm}, game {number} of seed {seed}: {fault(error)}; what is done is kept"
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


def _rows(
    outcome: NDArray[np.uint8],
    guesses: NDArray[np.uint32],
    cleared: NDArray[np.uint32],
    found: NDArray[np.uint32],
    blunder: NDArray[np.bool_],
    gave_up: NDArray[np.uint32],
    cpu_seconds: NDArray[np.float64],
    exploded: NDArray[np.int64],
    safety: NDArray[np.float64] | None = None,
) -> Rows:
    # Fowler, Noll and Vo's hash of all rows at once; the last step mixes high bits into low ones.
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
        "safety": np.full(len(outcome), np.nan) if safety is None else safety,
    }


def _outcome(record: Record, game: Game) -> int:
    if record.won:
        return _WON
    if record.timed_out:
        return _TIMED_OUT
    return _STUCK if game.state == "given up" else _LOST


@cache
def own_version() -> str:
    """Return the version of Minewright that plays."""
    return version("minewright")
