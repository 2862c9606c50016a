"""The web app's games, over the wire."""

import sqlite3
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from web_client import OFF, Browser, Web, finish, secret, twin

import minewright as mw
from minewright.clicks import bbbv
from minewright.game import MoveKind
from minewright.position import COVERED, MARKED, MAX_NUMBER
from minewright.topology import get, topologies

REPLAY = Path(__file__).parent / "formats" / "small.rmv"
QUESTIONS = ("may-guess", "mark-is-wrong", "best", "steps")


def refusal(game: mw.Game, move: mw.Move) -> str:
    """Make a move; return why it is refused, if it is."""
    try:
        game.play([move])
    except mw.GameError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("topology", ["moore", "neumann", "hex", "torus", "knight"])
def test_a_game_over_the_wire_is_the_game_of_the_library(anna: Browser, topology: str) -> None:
    game = anna.begin("9x8x12", topology=topology, start="open", seed=11)
    own, random = twin(game), Random(1)
    cells = bytearray(game["cells"])
    while not own.over:
        cell = random.randrange(own.topology.size)
        kind: MoveKind = random.choice(("open", "mark", "chord"))
        before = len(own.moves)
        if problem := refusal(own, mw.Move(kind, cell)):
            assert anna.move(game, kind, cell, 409) == {"problem": problem}
            continue
        made = anna.move(game, kind, cell)
        for changed, code in made["changes"]:
            cells[changed] = code
        assert bytes(cells) == own.position.cells
        assert made["state"] == own.state
        assert made["moves"] == len(own.moves) >= before
        assert made["mines_left"] == 12 - sum(code in (MARKED, 252) for code in cells)
    end = made["end"]
    assert bytes(end["truth"]) == own.show().cells
    assert end["mined"] == sorted(own.minefield)
    assert anna.ask("GET", f"/games/{game['id']}")["end"] == end


def test_a_seed_nobody_chose_is_told_at_the_end_and_begins_the_same_game_again(
    anna: Browser,
) -> None:
    first = anna.begin("16x16x40")
    opened = anna.move(first, "open", 100)
    seed = anna.move(first, "give up")["seed"]
    again = anna.begin("16x16x40", seed=seed)
    assert again["seed"] == seed
    assert anna.move(again, "open", 100)["changes"] == opened["changes"]
    assert anna.ask("GET", "/games")[1]["seed"] == seed


def inside(answer: Any) -> Iterator[Any]:
    """Yield an answer and everything inside it."""
    yield answer
    for part in answer.values() if isinstance(answer, dict) else answer:
        if isinstance(part, dict | list):
            yield from inside(part)
        else:
            yield part


@pytest.mark.parametrize("lost", [False, True])
def test_no_answer_on_a_game_that_runs_or_may_be_taken_back_tells_its_seed_or_its_mines(
    web: Web, anna: Browser, lost: bool
) -> None:
    game = anna.begin("9x9x30", undo=True)
    seed = secret(anna, game)
    known = twin(game, seed)
    known.open(40)
    known.give_up()
    mines = sorted(known.minefield)
    answers = [game, anna.move(game, "open", 40), anna.move(game, "mark", mines[0])]
    if lost:
        answers.append(anna.move(game, "open", mines[1]))
        assert answers[-1]["state"] == "lost"
    bodies = {"clock": {"runs": True}, "hint": {"level": 3}}
    for path, methods in web.app.openapi()["paths"].items():
        name = path.rpartition("/")[2]
        if not path.startswith(("/api/games", "/api/me")) or name in ("moves", "share", "{code}"):
            continue
        where = path.format(game=game["id"], number=1)
        for method in methods.keys() & ({"get"} if name == "games" else {"get", "post", "put"}):
            given = {} if method == "get" else {"json": bodies.get(name, {})}
            if name == "files":
                given = {"content": REPLAY.read_bytes()}
            response = anna.send(method.upper(), where, **given)
            assert response.status_code in (200, 204, 409), response.text
            if response.content:
                answers.append(response.json())
    assert len(answers) > 14
    for part in inside(answers):
        assert part != seed
        assert part != mines
        if isinstance(part, list) and len(part) == 81:
            assert part.count(252) <= lost
        if isinstance(part, dict):
            assert part.get("end") is None
            assert part.get("bbbv") is None


