"""Modes on the page: chosen beside the boards, explained in a sentence, and kept to."""

import re
from collections.abc import Callable
from datetime import date

import pytest
from playwright.sync_api import Page, expect

import minewright as mw
from browser.player import Player
from minewright.game import Move
from minewright.modes import MODES, SafeBetGame, begin
from minewright.noguess import DailyGame
from minewright.position import COVERED
from minewright.strategies import Random, Recipe


def test_every_mode_is_explained_in_the_dialog(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="More…").click()
    sheet = page.get_by_role("dialog", name="New game")
    group = sheet.get_by_role("group", name="Mode")
    for mode in MODES.values():
        expect(group.get_by_text(mode.summary)).to_have_count(int(mode.offered))
    expect(sheet.get_by_label("Difficulty")).to_be_hidden()
    group.get_by_text("No-guess").click()
    sheet.get_by_label("Difficulty").select_option("hard")
    sheet.get_by_role("button", name="Start").click()
    expect(page.get_by_role("button", name=re.compile("^No-guess, hard"))).to_be_visible()
    expect(page.get_by_label("Mode", exact=True)).to_have_value("no-guess:hard")
    page.get_by_label("Mode", exact=True).select_option("kind")
    expect(page.get_by_role("button", name=re.compile("^Kind"))).to_be_visible()


@pytest.mark.parametrize("mode", ["no-guess", "fair", "kind", "safe-bet"])
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


@pytest.mark.parametrize(
    ("mode", "note"),
    [
        ("fair", "This is a fair game, so the guess is safe."),
        ("kind", "This is a kind game: a forced guess is forgiven."),
        ("safe-bet", "In this game the guess can't explode."),
        ("ordinary", None),
    ],
)
def test_advice_to_guess_says_what_a_guess_means_in_the_mode(
    page: Page, mode: str, note: str | None
) -> None:
    player = Player(page)
    page.goto(f"/?mode={mode}&board=6x6x12&topology=moore&start=safe&seed=1")
    player.twin = begin(mode, "6x6x12", "safe", 1)
    player.open(14)
    assert not mw.analyze(player.twin.position).safe
    player.ask("Best move, and why")
    expect(player.answer.locator(".chip")).to_contain_text("risk")
    expect(player.answer).to_contain_text(note or "risk")
    expect(player.answer.get_by_text("for an ordinary game")).to_have_count(1 if note else 0)
    for _ in range(3):
        player.ask("Hint")
    expect(player.answer).to_contain_text("Nothing is certain.")
    expect(player.answer.get_by_text("for an ordinary game")).to_have_count(1 if note else 0)


def test_the_daily_game_begins_where_it_says_and_is_found_again(page: Page) -> None:
    player = Player(page)
    page.goto("/")
    page.get_by_role("button", name="Daily").click()
    page.wait_for_url("**/?daily=*")
    player.twin = twin = DailyGame.of(date.fromisoformat(page.url[-10:]))
    player.shows("best", [twin.first])
    expect(player.status).to_contain_text("Open the marked cell")
    # Wherever the first click is, it opens the cell where the game begins.
    player.cell(0).click()
    twin.open(twin.first)
    player.sees()
    address = page.url
    undo = page.get_by_role("button", name="Undo", exact=True)
    expect(undo).to_be_hidden()
    page.get_by_role("button", name="New game").click()
    page.wait_for_url("**/?mode=no-guess*")
    # A daily game has no undo; the games after it have it if the player wants it.
    expect(undo).to_be_visible()
    page.goto(address)
    player.sees()


def test_a_lost_no_guess_game_shows_the_step_that_was_missed(page: Page) -> None:
    player = Player(page)
    page.goto("/?mode=no-guess&board=9x9x14&topology=moore&start=open&seed=1")
    player.twin = begin("no-guess", "9x9x14", "open", 1)
    player.open(40)
    shown = player.twin.again(player.twin.moves)
    shown.give_up()
    known = mw.analyze(player.twin.position).mined
    player.open(min(shown.minefield.difference(known)))
    expect(player.end).to_contain_text("the review names the step you missed")
    page.get_by_role("link", name="Review this game").click()
    expect(page.get_by_role("region", name="Move")).to_contain_text(
        re.compile(r"You didn't have to guess: step \d+ of \d+ was possible")
    )


def test_a_person_guesses_for_minebot_and_sees_how_everybody_does(
    page: Page, secret: Callable[[], int]
) -> None:
    player = Player(page)
    page.goto("/")
    expect(player.status).to_have_attribute("data-state", "ready")
    page.get_by_label("Mode", exact=True).select_option("minebot")
    expect(page.get_by_text("Where it is stuck, you open one")).to_be_visible()
    twin = player.twin = mw.Game(mw.BEGINNER, "open", secret())
    bot = Recipe("minebot").player(Random(0, 0))
    known = twin.again([Move("open", 40), Move("give up")]).minefield
    guesses = 0
    while not twin.over:
        turn = bot.turn(twin.position)
        if turn and not turn.guess:
            twin.play(turn.moves)
            continue
        if guesses:
            expect(player.status).to_contain_text("MineBot is stuck")
            player.sees()
        position = twin.position
        safe = [c for c in position.covered if c not in known and position[c] == COVERED]
        cell = safe[0] if guesses else 40
        player.cell(cell).click()
        twin.open(cell)
        guesses += 1
    player.sees()
    expect(player.end.locator("dl div", has_text="Guesses").locator("dd")).to_have_text(
        str(guesses)
    )
    said = re.compile(
        r"People and MineBot won \d+ of \d+ games? on this board: 100% \(\d+\.\d% to 100%\)\. "
        r"MineBot alone wins 88\.5%\."
    )
    expect(player.end).to_contain_text(said)
    page.get_by_role("button", name="Statistics").click()
    expect(page.get_by_role("dialog", name="Statistics")).to_contain_text("guesses per game")
