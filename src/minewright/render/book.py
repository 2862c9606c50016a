"""A book of Bullets puzzles as PDF: cover, rules, worked example, puzzles, hints, solutions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from minewright.bullets.book import Book
from minewright.bullets.printed import BookError, Paper, PrintedPuzzle
from minewright.bullets.solution import Solution, SolutionStep
from minewright.deduction.phrases import spelled
from minewright.messages import counted
from minewright.render.pdf import CLUE, DARK, GREY, SIDE, SMALL_CELL, TOP, Board, Pages
from minewright.topology import Point

# All lengths are in millimetres, except type sizes, which are in points.
GAP: Final = 8.0
"""The space between two puzzles."""
HEAD: Final = 8.0
"""The line above a puzzle."""
TALLY: Final = 7.0
"""The row of small circles below it, one per bullet."""
LEAST_CELL: Final = 11.0
"""The cell size that suits a pencil: a page holds more puzzles only if they keep it."""
MOST_CELL: Final = 14.0

_SOLUTION_GAP: Final = 6.0
_CODE: Final = 14.0
"""The side of a QR code, unless it has too many modules."""


def draw(book: Book, paper: Paper) -> bytes:
    """Draw a book on `a4` or `letter`. Raise BookError if a puzzle fits on no page."""
    pages = Pages(book.title, paper)
    for entry in book.entries:
        width, height = entry.puzzle.topology.extent
        if _cell_size(pages, 1, 1, (width, height)) < SMALL_CELL:
            across, down = (int(side / SMALL_CELL) for side in _room(pages, 1, 1))
            raise BookError(
                f"puzzle {entry.number} is too large to print: {paper} has room for"
                f" {across} by {down} cells"
            )
    _cover(pages, book)
    _rules(pages, book)
    if book.example:
        _example(pages, book.example)
    _puzzles(pages, book.entries)
    _hints(pages, book.entries)
    _solutions(pages, book.entries)
    return bytes(pages.pdf.output())


def _cover(pages: Pages, book: Book) -> None:
    pages.pdf.add_page()
    middle, height = pages.pdf.w / 2, pages.pdf.h
    y = pages.title(0.13 * height, book.title)
    pages.text(middle, y + 8, book.subtitle, 15, grey=DARK, at=0.5)
    emblem = (
        book.example.steps[-1].deduction.after if book.example else book.entries[0].puzzle.position
    )
    wide, high = emblem.topology.extent
    cell = 100 / max(wide, high)
    board = Board(
        pages, emblem.topology, middle - wide * cell / 2, 0.57 * height - high * cell / 2, cell
    )
    board.draw(emblem, tint=CLUE, slashes=False, solid=True)
    pages.text(middle, height - 16, book.imprint, 9, grey=GREY, at=0.5)


def _rules(pages: Pages, book: Book) -> None:
    pages.page("Rules")
    y = pages.heading("Rules")
    y = pages.paragraph(SIDE, y, pages.across, "Bullets are hidden in a grid. Find them all.", 12)
    for number, rule in enumerate(book.rules, 1):
        y += 2.5
        pages.text(SIDE + 4, pages.baseline(y, 12), str(number), 12, "B", at=1.0)
        y = pages.paragraph(SIDE + 9, y, pages.across - 9, rule, 12)
    if book.example:
        y = _before_and_after(pages, book.example, y + 6)
    pages.text(SIDE, y + 9, "How to find them", 15, "B")
    y += 12
    for name, hint in book.hints:
        y = pages.paragraph(SIDE, y, pages.across, f"**{name}.** {hint}", 12) + 2.5


def _before_and_after(pages: Pages, example: Solution, y: float) -> float:
    """Draw a puzzle and its solution side by side; return where they end."""
    first, last = example.puzzle.position, example.steps[-1].deduction.after
    wide, high = first.topology.extent
    cell = min(9.0, 60 / max(wide, high))
    for position, part, caption in (
        (first, 0.25, f"A puzzle with {counted(first.mines or 0, 'bullet')}"),
        (last, 0.75, "Its solution: circles are bullets, slashes empty cells"),
    ):
        middle = SIDE + part * pages.across
        Board(pages, first.topology, middle - wide * cell / 2, y, cell).draw(position, tint=CLUE)
        pages.text(middle, y + high * cell + 5, caption, 9.5, grey=DARK, at=0.5)
    return y + high * cell + 14


def _example(pages: Pages, example: Solution) -> None:
    pages.page("Worked example")
    y = pages.heading("Worked example")
    first = example.puzzle.position
    wide, high = first.topology.extent
    cell = min(7.5, 45 / max(wide, high))
    text = SIDE + (wide + 1.6) * cell
    row = high * cell + 9
    start = (
        f"This grid hides {counted(first.mines or 0, 'bullet')}. Each picture below shows it after"
        " one more step. The numbers used have a thick outline, and the cells that follow from"
        " them are shaded: a circle is a bullet, a slash is an empty cell."
    )
    for at, step in enumerate((None, *example.steps)):
        if y + row - 4 > pages.bottom:
            pages.page()
            y = TOP + 6
        board = Board(pages, first.topology, SIDE + 0.8 * cell, y, cell)
        if step is None:
            board.draw(first)
        else:
            board.draw(step.deduction.after, clues=step.clues, deduced=step.deduction.cells)
        board.labels()
        name = f"Step {at}: {_means(step)}" if step else "The puzzle"
        pages.text(text, y + 4, name, 12, "B")
        pages.paragraph(text, y + 7, pages.right - text, step.sentence if step else start)
        y += row


def _means(step: SolutionStep) -> str:
    """Return what a step needs: clues, the total, or both."""
    means = [spelled(len(step.clues), "clue")] if step.clues else []
    return " and ".join([*means, "the total"] if step.deduction.total else means)


@dataclass(frozen=True, slots=True)
class _Layout:
    """How many puzzles a page holds, and the size of their cells."""

    columns: int
    rows: int
    cell: float


def _layout(pages: Pages, extent: Point) -> _Layout:
    """Return the layout with the most puzzles that suit a pencil; at least one, made to fit."""
    wide, high = extent
    best = _Layout(1, 1, _cell_size(pages, 1, 1, extent))
    for columns in range(1, int(pages.across / (wide * LEAST_CELL)) + 1):
        for rows in range(1, int(pages.down / (high * LEAST_CELL)) + 1):
            cell = _cell_size(pages, columns, rows, extent)
            if cell >= LEAST_CELL and (columns * rows, cell) > (
                best.columns * best.rows,
                best.cell,
            ):
                best = _Layout(columns, rows, cell)
    return best


def _room(pages: Pages, columns: int, rows: int) -> Point:
    """Return the room for each board if a page holds this many columns and rows."""
    return (
        (pages.across - GAP * (columns - 1)) / columns,
        (pages.down - GAP * (rows - 1)) / rows - HEAD - TALLY,
    )


def _cell_size(pages: Pages, columns: int, rows: int, extent: Point) -> float:
    sizes = (room / side for room, side in zip(_room(pages, columns, rows), extent, strict=True))
    return min(MOST_CELL, *sizes)


def _puzzles(pages: Pages, entries: Sequence[PrintedPuzzle]) -> None:
    section = "Puzzles"
    while entries:
        count, extent = _fill(pages, entries)
        layout = _layout(pages, extent)
        pages.page(section)
        section = ""
        room, _ = _room(pages, layout.columns, layout.rows)
        tall = HEAD + extent[1] * layout.cell + TALLY
        # Spread the remaining space equally above, between and below the rows.
        free = (pages.down - layout.rows * tall) / (layout.rows + 1)
        for at, entry in enumerate(entries[:count]):
            row, column = divmod(at, layout.columns)
            wide, _ = entry.puzzle.topology.extent
            x = SIDE + column * (room + GAP) + (room - wide * layout.cell) / 2
            _puzzle(pages, entry, x, TOP + free + row * (tall + free), layout.cell)
        entries = entries[count:]


def _fill(pages: Pages, entries: Sequence[PrintedPuzzle]) -> tuple[int, Point]:
    """Return how many puzzles go on the next page, and the size of the largest of them.

    Puzzles of several sizes share a page if it has room for as many of the largest size.
    """
    count, extent = 0, (0.0, 0.0)
    for entry in entries:
        wide, high = entry.puzzle.topology.extent
        larger = max(extent[0], wide), max(extent[1], high)
        layout = _layout(pages, larger)
        if count and layout.columns * layout.rows <= count:
            break
        count, extent = count + 1, larger
    return count, extent


def _puzzle(pages: Pages, entry: PrintedPuzzle, x: float, y: float, cell: float) -> None:
    puzzle = entry.puzzle
    wide, high = (side * cell for side in puzzle.topology.extent)
    right = x + wide
    after = pages.text(x, y + 5.5, str(entry.number), 16, "B")
    kind = "" if puzzle.topology.name == "moore" else f", {puzzle.topology.name}"
    pages.text(x + after + 3, y + 5.5, counted(puzzle.bullets, "bullet") + kind, 11)
    pages.level(right, y + 5.5, entry.difficulty)
    board = Board(pages, puzzle.topology, x, y + HEAD, cell)
    board.draw(puzzle.position, tint=CLUE)
    below = y + HEAD + high + 4.2
    link = pages.link(right, below + 1, "puzz.link", entry.link) if entry.link else 0.0
    pages.tally(x, below, wide - link - 4, puzzle.bullets)


def _hints(pages: Pages, entries: Sequence[PrintedPuzzle]) -> None:
    """List where to begin and where to look when stuck, and each link in full."""
    pages.page("Hints")
    y = pages.heading("Hints")
    for entry in entries:
        side = pages.code_side(entry.link, _CODE) if entry.link else 0.0
        # The text keeps clear of the code, whose quiet zone grows with it.
        indent = 9 + (side * 8 / 7 + 3 if side else 0)
        words = pages.height(entry.hint, pages.across - indent, 9.5) + (8 if entry.link else 4)
        high = max(words, side + 4)
        # A hint is never torn apart: if it would pass the bottom, it begins the next page.
        if y + high > pages.bottom:
            pages.page()
            y = TOP + 2
        pages.text(SIDE + 5, pages.baseline(y, 9.5), str(entry.number), 9.5, "B", at=1.0)
        below = pages.paragraph(SIDE + indent, y, pages.across - indent, entry.hint, 9.5)
        if entry.link:
            link = entry.link.removeprefix("https://")
            pages.text(SIDE + indent, pages.baseline(below, 8), link, 8, grey=GREY)
            below = max(below + 4, y + pages.code(SIDE + 9, y + 1, entry.link, _CODE) + 3)
        y = below + 1.5


def _solutions(pages: Pages, entries: Sequence[PrintedPuzzle]) -> None:
    pages.page("Solutions")
    y = pages.heading("Solutions")
    gap = _SOLUTION_GAP
    while entries:
        row = _row(pages, entries)
        sizes = [_solution_size(pages, entry) for entry in row]
        high = 5 + max(height for _, height in sizes)
        if y + high > pages.bottom:
            pages.page()
            y = TOP
        # A full row spans the margins; the last row keeps the gaps of the rows above.
        if len(row) < len(entries) and len(row) > 1:
            gap = (pages.across - sum(width for width, _ in sizes)) / (len(row) - 1)
        x = SIDE
        for entry, (width, _) in zip(row, sizes, strict=True):
            topology = entry.puzzle.topology
            pages.text(x, y + 3.4, str(entry.number), 9.5, "B")
            board = Board(pages, topology, x, y + 5, width / topology.extent[0])
            board.draw(entry.solved, slashes=False, solid=True)
            x += width + gap
        y += high + 5
        entries = entries[len(row) :]


def _row(pages: Pages, entries: Sequence[PrintedPuzzle]) -> Sequence[PrintedPuzzle]:
    """Return as many entries as fit side by side in the solutions, at least one."""
    reach = 0.0
    for at, entry in enumerate(entries):
        reach += _solution_size(pages, entry)[0]
        if at and reach > pages.across + 0.01:
            return entries[:at]
        reach += _SOLUTION_GAP
    return entries


def _solution_size(pages: Pages, entry: PrintedPuzzle) -> Point:
    wide, high = entry.puzzle.topology.extent
    cell = min(SMALL_CELL, pages.across / wide, (pages.down - 25) / high)
    return wide * cell, high * cell
