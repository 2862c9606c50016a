"""The assistant on the page: every switch, every question, and the numbers of the library."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

import minewright as mw
from browser.player import Player
from minewright.position import COVERED
from minewright.strategies.constraints import cells_of
from minewright.strategies.oz import Assistant

SWITCHES = {
    "zero": "Obvious",
    "simple": "One number",
    "set": "Numbers together",
    "solvers": "Everything provable",
    "probabilities": "Chances",
    "autoplay": "Autoplay",
}
CERTAIN, STUCK = 75, 65
"""Seeds: after the first opening something is certain, or nothing."""


def play(page: Page, seed: int = CERTAIN) -> Player:
    """Open the middle of a small board."""
    player = Player(page)
    player.begin("9x9x15", seed, "open")
    player.open(40)
    return player


def propagated(game: mw.Game, engine: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Say what one of Collet's engines finds by itself."""
    assistant = Assistant(game.topology, game.mines, [engine])
    assistant.tell(game.position)
    while assistant.think():
        pass
    field = assistant.field
    return cells_of(field.safe & ~field.open), cells_of(field.mined)


def test_the_assistant_says_nothing_before_it_is_asked(page: Page) -> None:
    player = play(page)
    for name in SWITCHES.values():
        expect(player.switch(name)).not_to_be_checked()
    for look in ("safe", "mined", "clue", "region", "best"):
        player.shows(look, [])


def test_a_propagator_shows_what_collets_engine_finds(page: Page) -> None:
    player = play(page)
    for engine in ("zero", "simple", "set"):
        player.set(SWITCHES[engine])
        safe, mined = propagated(player.twin, engine)
        assert engine == "zero" or (safe and mined)
        player.shows("safe", safe)
        player.shows("mined", mined)
        player.set(SWITCHES[engine], False)
        player.shows("safe", [])
        player.shows("mined", [])


def test_the_solvers_show_every_certain_cell_and_follow_the_game(page: Page) -> None:
    player = play(page)
    player.set("Everything provable")
    for _ in range(2):
        analysis = mw.analyze(player.twin.position)
        assert analysis.safe
        player.shows("safe", analysis.safe)
        player.shows("mined", analysis.mined)
        player.open(analysis.safe[0])


def test_the_autoplayer_opens_all_that_the_others_know(page: Page) -> None:
    player = play(page)
    player.set("Everything provable")
    player.set("Autoplay")
    while not player.twin.over and (safe := mw.analyze(player.twin.position).safe):
        for cell in safe:
            if player.twin.position[cell] == COVERED:
                player.twin.open(cell)
    player.sees()


def test_chances_on_the_page_are_those_of_analyze(page: Page) -> None:
    player = Player(page)
    player.begin("6x6x8", 33, "open")
    player.open(14)
    player.set("Chances")
    chances = mw.analyze(player.twin.position).chances
    assert len(set(chances)) > 10
    tip = page.locator(".tip")
    for cell, chance in enumerate(chances):
        player.cell(cell).hover()
        if chance is None:
            expect(tip).to_be_hidden()
            continue
        expect(tip).to_have_attribute("data-cell", str(cell))
        shown = float(tip.get_attribute("data-chance") or "nan")
        assert shown == chance
        text = tip.inner_text().removesuffix("% mine")
        assert float(text.lstrip("<>")) == pytest.approx(100 * chance, abs=0.05 + 1e-9)


def test_switches_are_kept_over_a_reload(page: Page) -> None:
    player = play(page)
    for name in ("One number", "Chances"):
        player.set(name)
    mined = propagated(player.twin, "simple")[1]
    player.shows("mined", mined)
    page.reload()
    player.sees()
    player.shows("mined", mined)
    for name in SWITCHES.values():
        expected = name in ("One number", "Chances")
        expect(player.switch(name)).to_be_checked(checked=expected)


def test_a_hint_says_more_at_each_of_its_three_steps(page: Page) -> None:
    player = play(page)
    step = mw.next_step(player.twin.position)
    assert step is not None
    near = player.twin.topology.neighbours
    player.ask("Hint")
    expect(player.answer).to_contain_text("look at the lit cells")
    player.shows("region", {cell for clue in step.clues for cell in (clue, *near(clue))})
    player.shows("clue", [])
    player.shows("safe", [])
    page.keyboard.press("h")
    player.shows("clue", step.clues)
    player.shows("safe", [])
    player.ask("Hint")
    player.shows("clue", step.clues)
    player.shows("safe", step.safe)
    player.shows("mined", step.mined)
    expect(player.answer).to_have_text(step.sentence)


