"""The file of the store: used by one server, written in transactions, limited in size."""

import os
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Lock
from time import monotonic, time
from typing import Any, Final

from minewright.errors import MinewrightError
from minewright.web.people.schema import LaterVersion, prepare

if sys.platform != "win32":
    import fcntl

FILE: Final = "minewright.sqlite3"
LOCK: Final = "minewright.lock"
OVER: Final = ("won", "lost", "given up")
_FULL, _ROOMY = 0.95, 0.90
"""If more than the first share of the file is used, old games are deleted until the second is
reached. The space above the first share is reserved for the moves of running games."""
_AT_ONCE: Final = 20
_PATIENCE: Final = 60.0
_SEEN_EVERY: Final = 3_600.0
_AWAY: Final = 7 * 86_400.0
"""Seconds of absence after which somebody no longer counts as being in the middle of a game."""


class DatabaseError(MinewrightError):
    """The store cannot be used; the message says why, and what to do."""


class StoreFull(MinewrightError, sqlite3.OperationalError):
    """There is no room for anything new; the message says so, and what to do."""


class Database:
    """One SQLite file of at most `most` bytes, for use by any thread.

    Raises DatabaseError if the directory or the file cannot be used. When the file is nearly full,
    old games are deleted: first finished ones, starting with people unseen the longest, then
    unfinished ones of people who have not been here for a week. If that is not enough, nothing new
    is kept (StoreFull), but running games go on.
    """

    def __init__(self, directory: Path, most: int = 2**30) -> None:
        self.file = directory / FILE
        self._most = most
        self._page = 0
        self._hopeless = 0.0
        self._lock = Lock()
        with ExitStack() as undone:
            try:
                directory.mkdir(parents=True, exist_ok=True)
                undone.enter_context(_claim(directory))
                # Only the owner may read who played what, and the secret that signs cookies.
                os.close(os.open(self.file, os.O_RDWR | os.O_CREAT, 0o600))
                self._db = sqlite3.connect(self.file, timeout=5.0, check_same_thread=False)
                undone.callback(self._db.close)
                self._open()
                self._check()
            except OSError as error:
                raise DatabaseError(
                    f"{directory}: cannot keep data there ({error.strerror}); "
                    "choose another directory with --data"
                ) from None
            except LaterVersion as error:
                raise DatabaseError(
                    f"{self.file}: a later version of Minewright wrote it ({error}); "
                    "upgrade Minewright, or choose another directory with --data"
                ) from None
            except sqlite3.Error as error:
                # The lowest byte is the kind of error; the others say more about it.
                kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
                if kind in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
                    raise DatabaseError(
                        f"{self.file}: it cannot be read or written ({error}); "
                        "make room on that disk, or choose another directory with --data"
                    ) from None
                if kind == sqlite3.SQLITE_BUSY:
                    raise DatabaseError(
                        f"{self.file}: another program is using it ({error}); "
                        "close that program, or choose another directory with --data"
                    ) from None
                raise DatabaseError(
                    f"{self.file}: this is not a Minewright store, or it is damaged ({error}); "
                    "move it away, or choose another directory with --data"
                ) from None
            self._closing = undone.pop_all()

    def _open(self) -> None:
        # A damaged text must not keep anything else from being read.
        self._db.text_factory = lambda text: text.decode("utf-8", "replace")
        # Transactions begin and end in `_transaction` only.
        self._db.isolation_level = None
        # With a write-ahead log, a crash of the program loses nothing. A crash of the machine loses
        # at most the last moves, never the file.
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA foreign_keys = OFF")
        with self._transaction():
            prepare(self._db)
            # Clocks stopped while the server was down, since nobody could give a sign of life. As
            # after any long silence, and unlike after a pause, the next sign starts them again.
            self._db.execute("UPDATE games SET heard = 0, interrupted = 1 WHERE heard IS NOT NULL")
        self._db.execute("PRAGMA foreign_keys = ON")
        (self._page,) = self._db.execute("PRAGMA page_size").fetchone()
        self._db.execute(f"PRAGMA max_page_count = {self._most // self._page}")

    def _check(self) -> None:
        """Find damage now rather than in the middle of somebody's game."""
        (found,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(" ".join(found.split()))
        found = self._db.execute("SELECT value FROM meta WHERE key = 'secret'").fetchone()
        secret = found and found[0]
        if not (isinstance(secret, bytes) and secret):
            raise sqlite3.DatabaseError("it holds no secret")
        self.secret = secret

    def close(self) -> None:
        """Close the file and release the directory."""
        with self._lock:
            self._closing.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException as error:
                # On a full disk SQLite may have rolled back already.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                code = getattr(error, "sqlite_errorcode", None)
                if code == sqlite3.SQLITE_FULL and self._used() > _ROOMY:
                    raise self._full() from None
                raise

    def _all(self, question: str, given: Sequence[object]) -> list[Any]:
        with self._lock:
            return self._db.execute(question, given).fetchall()

    # People

    def _see(self, db: sqlite3.Connection, person: str) -> None:
        now = time()
        db.execute(
            "INSERT INTO people VALUES (?, ?) ON CONFLICT DO UPDATE SET seen = excluded.seen"
            " WHERE seen < excluded.seen - ?",
            (person, now, _SEEN_EVERY),
        )

    # Room

    def _used(self) -> float:
        """Return the share of the allowed size that is in use."""
        (pages,) = self._db.execute("PRAGMA page_count").fetchone()
        (free,) = self._db.execute("PRAGMA freelist_count").fetchone()
        return float(pages - free) * self._page / self._most

    def _make_room(self, db: sqlite3.Connection) -> bool:
        """Delete old games if there is little room; return True if there is room now."""
        if self._used() < _FULL:
            return True
        if monotonic() < self._hopeless:
            return False
        over = f"state IN {OVER}"
        for which, since in ((over, time()), (f"NOT {over}", time() - _AWAY)):
            people = db.execute(
                "SELECT person FROM people WHERE seen <= ? ORDER BY seen", (since,)
            ).fetchall()
            oldest = (
                "DELETE FROM games WHERE number IN (SELECT number FROM games WHERE person = ?"
                f" AND {which} ORDER BY made LIMIT {_AT_ONCE})"
            )
            for person in people:
                while db.execute(oldest, person).rowcount:
                    if self._used() < _ROOMY:
                        return True
        # That was not enough. Searching again at every move would slow everybody down.
        self._hopeless = monotonic() + _PATIENCE
        return self._used() < _FULL

    def _need_room(self, db: sqlite3.Connection) -> None:
        if not self._make_room(db):
            raise self._full()

    def _full(self) -> StoreFull:
        return StoreFull(
            f"this could not be saved: the server's {self._most / 1e6:,.0f} MB for games are full"
            " of games in progress; try again later"
        )


@contextmanager
def _claim(directory: Path) -> Iterator[None]:
    """Keep other servers out: each holds games in memory and would overwrite the other's.

    The system releases the lock when the process ends, however it ends. Windows has no such lock.
    """
    file = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform != "win32":
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise DatabaseError(
                    f"another Minewright server is already using {directory}; "
                    "stop that one, or choose another directory with --data"
                ) from None
        yield
    finally:
        os.close(file)
