"""What outlives the server: games with their moves, results and puzzles, in one SQLite file.

A game is kept as its definition and its moves and is played again to be restored. Every move is
written before it is answered, so that neither a crash nor a kill loses one.
"""

import json
import os
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from secrets import token_bytes
from threading import Lock
from time import time
from typing import Any, Final, NamedTuple

from minewright.game import MoveKind, StartRule, State

if sys.platform != "win32":
    import fcntl

FILE: Final = "minewright.sqlite3"
LOCK: Final = "minewright.lock"
VERSION: Final = 2
PUZZLES: Final = 200
"""Puzzles in progress kept of one person."""
_SEEN_EVERY: Final = 3_600.0

_SCHEMA: Final = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE people (person TEXT PRIMARY KEY, seen REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    board TEXT NOT NULL, topology TEXT NOT NULL, start TEXT NOT NULL, seed INTEGER NOT NULL,
    undo INTEGER NOT NULL, made REAL NOT NULL, begun REAL, ended REAL, state TEXT NOT NULL,
    clicks INTEGER NOT NULL, helped INTEGER NOT NULL, switches TEXT NOT NULL,
    seeded INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX games_of ON games (person, made);
CREATE TABLE strokes (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE, number INTEGER NOT NULL,
    kind TEXT NOT NULL, cell INTEGER, auto INTEGER NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE results (
    game TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    board TEXT NOT NULL, topology TEXT NOT NULL, start TEXT NOT NULL, won INTEGER NOT NULL,
    helped INTEGER NOT NULL, seconds REAL NOT NULL, bbbv INTEGER NOT NULL,
    clicks INTEGER NOT NULL, at REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX results_of ON results (person, at);
CREATE TABLE puzzles (
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, code TEXT NOT NULL,
    marks TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (person, code)
) WITHOUT ROWID;
"""

_LATER: Final = {1: "ALTER TABLE games ADD COLUMN seeded INTEGER NOT NULL DEFAULT 0"}
"""What makes a store of each version one of the next."""


class StoreError(Exception):
    """The store cannot be used: the message says why, and what to do."""


class Stroke(NamedTuple):
    """A move as it is kept: who made it, and when, in seconds from the first opening."""

    kind: MoveKind
    cell: int | None
    auto: bool
    """Whether the autoplayer made it."""
    at: float


class Row(NamedTuple):
    """A game as it is kept, without its moves."""

    id: str
    person: str
    board: str
    topology: str
    start: StartRule
    seed: int
    undo: bool
    made: float
    begun: float | None
    ended: float | None
    state: State
    clicks: int
    helped: bool
    switches: str
    seeded: bool
    """Whether the player chose the seed, and so may know the minefield."""


class Result(NamedTuple):
    """How a game ended."""

    won: bool
    seconds: float
    bbbv: int


_COLUMNS: Final = ", ".join(Row._fields)
_SLOTS: Final = ", ".join("?" * len(Row._fields))
_CHANGING: Final = ("begun", "ended", "state", "clicks", "helped", "switches")


class Store:
    """One SQLite file. Any thread may use it.

    Raises StoreError if the directory or the file cannot be used.
    """

    def __init__(self, directory: Path) -> None:
        self.file = directory / FILE
        self._lock = Lock()
        with ExitStack() as undone:
            try:
                directory.mkdir(parents=True, exist_ok=True)
                undone.enter_context(_claim(directory))
                # Only its owner may read who played what, and the secret that signs cookies.
                os.close(os.open(self.file, os.O_RDWR | os.O_CREAT, 0o600))
                self._db = sqlite3.connect(self.file, timeout=5.0, check_same_thread=False)
                undone.callback(self._db.close)
                self._open()
                self._check()
            except OSError as error:
                raise StoreError(
                    f"{directory}: nothing can be kept there ({error.strerror}); "
                    "give another directory with --data"
                ) from None
            except sqlite3.Error as error:
                raise StoreError(
                    f"{self.file}: this is no store of Minewright's, or it is damaged ({error}); "
                    "move it away, or give another directory with --data"
                ) from None
            self._closing = undone.pop_all()

    def _open(self) -> None:
        # Transactions are begun and ended below, nowhere else.
        self._db.isolation_level = None
        # Written ahead: after a crash of the program all is there, after one of the machine
        # at most the last moves are lost, never the file.
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA foreign_keys = ON")
        with self._transaction():
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version == 0:
                for statement in _SCHEMA.split(";"):
                    self._db.execute(statement)
                self._db.execute("INSERT INTO meta VALUES ('secret', ?)", (token_bytes(32),))
                version = VERSION
            while version in _LATER:
                self._db.execute(_LATER[version])
                version += 1
            if version != VERSION:
                raise sqlite3.DatabaseError(f"its version is {version}, not {VERSION}")
            self._db.execute(f"PRAGMA user_version = {VERSION}")

    def _check(self) -> None:
        """Find damage now rather than in the middle of somebody's game."""
        (found,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(" ".join(found.split()))
        secret = self._db.execute("SELECT value FROM meta WHERE key = 'secret'").fetchone()
        if secret is None:
            raise sqlite3.DatabaseError("it holds no secret")
        self.secret: bytes = secret[0]

    def close(self) -> None:
        """Close the file, and leave the directory to others."""
        with self._lock:
            self._closing.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                # On a full disk it may have been rolled back already.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _all(self, question: str, given: Sequence[object]) -> list[Any]:
        with self._lock:
            return self._db.execute(question, given).fetchall()

    # Games

    def add(self, row: Row, most: int) -> None:
        """Keep a new game, and let the person's oldest go beyond so many."""
        with self._transaction() as db:
            self._see(db, row.person)
            db.execute(f"INSERT INTO games ({_COLUMNS}) VALUES ({_SLOTS})", row)
            db.execute(
                "DELETE FROM games WHERE id IN (SELECT id FROM games WHERE person = ?"
                " ORDER BY made DESC, rowid DESC LIMIT -1 OFFSET ?)",
                (row.person, most),
            )

    def save(
        self, row: Row, kept: int, strokes: Sequence[Stroke], result: Result | None = None
    ) -> None:
        """Write how a game stands: of its moves the first so many stay, and these follow.

        Raises LookupError if the game is not there any more.
        """
        values = [getattr(row, name) for name in _CHANGING]
        assignments = ", ".join(f"{name} = ?" for name in _CHANGING)
        with self._transaction() as db:
            changed = db.execute(
                f"UPDATE games SET {assignments} WHERE id = ?", (*values, row.id)
            ).rowcount
            if not changed:
                raise LookupError(row.id)
            db.execute("DELETE FROM strokes WHERE game = ? AND number >= ?", (row.id, kept))
            db.executemany(
                "INSERT INTO strokes VALUES (?, ?, ?, ?, ?, ?)",
                [(row.id, number, *stroke) for number, stroke in enumerate(strokes, kept)],
            )
            db.execute("DELETE FROM results WHERE game = ?", (row.id,))
            if result is not None:
                db.execute(
                    "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        *(row.id, row.person, row.board, row.topology, row.start, result.won),
                        *(
                            row.helped or row.seeded,
                            result.seconds,
                            result.bbbv,
                            row.clicks,
                            row.ended,
                        ),
                    ),
                )
            self._see(db, row.person)

    def load(self, person: str, game: str) -> tuple[Row, list[Stroke]] | None:
        """Give a person's game and its moves; None if there is none."""
        rows = self._all(
            f"SELECT {_COLUMNS} FROM games WHERE id = ? AND person = ?", (game, person)
        )
        if not rows:
            return None
        strokes = self._all(
            "SELECT kind, cell, auto, at FROM strokes WHERE game = ? ORDER BY number", (game,)
        )
        return _row(rows[0]), [
            Stroke(kind, cell, bool(auto), at) for kind, cell, auto, at in strokes
        ]

    def games(self, person: str, limit: int) -> list[tuple[Row, int]]:
        """Give a person's games, the newest first, each with the number of its moves."""
        rows = self._all(
            f"SELECT {_COLUMNS}, (SELECT count(*) FROM strokes WHERE game = id) FROM games"
            " WHERE person = ? ORDER BY made DESC, rowid DESC LIMIT ?",
            (person, limit),
        )
        return [(_row(row[:-1]), row[-1]) for row in rows]

    def delete(self, person: str, game: str) -> None:
        """Delete a game; how it ended still counts."""
        with self._transaction() as db:
            db.execute("DELETE FROM games WHERE id = ? AND person = ?", (game, person))

    # People

    def _see(self, db: sqlite3.Connection, person: str) -> None:
        now = time()
        db.execute(
            "INSERT INTO people VALUES (?, ?) ON CONFLICT DO UPDATE SET seen = excluded.seen"
            " WHERE seen < excluded.seen - ?",
            (person, now, _SEEN_EVERY),
        )

    def forget(self, person: str) -> None:
        """Delete a person, with all games, results and puzzles."""
        with self._transaction() as db:
            db.execute("DELETE FROM people WHERE person = ?", (person,))

    def forget_older(self, days: float) -> None:
        """Delete all people who were not here for so many days."""
        with self._transaction() as db:
            db.execute("DELETE FROM people WHERE seen < ?", (time() - days * 86_400,))

    def records(self, person: str) -> list[dict[str, Any]]:
        """Give how a person does on each board, the most played first."""
        alone = "CASE WHEN won AND NOT helped THEN"
        rows = self._all(
            "SELECT board, topology, start, count(*), sum(won AND NOT helped),"
            f" min({alone} seconds END), avg({alone} seconds END),"
            f" max({alone} CAST(bbbv AS REAL) / nullif(clicks, 0) END)"
            " FROM results WHERE person = ? GROUP BY board, topology, start"
            " ORDER BY count(*) DESC, board, topology, start",
            (person,),
        )
        names = ("board", "topology", "start", "played", "won", "best", "mean", "efficiency")
        return [dict(zip(names, row, strict=True)) for row in rows]

    def totals(self, person: str) -> tuple[int, int, int, int]:
        """Give how many games a person played, won alone, did not play alone, won in a row."""
        rows = self._all(
            "SELECT won, helped FROM results WHERE person = ? ORDER BY at DESC", (person,)
        )
        alone = [bool(won) for won, helped in rows if not helped]
        streak = alone.index(False) if False in alone else len(alone)
        return len(rows), sum(alone), len(rows) - len(alone), streak

    def export(self, person: str) -> dict[str, Any]:
        """Give all that is kept about a person."""
        games = []
        for row, _ in self.games(person, -1):
            loaded = self.load(person, row.id)
            strokes = loaded[1] if loaded else []
            game = row._asdict() | {"switches": json.loads(row.switches)}
            del game["person"]
            games.append(game | {"moves": [stroke._asdict() for stroke in strokes]})
        names = (
            *("game", "board", "topology", "start", "won", "helped", "seconds", "bbbv"),
            *("clicks", "at"),
        )
        results = self._all(
            f"SELECT {', '.join(names)} FROM results WHERE person = ? ORDER BY at", (person,)
        )
        return {
            "games": games,
            "results": [dict(zip(names, row, strict=True)) for row in results],
            "puzzles": [
                {"code": code, "marks": marks, "at": at} for code, marks, at in self.puzzles(person)
            ],
        }

    # Puzzles

    def puzzles(self, person: str) -> list[tuple[str, str, float]]:
        """Give a person's puzzles in progress: code, pencil marks and when, the latest first."""
        return self._all(
            "SELECT code, marks, at FROM puzzles WHERE person = ? ORDER BY at DESC", (person,)
        )

    def keep_puzzle(self, person: str, code: str, marks: str) -> None:
        """Keep the pencil marks of a puzzle; the oldest puzzles go if there are too many."""
        with self._transaction() as db:
            self._see(db, person)
            db.execute(
                "INSERT OR REPLACE INTO puzzles VALUES (?, ?, ?, ?)", (person, code, marks, time())
            )
            db.execute(
                "DELETE FROM puzzles WHERE person = ?1 AND code NOT IN"
                " (SELECT code FROM puzzles WHERE person = ?1 ORDER BY at DESC LIMIT ?2)",
                (person, PUZZLES),
            )

    def drop_puzzle(self, person: str, code: str) -> None:
        """Put a puzzle away."""
        with self._transaction() as db:
            db.execute("DELETE FROM puzzles WHERE person = ? AND code = ?", (person, code))


@contextmanager
def _claim(directory: Path) -> Iterator[None]:
    """Keep other servers out: each holds games in memory and would overwrite the other's.

    The system lets go of the lock with the process, however that ends. There is none on Windows.
    """
    file = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform != "win32":
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise StoreError(
                    f"{directory} is already served by another Minewright; "
                    "end that one, or give another directory with --data"
                ) from None
        yield
    finally:
        os.close(file)


def _row(values: Sequence[Any]) -> Row:
    row = Row._make(values)
    return row._replace(undo=bool(row.undo), helped=bool(row.helped), seeded=bool(row.seeded))
