"""Games on the page: by mouse, keyboard and touch, on all kinds of boards, and after a reload."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Response, Route, expect

import minewright as mw
from browser.player import Player, Way, hold, intercept
from minewright.position import COVERED, MAX_NUMBER

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}
WAYS: list[Way] = ["mouse", "keyboard", "touch"]
BOARD, SEED, FIRST = "7x6x5", 25, 16
"""A game in which every kind of move is useful, and which takes few moves to win."""


@pytest.fixture(params=WAYS)
def player(request: pytest.FixtureRequest, visit: Callable[..., Page]) -> Player:
    way: Way = request.param
    player = Player(visit(**(PHONE if way == "touch" else {})), way)
    player.begin(BOARD, SEED)
    player.open(FIRST)
    return player


def mines_of(game: mw.Game) -> frozenset[int]:
    """Return where the mines are; only a copy of the game that gives up may be asked."""
    other = game.again(game.moves)
    other.give_up()
    return other.minefield


def chordable(game: mw.Game, mines: frozenset[int]) -> int:
    """Find a number with a mine and a safe cell around it that are both covered."""
    position = game.position
    for cell, code in enumerate(position.cells):
        around = [near for near in game.topology.neighbours(cell) if position[near] == COVERED]
        if 0 < code <= MAX_NUMBER and mines & set(around) < set(around):
            return cell
    raise AssertionError("no such number")


def test_a_game_is_won_with_openings_marks_and_a_chord(player: Player) -> None:
    mines = mines_of(player.twin)
    number = chordable(player.twin, mines)
    for cell in mines.intersection(player.twin.topology.neighbours(number)):
        player.mark(cell)
    player.chord(number)
    for cell in range(player.twin.topology.size):
        if not player.twin.over and player.twin.position[cell] == COVERED and cell not in mines:
            player.open(cell)
    assert player.twin.state == "won"
    expect(player.end).to_contain_text("The seed was known, so it doesn't count for best times.")
    expect(player.end).to_contain_text("3BV")


def test_a_game_is_lost_and_shows_its_mines(player: Player) -> None:
    mine = min(mines_of(player.twin))
    player.mark(mine)
    if player.way == "mouse":
        # A marked cell does not open.
        player.cell(mine).click()
    player.mark(mine)
    player.open(mine)
    assert player.twin.state == "lost"
    player.shows("exploded", [mine])
    expect(player.end).to_contain_text("That was a mine")
    # A lost game could not be a best time anyway, whatever else it was.
    expect(player.end).not_to_contain_text("best time")
    expect(player.page.get_by_role("link", name="Review this game")).to_be_visible()
    if player.way == "touch":
        # What is chosen at the thumb is also chosen in the settings.
        player.page.get_by_role("button", name="Flag", exact=True).tap()
        player.page.get_by_role("button", name="Settings").tap()
        expect(player.page.get_by_role("radio", name="Flags a cell")).to_be_checked()


def test_other_topologies_are_played_alike(page: Page) -> None:
    player = Player(page)
    for topology in ("hex", "torus", "neumann", "knight"):
        player.begin("9x8x9", 4, "open", topology)
        player.open(40)


def test_a_reload_in_the_middle_of_a_game_changes_nothing(page: Page) -> None:
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    player.open(40)
    # It is drawn before the server knows it, and a reload could overtake it.
    with page.expect_response("**/moves"):
        player.mark(player.twin.position.covered[0])
    page.reload()
    player.sees()
    # Nor does coming back from another page, without the game's address.
    player.open(analysed_best(player.twin))
    page.goto("/bullets")
    page.goto("/")
    player.sees()


def test_a_lost_answer_or_a_move_in_another_tab_does_not_stay_unseen(page: Page) -> None:
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    player.open(40)
    one, two, three = player.twin.position.covered[:3]

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    intercept(page, "**/moves", lose)
    # The mark is drawn before its answer is lost.
    with page.expect_event("requestfailed"):
        player.mark(one)
    page.unroute("**/moves")
    expect(page.locator(".offline")).to_be_hidden()
    other = Player(page.context.new_page())
    other.page.goto(page.url)
    other.twin = player.twin
    # The mark is drawn at once, but only its answer shows that the server knows it.
    with other.page.expect_response("**/moves"):
        other.mark(two)
    player.mark(three)
    player.page.close()
    other.page.evaluate("dispatchEvent(new Event('focus'))")
    other.sees()


def test_a_running_game_is_neither_given_up_nor_left_by_mistake(page: Page) -> None:
    player = Player(page)
    player.begin(BOARD, SEED)
    player.open(FIRST)
    page.get_by_role("button", name="New game", exact=True).click()
    page.get_by_role("button", name="Return to it").click()
    player.sees()
    ask = page.get_by_role("dialog", name="Give up?")
    page.get_by_role("button", name="Give up").click()
    ask.get_by_role("button", name="Keep playing").click()
    player.sees()
    page.get_by_role("button", name="Give up").click()
    ask.get_by_role("button", name="Give up").click()
    player.twin.give_up()
    player.sees()


def analysed_best(game: mw.Game) -> int:
    best = mw.analyze(game.position).best
    assert best is not None
    return best


def test_a_seed_of_chance_is_in_the_address_once_the_game_is_over(
    page: Page, secret: Callable[[], int]
) -> None:
    player = Player(page)
    page.goto("/?board=16x16x40")
    expect(player.cell(0)).to_be_visible()
    player.twin = mw.Game(mw.INTERMEDIATE, "open", secret())
    player.open(100)
    expect(page).to_have_url(re.compile("/[?]board=16x16x40&topology=moore&start=open$"))
    # A second tab leaves the game; a reload of the first one finds it all the same.
    page.context.new_page().goto("/?board=16x16x40&seed=1")
    page.reload()
    player.sees()
    mine = min(mines_of(player.twin))
    player.open(mine)
    expect(page).to_have_url(re.compile(f"&seed={player.twin.seed}$"))
    page.reload()
    player.sees()
    page.get_by_role("button", name="Same mines").click()
    player.twin = player.twin.again()
    player.sees()
    player.open(100)


def test_sharing_before_the_end_is_asked_about_and_gives_somebody_else_the_same_mines(
    visit: Callable[..., Page], secret: Callable[[], int]
) -> None:
    anna, bert = Player(visit(permissions=["clipboard-write"])), Player(visit())
    anna.page.goto("/")
    expect(anna.cell(0)).to_be_visible()
    ask = anna.page.get_by_role("dialog", name="Share an unfinished game?")
    share = anna.page.get_by_role("button", name="Share", exact=True)
    share.click()
    expect(ask).to_contain_text("unranked")
    ask.get_by_role("button", name="Keep playing").click()
    expect(anna.page).to_have_url(re.compile("start=open$"))
    share.click()
    ask.get_by_role("button", name="Share now").click()
    expect(anna.page.locator(".toast")).to_contain_text("Link copied")
    seed = secret()
    expect(anna.page).to_have_url(re.compile(f"seed={seed}$"))
    bert.page.goto(anna.page.url)
    for player in (anna, bert):
        player.twin = mw.Game(mw.BEGINNER, "open", seed)
        player.open(40)


def test_a_click_meant_for_the_last_game_is_not_made_in_the_next(page: Page) -> None:
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    held = hold(page, "**/moves", 1)
    with page.expect_request("**/moves"):
        player.cell(40).click()
    player.cell(0).click(button="right")
    with page.expect_response("**/api/games"):
        page.keyboard.press("n")
    player.reads(["covered"] * 81)
    held[0].continue_()
    player.cell(80).click(button="right")
    player.reads(["covered"] * 80 + ["flagged"])


def test_a_game_that_comes_late_does_not_replace_the_one_asked_for_after_it(page: Page) -> None:
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    held = hold(page, "**/api/games", 1)
    with page.expect_request("**/api/games"):
        page.keyboard.press("n")
    page.get_by_role("button", name="Intermediate").click()
    player.reads(["covered"] * 256)
    with page.expect_response("**/api/games"):
        held[0].continue_()
    player.cell(255).click(button="right")
    player.reads(["covered"] * 255 + ["flagged"])


def refuse(route: Route) -> None:
    route.fulfill(status=422, json={"problem": "no such game"})


def test_a_loss_that_may_be_taken_back_shows_no_mine_but_its_own(page: Page) -> None:
    asked = {"board": "9x9x10", "start": "open", "seed": 3, "undo": True}
    page.goto("/")
    page.request.post("/api/games", data=asked)
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    player.open(40)
    mine = min(mines_of(player.twin))
    for end in ("Take it back", "Show mines"):
        player.cell(mine).click()
        player.shows("exploded", [mine])
        player.shows("mine", [mine])
        expect(player.end).to_contain_text("That was a mine")
        if end == "Take it back":
            # A new game that is refused leaves this one as it is.
            intercept(page, "**/api/games", refuse)
            page.keyboard.press("n")
            expect(page.locator(".toast")).to_have_text("No such game")
            page.unroute("**/api/games")
            player.end.get_by_role("button", name=end).click()
            player.sees()
    player.end.get_by_role("button", name=end).click()
    player.twin.open(mine)
    player.sees()
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()
    expect(page.get_by_role("link", name="Review this game")).to_be_visible()


def test_a_page_is_told_no_mine_before_the_game_is_over(page: Page) -> None:
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    player.open(40)
    # It is drawn before it is answered.
    with page.expect_response("**/moves"):
        player.mark(player.twin.position.covered[0])
    told = [
        answer.json()
        for answer in answers
        if "/api/games" in answer.url and not answer.url.endswith("/clock")
    ]
    assert len(told) >= 3
    for answer in told:
        if isinstance(answer, dict):
            assert answer["end"] is None
            codes = [*answer.get("cells", ()), *(code for _, code in answer.get("changes", ()))]
            assert not {252, 253} & set(codes)


def test_what_is_taken_back_is_covered_again_where_the_game_allows_it(page: Page) -> None:
    page.goto("/")
    expect(page.locator("[role=gridcell]").first).to_be_visible()
    back = page.get_by_role("button", name="Undo", exact=True)
    page.locator("[data-cell='0']").click()
    expect(page.locator(".status")).not_to_have_attribute("data-state", "ready")
    back.click()
    expect(page.locator(".status")).to_have_attribute("data-state", "ready")
    player = Player(page)
    player.reads(["covered"] * 81)
    said = page.locator(".stage > .visually-hidden[role=status]")
    expect(said).to_have_text("Move undone")
    player.set("Obvious")
    expect(said).to_have_text("")
    page.get_by_role("button", name="More…").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Allow undo").uncheck()
    sheet.get_by_label("Mines", exact=True).fill("1")
    sheet.get_by_role("button", name="Start").click()
    expect(sheet).to_be_hidden()
    expect(back).to_be_hidden()
    expect(page.get_by_role("img", name="1 mine left", exact=True)).to_be_visible()
