"""The days of the daily game on the page, the table of a day, and 3BV while one plays."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

import minewright as mw
from browser.player import PHONE, Player, noon
from browser.test_return import win
from minewright.clicks import bbbv
from minewright.modes import begin
from minewright.noguess import DailyGame
from minewright.web.people.database import FILE

SHARED = "async (game) => (await import('/static/js/play/share.js')).dayLine(game)"


def play(player: Player, day: date) -> None:
    """Go to the game of a day, and win it."""
    player.page.goto(f"/?daily={day}")
    player.twin = twin = DailyGame.of(day)
    player.shows("best", [twin.first])
    player.open(twin.first)
    win(player)
    expect(player.end).to_contain_text("Cleared!")


def today(page: Page) -> date:
    page.goto("/")
    now = page.evaluate("const d = new Date(); [d.getFullYear(), d.getMonth() + 1, d.getDate()]")
    return date(*now)


def last(day: date, weekday: int) -> date:
    """Return the last given weekday before a day; boards are small on Mondays and Tuesdays."""
    before = day - timedelta(days=1)
    return before - timedelta(days=(before.weekday() - weekday) % 7)


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_past_days_are_listed_played_and_marked(visit: Callable[..., Page], way: str) -> None:
    page = visit(**PHONE if way == "touch" else {})
    player = Player(page, "touch" if way == "touch" else "mouse")
    # Yesterday may not be over everywhere.
    monday = last(today(page) - timedelta(days=2), 0)
    page.get_by_role("button", name="Past days").click()
    sheet = page.get_by_role("dialog", name="Daily boards")
    row = sheet.locator(f"[data-day='{monday}']")
    expect(row).to_contain_text("10 mines, easy")
    assert sheet.evaluate("node => node.scrollWidth <= node.clientWidth")
    row.click()
    expect(player.status).to_have_attribute("data-state", "ready")
    page.wait_for_url(f"**/?daily={monday}")
    play(player, monday)
    player.end.get_by_role("button", name="Other days").click()
    expect(row).to_contain_text(re.compile(r"✓ \d+\.\d\d s"))
    expect(row).to_have_attribute("aria-current", "date")
    # It was not cleared on its day.
    expect(sheet.locator(".streak")).to_be_hidden()
    days = sheet.locator("[data-day]")
    expect(days).to_have_count(14)
    sheet.get_by_role("button", name="Earlier days").click()
    expect(days).to_have_count(28)


def test_the_first_cell_of_a_large_daily_board_is_in_sight_on_a_phone(
    visit: Callable[..., Page],
) -> None:
    page = visit(**PHONE)
    # Boards are largest on Sundays.
    sunday = last(today(page), 6)
    page.goto(f"/?daily={sunday}")
    player = Player(page, "touch")
    first = DailyGame.of(sunday).first
    player.shows("best", [first])
    expect(player.cell(first)).to_be_in_viewport(ratio=1)


def test_a_clock_that_is_days_wrong_costs_nobody_the_board_of_the_day(
    visit: Callable[..., Page],
) -> None:
    zone = noon()
    page = visit(timezone_id=zone)
    right = datetime.now(ZoneInfo(zone)).date()
    page.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=4))
    page.goto("/bullets")
    expect(page.get_by_role("gridcell").first).to_be_visible()
    expect(page.get_by_label("Another day")).to_have_value(str(right))
    page.goto("/")
    page.get_by_role("button", name="Past days").click()
    days = page.get_by_role("dialog", name="Daily boards").locator("[data-day]")
    expect(days.first).to_have_attribute("data-day", str(right))
    # A shared result says so if the player had seen the mines before.
    end = {"bbbv": 9, "solved": 9, "seconds": 8, "flags": 1, "guesses": None, "helped": False}
    shared = [
        page.evaluate(SHARED, {"day": str(right), "state": "won", "end": end | {"seeded": seeded}})
        for seeded in (False, True)
    ]
    assert [line.splitlines()[1] for line in shared] == [
        "🟩" * 10 + " 8.00 s",
        "🟩" * 10 + " 8.00 s, played again",
    ]


def test_whoever_chooses_a_name_is_in_the_table_of_the_day_until_they_leave(
    visit: Callable[..., Page], data: Path
) -> None:
    zone = noon()
    page = visit(timezone_id=zone)
    day = today(page)
    with page.expect_response("**/daily") as begun:
        page.get_by_role("button", name="Daily").click()
    # Today's board may be large, so the store is simply told that it was won.
    with closing(sqlite3.connect(data / FILE, timeout=60)) as db:
        db.execute(
            "INSERT INTO results SELECT id, person, mode, board, topology, start, 'won', 0, 0, 9.5,"
            " 20, 30, made, NULL, seed, 0 FROM games WHERE id = ?",
            (begun.value.json()["id"],),
        )
        db.commit()
    page.get_by_role("button", name="Past days").click()
    table = page.get_by_role("region", name="Table of the day")
    field = table.get_by_label("Your name in the table")
    field.fill("<b>")
    table.get_by_role("button", name="Join").click()
    # The message is above the dialog, not behind it.
    page.get_by_role("alert").get_by_text("A name has letters").click()
    name = f"Anna {page.evaluate('Math.floor(1e6 * Math.random())')}"
    field.fill(name)
    table.get_by_role("button", name="Join").click()
    line = table.get_by_role("row", name=name)
    expect(line).to_contain_text("no flags")
    expect(line).to_contain_text("9.50 s")
    expect(page.locator(f"[data-day='{day}']")).to_contain_text("✓ 9.50 s")
    expect(line).to_contain_text("you")
    expect(page.locator(".streak")).to_have_text("1 day in a row")
    other = visit(timezone_id=zone)
    other.goto("/")
    other.get_by_role("button", name="Past days").click()
    expect(other.get_by_role("row", name=name)).not_to_contain_text("you")
    table.get_by_role("button", name="Leave the table").click()
    expect(field).to_be_visible()
    expect(line).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("body > .toasts")).to_have_count(1)


def test_3bv_is_shown_live_if_asked_for_and_knows_only_what_is_open(page: Page) -> None:
    player = Player(page)
    pace = page.locator(".pace")
    player.begin("9x9x10", 3, "open")
    player.open(40)
    expect(pace).to_be_hidden()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("group", name="3BV and").get_by_text("Show").click()
    page.keyboard.press("Escape")
    known = player.twin.again(player.twin.moves)
    known.give_up()
    for cell in range(81):
        # Covered cells count as mines here, since nothing else is known about them.
        seen = bytes(min(code, 252) for code in player.twin.position.cells)
        value = bbbv(player.twin.topology, seen)
        expect(pace).to_have_text(re.compile(rf"^3BV {value} · \S+/s$"))
        if player.twin.position[cell] > 8 and cell not in known.minefield:
            player.open(cell)
        if player.twin.over:
            break
    expect(pace).to_be_hidden()
    assert player.twin.state == "won"


def test_a_mode_says_what_it_made_of_a_guess(page: Page) -> None:
    player = Player(page)
    word = page.locator(".status strong")
    said: set[str] = set()
    wanted = {"fair": "Guess allowed", "kind": "Guess forgiven", "safe-bet": "bet · score"}
    for mode, words in wanted.items():
        seed = first_seed(mode)
        page.goto(f"/?mode={mode}&board=4x4x5&topology=moore&start=any&seed={seed}")
        player.twin = begin(mode, "4x4x5", "any", seed)
        while not player.twin.over:
            player.open(mw.analyze(player.twin.position).best or 0)
            ruling = getattr(player.twin, "ruling", None)
            if player.twin.over or ruling is None:
                continue
            expect(word).to_contain_text(words)
            said.add(mode)
            break
        page.reload()
        if not player.twin.over:
            expect(word).to_contain_text(words)
    assert said == set(wanted)


def first_seed(mode: str) -> int:
    """Return the seed of a game in which best play meets a ruling before it is over."""
    for seed in range(200):
        game = begin(mode, "4x4x5", "any", seed)
        while not game.over:
            game.open(mw.analyze(game.position).best or 0)
            if not game.over and getattr(game, "ruling", None):
                return seed
    raise AssertionError(mode)


@pytest.mark.parametrize("board", ["9x9x10", "16x16x40", "30x16x99"])
@pytest.mark.parametrize("tall", [844, 667])
def test_the_newcomers_tip_is_never_under_the_bar_at_the_thumb(
    visit: Callable[..., Page], board: str, tall: int
) -> None:
    page = visit(**PHONE | {"viewport": {"width": 390, "height": tall}})
    page.goto(f"/?board={board}&start=open")
    tip = page.locator(".newcomer")
    expect(tip).to_be_visible()
    below = """() => {
        const box = (name) => document.querySelector(name).getBoundingClientRect();
        return [box(".thumb").top - box(".newcomer").bottom, box(".board-frame").height];
    }"""
    apart, height = page.evaluate(below)
    assert apart >= 0
    page.get_by_role("button", name="Close this tip").tap()
    expect(tip).to_be_hidden()
    box = page.locator(".board-frame").bounding_box()
    assert box
    assert box["height"] >= height
