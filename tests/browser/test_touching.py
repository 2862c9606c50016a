"""See which cells touch: neighbours lit, chords shown, numbers done or with too many flags."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.player import Player
from minewright.position import COVERED, MAX_NUMBER


def number(player: Player) -> int:
    """Find a number that touches covered cells."""
    position = player.twin.position
    for cell, code in enumerate(position.cells):
        around = player.twin.topology.neighbours(cell)
        if 0 < code <= MAX_NUMBER and any(position[near] == COVERED for near in around):
            return cell
    raise AssertionError("no such number")


@pytest.mark.parametrize("topology", ["moore", "hex", "torus", "knight", "box"])
def test_pointing_at_a_number_or_focusing_it_lights_the_cells_it_touches(
    page: Page, topology: str
) -> None:
    player = Player(page)
    board = "5x5x4x9" if topology == "box" else "9x8x9"
    player.begin(board, 4, "open", topology)
    player.open(40)
    cell = number(player)
    near = player.twin.topology.neighbours(cell)
    player.cell(cell).hover()
    player.shows("near", near)
    page.mouse.move(0, 0)
    player.shows("near", [])
    player.cell(cell).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    player.shows("near", near)
    if topology == "box":
        expect(page.locator(".caption")).to_have_text([f"Layer {at}" for at in range(1, 5)])


def test_a_chord_shows_what_it_would_open_and_numbers_show_how_they_stand(page: Page) -> None:
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    player.open(40)
    cell = number(player)
    covered = [
        near
        for near in player.twin.topology.neighbours(cell)
        if player.twin.position[near] == COVERED
    ]
    player.cell(cell).hover()
    page.mouse.down()
    player.shows("pressed", [cell, *covered])
    page.mouse.move(0, 0)
    page.mouse.up()
    player.shows("pressed", [])
    wanted = player.twin.position[cell]
    assert wanted < len(covered)
    flagged = covered[: wanted + 1]
    for near in flagged:
        player.mark(near)
    expect(player.cell(cell)).to_have_class(f"cell open number n{wanted} crowded")
    expect(player.cell(cell)).to_have_attribute(
        "aria-label", f"{player.twin.topology.describe(cell)}: {wanted}, too many flags"
    )
    for near in flagged:
        player.mark(near)
    # Numbers with all their mines flagged, and nothing else covered, fade.
    mines = player.twin.again(player.twin.moves)
    mines.give_up()
    around = set(player.twin.topology.neighbours(cell))
    for mine in sorted(mines.minefield & around):
        player.mark(mine)
    for safe in sorted(around - mines.minefield):
        if player.twin.position[safe] == COVERED:
            player.open(safe)
    expect(player.cell(cell)).to_have_class(f"cell open number n{wanted} done")


def test_rulers_number_the_rows_and_columns_that_hints_name(
    visit: Callable[..., Page],
) -> None:
    page = visit()
    player = Player(page)
    player.begin("16x16x40", 3, "open")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("group", name="Row and column numbers").get_by_text("Show").click()
    page.keyboard.press("Escape")
    for name in ("columns", "rows"):
        expect(page.locator(f".ruler.{name} > span")).to_have_text([str(at) for at in range(1, 17)])
    # They stand beside their cells.
    ruler = page.locator(".ruler.rows > span").nth(5).bounding_box()
    cell = player.cell(5 * 16).bounding_box()
    assert ruler
    assert cell
    assert abs(ruler["y"] + ruler["height"] / 2 - cell["y"] - cell["height"] / 2) < 3
    assert ruler["x"] + ruler["width"] <= cell["x"] + 1


def test_choosing_a_box_gives_a_box(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="More…").click()
    sheet = page.get_by_role("dialog", name="New game")
    sheet.get_by_role("radio", name=re.compile("^Box")).check()
    expect(sheet.get_by_role("spinbutton", name="Layers")).to_have_value("4")
    sheet.get_by_role("button", name="Start").click()
    expect(page.locator(".caption")).to_have_text([f"Layer {at}" for at in range(1, 5)])


def test_a_board_that_cannot_be_is_not_started(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="More…").click()
    sheet = page.get_by_role("dialog", name="New game")
    for label, value in (("Width", "8"), ("Height", "8"), ("Mines", "200")):
        sheet.get_by_role("spinbutton", name=label).fill(value)
    expect(sheet.get_by_role("status")).to_contain_text("at most 63 mines")
    sheet.get_by_role("button", name="Start").click()
    expect(sheet).to_be_visible()
    sheet.get_by_role("spinbutton", name="Mines").fill("55")
    sheet.get_by_role("button", name="Start").click()
    expect(sheet).to_be_hidden()
