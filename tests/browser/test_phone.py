"""On a phone: marks at once, pinching, long presses, and an app that needs no connection."""

import json
from collections.abc import Callable, Iterable

from playwright.sync_api import Page, expect
from processes import wait_until

import minewright as mw
from browser.player import PHONE, Player, hold, on_phone

# What sticks out of the page sideways, or has too little room for its words.
CUT_OFF = """() => [document.documentElement, ...document.querySelectorAll('.taps, .choose > *')]
    .filter((node) => node.scrollWidth > node.clientWidth)
    .map((node) => `${node.className}: ${node.scrollWidth} > ${node.clientWidth}`)"""
# Whether the result lies on top of everything, and beside the board.
RESULT = """() => {
    const end = document.querySelector('.end');
    const box = end.getBoundingClientRect();
    const parts = [0.02, 0.2, 0.4, 0.6, 0.8, 0.98];
    const at = (x, y) => document.elementFromPoint(box.x + x * box.width, box.y + y * box.height);
    const top = parts.every((x) => parts.every((y) => end.contains(at(x, y))));
    const board = document.querySelector('.board-frame').getBoundingClientRect();
    return top && box.left >= board.right && box.top >= 0 && box.bottom <= innerHeight;
}"""


HELD_IN_THE_PAGE = """() => {
    const { fetch } = globalThis;
    globalThis.fetch = async (address, ...rest) => {
        if (address.endsWith("/moves") && !globalThis.letGo)
            await new Promise((go) => (globalThis.letGo = () => (go(), true)));
        return fetch(address, ...rest);
    };
}"""
"""Holds back the first move; a request that Playwright intercepts may be lost with its page."""


def test_marks_are_drawn_at_once_and_confirmed_later(page: Page) -> None:
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    player.open(40)
    page.evaluate(HELD_IN_THE_PAGE)
    one, two, three = player.twin.position.covered[:3]
    for cell in (one, two, three, two):
        player.cell(cell).click(button="right")
    # The server has not answered a single one yet.
    player.shows("marked", [one, three])
    expect(page.get_by_role("img", name="8 mines left")).to_be_visible()
    page.wait_for_function("globalThis.letGo?.()")
    for cell in (one, two, three, two):
        player.twin.mark(cell)
    player.sees()
    # All moves are made in the end, even if the page goes away before their turn comes.
    page.reload()
    (line,) = page.request.get("/api/games?limit=1").json()

    def kept() -> list[int]:
        """Return the moves that the server knows, in any order."""
        (game,) = page.request.get("/api/me/export").json()["games"]
        assert game["id"] == line["id"]
        return sorted(move["cell"] for move in game["moves"])

    assert wait_until(lambda: kept() == sorted([one, two, two, three, 40]))
    # The reload may have overtaken the moves.
    page.reload()
    player.sees()
    # Nor does a page that is only put aside for a while lose one, or show it the wrong way round.
    held = hold(page, "**/moves", 1)
    four, five = player.twin.position.covered[4:6]
    for cell in (four, five):
        player.cell(cell).click(button="right")
        player.twin.mark(cell)
    with page.expect_response(lambda answer: f'"cell":{five}' in (answer.request.post_data or "")):
        page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    held[0].continue_()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    player.sees()


def test_openings_are_drawn_at_once_and_covered_again_if_they_are_refused(page: Page) -> None:
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    held = hold(page, "**/moves")

    def click(cell: int, *, opened: Iterable[int] = (), pressed: Iterable[int] = ()) -> None:
        with page.expect_request("**/moves"):
            player.cell(cell).click()
        player.shows("open.awaited", opened)
        player.shows("covered.awaited", pressed)

    # The start rule makes the first cell and its neighbours safe: only their numbers are missing.
    near = player.twin.topology.neighbours(40)
    click(40, opened=[40, *near])
    held.pop().fulfill(status=500, json={"problem": "a full disk"})
    player.shows("awaited", [])
    player.sees()
    click(40, opened=[40, *near])
    held.pop().continue_()
    player.twin.open(40)
    player.sees()
    # Nothing is promised about the next cell.
    player.shows("awaited", [])
    safe = min(mw.analyze(player.twin.position).safe)
    click(safe, pressed=[safe])
    held.pop().continue_()
    player.twin.open(safe)
    player.sees()
    # What the assistant has found is safe.
    player.set("Everything provable")
    safe = min(mw.analyze(player.twin.position).safe)
    click(safe, opened=[safe])
    held.pop().continue_()
    player.twin.open(safe)
    player.sees()


