"""Answers that come late, twice or not at all: a page shows what was asked for last."""

import json
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route, expect
from processes import wait_until

from browser.player import Player, hold, intercept
from browser.test_bullets import FREE, PUZZLE, Desk
from browser.test_drills import marks
from browser.test_review import lost
from minewright.web.puzzles.routes import encode

WAITING: Final = "sessionStorage.getItem('minewright.bullets.waiting')"
"""The marks that the server may not have yet."""


def kept(page: Page) -> Any:
    """Return the puzzles that the server keeps."""
    return page.request.get("/api/me/puzzles").json()


def next_game(page: Page, most: int) -> tuple[Player, list[Route]]:
    """Begin another game while a move waits for its answer; hold back the first `most` moves."""
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    held = hold(page, "**/moves", most)
    with page.expect_request("**/moves"):
        player.cell(40).click()
    with page.expect_response("**/api/games"):
        page.keyboard.press("n")
    player.shows("awaited", [])
    return player, held


def test_moves_do_not_wait_for_an_answer_about_the_last_game(page: Page) -> None:
    player, held = next_game(page, 1)
    with page.expect_response("**/moves"):
        player.cell(40).click()
    expect(player.status).to_have_attribute("data-state", "playing")
    held[0].abort()


def test_a_move_that_fails_in_the_last_game_takes_no_flag_from_this_one(page: Page) -> None:
    player, held = next_game(page, 2)
    for cell in (0, 1):
        player.cell(cell).click(button="right")
    player.reads(["flagged"] * 2 + ["covered"] * 79)
    # The second flag waits for the first, and the first for its answer.
    with page.expect_response("**/moves"):
        held[0].fulfill(status=500, json={"problem": "something broke"})
    with page.expect_response(lambda answer: '"cell":1' in (answer.request.post_data or "")):
        held[1].continue_()
    page.reload()
    player.reads(["flagged"] * 2 + ["covered"] * 79)


def test_the_example_that_was_chosen_last_is_analysed(page: Page) -> None:
    page.goto("/analyse")
    examples = page.get_by_label("Examples")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "9")
    hold(page, "**/api/analyse", 1)
    with page.expect_request("**/api/analyse"):
        examples.select_option("Expert")
    # The page no longer waits for the other one.
    with page.expect_event("requestfailed"), page.expect_response("**/api/analyse"):
        examples.select_option("One-two-one")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "3")
    expect(examples).to_have_value("5x3x?\n#####\n11211\n00000")


def test_nothing_is_chosen_before_there_is_a_choice_and_no_reason_is_told_of_another_game(
    page: Page,
) -> None:
    held = hold(page, "**/api/watch/players")
    with page.expect_request("**/api/watch/players"):
        page.goto("/watch?board=9x9x10&start=open&seed=2&one=exact&turn=1")
    page.keyboard.press("n")
    held.pop().continue_()
    why = page.get_by_role("button", name="Why?")
    held = hold(page, "**/api/analyse/steps")
    with page.expect_request("**/api/analyse/steps"):
        why.click()
    with page.expect_response("**/api/watch") as waited:
        page.get_by_role("button", name="Another board").click()
    turns = waited.value.json()["turns"]
    expect(page.locator(".lane .chip")).to_have_text(f"turn 1 of {len(turns)}")
    page.keyboard.press("l")
    expect(page.locator(".lane .chip")).to_have_text(f"turn 2 of {len(turns)}")
    expect(why).to_be_enabled()
    with page.expect_response("**/api/analyse/steps"):
        held.pop().continue_()
    expect(why).to_have_attribute("aria-pressed", "false")


def test_a_player_chosen_while_the_first_game_is_on_its_way_stays_chosen(page: Page) -> None:
    hold(page, "**/api/watch", 1)
    with page.expect_request("**/api/watch"):
        page.goto("/watch?board=9x9x10&start=open&seed=2&one=exact")
    players = page.get_by_role("combobox", name="Player", exact=True)
    # The page no longer waits for the first game, and the other one has yet to come.
    with page.expect_event("requestfailed"), page.expect_response("**/api/watch"):
        players.select_option("single-point")
    expect(page.get_by_role("heading", level=2)).to_have_text("Single point")
    expect(players).to_have_value("single-point")


