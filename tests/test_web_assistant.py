"""The assistant of the web app's games, over the wire: what it knows, does and says."""

from dataclasses import replace
from pathlib import Path

import pytest
from patient import EASY
from web_client import OFF, Browser, Web, twin

import minewright as mw
from minewright.position import COVERED, MAX_NUMBER
from minewright.topology import get


def test_chances_and_certain_cells_are_those_of_the_library(anna: Browser) -> None:
    on = OFF | {"solvers": True, "probabilities": True}
    game = anna.begin("16x16x40", start="open", seed=3, assistant=on)
    own = twin(game)
    own.open(120)
    made = anna.move(game, "open", 120)
    for _ in range(5):
        analysis = mw.analyze(own.position)
        assert made["help"]["safe"] == list(analysis.safe)
        assert made["help"]["mined"] == list(analysis.mined)
        chances = {str(c): p for c, p in enumerate(analysis.chances) if p is not None}
        assert made["help"]["chances"] == chances
        if own.over or not analysis.safe:
            break
        own.open(analysis.safe[0])
        made = anna.move(game, "open", analysis.safe[0])


def test_each_switch_adds_what_its_engine_knows_and_takes_it_away_again(anna: Browser) -> None:
    game = anna.begin("30x16x99", start="open", seed=8)
    path = f"/games/{game['id']}/assistant"
    anna.move(game, "mark", 130)
    opened = anna.move(game, "open", 100)
    assert opened["help"] == anna.ask("PUT", path, OFF)["help"]
    assert opened["help"]["safe"] == opened["help"]["mined"] == []
    known: list[set[int]] = []
    for name in ("zero", "simple", "set", "solvers"):
        told = anna.ask("PUT", path, OFF | {name: True})
        assert not told["changes"]
        known.append({*told["help"]["safe"], *told["help"]["mined"]})
    zero, simple, sets, solvers = known
    # Here the mark stopped the cascade: beside a 0 it is wrong, as the zero propagator knows.
    assert zero == {130}
    assert zero < simple < sets <= solvers
    certain = mw.analyze(
        mw.Position(
            get("moore", (30, 16)), bytes(anna.ask("GET", f"/games/{game['id']}")["cells"]), 99
        )
    )
    assert solvers == {*certain.safe, *certain.mined}
    assert anna.ask("PUT", path, OFF)["help"]["safe"] == []


def test_the_autoplayer_opens_all_that_is_known_and_stops_before_a_guess(anna: Browser) -> None:
    game = anna.begin("16x16x40", start="open", seed=3, undo=True)
    anna.move(game, "open", 120)
    on = OFF | {"solvers": True, "autoplay": True}
    played = anna.ask("PUT", f"/games/{game['id']}/assistant", on)
    assert played["moves"] > 1
    assert played["state"] in ("playing", "won")
    assert played["help"]["safe"] == []


def test_undo_takes_back_a_move_with_all_that_the_autoplayer_made_of_it(anna: Browser) -> None:
    on = OFF | {"set": True, "autoplay": True}
    game = anna.begin("16x16x40", start="open", seed=4, undo=True, assistant=on)
    made = anna.move(game, "open", 120)
    assert made["moves"] > 1
    undone = anna.move(game, "undo")
    assert (undone["state"], undone["moves"]) == ("ready", 0)
    assert {code for _, code in undone["changes"]} == {COVERED}
    assert anna.move(game, "open", 120)["moves"] == made["moves"]
    strict = anna.begin("9x9x10")
    anna.move(strict, "open", 0)
    assert "undo is off" in anna.move(strict, "undo", expect=409)["problem"]


