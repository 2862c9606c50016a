"""The web app's database, which `minewright profile FILE` reads from anybody.

An input is a series of changes to a good store, three bytes each: where, twice, and the new byte.
Random bytes would hardly ever be a database.
"""

import sqlite3
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

from minewright import analyze, profile
from minewright.formats import Replay
from minewright.game import Game, MoveTooHard
from minewright.modes import begin
from minewright.position import MAX_NUMBER
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
    Row("c", "ben", "ordinary", "5x4x3x9", "box", "any", 2**40 + 3, False, True, 3.0, "{}"),
    Row("d", "ben", "kind", "4x4x3", "moore", "safe", 1, False, False, 4.0, "{}"),
)


def played(row: Row) -> Game:
    """Return the game with moves of every kind.

    Each changes something: the app keeps no others, and takes a game with others for damaged.
    """
    game = begin(row.mode, row.board, row.start, row.seed, row.topology)
    game.open(0)
    for cell in analyze(game.position).mined:
        game.mark(cell)
    for cell in range(game.topology.size):
        if not game.over and game.position[cell] <= MAX_NUMBER:
            game.chord(cell)
    if not game.over:
        game.give_up()
    return game


@cache
def good() -> tuple[bytes, tuple[int, ...]]:
    """Return a store with games, and where it holds anything."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.execute(f"PRAGMA page_size = {PAGE}")
        prepare(db)
        for number, row in enumerate(GAMES, 1):
            game = played(row)
            over = row._replace(state=game.state, ended=row.made + 9, clicks=len(game.moves))
            db.execute("INSERT OR IGNORE INTO people VALUES (?, 1.0)", (row.person,))
            slots = ", ".join("?" * len(over))
            db.execute(f"INSERT INTO games ({COLUMNS}) VALUES ({slots})", over)
            db.executemany(
                "INSERT INTO strokes VALUES (?, ?, ?, ?, 0, ?)",
                [
                    (number, at, KINDS.index(move.kind), move.cell, 900 * at)
                    for at, move in enumerate(game.moves)
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
        # A game that is damaged must not keep the fuzzer from everybody else's.
        for number in range(len({row.person for row in GAMES})):
            try:
                profile.make(look(file, partial(games_of, number))).as_data()
            except (DatabaseError, MoveTooHard) as error:
                check_refusal(error)
        assert list(Path(made).iterdir()) == [file], "it wrote a file"


def games_of(number: int, ask: Ask) -> list[tuple[str, Replay]]:
    """Return the games of one person, as `minewright profile --person` reads them."""
    return [game for person in people(ask)[number : number + 1] for game in replays(ask, person)]


TARGETS: dict[str, Target] = {"store": store}