def test_what_a_running_game_answers_depends_on_nothing_hidden(web: Web, anna: Browser) -> None:
    # Three minefields that look alike once the first cell is open.
    answers = []
    switches = OFF | dict.fromkeys(("simple", "set", "solvers", "probabilities"), True)
    for mine in (1, 2, 3):
        game = anna.begin("4x1x1", start="any", seed=5)
        live = web.app.state.games._alive[game["id"]]
        live.game = mw.Game.from_minefield(get("moore", (2, 2)), [mine])
        path = f"/games/{game['id']}"
        answers.append(
            [
                anna.move(game, "open", 0),
                anna.ask("PUT", f"{path}/assistant", switches),
                anna.move(game, "mark", 3),
                *(anna.ask("POST", f"{path}/{question}", {}) for question in QUESTIONS),
                *(anna.ask("POST", f"{path}/hint", {"level": level}) for level in (1, 2, 3)),
                anna.ask("GET", path),
            ]
        )
        for answer in answers[-1]:
            for changing in ("id", "seconds"):
                answer.pop(changing, None)
    assert answers[0] == answers[1] == answers[2]
    assert all(answer.get("end") is None for answer in answers[0])


def test_an_explosion_can_be_undone_where_undo_was_chosen(anna: Browser) -> None:
    game = anna.begin("3x1x1", seed=1, undo=True, start="any")
    known = twin(game)
    known.give_up()
    (mine,) = known.minefield
    lost = anna.move(game, "open", mine)
    assert (lost["state"], lost["changes"], lost["end"]) == ("lost", [[mine, 252]], None)
    assert anna.ask("GET", "/me")["played"] == 1
    assert anna.move(game, "undo")["state"] == "ready"
    assert anna.ask("GET", "/me")["played"] == 0
    # Once the mines are shown, nothing can be taken back.
    anna.move(game, "open", mine)
    shown = anna.move(game, "give up")
    assert (shown["state"], shown["moves"], shown["end"]["mined"]) == ("lost", 1, [mine])
    assert "mines were shown" in anna.move(game, "undo", expect=409)["problem"]
    assert anna.ask("GET", "/me")["lost"] == 0
    assert anna.ask("GET", "/me")["helped"] == 1


def test_a_restart_in_the_middle_loses_nothing(web: Web, anna: Browser) -> None:
    on = OFF | {"simple": True}
    game = anna.begin("16x16x40", start="open", seed=2, topology="hex", undo=True, assistant=on)
    for kind, cell in (("open", 120), ("mark", 0), ("mark", 1), ("undo", None), ("mark", 5)):
        anna.move(game, kind, cell)
    before = anna.ask("GET", f"/games/{game['id']}")
    web.restart()
    after = anna.ask("GET", f"/games/{game['id']}")
    assert before.pop("seconds") >= after.pop("seconds")
    assert (before.pop("paused"), after.pop("paused")) == (False, True)
    assert after == before
    assert anna.ask("GET", "/games")[0]["id"] == game["id"]
    anna.move(game, "give up")
    web.restart()
    assert anna.ask("GET", f"/games/{game['id']}")["end"]["clicks"] == 4


def test_all_that_is_kept_can_be_taken_along_and_deleted(web: Web, anna: Browser) -> None:
    bert = web.browser()
    other = bert.begin("9x9x10")
    game = anna.begin("5x5x2", seed=1)
    finish(anna, game)
    anna.ask("PUT", "/me/puzzles/day-2026-01-31", {"marks": "./"}, 204)
    kept = anna.ask("GET", "/me/export")
    assert [line["id"] for line in kept["games"]] == [game["id"]]
    moves = [mw.Move(move["kind"], move["cell"]) for move in kept["games"][0]["moves"]]
    again = twin(game)
    again.play(moves)
    assert again.state == "won"
    assert len(kept["results"]) == len(kept["puzzles"]) == 1
    anna.ask("DELETE", "/me", expect=204)
    assert anna.ask("GET", "/me/export") == {
        "name": None,
        "games": [],
        "results": [],
        "puzzles": [],
        "drills": [],
    }
    anna.ask("GET", f"/games/{game['id']}", expect=404)
    bert.ask("GET", f"/games/{other['id']}")


