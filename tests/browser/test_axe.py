"""What axe finds on every page: nothing serious."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from browser.test_profile import lose

LARGE = "/?board=60x60x300&topology=moore&start=open&seed=5"
PAGES = ["/", "/analyse", "/watch", "/bullets", "/drills", "/lab", "/profile", "/review", "/api"]
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "color_scheme": "dark",
}


@pytest.mark.parametrize(
    ("path", "device"),
    [*((path, DESK) for path in [*PAGES, LARGE]), ("/", PHONE), ("/drills", PHONE)],
    ids=[*PAGES, "large board", "phone", "phone drills"],
)
def test_axe_finds_nothing_serious(
    visit: Callable[..., Page], path: str, device: dict[str, Any]
) -> None:
    page = visit(**device)
    page.goto(path)
    expect(page.locator("main :is(h1, .board)").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert serious(page) == []


def serious(page: Page, where: str | None = None) -> list[tuple[str, list[str]]]:
    """Return what axe finds serious on a page or in a part of it, and at which elements."""
    found = Axe().run(page, context=where).response["violations"]
    grave = [one for one in found if one["impact"] in ("serious", "critical")]
    return [(one["id"], [node["target"] for node in one["nodes"]]) for one in grave]


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing_serious_in_dialogs(
    visit: Callable[..., Page], device: dict[str, Any]
) -> None:
    page = visit(**device)
    page.goto("/")
    for button, dialog in (
        ("Past days", "Daily boards"),
        ("Statistics", "Statistics"),
        ("Settings", "Settings"),
        ("Help", "Help"),
        ("More…", "New game"),
    ):
        page.get_by_role("button", name=button).click()
        sheet = page.get_by_role("dialog", name=dialog)
        expect(sheet.get_by_role("button", name="Close")).to_be_visible()
        if button == "Past days":
            # The table of the day, with the field for a name.
            expect(sheet.get_by_role("region", name="Table of the day")).to_be_visible()
        assert serious(page, "dialog[open]") == [], dialog
        page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing_serious_in_the_review_and_the_profile_of_a_game(
    visit: Callable[..., Page], secret: Callable[[], int], device: dict[str, Any]
) -> None:
    page = visit(**device)
    page.goto("/")
    page.goto(f"/review?game={lose(page, secret)}")
    expect(page.locator(".summary .accounts")).to_be_visible()
    expect(page.get_by_role("slider", name="Move")).to_be_visible()
    assert serious(page) == []
    page.goto("/profile")
    expect(page.locator(".pictures svg").first).to_be_visible()
    assert serious(page) == []
