"""Boards of thousands of cells: one canvas, with the looks, gestures and words of a small board."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Locator, Page, expect

import minewright as mw

SIDE = 60
BOARD = "60x60x300"
SEED = 5
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}

# A board of its own, whose events are kept; `settle` waits until it is drawn.
MAKE = """async ([topology, shape, size]) => {
    const {Board} = await import('/static/js/board/board.js');
    const answer = await fetch(`/api/layout?topology=${topology}&shape=${shape}`);
    const place = document.createElement('div');
    document.querySelector('main').replaceChildren(place);
    window.board = new Board(place, await answer.json(), {counts: true});
    // Centred, boards of different sizes may lie half a pixel apart.
    place.firstElementChild.style.margin = 0;
    window.events = [];
    for (const name of ['open', 'mark', 'chord']) {
        board.addEventListener(name, ({detail}) => events.push([name, detail.cell]));
    }
    board.zoom(size);
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    window.settle = () => frame().then(frame);
    await settle();
}"""
FRAMES = """() => new Promise(
    (done) => requestAnimationFrame(() => requestAnimationFrame(done))
)"""
# Everything that a cell can look like, in the top left corner.
FACES = """async () => {
    const {rows, size} = board.layout;
    const codes = new Array(size).fill(255);
    const tints = {chances: {}};
    const put = (row, column, code) => {
        codes[rows[row][column]] = code;
        return rows[row][column];
    };
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 252, 253, 254].forEach((code, column) => put(0, column, code));
    const kinds = ['safe', 'mined', 'clues', 'clash', 'best', 'guess', 'played', 'exploded'];
    kinds.forEach((name, row) => {
        tints[name] = [255, 254, 3, 0, 252].map((code, column) => put(row + 2, column, code));
    });
    for (let part = 0; part <= 10; part++) tints.chances[put(11, part, 255)] = part / 10;
    for (const cell of rows[13].slice(0, 6)) codes[cell] = 0;
    put(12, 1, 1);
    for (const column of [0, 2]) put(12, column, 254);
    board.set(codes);
    board.tint(tints);
    board.expect(rows[14].slice(0, 4), rows[14].slice(2, 4));
    await settle();
}"""


@pytest.fixture
def make(visit: Callable[..., Page]) -> Callable[..., Page]:
    """Return a function that opens a page with a board of its own."""

    def make(topology: str = "moore", side: int = SIDE, size: int = 24, **options: object) -> Page:
        page = visit(**options)
        page.goto("/analyse")
        expect(page.locator("[role=gridcell]").first).to_be_visible()
        page.evaluate(MAKE, [topology, f"{side}x{side}", size])
        return page

    return make


def at(page: Page, row: int, column: int) -> tuple[float, float]:
    """Return the middle of a cell of a square board, as a place in the window."""
    size: float = page.evaluate(
        "parseFloat(getComputedStyle(document.querySelector('.board')).fontSize)"
    )
    box = page.locator(".board").bounding_box()
    assert box
    return box["x"] + (column + 0.5) * size, box["y"] + (row + 0.5) * size


def picture(of: Page | Locator, **options: Any) -> NDArray[np.int16]:
    return np.asarray(Image.open(BytesIO(of.screenshot(**options))).convert("RGB"), dtype=np.int16)


def differ(one: NDArray[np.int16], other: NDArray[np.int16]) -> float:
    """Return the share of pixels that differ by a sixth of the way from black to white."""
    return float(np.mean(np.abs(one - other).max(axis=2) > 42))


def said(page: Page) -> str | None:
    """Return what a screen reader says about the cell with the focus."""
    return page.locator("[role=gridcell]:focus").get_attribute("aria-label")


@pytest.mark.parametrize(
    ("topology", "look"),
    [
        ("moore", {"color_scheme": "light"}),
        ("hex", {"color_scheme": "dark", "device_scale_factor": 2}),
        ("torus", {"color_scheme": "light", "forced_colors": "active"}),
    ],
)
def test_a_canvas_looks_like_cells(
    make: Callable[..., Page], topology: str, look: dict[str, object]
) -> None:
    page = make(topology, 17, 32, **look)
    seen = []
    for side in (17, SIDE):
        page.evaluate(MAKE, [topology, f"{side}x{side}", 32])
        page.evaluate(FACES)
        assert page.locator(".board canvas").count() == (side == SIDE)
        box = page.locator(".board").bounding_box()
        assert box
        corner = {"x": round(box["x"]), "y": round(box["y"]), "width": 416, "height": 400}
        seen.append(picture(page, clip=corner))
    assert differ(*seen) < 0.06


def test_a_canvas_follows_the_theme_the_zoom_and_the_size_of_the_window(
    make: Callable[..., Page],
) -> None:
    page = make(color_scheme="light")
    page.evaluate(FACES)
    board = page.locator(".board-frame")
    light = picture(board)
    # A cell being opened is drawn as open, and covered again if the move is refused.
    page.evaluate("board.expect([], []); settle()")
    covered = picture(board)
    page.evaluate("board.expect(board.layout.rows[14].slice(0, 4), []); settle()")
    assert 0 < differ(covered, picture(board)) < differ(covered, light) + 0.01
    page.evaluate("board.expect([], []); settle()")
    assert differ(covered, picture(board)) == 0
    page.emulate_media(color_scheme="dark")
    page.evaluate("settle()")
    dark = picture(board)
    assert light.mean() - dark.mean() > 60
    page.evaluate("document.documentElement.dataset.skin = 'classic'")
    page.evaluate("settle()")
    assert differ(dark, picture(board)) > 0.3
    # Cells that come into view are drawn, wherever they are.
    page.evaluate("board.zoom(48); document.querySelector('.board-frame').scrollTo(900, 1200)")
    page.set_viewport_size({"width": 700, "height": 1000})
    page.evaluate("settle()")
    tray = np.array([0x7B, 0x7B, 0x7B])
    inside = picture(board)[60:-60, 60:-60]
    assert np.mean(np.abs(inside - tray).max(axis=2) < 8) < 0.3
    # A printer gets all of it, but no more pixels than a browser can hold.
    page.evaluate("board.zoom(72); dispatchEvent(new Event('beforeprint'))")
    drawn = "[document.querySelector('.picture').width, document.querySelector('.picture').height]"
    assert all(4_000 < side < 4_100 for side in page.evaluate(drawn))
    page.evaluate("dispatchEvent(new Event('afterprint')); settle()")
    assert all(side < 1_500 for side in page.evaluate(drawn))


def test_mouse_and_keys_do_on_a_canvas_what_they_do_on_cells(make: Callable[..., Page]) -> None:
    page = make()
    page.evaluate("board.change([[61, 2], [122, 1]])")
    page.mouse.click(*at(page, 3, 4))
    page.mouse.click(*at(page, 1, 1))
    page.mouse.click(*at(page, 5, 5), button="right")
    assert page.evaluate("events") == [["open", 184], ["chord", 61], ["mark", 305]]
    assert said(page) == "row 6, column 6: covered"
    # The neighbours of a number are lit, and a press shows what a chord would open.
    page.mouse.move(*at(page, 1, 1))
    expect(page.locator(".cell.near")).to_have_count(8)
    page.mouse.down()
    expect(page.locator(".cell.pressed")).to_have_count(8)
    page.mouse.move(*at(page, 8, 8))
    page.mouse.up()
    expect(page.locator(".cell.pressed")).to_have_count(0)
    page.evaluate("events.length = 0; board.focus(0)")
    for key in ("ArrowRight", "ArrowDown", "c", "PageDown", "End", "f", "Control+End", "Enter"):
        page.keyboard.press(key)
    assert page.evaluate("events") == [["chord", 61], ["mark", 599], ["open", 3599]]
    assert said(page) == "row 60, column 60: covered"
    here = page.locator("[role=gridcell]:focus")
    expect(here).to_have_attribute("aria-colindex", "60")
    expect(here.locator("..")).to_have_attribute("aria-rowindex", "60")
    # The focus is in view, and the board is a single tab stop.
    expect(here).to_be_in_viewport()
    expect(page.locator(".board.keyed .ring")).to_be_visible()
    expect(page.locator("[role=gridcell][tabindex='0']")).to_have_count(1)
    # A change is announced where the focus is, as soon as it is drawn.
    page.evaluate("board.change([[3599, 3]])")
    assert said(page) == "row 60, column 60: 3"


def test_fingers_do_on_a_canvas_what_they_do_on_cells(make: Callable[..., Page]) -> None:
    page = make(size=32, **PHONE)
    page.touchscreen.tap(*at(page, 2, 3))
    assert page.evaluate("events") == [["open", 123]]
    x, y = at(page, 4, 5)
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        fingers = [{"x": across, "y": down} for across, down in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    touch("touchStart", (x, y))
    page.wait_for_function("() => events.length === 2")
    touch("touchEnd")
    assert page.evaluate("events[1]") == ["mark", 245]
    # A finger that slides pans the board and opens nothing; what comes into view is drawn. However
    # late it begins to slide, that is before this setting makes it a long press.
    page.evaluate("localStorage.setItem('minewright.hold', 1e9)")
    touch("touchStart", (x, y))
    for step in range(1, 11):
        touch("touchMove", (x - 10 * step, y - 15 * step))
    touch("touchEnd")
    page.wait_for_function("() => document.querySelector('.board-frame').scrollTop > 100")
    assert page.evaluate("events.length") == 2
    page.evaluate("settle()")
    assert len(np.unique(picture(page.locator(".board-frame"))[-40:, :, 0])) > 3


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desk", "phone"])
def test_a_large_game_is_played_and_helped(
    visit: Callable[..., Page], device: dict[str, Any]
) -> None:
    page = visit(**device)
    page.goto(f"/?board={BOARD}&topology=moore&start=open&seed={SEED}")
    expect(page.locator(".board canvas")).to_be_visible()
    expect(page.locator("[role=gridcell]")).to_have_count(1)

    def look() -> NDArray[np.int16]:
        page.evaluate(FRAMES)
        # The answer takes room from the board on a phone.
        return picture(page.locator(".board-frame"))[:250]

    twin = mw.Game(mw.Board.parse(BOARD), "open", SEED)
    before = look()
    if device:
        page.touchscreen.tap(*at(page, 4, 4))
    else:
        page.mouse.click(*at(page, 4, 4))
    twin.open(4 * SIDE + 4)
    opened = sum(code < 9 for code in twin.position.cells)
    told = page.get_by_text(
        f"row 5, column 5: {twin.position.cells[4 * SIDE + 4]}; {opened:,} cells opened"
    )
    expect(told).to_have_count(1)
    assert differ(before, look()) > 0.1
    # A hint's cells are lit on the canvas.
    plain = look()
    page.get_by_role("button", name="Hint").first.click()
    expect(page.locator(".answer")).to_contain_text("lit cells")
    expect(page.locator(".board.spot")).to_have_count(1)
    assert differ(plain, look()) > 0.1


@pytest.mark.parametrize("device", [PHONE, {}], ids=["phone", "desktop"])
def test_the_whole_board_is_the_whole_board_with_rulers_too(
    visit: Callable[..., Page], device: dict[str, Any]
) -> None:
    page = visit(**device)
    page.add_init_script("localStorage.setItem('minewright.rulers', 'on')")
    page.goto("/?board=100x100x1500&topology=moore&start=open&seed=5")
    page.get_by_role("button", name="Show the whole board").click()
    frame = page.locator(".board-frame")
    expect(frame.locator(".columns > span:visible")).to_have_count(11)
    wide, tall = frame.evaluate(
        "node => [node.scrollWidth - node.clientWidth, node.scrollHeight - node.clientHeight]"
    )
    assert (wide, tall) == (0, 0)
