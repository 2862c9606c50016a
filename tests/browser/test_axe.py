"""What axe finds on every page: nothing serious."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from browser.player import come
from browser.test_profile import lose

LARGE = "/?board=60x60x300&topology=moore&start=open&seed=5"
PAGES = ["/", "/analyse", "/watch", "/bullets", "/drills", "/lab", "/profile", "/review"]
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "color_scheme": "dark",
}
# What is serious on a page or in a part of it, and at which elements.
SERIOUS = """async ([where, options]) => {
    const {violations} = await axe.run(where, {resultTypes: ['violations'], ...options});
    return violations
        .filter(({impact}) => impact === 'serious' || impact === 'critical')
        .map(({id, nodes}) => [id, nodes.map(({target}) => target)]);
}"""
# The same for the contrast of text, at one element of each kind: those inside elements with the
# same names and classes look alike, and axe takes seconds for a thousand.
CONTRAST = """async () => {
    const kind = (node) =>
        node ? `${kind(node.parentElement)} ${node.tagName}.${node.getAttribute('class')}` : '';
    const said = ({childNodes}) =>
        [...childNodes].some(({nodeType, data}) => nodeType === 3 && data.trim());
    const kinds = new Map();
    for (const node of document.querySelectorAll('body *')) {
        if (said(node) && !kinds.has(kind(node))) kinds.set(kind(node), node);
    }
    const only = {runOnly: ['color-contrast'], resultTypes: ['violations']};
    const {violations} = await axe.run({include: [...kinds.values()]}, only);
    return [kinds.size, violations.flatMap(({nodes}) => nodes.map(({target}) => target))];
}"""


@pytest.mark.parametrize(
    ("paths", "device"),
    [(PAGES, DESK), ([LARGE], DESK), (["/", "/drills"], PHONE)],
    ids=["desktop", "large board", "phone"],
)
def test_axe_finds_nothing_serious(
    visit: Callable[..., Page], paths: list[str], device: dict[str, Any]
) -> None:
    page = visit(**device)
    for path in paths:
        come(page, path)
        assert serious(page) == [], path


def test_axe_finds_nothing_serious_in_the_reference(page: Page) -> None:
    come(page, "/api")
    assert serious(page, options={"rules": {"color-contrast": {"enabled": False}}}) == []
    kinds, weak = page.evaluate(CONTRAST)
    assert kinds > 5
    assert weak == []


def serious(page: Page, where: str = "html", options: dict[str, Any] | None = None) -> Any:
    """Return what axe finds serious on a page or in a part of it, and at which elements."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return page.evaluate(SERIOUS, [where, options or {}])


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
