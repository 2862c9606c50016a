"""The web app's door: who comes in, how much, how often."""

import asyncio
import gzip
import json
import os
import re
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from patient import EASY
from processes import HANG
from web_client import Browser, Web

from minewright.web.app import tidy
from minewright.web.people.store import Store
from minewright.web.server import rates
from minewright.web.server.bounds import Asker
from minewright.web.server.guard import HEADERS
from minewright.web.server.pages import PARTS, PageFiles
from minewright.web.server.problems import PLAIN
from minewright.web.server.rates import Buckets
from minewright.web.server.settings import Settings

GAME = {"board": "9x9x10", "seed": 1}


@pytest.mark.parametrize("path", ["/", "/nothing", "/api/meta", "/api/nothing", "/static/nothing"])
def test_every_answer_carries_the_headers_that_protect_the_page(anna: Browser, path: str) -> None:
    response = anna.send("GET", path)
    assert {name: response.headers.get(name) for name in HEADERS} == HEADERS
    assert "unsafe" not in HEADERS["Content-Security-Policy"]
    assert "http" not in HEADERS["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/", "/lab", "/api", "/api/me", "/api/me/export", "/api/games"])
def test_no_cache_on_the_way_keeps_what_is_somebodys(anna: Browser, path: str) -> None:
    kept = anna.send("GET", path).headers["Cache-Control"]
    assert kept == "no-store" or kept.startswith("private, no-cache")


@pytest.mark.parametrize("path", ["/", "/analyse", "/watch", "/bullets", "/lab", "/review", "/api"])
def test_every_page_names_files_that_are_there(anna: Browser, path: str) -> None:
    page = anna.send("GET", path).text
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert len(files) >= 4
    for file in files:
        assert anna.send("GET", file).status_code == 200, file
    assert anna.send("HEAD", path).status_code == 200


def test_a_script_is_sent_packed_to_browsers_and_only_if_it_has_changed(anna: Browser) -> None:
    plain = anna.send("GET", "/static/pages/play.js", headers={"Accept-Encoding": "identity"})
    assert plain.headers["content-type"].startswith("text/javascript")
    assert "content-encoding" not in plain.headers
    packed = anna.send("GET", "/static/pages/play.js", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content
    made = PARTS["play"].made()["js"]
    assert gzip.decompress(made.packed) == made.body == plain.content
    assert len(made.packed) < len(made.body) / 3
    known = {"If-None-Match": packed.headers["etag"]}
    assert anna.send("GET", "/static/pages/play.js", headers=known).status_code == 304
    lines = anna.send("GET", "/static/pages/play.js.map").json()
    assert lines["version"] == 3
    for nothing in ("nothing.js", "play.txt"):
        assert anna.send("GET", f"/static/pages/{nothing}").status_code == 404


def test_a_file_is_sent_again_only_if_it_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "page.js"
    file.write_text("old")
    files = PageFiles(tmp_path)

    def fetch(**headers: str) -> httpx.Response:
        async def get() -> httpx.Response:
            transport = httpx.ASGITransport(app=files)
            async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
                return await client.get("/page.js", headers=headers)

        return asyncio.run(get())

    first = fetch()
    assert (first.text, first.headers["Cache-Control"]) == ("old", "no-cache")
    known = {"If-None-Match": first.headers["ETag"]}
    assert fetch(**known).status_code == 304
    file.write_text("new!")
    os.utime(file, ns=(0, file.stat().st_mtime_ns + 10**9))
    assert fetch(**known).text == fetch().text == "new!"


def test_an_address_without_a_page_leads_a_browser_home_and_tells_a_program(anna: Browser) -> None:
    html = "text/html,*/*;q=0.8"
    page = anna.send("GET", "/nowhere", headers={"Accept": html})
    assert page.status_code == 404
    assert '<a class="button primary" href="/">' in page.text
    for address, accepted in (("/nowhere", "*/*"), ("/api/nowhere", html)):
        told = anna.send("GET", address, headers={"Accept": accepted})
        assert (told.status_code, told.json()) == (404, {"problem": PLAIN["Not Found"]})


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Host": "elsewhere.example"},
        {"Host": "127.0.0.1.elsewhere.example:8765"},
        {"Host": ""},
    ],
)
def test_a_foreign_page_changes_nothing(anna: Browser, headers: dict[str, str]) -> None:
    refused = anna.send("POST", "/api/games", json=GAME, headers=headers)
    assert refused.status_code == 403
    assert refused.json()["problem"]
    assert anna.ask("GET", "/games") == []


def test_links_from_elsewhere_lead_to_pages_and_nowhere_else(anna: Browser) -> None:
    foreign = {"Sec-Fetch-Site": "cross-site"}
    assert anna.send("GET", "/", headers=foreign).status_code == 200
    assert anna.send("GET", "/api/me/export", headers=foreign).status_code == 403


