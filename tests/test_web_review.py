"""The review of a finished game: every risk is that of exact inference on what was seen."""

from dataclasses import replace
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import pytest
from patient import EASY
from processes import HANG
from web_client import Browser, Web, twin

import minewright as mw
from minewright.position import COVERED, SAFE
from minewright.web.review import risks
from minewright.web.shared.words import percent


@pytest.fixture(scope="module")
def anna(web: Web) -> Browser:
    return web.browser()


def play(browser: Browser, board: str, seed: int, bold: float = 0.0, **more: Any) -> Any:
    """Play to the end: the best move or, with chance `bold`, any move, with chords among them."""
    game = browser.begin(board, seed=seed, **more)
    own, random = twin(game), Random(seed)
    while not own.over:
        analysis = mw.analyze(own.position)
        covered = [cell for cell in own.position.covered if own.position[cell] == COVERED]
        cell = random.choice(covered) if random.random() < bold else analysis.best
        moves = [mw.Move("open", cell)]
        marks = [cell for cell in analysis.mined if own.position[cell] == COVERED]
        if marks and random.random() < 0.5:
            near = own.topology.neighbours(marks[0])
            clues = [clue for clue in near if own.position[clue] <= 8]
            moves = [mw.Move("mark", marks[0]), *(mw.Move("chord", clue) for clue in clues)]
        for move in moves:
            if not own.over:
                own.play([move])
                browser.move(game, move.kind, move.cell)
    return game


def review(browser: Browser, game: Any) -> Any:
    return browser.ask("GET", f"/games/{game['id']}/review")


@pytest.mark.parametrize("topology", ["moore", "hex", "torus"])
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_each_risk_is_the_library_s_for_what_was_seen(
    anna: Browser, topology: str, seed: int
) -> None:
    start = ("any", "safe", "open")[seed % 3]
    game = play(anna, "9x9x14", seed, 0.15, topology=topology, start=start)
    found = review(anna, game)
    assert found["complete"]
    own = twin(game)
    survival = 1.0
    for move in found["moves"]:
        before = own.position
        if move["kind"] != "mark":
            cells = {move["cell"]}
            if move["kind"] == "chord":
                near = own.topology.neighbours(move["cell"])
                cells = {cell for cell in near if before[cell] == COVERED}
            analysis = mw.analyze(before)
            free = mw.analyze(before.with_cells(dict.fromkeys(cells, SAFE)))
            risk = 1 - free.solutions / analysis.solutions
            least = min(chance for chance in analysis.chances if chance is not None)
            if own.state == "ready" and start != "any":
                risk = least = 0.0
            assert move["risk"] == pytest.approx(risk, abs=1e-12)
            assert move["least"] == pytest.approx(min(least, risk), abs=1e-12)
            assert move["missed"] == (len(analysis.safe) if move["risk"] else None)
            survival *= 1 - risk
        assert move["survival"] == pytest.approx(survival, abs=1e-12)
        own.play([mw.Move(move["kind"], move["cell"])])
        changed = [cell for cell in range(81) if before[cell] != own.position[cell]]
        assert move["changes"] == [[cell, own.position[cell]] for cell in changed]
    assert own.state == found["state"]
    survived = found["moves"][: -1 if own.state == "lost" else None]
    assert found["luck"] == pytest.approx(prod(1 - (move["risk"] or 0) for move in survived))
    assert found["careful"] >= found["luck"] - 1e-12
    risks = sum(bool(move["risk"]) for move in survived)
    luck = percent(found["luck"])
    said = {0: "No luck needed up to here.", 1: f"Surviving that risk was a {luck} shot"}
    assert found["chance"].startswith(
        said.get(risks, f"Surviving those {risks} risks was a {luck} shot")
    )
    careless = found["careful"] - found["luck"] > 1e-9
    assert ("with the smallest risk each time" in found["chance"]) == careless


def test_a_loss_is_decided_where_it_exploded_and_the_missed_cells_are_told(anna: Browser) -> None:
    game = anna.begin("9x9x10", seed=3, start="open")
    own = twin(game)
    own.open(40)
    anna.move(game, "open", 40)
    safe = mw.analyze(own.position).safe
    own.give_up()
    anna.move(game, "open", min(own.minefield))
    found = review(anna, game)
    assert (found["state"], found["decided"], found["costliest"], found["missed"]) == (
        "lost",
        2,
        2,
        1,
    )
    assert found["moves"][1]["missed"] == len(safe) > 0
    assert found["luck"] == 1.0
    assert found["exploded"] == [min(own.minefield)]
    assert found["verdict"].startswith("Lost at move 2: a risk of ")
    assert "certainly safe" in found["verdict"]
    detail = anna.ask("GET", f"/games/{game['id']}/review/2")
    assert detail["safe"] == list(safe)
    assert detail["sentence"]
    assert detail["clues"]
    anna.ask("GET", f"/games/{game['id']}/review/3", expect=404)


def test_opening_a_certain_mine_is_called_that(anna: Browser) -> None:
    def mines(seed: int) -> frozenset[int]:
        game = mw.Game(mw.Board.parse("4x1x1"), "any", seed)
        game.give_up()
        return frozenset(game.minefield)

    # The 1 at the end has one neighbour, which is the mine.
    seed = next(seed for seed in range(100) if mines(seed) == {1})
    game = anna.begin("4x1x1", seed=seed, start="any")
    for cell in (0, 1):
        anna.move(game, "open", cell)
    assert review(anna, game)["verdict"] == (
        "Lost at move 2: that cell was certainly a mine, and 2 others were certainly safe."
    )


