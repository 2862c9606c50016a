"""Drills: what a player missed is set again, spaced in time, and judged exactly."""

from random import Random
from typing import Any

import pytest
from web_client import Web, twin

import minewright as mw
from minewright.patterns.drills import AGAIN, PAUSES, Drill
from minewright.patterns.form import Form, form_of
from minewright.position import COVERED


def solution(asked: Any) -> dict[str, Any]:
    """Return the right answer to a drill, worked out by exact inference."""
    found = mw.analyze(mw.Position.parse(asked["position"]["text"]))
    place = {"form": asked["form"], "turn": asked["turn"]}
    return place | {"safe": list(found.safe), "mined": list(found.mined)}


def test_a_form_rests_longer_each_time_and_starts_over_after_a_failure() -> None:
    drill, now = Drill("-1#"), 1_000.0
    rests = []
    for _ in range(len(PAUSES) + 1):
        drill = drill.answered(True, now)
        rests.append(drill.due - now)
    assert rests == [*PAUSES, PAUSES[-1]]
    assert drill.learned
    failed = drill.answered(False, now)
    assert (failed.stage, failed.due - now, failed.learned) == (0, AGAIN, False)


def test_the_book_is_set_in_its_order_and_answers_are_judged_exactly(web: Web) -> None:
    anna, ben = web.browser(), web.browser()
    for known in mw.patterns.book().patterns[:4]:
        asked = anna.ask("GET", "/drills")["next"]
        assert (asked["form"], asked["missed"]) == (known.text, False)
        answer = solution(asked)
        assert anna.ask("POST", "/drills", answer)["right"]
    asked = anna.ask("GET", "/drills")["next"]
    wrong = solution(asked)
    wrong["safe"], wrong["mined"] = wrong["mined"], wrong["safe"]
    judged = anna.ask("POST", "/drills", wrong)
    assert not judged["right"]
    assert sorted(judged["step"]["safe"]) == sorted(wrong["mined"])
    assert judged["rests"] == pytest.approx(AGAIN)
    view = anna.ask("GET", "/drills")
    assert (view["met"], view["learned"], view["due"]) == (5, 0, 0)
    assert ben.ask("GET", "/drills")["met"] == 0
    assert len(anna.ask("GET", "/me/export")["drills"]) == 5


@pytest.mark.parametrize(
    ("form", "turn", "status"), [("9", 0, 404), ("-1#", 8, 422), ("#" * 5_000, 0, 422)]
)
def test_a_form_that_was_never_set_is_refused(web: Web, form: str, turn: int, status: int) -> None:
    answer = {"form": form, "turn": turn, "safe": [], "mined": []}
    web.browser().ask("POST", "/drills", answer, status)


def test_missed_steps_of_a_game_are_set_first(web: Web) -> None:
    anna, random = web.browser(), Random(3)
    game = anna.begin("9x9x10", seed=4, start="open")
    own = twin(game)
    missed = set()
    # A bold player opens any covered cell that is not certainly a mine. A risk taken while some
    # cell is safe is a missed step.
    while not own.over:
        analysis = mw.analyze(own.position)
        mines = set(analysis.mined)
        cells = [c for c in own.position.covered if c not in mines and own.position[c] == COVERED]
        cell = random.choice(cells)
        if analysis.safe and cell not in analysis.safe:
            step = next(one for one in mw.explain(own.position) if one.safe)
            form = form_of(step)
            if form is not None:
                missed.add(form.text)
        own.open(cell)
        anna.move(game, "open", cell)
    assert missed
    path = f"/games/{game['id']}/review"
    anna.ask("POST", f"{path}/drills", expect=409)
    assert anna.ask("GET", path)["complete"]
    assert anna.ask("POST", f"{path}/drills") == {"forms": len(missed), "added": len(missed)}
    assert anna.ask("POST", f"{path}/drills")["added"] == 0
    asked = anna.ask("GET", "/drills")["next"]
    assert asked["missed"]
    assert asked["form"] in missed
    assert Form(asked["form"]).turned(asked["turn"]).text in asked["position"]["text"]
