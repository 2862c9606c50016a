"""How the pages look: contrast, states told apart without colour, motion, what has the focus."""

from collections.abc import Callable
from io import BytesIO
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page, expect

from browser.player import Player, come

PAGES = ["/", "/analyse", "/watch", "/bullets", "/lab", "/drills", "/profile", "/review"]
LOOKS: list[dict[str, Any]] = [
    {"color_scheme": scheme, "contrast": contrast, "forced_colors": "none"}
    for scheme in ("light", "dark")
    for contrast in ("no-preference", "more")
]
TEXT, SIGN = 4.5, 3.0

# WCAG 2's contrast of colours as Chromium computes them.
CONTRAST = """
const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
};
const over = (top, under) => [0, 1, 2].map((at) => top[at] * top[3] + under[at] * (1 - top[3]));
const light = (colour) => {
    const [r, g, b] = colour.map((part) => part / 255)
        .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratio = (one, other) => {
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
};
const ground = (node) => {
    const under = node.parentElement ? ground(node.parentElement) : [255, 255, 255];
    return [...over(rgba(getComputedStyle(node).backgroundColor), under), 1];
};
"""
# Text and edges of controls that stand out too little from the plain background they are on.
WEAK = (
    "([text, sign]) => {"
    + CONTRAST
    + """
    const weak = [];
    const note = (node, kind, colour, under, least) => {
        const found = ratio(over(rgba(colour), under), under);
        if (found < least - 0.005) {
            weak.push(`${kind} ${node.tagName}.${node.className}: ${found.toFixed(2)}`);
        }
    };
    for (const node of document.querySelectorAll('body *:not(option, .board, .board *, svg *)')) {
        if (!node.checkVisibility({visibilityProperty: true})) continue;
        if (node.closest(':disabled')) continue;
        const style = getComputedStyle(node);
        const said = [...node.childNodes].some(({nodeType, data}) => nodeType === 3 && data.trim());
        if (said) note(node, 'text', style.color, ground(node), text);
        const filled = node.matches('input:not([type=range], [type=radio]), select, textarea');
        if (node.matches('.button:not(.quiet, .primary)') || filled) {
            const under = ground(node.parentElement);
            const box = node.matches('[type=checkbox]');
            const bound = box ? style.backgroundColor : style.borderTopColor;
            note(node, 'bound', bound, under, sign);
        }
    }
    return [...new Set(weak)];
}"""
)
SIGNS = {
    "n0 n1 n2 n3 n4 n5 n6 n7 n8": "open",
    "n1 n2 n3 n4 n5 n6 n7 n8": "clue",
    "ink": "clash covered covered-high covered-low open-line",
    "flag mine": "covered covered-high covered-low safe level open-line",
    "mine": "exploded",
    "safe-ink": "safe",
    "mined-ink": "mined",
    "level-line": "covered level",
    "clue-line": "clue",
    "danger": "clash",
    "focus": "covered open safe paper surface",
}
# Pairs of tokens, for a sign and its background, whose colours are too close.
FAINT = (
    "([pairs, sign]) => {"
    + CONTRAST
    + """
    const probe = document.body.appendChild(document.createElement('i'));
    const colour = (name) => {
        probe.style.color = `var(--${name})`;
        return rgba(getComputedStyle(probe).color);
    };
    return pairs
        .map(([one, other]) => [one, other, ratio(colour(one), colour(other))])
        .filter(([, , found]) => found < sign);
}"""
)