def test_only_a_page_that_is_opened_makes_somebody_new(web: Web) -> None:
    for dest, new in (("document", True), ("image", False), ("iframe", False)):
        foreign = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": dest}
        answer = web.browser().send("GET", "/", headers=foreign)
        assert ("Set-Cookie" in answer.headers) == new, dest


def test_our_own_page_may_play_under_any_address_of_the_machine(anna: Browser) -> None:
    for host in ("127.0.0.1:8765", "localhost:8765", "[::1]:8765", "192.168.1.7:8765"):
        own = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
        assert anna.send("POST", "/api/games", json=GAME, headers=own).status_code == 201


def test_a_foreign_name_for_this_machine_reads_nothing(anna: Browser) -> None:
    response = anna.send("GET", "/api/me/export", headers={"Host": "rebound.example"})
    assert response.status_code == 403


def test_a_game_is_nobody_elses(web: Web, anna: Browser) -> None:
    game = anna.begin("9x9x10")
    bert = web.browser()
    for method, path in (
        ("GET", ""),
        ("DELETE", ""),
        ("POST", "/best"),
        ("POST", "/share"),
        ("POST", "/steps"),
        ("POST", "/moves"),
        ("POST", "/hint"),
        ("PUT", "/assistant"),
    ):
        body = {"kind": "open", "cell": 0} if path == "/moves" else {}
        bert.ask(method, f"/games/{game['id']}{path}", body, 404)
    assert anna.ask("GET", f"/games/{game['id']}")["moves"] == 0


def test_a_cookie_is_kept_from_scripts_and_cannot_be_invented(web: Web, anna: Browser) -> None:
    response = anna.send("GET", "/api/meta")
    cookie = response.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Set-Cookie" not in anna.send("GET", "/api/meta").headers
    name, _, value = cookie.partition(";")[0].partition("=")
    person, _, signature = value.partition(".")
    assert len(person) == 32
    for forged in (person, f"{person}.", f"{'0' * 32}.{signature}", f".{signature}", "é.é"):
        stranger = web.browser()
        sent = {"Cookie": f"{name}={forged}".encode()}
        assert "Set-Cookie" in stranger.send("GET", "/api/meta", headers=sent).headers


def test_two_servers_on_one_machine_know_the_same_browser_each_as_its_own(
    web: Web, anna: Browser, tmp_path: Path
) -> None:
    with Web(tmp_path) as other:
        game = anna.begin("9x9x10")
        # Cookies ignore ports: a browser sends those of one server to the other.
        anna.visit(other.app)
        elsewhere = anna.begin("9x9x10")
        anna.visit(web.app)
        assert anna.ask("GET", f"/games/{game['id']}")
        anna.visit(other.app)
        assert anna.ask("GET", f"/games/{elsewhere['id']}")


def test_a_body_too_large_is_refused_whether_it_says_so_or_not(anna: Browser) -> None:
    large = b" " * (EASY.max_body + 1)

    async def pieces() -> object:
        for start in range(0, len(large), 65_536):
            yield large[start : start + 65_536]

    for body in (large, pieces()):
        response = anna.send("POST", "/api/games", content=body)
        assert response.status_code == 413
        assert response.json()["problem"]


def test_a_body_of_the_largest_size_is_read(anna: Browser) -> None:
    game = json.dumps(GAME).encode()
    whole = game.ljust(EASY.max_body)

    async def pieces() -> AsyncIterator[bytes]:
        yield whole

    sent = {"Content-Type": "application/json"}
    for body in (whole, pieces()):
        assert anna.send("POST", "/api/games", content=body, headers=sent).status_code == 201


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"board": 1e999}', b"9" * 100_000]
)
def test_no_bytes_bring_it_down(anna: Browser, body: bytes) -> None:
    sent = {"Content-Type": "application/json"}
    response = anna.send("POST", "/api/games", content=body, headers=sent)
    assert response.status_code in (400, 422)
    problem = response.json()["problem"]
    assert problem == "the request cannot be read as JSON" or problem.startswith(
        ("the request:", "board:")
    )


def test_who_asks_too_often_is_told_when_to_come_back(tmp_path: Path) -> None:
    with Web(tmp_path, Settings(rate=1e-6, burst=3, newcomers=1e-6, newcomers_burst=2)) as web:
        anna, bert, carl = web.browser(), web.browser(), web.browser()
        answers = [anna.send("GET", "/api/meta") for _ in range(5)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 429]
        assert 1 <= int(answers[-1].headers["Retry-After"]) <= 1_000_001
        # Others are served; but one address cannot bring arbitrarily many newcomers.
        assert bert.send("GET", "/api/meta").status_code == 200
        assert carl.send("GET", "/api/meta").status_code == 429


