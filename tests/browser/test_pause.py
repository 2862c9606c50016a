"""The clock on the page: pauses, signs of life, and what counts afterwards."""

import re
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
from playwright.sync_api import Page, Response, Route, expect

import minewright as mw
from browser.player import Player, hold, intercept
from minewright.position import COVERED


@pytest.fixture
def player(page: Page, secret: Callable[[], int]) -> Player:
    """Somebody in the middle of a game whose seed nobody chose."""
    player = Player(page)
    page.goto("/")
    expect(player.cell(0)).to_be_visible()
    player.twin = mw.Game(mw.BEGINNER, "open", secret())
    player.open(40)
    # If the first opening wins a game, nobody is in the middle of it, so begin another.
    while player.twin.over:
        with page.expect_response("**/api/games"):
            page.keyboard.press("n")
        player.twin = mw.Game(mw.BEGINNER, "open", secret())
        player.sees()
        player.open(40)
    return player


def kept(player: Player) -> Any:
    """Ask the server how the last game stands."""
    request = player.page.request
    (line,) = request.get("/api/games?limit=1").json()
    return request.get(f"/api/games/{line['id']}").json()


def clock(*, runs: bool | None) -> Callable[[Response], bool]:
    """Recognise the answer to a page that says whether the clock runs."""

    def is_it(answer: Response) -> bool:
        said = answer.url.endswith("/clock") and answer.request.post_data_json
        return bool(said == {"runs": runs})

    return is_it


def test_a_game_that_pauses_is_covered_goes_on_and_makes_no_best_time(player: Player) -> None:
    page = player.page
    cover = page.get_by_role("button", name=re.compile("^Paused"))
    for pause in ("button", "key"):
        with page.expect_response(clock(runs=False)):
            if pause == "key":
                page.keyboard.press("p")
            else:
                page.get_by_role("button", name="Pause", exact=True).click()
        expect(cover).to_be_visible()
        expect(player.cell(40)).not_to_be_visible()
        expect(player.status).to_contain_text("Paused")
        assert kept(player)["paused"]
        with page.expect_response(clock(runs=True)):
            cover.click()
        expect(cover).to_be_hidden()
        expect(player.cell(40)).to_be_visible()
        assert not kept(player)["paused"]
    known = player.twin.again(player.twin.moves)
    known.give_up()
    for cell in sorted(set(range(81)) - known.minefield):
        if not player.twin.over and player.twin.position[cell] == COVERED:
            player.open(cell)
    expect(player.end).to_contain_text("You took a break, so it doesn't count for best times.")
    page.get_by_role("button", name="Statistics").click()
    expect(page.locator(".records:not(.pooled)")).to_contain_text("1 won, 0 lost")


def test_a_page_gives_signs_of_life_and_a_last_one_when_it_is_hidden(page: Page) -> None:
    page.clock.install()
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    player.open(40)
    for _ in range(2):
        with page.expect_response("**/clock"):
            page.clock.run_for(9_000)
    with page.expect_response("**/clock") as last:
        page.evaluate("""() => {
            Object.defineProperty(document, 'hidden', { value: true });
            document.dispatchEvent(new Event('visibilitychange'));
        }""")
    assert last.value.request.post_data_json == {"runs": None}
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(60_000)
    assert asked == []


def test_a_pause_outlives_a_page_that_takes_long_to_load(player: Player) -> None:
    page = player.page
    cover = page.get_by_role("button", name=re.compile("^Paused"))
    with page.expect_response(clock(runs=False)):
        page.keyboard.press("p")
    expect(cover).to_be_visible()
    page.clock.install()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    held = hold(page, "**/api/meta", 1)
    with page.expect_request("**/api/meta"):
        page.reload()
    page.clock.run_for(60_000)
    held[0].continue_()
    expect(cover).to_be_visible()
    page.clock.run_for(60_000)
    assert kept(player)["paused"]
    assert not [url for url in asked if url.endswith("/clock")]


def test_a_page_that_shows_no_running_game_leaves_the_clock_alone(page: Page) -> None:
    player = Player(page)
    page.clock.install()
    player.begin("9x9x10", 3, "open")
    (line,) = page.request.get("/api/games?limit=1").json()
    game = f"/api/games/{line['id']}"
    held: list[Route] = []
    gate: Callable[[Route], object] = held.append
    intercept(page, "**/clock", lambda route: gate(route))
    with page.expect_request("**/clock"):
        page.clock.run_for(9_000)
    # The game begins and pauses in another window. Until then this page must hear nothing of it.
    page.request.post(f"{game}/moves", data={"kind": "open", "cell": 40})
    page.request.post(f"{game}/clock", data={"runs": False})
    gate = Route.continue_
    for route in held:
        route.continue_()
    expect(page.get_by_role("button", name=re.compile("^Paused"))).to_be_visible()
    assert kept(player)["paused"]


