"""Boards of thousands of cells: a sketch is seen at once, the cells themselves follow."""

from collections.abc import Callable
from io import BytesIO

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Locator, Page, expect

SIDE = 40

# Idle work waits until it is asked for.
HOLD = """
    window.held = [];
    window.requestIdleCallback = (act) => held.push(act);
    window.release = () => { while (held.length) held.shift()(); };
"""
# A board of its own with all its cells opened: numbers from 0 to 8, and a mine.
OPEN = """async ([topology, side]) => {
    const {Board} = await import('/static/js/board/board.js');
    const answer = await fetch(`/api/layout?topology=${topology}&shape=${side}x${side}`);
    const place = document.createElement('div');
    document.querySelector('main').replaceChildren(place);
    window.board = new Board(place, await answer.json(), {live: false});
    const codes = Array.from({length: side * side}, (_, cell) => cell % 10);
    board.change(codes.map((code, cell) => [cell, code === 9 ? 252 : code]));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
WORDS = """() => [...document.querySelectorAll('[role=gridcell]')]
    .sort((a, b) => a.dataset.cell - b.dataset.cell)
    .map((cell) => cell.getAttribute('aria-label').split(': ')[1])"""


@pytest.fixture
def come(visit: Callable[..., Page]) -> Callable[..., Page]:
    """Give a function that opens a large board, whose cells wait."""

    def come(topology: str = "moore", **options: object) -> Page:
        page = visit(**options)
        page.add_init_script(HOLD)
        page.goto("/")
        expect(page.locator("[role=gridcell]").first).to_be_visible()
        page.evaluate(OPEN, [topology, SIDE])
        page.mouse.move(0, 0)
        return page

    return come


def picture(of: Locator) -> NDArray[np.int16]:
    whole = Image.open(BytesIO(of.screenshot()))
    return np.asarray(whole.convert("RGB"), dtype=np.int16)


def differ(one: NDArray[np.int16], other: NDArray[np.int16]) -> float:
    """Give the share of pixels that differ by a sixth of what there is from black to white."""
    return float(np.mean(np.abs(one - other).max(axis=2) > 42))


@pytest.mark.parametrize(
    ("topology", "look"),
    [
        ("moore", {"color_scheme": "light"}),
        ("hex", {"color_scheme": "dark", "device_scale_factor": 1.5}),
    ],
)
def test_the_sketch_of_a_large_opening_looks_like_its_cells(
    come: Callable[..., Page], topology: str, look: dict[str, object]
) -> None:
    page = come(topology, **look)
    expect(page.locator(".board .covered")).to_have_count(SIDE * SIDE * 9 // 10)
    frame = page.locator(".board-frame")
    sketch = picture(frame)
    page.evaluate("release()")
    expect(page.locator(".sketch, .board .covered")).to_have_count(0)
    assert differ(sketch, picture(frame)) < 0.05


def test_every_cell_of_a_large_opening_is_read_at_last_and_at_once_where_one_is(
    come: Callable[..., Page],
) -> None:
    page = come()
    numbers = [str(cell % 10) if cell % 10 < 9 else "mine" for cell in range(SIDE * SIDE)]
    page.evaluate("board.focus(1)")
    page.keyboard.press("ArrowRight")
    here = page.locator("[role=gridcell]:focus")
    expect(here).to_have_attribute("aria-label", "row 1, column 3: 2")
    assert page.evaluate(WORDS) != numbers
    page.evaluate("release()")
    assert page.evaluate(WORDS) == numbers


@pytest.mark.parametrize("act", ["board.tint({clues: [42]})", "board.change([[42, 255]])"])
def test_what_changes_under_a_sketch_is_seen(come: Callable[..., Page], act: str) -> None:
    page = come()
    page.evaluate(act)
    cell = page.locator("[role=grid] [data-cell='42']")
    seen = picture(cell)
    page.evaluate("release()")
    expect(page.locator(".sketch")).to_have_count(0)
    assert differ(seen, picture(cell)) < 0.02


def test_a_sketch_gives_way_to_the_cells_where_the_board_is_zoomed(
    come: Callable[..., Page],
) -> None:
    page = come()
    expect(page.locator(".sketch")).to_have_count(1)
    page.evaluate("board.zoom('in')")
    expect(page.locator(".sketch, .board .covered")).to_have_count(0)
