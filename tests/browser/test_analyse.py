"""The analyse page: files of other programs, replays, the best move, steps that go on."""

import json
import re
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, Route, expect

import minewright as mw
from browser.player import intercept
from minewright import formats

FILES = Path(__file__).parents[1] / "formats"
DROP = """([name, data]) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], name));
    for (const kind of ["dragover", "drop"])
        document.querySelector("h2").dispatchEvent(
            new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
def analyse(page: Page) -> Page:
    page.goto("/analyse")
    expect(page.locator(".verdict")).to_contain_text("minefields fit")
    return page


def replay_of(name: str) -> formats.Replay:
    replay = formats.read((FILES / name).read_bytes()).replay
    assert replay is not None
    return replay


def choose(page: Page, name: str) -> None:
    """Open a file with the button."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a file").click()
    chooser.value.set_files(FILES / name)


def drop(page: Page, name: str) -> None:
    """Drop a file somewhere on the page."""
    data = b64encode((FILES / name).read_bytes()).decode()
    page.evaluate(DROP, [name, data])


@pytest.mark.parametrize("bring", [choose, drop])
def test_a_replay_is_walked_through_by_slider_button_and_key(
    analyse: Page, bring: Callable[[Page, str], None]
) -> None:
    page, replay = analyse, replay_of("small.rmv")
    text = page.get_by_label("Position as text")
    moves = page.get_by_role("slider", name="Move")
    bring(page, "small.rmv")
    # The replay begins at the last decision.
    expect(text).to_have_value(str(replay.position(replay.last)))
    expect(page.get_by_role("region", name="Replay")).to_contain_text("Thomas Kolar")
    moves.fill("2")
    expect(text).to_have_value(str(replay.position(2)))
    page.get_by_role("button", name="Next move").click()
    expect(text).to_have_value(str(replay.position(3)))
    page.get_by_role("button", name="Start", exact=True).click()
    expect(text).to_have_value(str(replay.position(0)))
    page.locator("[role=gridcell]").first.focus()
    page.keyboard.press(">")
    page.keyboard.press(">")
    page.keyboard.press("<")
    expect(text).to_have_value(str(replay.position(1)))
    # The position shown is the one analysed.
    safe = mw.analyze(replay.position(1)).safe
    expect(page.locator(".verdict .facts dd").first).to_have_text(str(len(safe)))
    page.keyboard.press("p")
    expect(text).to_have_value(str(replay.position(len(replay.moves))))


def test_a_hand_edit_leaves_the_replay_and_undo_comes_back_to_it(analyse: Page) -> None:
    page, replay = analyse, replay_of("expert.rmv")
    bar = page.get_by_role("region", name="Replay")
    text = page.get_by_label("Position as text")
    before = text.input_value()
    choose(page, "expert.rmv")
    # The board is new: its cells have their names by the time the move is described.
    last = replay.moves[replay.last - 1].move.cell
    assert last is not None
    where = replay.topology.describe(last)
    expect(bar).to_contain_text(f"Move {replay.last} of {len(replay.moves)}")
    expect(bar).to_contain_text(where)
    page.get_by_role("button", name="Previous move").click()
    expect(text).to_have_value(str(replay.position(replay.last - 1)))
    page.locator(f"[data-cell='{replay.position(replay.last).covered[0]}']").click(button="right")
    expect(bar).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    expect(bar).to_contain_text(f"Move {replay.last - 1} of")
    expect(text).to_have_value(str(replay.position(replay.last - 1)))
    page.keyboard.press(">")
    expect(text).to_have_value(str(replay.position(replay.last)))
    page.get_by_role("button", name="Undo").click()
    expect(text).to_have_value(before)
    expect(bar).to_be_hidden()
    page.get_by_role("button", name="Redo").click()
    expect(bar).to_contain_text(where)
    expect(page.locator(".cell.played")).to_have_count(1)
    # Closing the bar moves the focus to the board.
    page.get_by_role("button", name="Close the replay").click()
    expect(bar).to_be_hidden()
    expect(page.locator("[role=gridcell]:focus")).to_have_count(1)


def test_a_file_that_does_not_pack_is_told_by_its_name_and_size(analyse: Page) -> None:
    analyse.locator("input[type=file]").set_input_files(
        {
            "name": "noise.avf",
            "mimeType": "application/octet-stream",
            "buffer": Random(1).randbytes(400_000),
        }
    )
    note = analyse.get_by_role("alert").filter(has_text="noise.avf")
    expect(note).to_contain_text("391 KB even when compressed, and the limit is 256 KB")


def test_the_last_safe_cell_wins_and_leads_to_nothing(analyse: Page) -> None:
    analyse.get_by_label("Position as text").fill("3x1x1\n#1#")
    card = analyse.get_by_role("region", name="Best move")
    expect(card).to_contain_text("you win")
    expect(card).not_to_contain_text("On average")


def test_no_average_is_told_of_what_is_always_the_same(analyse: Page) -> None:
    card = analyse.get_by_role("region", name="Best move")
    # The page's own example: its best move can show only one number.
    expect(card).to_contain_text("12 cells would then be safe.")
    analyse.get_by_label("Position as text").fill("2x2x1\n1#\n##")
    expect(card).to_contain_text("No other cell would then be safe.")
    expect(card).not_to_contain_text("On average")


