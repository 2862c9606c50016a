"""The Bullets page: a pencil in any hand, help in steps, days, the worked solution, paper."""

import io
import json
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Locator, Page, expect
from processes import wait_until
from pypdf import PdfReader

import minewright as mw
from browser.player import hold, noon
from minewright.bullets import solve
from minewright.web.puzzles.routes import encode

PUZZLE: Final = mw.bullets.Puzzle.parse("5x5x7\n#12##\n1##3#\n2####\n#234#\n####2")
FREE: Final = [cell for cell in PUZZLE.hidden if cell not in PUZZLE.solution]
PHONE: Final = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
Mark = Literal["hidden", "bullet", "slash"]


class Desk:
    """The board of a puzzle, and what is beside it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.help = page.get_by_role("region", name="Help")

    def open(self, puzzle: mw.bullets.Puzzle = PUZZLE) -> "Desk":
        self.page.goto(f"/bullets?p={encode(puzzle)}")
        expect(self.page.get_by_role("gridcell")).to_have_count(puzzle.topology.size)
        return self

    def cell(self, cell: int) -> Locator:
        return self.page.locator(f"[role=grid] [data-cell='{cell}']")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def wait_until_kept(self, is_it: Callable[[Any], object]) -> None:
        """Wait until the server keeps such a state: a reload may overtake what is on its way."""

        def kept() -> bool:
            found = self.page.request.get("/api/me/puzzles").json()
            return any(is_it(json.loads(one["marks"])) for one in found)

        assert wait_until(kept)

    def shows(self, mark: Mark, cells: Iterable[int]) -> None:
        """Check that exactly these cells have the mark `mark`."""
        marked = self.page.locator(f"[role=gridcell][aria-label*=': {mark}']")
        wanted = sorted(cells)
        expect(marked).to_have_count(len(wanted))
        assert marked.evaluate_all("(spots) => spots.map((spot) => +spot.dataset.cell)") == wanted


@pytest.fixture
def desk(page: Page) -> Desk:
    return Desk(page)


def test_a_wrong_mark_is_found_shown_and_rubbed_out(desk: Desk) -> None:
    desk.open().cell(FREE[0]).click()
    desk.press("Check")
    expect(desk.help).to_contain_text("Something is wrong.")
    desk.press("Show where")
    expect(desk.cell(FREE[0])).to_have_attribute("aria-label", re.compile("bullet, wrong"))
    desk.press("Erase it")
    desk.shows("bullet", [])
    # The button that was pressed is gone, so the focus moves to the board.
    expect(desk.cell(FREE[0])).to_be_focused()


def test_a_stroke_of_the_mouse_is_one_step_to_take_back(desk: Desk) -> None:
    desk.open()
    row = next(
        line[at : at + 2]
        for line in (range(start, start + 5) for start in range(0, 25, 5))
        for at in range(4)
        if set(line[at : at + 2]) <= set(PUZZLE.hidden)
    )
    desk.cell(row[0]).hover()
    desk.page.mouse.down(button="right")
    desk.cell(row[1]).hover()
    desk.page.mouse.up(button="right")
    desk.shows("slash", row)
    desk.press("Undo")
    desk.shows("slash", [])
    expect(desk.page.get_by_role("button", name="Undo")).to_be_disabled()
    desk.press("Redo")
    desk.shows("slash", row)


def test_marks_and_what_can_be_taken_back_survive_a_reload(desk: Desk) -> None:
    first, second, *rest = sorted(PUZZLE.solution)
    desk.open().cell(first).click()
    desk.cell(FREE[0]).click(button="right")
    desk.cell(second).click()
    desk.press("Undo")
    desk.wait_until_kept(lambda state: state["strokes"]["future"])
    desk.page.reload()
    desk.shows("bullet", [first])
    desk.shows("slash", [FREE[0]])
    desk.press("Redo")
    desk.shows("bullet", [first, second])
    for _ in range(2):
        desk.press("Undo")
    desk.shows("slash", [])
    for cell in (second, *rest):
        desk.cell(cell).click()
    expect(desk.help).to_contain_text("Solved in")
    expect(desk.help).not_to_contain_text("with help")
    desk.wait_until_kept(lambda state: state["solved"])
    desk.page.reload()
    expect(desk.help).to_contain_text("Solved in")
    desk.press("Solve again")
    desk.shows("bullet", [])


def test_the_keyboard_alone_solves_a_puzzle_by_hints(desk: Desk) -> None:
    keyboard = desk.open().page.keyboard
    steps = [re.compile(words) for words in ("lit cells", "framed|left", "so ")]
    solved = desk.page.locator(".status[data-state=solved]")
    for _ in range(len(PUZZLE.hidden)):
        for words in steps:
            keyboard.press("h")
            expect(desk.help.get_by_role("status")).to_contain_text(words)
        expect(desk.page.get_by_role("button", name="Draw it in")).to_be_visible()
        with desk.page.expect_response("**/api/me/puzzles/**"):
            keyboard.press("d")
        expect(desk.page.get_by_role("button", name="Draw it in")).to_have_count(0)
        if desk.page.locator(".counter .dot + span").text_content() == "0":
            break
    expect(solved).to_be_visible()
    desk.shows("bullet", PUZZLE.solution)
    expect(desk.help).to_contain_text("with help")


def test_keys_draw_rub_out_and_take_back(desk: Desk) -> None:
    cell = PUZZLE.hidden[0]
    keyboard = desk.open().page.keyboard
    desk.cell(cell).focus()
    for key, mark in [
        ("Enter", "bullet"),
        ("Space", "slash"),
        ("Delete", "hidden"),
        ("b", "bullet"),
        ("x", "slash"),
        ("u", "bullet"),
        ("r", "slash"),
        ("Control+z", "bullet"),
    ]:
        keyboard.press(key)
        expect(desk.cell(cell)).to_have_attribute("aria-label", re.compile(f": {mark}"))


def test_a_finger_taps_bullets_and_presses_slashes(visit: Callable[..., Page]) -> None:
    desk = Desk(visit(**PHONE)).open()
    touch = desk.page.context.new_cdp_session(desk.page)
    spot = desk.cell(FREE[0])
    box = spot.bounding_box()
    assert box is not None
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(spot).to_have_attribute("aria-label", re.compile("slash"))
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    # Tapping a clue shows what it counts.
    clue, _ = PUZZLE.clues[0]
    desk.cell(clue).tap()
    expect(desk.page.locator(".near")).to_have_count(len(PUZZLE.topology.neighbours(clue)))
    for cell in sorted(PUZZLE.solution):
        desk.cell(cell).tap()
    expect(desk.help).to_contain_text("Solved in")
    desk.shows("slash", [FREE[0]])


def test_help_before_the_first_mark_is_not_forgotten(desk: Desk) -> None:
    desk.open()
    with desk.page.expect_response("**/api/me/puzzles/**"):
        desk.press("Hint")
    desk.page.reload()
    *most, last = sorted(PUZZLE.solution)
    for cell in most:
        desk.cell(cell).click()
    expect(desk.page.get_by_role("img", name="1 bullet left")).to_be_visible()
    desk.cell(last).click()
    expect(desk.help).to_contain_text("with help")


def test_what_is_drawn_in_one_tab_is_seen_in_the_other(desk: Desk) -> None:
    other = Desk(desk.open().page.context.new_page()).open()
    with other.page.expect_response("**/api/me/puzzles/**"):
        other.cell(FREE[0]).click()
    # Headless Chromium treats all its tabs as visible.
    desk.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    desk.shows("bullet", [FREE[0]])


def two_windows(desk: Desk) -> tuple[Desk, Desk]:
    """Draw one mark in a window, then two more in another beside it; return both windows."""
    first, second, third, *_ = sorted(PUZZLE.solution)
    with desk.open().page.expect_response("**/api/me/puzzles/**"):
        desk.cell(first).click()
    other = Desk(desk.page.context.new_page()).open()
    other.shows("bullet", [first])
    other.cell(second).click()
    other.cell(third).click()
    other.wait_until_kept(lambda state: state["marks"].count("o") == 3)
    return desk, other


def test_closing_a_window_takes_back_no_marks_from_another(desk: Desk) -> None:
    stale, other = two_windows(desk)
    with stale.page.expect_response("**/api/me/puzzles/**") as refused:
        stale.page.evaluate("dispatchEvent(new Event('pagehide'))")
    assert refused.value.status == 409
    other.page.reload()
    other.shows("bullet", sorted(PUZZLE.solution)[:3])


def test_marks_on_an_outdated_window_give_way_to_newer_ones_and_it_says_so(desk: Desk) -> None:
    stale, _ = two_windows(desk)
    stale.cell(FREE[0]).click()
    expect(stale.page.get_by_text("in another window")).to_be_visible()
    stale.shows("bullet", sorted(PUZZLE.solution)[:3])
    # From here on it is as good as the other.
    stale.cell(FREE[0]).click()
    stale.wait_until_kept(lambda state: state["marks"].count("o") == 4)


def test_many_marks_on_an_outdated_window_do_not_outnumber_newer_ones(desk: Desk) -> None:
    stale, _ = two_windows(desk)
    held = hold(stale.page, "**/api/me/puzzles/**", 1)
    with stale.page.expect_request("**/api/me/puzzles/**"):
        stale.cell(FREE[0]).click()
    for cell in FREE[1:4]:
        stale.cell(cell).click()
    held[0].continue_()
    expect(stale.page.get_by_text("in another window")).to_be_visible()
    stale.shows("bullet", sorted(PUZZLE.solution)[:3])


def test_a_window_beside_the_one_where_a_puzzle_is_solved_does_not_unsolve_it(desk: Desk) -> None:
    stale = Desk(desk.open().page.context.new_page()).open()
    for cell in sorted(PUZZLE.solution):
        desk.cell(cell).click()
    expect(desk.help).to_contain_text("Solved in")
    with stale.page.expect_response("**/api/me/puzzles/**"):
        stale.cell(FREE[0]).click()
    stale.page.evaluate("dispatchEvent(new Event('focus'))")
    expect(stale.help).to_contain_text("Solved in")
    stale.shows("bullet", PUZZLE.solution)
    desk.page.reload()
    expect(desk.help).to_contain_text("Solved in")


def test_a_wish_that_cannot_be_is_not_offered_and_a_damaged_one_is_mended(desk: Desk) -> None:
    page = desk.page
    wish = '{"taste": null, "size": 99, "symmetry": "knot"}'
    page.add_init_script(f"localStorage.setItem('minewright.bullets.wish', '{wish}')")
    desk.open()
    page.get_by_text("Board, pattern, effort, seed").click()
    turned = page.get_by_role("radio", name="Rotated")
    page.get_by_text("Rotated").click()
    page.get_by_label("Board", exact=True).select_option("hex")
    expect(turned).to_be_disabled()
    pattern = page.get_by_role("group", name="Clue pattern")
    expect(pattern.get_by_role("radio", name="Any")).to_be_checked()
    page.get_by_label("Board", exact=True).select_option("torus")
    expect(turned).to_be_enabled()


def test_a_wave_goes_through_a_solved_puzzle_unless_motion_is_unwanted(
    visit: Callable[..., Page],
) -> None:
    for wish, name in (("no-preference", "cheer"), ("reduce", "none")):
        desk = Desk(visit(reduced_motion=wish)).open()
        for cell in sorted(PUZZLE.solution):
            desk.cell(cell).click()
        bullet = desk.page.locator(".won .bullet").first
        expect(bullet).to_have_css("animation-name", name)


def test_the_day_is_the_persons_own(visit: Callable[..., Page]) -> None:
    # The places where tomorrow comes first, and where today lasts longest.
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        page = visit(timezone_id=zone)
        before = datetime.now(ZoneInfo(zone)).date()
        with page.expect_response("**/api/bullets/daily?**") as waited:
            page.goto("/bullets")
        after = datetime.now(ZoneInfo(zone)).date()
        assert waited.value.json()["date"] in (str(before), str(after))


def test_days_solved_in_a_row_are_counted_and_stay_so(visit: Callable[..., Page]) -> None:
    desk = Desk(visit(timezone_id=noon()))
    page = desk.page
    page.goto("/bullets")
    expect(page.get_by_role("gridcell").first).to_be_visible()
    today = page.get_by_label("Another day").get_attribute("max")
    assert today is not None
    now = datetime.fromisoformat(today).date()
    for ago in (2, 1):
        kept = '{"marks": "", "solved": true}'
        path = f"/api/me/puzzles/day-{now - timedelta(ago)}"
        assert page.request.put(path, data={"marks": kept}).ok
    page.reload()
    streak = page.get_by_text("days in a row")
    expect(streak).to_have_text("2 days in a row")
    days = page.get_by_role("group", name="Last seven days").get_by_role("button")
    for day in (days.nth(5), days.nth(6)):
        day.press("Enter")
        expect(day).to_have_attribute("aria-current", "date")
        expect(day).to_be_focused()
    solution = mw.bullets.daily(now).solution
    for cell in sorted(solution):
        desk.cell(cell).click()
    expect(desk.help).to_contain_text("That's 3 days in a row.")
    expect(days.nth(6)).to_have_attribute("data-state", "solved")
    desk.press("Solve again")
    expect(days.nth(6)).to_have_attribute("data-state", "solved")


def test_a_day_is_chosen_by_its_date_and_one_that_cannot_be_changes_nothing(desk: Desk) -> None:
    page = desk.page
    page.goto("/bullets?day=2000-01-10")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_contain_text("Monday 10 January")
    field = page.get_by_label("Another day")
    field.fill("2000-01-12")
    field.blur()
    expect(heading).to_contain_text("Wednesday 12 January")
    assert page.url.endswith("day=2000-01-12")
    page.go_back()
    expect(heading).to_contain_text("Monday 10 January")
    for day in ("0202-01-05", str(datetime.now(UTC).date() + timedelta(9))):
        field.fill(day)
        field.blur()
        expect(field).to_have_value("2000-01-10")
    assert page.url.endswith("day=2000-01-10")
    page.goto("/bullets?day=1999-12-31")
    expect(page.get_by_role("alert")).to_contain_text("does not exist")
    expect(page.get_by_role("gridcell").first).to_be_visible()
    assert page.url.endswith("/bullets")


def test_the_worked_solution_is_walked_through_by_keys(visit: Callable[..., Page]) -> None:
    desk = Desk(visit(**PHONE)).open()
    page = desk.page
    page.get_by_text("Worked solution").click()
    steps = page.get_by_role("list", name="Steps").get_by_role("listitem")
    expected = solve(PUZZLE).steps
    expect(steps).to_have_count(len(expected))
    steps.first.focus()
    for step, reason in enumerate(expected):
        expect(steps.nth(step)).to_be_focused()
        expect(steps.nth(step)).to_be_in_viewport(ratio=0.5)
        expect(steps.nth(step)).to_contain_text(reason.sentence)
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    expect(steps.first).to_be_focused()


def test_the_sheet_is_one_page_with_its_day_from_the_printer_and_as_a_file(desk: Desk) -> None:
    page = desk.page
    page.goto("/bullets?day=2000-01-16")
    expect(page.get_by_role("gridcell").first).to_be_visible()
    printed = [page.pdf(format=paper) for paper in ("A4", "Letter")]
    for name in ("PDF, A4", "PDF, Letter"):
        with page.expect_download() as waited:
            desk.press(name)
        assert waited.value.suggested_filename == "bullets-2000-01-16.pdf"
        printed.append(waited.value.path().read_bytes())
    for data in printed:
        (sheet,) = PdfReader(io.BytesIO(data)).pages
        text = " ".join(sheet.extract_text().split())
        assert "Sunday 16 January 2000" in text
        assert "Find 24 bullets" in text
        assert "Check" not in text
