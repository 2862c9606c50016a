"""The tables of the store, and how to upgrade those of older versions."""

import sqlite3
from secrets import token_bytes
from typing import Final

from minewright.errors import MinewrightError
from minewright.game import MoveKind

VERSION: Final = 8
KINDS: Final[tuple[MoveKind, ...]] = ("open", "mark", "chord", "give up")
"""A move is kept as the index of its kind in this list, which saves bytes on millions of moves."""

_PEOPLE: Final = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE people (person TEXT PRIMARY KEY, seen REAL NOT NULL) WITHOUT ROWID;
CREATE INDEX people_seen ON people (seen);
CREATE TABLE puzzles (
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, code TEXT NOT NULL,
    marks TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (person, code)
) WITHOUT ROWID;
"""

_GAMES: Final = """
CREATE TABLE games (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    mode TEXT NOT NULL, board TEXT NOT NULL, topology TEXT NOT NULL, start TEXT NOT NULL,
    seed INTEGER NOT NULL, seeded INTEGER NOT NULL, undo INTEGER NOT NULL, made REAL NOT NULL,
    ended REAL, state TEXT NOT NULL, clicks INTEGER NOT NULL, helped INTEGER NOT NULL,
    switches TEXT NOT NULL, played REAL NOT NULL, heard REAL, interrupted INTEGER NOT NULL
);
CREATE INDEX games_of ON games (person, made);
CREATE TABLE strokes (
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE, number INTEGER NOT NULL,
    kind INTEGER NOT NULL, cell INTEGER, auto INTEGER NOT NULL, milliseconds INTEGER NOT NULL,
    PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE results (
    game TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    mode TEXT NOT NULL, board TEXT NOT NULL, topology TEXT NOT NULL, start TEXT NOT NULL,
    outcome TEXT NOT NULL, helped INTEGER NOT NULL, interrupted INTEGER NOT NULL,
    seconds REAL NOT NULL, bbbv INTEGER, clicks INTEGER NOT NULL, at REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX results_of ON results (person, at);
"""

_TO_3: Final = f"""
DROP INDEX games_of;
DROP INDEX results_of;
ALTER TABLE strokes RENAME TO old_strokes;
ALTER TABLE results RENAME TO old_results;
ALTER TABLE games RENAME TO old_games;
{_GAMES}
CREATE INDEX people_seen ON people (seen);
INSERT INTO games
    SELECT NULL, id, person, 'ordinary', board, topology, start, seed, seeded, undo, made, ended,
        state, clicks, helped, switches,
        max(0, coalesce(ended - begun, (SELECT max(at) FROM old_strokes WHERE game = id), 0)),
        NULL, begun IS NOT NULL AND ended IS NULL
    FROM old_games ORDER BY rowid;
INSERT INTO strokes
    SELECT games.number, old_strokes.number,
        CASE kind WHEN 'open' THEN 0 WHEN 'mark' THEN 1 WHEN 'chord' THEN 2 ELSE 3 END,
        cell, auto, CAST(round(1000 * at) AS INTEGER)
    FROM old_strokes JOIN games ON id = game;
INSERT INTO results
    SELECT game, person, 'ordinary', board, topology, start,
        CASE WHEN won THEN 'won'
            WHEN (SELECT state FROM games WHERE id = game) = 'given up' THEN 'left'
            ELSE 'lost' END,
        helped, 0, seconds, bbbv, clicks, at
    FROM old_results;
DROP TABLE old_strokes;
DROP TABLE old_results;
DROP TABLE old_games
"""
"""Version 3: the clock keeps the time played, games have a mode, moves take half the room."""

_TO_4: Final = """
ALTER TABLE games ADD COLUMN shown INTEGER NOT NULL DEFAULT 0;
UPDATE games SET shown = 1 WHERE state = 'lost'
"""
"""Version 4: after a loss that may be undone, the mines stay hidden until asked for."""

_TO_5: Final = """
CREATE TABLE drills (
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, form TEXT NOT NULL,
    stage INTEGER NOT NULL, due REAL NOT NULL, missed INTEGER NOT NULL, PRIMARY KEY (person, form)
) WITHOUT ROWID
"""
"""Version 5: drills."""

_TO_6: Final = "ALTER TABLE results ADD COLUMN score REAL"
"""Version 6: safe-bet games have a score."""

_TO_7: Final = """
ALTER TABLE results ADD COLUMN day INTEGER;
ALTER TABLE results ADD COLUMN flags INTEGER;
UPDATE results SET day = (SELECT seed FROM games WHERE id = game) WHERE mode = 'daily';
CREATE INDEX results_day ON results (day) WHERE day IS NOT NULL;
CREATE TABLE names (
    person TEXT PRIMARY KEY REFERENCES people ON DELETE CASCADE, name TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE
) WITHOUT ROWID
"""
"""Version 7: results know the day of a daily game, such as 20260131, and people may have a name."""

_TO_8: Final = """
ALTER TABLE games ADD COLUMN pooled INTEGER NOT NULL DEFAULT 0;
CREATE TABLE teams (
    board TEXT NOT NULL, start TEXT NOT NULL, games INTEGER NOT NULL, won INTEGER NOT NULL,
    guesses INTEGER NOT NULL, PRIMARY KEY (board, start)
) WITHOUT ROWID
"""
"""Version 8: games of people who guess for MineBot are counted together, without names."""

_LATER: Final = {
    1: "ALTER TABLE games ADD COLUMN seeded INTEGER NOT NULL DEFAULT 0",
    2: _TO_3,
    3: _TO_4,
    4: _TO_5,
    5: _TO_6,
    6: _TO_7,
    7: _TO_8,
}
"""How to upgrade a store of each version to the next."""


class LaterVersion(MinewrightError, sqlite3.DatabaseError):
    """A later version of Minewright wrote the store."""


def prepare(db: sqlite3.Connection) -> None:
    """Create the tables, or upgrade those of an older version, inside a transaction.

    Foreign keys must be off, or replacing a table would delete the rows that refer to it. Raise
    LaterVersion if a later version of Minewright wrote the store.
    """
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version == 0:
        _run(db, _PEOPLE + _GAMES)
        db.execute("INSERT INTO meta VALUES ('secret', ?)", (token_bytes(32),))
        version = 3
    while version in _LATER:
        _run(db, _LATER[version])
        version += 1
    if version != VERSION:
        raise LaterVersion(f"its version is {version}, not {VERSION}")
    db.execute(f"PRAGMA user_version = {VERSION}")


def _run(db: sqlite3.Connection, statements: str) -> None:
    # `executescript` would end the transaction.
    for statement in statements.split(";"):
        db.execute(statement)
