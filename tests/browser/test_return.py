"""A reason to come back: results to share, times as a picture, skins, sound."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import minewright as mw
from browser.player import Player
from minewright.position import COVERED


def win(player: Player) -> None:
    """Open all cells without a mine that are still covered."""
    if player.twin.over:
        return
    known = player.twin.again(player.twin.moves)
    known.give_up()
    for cell in range(player.twin.topology.size):
        covered = not player.twin.over and player.twin.position[cell] == COVERED
        if covered and cell not in known.minefield:
            player.open(cell)


def test_ranked_wins_are_told_to_the_hundredth_without_flags_and_drawn(
    page: Page, secret: Callable[[], int]
) -> None:
    player = Player(page)
    board = mw.Board.parse("6x5x3")
    for number in range(2):
        if number == 0:
            page.goto("/?board=6x5x3&start=open")
        else:
            with page.expect_response("**/api/games"):
                page.keyboard.press("n")
        expect(player.status).to_have_attribute("data-state", "ready")
        player.twin = mw.Game(board, "open", secret())
        player.open(14)
        win(player)
        expect(player.end).to_contain_text("no flags")
        time = player.end.locator("dd").first.inner_text()
        assert len(time.removesuffix(" s").partition(".")[2]) == 2
    page.get_by_role("button", name="Statistics").click()
    picture = page.get_by_role("img", name="Times of 2 games won")
    expect(picture.locator("circle")).to_have_count(2)


def test_the_result_of_the_day_is_shared_without_giving_anything_away(
    visit: Callable[..., Page],
) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    page.goto("/")
    with page.expect_response("**/daily") as begun:
        page.get_by_role("button", name="Daily").click()
    day = begun.value.json()["day"]
    # The answer has come, but until it is drawn a click still goes to the game before.
    expect(page.locator(".status").get_by_role("button", name="Daily ·")).to_be_visible()
    page.locator("[data-cell='0']").click()
    expect(page.locator(".status")).to_have_attribute("data-state", "playing")
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    page.get_by_role("region", name="Result").get_by_role("button", name="Share").click()
    expect(page.locator(".toast")).to_contain_text("gives nothing away")
    first, bar, address = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert first == f"Minewright daily {day}"
    assert "💥" in bar
    assert "%" in bar
    assert "seed" not in address


@pytest.mark.parametrize("look", [{"color_scheme": "light"}, {"color_scheme": "dark"}])
def test_the_classic_skin_and_sounds_are_chosen_in_the_settings(
    visit: Callable[..., Page], look: dict[str, Any]
) -> None:
    page = visit(**look)
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("group", name="Cells").get_by_text("Classic").click()
    page.get_by_role("group", name="Sound").get_by_text("On").click()
    page.keyboard.press("Escape")
    expect(player.cell(0)).to_have_css("border-radius", "0px")
    player.open(40)
    player.mark(player.twin.position.covered[0])
    names = "() => performance.getEntriesByType('mark').map(({name}) => name)"
    assert page.evaluate(names) == ["minewright:sound:open", "minewright:sound:mark"]
