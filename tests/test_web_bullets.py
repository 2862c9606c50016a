"""Bullets over the wire: codes, making, checking, hints, the worked solution, files to print."""

import io
import json
import sys
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patient import EASY
from pypdf import PdfReader
from web_client import Browser, Web

import minewright as mw
from minewright import _kernel
from minewright.inference import Budget
from minewright.topology import get
from minewright.web.puzzles.making import Taste
from minewright.web.puzzles.routes import decode, encode

SMALL = "5x5x7-b2a22e112b1d112a"


@pytest.fixture(scope="module")
def anna(web: Web) -> Browser:
    return web.browser()


def marks_of(puzzle: mw.bullets.Puzzle) -> str:
    """Return pencil marks that draw the solution."""
    hidden = set(puzzle.hidden)
    return "".join(
        "." if cell not in hidden else "o" if cell in puzzle.solution else "/"
        for cell in range(puzzle.topology.size)
    )


def ask(browser: Browser, what: str, marks: str, expect: int = 200, **more: Any) -> Any:
    return browser.ask("POST", f"/bullets/{what}", {"code": SMALL, "marks": marks, **more}, expect)


@given(st.data())
def test_a_code_gives_its_puzzle_back(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(("moore", "hex", "torus", "neumann", "knight")))
    width, height = (data.draw(st.integers(3, 12)) for _ in range(2))
    topology = get(name, (width, height))
    cells = st.sets(st.integers(0, topology.size - 1), max_size=40)
    bullets = data.draw(cells)
    puzzle = mw.bullets.Puzzle.from_solution(topology, bullets, data.draw(cells) - bullets)
    assert decode(encode(puzzle)) == puzzle


@given(st.from_regex(r"\A([a-z]{1,6}-)?[0-9]{1,2}x[0-9]{1,2}x[0-9]{1,3}-[0-9a-z]{1,30}\Z"))
def test_a_code_is_a_puzzle_or_refused_and_nothing_else(code: str) -> None:
    with suppress(mw.bullets.PuzzleError, mw.TopologyError):
        assert decode(encode(decode(code))) == decode(code)


def test_the_default_taste_is_the_papers() -> None:
    assert Taste().energy() is mw.bullets.PAPER


def test_the_same_seed_makes_the_same_puzzle_as_the_library(anna: Browser) -> None:
    made = anna.ask("POST", "/bullets", {"size": 6, "bullets": 11, "seed": 3}, 201)
    puzzle = decode(made["code"])
    assert puzzle == mw.bullets.make(6, 11, seed=3)
    assert made["cells"] == list(puzzle.position.cells)
    assert set(made["around"]) == {str(cell) for cell, _ in puzzle.clues}
    assert made["grade"]["difficulty"] == puzzle.difficulty
    shown = anna.ask("GET", f"/bullets/puzzle?code={made['code']}")
    assert shown == made | {"seed": None}


@pytest.mark.parametrize(
    "wish",
    [
        {"size": 5, "difficulty": "hard"},
        {"size": 6, "symmetry": "rotation", "taste": {"single": 2.0, "several": -1.0}},
        {"size": 5, "topology": "hex", "taste": {"total": 4.0}},
        {"size": 12, "bullets": 60, "iterations": 2000},
        {"size": 6, "total": False},
    ],
)
def test_what_is_wished_for_is_made(anna: Browser, wish: dict[str, Any]) -> None:
    made = anna.ask("POST", "/bullets", {"seed": 5, **wish}, 201)
    puzzle = decode(made["code"])
    assert puzzle.unique
    assert made["grade"]["difficulty"] == wish.get("difficulty", made["grade"]["difficulty"])
    if not wish.get("total", True):
        assert not puzzle.needs_total
    if "symmetry" in wish:
        shown = {cell for cell, _ in puzzle.clues}
        assert shown == {35 - cell for cell in shown}


@pytest.mark.parametrize(
    "wish",
    [
        {"size": 13},
        {"size": 3, "bullets": 9},
        {"size": 4, "bullets": 0},
        {"topology": "box"},
        {"topology": "hex", "symmetry": "mirror"},
        {"taste": {"several": 1e9}},
        {"iterations": 10**9},
    ],
)
def test_a_wish_that_cannot_be_is_refused_in_one_line(anna: Browser, wish: dict[str, Any]) -> None:
    problem = anna.ask("POST", "/bullets", wish, 422)["problem"]
    assert problem
    assert "\n" not in problem


