"""The file of the store: opened by one server only, written in transactions, bounded in size."""

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
"""Shares of the file: from the first on old games go, down to the second; what is beyond the first
is kept for the moves of games that run."""
_AT_ONCE: Final = 20
_PATIENCE: Final = 60.0
_AWAY: Final = 7 * 86_400.0
"""Who was not here for so long is not in the middle of a game."""


class StoreError(MinewrightError):
    """The store cannot be used: the message says why, and what to do."""


class StoreFull(MinewrightError, sqlite3.OperationalError):
    """There is no room for anything new: the message says so, and what to do."""


class Database:
    """One SQLite file of at most so many bytes. Any thread may use it.

    Raises StoreError if the directory or the file cannot be used. When the file is nearly full the
    oldest finished games go, those of people longest unseen first; then unfinished ones of people
    who have not been here for a week. If that is not enough, nothing new is kept (StoreFull), but
    games that run go on.
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
            except LaterVersion as error:
                raise StoreError(
                    f"{self.file}: a later version of Minewright wrote it ({error}); "
                    "upgrade Minewright, or give another directory with --data"
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
        self._db.execute("PRAGMA foreign_keys = OFF")
        with self._transaction():
            prepare(self._db)
            # Nobody was heard of while the server was down: clocks stood still since before.
            self._db.execute(
                "UPDATE games SET heard = NULL, interrupted = 1 WHERE heard IS NOT NULL"
            )
        self._db.execute("PRAGMA foreign_keys = ON")
        (self._page,) = self._db.execute("PRAGMA page_size").fetchone()
        self._db.execute(f"PRAGMA max_page_count = {self._most // self._page}")

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
            except BaseException as error:
                # On a full disk it may have been rolled back already.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                code = getattr(error, "sqlite_errorcode", None)
                if code == sqlite3.SQLITE_FULL and self._used() > _ROOMY:
                    raise self._full() from None
                raise

    def _all(self, question: str, given: Sequence[object]) -> list[Any]:
        with self._lock:
            return self._db.execute(question, given).fetchall()

    # Room

    def _used(self) -> float:
        """Give how much of the room is taken, as a share of all there is."""
        (pages,) = self._db.execute("PRAGMA page_count").fetchone()
        (free,) = self._db.execute("PRAGMA freelist_count").fetchone()
        return float(pages - free) * self._page / self._most

    def _make_room(self, db: sqlite3.Connection) -> bool:
        """Let old games go if there is little room; gives whether there is some now."""
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
        # It was in vain: to look at everybody again at every move would stop them all.
        self._hopeless = monotonic() + _PATIENCE
        return self._used() < _FULL

    def _need_room(self, db: sqlite3.Connection) -> None:
        if not self._make_room(db):
            raise self._full()

    def _full(self) -> StoreFull:
        return StoreFull(
            f"this could not be kept: the {self._most / 1e6:,.0f} MB that the server has for games"
            " are full of games being played; try again later"
        )


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