@given(seed=st.integers(0, 2**32), mines=st.integers(0, 12), name=st.sampled_from(["moore", "hex"]))
@settings(max_examples=40)
def test_3bv_is_the_fewest_openings_that_win(seed: int, mines: int, name: str) -> None:
    game = mw.Game(mw.Board((5, 4), mines), "any", seed, name)
    game.give_up()
    truth = game.show().cells
    clicks = 0
    again = game.again()
    # Zeros first, then what they did not open: no cell opened like this is opened for free.
    for cell in sorted(range(20), key=lambda cell: truth[cell]):
        if truth[cell] <= MAX_NUMBER and again.position[cell] == COVERED:
            again.open(cell)
            clicks += 1
    assert again.state == "won"
    assert bbbv(game.topology, truth) == clicks
    opened = {cell for cell in range(20) if truth[cell] <= MAX_NUMBER}
    assert bbbv(game.topology, truth, opened) == clicks
    assert bbbv(game.topology, truth, ()) == 0


@pytest.mark.parametrize("name", topologies())
def test_a_layout_names_and_places_every_cell_once(anna: Browser, name: str) -> None:
    layout = anna.ask("GET", f"/layout?topology={name}&shape=6x4")
    assert [cell for row in layout["rows"] for cell in row] == list(range(24))
    assert len({tuple(place) for place in layout["centres"]}) == 24
    assert len({tuple(place) for place in layout["coordinates"]}) == 24
    assert all(0 < x < layout["width"] and 0 < y < layout["height"] for x, y in layout["centres"])


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/games", {}, 422),
        ("POST", "/games", {"board": "huge"}, 422),
        ("POST", "/games", {"board": "101x100x9"}, 422),
        ("POST", "/games", {"board": "9x9x81"}, 422),
        ("POST", "/games", {"board": "9x9x10", "topology": "flat"}, 422),
        ("POST", "/games", {"board": "3x3x1", "topology": "torus", "seed": -1}, 422),
        ("POST", "/games", {"board": "9x9x10", "seed": 2**53}, 422),
        ("POST", "/games", {"board": "9x9x10", "cheat": True}, 422),
        ("POST", "/games", [[[]]], 422),
        ("GET", "/games/nobody", None, 404),
        ("GET", "/games?limit=0", None, 422),
        ("GET", "/layout?shape=9", None, 422),
        ("GET", "/layout?shape=-9x9", None, 422),
        ("GET", "/layout?shape=101x100", None, 422),
        ("GET", "/layout?shape=9x9&topology=flat", None, 422),
        ("GET", "/nothing", None, 404),
        ("PUT", "/games", None, 405),
    ],
)
def test_a_mistake_is_answered_in_one_line(
    anna: Browser, method: str, path: str, body: object, status: int
) -> None:
    problem = anna.ask(method, path, body, status)["problem"]
    assert problem
    assert "\n" not in problem


def test_a_move_that_cannot_be_changes_nothing(anna: Browser) -> None:
    game = anna.begin("9x9x10", seed=1)
    for kind, cell, status in (
        ("open", 81, 409),
        ("open", None, 409),
        ("open", -1, 422),
        ("jump", 1, 422),
        ("chord", 1, 409),
        ("undo", None, 409),
        ("undo", 1, 409),
        ("give up", 1, 409),
    ):
        assert "problem" in anna.move(game, kind, cell, status)
    assert anna.ask("GET", f"/games/{game['id']}")["moves"] == 0


