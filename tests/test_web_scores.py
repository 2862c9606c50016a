"""The clock of a game, and what counts in the statistics."""

from collections.abc import Iterator
from typing import Any

import pytest
from web_client import OFF, Browser, Web, finish

from minewright.web.people.clock import SILENCE, Clock

DAY = 86_400.0


class Time:
    """A clock that moves only when told to."""

    def __init__(self) -> None:
        self.now = 1e9

    def __call__(self) -> float:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    monkeypatch.setattr("minewright.web.play.live.time", time)
    monkeypatch.setattr("minewright.web.people.store.time", time)
    return time


@pytest.fixture
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with Web(tmp_path_factory.mktemp("data")) as web:
        yield web


@pytest.fixture
def anna(web: Web, monkeypatch: pytest.MonkeyPatch) -> Browser:
    # Random seeds, but known ones: on these boards the first opening does not win.
    monkeypatch.setattr("secrets.randbelow", lambda _: 1)
    return web.browser()


def say(browser: Browser, game: Any, *, runs: bool | None = None) -> Any:
    return browser.ask("POST", f"/games/{game['id']}/clock", {"runs": runs})


def counts(kept: Any) -> dict[str, int]:
    return {name: kept[name] for name in ("played", "helped", "won", "lost", "left")}


def test_the_clock_runs_from_the_first_opening_while_somebody_is_there(
    anna: Browser, time: Time
) -> None:
    game = anna.begin("5x5x2")
    time.passes(100)
    assert say(anna, game) == {
        "seconds": 0,
        "paused": False,
        "moves": 0,
        "state": "ready",
    }
    assert anna.move(game, "open", 0)["seconds"] == 0
    for _ in range(10):
        time.passes(SILENCE)
        told = say(anna, game)
    assert told == {
        "seconds": 10 * SILENCE,
        "paused": False,
        "moves": 1,
        "state": "playing",
    }
    time.passes(3)
    assert anna.ask("GET", f"/games/{game['id']}")["seconds"] == 10 * SILENCE + 3
    end = finish(anna, game)["end"]
    assert (end["seconds"], end["interrupted"]) == (10 * SILENCE + 3, False)
    time.passes(DAY)
    assert anna.ask("GET", f"/games/{game['id']}")["end"] == end
    assert anna.ask("GET", "/me")["boards"][0]["best"] == end["seconds"]


@pytest.mark.parametrize("what", ["silence", "pause", "restart"])
def test_a_game_that_was_interrupted_is_won_but_makes_no_best_time(
    web: Web, anna: Browser, time: Time, what: str
) -> None:
    game = anna.begin("5x5x2")
    anna.move(game, "open", 0)
    time.passes(7)
    say(anna, game, runs=False if what == "pause" else None)
    if what == "restart":
        web.restart()
    time.passes(DAY if what == "silence" else 1)
    looked = anna.ask("GET", f"/games/{game['id']}")
    assert (looked["seconds"], looked["paused"], looked["state"]) == (7, True, "playing")
    told = say(anna, game)
    assert told["paused"] == (what == "pause"), "only what the player does ends a pause"
    told = say(anna, game, runs=True)
    assert told == {"seconds": 7, "paused": False, "moves": 1, "state": "playing"}
    time.passes(2)
    end = finish(anna, game)["end"]
    assert (end["seconds"], end["interrupted"]) == (9, True)
    me = anna.ask("GET", "/me")
    assert counts(me) == {"played": 1, "helped": 0, "won": 1, "lost": 0, "left": 0}
    assert me["boards"][0]["best"] is None
    assert me["boards"][0]["efficiency"] == end["efficiency"]


def test_a_clock_that_was_set_back_takes_no_time_away() -> None:
    clock = Clock(10.0, heard=1_000.0)
    assert clock.seconds(400.0) == 10.0
    assert clock.tick(400.0) == Clock(10.0, 400.0)
    assert clock.tick(400.0).seconds(403.0) == 13.0


def test_a_move_goes_on_with_a_clock_that_stands(anna: Browser, time: Time) -> None:
    game = anna.begin("5x5x2", undo=True)
    anna.move(game, "open", 0)
    time.passes(4)
    say(anna, game, runs=False)
    time.passes(DAY)
    made = anna.move(game, "mark", 24)
    assert (made["seconds"], made["paused"]) == (4, False)
    time.passes(1)
    assert say(anna, game)["seconds"] == 5
    for _ in range(2):
        assert anna.move(game, "undo")["paused"] is False
    assert anna.ask("GET", f"/games/{game['id']}")["seconds"] == 0


def test_a_game_given_up_or_left_for_another_counts_as_left_until_it_is_gone_on_with(
    anna: Browser, time: Time
) -> None:
    first = anna.begin("5x5x2")
    anna.move(first, "open", 0)
    assert counts(anna.ask("GET", "/me"))["played"] == 0
    second = anna.begin("5x5x2")
    assert counts(anna.ask("GET", "/me"))["left"] == 1
    anna.begin("5x5x2")
    # A game in which nothing was opened does not count.
    assert counts(anna.ask("GET", "/me"))["played"] == 1
    finish(anna, first)
    time.passes(1)
    assert anna.ask("GET", "/me")["streak"] == 1
    anna.move(second, "open", 0)
    anna.move(second, "give up")
    time.passes(1)
    third = anna.begin("5x5x2")
    anna.move(third, "open", 0)
    anna.ask("DELETE", f"/games/{third['id']}", expect=204)
    me = anna.ask("GET", "/me")
    assert counts(me) == {"played": 3, "helped": 0, "won": 1, "lost": 0, "left": 2}
    assert counts(me["boards"][0]) == counts(me)
    assert me["streak"] == 0


def test_only_games_won_alone_on_a_seed_of_chance_make_a_record(
    anna: Browser,
) -> None:
    alone = anna.begin("5x5x2")
    end = finish(anna, alone)["end"]
    assert end["solved"] == end["bbbv"]
    assert end["efficiency"] == end["bbbv"] / end["clicks"]
    assert not end["helped"]
    assert anna.move(alone, "open", 0)["end"] == end
    helped = anna.begin("5x5x2")
    anna.ask("POST", f"/games/{helped['id']}/may-guess")
    assert finish(anna, helped)["end"]["helped"]
    looked = anna.begin("5x5x2")
    anna.move(looked, "mark", 24)
    anna.move(looked, "open", 0)
    for switches in (OFF | {"probabilities": True}, OFF):
        anna.ask("PUT", f"/games/{looked['id']}/assistant", switches)
    assert anna.move(looked, "give up")["end"]["helped"]
    anna.move(anna.begin("5x5x2"), "give up")
    seeded = finish(anna, anna.begin("5x5x2", seed=1))["end"]
    assert (seeded["seeded"], seeded["helped"], end["seeded"]) == (True, False, False)
    shared = anna.begin("5x5x2")
    assert anna.ask("POST", f"/games/{shared['id']}/share")["seed"] == 1
    assert finish(anna, shared)["end"]["seeded"]
    # A finished game may be shared and still counts.
    anna.ask("POST", f"/games/{alone['id']}/share")
    me = anna.ask("GET", "/me")
    assert counts(me) == {"played": 5, "helped": 4, "won": 1, "lost": 0, "left": 0}
    assert me["streak"] == 1
    (record,) = me["boards"]
    assert (record["board"], counts(record)) == ("5x5x2", counts(me))
    assert record["best"] == end["seconds"]
    assert record["efficiency"] == end["efficiency"]
