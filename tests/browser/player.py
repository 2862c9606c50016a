"""Somebody who plays on the page, and a twin of the game that says what the page must show."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, Route, expect
from processes import wait_until

import minewright as mw
from minewright.game import StartRule
from minewright.position import COVERED, MARKED

Way = Literal["mouse", "keyboard", "touch"]
WORDS = {COVERED: "covered", MARKED: "flagged"}
PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}

FINISHED: Final = {
    "/": ".play .status:not([inert])",
    "/analyse": ".analyse:not([inert]) .verdict[data-state]:not(.busy)",
    "/watch": ".watching:not([aria-busy]) [role=grid]",
    "/bullets": ".desk:not([aria-busy]) [role=grid]",
    "/lab": "[aria-label=Players] tbody tr",
    "/drills": "main:has(.place .cell) .patterns li",
    "/profile": ".profile :is(h1 + p:not(:empty), .headlines div)",
    "/review": ".review h1:not(:text-is('Review'))",
    "/api": ".reference article",
    "/nowhere": ".missing",
}
"""What only a finished page has: it comes with the last answer that the page waits for."""

# Whether a screen reader says these words for the cells.
READ = """(words) => {
    const cells = [...document.querySelectorAll('[role=gridcell]')];
    cells.sort((a, b) => a.dataset.cell - b.dataset.cell);
    const said = cells.map((cell) => cell.getAttribute('aria-label').split(': ')[1]);
    return JSON.stringify(said.map((text) => text.split(',')[0])) === JSON.stringify(words);
}"""
# Whether exactly these cells have the look `name`.
LOOK = """([name, wanted]) => {
    const cells = document.querySelectorAll(`[role=grid] .cell.${name}`);
    const found = [...cells].map((cell) => Number(cell.dataset.cell)).sort((a, b) => a - b);
    return JSON.stringify(found) === JSON.stringify(wanted);
}"""


class Player:
    """A person at the play page who uses a mouse, a keyboard or a finger."""

    def __init__(self, page: Page, way: Way = "mouse") -> None:
        self.page = page
        self.way = way
        self.status = page.locator(".status")
        self.end = page.get_by_role("region", name="Result")
        self.answer = page.locator(".answer")
        self.twin = mw.Game(mw.BEGINNER)
        self.grid = page.get_by_role("grid")

    def begin(
        self, board: str, seed: int, start: StartRule = "safe", topology: str = "moore"
    ) -> None:
        """Open a game by its link."""
        self.page.goto(f"/?board={board}&topology={topology}&start={start}&seed={seed}")
        self.twin = mw.Game(mw.Board.parse(board), start, seed, topology)
        self.sees()

    def cell(self, cell: int) -> Locator:
        return self.grid.locator(f"[data-cell='{cell}']")

    def open(self, cell: int) -> None:
        """Open a cell, and check that the page shows what the rules say."""
        if self.way == "mouse":
            self.cell(cell).click()
        elif self.way == "keyboard":
            self._go(cell)
            self.page.keyboard.press("Enter")
        else:
            self.cell(cell).tap()
        self.twin.open(cell)
        self.sees()

    def mark(self, cell: int) -> None:
        if self.way == "mouse":
            self.cell(cell).click(button="right")
        elif self.way == "keyboard":
            self._go(cell)
            self.page.keyboard.press("f")
        else:
            self.press_long(cell)
        self.twin.mark(cell)
        self.sees()

    def chord(self, cell: int) -> None:
        if self.way == "mouse":
            self.cell(cell).hover()
            mouse = self.page.mouse
            mouse.down(button="left")
            mouse.down(button="right")
            mouse.up(button="left")
            mouse.up(button="right")
        elif self.way == "keyboard":
            self._go(cell)
            self.page.keyboard.press("c")
        else:
            self.cell(cell).tap()
        self.twin.chord(cell)
        self.sees()

    def sees(self) -> None:
        """Wait until state and cells match the twin's; once it is over, all mines are shown."""
        twin = self.twin
        expect(self.status).to_have_attribute("data-state", twin.state)
        words = [WORDS.get(code, str(code)) for code in twin.position.cells]
        if twin.over:
            # All mines are shown, as flags if the game was won.
            for cell in twin.minefield:
                words[cell] = "flagged" if twin.state == "won" else "mine"
        self.reads(words)

    def reads(self, words: list[str]) -> None:
        """Wait until a screen reader would read these words."""
        self.page.wait_for_function(READ, arg=words)

    def shows(self, name: str, cells: Iterable[int]) -> None:
        """Wait until exactly these cells have the look `name`: safe, mined, clue, region, best."""
        self.page.wait_for_function(LOOK, arg=[name, sorted(cells)])

    def level(self, name: str) -> Locator:
        return self.page.get_by_role("radio", name=name, exact=True)

    def set(self, name: str) -> None:
        """Choose a level of the assistant, and wait for the answer."""
        with self.page.expect_response("**/assistant"):
            self.level(name).check()

    def switch(self, name: str, on: bool = True) -> None:
        """Turn a switch of the assistant, and wait for the answer."""
        with self.page.expect_response("**/assistant"):
            self.page.get_by_role("switch", name=name).set_checked(on)

    def ask(self, name: str) -> None:
        self.page.get_by_role("button", name=name).click()

    def _go(self, cell: int) -> None:
        """Go to a cell by keys alone."""
        here = self.page.locator("[role=gridcell]:focus")
        for _ in range(60):
            if here.count():
                break
            self.page.keyboard.press("Tab")
        place = self.twin.topology.coordinates
        (row, column), (to_row, to_column) = place(self._at()), place(cell)
        for _ in range(abs(to_row - row)):
            self.page.keyboard.press("ArrowDown" if to_row > row else "ArrowUp")
        for _ in range(abs(to_column - column)):
            self.page.keyboard.press("ArrowRight" if to_column > column else "ArrowLeft")
        assert self._at() == cell

    def _at(self) -> int:
        return int(self.page.locator("[role=gridcell]:focus").get_attribute("data-cell") or -1)

    def press_long(self, cell: int) -> None:
        """Keep a finger on a cell until its label changes."""
        self.cell(cell).scroll_into_view_if_needed()
        box = self.cell(cell).bounding_box()
        assert box
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        before = self.cell(cell).get_attribute("aria-label") or ""
        touch = self.page.context.new_cdp_session(self.page)
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        expect(self.cell(cell)).not_to_have_attribute("aria-label", before)
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        touch.detach()


