"""The modes of a game: how its minefield is made.

A new mode is one more entry here. The page offers the modes that /api/meta lists, if there are
several.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from minewright.board import Board
from minewright.game import Game, GameError, StartRule
from minewright.noguess import NoGuessGame


class Mode(NamedTuple):
    """A way to make minefields."""

    summary: str
    begin: Callable[[Board, StartRule, int, str], Game]
    """Takes board, start rule, seed and topology; the same four always begin the same game."""


ORDINARY: Final = "ordinary"
MODES: Final = {
    ORDINARY: Mode("mines anywhere, every layout equally likely", Game),
    "no-guess": Mode("wherever you begin, you never have to guess", NoGuessGame),
}


def begin(mode: str, board: Board, start: StartRule, seed: int, topology: str) -> Game:
    """Begin a game; raise GameError, BoardError or TopologyError if it is impossible."""
    if mode not in MODES:
        *others, last = MODES
        raise GameError(f"there is no mode {mode!r}; choose {', '.join(others)} or {last}")
    return MODES[mode].begin(board, start, seed, topology)
