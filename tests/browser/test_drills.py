"""The Drills page: a form is marked, judged and explained; the book stands below."""

import re
from typing import Any

from playwright.sync_api import Page, expect

import minewright as mw
from browser.player import intercept
from minewright.position import MINED


def marks(asked: Any) -> list[tuple[int, int]]:
    """Return the cells that follow, with the clicks that each needs."""
    found = mw.analyze(mw.Position.parse(asked["position"]["text"]))
    return [*((cell, 1) for cell in found.safe), *((cell, 2) for cell in found.mined)]


def test_a_form_is_solved_by_mouse_and_by_keys_and_the_book_is_below(page: Page) -> None:
    with page.expect_response("**/api/drills") as answer:
        page.goto("/drills")
    patterns = page.locator(".patterns li")
    expect(patterns).to_have_count(len(mw.patterns.book().patterns))
    # A page that shows them all is as long as twenty screens of a phone.
    expect(patterns.filter(visible=True)).to_have_count(8)
    more = page.get_by_role("button", name="patterns")
    more.press("Enter")
    expect(patterns.last).to_be_visible()
    expect(more).to_be_focused()
    more.press("Enter")
    expect(patterns.last).to_be_hidden()
    cells, check = page.locator(".place .cell"), page.get_by_role("button", name="Check")
    says, following = page.locator(".says"), page.get_by_role("button", name="Next")
    for met, way in enumerate(("mouse", "keys", "wrong"), 1):
        asked = answer.value.json()["next"]
        expect(cells).to_have_count(len(asked["position"]["cells"]))
        expect(check).to_be_disabled()
        flagged = MINED in asked["position"]["cells"]
        counted = "flagged mines, too" if flagged else "only the mines"
        expect(page.locator(".panel p").first).to_contain_text(f"Numbers count {counted}")
        for cell, clicks in marks(asked):
            for _ in range(clicks if way != "wrong" else 3 - clicks):
                if way == "mouse":
                    cells.nth(cell).click()
                else:
                    cells.nth(cell).press("Enter")
        if way == "mouse":
            check.click()
        else:
            page.keyboard.press("c")
        expect(says).to_contain_text("Not quite." if way == "wrong" else "Right.")
        expect(says).to_contain_text("minute")
        expect(page.locator(".place .wrong")).to_have_count(len(marks(asked)) * (way == "wrong"))
        # The page updates its count before it can be asked for the next form.
        expect(page.get_by_text("seen,")).to_contain_text(f"{met} pattern")
        if way != "wrong":
            with page.expect_response("**/api/drills") as answer:
                following.click()
            # The button that was pressed is gone, so the focus moves to the board.
            expect(page.locator(".place button").first).to_be_focused()
    expect(page.get_by_text("3 patterns seen, 0 learned")).to_be_visible()
    for cell, clicks in marks(asked):
        told = "safe; you said mine" if clicks == 1 else "mine; you said safe"
        expect(cells.nth(cell)).to_have_attribute("aria-label", re.compile(f": {told}$"))
    rest = answer.value.json() | {"next": None, "rests": 600}
    intercept(page, "**/api/drills", lambda route: route.fulfill(json=rest))
    following.click()
    expect(page.get_by_text("Nothing is due. Come back in 10 minutes.")).to_be_visible()
    expect(page.get_by_role("main")).to_be_focused()
