"""The pattern book as SVG: little boards in the order of their frequency."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from minewright.messages import counted
from minewright.render.steps import step_board
from minewright.render.svg import CELL, MARGIN, page, short, write

if TYPE_CHECKING:
    from minewright.patterns import Book, Pattern

COLUMNS: Final = 6
_LINES: Final = 1.6
"""The room for two lines of words below each row of boards, in cells."""
_LEAST: Final = 5.0
"""The least width of a column, in cells: its words need room."""
_SCALE: Final = 0.75


def book_svg(book: "Book", count: int = 24) -> str:
    """Draw the `count` most frequent patterns, each with its name and how often it is met."""
    drawn = book.patterns[:count]
    rows = [drawn[at : at + COLUMNS] for at in range(0, len(drawn), COLUMNS)]
    across = max([_LEAST, *(one.form.position.shape[0] + 1.0 for one in drawn)])
    content: list[str] = []
    top = MARGIN
    for number, row in enumerate(rows):
        height = max(one.form.position.shape[1] for one in row)
        content += _row(row, number * COLUMNS, across, top, height, book.games)
        top += height + _LINES + MARGIN
    size = ((min(COLUMNS, len(drawn)) * across + MARGIN) * CELL, top * CELL)
    return page(
        "Minesweeper patterns",
        f"The {len(drawn)} most frequent patterns of {counted(book.games, 'game')}.",
        size,
        content,
        _SCALE,
    )


def _row(
    row: Sequence["Pattern"], before: int, across: float, top: float, height: int, games: int
) -> Iterator[str]:
    for column, one in enumerate(row):
        step = one.form.step
        width, own = one.form.position.shape
        middle = (MARGIN / 2 + (column + 0.5) * across) * CELL
        x = middle - (width / 2 + MARGIN) * CELL
        y = (top + height - own - MARGIN) * CELL
        yield f'<g transform="translate({short(x)} {short(y)})">'
        yield f"<title>{escape(step.sentence)}</title>"
        yield from step_board(step.after, step).body()
        yield "</g>"
        line = (top + height + 0.65) * CELL
        yield write(middle, line, f"{before + column + 1}. {one.name.capitalize()}", "label step")
        rate = f"{100 * one.steps / games:,.1f} per 100 games"
        yield write(middle, line + 0.6 * CELL, rate, "label")