def test_a_hint_where_nothing_is_certain_says_so(page: Page) -> None:
    player = play(page, STUCK)
    guess = mw.guess(player.twin.position)
    assert guess is not None
    player.ask("Hint")
    expect(player.answer).to_contain_text("No safe move")
    player.ask("Hint")
    expect(player.answer).to_contain_text(re.compile(r"No safe move\. .* safest guess"))
    player.ask("Hint")
    expect(player.answer).to_have_text(guess.sentence)
    player.shows("best", [guess.cell])


@pytest.mark.parametrize(("seed", "answer"), [(CERTAIN, "No need"), (STUCK, "Yes")])
def test_one_may_guess_only_where_nothing_is_safe(page: Page, seed: int, answer: str) -> None:
    player = play(page, seed)
    assert mw.may_guess(player.twin.position) == (answer == "Yes")
    player.ask("May I guess?")
    expect(player.answer).to_contain_text(answer)


def test_a_mark_on_a_safe_cell_is_told_to_be_wrong(page: Page) -> None:
    player = play(page)
    analysis = mw.analyze(player.twin.position)
    player.mark(analysis.mined[0])
    player.ask("Is a flag wrong?")
    expect(player.answer).to_contain_text("none of your flags is provably wrong")
    player.mark(analysis.safe[0])
    player.ask("Is a flag wrong?")
    expect(player.answer).to_contain_text("Yes: at least one flag")


@pytest.mark.parametrize("seed", [CERTAIN, STUCK])
def test_the_best_move_comes_with_its_risk_its_numbers_and_what_they_lead_to(
    page: Page, seed: int
) -> None:
    player = play(page, seed)
    position = player.twin.position
    analysis = mw.analyze(position)
    easy = [step for step in mw.explain(position) if step.safe]
    guess = mw.guess(position)
    assert (guess is None) == bool(easy)
    cell = guess.cell if guess else easy[0].safe[0]
    sentence = guess.sentence if guess else easy[0].sentence
    risk = analysis.chances[cell]
    player.ask("Best move, and why")
    player.shows("best", [cell])
    expect(player.answer).to_contain_text(sentence)
    expect(player.answer).to_contain_text(f"risk {100 * risk:.1f}%" if risk else "safe")
    rows = []
    for number, chance in enumerate(analysis.numbers(cell)):
        if chance >= 5e-4:
            after = mw.analyze(position.with_cells({cell: number}))
            mines = "1 mine" if len(after.mined) == 1 else f"{len(after.mined)} mines"
            then = f"{len(after.safe)} safe, {mines}"
            known = after.safe or after.mined
            rows.append(f"{number}{100 * chance:.1f}%{then if known else 'nothing'}")
    if risk:
        rows.append(f"mine{100 * risk:.1f}%game over")
    expect(player.answer.locator(".shows li")).to_have_text(rows)


def test_the_explained_solution_is_that_of_the_library(page: Page) -> None:
    player = play(page)
    steps = list(mw.explain(player.twin.position))
    player.ask("Explain step by step")
    for number, step in enumerate(steps, 1):
        expect(player.answer).to_contain_text(f"Step {number} of {len(steps)}")
        expect(player.answer).to_contain_text(step.sentence)
        player.shows("clue", step.clues)
        if number < len(steps):
            player.ask("Next")
    player.shows("safe", [cell for step in steps for cell in step.safe])


def test_an_answer_on_the_last_game_is_not_shown_on_the_next(page: Page) -> None:
    player = play(page)
    held: list[Route] = []
    page.route("**/assistant", lambda route: held.append(route))
    with page.expect_request("**/assistant"):
        player.switch("Everything provable").check()
    with page.expect_response("**/api/games"):
        page.keyboard.press("n")
    expect(player.status).to_have_attribute("data-state", "ready")
    with page.expect_response("**/assistant"):
        held[0].continue_()
    player.ask("Hint")
    expect(player.answer).to_contain_text("Nothing is open yet")
    expect(player.status).to_have_attribute("data-state", "ready")
    player.shows("safe", [])
