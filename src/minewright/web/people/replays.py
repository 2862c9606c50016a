"""Games of the app as replays, for a player's profile."""

from collections.abc import Iterable, Sequence
from time import monotonic
from typing import Final

from minewright.board import Board
from minewright.errors import MinewrightError
from minewright.formats import Clicks, Replay, TimedMove
from minewright.game import Game, GameError, Move, MoveTooHard
from minewright.inference import Budget
from minewright.messages import quote
from minewright.modes import ORDINARY, UNFIXED, UnfixedGame, begin
from minewright.noguess import NoGuessGame
from minewright.web.people.reading import Ask, Damaged, games, load
from minewright.web.people.rows import TEAM, Row, Stroke

PATIENCE: Final = 60.0
"""Seconds in which all moves that were made before can be made again."""
_LEAST: Final = 0.001


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
    repeat(game, (Move(stroke.kind, stroke.cell) for stroke in strokes))
    if len(game.moves) != len(strokes):
        raise GameError("some of its moves change nothing")
    return game


def repeat(game: Game, moves: Iterable[Move]) -> None:
    """Make moves again that were made before.

    What could be judged once can be judged again, also on a busy machine, so that there is more
    time than for a new move. Raise MoveTooHard if even that does not do.
    """
    if not isinstance(game, NoGuessGame | UnfixedGame):
        game.play(moves)
        return
    usual, end = game.budget, monotonic() + PATIENCE
    try:
        for move in moves:
            game.budget = Budget(usual.states, max(end - monotonic(), _LEAST))
            game.play([move])
    except MoveTooHard:
        raise MoveTooHard(
            "making the moves of this game again takes too long at the moment; try again later, or"
            " begin another game"
        ) from None
    finally:
        game.budget = usual


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
