"""What is kept: within its bounds, in memory and on the disk, and from older versions."""

import gc
import sqlite3
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event
from time import time
from typing import Any

import pytest
from patient import EASY
from processes import HANG
from web_client import Web

import minewright as mw
from minewright.game import State
from minewright.modes import MODES, Mode
from minewright.position import COVERED
from minewright.web.people.database import FILE, DatabaseError, StoreFull
from minewright.web.people.recent import Recent
from minewright.web.people.rows import Row, Stroke
from minewright.web.people.schema import VERSION
from minewright.web.people.store import Store
from minewright.web.server.bounds import Asker

SECOND_VERSION = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE people (person TEXT PRIMARY KEY, seen REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE games (
    id TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, board TEXT,
    topology TEXT, start TEXT, seed INTEGER, undo INTEGER, made REAL, begun REAL, ended REAL,
    state TEXT, clicks INTEGER, helped INTEGER, switches TEXT, seeded INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX games_of ON games (person, made);
CREATE TABLE strokes (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE, number INTEGER, kind TEXT, cell INTEGER,
    auto INTEGER, at REAL, PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE results (
    game TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, board TEXT,
    topology TEXT, start TEXT, won INTEGER, helped INTEGER, seconds REAL, bbbv INTEGER,
    clicks INTEGER, at REAL
) WITHOUT ROWID;
CREATE INDEX results_of ON results (person, at);
CREATE TABLE puzzles (
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, code TEXT, marks TEXT, at REAL,
    PRIMARY KEY (person, code)
) WITHOUT ROWID;
INSERT INTO meta VALUES ('secret', x'00');
INSERT INTO people VALUES ('anna', 1e9);
INSERT INTO games VALUES
    ('runs', 'anna', '9x9x10', 'moore', 'safe', 1, 0, 1.0, 10.0, NULL, 'playing', 2, 0, '{}', 0),
    ('left', 'anna', '9x9x10', 'moore', 'safe', 1, 0, 2.0, 10.0, 14.5, 'given up', 1, 0, '{}', 1);
INSERT INTO strokes VALUES
    ('runs', 0, 'open', 40, 0, 0.0), ('runs', 1, 'mark', 0, 0, 2.25),
    ('left', 0, 'open', 40, 0, 0.0), ('left', 1, 'give up', NULL, 0, 4.5);
INSERT INTO results VALUES
    ('won', 'anna', '9x9x10', 'moore', 'safe', 1, 0, 50.5, 9, 18, 5.0),
    ('left', 'anna', '9x9x10', 'moore', 'safe', 0, 0, 4.5, 9, 1, 6.0);
"""


@pytest.mark.parametrize("version", [1, 2])
def test_a_store_of_an_older_version_is_read_with_all_it_holds(
    tmp_path: Path, version: int
) -> None:
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.executescript(f"{SECOND_VERSION}; PRAGMA user_version = {version}")
        if version == 1:
            db.executescript("ALTER TABLE games DROP COLUMN seeded")
    for _ in range(2):
        store = Store(tmp_path)
        runs, left = (store.load("anna", game) for game in ("runs", "left"))
        score, streak, _ = store.totals("anna")
        (record,) = store.records("anna")
        store.close()
        assert runs is not None
        assert left is not None
        assert (runs[0].clock, left[0].clock) == ((2.25, None, True), (4.5, None, False))
        assert left[0].seeded == (version == 2)
        assert [tuple(stroke) for stroke in runs[1]] == [
            ("open", 40, False, 0.0),
            ("mark", 0, False, 2.25),
        ]
        assert left[1][1].kind == "give up"
        assert (score, streak) == ((2, 0, 1, 0, 1), 0)
        assert (record.mode, record.best, record.efficiency) == ("ordinary", 50.5, 0.5)


def test_a_store_of_a_later_version_is_refused(tmp_path: Path) -> None:
    Store(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(DatabaseError, match=f"version is 99, not {VERSION}"):
        Store(tmp_path)


def test_a_store_that_another_program_holds_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(tmp_path).close()
    connect = sqlite3.connect
    with closing(connect(tmp_path / FILE)) as other:
        other.execute("BEGIN IMMEDIATE")
        # Nobody has to wait for this one.
        hasty = lambda file, **given: connect(file, **given | {"timeout": 0.0})  # noqa: E731
        monkeypatch.setattr(sqlite3, "connect", hasty)
        with pytest.raises(DatabaseError) as refused:
            Store(tmp_path)
    assert "another program is using it (database is locked)" in str(refused.value)
    assert "damaged" not in str(refused.value)


def test_a_store_without_the_secret_of_its_cookies_is_refused(tmp_path: Path) -> None:
    Store(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        db.execute("UPDATE meta SET value = 'text'")
    with pytest.raises(DatabaseError, match="it holds no secret"):
        Store(tmp_path)


def test_a_store_on_a_full_disk_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(_: Store) -> None:
        full = sqlite3.OperationalError("disk I/O error")
        full.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
        raise full

    monkeypatch.setattr(Store, "_open", fill)
    with pytest.raises(DatabaseError, match="make room on that disk") as refused:
        Store(tmp_path)
    assert "damaged" not in str(refused.value)


def test_a_crash_of_the_machine_never_costs_the_file(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        # 1 is NORMAL: with a write-ahead log, the file stays whole.
        assert store._all("PRAGMA synchronous", ()) == [(1,)]
        assert store._all("PRAGMA journal_mode", ()) == [("wal",)]


def test_what_fails_halfway_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> float:
        raise OSError("no clock")

    with Web(tmp_path) as web:
        anna = web.browser()
        game = anna.begin("9x9x10", seed=1)
        anna.move(game, "open", 40)
        covered = anna.ask("GET", f"/games/{game['id']}")["cells"].index(COVERED)
        with monkeypatch.context() as broken:
            # The time is asked for last: by then the move has been written.
            broken.setattr("minewright.web.people.database.time", fail)
            anna.move(game, "mark", covered, 500)
        web.restart()
        assert anna.ask("GET", f"/games/{game['id']}")["moves"] == 1
        # The next move is written.
        anna.move(game, "mark", covered)
        web.restart()
        assert anna.ask("GET", f"/games/{game['id']}")["moves"] == 2


def keep(store: Store, person: str, game: str, state: State, moves: int = 90) -> Row:
    """Keep a game with `moves` marks."""
    row = Row(game, person, "ordinary", "10x10x9", "moore", "safe", 1, True, False, time(), "{}")
    store.add(row, 1_000)
    row = row._replace(state=state)
    store.save(row, 0, [Stroke("mark", cell % 100, False, 1.5 * cell) for cell in range(moves)])
    return row


def kept(store: Store, person: str) -> list[str]:
    return [row.id for row, _ in store.games(person, -1)]


def crowd(store: Store) -> int:
    """Let new people come until there is no room for them; return how many came."""
    for number in range(1_000):
        try:
            keep(store, f"carl{number}", f"c{number}", "playing", 10)
        except StoreFull:
            return number
    return 1_000


def test_a_full_store_lets_old_finished_games_go_then_takes_no_more_but_running_ones_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bound = 300_000
    monkeypatch.setattr("minewright.web.people.database._AT_ONCE", 1)
    store = Store(tmp_path, bound)
    runs = keep(store, "anna", "runs", "playing")
    for number in range(5):
        keep(store, "anna", f"a{number}", "lost")
    names = [f"b{number}" for number in range(200)]
    for name in names:
        keep(store, "bert", name, "won")
    # Anna was here before Bert: her finished games went first, then his oldest.
    assert kept(store, "anna") == ["runs"]
    left = kept(store, "bert")
    assert left == names[: -len(left) - 1 : -1]
    assert 20 < len(left) < 200
    assert 50 < crowd(store) < 1_000
    assert kept(store, "bert") == []
    strokes = [Stroke("mark", 1, False, 200.0)]
    store.save(runs, 90, strokes)
    with pytest.raises(StoreFull):
        store.save(runs, 91, strokes * 5_000)
    store.close()
    assert (tmp_path / FILE).stat().st_size <= bound
    store = Store(tmp_path, bound)
    loaded = store.load("anna", "runs")
    assert loaded is not None
    assert len(loaded[1]) == 91
    # Somebody who has been away for long is not in the middle of anything.
    monkeypatch.setattr("minewright.web.people.database._AWAY", -1.0)
    keep(store, "dora", "d", "playing")
    assert kept(store, "anna") == []
    store.close()


def test_who_finds_the_store_full_is_told_so_in_one_line(tmp_path: Path) -> None:
    with Web(tmp_path, replace(EASY, store=100_000)) as web:
        anna = web.browser()
        while (
            answer := anna.send("POST", "/api/games", json={"board": "9x9x9"})
        ).status_code == 201:
            pass
        assert answer.status_code == 503
        assert answer.json() == {
            "problem": "this could not be saved: the server's 0 MB for games are full of games in "
            "progress; try again later"
        }
        assert anna.ask("GET", "/games")


def test_what_is_kept_in_memory_is_bounded_in_all_and_for_each_person() -> None:
    kept: Recent[str] = Recent(100, 40)
    for number in range(5):
        kept.put(f"a{number}", "anna", "", 15)
    assert [kept.get(f"a{number}") for number in range(5)] == [None, None, None, "", ""]
    for number in range(5):
        kept.put(f"b{number}", f"bert{number}", "", 20)
    assert (len(kept), kept.weight) == (5, 100)
    assert kept.get("a4") is None
    kept.put("b0", "bert0", "", 25)
    assert (kept.get("b0"), kept.get("b1")) == ("", None)
    kept.put("huge", "carl", "", 1_000)
    assert (len(kept), kept.weight) == (1, 1_000)
    kept.drop("huge")
    assert (len(kept), kept.weight) == (0, 0)


def test_games_that_left_the_memory_are_played_on(tmp_path: Path) -> None:
    with Web(tmp_path, replace(EASY, memory=40_000, games=5)) as web:
        anna = web.browser()
        games = [anna.begin("9x9x10", seed=seed) for seed in range(6)]
        for game in games[1:]:
            anna.move(game, "open", 40)
        table = web.app.state.games
        assert 1 < len(table._recent) == len(table._alive) < 5
        assert [line["moves"] for line in anna.ask("GET", "/games")] == [1] * 5
        anna.ask("GET", f"/games/{games[0]['id']}", expect=404)


def test_of_games_begun_at_one_moment_the_last_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minewright.web.play.games.time", lambda: 1e9)
    with Web(tmp_path, replace(EASY, games=2)) as web:
        anna = web.browser()
        begun = [anna.begin("9x9x10")["id"] for _ in range(5)]
        assert {line["id"] for line in anna.ask("GET", "/games")} == set(begun[-2:])


def test_a_game_is_loaded_once_and_nobody_else_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Web(tmp_path, replace(EASY, memory=1)) as web:
        anna = web.browser()
        away, here = (anna.begin("9x9x10") for _ in range(2))
        table, loads, begun, go = web.app.state.games, [], Event(), Event()
        plain = table.store.load

        def slow(person: str, game: str) -> object:
            loads.append(game)
            begun.set()
            go.wait()
            return plain(person, game)

        monkeypatch.setattr(table.store, "load", slow)
        person = table._alive[here["id"]].person
        with ThreadPoolExecutor() as pool:
            waiting = [pool.submit(table.find, person, away["id"]) for _ in range(3)]
            begun.wait()
            try:
                assert pool.submit(table.find, person, here["id"]).result(HANG).id == here["id"]
            finally:
                go.set()
            assert len({id(each.result()) for each in waiting}) == 1
        assert loads == [away["id"]]


def test_a_further_mode_is_one_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def corner(board: mw.Board, start: Any, seed: int, topology: str) -> mw.Game:
        plain = mw.Game(board, start, seed, topology)
        return mw.Game.from_minefield(plain.topology, range(board.mines))

    monkeypatch.setitem(MODES, "corner", Mode("all mines in the first row", corner))
    with Web(tmp_path) as web:
        anna = web.browser()
        modes = anna.ask("GET", "/meta")["modes"]
        entry = {"name": "corner", "summary": "all mines in the first row", "levels": []}
        # The last one is the page's own.
        assert modes[-2] == entry
        assert modes[-1]["name"] == "minebot"
        game = anna.begin("5x4x3", mode="corner")
        anna.move(game, "open", 19)
        web.restart()
        assert anna.ask("GET", f"/games/{game['id']}")["mode"] == "corner"
        anna.move(game, "open", 3)
        made = anna.move(game, "open", 4)
        assert (made["state"], made["end"]["mined"]) == ("won", [0, 1, 2])
        (record,) = anna.ask("GET", "/me")["boards"]
        assert (record["mode"], record["won"]) == ("corner", 1)
        problem = anna.ask("POST", "/games", {"board": "5x4x3", "mode": "cruel"}, 422)["problem"]
        assert problem.startswith("there is no mode 'cruel'; choose ordinary, no-guess, fair, ")
        assert problem.endswith(" or corner")


def test_a_game_without_guesses_is_won_by_reasoning_and_stays_the_same(tmp_path: Path) -> None:
    with Web(tmp_path) as web:
        anna = web.browser()
        game = anna.begin("16x16x40", mode="no-guess", start="open")
        made = anna.move(game, "open", 100)
        web.restart()
        while made["state"] == "playing":
            shown = anna.ask("GET", f"/games/{game['id']}")
            position = mw.Position(mw.topologies()["moore"]((16, 16)), bytes(shown["cells"]), 40)
            safe = mw.analyze(position).safe
            assert safe
            made = anna.move(game, "open", safe[0])
        assert made["state"] == "won"


def test_games_weigh_no_less_than_they_take(tmp_path: Path) -> None:
    on = dict.fromkeys(("zero", "simple", "set", "solvers", "probabilities"), True)
    with Web(tmp_path) as web:
        anna = web.browser()
        kept = web.app.state.games._recent

        def play() -> None:
            game = anna.begin("60x60x500", start="open", assistant=on)
            anna.move(game, "open", 1_830)

        play()
        gc.collect()
        before = kept.weight
        tracemalloc.start()
        for _ in range(20):
            play()
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(kept) == 21
        assert taken < kept.weight - before


def test_an_export_of_many_moves_takes_the_memory_of_one_game_and_few_run_at_once(
    tmp_path: Path,
) -> None:
    with Web(tmp_path) as web:
        anna = web.browser()
        games = [anna.begin("9x9x10")["id"] for _ in range(20)]
        with web.app.state.store._transaction() as db:
            for (number,) in db.execute("SELECT number FROM games").fetchall():
                moves = [(number, at, 1, at % 81, 0, at) for at in range(2_000)]
                db.executemany("INSERT INTO strokes VALUES (?, ?, ?, ?, ?, ?)", moves)
        store = web.app.state.store
        ((person,),) = store._all("SELECT DISTINCT person FROM games", ())
        tracemalloc.start()
        # What a reader has taken is no longer held in memory; only the largest piece is.
        pieces = [len(piece) for piece in store.export(person)]
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert max(pieces) < sum(pieces) / 10
        assert most < 1.5 * sum(pieces)
        answer = anna.send("GET", "/api/me/export")
        kept = answer.json()["games"]
        assert [game["id"] for game in kept] == games[::-1]
        assert [len(game["moves"]) for game in kept] == [2_000] * 20
        assert kept[0]["moves"][5] == {"kind": "mark", "cell": 5, "auto": False, "at": 0.005}
        exports = web.app.state.exports
        with exports.hold(Asker("127.0.0.1", "bert")), exports.hold(Asker("127.0.0.1", "carl")):
            assert "at once" in anna.ask("GET", "/me/export", expect=429)["problem"]
        anna.ask("GET", "/me/export")
