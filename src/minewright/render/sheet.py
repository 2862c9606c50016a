"""One Bullets puzzle on a PDF sheet: large, with its rules, and the solution upside down below."""

from typing import Final

from minewright.bullets.printed import BookError, Paper, PrintedPuzzle
from minewright.bullets.sheet import Sheet
from minewright.render.pdf import CLUE, DARK, GREY, SIDE, SMALL_CELL, TOP, Board, Pages
from minewright.topology import Point

# All lengths are in millimetres, except type sizes, which are in points.
HEAD: Final = 37.0
"""The space for title, day and rules."""
TALLY: Final = 12.0
"""The row of small circles below the puzzle."""
FOLD: Final = 9.0
"""The space around the line where the solution can be folded away."""
EDGE: Final = 14.0
"""The space below the solution."""
MOST_CELL: Final = 22.0

_TYPE: Final = 11.0
_CODE, _LEAST = 24.0, 17.0
"""The side of the QR code, if it has room, and the least height behind the fold for it."""
_SOLUTION: Final = 50.0
"""The greatest height of a solution."""


def draw(sheet: Sheet, paper: Paper) -> bytes:
    """Draw a sheet on `a4` or `letter`. Raise BookError if the puzzle is too large."""
    pages = Pages(f"{sheet.title}, {sheet.subtitle}", paper)
    puzzle = sheet.entry.puzzle
    link = sheet.entry.link
    small, (_, solution) = _solution_size(pages, sheet.entry)
    behind = max(solution, _LEAST) if link else solution
    fold = pages.pdf.h - EDGE - behind - FOLD
    top, room = TOP + HEAD, fold - FOLD / 2 - TALLY - TOP - HEAD
    wide, high = puzzle.topology.extent
    cell = min(MOST_CELL, pages.across / wide, room / high)
    if cell < SMALL_CELL:
        raise BookError(f"the puzzle is too large to print on one sheet of {paper}")
    pages.pdf.add_page()
    _head(pages, sheet)
    x = (pages.pdf.w - wide * cell) / 2
    # The remaining space goes above and below the puzzle, more of it below.
    y = top + 0.4 * (room - high * cell)
    Board(pages, puzzle.topology, x, y, cell).draw(puzzle.position, tint=CLUE)
    below = y + high * cell + 6
    taken = pages.link(x + wide * cell, below + 1, "puzz.link", link) + 4 if link else 0.0
    pages.tally(x, below, wide * cell - taken, puzzle.bullets)
    _fold(pages, fold)
    _solution(pages, sheet.entry, small)
    if link:
        _code(pages, link, fold + FOLD / 2, behind - 4)
    pages.text(SIDE, pages.pdf.h - EDGE, sheet.imprint, 8, grey=GREY)
    return bytes(pages.pdf.output())


def _head(pages: Pages, sheet: Sheet) -> None:
    """Write the title, the day, the difficulty and the rules."""
    pages.text(SIDE, TOP + 8, sheet.title, pages.fitting(sheet.title, 26, "B"), "B")
    pages.text(SIDE, TOP + 16, sheet.subtitle, 13, grey=DARK)
    pages.level(pages.right, TOP + 16, sheet.entry.difficulty)
    size = min(pages.fitting(rule, _TYPE) for rule in sheet.rules)
    for line, rule in enumerate(sheet.rules):
        pages.text(SIDE, TOP + 25 + 5.4 * line, rule, size)


def _fold(pages: Pages, y: float) -> None:
    """Draw the line where the solution can be folded away."""
    pages.pdf.set_line_width(0.2)
    pages.pdf.set_draw_color(GREY)
    pages.pdf.set_dash_pattern(1.2, 1.6)
    pages.pdf.line(SIDE, y, pages.right, y)
    pages.pdf.set_dash_pattern()


def _code(pages: Pages, link: str, y: float, side: float) -> None:
    """Draw the link as a code to scan at the bottom left, beside the solution."""
    side = pages.code(SIDE, y, link, min(_CODE, side))
    if side:
        pages.text(SIDE + side + 3, y + 3, "Scan to solve", 8, grey=GREY)
        pages.text(SIDE + side + 3, y + 6.6, "it on puzz.link", 8, grey=GREY)


def _solution(pages: Pages, entry: PrintedPuzzle, cell: float) -> None:
    """Draw the solution upside down at the bottom right."""
    wide, high = (side * cell for side in entry.puzzle.topology.extent)
    x, y = pages.right - wide, pages.pdf.h - EDGE - high
    with pages.pdf.rotation(180, x + wide / 2, y + high / 2):
        Board(pages, entry.puzzle.topology, x, y, cell).draw(
            entry.solved, slashes=False, solid=True
        )
        pages.text(x + wide + 3, y + 3, "Solution", 8, grey=GREY)


def _solution_size(pages: Pages, entry: PrintedPuzzle) -> tuple[float, Point]:
    """Return the cell size of the solution, and the size of the whole."""
    wide, high = entry.puzzle.topology.extent
    cell = min(SMALL_CELL, _SOLUTION / high, 0.6 * pages.across / wide)
    return cell, (wide * cell, high * cell)