@pytest.mark.parametrize(
    ("path", "proxied", "shown"),
    [
        ("/analyse", False, "[role=grid]"),
        ("/bullets", True, "[role=grid]"),
        ("/watch?board=9x9x10&start=open&seed=2&one=exact", True, "[role=grid]"),
        ("/profile", False, "text=Finish one"),
        ("/drills", False, ".place .cell >> nth=0"),
    ],
    ids=["analyse", "bullets", "watch", "profile", "drills"],
)
def test_a_page_that_got_no_answer_asks_until_there_is_one(
    page: Page, path: str, proxied: bool, shown: str
) -> None:
    # A proxy in front of a server that is gone answers in its place.
    intercept(
        page, "**/api/**", lambda route: route.fulfill(status=502) if proxied else route.abort()
    )
    page.goto(path)
    line = page.get_by_text("No answer from Minewright")
    expect(line).to_be_visible()
    page.unroute("**/api/**")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator(shown)).to_be_visible()
    expect(line).to_have_count(0)


def test_a_drill_that_did_not_come_is_asked_for_again_and_sent_once(page: Page) -> None:
    intercept(page, "**/api/drills", lambda route: route.fulfill(status=500))
    page.goto("/drills")
    page.keyboard.press("h")
    again = page.get_by_role("button", name="Next")
    expect(again).to_be_visible()
    page.unroute("**/api/drills")
    with page.expect_response("**/api/drills") as answer:
        again.click()
    asked: Any = answer.value.json()["next"]
    for cell, clicks in marks(asked):
        for _ in range(clicks):
            page.locator(".place .cell").nth(cell).click()
    held = hold(page, "**/api/drills")
    check = page.get_by_role("button", name="Check")
    with page.expect_request("**/api/drills"):
        check.click()
    # After a change of mind it can be pressed again.
    for _ in range(3):
        page.locator(".place .cell").nth(marks(asked)[0][0]).click()
    check.click()
    held[0].continue_()
    expect(page.locator(".says")).to_contain_text("Right.")
    page.unroute("**/api/drills")
    assert [route.request.method for route in held].count("POST") == 1


def test_a_review_stays_when_its_missed_steps_cannot_be_kept(page: Page) -> None:
    intercept(page, "**/review/drills", lambda route: route.abort())
    lost(Player(page))
    page.get_by_role("link", name="Review this game").click()
    expect(page.get_by_role("alert")).to_contain_text("No answer from Minewright")
    expect(page.get_by_role("heading", name="Lost: 7")).to_be_visible()
    expect(page.get_by_role("region", name="Move", exact=True)).to_be_visible()


def test_figures_of_the_lab_that_did_not_come_are_asked_for_again(page: Page) -> None:
    refused: list[Route] = []

    def once(route: Route) -> None:
        if refused:
            route.continue_()
        else:
            refused.append(route)
            route.abort()

    intercept(page, "**/api/lab/runs/*", once)
    page.goto("/lab")
    expect(page.get_by_role("region", name="Players")).to_be_visible()
    assert refused