def test_a_game_that_has_not_begun_shows_no_time_when_the_server_is_lost(page: Page) -> None:
    player = Player(page)
    page.clock.install()
    player.begin("9x9x10", 3, "open")
    held = hold(page, "**/clock")
    with page.expect_request("**/clock"):
        page.clock.run_for(9_000)
    page.clock.run_for(4_000)
    with page.expect_event("requestfailed"):
        held[0].abort()
    # One more sign of life: by then the page has dealt with the last one.
    with page.expect_request("**/clock"):
        page.clock.run_for(9_000)
    expect(page.get_by_role("timer")).to_have_text("0:00")


def test_an_old_sign_of_life_sets_no_time_back(player: Player) -> None:
    page = player.page
    page.clock.install()
    held = hold(page, "**/clock", 1)
    with page.expect_request("**/clock"):
        page.clock.run_for(9_000)
    known = player.twin.again(player.twin.moves)
    known.give_up()
    with page.expect_response("**/moves"):
        player.cell(min(known.minefield)).click()
    expect(player.status).to_have_attribute("data-state", "lost")
    shown = page.get_by_role("timer").text_content()
    with page.expect_response("**/clock"):
        held[0].fulfill(json={"seconds": 3000, "paused": False, "moves": 1, "state": "playing"})
    # One more sign of life: by then the page has dealt with the last one.
    with page.expect_request("**/clock"):
        page.clock.run_for(9_000)
    assert page.get_by_role("timer").text_content() == shown


def test_a_sign_of_life_answered_late_leaves_the_time_of_the_pause(player: Player) -> None:
    page = player.page
    game = kept(player)["id"]
    page.clock.install()
    held = hold(page, "**/clock", 1)
    with page.expect_request("**/clock"):
        page.clock.run_for(9_000)

    def stands(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"paused": True, "seconds": 75})

    intercept(page, f"**/api/games/{game}", stands)
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.get_by_role("timer")).to_have_text("1:15")
    with page.expect_response("**/clock"):
        held[0].fulfill(json={"seconds": 2, "paused": False, "moves": 1, "state": "playing"})
    # What comes after it has arrived, so the page has heard it.
    page.evaluate("fetch('/api/version').then((answer) => answer.text())")
    page.clock.run_for(1_000)
    expect(page.get_by_role("timer")).to_have_text("1:15")


def test_who_comes_back_after_long_finds_the_board_covered(player: Player) -> None:
    page = player.page
    cover = page.get_by_role("button", name=re.compile("^Paused"))

    def stands(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"paused": True, "seconds": 75})

    # After a reload, which is short, nothing is covered.
    page.reload()
    player.sees()
    expect(cover).to_be_hidden()
    game = kept(player)["id"]
    intercept(page, f"**/api/games/{game}", stands)
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(cover).to_be_visible()
    expect(page.get_by_role("timer")).to_have_text("1:15")
    expect(player.cell(40)).not_to_be_visible()
    page.reload()
    expect(cover).to_be_visible()
    page.unroute(f"**/api/games/{game}")
    page.keyboard.press("p")
    player.sees()
    expect(cover).to_be_hidden()


@pytest.mark.parametrize("pausing", [False, True], ids=["playing-on", "pausing"])
def test_a_move_made_before_the_server_was_lost_is_made_when_it_is_back(
    pausing: bool, player: Player
) -> None:
    page = player.page
    cover = page.get_by_role("button", name=re.compile("^Paused"))
    game, cell = kept(player)["id"], player.twin.position.covered[0]

    def stands(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"paused": True})

    # The server is gone, and comes back; meanwhile its clock is stopped.
    intercept(page, f"**/api/games/{game}*/**", lambda route: route.abort())
    intercept(page, f"**/api/games/{game}", lambda route: route.abort())
    player.cell(cell).click(button="right")
    expect(page.get_by_role("alert").first).to_contain_text("No answer from Minewright")
    if pausing:
        page.keyboard.press("p")

    with page.expect_response(clock(runs=False)) if pausing else nullcontext():
        page.unroute_all()
        intercept(page, f"**/api/games/{game}", stands)
    player.twin.mark(cell)
    player.sees()
    expect(page.locator(".offline")).to_be_hidden()
    expect(cover).to_be_visible(visible=pausing)
    page.unroute_all()
    now = kept(player)
    assert (now["moves"], now["paused"]) == (2, pausing)


