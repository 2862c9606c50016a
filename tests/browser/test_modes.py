"""Modes on the page: chosen beside the boards, explained in a sentence, and kept to."""

import re

import pytest
from playwright.sync_api import Page, expect

import minewright as mw
from browser.player import Player
from minewright.modes import MODES, SafeBetGame, begin


def test_every_mode_is_explained_in_the_dialog(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="More…").click()
    sheet = page.get_by_role("dialog", name="New game")
    group = sheet.get_by_role("group", name="Mode")
    for mode in MODES.values():
        expect(group.get_by_text(mode.summary)).to_be_visible()
    expect(sheet.get_by_label("Difficulty")).to_be_hidden()
    group.get_by_text("No-guess").click()
    sheet.get_by_label("Difficulty").select_option("hard")
    sheet.get_by_role("button", name="Start").click()
    expect(page.get_by_role("button", name=re.compile("^No-guess, hard"))).to_be_visible()
    expect(page.get_by_label("Mode", exact=True)).to_have_value("no-guess:hard")
    page.get_by_label("Mode", exact=True).select_option("kind")
    expect(page.get_by_role("button", name=re.compile("^Kind"))).to_be_visible()


@pytest.mark.parametrize("mode", [*list(MODES)[1:], "no-guess:easy"])
def test_a_game_of_any_mode_is_played_to_its_end(page: Page, mode: str) -> None:
    player = Player(page)
    page.goto(f"/?mode={mode}&board=6x6x8&topology=moore&start=any&seed=5")
    player.twin = begin(mode, "6x6x8", "any", 5)
    while not player.twin.over:
        analysis = mw.analyze(player.twin.position)
        player.open(analysis.best or 0)
    state = {"won": "Cleared!", "lost": "That was a mine"}[player.twin.state]
    expect(player.end.get_by_role("heading")).to_have_text(state)
    if isinstance(player.twin, SafeBetGame):
        score = player.end.locator("dl div", has_text="Score").locator("dd")
        expect(score).to_have_text(re.compile(r"^[\d.]+%$"))
        assert float(score.inner_text()[:-1]) == pytest.approx(
            100 * float(player.twin.score), abs=0.51
        )
    if mode in ("fair", "safe-bet"):
        assert player.twin.state == "won"
