"""The Lab page and the page on the API, as people see them."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

WIDER = "nodes => nodes.map((node) => node.scrollWidth > node.clientWidth)"


def test_all_columns_of_a_run_are_in_sight_on_a_desk(page: Page) -> None:
    page.goto("/lab")
    players = page.get_by_role("region", name="Players")
    expect(players).to_contain_text("time-outs")
    # Back must return to this run, so the address names it.
    expect(page).to_have_url(re.compile(r"/lab\?run="))
    assert page.locator(".scroll").evaluate_all(WIDER) == [False, False]
    row = players.get_by_role("row", name="Single point")
    expect(row.get_by_role("cell").first).to_contain_text("9x9x10 safe")
    expect(row.get_by_role("cell").nth(2)).to_contain_text("% to ")


@pytest.mark.parametrize("path", ["/api", "/lab"])
def test_a_phone_scrolls_tables_and_no_page(visit: Callable[..., Page], path: str) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".panel").first).to_be_visible()
    assert page.locator("html").evaluate_all(WIDER) == [False]


def test_a_run_that_is_not_there_is_said_to_be_missing(page: Page) -> None:
    page.goto("/lab?run=nothing")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("No such run")
    expect(page.get_by_text("There is no run called nothing here.")).to_be_visible()
    page.get_by_role("link", name="little").click()
    expect(heading).to_have_text("little")
    page.go_back()
    expect(heading).to_have_text("No such run")
    # An address without a name means the first run.
    page.evaluate("history.replaceState(null, '', '/lab'), dispatchEvent(new Event('popstate'))")
    expect(heading).to_have_text("little")
