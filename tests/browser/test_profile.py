"""The Profile page: from the statistics to the figures, and from there to the move in Review."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import minewright as mw

FORMATS = Path(__file__).parents[1] / "formats"
DEVICES: dict[str, dict[str, Any]] = {
    "desktop": {},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"},
}


def lose(page: Page, secret: Callable[[], int]) -> str:
    """Open a cell that is certainly a mine, where another is safe; return the id of the game."""
    asked = {"board": "3x3x7", "start": "safe"}
    game: str = page.request.post("/api/games", data=asked).json()["id"]
    twin = mw.Game(mw.Board.parse("3x3x7"), "safe", secret())
    twin.open(0)
    for cell in (0, mw.analyze(twin.position).mined[0]):
        move = {"kind": "open", "cell": cell}
        assert page.request.post(f"/api/games/{game}/moves", data=move).ok
    return game


@pytest.mark.parametrize("device", DEVICES)
def test_a_game_and_a_replay_become_a_profile(
    visit: Callable[..., Page], secret: Callable[[], int], device: str
) -> None:
    page = visit(**DEVICES[device])
    page.goto("/profile")
    summary = page.get_by_role("region", name="Summary")
    expect(summary).to_contain_text("No games yet.")
    lose(page, secret)
    page.goto("/")
    page.get_by_role("button", name="Statistics").click()
    page.get_by_role("link", name="Your profile").last.click()
    headlines = summary.get_by_role("definition")
    expect(headlines.filter(has_text="0 won")).to_be_visible()
    expect(page.locator(".pictures svg")).to_have_count(6)
    page.get_by_label("Replays").set_input_files(FORMATS / "expert.rmv")
    expect(summary).to_contain_text("1 of them a replay")
    expect(headlines.filter(has_text="50%")).to_be_visible()
    expect(headlines.filter(has_text="99 mines")).to_be_visible()
    table = page.get_by_role("table", name="Figures by board")
    row = table.get_by_role("row", name="STNB")
    expect(row).to_contain_text("133")
    # Nobody has to know the abbreviation.
    expect(row).to_contain_text("A speed rating")
    worth = page.get_by_role("region", name="Worth another look")
    expect(worth).to_contain_text("Move 87 risked 50%")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
    page.get_by_role("button", name="Remove replays").click()
    expect(summary).not_to_contain_text("1 of them a replay")
    worth.get_by_role("link").click()
    expect(page.get_by_role("heading", name="Move 2: opened")).to_be_visible()
