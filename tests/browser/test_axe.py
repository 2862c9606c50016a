"""What axe finds on every page: nothing serious."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

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
    found = Axe().run(page).response["violations"]
    grave = [one for one in found if one["impact"] in ("serious", "critical")]
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in grave] == []
