"""The other pages: analyse, watch, review, lab; and what holds for all of them."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

import minewright as mw
from browser.conftest import PATIENCE
from browser.player import Player, come, hold
from minewright.position import MAX_NUMBER
from minewright.strategies import strategies

CLASH = "6x4x8\n######\n#1##2#\n##31##\n######"
PAGES = ["/", "/analyse", "/watch", "/bullets", "/lab", "/drills", "/profile", "/review"]
# What a screen reader says of each cell.
WORDS = """() => [...document.querySelectorAll('[role=gridcell]')]
    .sort((a, b) => a.dataset.cell - b.dataset.cell)
    .map((cell) => cell.getAttribute('aria-label').split(': ')[1].split(',')[0])"""

# Counts the boards that follow the size of the window.
WATCHERS = """
    window.watchers = 0;
    const { observe, disconnect } = ResizeObserver.prototype;
    ResizeObserver.prototype.observe = function (node) { watchers++; observe.call(this, node); };
    ResizeObserver.prototype.disconnect = function () { watchers--; disconnect.call(this); };
"""


def analyse(page: Page, text: str) -> Player:
    """Paste a position."""
    page.goto("/analyse")
    expect(page.locator("[role=gridcell]").first).to_be_visible()
    page.get_by_label("Position as text").fill(text)
    sides = re.match(r"(\d+)x(\d+)", text)
    if sides:
        expect(page.locator("[role=gridcell]")).to_have_count(int(sides[1]) * int(sides[2]))
    return Player(page)


def test_clues_that_clash_are_shown_with_the_reason(page: Page) -> None:
    position = mw.Position.parse(CLASH)
    clash = mw.analyze(position).clash
    assert clash is not None
    player = analyse(page, CLASH)
    verdict = page.get_by_role("status", name="Result")
    expect(verdict).to_contain_text("No minefield fits")
    expect(verdict).to_contain_text(clash.describe(position)[1:])
    player.shows("clash", clash.clues)
    # With one number less, it is possible.
    player.cell(clash.clues[0]).focus()
    page.keyboard.press("Delete")
    expect(verdict).to_contain_text("minefields fit")
    player.shows("clash", [])


def test_every_edit_is_answered_as_the_library_does(page: Page) -> None:
    player = analyse(page, "5x4x4\n##1##\n##211\n##100\n##100")
    text = page.get_by_label("Position as text")
    for cell, key in [(2, "2"), (3, "f"), (0, "1")]:
        player.cell(cell).focus()
        page.keyboard.press(key)
        expect(page.locator(".verdict.busy")).to_have_count(0)
        analysis = mw.analyze(mw.Position.parse(text.input_value()))
        player.shows("safe", analysis.safe)
        player.shows("mined", analysis.mined)
    page.keyboard.press("Control+z")
    expect(text).to_have_value("5x4x4\n##2F#\n##211\n##100\n##100")


def test_a_link_holds_the_position(page: Page, visit: Callable[..., Page]) -> None:
    text = "10x3x5 hex\n####11#21#\n###202#122\n13#200112#"
    analyse(page, text)
    expect(page.get_by_label("Topology")).to_have_value("hex")
    expect(page).to_have_url(re.compile("hex"))
    other = visit()
    other.goto(page.url)
    expect(other.get_by_label("Position as text")).to_have_value(text)
    # Skipping the header must not change the link.
    expect(other.locator(".verdict")).to_contain_text("fit")
    other.get_by_role("link", name="Skip to content").press("Enter")
    expect(other.get_by_role("main")).to_be_focused()
    assert other.url == page.url


def test_text_that_is_no_position_is_told_where_it_is_wrong(page: Page) -> None:
    analyse(page, "1#\n1@")
    expect(page.get_by_role("alert").filter(has_text="Line 2, column 2")).to_be_visible()


def test_a_strategy_is_watched_turn_by_turn_with_its_reasons(page: Page) -> None:
    with page.expect_response("**/api/watch") as waited:
        page.goto("/watch?board=9x9x10&start=safe&seed=7&one=single-point")
    played = waited.value.json()
    turns = played["turns"]
    chip = page.locator(".lane .chip")
    reasons = page.locator(".lane .reasons")
    shown = {}
    for number, turn in enumerate(turns, 1):
        expect(chip).to_have_text(f"turn {number} of {len(turns)}")
        told = turn["guess"] or turn["findings"][0]
        reason = told["reason"].partition(": ")[2] or told["reason"]
        expect(reasons).to_contain_text(reason[0].upper() + reason[1:])
        shown.update(turn["changes"])
        page.get_by_role("button", name="Next turn").click()
    ends = {"won": "Won", "lost": "Lost", "stuck": "Stuck"}
    expect(chip).to_have_text(ends[played["outcome"]["how"]])
    words = page.evaluate(WORDS)
    numbers = {cell: code for cell, code in shown.items() if code <= MAX_NUMBER}
    assert len(numbers) == played["outcome"]["cleared"]
    assert {cell: words[cell] for cell in numbers} == {
        cell: str(code) for cell, code in numbers.items()
    }


def test_what_a_strategy_only_knows_is_explained_step_by_step(page: Page) -> None:
    with page.expect_response("**/api/watch") as waited:
        page.goto("/watch?board=9x9x10&start=open&seed=2&one=exact&turn=1")
    told = waited.value.json()["turns"]
    assert told[1]["findings"][0]["reason"].startswith("true in every ")
    twin = mw.Game(mw.BEGINNER, "open", 2)
    twin.open(told[0]["guess"]["cell"])
    steps = list(mw.explain(twin.position))
    why = page.get_by_role("button", name="Why?")
    why.click()
    lines = page.locator(".lane .reason")
    expect(lines).to_have_text([step.sentence for step in steps])
    lines.first.focus()
    Player(page).shows("clue", steps[0].clues)
    why.click()
    expect(lines).to_have_count(len(told[1]["findings"]))
    page.get_by_role("button", name="End", exact=True).click()
    expect(why).to_be_hidden()


def test_strategies_are_listed_by_title_under_headings_and_described_once(page: Page) -> None:
    page.goto("/watch")
    players = page.get_by_role("combobox", name="Player", exact=True)
    headings = players.locator("optgroup")
    expect(headings.first).to_have_attribute("label", "Good to start with")
    labels = headings.evaluate_all("nodes => nodes.map((node) => node.label)")
    assert labels[1:] == ["Oz Minesweeper", "MineBot", "Max Minesweeper", "Final Report", "Others"]
    said = players.locator("option").all_inner_texts()
    assert sorted(said) == sorted(kind.title for kind in strategies().values())
    players.select_option(label="Max Check All")
    form = page.get_by_role("form", name="What to watch")
    expect(form).to_contain_text("On the command line: max-checkall")
    assert form.inner_text().count("inds every solution and concludes what is the same in all") == 1
    expect(page.get_by_role("heading", level=2)).to_have_text("Max Check All")


def test_the_name_on_the_command_line_has_the_options_that_were_chosen(page: Page) -> None:
    page.goto("/watch?one=oz:engines=zero")
    form = page.get_by_role("form", name="What to watch")
    expect(form).to_contain_text("On the command line: oz:engines=zero")
    form.get_by_label("set", exact=True).check()
    expect(form).to_contain_text("On the command line: oz:engines=zero+set")
    form.get_by_label("Player", exact=True).select_option("exact")
    expect(form).to_contain_text("On the command line: exact")


def test_two_strategies_are_watched_side_by_side_to_the_end(page: Page) -> None:
    page.add_init_script(WATCHERS)
    page.goto("/watch?board=9x9x10&start=open&seed=2&one=exact&two=single-point")
    expect(page.locator(".lane")).to_have_count(2)
    page.get_by_label("Speed").fill("100")
    page.get_by_role("button", name="Play", exact=True).click()
    ended = page.locator(".lane .chip").filter(has_text="turn")
    expect(ended).to_have_count(0)
    # A board that is gone no longer watches the window.
    assert page.evaluate("watchers") == 2
    page.get_by_role("switch", name="Two side by side").click()
    expect(page.locator(".lane")).to_have_count(1)
    assert page.evaluate("watchers") == 1


def test_any_seed_that_is_played_can_be_watched_and_a_wrong_one_is_told(page: Page) -> None:
    seed = page.get_by_role("textbox", name="Seed")
    page.goto(f"/watch?board=9x9x10&seed={2**53 - 1}&one=exact")
    expect(page.locator("[role=gridcell]").first).to_be_visible()
    expect(seed).to_have_value(str(2**53 - 1))
    page.keyboard.press("Shift+L")
    expect(page.locator(".count")).to_have_text(re.compile("^2 /"))
    seed.fill(str(2**53))
    seed.blur()
    expect(page.get_by_role("alert")).to_contain_text(f"a whole number up to {2**53 - 1:,}")


def test_a_board_that_cannot_be_leaves_form_and_address_of_the_game_shown(page: Page) -> None:
    page.goto("/watch?board=9x8x10&seed=7&one=exact")
    expect(page.locator("[role=gridcell]")).to_have_count(72)
    board = page.get_by_label("Width, height and mines")
    board.fill("5x5x99")
    board.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("25 cells cannot hold 99 mines")
    # Even while the form waits for an answer, the address is that of the game shown.
    held = hold(page, "**/api/watch")
    expect(board).to_have_value("9x8x10")
    board.fill("6x6x6")
    with page.expect_request("**/api/watch"):
        board.press("Enter")
    page.get_by_role("button", name="Next turn").click()
    expect(page).to_have_url(re.compile("board=9x8x10.*turn=1"))
    for route in held:
        route.abort()


def test_a_review_finds_the_risk_that_lost_the_game(page: Page) -> None:
    player = Player(page)
    player.begin("7x6x5", 25)
    player.open(16)
    position = player.twin.position
    analysis = mw.analyze(position)
    other = player.twin.again(player.twin.moves)
    other.give_up()
    mine = max(other.minefield, key=lambda cell: analysis.probability[cell] or 0)
    player.open(mine)
    page.get_by_role("link", name="Review this game").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("Lost: 7.6"))
    curve = page.get_by_role("slider", name="Move")
    curve.focus()
    page.keyboard.press("Home")
    expect(curve).to_have_attribute("aria-valuenow", "1")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("region", name="Move", exact=True)).to_contain_text(
        player.twin.topology.describe(mine)
    )
    Player(page).shows("exploded", [])
    page.keyboard.press("End")
    Player(page).shows("exploded", [mine])


def test_the_lab_shows_a_run_of_the_command_line(page: Page) -> None:
    page.goto("/lab")
    run = page.locator("[data-run]")
    expect(run).to_contain_text("little")
    expect(run).to_contain_text("400 of 400 games")
    run.click()
    figures = page.get_by_role("region", name="Figures")
    expect(figures.get_by_role("list", name="Share of games won")).to_contain_text("Single point")
    # The table also has the name that the experiment is written with.
    players = figures.get_by_role("region", name="Players")
    expect(players.get_by_role("row", name="Single point")).to_contain_text("single-point")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_a_phone_and_names_all_that_can_be_pressed(
    visit: Callable[..., Page], path: str
) -> None:
    page = visit(viewport={"width": 360, "height": 740}, color_scheme="dark")
    come(page, path)
    expect(page.get_by_role("navigation").locator("[aria-current=page]")).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('button, input, select, textarea, a[href]')]
            .filter((node) => node.checkVisibility())
            .filter((node) => !(node.ariaLabel || node.labels?.length || node.innerText?.trim()))
            .map((node) => node.outerHTML)"""
    )
    assert nameless == []


def test_a_link_from_another_site_leads_back_to_the_game(browser: Browser, server: str) -> None:
    # The same machine under two names counts as two sites.
    elsewhere = server.replace("127.0.0.1", "localhost")
    with browser.new_context() as context:
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(f"{server}/?board=9x9x10&start=open")
        page.locator("[data-cell='40']").click()
        expect(page.locator(".status")).to_have_attribute("data-state", "playing")
        game = page.evaluate(WORDS)
        page.goto(f"{elsewhere}/api")
        page.set_content(f'<a href="{server}/">Minewright</a>')
        page.get_by_role("link", name="Minewright").click()
        expect(page.locator(".status")).to_have_attribute("data-state", "playing")
        assert page.evaluate(WORDS) == game
