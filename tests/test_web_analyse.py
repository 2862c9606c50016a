"""The analyse page's answers: the library's own, and a reason where there is none."""

import gzip
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from time import process_time
from types import MappingProxyType
from typing import Any

import pytest
from patient import EASY
from web_client import Browser, Web

import minewright as mw
from minewright import exact, formats
from minewright.formats import text as texts
from minewright.position import COVERED, MARKED, MINED, SAFE
from minewright.topology import get

FORMATS = Path(__file__).parent / "formats"
# Without a time stamp, a packed file is the same whenever it is made.
PACKED, PACKED_MILLIONS = (gzip.compress(b"#" * size, mtime=0) for size in (3, 4_000_001))


@pytest.fixture(scope="module")
def anna(web: Web) -> Browser:
    return web.browser()


def played(board: str, topology: str, seed: int, moves: int = 6) -> mw.Position:
    """Return a position from a game."""
    game = mw.Game(mw.Board.parse(board), "open", seed, topology)
    random = Random(seed)
    game.open(random.randrange(game.topology.size))
    for _ in range(moves):
        best = mw.analyze(game.position).best
        if not game.over and best is not None:
            game.open(best)
    return game.position


def drawn(position: mw.Position) -> dict[str, Any]:
    return {
        "topology": position.topology.name,
        "shape": list(position.shape),
        "mines": position.mines,
        "cells": list(position.cells),
    }


