"""The web app's database, which `minewright profile FILE` reads from anybody.

An input is a series of changes to a good store, three bytes each: where, twice, and the new byte.
Random bytes would hardly ever be a database.
"""

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from minewright import profile
from minewright.board import Board
from minewright.formats import Replay
from minewright.game import MoveKind
from minewright.web.people.database import DatabaseError
from minewright.web.people.reading import COLUMNS, Ask, look, people
from minewright.web.people.replays import replays
from minewright.web.people.rows import Row
from minewright.web.people.schema import KINDS, prepare
from targets.promises import Target, check_refusal

PAGE = 512
"""Bytes; the usual 4,096 would be empty for the most part."""
GAMES = (
    Row("a", "anna", "ordinary", "5x4x6", "moore", "safe", 3, False, False, 1.0, "{}"),
    Row("b", "anna", "no-guess", "5x5x6", "hex", "open", 5, False, False, 2.0, "{}"),
    Row("c", "ben", "ordinary", "5x4x3x9", "box", "any", 2**40, False, True, 3.0, "{}"),
)
MOVES: tuple[tuple[MoveKind, int | None], ...] = (
    ("open", 0),
    ("chord", 0),
    ("mark", -1),
    ("give up", None),
)
"""Of every game; a cell below 0 counts from the last."""


@cache
def good() -> tuple[bytes, tuple[int, ...]]:
    """Return a store with games, and where it holds anything."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.execute(f"PRAGMA page_size = {PAGE}")
        prepare(db)
        for number, row in enumerate(GAMES, 1):
            over = row._replace(state="given up", ended=row.made + 9, clicks=len(MOVES))
            size = Board.parse(row.board).size
            db.execute("INSERT OR IGNORE INTO people VALUES (?, 1.0)", (row.person,))
            slots = ", ".join("?" * len(over))
            db.execute(f"INSERT INTO games ({COLUMNS}) VALUES ({slots})", over)
            db.executemany(
                "INSERT INTO strokes VALUES (?, ?, ?, ?, 0, ?)",
                [
                    (number, at, KINDS.index(kind), None if cell is None else cell % size, 900 * at)
                    for at, (kind, cell) in enumerate(MOVES)
                ],
            )
        whole = db.serialize()
    return whole, tuple(at for at, byte in enumerate(whole) if byte)


def store(data: bytes) -> None:
    """Make everybody's profile from a store that was tampered with."""
    whole, used = good()
    changed = bytearray(whole)
    for high, low, byte in zip(data[::3], data[1::3], data[2::3], strict=False):
        changed[used[(high << 8 | low) % len(used)]] = byte
    with TemporaryDirectory() as made:
        file = Path(made, "store")
        file.write_bytes(changed)
        try:
            for games in look(file, _everybody):
                profile.make(games).as_data()
        except DatabaseError as error:
            check_refusal(error)
        assert list(Path(made).iterdir()) == [file], "it wrote a file"


def _everybody(ask: Ask) -> list[list[tuple[str, Replay]]]:
    return [replays(ask, person) for person in people(ask)]


TARGETS: dict[str, Target] = {"store": store}