def test_no_verdict_stays_for_a_position_that_got_no_answer(analyse: Page) -> None:
    verdict = analyse.locator(".verdict")
    intercept(analyse, "**/api/analyse", lambda route: route.abort())
    analyse.get_by_role("gridcell").first.focus()
    analyse.keyboard.press("9")
    expect(analyse.get_by_text("No answer from Minewright")).to_be_visible()
    analyse.unroute("**/api/analyse")
    analyse.evaluate("dispatchEvent(new Event('online'))")
    expect(verdict).to_contain_text("No minefield fits")
    broken = {"problem": "something broke"}
    intercept(analyse, "**/api/analyse", lambda route: route.fulfill(status=500, json=broken))
    analyse.keyboard.press("Delete")
    expect(verdict).to_contain_text("Something broke.")
    expect(verdict).not_to_contain_text("fits")
    expect(verdict).not_to_have_class(re.compile("busy"))


def test_of_a_position_that_is_too_hard_the_easy_steps_are_shown(analyse: Page) -> None:
    def hard(route: Route) -> None:
        answer = route.fetch()
        nothing = dict.fromkeys(("safe", "mined", "chances", "hard"), ())
        known = {"position": answer.json()["position"], "too_hard": "too hard"}
        route.fulfill(response=answer, json=known | nothing)

    intercept(analyse, "**/api/analyse", hard)
    analyse.get_by_label("Position as text").fill("3x1x1\n01#")
    expect(analyse.locator(".verdict")).to_contain_text("Too hard")
    analyse.get_by_role("button", name="Explain step by step").click()
    expect(analyse.get_by_role("region", name="Explanation")).to_contain_text("1 of")


def test_a_file_that_cannot_be_read_is_told_in_one_line(analyse: Page) -> None:
    drop(analyse, "README.md")
    note = analyse.get_by_role("alert").filter(has_text="README.md")
    expect(note).to_contain_text("line 1, column 2")
    note.get_by_role("button", name="Supported formats").click()
    expect(analyse.get_by_role("dialog", name="Supported formats")).to_contain_text("Viennasweeper")


def test_the_best_move_tells_its_numbers_and_what_they_lead_to(analyse: Page) -> None:
    text = "16x2x4\n#1##############\n################"
    analyse.get_by_label("Position as text").fill(text)
    card = analyse.get_by_role("region", name="Best move")
    position = mw.Position.parse(text)
    move = mw.best_move(position)
    best = move.cell
    for sentence in move.sentences:
        expect(card).to_contain_text(sentence)
    shown = [chance for chance in mw.analyze(position).numbers(best) if chance >= 5e-4]
    expect(card.locator(".shows.leads li:not(.explodes)")).to_have_count(len(shown))
    expect(card).to_contain_text("On average")
    # The cell under the cursor is described as well.
    analyse.locator("[data-cell='0']").hover()
    expect(card.locator("strong")).to_have_text("Row 1, column 1")
    expect(card.locator(".shows li").first).to_be_visible()


def test_steps_that_time_cut_off_go_on_where_they_stopped(analyse: Page) -> None:
    asked: list[list[int]] = []

    def cut(route: Route) -> None:
        answer = route.fetch()
        found = answer.json()
        asked.append(json.loads(route.request.post_data or "")["drawn"]["cells"])
        if len(asked) == 1:
            found |= {"steps": found["steps"][:1], "complete": False, "then": "Time was up."}
        route.fulfill(response=answer, json=found)

    intercept(analyse, "**/api/analyse/steps", cut)
    whole = list(
        mw.explain(mw.Position.parse(analyse.get_by_label("Position as text").input_value()))
    )
    why = analyse.get_by_role("region", name="Explanation")
    why.get_by_role("button", name="Explain step by step").click()
    expect(why).to_contain_text("1 of 1 or more")
    why.get_by_role("button", name="Next step").click()
    expect(why).to_contain_text("Time was up.")
    why.get_by_role("button", name="Continue from here").click()
    expect(why).to_contain_text(f"2 of {len(whole)}")
    expect(why).to_contain_text(whole[1].sentence)
    # The second question started from the position after the first step.
    assert asked[1] == list(whole[0].after.cells)
    # A button that goes away, or can no longer be pressed, passes the focus on.
    expect(why.get_by_role("button", name="Next step")).to_be_focused()
    for _ in whole[1:]:
        analyse.keyboard.press("Enter")
    expect(why.get_by_role("button", name="Previous step")).to_be_focused()
    why.get_by_role("button", name="Close").press("Enter")
    expect(why.get_by_role("button", name="Explain step by step")).to_be_focused()


def test_a_button_gives_the_focus_back_after_an_answer_that_did_not_come(analyse: Page) -> None:
    broken = {"problem": "something broke"}
    steps = "**/api/analyse/steps"
    intercept(analyse, steps, lambda route: route.fulfill(status=500, json=broken))
    explain = analyse.get_by_role("button", name="Explain step by step")
    explain.focus()
    analyse.keyboard.press("Enter")
    expect(analyse.locator(".toast")).to_contain_text("Something broke")
    expect(explain).to_be_focused()
