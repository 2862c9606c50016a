"""Faults that players met on the page, and that must not come back."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import minewright as mw
from browser.player import PHONE, Player, intercept, on_phone
from browser.test_assistant import STUCK, play


def test_the_autoplayer_gives_no_efficiency_and_known_mines_are_counted(page: Page) -> None:
    player = Player(page)
    player.begin("9x9x15", 75, "open")
    player.open(40)
    player.set("Everything provable")
    known = len(mw.analyze(player.twin.position).mined)
    assert known > 0
    expect(page.get_by_role("img", name=f"{15 - known} mines left")).to_be_visible()
    player.switch("Autoplay")
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(player.end.locator("div", has_text="Efficiency").last).not_to_contain_text("%")


def test_the_result_moves_nothing_and_stands_where_the_assistant_was(page: Page) -> None:
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    player.open(40)
    places = [page.locator(f".{name}") for name in ("status", "under", "side")]
    before = [place.bounding_box() for place in places]
    panel = page.locator(".assistant")
    assistant = panel.bounding_box()
    known = player.twin.again(player.twin.moves)
    known.give_up()
    player.open(min(known.minefield))
    expect(player.end).to_be_visible()
    after = [place.bounding_box() for place in places]
    for one, other in zip(before, after, strict=True):
        assert one
        assert other
        assert (one["x"], one["y"]) == (other["x"], other["y"])
    result = player.end.bounding_box()
    assert assistant
    assert result
    assert (result["x"], result["y"]) == (assistant["x"], assistant["y"])
    # Otherwise it would be pushed down.
    expect(panel).to_be_hidden()


def test_undo_that_is_off_says_so_and_a_drag_over_the_bar_selects_nothing(page: Page) -> None:
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    player.open(40)
    page.keyboard.press("u")
    toast = page.locator(".toast")
    expect(toast).to_contain_text("Undo is off in this game")
    box = player.status.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 14)
    page.mouse.down()
    # A single step is too quick for the browser to select anything.
    page.mouse.move(box["x"] + box["width"] - 5, box["y"] + 200, steps=5)
    page.mouse.up()
    assert page.evaluate("getSelection().toString()") == ""


def test_a_message_covers_neither_the_bar_at_the_thumb_nor_an_answer(
    visit: Callable[..., Page],
) -> None:
    player = on_phone(visit)
    page = player.page
    with page.expect_response("**/hint"):
        page.locator(".thumb").get_by_role("button", name="Hint").tap()
    expect(player.answer).to_contain_text("lit cells")
    page.keyboard.press("u")
    toast = page.locator(".toast").bounding_box()
    answer = player.answer.bounding_box()
    assert toast
    assert answer
    assert toast["y"] + toast["height"] <= answer["y"]


@pytest.mark.parametrize("game", ["mode=safe-bet&board=4x4x5", "board=100x100x1500"])
def test_the_board_of_a_phone_stays_where_it_is_whatever_the_bar_above_it_says(
    visit: Callable[..., Page], game: str
) -> None:
    page = visit(**PHONE)
    page.add_init_script("localStorage.setItem('minewright.pace', 'on')")
    page.goto(f"/?{game}&topology=moore&start=any&seed=5")
    status, board = page.locator(".status"), page.locator(".board-frame")
    expect(status).to_have_attribute("data-state", "ready")
    before = board.bounding_box()
    board.tap(position={"x": 20, "y": 20})
    expect(status).to_have_attribute("data-state", "playing")
    after = board.bounding_box()
    assert before
    assert after
    assert after["y"] == before["y"]


def test_every_choice_of_the_settings_is_in_sight_on_a_phone(visit: Callable[..., Page]) -> None:
    page = visit(**PHONE | {"viewport": {"width": 360, "height": 740}})
    page.goto("/drills")
    page.get_by_role("button", name="Settings").tap()
    choices = page.get_by_role("dialog", name="Settings").locator(".segmented")
    cut = choices.evaluate_all("all => all.map((one) => one.scrollWidth > one.clientWidth)")
    assert len(cut) > 5
    assert not any(cut)


def test_the_result_of_a_phone_leaves_no_half_of_the_newcomers_tip_in_sight(
    visit: Callable[..., Page],
) -> None:
    player = on_phone(visit)
    page = player.page
    tip = page.locator(".newcomer")
    expect(tip).to_be_visible()
    known = player.twin.again(player.twin.moves)
    known.give_up()
    player.open(min(known.minefield))
    expect(player.end).to_be_visible()
    expect(tip).to_be_hidden()


def test_on_a_phone_neither_the_result_nor_a_long_answer_leaves_the_board_half_seen(
    visit: Callable[..., Page],
) -> None:
    player = on_phone(visit, viewport={"width": 390, "height": 740})
    page = player.page
    step = {"clues": [], "safe": [0], "mined": [], "pattern": None, "sentence": "Because. " * 300}
    answer = {"steps": [step], "complete": True, "mines": []}
    intercept(page, "**/steps", lambda route: route.fulfill(json=answer))
    page.get_by_role("button", name="Explain").tap()
    expect(player.answer).to_contain_text("Because.")
    blank = """() => {
        const tall = (name) => document.querySelector(name).offsetHeight;
        return tall(".place") - tall(".board-frame");
    }"""
    assert page.evaluate(blank) == 0
    player.answer.get_by_role("button", name="Close").tap()
    known = player.twin.again(player.twin.moves)
    known.give_up()
    player.open(min(known.minefield))
    expect(player.end).to_be_visible()
    board, result = page.locator(".board-frame").bounding_box(), player.end.bounding_box()
    assert board
    assert result
    assert board["y"] + board["height"] <= result["y"]


@pytest.mark.parametrize("board", ["5000x5000x10", "200x200x10"])
def test_one_limit_is_told_for_a_board_that_is_too_large(page: Page, board: str) -> None:
    page.goto("/")
    answer = page.request.post("/api/games", data={"board": board})
    assert "this server allows at most 10,000 cells" in answer.json()["problem"]


def test_a_board_with_more_mines_than_cells_is_told_and_does_not_start(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="More…").click()
    sheet = page.get_by_role("dialog", name="New game")
    for name, value in (("Width", "8"), ("Height", "8"), ("Mines", "200")):
        sheet.get_by_role("spinbutton", name=name).fill(value)
    expect(sheet).to_contain_text("64 cells can hold at most 63 mines")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    sheet.get_by_role("button", name="Start").click()
    expect(sheet.locator("input:invalid")).to_be_focused()
    assert not [url for url in asked if url.endswith("/api/games")]
    answer = page.request.post("/api/games", data={"board": "8x8x200"})
    assert answer.status == 422


def test_one_risk_is_written_in_one_way(page: Page) -> None:
    player = play(page, STUCK)
    player.set("Chances")
    player.ask("Best move, and why")
    chip = player.answer.locator(".chip")
    risk = (chip.text_content() or "").removeprefix("risk ")
    assert re.fullmatch(r"\d+\.\d%", risk)
    page.locator("[role=grid] .cell.best").hover()
    expect(page.locator(".tip")).to_have_text(f"{risk} mine")
    expect(page.locator(".readout")).to_contain_text(f": {risk} mine")
