"""Strategies at play, as the web app shows them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import pytest
from patient import EASY
from web_client import Browser, Web

from minewright.lab.arm import Arm
from minewright.lab.trace import trace
from minewright.position import COVERED, MAX_NUMBER, MINED
from minewright.strategies import strategies
from minewright.web.watch import players
from minewright.web.watch.players import perform


def watch(browser: Browser, strategy: str, board: str = "9x9x10", **more: Any) -> Any:
    asked = {"board": board, "strategy": strategy, "seed": 7, **more}
    return browser.ask("POST", "/watch", asked)


@pytest.mark.parametrize(
    ("strategy", "more"),
    [
        ("exact", {"start": "open"}),
        ("single-point", {"guesser": "neighbour", "first": "centre", "seed": 3}),
        ("oz:engines=zero+simple", {"topology": "hex"}),
        ("minebot", {"topology": "torus", "board": "16x16x40", "seed": 12}),
    ],
)
def test_a_watched_game_is_the_game_that_simulate_traces(
    anna: Browser, strategy: str, more: dict[str, Any]
) -> None:
    seen = watch(anna, strategy, **more)
    arm = Arm(
        strategy,
        seen["board"],
        seen["start"],
        seen["topology"],
        more.get("guesser", ""),
        more.get("first", ""),
    )
    known = trace(arm, seen["seed"])
    cells = [COVERED] * known.end.topology.size
    assert len(seen["turns"]) == len(known.steps)
    for turn, step in zip(seen["turns"], known.steps, strict=True):
        assert bytes(cells) == step.position.cells
        assert [
            (tuple(one["safe"]), tuple(one["mined"]), one["reason"]) for one in turn["findings"]
        ] == [tuple(finding) for finding in step.turn.findings]
        guess = turn["guess"]
        assert (guess and guess["cell"]) == (step.turn.guess and step.turn.guess.cell)
        if guess:
            assert guess["risk"] == step.risk
            assert len(guess["missed"]) == step.missed
            assert guess["least"] <= guess["risk"]
        for cell, code in turn["changes"]:
            cells[cell] = code
    assert bytes(cells) == known.end.cells
    outcome = seen["outcome"]
    assert outcome["guesses"] == known.record.guesses
    assert outcome["cleared"] == known.record.cleared
    assert (outcome["how"] == "won") == known.record.won
    assert {cell for cell, code in enumerate(outcome["truth"]) if code == MINED} == known.minefield


def test_two_strategies_meet_the_same_minefield(anna: Browser) -> None:
    one, two = (watch(anna, name, first="corner") for name in ("exact", "random"))
    truths = [[code == MINED for code in seen["outcome"]["truth"]] for seen in (one, two)]
    assert truths[0] == truths[1]
    assert one["turns"][0]["guess"]["cell"] == two["turns"][0]["guess"]["cell"]


def test_a_guess_tells_of_the_safe_cells_it_missed(anna: Browser) -> None:
    guesses = [turn["guess"] for turn in watch(anna, "random", start="open")["turns"]]
    missed = [guess for guess in guesses if guess["missed"]]
    assert missed
    assert all(guess["least"] == 0 for guess in missed)


class Held:
    """A timer that a test sets off by hand."""

    made: ClassVar[list["Held"]] = []

    def __init__(self, seconds: float, function: Callable[[], None]) -> None:
        self.ring = function
        self.made.append(self)

    def start(self) -> None:
        pass

    def cancel(self) -> None:
        pass


def test_a_slow_strategy_answers_what_it_has_in_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def until_the_first_turn(*given: Any) -> Iterator[Any]:
        for told in perform(*given):
            yield told
            Held.made[-1].ring()

    monkeypatch.setattr(players, "Timer", Held)
    monkeypatch.setattr("minewright.web.watch.routes.perform", until_the_first_turn)
    with Web(tmp_path, replace(EASY, seconds=0.05)) as web:
        # The second turn of this game takes far longer than anybody would wait.
        seen = watch(web.browser(), "fringe:nodes=1000000000", "expert", start="open")
    outcome = seen["outcome"]
    assert (outcome["how"], outcome["truth"]) == ("unfinished", None)
    assert outcome["why"] == (
        "Fringe backtracking (nodes=1000000000) took too long and was stopped after 0.2 seconds"
    )
    opened = [code for turn in seen["turns"] for _, code in turn["changes"] if code <= MAX_NUMBER]
    assert len(opened) == outcome["cleared"] > 0


def test_all_that_is_offered_plays(anna: Browser) -> None:
    players = anna.ask("GET", "/watch/players")
    offered = [one["name"] for one in players["strategies"]]
    assert offered == [
        kind.name for kind in strategies().values() if all(map(find_spec, kind.needs))
    ]
    for name in offered[-3:] + [name for name in offered if name.startswith("max")][:1]:
        assert watch(anna, name, "5x5x3")["outcome"]["how"] in ("won", "lost", "stuck")


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({"strategy": "exakt"}, "did you mean exact"),
        ({"strategy": "exact:depth=3"}, "has no option 'depth'"),
        ({"guesser": "lucky"}, "there is no guesser 'lucky'"),
        ({"first": "middle"}, "there is no first move 'middle'"),
        ({"board": "200x200x9"}, "this server allows at most 10,000 cells"),
        ({"board": "3x3x9", "start": "open"}, "mine"),
        ({"topology": "square"}, "topology"),
        ({"seed": -1}, "seed"),
        ({"strategy": "a" * 300}, "strategy"),
    ],
)
def test_a_game_that_cannot_be_watched_is_refused_in_one_line(
    anna: Browser, asked: dict[str, Any], problem: str
) -> None:
    whole = {"board": "9x9x10", "strategy": "exact", **asked}
    said = anna.ask("POST", "/watch", whole, 422)["problem"]
    assert problem in said
    assert "\n" not in said


def test_minebot_shows_the_chain_behind_a_finding_and_others_do_not(web: Web) -> None:
    game = watch(web.browser(), "minebot", "8x8x12", seed=0)
    chains = [
        finding
        for turn in game["turns"]
        for finding in turn["findings"]
        if "contrapositive" in finding["reason"]
    ]
    assert chains
    for finding in chains:
        first, *_, last = finding["chain"]
        assert first["mined"] == last["safe"] == finding["safe"]
    other = watch(web.browser(), "exact", "8x8x12", seed=0)
    assert not any(one["chain"] for turn in other["turns"] for one in turn["findings"])
