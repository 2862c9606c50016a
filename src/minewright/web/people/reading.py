"""Games as they are kept, read back; and the file of a store, read without its server."""

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from math import isfinite
from pathlib import Path
from time import monotonic
from types import NoneType
from typing import Any, Final, Literal, TypeVar, get_args, get_origin, get_type_hints

from minewright.errors import MinewrightError
from minewright.messages import one_line, quote
from minewright.web.people.database import DatabaseError
from minewright.web.people.rows import Row, Stroke
from minewright.web.people.schema import KINDS, VERSION

T = TypeVar("T")

Ask = Callable[[str, Sequence[object]], list[Any]]
"""Takes an SQL query and its parameters, and returns the rows."""

COLUMNS: Final = ", ".join(Row._fields)
STORED: Final = {bool: (int,), int: (int,), float: (int, float), NoneType: (NoneType,)}
"""The types that a column of each type may hold; all others are text."""

MOST_CLICKS: Final = 2**53
"""Far more than anybody makes, and few enough to count on."""
MAX_LENGTH: Final = 1 << 20
"""Bytes of a text; those of the app are far shorter."""
SECONDS: Final = 60.0
"""After this, a query is given up; even in a full store it takes only a few."""
STEPS: Final = 100_000
"""The steps of SQLite's between two looks at the clock."""


class Damaged(MinewrightError):
    """A game that the app cannot have kept so."""


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
    return row_of(rows[0]), [_stroke(*values) for values in strokes]


def games(
    ask: Ask, person: str, limit: int, *, leave_out: Callable[[str, Damaged], None] | None = None
) -> list[tuple[Row, int]]:
    """Return a person's games, newest first, each with its number of moves.

    Raise Damaged for a damaged one, or tell `leave_out` its ID and what is wrong, and go on.
    """
    rows = ask(
        f"SELECT {COLUMNS}, (SELECT count(*) FROM strokes WHERE game = games.number)"
        " FROM games WHERE person = ? ORDER BY made DESC, number DESC LIMIT ?",
        (person, limit),
    )
    found = []
    for *row, moves in rows:
        try:
            found.append((row_of(row), moves))
        except Damaged as damaged:
            if leave_out is None:
                raise
            leave_out(str(row[0]), damaged)
    return found


def people(ask: Ask) -> list[str]:
    """Return everybody who has played a game, those with the most games first."""
    rows = ask("SELECT person FROM games GROUP BY person ORDER BY count(*) DESC, person", ())
    return [person for (person,) in rows]


def look(file: Path, question: Callable[[Ask], T]) -> T:
    """Return what a question finds out about the file of a store; its server need not stop.

    Raise DatabaseError if it is not a store, is one of another version, or is damaged.
    """
    # SQLite keeps its log beside the file that a link leads to.
    file = file.resolve()
    before = _unused(file)
    if before is not None:
        found: T | DatabaseError
        try:
            # SQLite would make a log beside it all the same, and leave it there.
            found = _look(f"{file.as_uri()}?mode=ro&immutable=1", file, question)
        except DatabaseError as error:
            found = error
        # If a server has begun to use it meanwhile, no answer can be trusted.
        if _unused(file) == before:
            if isinstance(found, DatabaseError):
                raise found
            return found
    return _look(f"{file.as_uri()}?mode=ro", file, question)


def _unused(file: Path) -> tuple[int, int] | None:
    """Return when a store was written last and its size, or None if a server may be using it."""
    if any(file.with_name(f"{file.name}-{log}").exists() for log in ("wal", "journal")):
        return None
    status = file.stat()
    return status.st_mtime_ns, status.st_size


def _look(address: str, file: Path, question: Callable[[Ask], T]) -> T:
    try:
        with closing(sqlite3.connect(address, uri=True)) as db:
            # Anybody may have made the file, with whatever they like in its tables.
            db.execute("PRAGMA trusted_schema = OFF")
            db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_LENGTH)
            ((version,),) = db.execute("PRAGMA user_version")
            if version != VERSION:
                raise DatabaseError(
                    f"{file}: this is version {version} of Minewright's database, and {VERSION} is"
                    " needed; `minewright serve` upgrades an older one"
                )
            # A view could compute for ever.
            ((tables,),) = db.execute(
                "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"
                " AND name IN ('games', 'strokes')"
            )
            if tables != 2:
                raise Damaged("it lacks the tables of games and moves")

            def ask(asked: str, given: Sequence[object]) -> list[Any]:
                end = monotonic() + SECONDS
                db.set_progress_handler(lambda: monotonic() > end, STEPS)
                return db.execute(asked, given).fetchall()

            return question(ask)
    except sqlite3.Error as error:
        why = one_line(str(error))
        raise DatabaseError(f"{file}: this database cannot be read ({why})") from None
    except UnicodeError:
        raise DatabaseError(f"{file}: this database is damaged (a text is no UTF-8)") from None
    except Damaged as error:
        raise DatabaseError(f"{file}: this database is damaged ({error})") from None


_CHOICES: Final = {
    name: get_args(hint)
    for name, hint in get_type_hints(Row).items()
    if get_origin(hint) is Literal
}


def _column(hint: Any) -> tuple[type, ...]:
    """Return the types of the values that a column for this type may hold."""
    kinds = [kind for kind in get_args(hint) if isinstance(kind, type)] or [hint]
    return tuple(stored for kind in kinds for stored in STORED.get(kind, (str,)))


_TYPES: Final = {name: _column(hint) for name, hint in get_type_hints(Row).items()}


def row_of(values: Sequence[object]) -> Row:
    """Return a game from its columns; raise Damaged if the app cannot have kept it so."""
    for (name, kinds), value in zip(_TYPES.items(), values, strict=True):
        possible = isinstance(value, kinds) and value in _CHOICES.get(name, (value,))
        if not possible or (isinstance(value, float) and not isfinite(value)):
            raise Damaged(f"the {name} of a game cannot be {quote(str(value))}")
    row = Row._make(values)
    if not _is_object(row.switches):
        raise Damaged(f"the switches of a game cannot be {quote(row.switches)}")
    if not 0 <= row.clicks <= MOST_CLICKS:
        raise Damaged(f"the clicks of a game cannot be {row.clicks}")
    return row._replace(
        seeded=bool(row.seeded),
        undo=bool(row.undo),
        helped=bool(row.helped),
        interrupted=bool(row.interrupted),
        shown=bool(row.shown),
    )


def _is_object(text: str) -> bool:
    try:
        found = json.loads(text)
        # Infinity is no JSON, though Python reads and writes it.
        json.dumps(found, allow_nan=False)
        return isinstance(found, dict)
    except (ValueError, RecursionError):
        return False


def _stroke(kind: object, cell: object, auto: object, milliseconds: object) -> Stroke:
    if (
        not (isinstance(kind, int) and 0 <= kind < len(KINDS))
        or not isinstance(cell, int | None)
        or not (isinstance(milliseconds, int) and milliseconds >= 0)
    ):
        raise Damaged(f"a move cannot be {quote(str((kind, cell, milliseconds)))}")
    return Stroke(KINDS[kind], cell, bool(auto), milliseconds / 1_000)