def scattered(topology: str, shape: tuple[int, ...], mines: int) -> mw.Position:
    """Return a position with cells open here and there: the kind that is hard."""
    random, where = Random(1), get(topology, shape)
    mined = set(random.sample(range(where.size), mines))
    safe = [cell for cell in range(where.size) if cell not in mined]
    cells = bytearray([COVERED]) * where.size
    for cell in random.sample(safe, where.size // 4):
        cells[cell] = sum(near in mined for near in where.neighbours(cell))
    return mw.Position(where, bytes(cells), mines)


@pytest.mark.parametrize("topology", ["moore", "neumann", "hex", "torus", "knight", "box"])
@pytest.mark.parametrize("total", [True, False])
def test_an_analysis_is_the_library_s_drawn_or_as_text(
    anna: Browser, topology: str, total: bool
) -> None:
    position = played("5x4x3x9" if topology == "box" else "9x8x14", topology, 5)
    position = position if total else position.with_mines(None)
    own = mw.analyze(position)
    answer = anna.ask("POST", "/analyse", {"drawn": drawn(position)})
    assert answer == anna.ask("POST", "/analyse", {"text": str(position)})
    assert answer["position"] == drawn(position) | {"text": str(position)}
    assert answer["consistent"]
    assert answer["clash"] is None
    assert answer["safe"] == list(own.safe)
    assert answer["mined"] == list(own.mined)
    assert answer["chances"] == pytest.approx(list(own.chances), abs=1e-12)
    assert answer["solutions"] == exact.write(own.solutions)
    best = answer["best"]
    assert best["risk"] == pytest.approx(own.chances[own.best or 0], abs=1e-12)
    assert best["cell"] in own.safe or not own.safe


def test_a_cell_s_numbers_and_its_risk_add_up_to_one(anna: Browser) -> None:
    position = played("8x8x12", "moore", 2)
    own = mw.analyze(position)
    for cell in position.covered[:6]:
        told = anna.ask("POST", "/analyse/cell", {"text": str(position), "cell": cell})
        assert told["fraction"] == str(own.fractions[cell])
        assert told["numbers"] == pytest.approx(own.numbers(cell))
        assert told["risk"] + sum(told["numbers"]) == pytest.approx(1.0)
    opened = next(cell for cell in range(64) if cell not in position.covered)
    anna.ask("POST", "/analyse/cell", {"text": str(position), "cell": opened}, 422)
    anna.ask("POST", "/analyse/cell", {"text": str(position), "cell": 10**9}, 422)


def test_steps_are_those_of_explain_and_trusted_marks_are_facts(anna: Browser) -> None:
    position = played("9x9x10", "moore", 3, 0)
    steps = anna.ask("POST", "/analyse/steps", {"text": str(position)})
    assert [step["sentence"] for step in steps["steps"]] == list(map(str, mw.explain(position)))
    assert steps["complete"]
    marked = {"text": "3x1x1\nF1#"}
    assert anna.ask("POST", "/analyse/steps", marked)["steps"] == []
    trusting = marked | {"trust_marks": True}
    assert anna.ask("POST", "/analyse", trusting)["safe"] == [2]
    assert anna.ask("POST", "/analyse/steps", trusting)["steps"][0]["safe"] == [2]


def test_steps_go_on_from_where_they_stopped(
    anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minewright.web.analyse.routes.MAX_STEPS", 2)
    position = played("9x9x10", "moore", 3, 0)
    whole = list(map(str, mw.explain(position)))
    assert len(whole) > 4
    told: list[str] = []
    drawing = drawn(position)
    while True:
        found = anna.ask("POST", "/analyse/steps", {"drawn": drawing})
        for step in found["steps"]:
            told.append(step["sentence"])
            for name, code in (("safe", SAFE), ("mined", MINED)):
                for cell in step[name]:
                    drawing["cells"][cell] = code
        if found["complete"]:
            break
    assert told == whole
    assert found["then"].endswith("safe cells are opened.")


def test_what_the_numbers_of_a_cell_lead_to_is_told_if_asked(anna: Browser) -> None:
    position = played("8x8x12", "moore", 2)
    best = mw.analyze(position).best
    asked = {"text": str(position), "cell": best}
    assert anna.ask("POST", "/analyse/cell", asked)["leads"] == []
    told = anna.ask("POST", "/analyse/cell", asked | {"leads": True})
    assert [lead["number"] for lead in told["leads"]] == [
        number for number, chance in enumerate(told["numbers"]) if chance > 0
    ]
    for lead in told["leads"]:
        after = mw.analyze(position.with_cells({best or 0: lead["number"]}))
        assert (lead["safe"], lead["mined"]) == (len(after.safe), len(after.mined))
        assert not lead["won"]


def test_what_a_number_leads_to_trusts_marks_too_and_knows_a_win(anna: Browser) -> None:
    marked = {"text": "5x3x3\n##F##\n#####\n1#2#1", "trust_marks": True, "leads": True}
    trusting = mw.Position.parse("5x3x3\n##!##\n#####\n1#2#1")
    best = mw.analyze(trusting).best
    assert best is not None
    for lead in anna.ask("POST", "/analyse/cell", marked | {"cell": best})["leads"]:
        after = mw.analyze(trusting.with_cells({best: lead["number"]}))
        assert (lead["safe"], lead["mined"]) == (len(after.safe), len(after.mined))
    (last,) = anna.ask("POST", "/analyse/cell", {"text": "3x1x1\n#1#", "cell": 0, "leads": True})[
        "leads"
    ]
    assert last["won"]


def upload(
    anna: Browser,
    data: bytes,
    name: str = "",
    headers: Mapping[str, str] = MappingProxyType({}),
    expect: int = 200,
) -> Any:
    response = anna.send(
        "POST",
        "/api/analyse/file",
        params={"name": name},
        content=data,
        headers={"Content-Type": "application/octet-stream", **headers},
    )
    assert response.status_code == expect, response.text
    return response.json()


@pytest.mark.parametrize("packed", [False, True])
def test_a_replay_gives_every_position_in_one_answer(anna: Browser, packed: bool) -> None:
    data = (FORMATS / "expert.rmv").read_bytes()
    replay = formats.read(data).replay
    assert replay is not None
    headers = {"Content-Encoding": "gzip"} if packed else {}
    answer = upload(anna, gzip.compress(data) if packed else data, headers=headers)
    assert (answer["format"], answer["player"]) == ("rmv", "Thomas Kolar")
    assert answer["last"] == replay.last == len(answer["moves"]) - 1
    cells = answer["position"]["cells"]
    for number, move in enumerate(answer["moves"], 1):
        for cell, code in move["changes"]:
            cells[cell] = code
        if number == replay.last:
            assert bytes(cells) == replay.position(number).cells
    assert cells.count(COVERED) + cells.count(MARKED) == 99


def test_a_game_id_can_be_pasted_too(anna: Browser) -> None:
    answer = anna.ask("POST", "/analyse", {"text": "9x9:1,5,mb25f23f74b48755bc7530\n"})
    assert answer["position"]["text"].startswith("9x9x10\n#########")
    problem = anna.ask("POST", "/analyse", {"text": "9x9:1,5,mb25"}, 422)
    assert problem["line"] is None
    assert "the ID was cut off" in problem["problem"]


def test_a_file_with_one_position_has_no_moves(anna: Browser) -> None:
    answer = upload(anna, b"3x2x1\n1##\n###\n", "a.mine")
    assert answer["position"]["text"] == "3x2x1\n1##\n###"
    assert answer["moves"] == []


@pytest.mark.parametrize(
    ("data", "headers", "status", "words"),
    [
        (b"", {}, 422, "the file is empty"),
        (b"###", {"Content-Encoding": "br"}, 422, "'br' is not supported"),
        (b"*rmv", {"Content-Encoding": "GZIP"}, 422, "this is not gzip"),
        (b"\0\1\2", {}, 422, "of an unknown format"),
        (b"*rmv\0\1", {}, 422, "ends too early"),
        (b"\x89PNG\r\n\x1a\n" + bytes(99), {}, 422, "looks like an image, not a game file"),
        (b"3x1x1\n#%#", {}, 422, "line 2, column 2"),
        (b"*rmv", {"Content-Encoding": "gzip"}, 422, "this is not gzip"),
        (PACKED_MILLIONS, {"Content-Encoding": "gzip"}, 422, "4,000,000 bytes"),
        (PACKED[:-9], {"Content-Encoding": "gzip"}, 422, "cut off"),
        (b"#" * 300_000, {}, 413, "too large"),
        (b"https://puzz.link/p?mines/200/200/" + b"z" * 2_000, {}, 422, "at most 10,000 cells"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_one_line(
    anna: Browser, data: bytes, headers: dict[str, str], status: int, words: str
) -> None:
    problem = upload(anna, data, "", headers, status)["problem"]
    assert words in problem
    assert "\n" not in problem


@pytest.mark.parametrize(
    ("text", "clues", "total", "words"),
    [
        ("3x2x?\n1##\n2##", [0, 3], False, "cannot all hold"),
        ("3x1x1\n#2#", [1], True, "1 mine"),
        ("2x1x0\n1#", [0], True, "0 mines"),
    ],
)
def test_clues_that_clash_are_named_with_the_reason(
    anna: Browser, text: str, clues: list[int], total: bool, words: str
) -> None:
    answer = anna.ask("POST", "/analyse", {"text": text})
    assert answer["consistent"] is False
    assert (answer["clash"]["clues"], answer["clash"]["total"]) == (clues, total)
    assert words in answer["clash"]["sentence"]
    anna.ask("POST", "/analyse/steps", {"text": text}, 422)


def test_a_drawing_that_cannot_be_is_a_clash_and_no_error(anna: Browser) -> None:
    position = drawn(mw.Position.parse("3x2x1\n###\n###"))
    position["cells"][0] = 4
    clash = anna.ask("POST", "/analyse", {"drawn": position})["clash"]
    assert clash["clues"] == [0]
    assert "has 3 neighbours" in clash["sentence"]
    position["cells"][0], position["mines"] = 1, 9
    clash = anna.ask("POST", "/analyse", {"drawn": position})["clash"]
    assert (clash["clues"], clash["total"]) == ([], True)
    position["cells"].pop()
    anna.ask("POST", "/analyse", {"drawn": position}, 422)


@pytest.mark.parametrize("approximate", [False, True])
def test_too_hard_is_said_in_time(tmp_path: Path, approximate: bool) -> None:
    with Web(tmp_path, replace(EASY, seconds=1.0)) as web:
        position = scattered("box", (10, 10, 10), 100)
        body = {"drawn": drawn(position), "approximate": approximate}
        start = process_time()
        answer = web.browser().ask("POST", "/analyse", body)
        assert process_time() - start < 2.0
        assert answer["too_hard"].startswith("too hard")
        assert answer["consistent"] is None
        assert set(answer["hard"]) <= set(position.covered)
        start = process_time()
        steps = web.browser().ask("POST", "/analyse/steps", body)
        assert process_time() - start < 2.0
        assert not steps["complete"]
        assert steps["then"] == "Time ran out: there may be more."


def test_of_a_position_that_is_too_hard_the_easy_steps_are_explained(tmp_path: Path) -> None:
    with Web(tmp_path, replace(EASY, states=40)) as web:
        body = {"drawn": drawn(scattered("moore", (16, 16), 50))}
        assert web.browser().ask("POST", "/analyse", body)["too_hard"]
        steps = web.browser().ask("POST", "/analyse/steps", body)
        assert steps["steps"]
        assert not steps["complete"]


def test_a_sampled_answer_carries_its_errors_and_counts_nothing(tmp_path: Path) -> None:
    with Web(tmp_path, replace(EASY, states=40)) as web:
        position = scattered("moore", (16, 16), 50)
        body = {"drawn": drawn(position)}
        assert web.browser().ask("POST", "/analyse", body)["too_hard"]
        answer = web.browser().ask("POST", "/analyse", body | {"approximate": True})
        assert answer["approximate"]
        assert answer["solutions"] is None
        truth = mw.analyze(position).chances
        for cell, error in enumerate(answer["errors"]):
            exactly, found = truth[cell], answer["chances"][cell]
            assert (exactly is None) == (found is None)
            if error is not None and exactly is not None:
                assert abs(exactly - found) < 6 * error + 0.02


@pytest.mark.parametrize(
    "text",
    [
        "3x2x1\n1 H f\n# # 1",
        "3x2x1\n1,#,F\n#,#,1",
        "3x2x1\n1️⃣🟦🚩\n🟦🟦1️⃣",
        "3x2x1\n1️⃣⬜🚩\n⬜⬜1️⃣",
        "3x2x1\n+---+---+---+\n| 1 | # | F |\n+---+---+---+\n| # | # | 1 |\n+---+---+---+",
        "3x2x1\r\n1#F\r\n##1\r\n",
        "3x2x1\n| 1 | # | F |\n|---|:---:|---|\n| # | # | 1 |",
        "3x2x1\n1\t#\tF\n#\t#\t1",
    ],
)
def test_other_programs_signs_blanks_and_frames_are_read(text: str) -> None:
    position = texts.parse(text)
    assert str(position) == "3x2x1\n1#F\n##1"
    assert position[2] == MARKED


def test_a_white_square_is_covered_unless_another_sign_is() -> None:
    assert str(texts.parse("3x1x1\n⬜1️⃣⬜")) == "3x1x1\n#1#"
    assert str(texts.parse("3x1x1\n⬜1️⃣⬛")) == "3x1x1\n01#"


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("3x2x1\n1##\n#%#", 3, 2),
        ("3x2x1\n1 # #\n# % #", 3, 3),
        ("3x2x1\n+-+-+-+\n|1|#|#|\n+-+-+-+\n|#|%|#|", 5, 4),
        ("3x2x1\n1 # #\n# #", 3, 4),
        ("3x2x1\n9##\n###", 2, 1),
        ("", 1, None),
        ("3x2xq\n###\n###", 1, 5),
    ],
)
def test_text_that_is_no_position_is_told_with_line_and_column(
    anna: Browser, text: str, line: int, column: int | None
) -> None:
    problem = anna.ask("POST", "/analyse", {"text": text}, 422)
    assert (problem["line"], problem["column"]) == (line, column), problem


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": "#", "drawn": {"shape": [1, 1], "cells": [255]}},
        {"text": "200x200x5\n" + ("#" * 200 + "\n") * 200},
        {"text": "99999x99999x5\n#"},
        {"drawn": {"shape": [1000, 1000], "cells": [255]}},
        {"drawn": {"shape": [2, 2], "cells": [255], "topology": "klein"}},
        {"drawn": {"shape": [2, 2, 2], "cells": [255] * 8, "topology": "hex"}},
        {"drawn": {"shape": [2, 2], "cells": [255, 255, 255, 256]}},
        {"text": "#", "mines": -1},
        {"text": "#", "topology": "klein"},
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(anna: Browser, body: Any) -> None:
    problem = anna.ask("POST", "/analyse", body, 422)["problem"]
    assert problem
    assert "\n" not in problem


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/analyse", {"text": "#" * 100_001}, "text: at most 100,000 characters are allowed"),
        ("/analyse", {"txt": "#"}, "txt: there is no field of this name"),
        ("/analyse", {"text": 1}, "text: expected text"),
        ("/analyse", {}, "the request: give the position either as text or drawn"),
        ("/analyse", [], "the request: expected an object"),
        ("/analyse", {"text": "#", "mines": "1"}, "mines: expected a whole number"),
        ("/analyse", {"text": "#", "mines": 10**7}, "mines: expected 1,000,000 or less"),
        ("/analyse", {"drawn": {"shape": [1], "cells": []}}, "drawn.shape: at least 2 are needed"),
        ("/analyse/cell", {"text": "#"}, "cell: this is missing"),
        ("/bullets", {"difficulty": "mad"}, "difficulty: expected 'easy', 'medium' or 'hard'"),
        ("/bullets", {"taste": {"single": "1"}}, "taste.single: expected a number"),
    ],
)
def test_what_is_wrong_with_a_request_is_said_in_plain_words(
    anna: Browser, path: str, body: Any, words: str
) -> None:
    assert anna.ask("POST", path, body, 422)["problem"] == words
