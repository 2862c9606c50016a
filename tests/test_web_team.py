"""Guess for MineBot: it opens what it deduces and nothing else, and finished games are pooled."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from web_client import Browser, Web

import minewright as mw
from minewright.game import Move
from minewright.lab.statistics import wilson
from minewright.position import COVERED, MAX_NUMBER
from minewright.strategies import Random, Recipe
from minewright.web.people import schema, teams
from minewright.web.people.database import FILE
from minewright.web.people.store import Store
from minewright.web.play.partner import MAX_CELLS
from minewright.web.play.teams import ALONE

SEED = 3


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    # A random seed, but a known one.
    monkeypatch.setattr("secrets.randbelow", lambda _: SEED)
    with Web(tmp_path) as web:
        yield web


def begin(browser: Browser, board: str = "9x9x10", **more: Any) -> Any:
    return browser.begin(board, **{"mode": "minebot", "start": "open"} | more)


def guess(browser: Browser, game: Any, *, win: bool = True) -> Any:
    """Open one cell for MineBot: a safe one, or a mine."""
    shown = browser.ask("GET", f"/games/{game['id']}")
    truth = mw.Game(mw.Board.parse(game["board"]), game["start"], SEED, game["topology"])
    if shown["state"] == "ready":
        return browser.move(game, "open", truth.topology.size // 2)
    truth.open(truth.topology.size // 2)
    truth.give_up()
    covered = [cell for cell, code in enumerate(shown["cells"]) if code == COVERED]
    return browser.move(game, "open", next(c for c in covered if (c not in truth.minefield) == win))


def finish(browser: Browser, game: Any, *, win: bool = True) -> Any:
    made = guess(browser, game)
    while made["state"] == "playing":
        made = guess(browser, game, win=win)
    return made


def strokes(browser: Browser, game: Any) -> list[Any]:
    games = browser.ask("GET", "/me/export")["games"]
    (moves,) = [each["moves"] for each in games if each["id"] == game["id"]]
    return list(moves)


def pool(browser: Browser) -> Any:
    return [
        (team["board"], team["start"], team["together"]["won"], team["together"]["games"])
        for team in browser.ask("GET", "/teams")
    ]


@pytest.mark.parametrize("board", ["16x16x40", "30x16x99"])
def test_minebot_makes_its_own_moves_and_a_person_every_guess(web: Web, board: str) -> None:
    anna = web.browser()
    game = begin(anna, board)
    end = finish(anna, game)["end"]
    made = strokes(anna, game)
    own = iter([each for each in made if not each["auto"]])
    twin = mw.Game(mw.Board.parse(board), "open", SEED)
    player = Recipe("minebot").player(Random(0, 0))
    guesses = 0
    while not twin.over:
        turn = player.turn(twin.position)
        assert turn is not None
        if turn.guess:
            guesses += 1
            twin.open(next(own)["cell"])
        else:
            twin.play(turn.moves)
    assert [Move(each["kind"], each["cell"]) for each in made] == list(twin.moves)
    assert (end["guesses"], end["clicks"], end["flags"]) == (guesses, guesses, 0)
    assert 1 < guesses < len(made)
    (record,) = anna.ask("GET", "/me")["boards"]
    assert (record["mode"], record["won"], record["efficiency"]) == ("minebot", 1, None)
    (team,) = anna.ask("GET", "/teams")
    assert (team["board"], team["guesses"], team["together"]["won"]) == (board, guesses, 1)


def test_flags_of_the_person_neither_mislead_nor_stop_minebot(web: Web) -> None:
    anna = web.browser()
    plain, flagged = begin(anna), begin(anna)
    for cell in range(0, 81, 2):
        if cell != 40:
            anna.move(flagged, "mark", cell)
    opened = []
    for game in (plain, flagged):
        anna.move(game, "open", 40)
        cells = anna.ask("GET", f"/games/{game['id']}")["cells"]
        opened.append([cell for cell, code in enumerate(cells) if code <= MAX_NUMBER])
    assert opened[0] == opened[1]
    assert len(opened[0]) > 20


def test_every_game_to_its_end_counts_once_and_a_helped_one_does_not(web: Web) -> None:
    anna, berta = web.browser(), web.browser()
    assert pool(anna) == []
    won = begin(anna)
    assert finish(anna, won)["state"] == "won"
    anna.move(won, "open", 40)
    anna.ask("DELETE", f"/games/{won['id']}", expect=204)
    assert pool(berta) == [("9x9x10", "open", 1, 1)]

    hinted = begin(anna)
    anna.ask("POST", f"/games/{hinted['id']}/hint", {"level": 1})
    finish(anna, hinted)
    finish(anna, begin(anna, assistant={"probabilities": True}))
    finish(anna, begin(anna, seed=SEED))
    finish(anna, begin(anna, mode="ordinary"))
    finish(anna, begin(anna, "9x9x11"))
    finish(anna, begin(anna, topology="torus"))
    anna.move(begin(anna), "give up")
    left = begin(anna, "16x16x40")
    guess(anna, left)
    assert pool(berta) == [("9x9x10", "open", 1, 1)]

    # A game that was given up is not won, and a loss remains one, even if it is taken back.
    anna.move(left, "give up")
    undone = begin(berta, "16x16x40", undo=True)
    assert finish(berta, undone, win=False)["state"] == "lost"
    berta.move(undone, "undo")
    assert finish(berta, undone)["state"] == "won"
    assert pool(anna) == [("16x16x40", "open", 0, 2), ("9x9x10", "open", 1, 1)]
    berta.ask("DELETE", "/me", expect=204)
    assert pool(anna) == [("16x16x40", "open", 0, 2), ("9x9x10", "open", 1, 1)]


def test_nobody_counts_more_often_than_allowed_a_day(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(teams, "PER_DAY", 2)
    now = 1e9
    monkeypatch.setattr("minewright.web.play.live.time", lambda: now)
    anna, berta = web.browser(), web.browser()
    for _ in range(4):
        game = begin(anna)
        finish(anna, game)
        anna.ask("DELETE", f"/games/{game['id']}", expect=204)
    assert pool(anna) == [("9x9x10", "open", 2, 2)]
    finish(berta, begin(berta))
    now += 86_401
    finish(anna, begin(anna))
    assert pool(anna) == [("9x9x10", "open", 4, 4)]


def test_a_board_too_large_for_minebot_is_refused(web: Web) -> None:
    anna = web.browser()
    problem = anna.ask("POST", "/games", {"board": "41x20x9", "mode": "minebot"}, 422)["problem"]
    assert f"at most {MAX_CELLS}" in problem
    box = {"board": "5x5x5x9", "topology": "box", "mode": "minebot"}
    assert "touches 26 others" in anna.ask("POST", "/games", box, 422)["problem"]
    assert "minebot" in [mode["name"] for mode in anna.ask("GET", "/meta")["modes"]]


def test_minebot_alone_wins_what_the_page_says() -> None:
    assert len(ALONE) == 9
    again = mw.simulate(mw.BEGINNER, "minebot", games=150, seed=0, start="open")
    low, high = wilson(again.wins, again.games)
    won, games = ALONE["9x9x10", "open"]
    assert low < won / games < high


def test_a_store_of_version_7_goes_on_and_begins_to_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as old:
        old.setattr(schema, "VERSION", 7)
        old.setattr(schema, "_LATER", {v: s for v, s in schema._LATER.items() if v < 7})
        Store(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (7,)
    with Web(tmp_path) as web:
        anna = web.browser()
        game = begin(anna)
        while anna.ask("GET", f"/games/{game['id']}")["state"] in ("ready", "playing"):
            shown = anna.ask("GET", f"/games/{game['id']}")["cells"]
            anna.move(game, "open", shown.index(COVERED))
        ((board, start, _, games),) = pool(anna)
        assert (board, start, games) == ("9x9x10", "open", 1)
