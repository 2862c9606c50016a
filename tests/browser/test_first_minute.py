"""The first minute: what a newcomer is told, the lesson, help, the way to other pages."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import minewright as mw
from browser.player import PHONE, Player, hold, on_phone


def test_a_newcomer_is_told_in_one_line_what_to_do_until_they_have_done_it(page: Page) -> None:
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    line = page.locator(".newcomer")
    expect(line).to_contain_text("Numbers count the mines that touch them.")
    expect(line).to_contain_text("right-click to flag")
    player.open(40)
    for cell in player.twin.position.covered[:5]:
        expect(line).to_be_visible()
        player.mark(cell)
    expect(line).to_be_hidden()
    page.reload()
    player.sees()
    expect(line).to_be_hidden()


def test_the_first_opening_of_a_new_visitor_opens_more_than_one_cell(
    page: Page, secret: Callable[[], int]
) -> None:
    player = Player(page)
    page.goto("/")
    expect(player.cell(0)).to_be_visible()
    player.twin = mw.Game(mw.BEGINNER, "open", secret())
    player.open(40)
    assert player.twin.position[40] == 0


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_the_guided_game_is_won_step_by_step_and_a_slip_is_told(
    visit: Callable[..., Page], way: str
) -> None:
    page = visit(**(PHONE if way == "touch" else {}))
    page.goto("/")
    page.get_by_role("button", name="Help").click()
    page.get_by_role("link", name="How to play").click()
    sheet = page.get_by_role("dialog", name="How to play")
    says = sheet.get_by_role("status")
    player = Player(page, "touch" if way == "touch" else "mouse")
    player.grid = sheet.get_by_role("grid")

    def press(cell: int) -> None:
        (player.cell(cell).tap if way == "touch" else player.cell(cell).click)()

    def flag(cell: int) -> None:
        if way == "touch":
            player.press_long(cell)
        else:
            player.cell(cell).click(button="right")

    expect(says).to_contain_text("Open the cell in the lower left corner")
    press(0)
    expect(says).to_contain_text("Not quite.")
    press(20)
    expect(says).to_contain_text("a single covered cell")
    flag(12)
    expect(says).to_contain_text("has one flag already")
    flag(7)
    expect(says).to_contain_text("is safe. Open it")
    press(2)
    expect(says).to_contain_text("a chord")
    press(2)
    expect(says).to_contain_text("Cleared!")
    sheet.get_by_role("button", name="Play", exact=True).click()
    expect(sheet).to_be_hidden()


def test_the_lesson_opens_before_the_game_has_come_and_stays_when_it_comes(page: Page) -> None:
    held = hold(page, "**/api/games")
    with page.expect_request("**/api/games"):
        page.goto("/")
    page.get_by_role("button", name="Help").click()
    page.get_by_role("link", name="How to play").click()
    sheet = page.get_by_role("dialog", name="How to play")
    expect(sheet).to_contain_text("Open the cell in the lower left corner")
    held[0].continue_()
    expect(page.locator(".status")).to_have_attribute("data-state", "ready")
    expect(sheet).to_be_visible()
    page.goto("/#how-to-play")
    expect(sheet).to_contain_text("Open the cell in the lower left corner")


def test_help_tells_gestures_on_a_phone(visit: Callable[..., Page]) -> None:
    page = visit(**PHONE)
    page.goto("/")
    page.get_by_role("button", name="Help").tap()
    sheet = page.get_by_role("dialog", name="Help")
    for words in ("Long press", "Two fingers", "Right click"):
        expect(sheet).to_contain_text(words)


def test_the_pages_people_come_for_are_first_and_the_others_behind_more(page: Page) -> None:
    page.goto("/watch")
    pages = page.get_by_role("navigation", name="Pages")
    expect(pages.locator("> a")).to_have_text(["Play", "Puzzles", "Analyse", "Watch"])
    lab = pages.get_by_role("link", name="Lab")
    expect(lab).to_be_hidden()
    pages.get_by_text("More").click()
    expect(lab).to_be_visible()
    page.keyboard.press("Escape")
    expect(lab).to_be_hidden()
    pages.get_by_text("More").click()
    lab.click()
    expect(page).to_have_title("Lab · Minewright")
    expect(pages.locator("[aria-current=page]")).to_have_text("Lab")


def test_board_hint_and_answer_are_on_one_screen_of_a_phone(visit: Callable[..., Page]) -> None:
    page = visit(**PHONE)
    player = Player(page, "touch")
    for board, first in (("9x9x10", 40), ("30x16x99", 240)):
        player.begin(board, 3, "open")
        player.open(first)
        assert mw.analyze(player.twin.position).safe
        bar = page.locator(".thumb")
        for _ in range(3):
            with page.expect_response("**/hint"):
                bar.get_by_role("button", name="Hint").tap()
        clue = player.grid.locator(".clue").first
        for what in (player.answer, bar, clue):
            expect(what).to_be_in_viewport(ratio=1)
        sheet, lit = player.answer.bounding_box(), clue.bounding_box()
        assert sheet
        assert lit
        assert lit["y"] + lit["height"] <= sheet["y"]
        assert lit["width"] >= 30, "cells of 32 pixels, with the gap between them"
        player.answer.get_by_role("button", name="Close").tap()
        expect(player.answer).to_be_hidden()


def test_the_switch_at_the_thumb_says_what_a_tap_does(visit: Callable[..., Page]) -> None:
    player = on_phone(visit)
    page = player.page
    cell = player.twin.position.covered[0]
    page.locator(".thumb").get_by_role("button", name="Flag").tap()
    player.cell(cell).tap()
    player.twin.mark(cell)
    player.sees()
    page.locator(".thumb").get_by_role("button", name="Dig").tap()
    player.cell(cell).tap()
    player.sees()
