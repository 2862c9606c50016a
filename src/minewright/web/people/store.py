"""What outlives the server: games with their moves, results and puzzles, in one SQLite file.

A game is kept as its settings and its moves, and replayed to be restored. Every move is written
before it is answered, so that neither a crash nor a kill loses one.
"""

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from time import time
from typing import Final, get_args

from minewright.messages import one_line, quote
from minewright.patterns.drills import Drill
from minewright.web.people import reading
from minewright.web.people.days import Days
from minewright.web.people.rows import BoardStats, GameOutcome, GameResult, PlayCounts, Row, Stroke
from minewright.web.people.schema import KINDS
from minewright.web.people.teams import Teams

log = logging.getLogger("minewright.web")

PUZZLES: Final = 200
"""Puzzles in progress kept per person."""
DRILLS: Final = 300
"""Drills kept per person."""

_SLOTS: Final = ", ".join("?" * len(Row._fields))
_CHANGING: Final = (
    *("seeded", "ended", "state", "clicks", "helped", "switches"),
    *("played", "heard", "interrupted", "shown"),
)
_RESULT: Final = (
    "game, person, mode, board, topology, start, outcome, helped, interrupted, seconds, bbbv,"
    " clicks, at, score, day, flags"
)
_OF_GAME: Final = "id, person, mode, board, topology, start, ?, helped OR seeded, interrupted"
_DAY: Final = "CASE mode WHEN 'daily' THEN seed END"
_SCORE: Final = "count(*), sum(helped), " + ", ".join(
    f"sum(outcome = '{outcome}' AND NOT helped)" for outcome in get_args(GameOutcome)
)