def hold(page: Page, address: str, most: int | None = None) -> list[Route]:
    """Hold back the page's requests to an address: all of them, or only the first `most`.

    Return the list of requests held; the caller answers them.
    """
    held: list[Route] = []

    def come(route: Route) -> None:
        if most is not None and len(held) >= most:
            route.continue_()
        else:
            held.append(route)

    intercept(page, address, come)
    return held


def intercept(page: Page, address: str, answer: Callable[[Route], object]) -> None:
    """Answer the page's requests to an address with `answer` from now on.

    A busy Chromium may let through a request that comes right after this, and Playwright never
    hears of it. So a page that is already open asks for an address that only an interception
    answers, again and again until it gets the answer.
    """
    page.route(address, answer)
    if page.url == "about:blank":
        return
    page.route("**/intercepted", lambda route: route.fulfill(status=204))
    asked = "fetch('/intercepted').then(({ status }) => status)"
    assert wait_until(lambda: page.evaluate(asked) == 204), "nothing is intercepted"
    page.unroute("**/intercepted")


def come(page: Page, path: str) -> None:
    """Open a page, and wait until it is finished."""
    page.goto(path)
    expect(page.locator(FINISHED[urlsplit(path).path]).first).to_be_visible()


def on_phone(visit: Callable[..., Page], **options: Any) -> Player:
    """Return somebody with a phone who has opened the first cell of a game."""
    player = Player(visit(**PHONE | options), "touch")
    player.begin("9x9x10", 3, "open")
    player.open(40)
    return player


def noon() -> str:
    """Return a time zone where it is about noon, so that the day does not end during a test."""
    # These names count hours west of Greenwich.
    return f"Etc/GMT{datetime.now(UTC).hour - 12:+d}"