@pytest.mark.parametrize(
    ("chance", "words"),
    [(0.0, "0%"), (1e-9, "<0.1%"), (0.125, "12.5%"), (0.99999, ">99.9%"), (1.0, "100%")],
)
def test_a_chance_is_written_with_one_decimal_and_looks_certain_only_if_it_is(
    chance: float, words: str
) -> None:
    assert percent(chance) == words


def test_a_win_without_a_guess_needed_no_luck(anna: Browser) -> None:
    seed = next(seed for seed in range(50) if _no_guess(seed))
    game = anna.begin("8x8x6", seed=seed, start="open")
    own = twin(game)
    own.open(27)
    anna.move(game, "open", 27)
    while not own.over:
        for cell in mw.analyze(own.position).safe:
            if own.open(cell):
                anna.move(game, "open", cell)
    found = review(anna, game)
    assert (found["luck"], found["guesses"], found["decided"]) == (1.0, 0, None)
    assert found["verdict"] == "Won without any risk: every move was certainly safe."


def _no_guess(seed: int) -> bool:
    game = mw.Game(mw.Board.parse("8x8x6"), "open", seed)
    game.open(27)
    while not game.over and (safe := mw.analyze(game.position).safe):
        for cell in safe:
            game.open(cell)
    return game.state == "won"


def test_a_game_under_way_or_another_s_is_not_reviewed(web: Web, anna: Browser) -> None:
    game = anna.begin("9x9x10", start="open", seed=1, undo=True)
    anna.move(game, "open", 40)
    anna.ask("GET", f"/games/{game['id']}/review", expect=409)
    anna.ask("GET", f"/games/{game['id']}/review/1", expect=409)
    anna.move(game, "give up")
    assert "Given up" in review(anna, game)["verdict"]
    web.browser().ask("GET", f"/games/{game['id']}/review", expect=404)


def test_a_loss_that_may_be_taken_back_is_reviewed_once_it_is_given_up(anna: Browser) -> None:
    game = anna.begin("9x9x10", start="open", seed=3, undo=True)
    own = twin(game)
    own.open(40)
    own.give_up()
    anna.move(game, "open", 40)
    anna.move(game, "open", min(own.minefield))
    anna.ask("GET", f"/games/{game['id']}/review", expect=409)
    anna.move(game, "undo")
    anna.move(game, "open", max(own.minefield))
    anna.move(game, "give up")
    found = review(anna, game)
    assert (found["state"], len(found["moves"]), found["decided"]) == ("lost", 2, 2)


def test_a_long_review_goes_on_where_it_ended_and_ends_as_if_done_at_once(tmp_path: Path) -> None:
    with Web(tmp_path, replace(EASY, seconds=1e-9)) as web:
        anna = web.browser()
        game = play(anna, "20x16x55", 2, start="open")
        found, asked, done = review(anna, game), 1, 0
        assert not found["complete"]
        while not found["complete"]:
            assert done <= found["done"] <= found["openings"]
            done = found["done"]
            found, asked = review(anna, game), asked + 1
            # Each question works out the risk of a move, or its entry in the ledger.
            assert asked <= 2 * found["openings"] + 1
        own = twin(game)
        for move in found["moves"]:
            if move["kind"] == "open" and own.state == "playing":
                chance = mw.analyze(own.position).chances[move["cell"]]
                assert move["risk"] == pytest.approx(chance, abs=1e-12)
            own.play([mw.Move(move["kind"], move["cell"])])


def test_a_review_goes_with_its_game_and_with_all_that_is_kept(web: Web) -> None:
    anna, bert = web.browser(), web.browser()
    kept = web.app.state.shelf._reviews
    others = len(kept)
    games = []
    for browser in (anna, anna, anna, bert):
        games.append(browser.begin("5x5x3", start="open"))
        browser.move(games[-1], "give up")
        review(browser, games[-1])
    assert len(kept) == others + 4
    anna.ask("DELETE", f"/games/{games[0]['id']}", expect=204)
    assert len(kept) == others + 3
    anna.ask("DELETE", "/me", expect=204)
    assert len(kept) == others + 1
    assert kept.get(games[-1]["id"]) is not None


@pytest.mark.parametrize("mode", ["ordinary", "fair", "kind", "safe-bet"])
def test_the_ledger_says_where_the_chance_to_win_went(
    anna: Browser, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However busy the machine is, no move seems too hard.
    monkeypatch.setattr(risks, "MOVE_SECONDS", HANG)
    game = anna.begin("9x9x14", seed=6, mode=mode)
    for cell in (0, 80, 8, 72, 40):
        if not anna.ask("GET", f"/games/{game['id']}")["end"]:
            anna.move(game, "open", cell)
    anna.move(game, "give up") if not anna.ask("GET", f"/games/{game['id']}")["end"] else None
    found = review(anna, game)
    ledger = found["ledger"]
    judged = [move["judged"] for move in found["moves"] if move["kind"] == "open"]
    assert found["complete"]
    assert ledger["judged"] == len(judged) > 1
    assert ledger["start"] - ledger["missed_proofs"] - ledger["bad_guesses"] + ledger[
        "luck"
    ] == pytest.approx(ledger["end"])
    assert judged[0]["before"] == ledger["start"]
    assert judged[-1]["after"] == ledger["end"]
    assert sum(one["given"] for one in judged) > 0
    assert ("in an ordinary game" in ledger["sentence"]) == (mode != "ordinary")
