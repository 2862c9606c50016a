"""The modes of a game: how its minefield is made.

A further mode is one more entry here. The page shows what it finds in /api/meta, and a choice only
where there is one.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from minewright.board import Board
from minewright.game import Game, GameError, StartRule


class Mode(NamedTuple):
    """A way to make minefields."""

    summary: str
    begin: Callable[[Board, StartRule, int, str], Game]
    """Board, start rule, seed and topology: the same four always begin the same game."""


ORDINARY: Final = "ordinary"
MODES: Final = {
    ORDINARY: Mode("the mines lie anywhere, each minefield as likely as any other", Game)
}


def begin(mode: str, board: Board, start: StartRule, seed: int, topology: str) -> Game:
    """Begin a game; raises GameError, BoardError or TopologyError where there can be none."""
    if mode not in MODES:
        raise GameError(f"there is no mode {mode!r}; there is {', '.join(MODES)}")
    return MODES[mode].begin(board, start, seed, topology)
