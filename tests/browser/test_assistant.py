"""The assistant on the page: every level, every question, the Oz view, the library's numbers."""

import re

import pytest
from playwright.sync_api import Page, expect

import minewright as mw
from browser.player import Player, hold
from minewright.position import COVERED, MAX_NUMBER
from minewright.strategies.constraints import cells_of
from minewright.strategies.oz import Assistant, solutions_needed

LEVELS = (
    *("Off", "Obvious", "One number", "Numbers together"),
    *("Everything provable", "Chances"),
)
CERTAIN, STUCK, LADDER, MINES = 75, 65, 3903, 2794
"""Seeds of games where, after the first opening, some cells are certain, none are, more are at each
level of the assistant, or only mines are."""

# Write down everything that the assistant says from now on.
LISTEN = """() => {
    const answer = document.querySelector('.answer');
    window.said = '';
    new MutationObserver(() => (said += answer.textContent))
        .observe(answer, { childList: true, subtree: true });
}"""


def play(page: Page, seed: int = CERTAIN) -> Player:
    """Open the middle of a small board."""
    player = Player(page)
    player.begin("9x9x15", seed, "open")
    player.open(40)
    return player


def propagated(game: mw.Game, engine: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return what one of Collet's engines finds by itself."""
    assistant = Assistant(game.topology, game.mines, [engine])
    assistant.tell(game.position)
    while assistant.think():
        pass
    field = assistant.field
    return cells_of(field.safe & ~field.open), cells_of(field.mined)


def test_the_assistant_says_nothing_before_it_is_asked(page: Page) -> None:
    player = play(page)
    for name in LEVELS:
        expect(player.level(name)).to_be_checked(checked=name == "Off")
    for look in ("safe", "mined", "clue", "region", "best"):
        player.shows(look, [])


def test_each_level_shows_what_the_one_before_does_and_more(page: Page) -> None:
    player = play(page, LADDER)
    analysis = mw.analyze(player.twin.position)
    steps = [
        glance(player.twin.position),
        propagated(player.twin, "simple"),
        propagated(player.twin, "set"),
        (analysis.safe, analysis.mined),
    ]
    shown = {(cells[0], cells[1]) for cells in steps}
    assert len(shown) == 4, "a board on which every level has something of its own"
    for name, (safe, mined) in zip(LEVELS[1:], [*steps, steps[-1]], strict=True):
        player.set(name)
        player.shows("safe", safe)
        player.shows("mined", mined)
    player.set("Off")
    player.shows("safe", [])
    player.shows("mined", [])


def glance(position: mw.Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return what one look at each number settles."""
    numbers = [cell for cell, code in enumerate(position.cells) if 0 < code <= MAX_NUMBER]
    around = {
        cell: {near for near in position.topology.neighbours(cell) if position[near] == COVERED}
        for cell in numbers
    }
    full = [cells for cell, cells in around.items() if len(cells) == position[cell]]
    mined = set().union(*full)
    done = [cells - mined for cell, cells in around.items() if len(cells & mined) == position[cell]]
    return tuple(sorted(set().union(*done))), tuple(sorted(mined))


@pytest.mark.parametrize("engine", ["simple", "set"])
def test_a_propagator_of_the_oz_view_shows_what_collets_engine_finds(
    page: Page, engine: str
) -> None:
    player = play(page)
    page.get_by_text("Oz view", exact=True).click()
    player.switch(engine.capitalize() + " propagators")
    safe, mined = propagated(player.twin, engine)
    assert safe
    player.shows("safe", safe)
    player.shows("mined", mined)
    expect(page.locator(".levels")).to_contain_text(
        "As chosen in the Oz view" if engine == "set" else "What single numbers settle"
    )


def test_the_solve_button_tells_what_is_new_and_only_then_the_chances(page: Page) -> None:
    player = play(page)
    page.get_by_text("Oz view", exact=True).click()
    position = player.twin.position
    analysis = mw.analyze(position)
    needed = solutions_needed(position)
    solve = page.get_by_role("button", name="Solve")
    solve.click()
    expect(player.answer).to_contain_text(
        f"{needed['sets']} solutions, {needed['binary']} in binary."
    )
    player.shows("safe", analysis.safe)
    player.shows("mined", analysis.mined)
    level = player.grid.locator(".covered[style*='--p']")
    expect(level).to_have_count(0)
    # There is nothing more to find, and what was found stays known.
    page.get_by_role("radiogroup", name="Solver").get_by_text("Binary").click()
    solve.click()
    expect(player.answer).to_contain_text("Nothing new, so here are the chances.")
    expect(level).to_have_count(len(position.covered))
    player.open(analysis.safe[0])
    player.shows("safe", [cell for cell in analysis.safe if player.twin.position[cell] == COVERED])
    expect(level).to_have_count(0)


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
    player.switch("Autoplay")
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


def test_the_level_is_kept_over_a_reload(page: Page) -> None:
    player = play(page)
    player.set("One number")
    mined = propagated(player.twin, "simple")[1]
    player.shows("mined", mined)
    page.reload()
    player.sees()
    player.shows("mined", mined)
    expect(player.level("One number")).to_be_checked()


def test_a_hint_says_more_at_each_of_its_three_steps(page: Page) -> None:
    player = play(page)
    with page.expect_response("**/hint"):
        player.ask("Hint")
    expect(player.answer).to_contain_text("look at the lit cells")
    expect(player.grid.locator(".region")).not_to_have_count(0)
    player.shows("clue", [])
    player.shows("safe", [])
    with page.expect_response("**/hint") as second:
        page.keyboard.press("h")
    clues = second.value.json()["clues"]
    player.shows("clue", clues)
    player.shows("safe", [])
    with page.expect_response("**/hint") as third:
        player.ask("Hint")
    # It is one of the library's steps, on the way to the first safe cell.
    steps = list(mw.explain(player.twin.position))
    way = steps[: 1 + next(at for at, step in enumerate(steps) if step.safe)]
    (step,) = [step for step in way if step.sentence == third.value.json()["sentence"]]
    assert sorted(clues) == sorted(step.clues)
    player.shows("safe", step.safe)
    player.shows("mined", step.mined)
    expect(player.answer).to_contain_text(step.sentence)


def test_a_hint_names_no_mine_that_the_assistant_shows(page: Page) -> None:
    player = play(page)
    analysis = mw.analyze(player.twin.position)
    player.set("Everything provable")
    player.shows("mined", analysis.mined)
    with page.expect_response("**/hint") as first:
        player.ask("Hint")
    assert first.value.json()["certain"]
    for _ in range(2):
        with page.expect_response("**/hint") as last:
            player.ask("Hint")
    assert last.value.json()["safe"]


def test_a_hint_where_nothing_is_certain_says_so(page: Page) -> None:
    player = play(page, STUCK)
    guess = mw.guess(player.twin.position)
    assert guess is not None
    player.ask("Hint")
    expect(player.answer).to_contain_text("No safe move")
    player.ask("Hint")
    expect(player.answer).to_contain_text(re.compile(r"No safe move\. .* safest guess"))
    player.ask("Hint")
    expect(player.answer).to_contain_text(guess.sentence)
    player.shows("best", [guess.cell])


@pytest.mark.parametrize(("seed", "answer"), [(CERTAIN, "No need"), (STUCK, "Yes")])
def test_one_may_guess_only_where_nothing_is_safe(page: Page, seed: int, answer: str) -> None:
    player = play(page, seed)
    assert mw.may_guess(player.twin.position) == (answer == "Yes")
    player.ask("May I guess?")
    expect(player.answer).to_contain_text(answer)


def test_where_only_mines_are_certain_every_answer_says_to_guess(page: Page) -> None:
    player = play(page, MINES)
    analysis = mw.analyze(player.twin.position)
    assert analysis.mined
    assert not analysis.safe
    player.ask("May I guess?")
    expect(player.answer).to_contain_text("Yes")
    player.ask("Hint")
    expect(player.answer).to_contain_text("No safe move")
    player.ask("Explain step by step")
    expect(player.answer).to_contain_text(f"the {len(analysis.mined)} lit cells are mines")
    player.shows("mined", analysis.mined)


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
    next_sentence = ""
    cell, sentence = (0, "") if guess else (easy[0].safe[0], easy[0].sentence)
    if guess is not None:
        move = mw.best_move(position)
        cell = move.cell
        sentence = guess.sentence if cell == guess.cell else move.sentence
        next_sentence = move.sentences[1]
    risk = analysis.chances[cell]
    player.ask("Best move, and why")
    player.shows("best", [cell])
    expect(player.answer).to_contain_text(sentence)
    expect(player.answer).to_contain_text(next_sentence)
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
    while not steps[-1].safe:
        # Mines that lead to no safe cell are no help.
        del steps[-1]
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
    held = hold(page, "**/assistant")
    with page.expect_request("**/assistant"):
        player.level("Everything provable").check()
    with page.expect_response("**/api/games"):
        page.keyboard.press("n")
    expect(player.status).to_have_attribute("data-state", "ready")
    with page.expect_response("**/assistant"):
        held[0].continue_()
    player.ask("Hint")
    expect(player.answer).to_contain_text("Nothing is open yet")
    expect(player.status).to_have_attribute("data-state", "ready")
    player.shows("safe", [])
    # Nor is the next game told that a question about the last one has no answer.
    held = hold(page, "**/may-guess")
    player.ask("May I guess?")
    expect(player.answer).to_contain_text("Thinking…")
    with page.expect_response("**/api/games"):
        page.keyboard.press("n")
    expect(player.answer).to_contain_text("Hints come in three steps.")
    page.evaluate(LISTEN)
    with page.expect_response("**/may-guess"):
        held[0].fulfill(status=422, json={"problem": "too hard", "too_hard": True})
    player.ask("Hint")
    expect(player.answer).to_contain_text("Nothing is open yet")
    assert "too hard" not in page.evaluate("said")