class Store(Days, Teams):
    """The store: games, results, days, people and puzzles."""

    # Games

    def add(self, row: Row, most: int) -> None:
        """Keep a new game, and only the `most` newest games of its person.

        The person's running games count as left from now on, until they are resumed.
        """
        with self._transaction() as db:
            self._need_room(db)
            self._see(db, row.person)
            self._leave(db, "person = ?", row.person)
            db.execute(f"INSERT INTO games ({reading.COLUMNS}) VALUES ({_SLOTS})", row)
            db.execute(
                "DELETE FROM games WHERE id IN (SELECT id FROM games WHERE person = ?"
                " ORDER BY made DESC, number DESC LIMIT -1 OFFSET ?)",
                (row.person, most),
            )

    @staticmethod
    def _leave(db: sqlite3.Connection, which: str, *given: str) -> None:
        """Count running games as left, but no damaged ones: their results would be damaged, too."""
        running = db.execute(
            f"SELECT {reading.COLUMNS} FROM games WHERE state = 'playing' AND {which}", given
        )
        sound = []
        for values in running.fetchall():
            with suppress(reading.Damaged):
                sound.append(reading.row_of(values).id)
        db.executemany(
            f"INSERT OR IGNORE INTO results ({_RESULT})"
            f" SELECT {_OF_GAME}, played, NULL, clicks, ?, NULL, {_DAY}, NULL FROM games"
            " WHERE id = ?",
            [("left", time(), game) for game in sound],
        )

    def save(
        self, row: Row, kept: int, strokes: Sequence[Stroke], result: GameResult | None = None
    ) -> None:
        """Write the state of a game: its first `kept` moves stay, and `strokes` follow.

        Raise LookupError if the game no longer exists.
        """
        values = [getattr(row, name) for name in _CHANGING]
        assignments = ", ".join(f"{name} = ?" for name in _CHANGING)
        with self._transaction() as db:
            self._make_room(db)
            found = db.execute(
                f"UPDATE games SET {assignments} WHERE id = ? RETURNING number", (*values, row.id)
            ).fetchall()
            if not found:
                raise LookupError(row.id)
            ((game,),) = found
            db.execute("DELETE FROM strokes WHERE game = ? AND number >= ?", (game, kept))
            db.executemany(
                "INSERT INTO strokes VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (game, number, KINDS.index(kind), cell, auto, round(1_000 * at))
                    for number, (kind, cell, auto, at) in enumerate(strokes, kept)
                ],
            )
            db.execute("DELETE FROM results WHERE game = ?", (row.id,))
            if result is not None:
                outcome, seconds, bbbv, score, flags, guesses = result
                if guesses is not None:
                    self._count_team(db, row, outcome, guesses)
                db.execute(
                    f"INSERT INTO results ({_RESULT}) SELECT {_OF_GAME}, ?, ?, clicks, ended,"
                    f" ?, {_DAY}, ? FROM games WHERE number = ?",
                    (outcome, seconds, bbbv, score, flags, game),
                )
            self._see(db, row.person)

    def load(self, person: str, game: str) -> tuple[Row, list[Stroke]] | None:
        """Return a person's game and its moves, or None if there is none that can be read."""
        try:
            return reading.load(self._all, person, game)
        except reading.Damaged as damaged:
            self.leave_out(game, damaged)
            return None

    def games(self, person: str, limit: int) -> list[tuple[Row, int]]:
        """Return a person's games, newest first, each with its number of moves."""
        return reading.games(self._all, person, limit, leave_out=self.leave_out)

    @staticmethod
    def leave_out(game: str, why: Exception) -> None:
        """Note that a game is damaged; nobody is kept from playing because of an old one."""
        log.warning("the damaged game %s was left out (%s)", quote(game), one_line(str(why)))

    def delete(self, person: str, game: str) -> None:
        """Delete a game; its result still counts, and an unfinished game counts as left.

        Raise LookupError if there is none.
        """
        with self._transaction() as db:
            self._leave(db, "id = ? AND person = ?", game, person)
            if not db.execute(
                "DELETE FROM games WHERE id = ? AND person = ?", (game, person)
            ).rowcount:
                raise LookupError(game)

    # People

    def forget(self, person: str) -> None:
        """Delete a person with all their games, results, puzzles and drills."""
        with self._transaction() as db:
            db.execute("DELETE FROM people WHERE person = ?", (person,))

    def forget_older(self, days: float) -> None:
        """Delete everybody who has not been here for `days` days."""
        with self._transaction() as db:
            db.execute("DELETE FROM people WHERE seen < ?", (time() - days * 86_400,))

    def records(self, person: str) -> list[BoardStats]:
        """Return how a person does on each board, the most played first."""
        won = "CASE WHEN outcome = 'won' AND NOT helped"
        timed = f"{won} AND NOT interrupted THEN seconds END"
        rows = self._all(
            f"SELECT mode, board, topology, start, {_SCORE}, min({timed}), avg({timed}),"
            f" max({won} THEN CAST(bbbv AS REAL) / nullif(clicks, 0) END),"
            " avg(CASE WHEN outcome != 'left' AND NOT helped THEN score END)"
            " FROM results WHERE person = ? GROUP BY mode, board, topology, start"
            " ORDER BY count(*) DESC, mode, board, topology, start",
            (person,),
        )
        return [BoardStats._make((*row[:4], PlayCounts(*row[4:9]), *row[9:])) for row in rows]

    def times(self, person: str, most: int) -> dict[tuple[str, str, str, str], list[float]]:
        """Return the seconds of a person's last `most` ranked wins, by board, oldest first."""
        found: dict[tuple[str, str, str, str], list[float]] = {}
        for *board, seconds in self._all(
            "SELECT mode, board, topology, start, seconds FROM results WHERE person = ?"
            " AND outcome = 'won' AND NOT helped AND NOT interrupted ORDER BY at DESC LIMIT ?",
            (person, most),
        ):
            mode, name, topology, start = board
            found.setdefault((mode, name, topology, start), []).insert(0, seconds)
        return found

    def totals(self, person: str) -> tuple[PlayCounts, int, int]:
        """Return how many games a person played, the current win streak, and the longest."""
        (score,) = self._all(f"SELECT {_SCORE} FROM results WHERE person = ?", (person,))
        outcomes = self._all(
            "SELECT outcome FROM results WHERE person = ? AND NOT helped ORDER BY at",
            (person,),
        )
        streak = longest = 0
        for (outcome,) in outcomes:
            streak = streak + 1 if outcome == "won" else 0
            longest = max(longest, streak)
        return PlayCounts(*(count or 0 for count in score)), streak, longest

    def export(self, person: str) -> Iterator[str]:
        """Yield everything kept about a person, except the seeds of running games, as JSON.

        It comes game by game: all games together may have millions of moves.
        """
        yield f'{{"name":{_json(self.name(person))},"games":['
        comma = ""
        for row, _ in self.games(person, -1):
            if loaded := self.load(person, row.id):
                yield comma + _json(_exported(*loaded))
                comma = ","
        names = [name for name in _RESULT.split(", ") if name != "person"]
        results = self._all(
            f"SELECT {', '.join(names)} FROM results WHERE person = ? ORDER BY at", (person,)
        )
        rest = {
            "results": [dict(zip(names, row, strict=True)) for row in results],
            "puzzles": [
                {"code": code, "marks": marks, "at": at} for code, marks, at in self.puzzles(person)
            ],
            "drills": [
                {"form": drill.text, "stage": drill.stage, "due": drill.due, "missed": missed}
                for drill, missed in self.drills(person)
            ],
        }
        yield f"],{_json(rest)[1:]}"

    # Puzzles

    def puzzles(self, person: str) -> list[tuple[str, str, float]]:
        """Return a person's puzzles in progress, latest first: code, pencil marks and time."""
        return self._all(
            "SELECT code, marks, at FROM puzzles WHERE person = ? ORDER BY at DESC", (person,)
        )

    def keep_puzzle(
        self, person: str, code: str, marks: str, overtaken: Callable[[str, str], bool]
    ) -> bool:
        """Keep the pencil marks of a puzzle; if there are too many puzzles, the oldest go.

        Given the kept marks and the new ones, `overtaken` says whether to keep the old. Return True
        if the new ones are kept.
        """
        with self._transaction() as db:
            kept = db.execute(
                "SELECT marks FROM puzzles WHERE person = ? AND code = ?", (person, code)
            ).fetchone()
            if kept is not None and overtaken(kept[0], marks):
                return False
            self._need_room(db)
            self._see(db, person)
            db.execute(
                "INSERT OR REPLACE INTO puzzles VALUES (?, ?, ?, ?)", (person, code, marks, time())
            )
            db.execute(
                "DELETE FROM puzzles WHERE person = ? AND code NOT IN"
                " (SELECT code FROM puzzles WHERE person = ? ORDER BY at DESC LIMIT ?)",
                (person, person, PUZZLES),
            )
            return True

    def drop_puzzle(self, person: str, code: str) -> None:
        """Delete a puzzle in progress."""
        with self._transaction() as db:
            db.execute("DELETE FROM puzzles WHERE person = ? AND code = ?", (person, code))

    # Drills

    def drills(self, person: str) -> list[tuple[Drill, bool]]:
        """Return a person's drills, each with whether it comes from one of their games."""
        rows = self._all(
            "SELECT form, stage, due, missed FROM drills WHERE person = ? ORDER BY due, form",
            (person,),
        )
        return [(Drill(form, stage, due), bool(missed)) for form, stage, due, missed in rows]

    def keep_drills(self, person: str, drills: Sequence[Drill]) -> None:
        """Keep how far a person is with these drills."""
        with self._transaction() as db:
            self._need_room(db)
            self._see(db, person)
            db.executemany(
                "INSERT INTO drills VALUES (?, ?, ?, ?, 0) ON CONFLICT DO UPDATE"
                " SET stage = excluded.stage, due = excluded.due",
                [(person, drill.text, drill.stage, drill.due) for drill in drills],
            )
            # Drop those due last: they are known best.
            db.execute(
                "DELETE FROM drills WHERE person = ? AND form NOT IN"
                " (SELECT form FROM drills WHERE person = ? ORDER BY due LIMIT ?)",
                (person, person, DRILLS),
            )

    def add_missed(self, person: str, forms: Sequence[str]) -> int:
        """Add the forms that a person missed in a game, due at once; return how many are new."""
        known = {drill.text for drill, _ in self.drills(person)}
        self.keep_drills(person, [Drill(form) for form in forms])
        with self._transaction() as db:
            db.executemany(
                "UPDATE drills SET missed = 1 WHERE person = ? AND form = ?",
                [(person, form) for form in forms],
            )
        return sum(form not in known for form in forms)


def _exported(row: Row, strokes: Sequence[Stroke]) -> dict[str, object]:
    """Return a game with its moves, as it is exported."""
    game = row._asdict() | {"switches": json.loads(row.switches), "seed": row.known_seed}
    del game["person"]
    return game | {"moves": [stroke._asdict() for stroke in strokes]}


def _json(kept: object) -> str:
    return json.dumps(kept, separators=(",", ":"))