def test_a_visitor_is_not_advised_to_allow_more_time(
    anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []

    def take_too_long(*call: object) -> None:
        given.extend(one.seconds for one in call if isinstance(one, Budget))
        raise _kernel.TooHard

    monkeypatch.setattr("minewright._kernel.bullets_make", take_too_long)
    problem = anna.ask("POST", "/bullets", {"size": 6}, 422)["problem"]
    assert problem == "too hard: no such puzzle was found in time; ask for less"
    # All searches for a puzzle share its time: twice as much as another answer may take.
    assert given == [pytest.approx(2 * EASY.seconds, rel=0.2)]


def test_the_puzzle_of_a_day_is_the_same_for_everybody(web: Web, anna: Browser) -> None:
    monday = anna.ask("GET", "/bullets/daily?date=2000-01-10")
    assert monday == web.browser().ask("GET", "/bullets/daily?date=2000-01-10")
    assert decode(monday["code"]) == mw.bullets.daily(date(2000, 1, 10))
    assert monday["date"] == "2000-01-10"


def test_the_puzzle_of_a_day_to_come_is_not_out_yet(anna: Browser) -> None:
    today = datetime.now(UTC).date()
    assert date.fromisoformat(anna.ask("GET", "/bullets/daily")["date"]) >= today
    late = today + timedelta(days=3)
    assert "not out yet" in anna.ask("GET", f"/bullets/daily?date={late}", expect=404)["problem"]
    for bad in ("tomorrow", "2026-02-30", "1.5", ""):
        problem = anna.ask("GET", f"/bullets/daily?date={bad}", expect=422)["problem"]
        assert problem == "date: expected a date such as 2026-01-31"


def test_an_outdated_window_neither_unsolves_a_puzzle_nor_takes_marks_back(web: Web) -> None:
    berta = web.browser()
    path = "/me/puzzles/day-2026-01-31"

    def keep(expect: int = 204, **state: object) -> None:
        text = json.dumps({"marks": "o.", **state})
        refused = berta.ask("PUT", path, {"marks": text}, expect)
        (kept,) = berta.ask("GET", "/me/puzzles")
        assert (kept["marks"] == text) == (expect == 204)
        assert expect == 204 or "newer marks" in refused["problem"]

    keep(done=False)
    keep(solved=True, done=True)
    keep(409, solved=False, done=False, seconds=9)
    # A page that solves it again knows that it was solved before.
    keep(solved=False, done=True, seconds=3)
    keep(done=True, changes=7)
    keep(409, done=True, changes=6)
    keep(done=True, changes=7, seconds=4)
    # Other programs need not count changes.
    for changes in (None, "6", 2.5, 2**53):
        keep(done=True, changes=changes)
    keep(done=True, changes=1)
    keep(changes=5, base=4, page="one", done=True)
    keep(409, changes=9, base=4, page="two", done=True)
    keep(changes=6, base=4, page="one", done=True)
    keep(409, changes=5, base=4, page="one", done=True)
    keep(changes=7, base=6, page="two", done=True)
    for text in ("[" * 4_000, "{}"):
        berta.ask("PUT", "/me/puzzles/day-2026-02-01", {"marks": text}, 204)


def test_a_check_never_says_which_mark_is_wrong_unless_asked(anna: Browser) -> None:
    puzzle = decode(SMALL)
    right = marks_of(puzzle)
    bullet = min(puzzle.solution)
    wrong = right[:bullet] + "/" + right[bullet + 1 :]
    assert ask(anna, "check", "." * 25) == {"right": True, "solved": False, "wrong": None}
    assert ask(anna, "check", right) == {"right": True, "solved": True, "wrong": None}
    assert ask(anna, "check", right.replace("/", "."))["solved"]
    assert ask(anna, "check", wrong) == {"right": False, "solved": False, "wrong": None}
    assert ask(anna, "check", wrong, where=True)["wrong"] == [bullet]
    assert ask(anna, "hint", wrong) == {
        **dict.fromkeys(("region", "clues", "total", "empty", "bullets", "sentence")),
        "level": 1,
        "right": False,
    }
    for bad in ("." * 24, "o" * 25, "?" * 25):
        ask(anna, "check", bad, 422)


def test_hints_lead_from_nothing_to_the_solution_and_tell_no_more_than_asked(
    anna: Browser,
) -> None:
    puzzle = decode(SMALL)
    marks = ["."] * 25
    types = 0
    while marks.count("o") + marks.count("/") < len(puzzle.hidden):
        drawn = "".join(marks)
        where, clues, all_of_it = (ask(anna, "hint", drawn, level=level) for level in (1, 2, 3))
        assert where["region"]
        assert where["clues"] is where["sentence"] is None
        assert clues["clues"] is not None
        assert clues["empty"] is clues["sentence"] is None
        assert set(clues["clues"]) <= set(where["region"])
        assert "mine" not in all_of_it["sentence"]
        news = dict.fromkeys(all_of_it["bullets"], "o")
        news |= dict.fromkeys(all_of_it["empty"], "/")
        assert news
        assert all(marks[cell] == "." for cell in news)
        for cell, mark in news.items():
            marks[cell] = mark
        types += 1
    assert "".join(marks) == marks_of(puzzle)
    assert "nothing left" in ask(anna, "hint", "".join(marks), 409)["problem"]
    assert types >= 5


def test_the_worked_solution_is_the_librarys(anna: Browser) -> None:
    worked = anna.ask("GET", f"/bullets/solution?code={SMALL}")
    steps = mw.bullets.solve(decode(SMALL)).steps
    assert [(step["type"], step["sentence"]) for step in worked["steps"]] == [
        (step.type, step.sentence) for step in steps
    ]
    drawn = {cell for step in worked["steps"] for cell in step["bullets"]}
    assert drawn == decode(SMALL).solution


@pytest.mark.parametrize("code", ["3x3x2-1de", "3x3x0-1h", "13x3x1-zm", "box-3x3x1-i", "3x3x1-1"])
def test_a_puzzle_that_cannot_be_worked_out_is_refused(anna: Browser, code: str) -> None:
    for what in ("puzzle", "solution", "svg", "pdf"):
        problem = anna.ask("GET", f"/bullets/{what}?code={code}", expect=422)["problem"]
        assert problem
        assert "\n" not in problem


def test_pictures_are_files(anna: Browser) -> None:
    for what in ("puzzle", "solution"):
        drawn = anna.send("GET", f"/api/bullets/svg?code={SMALL}&what={what}")
        assert drawn.headers["content-type"] == "image/svg+xml"
        assert drawn.text.startswith("<svg")
        assert "attachment" in drawn.headers["content-disposition"]


def test_a_puzzle_is_printed_on_one_sheet_with_its_day(
    anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "fpdf", None)
        problem = anna.ask("GET", f"/bullets/pdf?code={SMALL}", expect=503)["problem"]
        assert "fpdf2" in problem
    printed = anna.send("GET", f"/api/bullets/pdf?code={SMALL}&paper=letter&date=2026-01-08")
    assert 'filename="bullets-2026-01-08.pdf"' in printed.headers["content-disposition"]
    (page,) = PdfReader(io.BytesIO(printed.content)).pages
    assert "Thursday 8 January 2026" in page.extract_text()


def test_a_code_that_is_none_is_refused_in_plain_words(anna: Browser) -> None:
    problem = anna.ask("GET", "/bullets/puzzle?code=nonsense", expect=422)["problem"]
    assert problem.startswith("this is no puzzle's code")


@pytest.mark.parametrize("day", ["2026-01-05", "2026-03-30", "2026-11-16"])
def test_an_easy_puzzle_of_a_day_begins_with_a_short_explanation(anna: Browser, day: str) -> None:
    code = encode(mw.bullets.daily(date.fromisoformat(day)))
    told = ask(anna, "hint", "." * 36, level=3, code=code)
    # The first step of the solution is a what-if of 107 to 128 words.
    assert not told["sentence"].startswith("If ")
    assert len(told["sentence"].split()) < 80
