"""MineBot as a partner: it opens what it deduces, and a person guesses where it is stuck.

The document proposes this in its first experiment: if people who "play wherever the MineBot would
normally have guessed" win hardly more than MineBot alone, then MineBot misses no technique.
"""

from collections.abc import Iterable
from time import thread_time
from typing import Final

from minewright.game import Game, GameError
from minewright.position import COVERED, MARKED, Position
from minewright.strategies import Random, Recipe
from minewright.topology import Topology

SUMMARY: Final = "MineBot opens every cell it can prove safe; where it is stuck, you guess"
MAX_CELLS: Final = 800
MAX_NEIGHBOURS: Final = 8
"""Within these a turn of MineBot takes milliseconds; on the largest boards it takes seconds."""
SECONDS: Final = 2.0
"""Measured in processor time, so that a busy server does not stop MineBot before it is stuck."""


def check_room(topology: Topology) -> None:
    """Raise GameError if MineBot would take too long."""
    if topology.size > MAX_CELLS:
        raise GameError(
            f"MineBot takes too long on {topology.size:,} cells; choose a board of at most"
            f" {MAX_CELLS:,}"
        )
    most = max(len(topology.neighbours(cell)) for cell in range(topology.size))
    if most > MAX_NEIGHBOURS:
        raise GameError(
            f"MineBot takes too long where a cell touches {most} others; choose a topology with at"
            f" most {MAX_NEIGHBOURS}"
        )


def go_on(game: Game, flagged: Iterable[int]) -> None:
    """Let MineBot flag and open cells until it is stuck, or time runs out.

    `flagged` are the mines that it has flagged before. It believes these and the numbers; a
    person's flags tell it nothing, and where it knows better it removes them.
    """
    end = thread_time() + SECONDS
    player = Recipe("minebot").player(Random(0, 0))
    mined = set(flagged)
    while not game.over and thread_time() < end:
        turn = player.turn(_seen(game.position, mined))
        if turn is None or turn.guess:
            break
        for finding in turn.findings:
            mined.update(finding.mined)
        for move in turn.moves:
            assert move.cell is not None
            flag = move.kind == "mark"
            if flag != (game.position[move.cell] == MARKED):
                game.mark(move.cell)
            if not flag:
                game.open(move.cell)


def _seen(position: Position, mined: set[int]) -> Position:
    """Return a position with MineBot's own flags and no others."""
    return position.with_cells(
        {
            cell: MARKED if cell in mined else COVERED
            for cell, code in enumerate(position.cells)
            if code in (COVERED, MARKED)
        }
    )