def test_what_could_not_be_kept_has_not_happened(
    web: Web, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    on = OFF | {"solvers": True, "autoplay": True}
    game = anna.begin("9x9x10", seed=1, undo=True)
    path = f"/games/{game['id']}"
    anna.move(game, "open", 40)
    before = anna.ask("GET", path)
    with monkeypatch.context() as patched:
        patched.setattr(web.app.state.store, "save", full)
        for kind, cell in (("mark", 0), ("open", 80), ("undo", None), ("give up", None)):
            assert "disk" in anna.move(game, kind, cell, 503)["problem"]
        anna.ask("PUT", f"{path}/assistant", on, 503)
        anna.ask("POST", f"{path}/may-guess", expect=503)
    after = anna.ask("GET", path)
    assert after.pop("seconds") >= before.pop("seconds")
    assert after == before
    assert not anna.ask("GET", "/games")[0]["helped"]
    assert anna.move(game, "mark", 0)["moves"] == 2


def test_many_changes_are_packed_for_those_who_ask(anna: Browser) -> None:
    cell = 820
    own = mw.Game(mw.Board.parse("40x40x20"), "open", 1)
    own.open(cell)
    opened, last = own.position.cells, own.position.covered[0]
    own.mark(last)
    made, packed = [], []
    for asked in ({}, {"packed": True}):
        game = anna.begin("40x40x20", start="open", seed=1)
        path = f"/games/{game['id']}/moves"
        made.append(anna.ask("POST", path, {"kind": "open", "cell": cell} | asked))
        packed.append(anna.ask("POST", path, {"kind": "mark", "cell": last, "known": 0} | asked))
    assert len(made[0]["changes"]) > 1_000
    assert made[0]["packed"] is None
    assert made[1]["changes"] == []
    assert b64decode(made[1]["packed"]) == opened
    # So is everything for a page that missed a move.
    assert bytes(code for _, code in packed[0]["changes"]) == own.position.cells
    assert b64decode(packed[1]["packed"]) == own.position.cells


def test_a_page_that_missed_a_move_is_given_every_cell(anna: Browser) -> None:
    game = anna.begin("9x9x10", seed=1)
    path = f"/games/{game['id']}"
    first, missed, last = (0, 8, 72)
    assert anna.move(game, "mark", first)["moves"] == 1
    anna.move(game, "mark", missed)
    body = {"kind": "mark", "cell": last, "known": 1}
    made = anna.ask("POST", f"{path}/moves", body)
    cells = [COVERED] * 81
    cells[first] = cells[missed] = cells[last] = MARKED
    assert made["changes"] == [[cell, code] for cell, code in enumerate(cells)]
    assert anna.ask("PUT", f"{path}/assistant", OFF | {"known": 2})["changes"] == made["changes"]
    assert anna.ask("PUT", f"{path}/assistant", OFF | {"known": 3})["changes"] == []
    body = {"kind": "mark", "cell": last, "known": 3}
    assert anna.ask("POST", f"{path}/moves", body)["changes"] == [[last, COVERED]]
    anna.ask("POST", f"{path}/moves", body | {"known": -1}, 422)
    assert anna.ask("GET", path)["assistant"] == OFF | {"approximate": False}


def test_a_game_has_so_many_moves_and_no_more(
    anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minewright.web.play.live.MORE_MOVES", 0)
    game = anna.begin("2x1x1", seed=1, undo=True)
    for _ in range(4):
        anna.move(game, "mark", 0)
    assert "at most 4 moves" in anna.move(game, "mark", 0, 409)["problem"]
    assert anna.move(game, "undo")["moves"] == 3
    anna.move(game, "mark", 0)
    assert anna.move(game, "give up")["state"] == "given up"


def test_marks_are_kept_of_puzzles_only(anna: Browser) -> None:
    for code in ("5x5x7-b2a22e112b1d112a", "day-2026-01-31"):
        anna.ask("PUT", f"/me/puzzles/{code}", {"marks": "./"}, 204)
    for code in ("abc", "day-1", "5x5x7-b2", "a" * 3_000):
        assert anna.ask("PUT", f"/me/puzzles/{code}", {"marks": "./"}, 422)["problem"]
    assert len(anna.ask("GET", "/me/puzzles")) == 2
