"""Games of the app as replays, for a player's profile."""

from collections.abc import Sequence
from typing import Final

from minewright.board import Board
from minewright.errors import MinewrightError
from minewright.formats import Clicks, Replay, TimedMove
from minewright.game import Game, Move, MoveTooHard
from minewright.inference import Budget
from minewright.messages import quote
from minewright.modes import ORDINARY, UNFIXED, UnfixedGame, begin
from minewright.noguess import NoGuessGame
from minewright.web.people.reading import Ask, Damaged, games, load
from minewright.web.people.rows import TEAM, Row, Stroke

PATIENCE: Final = 60.0
"""Seconds for a move that was made before."""


def tells(row: Row) -> bool:
    """Return True if a game tells something about its player.

    Such a game is over for good. Its player had no help, not even MineBot's, and did not know the
    mines. The mode does not let the mines give way.
    """
    return row.settled and not (row.helped or row.seeded or row.mode in {TEAM, *UNFIXED})


def restored(row: Row, strokes: Sequence[Stroke]) -> Game:
    """Return a game as it is kept, made from its moves.

    Raise BoardError, TopologyError or GameError if it cannot have been played so. MoveTooHard says
    nothing about the game: it only takes too long now.
    """
    mode = ORDINARY if row.mode == TEAM else row.mode
    game = begin(mode, Board.parse(row.board), row.start, row.seed, row.topology)
    if isinstance(game, NoGuessGame | UnfixedGame):
        # What was found once will be found again, also on a busy machine; new moves have less.
        usual = game.budget
        game.budget = Budget(usual.states, max(usual.seconds, PATIENCE))
        game.play(Move(stroke.kind, stroke.cell) for stroke in strokes)
        game.budget = usual
    else:
        game.play(Move(stroke.kind, stroke.cell) for stroke in strokes)
    return game


def as_replay(row: Row, strokes: Sequence[Stroke]) -> Replay | None:
    """Return a finished game as a replay, or None if nothing was opened."""
    game = restored(row, strokes)
    if not any(stroke.kind == "open" for stroke in strokes):
        return None
    made = [stroke for stroke in strokes if stroke.kind != "give up"]
    rights = sum(stroke.kind == "mark" for stroke in made)
    chords = sum(stroke.kind == "chord" for stroke in made)
    return Replay(
        game.topology,
        game.minefield,
        tuple(TimedMove(stroke.at, Move(stroke.kind, stroke.cell)) for stroke in made),
        ended=game.state in ("won", "lost"),
        program="Minewright",
        # Clicks without effect are counted, but it is not recorded which button was used.
        clicks=Clicks(row.clicks - rights - chords, rights, chords),
    )


def replays(ask: Ask, person: str) -> list[tuple[str, Replay]]:
    """Return a person's games that tell something, oldest first, each with its ID.

    Raise Damaged if a game cannot have been played so, and MoveTooHard if that takes too long.
    """
    found = []
    for row, _ in reversed(games(ask, person, -1)):
        loaded = load(ask, person, row.id) if tells(row) else None
        if loaded is None:
            continue
        try:
            replay = as_replay(*loaded)
        except MoveTooHard:
            raise
        except MinewrightError as error:
            raise Damaged(f"the game {quote(row.id)} cannot be played again: {error}") from None
        if replay is not None:
            found.append((row.id, replay))
    return found