def test_a_hint_says_more_with_each_level_and_never_what_the_player_knows(anna: Browser) -> None:
    game = anna.begin("30x16x99", start="open", seed=8)
    path = f"/games/{game['id']}/hint"
    anna.move(game, "open", 100)
    position = mw.Position(
        get("moore", (30, 16)), bytes(anna.ask("GET", f"/games/{game['id']}")["cells"]), 99
    )
    seen: set[int] = set()
    while True:
        one, two, three = (anna.ask("POST", path, {"level": level}) for level in (1, 2, 3))
        later = ("clues", "safe", "mined", "cell", "sentence")
        assert [one[name] for name in later] == [None] * 5
        assert [two[name] for name in later[1:]] == [None] * 4
        assert one["region"] == two["region"] == three["region"]
        assert two["clues"] == three["clues"]
        assert set(two["clues"]) <= set(one["region"])
        assert all(position[clue] <= MAX_NUMBER for clue in two["clues"])
        assert three["certain"]
        assert three["sentence"]
        if three["safe"]:
            break
        assert set(three["mined"]) - seen, "the same hint again"
        seen |= set(three["mined"])
    assert set(three["safe"]) <= set(mw.analyze(position).safe)


def test_where_nothing_is_certain_a_hint_says_so_and_where_to_guess(anna: Browser) -> None:
    on = OFF | {"solvers": True, "autoplay": True}
    game = anna.begin("16x16x60", start="open", seed=1, assistant=on)
    assert anna.move(game, "open", 120)["state"] == "playing"
    path = f"/games/{game['id']}"
    for cell in anna.ask("GET", path)["help"]["mined"]:
        anna.move(game, "mark", cell)
    hint = anna.ask("POST", f"{path}/hint", {"level": 3})
    best = anna.ask("POST", f"{path}/best", {})
    assert not hint["certain"]
    assert hint["cell"] == best["cell"]
    assert "Nothing is certain" in hint["sentence"]
    assert 0 < best["risk"] < 1
    assert sum(best["numbers"]) + best["risk"] == pytest.approx(1)
    assert anna.ask("POST", f"{path}/may-guess") == {"answer": True}


def test_steps_explain_all_that_is_certain(anna: Browser) -> None:
    game = anna.begin("30x16x99", start="open", seed=8)
    anna.move(game, "open", 100)
    path = f"/games/{game['id']}"
    position = mw.Position(get("moore", (30, 16)), bytes(anna.ask("GET", path)["cells"]), 99)
    steps = anna.ask("POST", f"{path}/steps")
    assert steps["complete"]
    safe = sorted(cell for step in steps["steps"] for cell in step["safe"])
    assert safe == list(mw.analyze(position).safe)
    assert [step["sentence"] for step in steps["steps"]] == [
        str(step) for step in mw.explain(position)
    ]


def test_a_wrong_mark_is_told_but_not_which(anna: Browser) -> None:
    game = anna.begin("3x1x1", start="any", seed=1)
    known = twin(game)
    known.give_up()
    path = f"/games/{game['id']}/mark-is-wrong"
    for cell in range(3):
        assert anna.ask("POST", path) == {"answer": False}
        anna.move(game, "mark", cell)
        if cell:
            break
    assert anna.ask("POST", path) == {"answer": True}


def test_before_the_first_opening_the_start_rule_is_what_there_is_to_say(anna: Browser) -> None:
    for start, risk, guess in (("any", 10 / 81, True), ("safe", 0, False), ("open", 0, False)):
        game = anna.begin("9x9x10", start=start)
        path = f"/games/{game['id']}"
        best = anna.ask("POST", f"{path}/best", {})
        assert best["risk"] == pytest.approx(risk)
        assert sum(best["numbers"]) == pytest.approx(1 - risk)
        assert anna.ask("POST", f"{path}/may-guess") == {"answer": guess}


def test_a_position_too_hard_says_so_and_is_played_on(tmp_path: Path) -> None:
    with Web(tmp_path, replace(EASY, states=40)) as web:
        anna = web.browser()
        on = OFF | {"solvers": True, "probabilities": True}
        game = anna.begin("30x16x99", start="open", seed=8, assistant=on)
        made = anna.move(game, "open", 100)
        assert made["help"]["too_hard"].startswith("too hard")
        assert made["help"]["chances"] is None
        path = f"/games/{game['id']}"
        for question in ("best", "may-guess"):
            answer = anna.ask("POST", f"{path}/{question}", {}, 422)
            assert answer["too_hard"]
            assert answer["problem"].startswith("too hard")
        sampled = anna.ask("PUT", f"{path}/assistant", on | {"approximate": True})
        assert sampled["help"]["approximate"] or sampled["help"]["too_hard"]