def test_people_at_one_address_share_its_allowance(tmp_path: Path) -> None:
    with Web(tmp_path, replace(EASY, address_rate=1e-6, address_burst=4)) as web:
        anna, bert = web.browser(), web.browser()
        for browser in (anna, bert, anna, bert):
            browser.ask("GET", "/meta")
        assert "wait" in anna.ask("GET", "/meta", expect=429)["problem"]
        bert.ask("GET", "/meta", expect=429)


def test_files_of_pages_have_an_allowance_of_their_own(tmp_path: Path) -> None:
    with Web(tmp_path, replace(EASY, file_rate=1e-6, file_burst=2)) as web:
        anna = web.browser()
        answers = [anna.send("GET", "/static/img/icon.svg").status_code for _ in range(3)]
        assert answers == [200, 200, 429]
        assert anna.send("GET", "/api/meta").status_code == 200


def test_who_is_refused_comes_in_once_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(rates, "monotonic", lambda: now)
    buckets = Buckets(rate=0.5, burst=1)
    assert buckets.take("anna") == 0
    # Asking again and again does not lengthen the wait.
    assert [buckets.take("anna") for _ in range(9)] == [2.0] * 9
    now = 2.0
    assert buckets.take("anna") == 0
    assert buckets.take("anna") == 2.0


def test_buckets_forget_the_least_recent_of_too_many() -> None:
    buckets = Buckets(rate=1e-6, burst=1, most=10)
    for key in range(100):
        assert buckets.take(str(key)) == 0
    assert len(buckets._levels) == 10
    assert buckets.take("99") > 0
    assert buckets.take("1") == 0


def test_questions_beyond_those_that_may_wait_are_sent_away(tmp_path: Path) -> None:
    with Web(tmp_path, replace(EASY, at_once=1, waiting=0)) as web:
        anna = web.browser()
        plain = anna.begin("9x9x10")
        helped = anna.begin("9x9x10", assistant={"solvers": True})
        # The first opening looks for mines that need no guess.
        unlaid = anna.begin("9x9x10", mode="no-guess")
        # A game that is not in memory is played again from its moves.
        away = anna.begin("9x9x10")
        web.app.state.games._drop(away["id"])
        best = f"/games/{plain['id']}/best"
        move = {"kind": "open", "cell": 40}

        async def at_work() -> None:
            async with web.app.state.gate.enter(Asker("elsewhere", "bert")):
                question = await anna._client.post(f"/api{best}", json={})
                assert question.status_code == 429
                # A move without the assistant waits for nobody.
                for game, status in ((helped, 429), (unlaid, 429), (away, 429), (plain, 200)):
                    answer = await anna._client.post(f"/api/games/{game['id']}/moves", json=move)
                    assert answer.status_code == status

        anna._runner.run(at_work())
        # Nobody is at work any more, so nobody has to wait.
        anna.ask("POST", best, {})
        for game in (helped, unlaid, away):
            assert anna.move(game, "open", 40)["moves"] == 1


def test_a_session_that_expired_is_restored_and_a_person_long_gone_forgotten(
    tmp_path: Path,
) -> None:
    with Web(tmp_path, replace(EASY, session_hours=0.0)) as web:
        anna = web.browser()
        game = anna.begin("9x9x10", seed=1)
        anna.move(game, "open", 40)
        anna.begin("9x9x10")
        assert game["id"] not in web.app.state.games._alive
        assert anna.ask("GET", f"/games/{game['id']}")["moves"] == 1
        web.app.state.store.forget_older(-1)
        assert anna.ask("GET", "/games") == []


def test_a_server_that_runs_for_long_forgets_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Web(tmp_path) as web:
        anna = web.browser()
        store = web.app.state.store
        tried = []

        def forget(days: float) -> None:
            tried.append(days)
            if len(tried) == 1:
                raise sqlite3.OperationalError("database or disk is full")
            Store.forget_older(store, days)

        async def wait() -> None:
            tidying = asyncio.create_task(tidy(store, -1, 0.001))
            async with asyncio.timeout(HANG):
                while len(tried) < 3:
                    await asyncio.sleep(0.001)
            tidying.cancel()

        anna.begin("9x9x10")
        monkeypatch.setattr(store, "forget_older", forget)
        asyncio.run(wait())
        assert anna.ask("GET", "/games") == []


def test_the_description_for_programs_names_every_refusal(anna: Browser) -> None:
    described = json.loads(anna.send("GET", "/api/openapi.json").content)
    for path, methods in described["paths"].items():
        for method, what in methods.items():
            assert "422" in what["responses"], (method, path)
            assert what["summary"]
            assert what.get("description"), (method, path)
