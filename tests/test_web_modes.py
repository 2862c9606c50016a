"""Modes over the wire: kept and restored, secret to the end, reviewed, and the game of the day."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from patient import EASY
from web_client import Browser, Web

import minewright as mw
from minewright.inference import Budget
from minewright.modes import SafeBetGame, begin, names
from minewright.noguess import daily
from minewright.position import COVERED, MARKED, MAX_NUMBER, MINED


def seen(browser: Browser, game: Any) -> mw.Position:
    """Return what a browser shows of a game."""
    shown = browser.ask("GET", f"/games/{game['id']}")
    topology = mw.topologies()[shown["topology"]](tuple(shown["shape"]))
    return mw.Position(topology, bytes(shown["cells"]), shown["mines"])


def reviewed(browser: Browser, game: Any) -> Any:
    found = browser.ask("GET", f"/games/{game['id']}/review")
    while not found["complete"]:
        found = browser.ask("GET", f"/games/{game['id']}/review")
    return found


@pytest.mark.parametrize("mode", [*names()][1:])
def test_a_game_of_any_mode_outlives_the_server_and_is_undone(tmp_path: Path, mode: str) -> None:
    with Web(tmp_path) as web:
        anna = web.browser()
        topology = "hex" if mode == "kind" else "moore"
        game = anna.begin("9x9x12", mode=mode, undo=True, start="open", topology=topology)
        anna.move(game, "mark", 80)
        anna.move(game, "open", 40)
        while True:
            before = seen(anna, game)
            cell = mw.analyze(before).best or 0
            if before.cells[cell] == MARKED:
                anna.move(game, "mark", cell)
                before = seen(anna, game)
            made = anna.move(game, "open", cell)
            assert made["seed"] is None or made["end"]
            if made["state"] != "playing" or made["moves"] > 6:
                break
        after = seen(anna, game)
        web.restart()
        assert seen(anna, game) == after
        if made["state"] != "won":
            anna.move(game, "undo")
            web.restart()
            assert seen(anna, game) == before
            made = anna.move(game, "give up")
        assert made["end"]["truth"].count(MINED) == 12
        truth = made["end"]["truth"]
        assert all(truth[c] == n for c, n in enumerate(before.cells) if n <= MAX_NUMBER)
        assert reviewed(anna, game)["mode"] == mode


def test_what_a_solver_found_is_forgotten_where_undo_may_move_the_mines(web: Web) -> None:
    anna = web.browser()
    fair, ordinary = (
        anna.begin("5x5x6", mode=mode, seed=0, undo=True) for mode in ("fair", "ordinary")
    )
    for game in (fair, ordinary):
        anna.move(game, "open", 12)
        anna.move(game, "open", 20)
        solved = anna.ask("POST", f"/games/{game['id']}/solve", {"kind": "sets"})
        assert 7 in solved["help"]["mined"]
        game["help"] = anna.move(game, "undo")["help"]
    # Here the mines stay where they are, so what was found still holds.
    assert 7 in ordinary["help"]["mined"]
    assert fair["help"]["mined"] == fair["help"]["safe"] == []
    assert anna.move(fair, "open", 7)["ruling"] == "allowed"


def test_the_score_of_a_safe_bet_is_told_at_the_end(web: Web) -> None:
    anna = web.browser()
    game = anna.begin("6x6x9", mode="safe-bet", start="any", seed=7)
    twin = begin("safe-bet", "6x6x9", "any", 7)
    assert isinstance(twin, SafeBetGame)
    while not twin.over:
        cell = mw.analyze(twin.position).best or 0
        twin.open(cell)
        made = anna.move(game, "open", cell)
    assert made["end"]["score"] == pytest.approx(float(twin.score))
    assert 0 < made["end"]["score"] < 1
    own = anna.begin("6x6x9", mode="safe-bet", start="any")
    while (end := anna.move(own, "open", mw.analyze(seen(anna, own)).best or 0)["end"]) is None:
        pass
    records = anna.ask("GET", "/me")["boards"]
    # A game with a known seed does not count.
    assert [record["mean_score"] for record in records] == [end["score"]]
    chance = reviewed(anna, game)["chance"]
    assert chance.startswith("In an ordinary game, surviving those")
    other = anna.begin("6x6x9", seed=7)
    assert anna.move(other, "give up")["end"]["score"] is None


def test_a_minefield_that_is_too_hard_to_make_is_refused_and_the_game_goes_on(
    tmp_path: Path,
) -> None:
    with Web(tmp_path, replace(EASY, laying=Budget(10_000))) as web:
        anna = web.browser()
        game = anna.begin("4x4x1", mode="no-guess:hard", start="open", undo=True)
        problem = anna.move(game, "open", 0, expect=409)["problem"]
        assert "no board 4x4x1 of difficulty hard without guesses was found" in problem
        assert anna.move(game, "mark", 0)["state"] == "ready"


def test_whoever_says_i_had_to_guess_is_shown_the_step_they_missed(web: Web) -> None:
    anna = web.browser()
    for seed in range(3):
        game = anna.begin("9x9x14", mode="no-guess", start="open", seed=seed)
        made = anna.move(game, "open", 40)
        while made["state"] == "playing":
            position = seen(anna, game)
            analysis = mw.analyze(position)
            risky = [c for c in position.covered if c not in analysis.safe]
            made = anna.move(game, "open", max(risky, key=lambda c: -(analysis.chances[c] or 0)))
        if made["state"] == "lost":
            break
    assert made["state"] == "lost"
    decided = reviewed(anna, game)["decided"]
    missed = anna.ask("GET", f"/games/{game['id']}/review/{decided}")["missed"]
    assert 1 <= missed["number"] <= missed["steps"]
    assert missed["safe"]
    assert set(missed["safe"]) <= set(mw.analyze(position).safe)
    assert all(position[clue] <= MAX_NUMBER for clue in missed["clues"])
    # The first opening was not a guess, and an ordinary game has no proof.
    assert anna.ask("GET", f"/games/{game['id']}/review/1")["missed"] is None


def test_everybody_has_the_same_game_on_a_day_and_goes_on_with_it(web: Web) -> None:
    anna, berta = web.browser(), web.browser()
    monday = {"date": "2000-01-10"}
    game = anna.ask("POST", "/games/daily", monday)
    other = berta.ask("POST", "/games/daily", monday)
    made = daily(date(2000, 1, 10))
    assert (game["first"], game["day"], game["mode"]) == (made.first, "2000-01-10", "daily")
    assert game["seed"] is None
    assert game["id"] != other["id"]
    assert "begins at row 5" in anna.move(game, "open", 0, expect=409)["problem"]
    first = anna.move(game, "open", made.first)["changes"]
    assert first == berta.move(other, "open", made.first)["changes"]
    assert anna.ask("POST", "/games/daily", monday)["id"] == game["id"]
    safe = [c for c in range(81) if c not in made.minefield]
    for cell in safe:
        if seen(anna, game)[cell] == COVERED:
            end = anna.move(game, "open", cell)
    assert (end["state"], end["end"]["seeded"]) == ("won", False)
    assert anna.ask("POST", "/games/daily", monday)["state"] == "won"
    (record,) = anna.ask("GET", "/me")["boards"]
    assert (record["mode"], record["won"]) == ("daily", 1)
    again = anna.begin("9x9x10", mode="daily", start="open", seed=20000110)
    assert again["day"] == "2000-01-10"
    assert again["seed"] is not None  # Anna knows these mines by now.


def test_the_game_of_a_day_to_come_is_not_out_yet(web: Web) -> None:
    anna = web.browser()
    late = datetime.now(UTC).date() + timedelta(days=3)
    problem = anna.ask("POST", "/games/daily", {"date": str(late)}, 404)["problem"]
    assert "not out yet" in problem
    assert "date" in anna.ask("POST", "/games/daily", {"date": "tomorrow"}, 422)["problem"]
    today = date.fromisoformat(anna.ask("POST", "/games/daily", {})["day"])
    assert today >= datetime.now(UTC).date() - timedelta(days=1)
