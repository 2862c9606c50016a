"""The profile over the wire: own games and files, bit by bit, with the library's figures."""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import pytest
from patient import EASY
from processes import HANG
from web_client import Browser, Web, finish, secret, twin

from minewright.cli import main
from minewright.formats import read
from minewright.profile import make
from minewright.profile.figures import FIGURES, headlines
from minewright.profile.report import luck, pictures, regret
from minewright.web.people import reading
from minewright.web.people.database import DatabaseError
from minewright.web.people.reading import Ask, look, people
from minewright.web.people.replays import as_replay
from minewright.web.profile import work

FORMATS = Path(__file__).parent / "formats"


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    # However busy the machine is, no move is too hard, and no game is left for later.
    monkeypatch.setattr(work, "MOVE_SECONDS", HANG)
    with Web(tmp_path, replace(EASY, seconds=HANG)) as web:
        yield web


def lose(browser: Browser, game: Any) -> None:
    """Begin in the corner, mark something, then open every mine until one explodes."""
    known = twin(game, secret(browser, game))
    known.open(0)
    known.give_up()
    browser.move(game, "open", 0)
    browser.move(game, "mark", max(known.minefield))
    browser.move(game, "open", min(known.minefield))


def add(browser: Browser, name: str, at: float = 0.0) -> int:
    path = f"/api/me/profile/files?name={name}&at={at}"
    return browser.send("POST", path, content=(FORMATS / name).read_bytes()).status_code


def test_own_games_and_files_give_the_figures_of_the_library(web: Web) -> None:
    anna, ben = web.browser(), web.browser()
    assert anna.ask("GET", "/me/profile") | {"figures": {}} == {
        **dict.fromkeys(("games", "won", "files", "total"), 0),
        "complete": True,
        "headlines": [],
        "luck": "No move after the first risked anything.",
        "regret": "",
        "figures": {},
        "boards": [],
        "missed": {},
        "worth": [],
        "pictures": {},
    }
    won, lost = anna.begin("9x9x10"), anna.begin("8x8x10")
    finish(anna, won)
    lose(anna, lost)
    # These say nothing about their player.
    seeded = anna.begin("9x9x10", seed=3)
    finish(anna, seeded)
    anna.move(anna.begin("9x9x10", mode="fair"), "open", 0)
    anna.begin("9x9x10")
    # Older than her games, on any clock.
    assert add(anna, "expert.rmv", at=1.0) == 204
    assert add(anna, "expert.rmv", at=1.0) == 204
    found = anna.ask("GET", "/me/profile")
    store = anna.app.state.store
    person = next(row.person for row, _ in store.games(_person(anna), 9))
    replays = [("expert", read(FORMATS / "expert.rmv").replay)]
    for game in (won, lost):
        replays.append((game["id"], as_replay(*store.load(person, game["id"]))))
    same = make((name, replay) for name, replay in replays if replay)
    assert (found["games"], found["files"], found["total"], found["complete"]) == (3, 1, 3, True)
    assert found["won"] == same.won == 2
    assert [tuple(one.values()) for one in found["headlines"]] == headlines(same)
    assert found["luck"] == luck(same)
    assert found["regret"] == regret(same)
    assert found["missed"] == same.missed
    assert found["pictures"] == pictures(same)
    boards = same.as_data()["boards"]
    assert {one["board"]: one["figures"] for one in found["boards"]} == boards
    for one, entry in zip(found["worth"], same.worth, strict=True):
        assert entry.worst
        assert (one["game"] or "expert", one["move"]) == (entry.name, entry.worst.move)
        assert one["reason"] == entry.reason
    assert ben.ask("GET", "/me/profile")["games"] == 0
    assert anna.send("DELETE", "/api/me/profile/files").status_code == 204
    assert anna.ask("GET", "/me/profile")["games"] == 2
    assert anna.send("DELETE", "/api/me").status_code == 204
    assert anna.ask("GET", "/me/profile")["games"] == 0


