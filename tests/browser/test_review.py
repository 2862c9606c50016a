"""The chance to win over a finished game, on the review page."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

import minewright as mw
from browser.player import Player, hold, intercept
from minewright.ledger import Ledger, Opening, tell

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}


def lost(player: Player) -> Ledger:
    """Lose a game by a risk that was not needed; return what its moves were worth."""
    player.begin("7x6x5", 25)
    opened = [(16, tuple(player.twin.open(16)))]
    player.twin = player.twin.again()
    player.open(16)
    analysis = mw.analyze(player.twin.position)
    assert analysis.safe
    other = player.twin.again(player.twin.moves)
    other.give_up()
    mine = max(other.minefield, key=lambda cell: analysis.chances[cell] or 0)
    player.open(mine)
    opened.append((mine, (mine,)))
    ledger = Ledger(other.topology, bytes(other.show().cells))
    for number, (cell, cells) in enumerate(opened, 1):
        ledger.judge(Opening(number, cell, (cell,), cells))
    return ledger


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_curve_tells_the_chance_to_win_and_leads_to_each_move(
    visit: Callable[..., Page], viewport: dict[str, int]
) -> None:
    page = visit(viewport=viewport)
    ledger = lost(Player(page))
    page.get_by_role("link", name="Review this game").click()
    summary = page.get_by_role("region", name="Summary")
    expect(summary).to_contain_text(tell(ledger.sums))
    expect(summary.locator(".accounts")).to_contain_text(f"{100 * ledger.sums.given:.1f}")
    curve = page.get_by_role("slider", name="Move")
    box = curve.bounding_box()
    assert box is not None
    # The first move is in the left third, the end of the game in the right one.
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 40)
    expect(page.locator(".readout")).to_contain_text("Move 1: chance to win")
    page.mouse.click(box["x"] + 0.3 * box["width"], box["y"] + 40)
    expect(curve).to_have_attribute("aria-valuenow", "1")
    page.keyboard.press("ArrowRight")
    expect(curve).to_have_attribute("aria-valuenow", "2")
    told = page.get_by_role("region", name="Move", exact=True)
    last = ledger.entries[-1]
    assert last.given is not None
    expect(told).to_contain_text(f"gave away {100 * last.given:.1f} points: a missed proof")
    assert "a missed proof" in (curve.get_attribute("aria-valuetext") or "")
    page.get_by_role("button", name="Risks", exact=True).click()
    expect(page.locator(".legend")).to_contain_text("smallest risk available")
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    # The board draws only what is in view, so it has to notice when somebody scrolls to it.
    page.locator(".board").scroll_into_view_if_needed()
    expect(page.locator("[data-cell='0']")).to_be_visible()


def test_a_review_that_grows_leaves_the_focus_and_the_move_alone(page: Page) -> None:
    lost(Player(page))
    tried: list[Route] = []

    def second(route: Route) -> None:
        tried.append(route)
        route.abort() if len(tried) == 1 else route.continue_()

    # The page waits for a layout that does not come at first.
    intercept(page, "**/api/layout?*", second)
    held = hold(page, "**/review")

    def answer(**news: object) -> Any:
        """Answer the oldest question, wait for the next one, and return what the server said."""
        # A request is reported before the handler of its route runs; one round trip later it has.
        page.evaluate("0")
        route = held.pop(0)
        said = route.fetch().json() | {"complete": False} | news
        with page.expect_request("**/review"):
            route.fulfill(json=said)
        return said

    with page.expect_request("**/review"):
        page.get_by_role("link", name="Review this game").click()
    answer()
    assert len(tried) == 1
    answer()
    row = page.get_by_role("region", name="Risks taken").get_by_role("button", name="Move 2")
    row.focus()
    expect(page.locator(".cell.played")).to_have_count(1)
    title = "document.querySelector('[aria-label=Move] h2').firstChild"
    page.evaluate(f"{title}.stays = true")
    known = answer(verdict="More is known.")
    expect(page.get_by_role("region", name="Summary")).to_contain_text("More is known.")
    expect(row).to_be_focused()
    assert page.evaluate(f"{title}.stays")
    # A row that changes keeps the focus too.
    known["moves"][1]["missed"] = 77
    answer(moves=known["moves"])
    expect(page.get_by_role("cell", name="77")).to_be_visible()
    expect(row).to_be_focused()