# A board of one row that shows each state of a cell, and one cell with the cursor at the end.
STATES = """async (topology) => {
    const {Board} = await import('/static/js/board/board.js');
    const answer = await fetch(`/api/layout?topology=${topology}&shape=18x2`);
    const place = document.createElement('div');
    document.querySelector('main').replaceChildren(place);
    const board = new Board(place, await answer.json(), {label: 'States', live: false});
    const [MINED, MARKED, COVERED] = [252, 254, 255];
    const states = {
        open: [0], number: [3], clue: [3, 'clues'], clash: [3, 'clash'], played: [3, 'played'],
        covered: [COVERED], marked: [MARKED], safe: [COVERED, 'safe'], mined: [COVERED, 'mined'],
        'marked, safe': [MARKED, 'safe'], 'marked, mined': [MARKED, 'mined'], wrong: [MARKED],
        mine: [MINED], exploded: [MINED, 'exploded'], best: [COVERED, 'best'],
        guess: [COVERED, 'guess'], chance: [COVERED], cursor: [COVERED],
    };
    const names = Object.keys(states);
    const codes = [...Object.values(states).map(([code]) => code), ...Array(18).fill(COVERED)];
    const tints = {chances: {[names.indexOf('chance')]: 0.4}};
    names.forEach((name, cell) => {
        if (states[name][1]) (tints[states[name][1]] ??= []).push(cell);
    });
    tints.truth = codes.map((code) => code === COVERED ? COVERED : MINED);
    tints.truth[names.indexOf('wrong')] = 0;
    board.set(codes);
    board.tint(tints);
    board.focus(names.indexOf('cursor'));
    place.querySelector('.board').classList.add('keyed');
    return names;
}"""
# Where the cells are; the cursor reaches a little beyond its cell.
BOXES = """() => [...document.querySelectorAll('[data-cell]')]
    .map((cell) => cell.getBoundingClientRect())
    .map((box) => [box.left - 2, box.top - 2, box.right + 2, box.bottom + 2].map(Math.round))"""

# Note every movement as it begins: an animation or a transition of anything but opacity.
NOTE_MOTION = """
    window.moved = [];
    const PLAIN = ['opacity', 'offset', 'computedOffset', 'easing', 'composite'];
    const look = () => {
        for (const {effect} of document.getAnimations()) {
            const names = effect.getKeyframes().flatMap(Object.keys);
            const moving = names.filter((name) => !PLAIN.includes(name));
            if (moving.length) window.moved.push(`${effect.target.className}: ${moving}`);
        }
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
"""

STICKING_OUT = """() => [...document.querySelectorAll('.panel, .header, .nav, .status')]
    .filter((node) => node.scrollWidth > node.clientWidth)
    .map((node) => `${node.className}: ${node.scrollWidth} in ${node.clientWidth}`)"""
# In some versions of Chromium, Tab continues from what was last scrolled into view.
NOTE_SCROLLS = """
window.scrolled = [];
Element.prototype.scrollIntoView = function () { scrolled.push(this.className); };"""
# A field can also be pressed by its label, so the label's height counts.
LOW_CONTROLS = """() => [...document.querySelectorAll('button, input, select, summary, a.button')]
    .filter((node) => node.checkVisibility({visibilityProperty: true}))
    .map((node) => [node, (node.closest('label') ?? node).getBoundingClientRect().height])
    .filter(([, height]) => height < 40)
    .map(([node, height]) => `${height} ${node.outerHTML}`)"""


def wear(page: Page, look: dict[str, Any]) -> None:
    """Ask for a look, and wait until the page has it."""
    page.emulate_media(**look)
    more = look["contrast"] == "more" or look["forced_colors"] == "active"
    wanted = [look["color_scheme"], "more" if more else "normal"]
    page.wait_for_function(
        "([theme, contrast]) => { const {dataset} = document.documentElement;"
        " return dataset.theme === theme && dataset.contrast === contrast; }",
        arg=wanted,
    )


def test_all_text_and_all_controls_stand_out_from_their_ground(page: Page) -> None:
    for path in PAGES:
        come(page, path)
        for look in LOOKS:
            wear(page, look)
            assert page.evaluate(WEAK, [TEXT, SIGN]) == [], (path, look)


def test_numbers_and_signs_stand_out_from_every_cell(page: Page) -> None:
    come(page, "/")
    pairs = [
        (sign, ground)
        for signs, grounds in SIGNS.items()
        for sign in signs.split()
        for ground in grounds.split()
    ]
    for look in LOOKS:
        wear(page, look)
        assert page.evaluate(FAINT, [pairs, SIGN]) == [], look


