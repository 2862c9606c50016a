"""Games that are damaged, take too long to restore, or are deleted: nobody else notices."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest
from patient import EASY
from web_client import Web

import minewright as mw
from minewright.cli import main
from minewright.inference import Budget
from minewright.modes import UnfixedGame
from minewright.noguess import NoGuessError
from minewright.position import COVERED
from minewright.web.people.database import FILE
from minewright.web.play.live import Live

MOVES = "game = (SELECT number FROM games WHERE id = ?)"
AGAIN = "SELECT game, 2, kind, cell, auto, milliseconds FROM strokes WHERE number = 0 AND"
DAMAGES = {
    "seed": "UPDATE games SET seed = 'seven' WHERE id = ?",
    "state": "UPDATE games SET state = 'drawn' WHERE id = ?",
    "start": "UPDATE games SET start = 'anywhere' WHERE id = ?",
    "board": "UPDATE games SET board = '5x5x99' WHERE id = ?",
    "mode": "UPDATE games SET mode = 'another' WHERE id = ?",
    "bytes": "UPDATE games SET mode = x'00' WHERE id = ?",
    "clicks": "UPDATE games SET clicks = 9223372036854775807 WHERE id = ?",
    "no-json": "UPDATE games SET switches = '[' WHERE id = ?",
    "infinite-switch": "UPDATE games SET switches = '{\"zero\": 1e999}' WHERE id = ?",
    "switches": "UPDATE games SET switches = '{\"zero\": 7}' WHERE id = ?",
    "time": "UPDATE games SET played = 9e999 WHERE id = ?",
    "cell": f"UPDATE strokes SET cell = 9999 WHERE {MOVES}",
    "kind": f"UPDATE strokes SET kind = 9 WHERE {MOVES}",
    "move-without-effect": f"INSERT INTO strokes {AGAIN} {MOVES}",
}


def change(data: Path, statement: str, game: str) -> None:
    with closing(sqlite3.connect(data / FILE)) as db, db:
        db.execute(statement, (game,))


def strict(text: str) -> Any:
    """Read JSON as browsers do; Python also reads Infinity."""
    return json.loads(text, parse_constant=pytest.fail)


@pytest.mark.parametrize("over", [True, False], ids=["over", "running"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_game_keeps_nobody_from_playing(
    tmp_path: Path, damage: str, over: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with Web(tmp_path, EASY) as web:
        anna = web.browser()
        sound, damaged = games = [anna.begin("5x5x4"), anna.ask("POST", "/games/daily", {})]
        for game in games:
            anna.move(game, "open", game["first"] or 0)
            if over:
                anna.move(game, "give up")
        change(tmp_path, DAMAGES[damage], damaged["id"])
        web.restart()
        states = [anna.ask("GET", f"/games/{sound['id']}")["state"]]
        anna.ask("GET", f"/games/{damaged['id']}", expect=404)
        assert anna.ask("POST", "/games/daily", {})["id"] != damaged["id"]
        for _ in range(2):
            # A game that begins counts the running ones as left.
            anna.move(anna.begin("5x5x4"), "open", 0)
            assert sound["id"] in {line["id"] for line in anna.ask("GET", "/games")}
            exported = strict(anna.send("GET", "/api/me/export").text)
            states += [game["state"] for game in exported["games"] if game["id"] == sound["id"]]
            for page in ("/me", "/daily"):
                strict(anna.send("GET", f"/api{page}").raise_for_status().text)
            assert anna.ask("GET", "/me/profile")["complete"]
            anna.send("DELETE", f"/api/games/{damaged['id']}")
        anna.ask("GET", f"/games/{damaged['id']}", expect=404)
    assert set(states) == {"given up" if over else "playing"}
    told = [record for record in caplog.records if record.name == "minewright.web"]
    assert all(f"the damaged game '{damaged['id']}' was left out" in one.message for one in told)
    assert told


@pytest.mark.parametrize("column", ["board", "mode", "switches", "state"])
def test_a_text_that_is_no_utf8_keeps_nobody_from_playing(tmp_path: Path, column: str) -> None:
    with Web(tmp_path, EASY) as web:
        anna = web.browser()
        games = [anna.begin("5x5x4"), anna.begin("5x5x4")]
        damage = f"UPDATE games SET {column} = CAST(x'ff' || {column} AS TEXT) WHERE id = ?"
        change(tmp_path, damage, games[1]["id"])
        web.restart()
        anna.ask("GET", "/games")
        anna.ask("GET", f"/games/{games[1]['id']}", expect=404)
        assert games[0]["id"] in {game["id"] for game in anna.ask("GET", "/me/export")["games"]}
        anna.ask("POST", "/games/daily", {})
        anna.ask("DELETE", f"/games/{games[1]['id']}", expect=204)
        assert [line["id"] for line in anna.ask("GET", "/games")].count(games[1]["id"]) == 0
        anna.ask("DELETE", f"/games/{games[1]['id']}", expect=404)


def test_a_daily_game_of_no_day_keeps_nobody_from_those_of_other_days(tmp_path: Path) -> None:
    with Web(tmp_path, EASY) as web:
        anna = web.browser()
        game = anna.ask("POST", "/games/daily", {})
        anna.move(game, "open", game["first"])
        change(tmp_path, "UPDATE games SET seed = 20261399 WHERE id = ?", game["id"])
        web.restart()
        # The damaged one counts as left.
        anna.begin("5x5x4")
        anna.ask("GET", "/daily")
        assert anna.ask("POST", "/games/daily", {})["state"] == "ready"
        for day in ("'seven'", "2.5", "9e999"):
            change(tmp_path, f"UPDATE results SET day = {day} WHERE game = ?", game["id"])
            anna.ask("GET", "/daily")
            anna.ask("POST", "/games/daily", {})


def test_a_game_that_takes_too_long_to_restore_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    seconds: list[float] = []

    def hard(*_: object, budget: Budget, **__: object) -> NoReturn:
        seconds.append(budget.seconds)
        raise NoGuessError("no board was found within the budget")

    with Web(tmp_path, replace(EASY, laying=Budget(10_000_000, 5.0))) as web:
        anna = web.browser()
        game = anna.begin("9x9x10", mode="no-guess")
        made = anna.move(game, "open", 40)
        over = anna.begin("9x9x10", mode="no-guess")
        anna.move(over, "open", 40)
        anna.move(over, "give up")
        web.restart()
        with monkeypatch.context() as busy:
            busy.setattr("minewright.noguess.game.make", hard)
            problem = anna.ask("GET", f"/games/{game['id']}", expect=409)["problem"]
            assert "takes too long at the moment" in problem
            profile = anna.ask("GET", "/me/profile")
            assert (profile["games"], profile["complete"]) == (0, True)
            other = anna.begin("9x9x10", mode="no-guess")
            anna.move(other, "open", 40, expect=409)
        # What was made once has more time than its player, who waited for it.
        assert seconds[0] > seconds[-1]
        assert anna.ask("GET", f"/games/{game['id']}")["moves"] == made["moves"]
        profile = anna.ask("GET", "/me/profile")
        assert (profile["games"], profile["complete"]) == (1, True)
    assert not [record for record in caplog.records if record.name == "minewright.web"]


def test_a_game_that_is_deleted_while_it_is_loaded_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Web(tmp_path) as web:
        game = web.browser().begin("9x9x10")["id"]
        table = web.app.state.games
        person, load = table._alive[game].person, table.store.load
        # It is no longer in memory.
        table._drop(game)

        def forget_meanwhile(person: str, game: str) -> object:
            found = load(person, game)
            table.forget(person)
            return found

        monkeypatch.setattr(table.store, "load", forget_meanwhile)
        with pytest.raises(LookupError):
            table.find(person, game)


@pytest.fixture
def during(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], list[str]]:
    """Have something happen while a game is restored; return the games that are restored."""

    def arrange(happen: Callable[[], object]) -> list[str]:
        restored: list[str] = []

        def restore(*given: Any) -> Live:
            live = Live(*given)
            restored.append(live.id)
            happen()
            return live

        monkeypatch.setattr("minewright.web.play.games.Live", restore)
        return restored

    return arrange


def test_a_game_deleted_while_it_is_restored_is_gone(
    tmp_path: Path, during: Callable[[Callable[[], object]], list[str]]
) -> None:
    with Web(tmp_path, EASY) as web:
        game = web.browser().begin("9x9x10")["id"]
        web.restart()
        games = web.app.state.games
        ((person,),) = games.store._all("SELECT person FROM games", ())
        restored = during(lambda: games.delete(person, game))
        with pytest.raises(LookupError):
            games.find(person, game)
        assert restored == [game]
        assert games.recall(person, game) is None


def test_what_others_delete_meanwhile_restores_no_game_again(
    tmp_path: Path, during: Callable[[Callable[[], object]], list[str]]
) -> None:
    with Web(tmp_path, EASY) as web:
        anna, bert = web.browser(), web.browser()
        game, other = (person.begin("9x9x10")["id"] for person in (anna, bert))
        web.restart()
        restored = during(lambda: bert.ask("DELETE", f"/games/{other}", expect=204))
        assert anna.ask("GET", f"/games/{game}")["state"] == "ready"
        assert restored == [game]


def test_a_game_that_the_store_has_dropped_can_be_deleted(tmp_path: Path) -> None:
    with Web(tmp_path, EASY) as web:
        anna = web.browser()
        game = anna.begin("9x9x10")["id"]
        change(tmp_path, "DELETE FROM games WHERE id = ?", game)
        anna.ask("DELETE", f"/games/{game}", expect=404)
        anna.ask("GET", f"/games/{game}", expect=404)


def test_moves_made_again_have_more_time_than_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds: list[float] = []
    before = UnfixedGame._before

    def judge(game: UnfixedGame, cells: tuple[int, ...]) -> None:
        seconds.append(game.budget.seconds)
        before(game, cells)

    monkeypatch.setattr(UnfixedGame, "_before", judge)
    monkeypatch.setattr("minewright.web.people.replays.PATIENCE", 10 * EASY.seconds)
    with Web(tmp_path, EASY) as web:
        anna = web.browser()
        game = anna.begin("9x9x10", mode="fair", start="safe", seed=3, undo=True)
        for cell in (0, 8):
            anna.move(game, "open", cell)
        new = max(seconds)
        seconds.clear()
        assert anna.move(game, "undo")["moves"] == 1
        anna.move(game, "open", 8)
        made_again, made_anew = seconds
        # A new one has no more than it had before.
        assert made_again > new == made_anew
        seconds.clear()
        web.restart()
        assert anna.ask("GET", f"/games/{game['id']}")["moves"] == 2
        first, second = seconds
        # They share their time.
        assert first > second > new


def test_a_move_that_cannot_be_kept_or_taken_back_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> NoReturn:
        raise sqlite3.OperationalError("disk I/O error")

    def hard(*_: object) -> NoReturn:
        raise mw.MoveTooHard("this takes too long")

    # Whoever has found the game already waits for it, so it stays the same one.
    with Web(tmp_path, EASY) as web:
        anna = web.browser()
        game = anna.begin("9x9x10", mode="fair", start="safe", seed=3)
        anna.move(game, "open", 0)
        with monkeypatch.context() as broken:
            broken.setattr("minewright.web.play.live.repeat", hard)
            with monkeypatch.context() as fuller:
                fuller.setattr(web.app.state.store, "save", full)
                problem = anna.move(game, "open", 8, expect=503)["problem"]
                assert "disk I/O error" in problem
            # Until it can be taken back, nothing goes on from it.
            problem = anna.move(game, "mark", 8, expect=409)["problem"]
            assert "takes too long" in problem
        cells = bytes(anna.ask("GET", f"/games/{game['id']}")["cells"])
        moves = [anna.move(game, "mark", cells.find(COVERED, at))["moves"] for at in (0, 50)]
        assert moves == [2, 3]
        web.restart()
        assert anna.ask("GET", f"/games/{game['id']}")["moves"] == moves[-1]


@pytest.mark.parametrize("way", ["page", "command"])
def test_a_day_whose_board_takes_too_long_is_told_in_one_line(
    tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def hard(_: object) -> NoReturn:
        raise NoGuessError("no board was found within the budget")

    with Web(tmp_path, EASY) as web:
        anna = web.browser()
        game = anna.ask("POST", "/games/daily", {})
        anna.move(game, "open", game["first"])
        anna.move(game, "give up")
        web.restart()
        monkeypatch.setattr("minewright.noguess.game.daily", hard)
        if way == "page":
            anna.ask("GET", f"/games/{game['id']}", expect=409)
            anna.ask("POST", "/games/daily", {}, expect=409)
    if way == "command":
        assert main(["profile", str(tmp_path / FILE)]) == 3
        told = capsys.readouterr().err
        assert told.count("\n") == 1
        assert "takes too long" in told
