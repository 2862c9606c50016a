"""People who guess for MineBot: how all of them did, counted without names."""

import sqlite3
from typing import Final

from minewright.web.people.database import Database
from minewright.web.people.rows import TEAM, GameOutcome, Row, TeamCounts

PER_DAY: Final = 50
"""The most games of one person that count within 24 hours, so that nobody outweighs the others."""
_DAY: Final = 86_400.0


class Teams(Database):
    """The part of the store that counts games of people and MineBot."""

    def teams(self) -> list[TeamCounts]:
        """Return how people and MineBot did, by board and start rule, the most played first."""
        rows = self._all(
            "SELECT board, start, games, won, guesses FROM teams ORDER BY games DESC, board, start",
            (),
        )
        return [TeamCounts._make(row) for row in rows]

    @staticmethod
    def _count_team(db: sqlite3.Connection, row: Row, outcome: GameOutcome, guesses: int) -> None:
        """Count a finished game, once and for good: a loss that is undone later was a loss.

        Call this before the result of the game is stored.
        """
        if not db.execute(
            "UPDATE games SET pooled = 1 WHERE id = ? AND NOT pooled", (row.id,)
        ).rowcount:
            return
        ((lately,),) = db.execute(
            "SELECT count(*) FROM results WHERE person = ? AND mode = ? AND NOT helped AND at > ?",
            (row.person, TEAM, (row.ended or 0.0) - _DAY),
        )
        if lately < PER_DAY:
            db.execute(
                "INSERT INTO teams VALUES (?, ?, 1, ?, ?) ON CONFLICT DO UPDATE SET"
                " games = games + 1, won = won + excluded.won,"
                " guesses = guesses + excluded.guesses",
                (row.board, row.start, outcome == "won", guesses),
            )