@pytest.mark.parametrize("topology", ["moore", "hex"])
def test_every_state_of_a_cell_is_told_apart_without_colour(
    visit: Callable[..., Page], topology: str
) -> None:
    page = visit(viewport={"width": 900, "height": 500})
    come(page, "/")
    names = page.evaluate(STATES, topology)
    page.mouse.move(0, 0)
    eyes = page.context.new_cdp_session(page)
    eyes.send("Emulation.setEmulatedVisionDeficiency", {"type": "achromatopsia"})
    for look in [*LOOKS, {**LOOKS[0], "forced_colors": "active"}]:
        wear(page, look)
        faces = dict(zip(names, pictures(page), strict=False))
        for one, other in combinations(names, 2):
            # The share of pixels that differ by a sixth of the way from black to white.
            differ = np.mean(np.abs(faces[one] - faces[other]) > 42)
            assert differ > 0.03, (look, one, other)


def pictures(page: Page) -> list[NDArray[np.int16]]:
    """Take a picture of each cell, without colours and all at one size."""
    whole = Image.open(BytesIO(page.screenshot())).convert("L")
    boxes = page.evaluate(BOXES)
    cut = (whole.crop(box).resize((48, 48)) for box in boxes)
    return [np.asarray(one, dtype=np.int16) for one in cut]


@pytest.mark.parametrize("asked", ["by the system", "in the settings"])
def test_nothing_moves_where_less_motion_is_asked_for(
    visit: Callable[..., Page], asked: str
) -> None:
    page = visit(reduced_motion="reduce" if asked == "by the system" else "no-preference")
    page.add_init_script(NOTE_MOTION)
    player = Player(page)
    player.begin("9x9x10", 3, "open")
    if asked == "in the settings":
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("group", name="Motion").get_by_text("Reduced").click()
        page.keyboard.press("Escape")
    page.evaluate("window.moved = []")
    player.set("Chances")
    player.open(40)
    player.twin.give_up()
    page.locator(f"[data-cell='{min(player.twin.minefield)}']").click()
    expect(player.end).to_be_visible()
    page.get_by_role("button", name="New game", exact=True).hover()
    assert page.evaluate("window.moved") == []


def test_a_dialog_keeps_the_focus_and_gives_it_back(page: Page) -> None:
    come(page, "/watch")
    button = page.get_by_role("button", name="Settings")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    inside = (
        "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
    )
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate(inside)
    page.keyboard.press("Escape")
    expect(button).to_be_focused()


def test_a_chosen_look_holds_where_the_browser_keeps_nothing(page: Page) -> None:
    nothing = "() => { throw new DOMException('denied', 'SecurityError'); }"
    page.add_init_script(f"Object.defineProperty(window, 'localStorage', {{ get: {nothing} }})")
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Dark").check(force=True)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize("width", [360, 1280])
def test_the_first_key_leads_past_the_header_to_the_content(
    visit: Callable[..., Page], width: int
) -> None:
    page = visit(viewport={"width": width, "height": 740})
    page.add_init_script(NOTE_SCROLLS)
    skip = page.get_by_role("link", name="Skip to content")
    for path in [*PAGES, "/api", "/nowhere"]:
        come(page, path)
        assert page.evaluate("window.scrolled") == [], path
        page.keyboard.press("Tab")
        expect(skip, path).to_be_focused()
        expect(skip, path).to_be_in_viewport()
        page.keyboard.press("Enter")
        expect(page.locator("main"), path).to_be_focused()


def test_nothing_sticks_out_of_its_panel_on_a_narrow_or_a_wide_screen(page: Page) -> None:
    for path in PAGES:
        come(page, path)
        for width in (320, 360, 768, 1024, 2560):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            assert page.evaluate(STICKING_OUT) == [], (path, width)


def test_a_finger_finds_controls_of_40_pixels(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    for path in PAGES:
        come(page, path)
        assert page.evaluate(LOW_CONTROLS) == [], path
