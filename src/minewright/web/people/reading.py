"""Games as they are kept, read back; and the file of a store, read without its server."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from minewright.web.people.database import DatabaseError
from minewright.web.people.rows import Row, Stroke
from minewright.web.people.schema import KINDS, VERSION

Ask = Callable[[str, Sequence[object]], list[Any]]
"""Takes an SQL query and its parameters, and returns the rows."""

COLUMNS: Final = ", ".join(Row._fields)


def load(ask: Ask, person: str, game: str) -> tuple[Row, list[Stroke]] | None:
    """Return a person's game and its moves, or None if there is no such game."""
    rows = ask(f"SELECT {COLUMNS} FROM games WHERE id = ? AND person = ?", (game, person))
    if not rows:
        return None
    strokes = ask(
        "SELECT kind, cell, auto, milliseconds FROM strokes"
        " WHERE game = (SELECT number FROM games WHERE id = ?) ORDER BY number",
        (game,),
    )
    return _row(rows[0]), [
        Stroke(KINDS[kind], cell, bool(auto), milliseconds / 1_000)
        for kind, cell, auto, milliseconds in strokes
    ]


def games(ask: Ask, person: str, limit: int) -> list[tuple[Row, int]]:
    """Return a person's games, newest first, each with its number of moves."""
    rows = ask(
        f"SELECT {COLUMNS}, (SELECT count(*) FROM strokes WHERE game = games.number)"
        " FROM games WHERE person = ? ORDER BY made DESC, number DESC LIMIT ?",
        (person, limit),
    )
    return [(_row(row[:-1]), row[-1]) for row in rows]


def people(ask: Ask) -> list[str]:
    """Return everybody who has played a game, those with the most games first."""
    rows = ask("SELECT person FROM games GROUP BY person ORDER BY count(*) DESC, person", ())
    return [person for (person,) in rows]


@contextmanager
def opened(file: Path) -> Iterator[Ask]:
    """Open the file of a store read-only; the server that uses it need not stop.

    Raise DatabaseError if it is not a store, or one of another version.
    """
    address = f"{file.absolute().as_uri()}?mode=ro"
    if not file.with_name(f"{file.name}-wal").exists():
        # No server has it open. SQLite would make a log beside it all the same, and leave it there.
        address += "&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as db:
            ((version,),) = db.execute("PRAGMA user_version")
            if version != VERSION:
                raise DatabaseError(
                    f"{file}: this is version {version} of Minewright's database, and {VERSION} is"
                    " needed; `minewright serve` upgrades an older one"
                )
            yield lambda question, given: db.execute(question, given).fetchall()
    except sqlite3.Error as error:
        raise DatabaseError(f"{file}: this database cannot be read ({error})") from None


def _row(values: Sequence[object]) -> Row:
    row = Row._make(values)
    return row._replace(
        seeded=bool(row.seeded),
        undo=bool(row.undo),
        helped=bool(row.helped),
        interrupted=bool(row.interrupted),
        shown=bool(row.shown),
    )