def test_without_a_server_no_move_is_lost(page: Page) -> None:
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    player.open(40)
    lost = page.locator(".offline")
    expect(lost).to_be_hidden()
    page.context.set_offline(True)
    one, two = player.twin.position.covered[:2]
    for cell in (one, two):
        player.cell(cell).click(button="right")
    expect(lost).to_contain_text("Your moves are kept")
    player.shows("marked", [one, two])
    page.context.set_offline(False)
    expect(lost).to_be_hidden()
    for cell in (one, two):
        player.twin.mark(cell)
    player.sees()
    # They are drawn already; a reload must not overtake them on their way.
    (line,) = page.request.get("/api/games?limit=1").json()
    game = f"/api/games/{line['id']}"
    assert wait_until(lambda: page.request.get(game).json()["moves"] == 3)
    page.reload()
    player.sees()


def test_two_fingers_zoom_the_board_and_not_the_page(visit: Callable[..., Page]) -> None:
    page = visit(**PHONE)
    player = Player(page, "touch")
    player.begin("16x16x40", 3, "open")
    before = player.cell(0).bounding_box()
    frame = page.locator(".board-frame").bounding_box()
    assert before
    assert frame
    assert before["width"] >= 30
    x, y = frame["x"] + frame["width"] / 2, frame["y"] + 150
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, apart: float) -> None:
        points = [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}]
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [] if kind == "touchEnd" else points},
        )

    fingers("touchStart", 40)
    for apart in (50, 60, 70):
        fingers("touchMove", apart)
    fingers("touchEnd", 0)
    page.wait_for_function(
        "least => document.querySelector('[data-cell]').offsetWidth > least",
        arg=1.4 * before["width"],
    )
    assert page.evaluate("visualViewport.scale") == 1
    # No cell was opened or flagged by that.
    player.sees()


def test_on_a_phone_on_its_side_nothing_is_cut_off_or_lies_over_the_board(
    visit: Callable[..., Page],
) -> None:
    player = on_phone(visit, viewport={"width": 740, "height": 360})
    page = player.page
    assert page.evaluate(CUT_OFF) == []
    board = page.locator(".board-frame")
    before = board.bounding_box()
    page.get_by_role("button", name="Hint", exact=True).click()
    expect(player.answer).to_be_visible()
    assert board.bounding_box() == before
    player.ask("Give up")
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(player.end).to_be_visible()
    page.wait_for_function(RESULT)
    assert page.evaluate(CUT_OFF) == []


def test_a_long_press_shows_a_ring_and_takes_as_long_as_was_set(
    visit: Callable[..., Page],
) -> None:
    player = on_phone(visit)
    page = player.page
    page.get_by_role("button", name="Settings").tap()
    page.get_by_role("group", name="A long press").get_by_text("0.6 s").tap()
    page.keyboard.press("Escape")
    page.evaluate(
        """() => new MutationObserver((all) => {
            const rings = all.flatMap(({addedNodes}) => [...addedNodes]);
            const ring = rings.find((node) => node.className === 'hold');
            if (ring) window.ring = ring.style.getPropertyValue('--hold');
        }).observe(document.querySelector('.board'), {childList: true})"""
    )
    player.mark(player.twin.position.covered[0])
    assert page.evaluate("window.ring") == "600ms"
    expect(page.locator(".hold")).to_have_count(0)


def test_the_app_can_be_installed_and_opens_without_its_server(
    visit: Callable[..., Page],
) -> None:
    page = visit(service_workers="allow")
    page.goto("/")
    manifest = page.request.get("/manifest.webmanifest")
    assert manifest.headers["content-type"] == "application/manifest+json"
    for icon in json.loads(manifest.text())["icons"]:
        assert page.request.get(icon["src"]).ok
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.context.set_offline(True)
    page.reload()
    expect(page.locator(".offline")).to_contain_text("No answer from Minewright")
    expect(page.get_by_role("link", name="Minewright")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("[role=gridcell]").first).to_be_visible()
    expect(page.locator(".offline")).to_be_hidden()


def test_a_share_sheet_that_never_answers_leaves_the_button_usable(
    visit: Callable[..., Page],
) -> None:
    page = visit(**PHONE, permissions=["clipboard-write"])
    # While the browser believes that the first sheet is open, it refuses a second one.
    page.add_init_script(
        """let open = false;
        navigator.share = () => {
            if (open) return Promise.reject(new DOMException("open", "InvalidStateError"));
            open = true;
            return new Promise(() => {});
        };"""
    )
    Player(page, "touch").begin("9x9x10", 3, "open")
    share = page.get_by_role("button", name="Share", exact=True)
    share.tap()
    expect(page.locator(".toast")).to_have_count(0)
    share.tap()
    expect(page.locator(".toast")).to_contain_text("Link copied")