def _person(browser: Browser) -> str:
    (cookie,) = browser._client.cookies.values()
    return cookie.partition(".")[0]


def test_a_long_profile_is_worked_out_in_several_requests(tmp_path: Path) -> None:
    with Web(tmp_path, replace(EASY, seconds=1e-9)) as web:
        anna = web.browser()
        for _ in range(2):
            lose(anna, anna.begin("9x9x10"))
        views = [anna.ask("GET", "/me/profile")]
        while not views[-1]["complete"]:
            views.append(anna.ask("GET", "/me/profile"))
    assert len(views) > 2
    assert [view["games"] for view in views] == sorted(view["games"] for view in views)
    assert (views[-1]["games"], views[-1]["total"]) == (2, 2)


def test_a_profile_is_incomplete_while_a_file_is_worked_out(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = web.browser()
    # The second time, the file is in progress and done at once.
    for games in (0, 1):
        with monkeypatch.context() as patched:
            patched.setattr(work.Work, "go_on", lambda self, _: self.idle)
            assert add(anna, "small.rmv") == 204
            found = anna.ask("GET", "/me/profile")
        assert (found["games"], found["total"], found["complete"]) == (games, 1, False)
        found = anna.ask("GET", "/me/profile")
        assert (found["games"], found["total"], found["complete"]) == (1, 1, True)


def test_what_is_not_a_game_is_refused_and_a_file_waits_for_the_one_before(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = web.browser()
    position = anna.send("POST", "/api/me/profile/files", content=b"1##\n###")
    assert position.status_code == 422
    assert "not a game" in position.json()["problem"]
    with monkeypatch.context() as patched:
        patched.setattr(work.Work, "go_on", lambda *_: False)
        assert add(anna, "small.rmv") == 409
    assert add(anna, "small.rmv") == 204
    assert anna.ask("GET", "/me/profile")["files"] == 1


def test_a_game_in_progress_weighs_as_much_as_its_moves() -> None:
    games = work.Work()
    before = games.weight
    replay = read(FORMATS / "expert.rmv").replay
    assert replay
    games.begin(work.Source("a", 0.0, "a"), replay, 1000)
    assert games.weight - before > 128 * (len(replay.moves) + replay.topology.size)
    assert games.go_on(inf)
    assert games.weight < before + 128 * replay.topology.size


def test_the_figures_are_those_that_the_documents_define() -> None:
    defined = (Path(__file__).parents[1] / "docs" / "profile.md").read_text("utf-8")
    for figure in FIGURES.values():
        assert figure.name.lower() in defined.lower()
        assert figure.meaning in defined
        assert figure.formula in defined


def test_the_command_reads_the_games_of_the_app(
    web: Web, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    anna, ben = web.browser(), web.browser()
    for _ in range(2):
        finish(anna, anna.begin("9x9x10"))
    finish(ben, ben.begin("8x8x10"))
    found = anna.ask("GET", "/me/profile")
    file = anna.app.state.store.file
    assert main(["profile", str(file), "--json"]) == 0
    said = capsys.readouterr()
    told = json.loads(said.out)
    (board,) = found["boards"]
    assert told["boards"] == {"9x9x10": board["figures"]}
    assert "2 people play here" in said.err
    assert main(["profile", str(file), "--person", "2", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["boards"]) == ["8x8x10"]
    assert main(["profile", str(file), "--person", "3"]) == 2
    assert "are 2 people" in capsys.readouterr().err


@pytest.mark.parametrize("size", [0, 100])
def test_a_damaged_file_of_the_app_is_called_so(
    web: Web, size: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The directory itself is the server's.
    damaged = tmp_path / "elsewhere" / "minewright.sqlite3"
    damaged.parent.mkdir()
    damaged.write_bytes(web.app.state.store.file.read_bytes()[:size])
    assert main(["profile", str(damaged)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"minewright: {damaged}: this")
    assert "database" in said
    assert said.count("\n") == 1


def test_a_store_in_which_nobody_has_played_is_told_in_one_line(
    web: Web, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["profile", str(web.app.state.store.file)]) == 2
    assert capsys.readouterr().err.endswith("minewright.sqlite3: nobody has played here yet\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
def test_a_pipe_is_no_file_of_the_app_and_holds_nobody_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Whoever reads it all the same finds the beginning of a database, and waits no longer.
    with pipe.open("r+b", buffering=0) as writer:
        writer.write(b"SQLite format 3\0")
        assert main(["profile", str(pipe)]) == 2
    assert "this is not a folder" in capsys.readouterr().err


def test_the_command_writes_nothing_beside_a_store_that_no_server_has_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Web(tmp_path, EASY) as web:
        anna = web.browser()
        finish(anna, anna.begin("9x9x10"))
        file = anna.app.state.store.file
    before = sorted(tmp_path.iterdir())
    assert main(["profile", str(file)]) == 0
    assert sorted(tmp_path.iterdir()) == before


def test_the_command_follows_a_link_to_the_store_of_a_server(
    web: Web, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    anna = web.browser()
    finish(anna, anna.begin("5x5x4"))
    link = tmp_path / "link"
    link.symlink_to(anna.app.state.store.file)
    assert main(["profile", str(link), "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["boards"]) == ["5x5x4"]


def test_an_answer_from_a_store_that_a_server_begins_to_use_is_not_trusted(tmp_path: Path) -> None:
    with Web(tmp_path, EASY) as web:
        anna = web.browser()
        finish(anna, anna.begin("5x5x4"))
        file = anna.app.state.store.file
    answers: list[int] = []

    def question(ask: Ask) -> int:
        if not answers:
            with Web(tmp_path, EASY) as web:
                ben = web.browser()
                finish(ben, ben.begin("5x5x4"))
        answers.append(len(people(ask)))
        return answers[-1]

    assert look(file, question) == 2
    assert len(answers) == 2


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE games SET person = CAST(x'ff' AS TEXT)",
        "UPDATE games SET seed = 'seven'",
        "UPDATE games SET seed = zeroblob(900000)",
        "UPDATE games SET clicks = 'x'",
        "UPDATE games SET board = '5x5x99'",
        "UPDATE games SET mode = 'another'",
        "UPDATE games SET topology = char(7)",
        "UPDATE strokes SET kind = -1",
        "UPDATE strokes SET kind = 9",
        "UPDATE strokes SET kind = 'x'",
        "UPDATE strokes SET cell = 'x'",
        "UPDATE strokes SET cell = 1 << 60",
        "UPDATE strokes SET cell = NULL",
        "UPDATE strokes SET milliseconds = 'soon'",
        "UPDATE strokes SET milliseconds = 9e999",
        "UPDATE strokes SET milliseconds = -1",
        "DROP TABLE strokes",
        "DROP TABLE games; CREATE VIEW games AS WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT"
        " x + 1 FROM n) SELECT x AS person FROM n",
    ],
)
def test_the_command_says_in_one_line_that_a_store_is_damaged(
    tmp_path: Path, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with Web(tmp_path, EASY) as web:
        anna = web.browser()
        finish(anna, anna.begin("5x5x4"))
        file = anna.app.state.store.file
    with closing(sqlite3.connect(file)) as db, db:
        db.executescript(damage)
    assert main(["profile", str(file)]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert len(said.err) < 500
    assert "this database" in said.err


def test_a_store_whose_names_are_no_text_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Web(tmp_path, EASY) as web:
        file = web.browser().app.state.store.file
    file.write_bytes(file.read_bytes().replace(b"tablestrokes", b"table\xfftrokes"))
    assert main(["profile", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_reading_a_store_is_given_up_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Web(tmp_path, EASY) as web:
        file = web.browser().app.state.store.file
    monkeypatch.setattr(reading, "SECONDS", -1.0)
    monkeypatch.setattr(reading, "STEPS", 1)
    with pytest.raises(DatabaseError, match="interrupted"):
        look(file, people)
