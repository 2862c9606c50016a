"""The days of the daily game, the streak, and the table of a day with the names people chose."""

import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi import HTTPException
from patient import EASY
from web_client import Browser, Web

from minewright.noguess import daily
from minewright.web.people import schema
from minewright.web.people.database import FILE
from minewright.web.people.names import LONGEST, NameRefused, read_name
from minewright.web.people.store import Store
from minewright.web.play.models import Switches
from minewright.web.server.settings import Settings
from minewright.web.shared.days import day_asked

MONDAY = date(2000, 1, 10)
"""A day that is out on any clock since 2000, with another week before it."""


class Time:
    """A clock that shows the time it is told."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    def set(self, day: date, hour: int = 12) -> None:
        self.now = datetime(day.year, day.month, day.day, hour, tzinfo=UTC).timestamp()


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    for module in ("play.live", "play.games", "people.store", "people.database"):
        monkeypatch.setattr(f"minewright.web.{module}.time", time)
    time.set(MONDAY)
    return time


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with Web(tmp_path, replace(EASY, table=True)) as web:
        yield web


def begin(browser: Browser, day: date = MONDAY) -> Any:
    return browser.ask("POST", "/games/daily", {"date": str(day)})


def win(browser: Browser, day: date = MONDAY) -> Any:
    game, made = begin(browser, day), daily(day)
    covered = set(range(made.topology.size)) - made.minefield
    cell = made.first
    while True:
        answer = browser.move(game, "open", cell)
        covered.difference_update(each for each, _ in answer["changes"])
        covered.discard(cell)
        if not covered:
            return answer
        cell = min(covered)


def lose(browser: Browser, day: date = MONDAY) -> Any:
    game, made = begin(browser, day), daily(day)
    browser.move(game, "open", made.first)
    return browser.move(game, "open", min(made.minefield))


def call(browser: Browser, name: str, expect: int = 204) -> Any:
    return browser.ask("PUT", "/daily/name", {"name": name}, expect)


def lines(browser: Browser, day: date = MONDAY) -> list[tuple[str, float, bool]]:
    table = browser.ask("GET", f"/daily/{day}/table")
    return [(line["name"], line["seconds"], line["mine"]) for line in table["lines"]]


def test_days_say_how_each_went_and_the_streak_counts_those_cleared_on_the_day(
    web: Web, time: Time
) -> None:
    anna = web.browser()
    for days in range(4):
        time.set(MONDAY + timedelta(days=days))
        (lose if days == 1 else win)(anna, MONDAY + timedelta(days=days))
        time.now += 1
    last = MONDAY + timedelta(days=3)
    told = anna.ask("GET", f"/daily?last={last}&count=5")
    assert [day["outcome"] for day in told["days"]] == ["won", "won", "lost", "won", None]
    assert [day["board"] for day in told["days"]][:2] == ["16x16x40", "16x16x40"]
    assert [day["level"] for day in told["days"]][:2] == ["medium", "easy"]
    assert told["streak"] == 2
    # Today's game may still be won: until then the streak stands.
    assert anna.ask("GET", f"/daily?last={last + timedelta(days=1)}")["streak"] == 2
    assert anna.ask("GET", f"/daily?last={last + timedelta(days=2)}")["streak"] == 0
    # A day that is made up later counts in the list, but not in the streak.
    late = MONDAY - timedelta(days=7)
    win(anna, late)
    told = anna.ask("GET", f"/daily?last={late}&count=1")
    assert (told["days"][0]["outcome"], told["streak"]) == ("won", 0)
    me = anna.ask("GET", "/me")
    assert (me["streak"], me["longest_streak"]) == (3, 3)


def test_a_daily_game_is_begun_where_the_assistant_says(web: Web) -> None:
    anna = web.browser()
    first = daily(MONDAY).first
    path = f"/games/{begin(anna)['id']}"
    hint = anna.ask("POST", f"{path}/hint", {"level": 3})
    best = anna.ask("POST", f"{path}/best", {})
    assert hint["cell"] == best["cell"] == first
    where = daily(MONDAY).topology.describe(first)
    assert hint["sentence"] == best["sentence"] == f"Nothing is open yet: start at {where}."


def test_the_last_day_of_all_can_be_listed(web: Web) -> None:
    anna = web.browser()
    last = daily(date.max)
    game = anna.begin(str(last.board), mode="daily", seed=99991231)
    anna.move(game, "open", last.first)
    anna.move(game, "give up")
    assert anna.ask("GET", f"/daily?last={MONDAY}&count=1")["days"][0]["outcome"] is None


def test_a_server_whose_clock_is_before_the_first_day_says_so() -> None:
    today = datetime.now(UTC).date()
    with pytest.raises(HTTPException) as refused:
        day_asked(None, today + timedelta(days=3), "game")
    assert re.match(
        r"the server's clock says .* no daily game before .*; set the clock", refused.value.detail
    )


def test_the_table_has_the_wins_of_people_with_a_name_fastest_first(web: Web, time: Time) -> None:
    anna, berta, carla, dora = (web.browser() for _ in range(4))
    for person, seconds in ((anna, 9.5), (berta, 7.25), (carla, 8.0)):
        game = begin(person)
        person.move(game, "open", daily(MONDAY).first)
        time.now += seconds
        win(person)
    lose(dora)
    assert lines(anna) == []
    call(anna, "Anna")
    call(berta, "  Berta   B. ")
    call(dora, "Dora")
    assert lines(anna) == [("Berta B.", 7.25, False), ("Anna", 9.5, True)]
    assert "somebody else is called ANNA" in call(carla, "ANNA", 409)["problem"]
    call(berta, "Bertha")
    assert lines(berta) == [("Bertha", 7.25, True), ("Anna", 9.5, False)]
    assert anna.ask("GET", "/me/export")["name"] == "Anna"
    anna.ask("DELETE", "/daily/name", expect=204)
    assert lines(berta) == [("Bertha", 7.25, True)]
    call(anna, "Anna")
    anna.ask("DELETE", "/me", expect=204)
    assert lines(berta) == [("Bertha", 7.25, True)]


def test_no_win_with_help_after_a_break_too_late_or_a_second_time_is_in_the_table(
    web: Web, time: Time
) -> None:
    helped, broken, late, again, twice = (web.browser() for _ in range(5))
    helped.ask("POST", f"/games/{begin(helped)['id']}/hint", {"level": 1})
    game = begin(broken)
    broken.move(game, "open", daily(MONDAY).first)
    broken.ask("POST", f"/games/{game['id']}/clock", {"runs": False})
    lose(again)
    again.ask("DELETE", f"/games/{begin(again)['id']}", expect=204)
    # Two requests at once begin one game.
    person = twice.ask("GET", "/me") and _person(web, begin(twice)["id"])
    with ThreadPoolExecutor(8) as pool:
        begun = [
            pool.submit(web.app.state.games.daily, person, MONDAY + timedelta(days=1), Switches())
            for _ in range(8)
        ]
    assert len({each.result().id for each in begun}) == 1
    for number, (person_, day) in enumerate(((helped, 0), (broken, 0), (again, 0), (late, 2))):
        time.set(MONDAY + timedelta(days=day), 13)
        call(person_, f"name {number}")
        assert win(person_)["state"] == "won"
    assert lines(helped) == []


@pytest.mark.parametrize("name", ["games", "days"])
def test_one_daily_game_is_begun_at_a_time(
    web: Web, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, held = web.app.state.games, []
    look = getattr(games.store, name)

    def look_alone(*given: object) -> object:
        # While one request looks for an earlier game, no other may begin one.
        held.append(games._dailies.locked())
        return look(*given)

    monkeypatch.setattr(games.store, name, look_alone)
    begin(web.browser())
    assert held
    assert all(held)


def _person(web: Web, game: str) -> str:
    with closing(sqlite3.connect(web.app.state.store.file)) as db:
        ((person,),) = db.execute("SELECT person FROM games WHERE id = ?", (game,))
    return str(person)


def test_a_time_is_the_servers_own(web: Web, time: Time) -> None:
    """Nothing that a page sends has a time in it, and a silent page stops the clock for good."""
    anna = web.browser()
    call(anna, "Anna")
    game = begin(anna)
    anna.move(game, "open", daily(MONDAY).first)
    time.now += 3_600
    body = {"kind": "open", "cell": 0, "seconds": 1.0}
    assert "field" in anna.ask("POST", f"/games/{game['id']}/moves", body, 422)["problem"]
    assert win(anna)["end"]["interrupted"]
    assert lines(anna) == []


def test_names_are_chosen_now_and_then_by_a_person_and_by_an_address(tmp_path: Path) -> None:
    few = replace(
        EASY,
        table=True,
        name_rate=1e-9,
        name_burst=3,
        address_name_rate=1e-9,
        address_name_burst=5,
    )
    with Web(tmp_path, few) as web:
        anna, berta = web.browser(), web.browser()
        for name in ("A1", "A2", "A2", "A3"):
            call(anna, name)
        assert "too many new names" in call(anna, "A4", 429)["problem"]
        for name in ("B1", "B2"):
            call(berta, name)
        call(web.browser(), "C1", 429)


@pytest.mark.parametrize("text", ["Ännchen", "O'Neil-Smith 2", "山田 太郎", "हिंदी", "x" * LONGEST])
def test_a_name_may_be_written_in_any_script(text: str) -> None:
    assert read_name(f" {text}\n") == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "  ", "-.-", "x" * (LONGEST + 1), "a\u202eb", "a\u200bb", "a\x00b", "<b>", "😀 me"),
        *(
            "e" + "\u0316" * 3,
            "a/b",
            "a\ufffeb",
            "\u3164",
            "Anna\u1160",
            "An\ufe0fna",
            "Anna\u034f",
        ),
    ],
)
def test_a_name_that_is_too_long_or_hides_something_is_refused(text: str) -> None:
    with pytest.raises(NameRefused, match="a name"):
        read_name(text)


def test_names_that_look_alike_are_one() -> None:
    assert read_name("\uff21nna\u00a0B") == "Anna B"


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        (Settings(), False),
        (Settings(host="::1"), False),
        (Settings(host="0.0.0.0"), True),
        (Settings(proxies=("127.0.0.1",)), True),
        (Settings(host="0.0.0.0", table=False), False),
        (Settings(table=True), True),
    ],
)
def test_there_is_a_table_where_others_come(settings: Settings, kept: bool) -> None:
    assert settings.has_table is kept


def test_without_a_table_there_are_days_but_no_names(tmp_path: Path) -> None:
    with Web(tmp_path) as web:
        anna = web.browser()
        assert anna.ask("GET", "/meta")["table"] is False
        assert anna.ask("GET", "/daily")["days"]
        assert "no table of the day" in call(anna, "Anna", 404)["problem"]
        anna.ask("GET", f"/daily/{MONDAY}/table", expect=404)


def test_a_store_of_version_6_gets_names_and_knows_the_days_it_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as old:
        old.setattr(schema, "VERSION", 6)
        old.setattr(schema, "_LATER", {v: s for v, s in schema._LATER.items() if v < 6})
        with closing(sqlite3.connect(tmp_path / FILE)) as db:
            schema.prepare(db)
            db.execute("INSERT INTO people VALUES ('anna', 1)")
            for game, mode, seed in (("g1", "daily", 20000110), ("g2", "ordinary", 7)):
                db.execute(
                    "INSERT INTO games VALUES (NULL, ?, 'anna', ?, '9x9x10', 'moore', 'open', ?, 0,"
                    " 0, 1, 2, 'won', 9, 0, '{}', 5, NULL, 0, 0)",
                    (game, mode, seed),
                )
                db.execute(
                    "INSERT INTO results VALUES (?, 'anna', ?, '9x9x10', 'moore', 'open', 'won', 0,"
                    " 0, 5, 9, 9, 2, NULL)",
                    (game, mode),
                )
            db.commit()
    with closing(Store(tmp_path)) as store:
        assert list(store.days("anna")) == [MONDAY]
        store.set_name("anna", "Anna")
        (line,) = store.table(MONDAY, 10)
        # Nobody knows whether flags were used.
        assert (line.name, line.seconds, line.no_flags) == ("Anna", 5, False)