def test_a_pause_that_is_lost_or_late_on_its_way_holds_until_the_player_goes_on(
    player: Player,
) -> None:
    page = player.page
    cover = page.get_by_role("button", name=re.compile("^Paused"))
    intercept(page, "**/clock", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.keyboard.press("p")
    page.unroute("**/clock")
    with page.expect_response(clock(runs=False)):
        page.evaluate("dispatchEvent(new Event('focus'))")
    expect(cover).to_be_visible()
    assert kept(player)["paused"]
    # Whoever resumes and pauses again at once ends up paused.
    held = hold(page, "**/clock", 1)
    with page.expect_request("**/clock"):
        page.keyboard.press("p")
    page.keyboard.press("p")
    expect(cover).to_be_visible()
    with page.expect_response(clock(runs=False)):
        held[0].continue_()
    assert kept(player)["paused"]


@pytest.mark.parametrize("runs", [False, True], ids=["pause", "resumption"])
def test_what_is_lost_on_its_way_is_said_again(player: Player, runs: bool) -> None:
    page = player.page
    page.clock.install()
    if runs:
        with page.expect_response(clock(runs=False)):
            page.keyboard.press("p")
    intercept(page, "**/clock", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.keyboard.press("p")
    page.unroute("**/clock")
    with page.expect_response(clock(runs=runs)):
        page.clock.run_for(9_000)
    assert kept(player)["paused"] is not runs
    expect(page.get_by_role("button", name=re.compile("^Paused"))).to_be_visible(visible=not runs)


def test_a_pause_whose_answer_is_lost_is_not_said_again_after_others_went_on(
    player: Player,
) -> None:
    page = player.page
    cover = page.get_by_role("button", name=re.compile("^Paused"))
    page.clock.install()
    said: list[object] = []

    def hear(route: Route) -> None:
        said.append(route.request.post_data_json)
        route.fetch()
        route.abort()

    intercept(page, "**/clock", hear)
    with page.expect_event("requestfailed"):
        page.keyboard.press("p")
    assert said == [{"runs": False}]
    # Somebody goes on in another window.
    game = kept(player)
    assert game["paused"]
    cell = player.twin.position.covered[0]
    page.request.post(f"/api/games/{game['id']}/moves", data={"kind": "mark", "cell": cell})
    page.unroute("**/clock")
    page.on("request", lambda asked: said.append(asked.post_data_json))
    with page.expect_response(clock(runs=None)):
        page.clock.run_for(9_000)
    expect(cover).to_be_hidden()
    player.twin.mark(cell)
    player.sees()
    assert said.count({"runs": False}) == 1
    assert not kept(player)["paused"]


def test_an_answer_older_than_the_pause_changes_no_time(player: Player) -> None:
    page = player.page
    page.clock.install()
    held = hold(page, "**/clock", 1)
    with page.expect_request("**/clock"):
        page.clock.run_for(9_000)
    with page.expect_response(clock(runs=False)):
        page.keyboard.press("p")
    expect(page.get_by_role("button", name=re.compile("^Paused"))).to_be_visible()
    with page.expect_response("**/clock"):
        held[0].fulfill(json={"seconds": 3000, "paused": False, "moves": 1, "state": "playing"})
    # By the time of this answer, the page has dealt with that one.
    page.evaluate("async () => void (await (await fetch('/api/meta')).json())")
    expect(page.get_by_role("timer")).not_to_have_text("50:00")


def test_who_comes_back_gives_no_sign_of_life_before_the_board_is_covered(player: Player) -> None:
    page = player.page
    page.clock.install()
    page.reload()
    player.sees()
    show = """is => {
        Object.defineProperty(document, 'hidden', { value: !is, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
    }"""
    with page.expect_response(clock(runs=None)):
        page.evaluate(show, False)
    page.clock.run_for(60_000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    game = kept(player)["id"]
    held = hold(page, f"**/api/games/{game}", 1)
    with page.expect_request(f"**/api/games/{game}"):
        page.evaluate(show, True)
    page.clock.run_for(900)
    assert not [url for url in asked if url.endswith("/clock")]
    answer = held[0].fetch()
    held[0].fulfill(response=answer, json=answer.json() | {"paused": True})
    expect(page.get_by_role("button", name=re.compile("^Paused"))).to_be_visible()


def test_a_sign_of_life_that_is_late_holds_up_nothing_and_ends_no_pause(page: Page) -> None:
    page.clock.install()
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    player.open(40)
    held = hold(page, "**/clock", 1)
    with page.expect_request("**/clock"):
        page.clock.run_for(9_000)
    cover = page.get_by_role("button", name=re.compile("^Paused"))
    for runs in (False, True):
        with page.expect_response(clock(runs=runs)):
            page.keyboard.press("p")
    expect(cover).to_be_hidden()
    player.mark(player.twin.position.covered[0])
    with page.expect_response(clock(runs=False)):
        page.keyboard.press("p")
    with page.expect_response(clock(runs=None)):
        held[0].continue_()
    expect(cover).to_be_visible()
    assert kept(player)["paused"]


def test_a_pause_in_one_window_covers_the_board_in_the_other(player: Player) -> None:
    page = player.page
    other = page.context.new_page()
    other.goto("/")
    covers = [each.get_by_role("button", name=re.compile("^Paused")) for each in (page, other)]
    expect(other.locator(".board")).to_be_visible()
    page.clock.install()
    with other.expect_response(clock(runs=False)):
        other.keyboard.press("p")
    with page.expect_response(clock(runs=None)):
        page.clock.run_for(9_000)
    for cover in covers:
        expect(cover).to_be_visible()
    assert kept(player)["paused"]
    with page.expect_response(clock(runs=True)):
        covers[0].click()
    other.evaluate("dispatchEvent(new Event('focus'))")
    for cover in covers:
        expect(cover).to_be_hidden()
    assert not kept(player)["paused"]


def test_a_game_left_for_another_is_counted_so(player: Player) -> None:
    page = player.page
    with page.expect_response("**/api/games"):
        page.keyboard.press("n")
    page.get_by_role("button", name="Statistics").click()
    sheet = page.get_by_role("dialog", name="Statistics")
    expect(sheet.locator(".records:not(.pooled) li")).to_contain_text("0% won")
    expect(sheet.locator(".records:not(.pooled) li")).to_contain_text("0 lost, 1 abandoned")
    # A game that is deleted while it runs is gone for good.
    sheet.get_by_role("row", name="unfinished").get_by_role("button", name="Resume").click()
    player.sees()
    page.evaluate("sessionStorage.setItem('minewright.bullets.waiting', '[]')")
    page.get_by_role("button", name="Statistics").click()
    with page.expect_response("**/api/games"):
        sheet.get_by_role("button", name="Delete everything").click()
        sheet.get_by_role("button", name="Really delete").click()
    expect(player.status).to_have_attribute("data-state", "ready")
    expect(page.locator(".toast")).to_have_text("Everything kept about you has been deleted.")
    # Nor do marks of a puzzle come back that were still on their way.
    assert page.evaluate("sessionStorage.length") == 0


def test_a_game_without_guesses_is_chosen_and_autoplay_wins_it_at_the_first_click(
    page: Page,
) -> None:
    page.goto("/")
    page.get_by_role("button", name="More…").click()
    sheet = page.get_by_role("dialog", name="New game")
    sheet.get_by_role("group", name="Mode").get_by_text("No-guess").click()
    sheet.get_by_role("button", name="Start").click()
    expect(page.get_by_role("button", name=re.compile("^No-guess"))).to_be_visible()
    page.get_by_role("radio", name="Everything provable").check()
    page.get_by_role("switch", name="Autoplay").click()
    page.get_by_role("gridcell").nth(40).click()
    expect(page.locator("strong[role=status]")).to_have_text("Cleared!")


def test_a_mode_that_is_not_there_is_refused(page: Page) -> None:
    def one_more(route: Route) -> None:
        answer = route.fetch()
        meta = answer.json()
        meta["modes"].append({"name": "cruel", "summary": "no mercy", "levels": []})
        route.fulfill(response=answer, json=meta)

    intercept(page, "**/api/meta", one_more)
    page.goto("/")
    page.get_by_role("button", name="More…").click()
    sheet = page.get_by_role("dialog", name="New game")
    sheet.get_by_text("Cruel").click()
    sheet.get_by_role("button", name="Start").click()
    refusal = "There is no mode 'cruel'; choose ordinary, no-guess, fair, kind or safe-bet"
    expect(sheet.get_by_role("alert")).to_have_text(refusal)