def test_earlier_days_are_added_once(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Past days").click()
    sheet = page.get_by_role("dialog", name="Daily boards")
    held = hold(page, "**/api/daily?*")
    earlier = sheet.get_by_role("button", name="Earlier days")
    with page.expect_request("**/api/daily?*"):
        earlier.dblclick()
    # A request is reported before the handler of its route runs; one round trip later it has run.
    expect(earlier).to_be_visible()
    for route in held:
        route.continue_()
    days = sheet.locator("[data-day]")
    expect(days).to_have_count(28)
    assert len(held) == 1


@pytest.mark.parametrize("begun", [True, False], ids=["playing", "ready"])
def test_moves_that_a_reload_overtakes_are_shown_once_they_arrive(page: Page, begun: bool) -> None:
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    if begun:
        player.open(40)
    (line,) = page.request.get("/api/games?limit=1").json()
    held = hold(page, "**/moves", 1)
    cell = player.twin.position.covered[0]
    with page.expect_request("**/moves"):
        player.cell(cell).click(button="right")
    page.reload()
    player.sees()
    held[0].abort()
    # What left with the page before arrives after the new page has asked for the game.
    page.request.post(f"/api/games/{line['id']}/moves", data={"kind": "mark", "cell": cell})
    player.twin.mark(cell)
    player.sees()


def test_a_loss_that_is_undone_elsewhere_is_open_again(page: Page) -> None:
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    page.evaluate("localStorage.setItem('minewright.undo', 'on')")
    player.begin("9x9x10", 4, "open")
    player.open(40)
    known = player.twin.again(player.twin.moves)
    known.give_up()
    cell = min(known.minefield)
    player.cell(cell).click()
    expect(player.status).to_have_attribute("data-state", "lost")
    (line,) = page.request.get("/api/games?limit=1").json()
    # The page must see by more than the number of moves that this is another game now.
    page.request.post(f"/api/games/{line['id']}/moves", data={"kind": "undo"})
    page.request.post(f"/api/games/{line['id']}/moves", data={"kind": "mark", "cell": cell})
    player.twin.mark(cell)
    player.sees()


def test_a_game_that_is_gone_or_damaged_keeps_nobody_from_playing(page: Page) -> None:
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    player.open(40)
    (line,) = page.request.get("/api/games?limit=1").json()
    game = f"**/api/games/{line['id']}"
    gone = {"problem": "you have no such game; start a new one"}
    intercept(page, game, lambda route: route.fulfill(status=404, json=gone))
    page.goto("/")
    player.reads(["covered"] * 81)
    expect(player.status).to_have_attribute("data-state", "ready")


def test_a_game_that_is_deleted_elsewhere_is_asked_about_no_more(page: Page) -> None:
    player = Player(page)
    page.clock.install()
    player.begin("9x9x10", 3, "open")
    (line,) = page.request.get("/api/games?limit=1").json()
    assert page.request.delete(f"/api/games/{line['id']}").status == 204
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    def is_quiet() -> bool:
        asked.clear()
        page.clock.run_for(60_000)
        return not asked

    with page.expect_response("**/clock") as answer:
        page.clock.run_for(9_000)
    assert answer.value.status == 404
    # The answer takes the page a moment.
    assert wait_until(is_quiet)


def test_a_sign_of_life_that_a_move_overtakes_says_nothing_about_it(page: Page) -> None:
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    player.open(40)
    page.clock.install()
    one, two = player.twin.position.covered[:2]
    held = hold(page, "**/clock", 1)
    with page.expect_request("**/clock"):
        page.clock.run_for(9_000)
    looks: list[str] = []
    page.on("request", lambda asked: looks.append(asked.method))
    with page.expect_response("**/moves"):
        player.mark(one)
    with page.expect_response("**/clock"):
        held[0].fulfill(json={"seconds": 1, "paused": False, "moves": 1, "state": "playing"})
    # Whatever the page asked for before this move has come by now.
    with page.expect_response("**/moves"):
        player.mark(two)
    assert "GET" not in looks


def test_a_look_at_the_last_game_is_not_one_at_this(page: Page) -> None:
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    player.open(40)
    held = hold(page, "**/moves", 1)
    one, two = player.twin.position.covered[:2]
    with page.expect_request("**/moves"):
        player.cell(one).click(button="right")
    page.evaluate("dispatchEvent(new Event('focus'))")
    with page.expect_response("**/api/games"):
        page.keyboard.press("n")
    player.shows("marked", [])
    looks: list[str] = []
    page.on("request", lambda asked: looks.append(asked.method))
    with page.expect_response("**/moves"):
        held[0].fulfill(status=500, json={"problem": "something broke"})
    with page.expect_response("**/moves"):
        player.cell(two).click(button="right")
    assert "GET" not in looks


def test_marks_that_a_reload_overtakes_on_their_way_are_not_lost(page: Page) -> None:
    first, second, third, *_ = sorted(PUZZLE.solution)
    desk = Desk(page).open()
    with page.expect_response("**/api/me/puzzles/**"):
        desk.cell(first).click()
    # The server hears of the second mark only after the new page has asked.
    before = page.request.get("/api/me/puzzles").json()
    desk.cell(second).click()
    desk.shows("bullet", [first, second])
    intercept(page, "**/api/me/puzzles", lambda route: route.fulfill(json=before))
    page.reload()
    desk.shows("bullet", [first, second])
    page.unroute("**/api/me/puzzles")
    desk.cell(third).click()
    desk.wait_until_kept(lambda state: state["marks"].count("o") == 3)
    desk.press("Undo")
    desk.press("Undo")
    desk.shows("bullet", [first])


def test_a_clock_that_a_reload_overtakes_does_not_go_back(page: Page) -> None:
    page.clock.install()
    desk = Desk(page).open()
    desk.cell(FREE[0]).click()
    page.clock.run_for(1_000)
    assert wait_until(lambda: page.evaluate(WAITING) is None and kept(page))
    page.clock.run_for(60_000)
    before = kept(page)
    intercept(page, "**/api/me/puzzles", lambda route: route.fulfill(json=before))
    page.reload()
    desk.shows("bullet", [FREE[0]])
    assert str(page.get_by_role("timer").text_content()) > "1:00"


def test_marks_that_two_reloads_overtake_are_not_lost(page: Page) -> None:
    first, second, third, *_ = sorted(PUZZLE.solution)
    desk = Desk(page).open()
    with page.expect_response("**/api/me/puzzles/**"):
        desk.cell(first).click()
    there = page.request.get("/api/me/puzzles").json()
    hold(page, "**/api/me/puzzles/**")
    intercept(page, "**/api/me/puzzles", lambda route: route.fulfill(json=there))
    desk.cell(second).click()
    page.reload()
    desk.shows("bullet", [first, second])
    # What the first page said last arrives while the second one draws.
    waiting = json.loads(page.evaluate(WAITING))
    there[0]["marks"] = waiting[0][1]
    desk.cell(third).click()
    desk.shows("bullet", [first, second, third])
    page.reload()
    desk.shows("bullet", [first, second, third])


def test_marks_do_not_overtake_each_other(page: Page) -> None:
    first, second, *_ = sorted(PUZZLE.solution)
    page.clock.install()
    desk = Desk(page).open()
    held = hold(page, "**/api/me/puzzles/**", 1)
    with page.expect_request("**/api/me/puzzles/**"):
        desk.cell(first).click()
        page.clock.run_for(1_000)
    desk.cell(second).click()
    # The page saves these marks as well meanwhile.
    page.clock.run_for(1_000)
    with page.expect_response("**/api/me/puzzles/**"):
        held[0].continue_()
    assert wait_until(lambda: page.evaluate(WAITING) is None)
    desk.wait_until_kept(lambda state: state["marks"].count("o") == 2)


def test_marks_do_not_undo_those_of_the_last_request(page: Page) -> None:
    first, second, *_ = sorted(PUZZLE.solution)
    desk = Desk(page).open()
    held = hold(page, "**/api/me/puzzles/**", 1)
    with page.expect_request("**/api/me/puzzles/**"):
        desk.cell(first).click()
    desk.cell(second).click()
    with page.expect_response("**/api/me/puzzles/**"):
        page.evaluate("dispatchEvent(new Event('pagehide'))")
    with page.expect_response("**/api/me/puzzles/**") as late:
        held[0].continue_()
    assert late.value.status == 409
    desk.wait_until_kept(lambda state: state["marks"].count("o") == 2)
    desk.shows("bullet", [first, second])


def test_marks_saved_while_a_list_of_earlier_ones_is_on_its_way_still_count(page: Page) -> None:
    first, second, third, fourth, *_ = sorted(PUZZLE.solution)
    desk = Desk(page).open()
    with page.expect_response("**/api/me/puzzles/**"):
        desk.cell(first).click()
    earlier = page.request.get("/api/me/puzzles").json()
    held = hold(page, "**/api/me/puzzles", 1)
    with page.expect_request("**/api/me/puzzles"):
        page.evaluate("dispatchEvent(new Event('focus'))")
    desk.cell(second).click()
    desk.cell(third).click()
    assert wait_until(lambda: page.evaluate(WAITING) is None)
    with page.expect_response("**/api/me/puzzles"):
        held[0].fulfill(json=earlier)
    with page.expect_response("**/api/me/puzzles/**") as answer:
        desk.cell(fourth).click()
    assert answer.value.status == 204
    desk.shows("bullet", [first, second, third, fourth])


def test_marks_deleted_in_another_tab_do_not_come_back(page: Page) -> None:
    desk = Desk(page).open()
    desk.cell(FREE[0]).click()
    assert wait_until(lambda: page.evaluate(WAITING) is None and kept(page))
    # A page that is gone never hears whether its last words arrived.
    page.goto("/analyse")
    assert encode(PUZZLE) in page.evaluate(WAITING)
    assert wait_until(lambda: kept(page)[0]["marks"] == json.loads(page.evaluate(WAITING))[0][1])
    assert page.request.delete("/api/me").ok
    desk.open().shows("bullet", [])


def test_marks_from_elsewhere_are_newer_than_those_a_page_left_behind(page: Page) -> None:
    first, second, *_ = sorted(PUZZLE.solution)
    desk = Desk(page).open()
    held = hold(page, "**/api/me/puzzles/**", 1)
    with page.expect_request("**/api/me/puzzles/**"):
        desk.cell(first).click()
    left = str(page.evaluate(WAITING))
    assert encode(PUZZLE) in left
    with page.expect_response("**/api/me/puzzles/**"):
        held[0].continue_()
    elsewhere = Desk(page.context.new_page()).open()
    elsewhere.shows("bullet", [first])
    with elsewhere.page.expect_response("**/api/me/puzzles/**"):
        elsewhere.cell(second).click()
    # A page that was closed never heard whether its last words arrived.
    again = Desk(page.context.new_page())
    again.page.add_init_script(
        f"sessionStorage.setItem('minewright.bullets.waiting', {json.dumps(left)})"
    )
    again.open().shows("bullet", [first, second])
