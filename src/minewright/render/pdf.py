"""A book of Bullets puzzles as PDF, to print and to solve with a pencil.

Everything is drawn as lines and in the built-in Helvetica, so nothing has to be embedded. The
same book gives the same bytes: no time of day is written into it.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from fpdf import FPDF
from fpdf.enums import XPos, YPos

from minewright._kernel import MAX_NUMBER, MINED, SAFE
from minewright.board import counted
from minewright.bullets.book import Book, BookError, Entry, Paper
from minewright.bullets.grade import DIFFICULTIES
from minewright.bullets.solution import Solution, Step
from minewright.deduction.phrases import counted as in_letters
from minewright.position import Position
from minewright.topology import SQUARE, Lattice, Net, Point, Topology

# All lengths are millimetres, but type, which is in points.
SIDE: Final = 18.0
TOP: Final = 16.0
FOOT: Final = 20.0
"""What stays free below: the page number stands there."""
GAP: Final = 8.0
"""What stays free between two puzzles."""
HEAD: Final = 8.0
"""The line above a puzzle."""
TALLY: Final = 7.0
"""The row of small circles below it, one for each bullet."""
LEAST_CELL: Final = 11.0
"""A pencil wants cells of this size: more puzzles stand on a page only if they keep it."""
MOST_CELL: Final = 14.0
SMALL_CELL: Final = 4.0
"""The cells of a solution, and the smallest that a puzzle is printed with."""

_POINT: Final = 72 / 25.4
_DIGIT: Final = 0.71
"""How high a digit of Helvetica is, in ems."""
_LEADING: Final = 1.35
"""From line to line of a paragraph, in ems."""
_BLACK, _DARK, _GREY, _LIGHT = 0, 70, 110, 200
_CLUE, _USED, _DEDUCED = 240, 222, 190
"""The tints of a clue, of one that a step uses, and of what follows from it."""
_SOLUTION_GAP: Final = 6.0
_LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)


def draw(book: Book, paper: Paper) -> bytes:
    """Draw a book on `a4` or `letter`; raises BookError for what no page can show."""
    sheet = _Sheet(book.title, paper)
    for entry in book.entries:
        width, height = entry.puzzle.topology.extent
        if _cell_size(sheet, 1, 1, (width, height)) < SMALL_CELL:
            across, down = (int(side / SMALL_CELL) for side in sheet.room(1, 1))
            raise BookError(
                f"puzzle {entry.number} is too large to print: {paper} has room for"
                f" {across} by {down} cells"
            )
    _cover(sheet, book)
    _rules(sheet, book)
    if book.example:
        _example(sheet, book.example)
    _puzzles(sheet, book.entries)
    _solutions(sheet, book.entries)
    return bytes(sheet.pdf.output())


class _Sheet:
    """Pages of one size, with margins and page numbers, and text on them."""

    def __init__(self, title: str, paper: Paper) -> None:
        self.pdf = pdf = FPDF(unit="mm", format=paper)
        pdf.set_auto_page_break(False)
        pdf.c_margin = 0
        pdf.set_title(title)
        pdf.set_lang("en")
        pdf.set_creator("Minewright")
        pdf.set_creation_date(_LONG_AGO)
        self.right = pdf.w - SIDE
        self.bottom = pdf.h - FOOT
        self.across = self.right - SIDE
        self.down = self.bottom - TOP

    def page(self, section: str = "") -> None:
        """Begin a page with its number, and a section of the outline if one is named."""
        self.pdf.add_page()
        if section:
            self.pdf.start_section(section)
        self.text(self.pdf.w / 2, self.pdf.h - 11, str(self.pdf.page_no()), 9, grey=_GREY, at=0.5)

    def heading(self, text: str) -> float:
        """Write the heading of a page; give where the text below it begins."""
        self.text(SIDE, TOP + 7, text, 22, "B")
        return TOP + 17

    def title(self, y: float, text: str) -> float:
        """Write large in the middle, in one line if it is not too long; give where it ends."""
        self.pdf.set_font("helvetica", "B", 60)
        size = min(60.0, max(30.0, 60 * self.across / self.pdf.get_string_width(text)))
        self.pdf.set_font("helvetica", "B", size)
        self.pdf.set_text_color(_BLACK)
        self.pdf.set_xy(SIDE, y)
        self.pdf.multi_cell(
            self.across, 1.2 * size / _POINT, text, align="C", new_x=XPos.LEFT, new_y=YPos.NEXT
        )
        return self.pdf.get_y()

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        style: str = "",
        *,
        grey: int = 0,
        at: float = 0.0,
    ) -> float:
        """Write one line, its baseline at y; `at` is the part of it before x. Give its width."""
        self.pdf.set_font("helvetica", style, size)
        self.pdf.set_text_color(grey)
        width = self.pdf.get_string_width(text)
        self.pdf.text(x - at * width, y, text)
        return width

    def paragraph(self, x: float, y: float, width: float, text: str, size: float = 11) -> float:
        """Write text in lines from y down, **bold** where marked; give where it ends.

        No line ends between a word and its number, as in "row 2".
        """
        text = re.sub(r"(\w) (\d)", "\\1\N{NO-BREAK SPACE}\\2", text)
        self.pdf.set_font("helvetica", "", size)
        self.pdf.set_text_color(_BLACK)
        self.pdf.set_xy(x, y)
        height = _LEADING * size / _POINT
        self.pdf.multi_cell(
            width, height, text, align="L", markdown=True, new_x=XPos.LEFT, new_y=YPos.NEXT
        )
        return self.pdf.get_y()

    def baseline(self, y: float, size: float) -> float:
        """Say where the first line of a paragraph from y down stands."""
        return y + (_LEADING / 2 + 0.3) * size / _POINT

    def dot(self, x: float, y: float, radius: float, filled: bool) -> None:
        """Draw a small circle around x and y."""
        self.pdf.set_line_width(0.25)
        self.pdf.set_draw_color(_DARK)
        self.pdf.set_fill_color(_DARK)
        self.pdf.circle(x, y, radius, style="DF" if filled else "D")

    def link(self, x: float, y: float, text: str, target: str) -> float:
        """Write a link that ends at x; give its width."""
        width = self.text(x, y, text, 8, "U", grey=_DARK, at=1.0)
        self.pdf.link(x - width - 0.5, y - 3, width + 1, 4, target)
        return width

    def room(self, columns: int, rows: int) -> Point:
        """Say how much room each board has where so many stand on a page."""
        return (
            (self.across - GAP * (columns - 1)) / columns,
            (self.down - GAP * (rows - 1)) / rows - HEAD - TALLY,
        )


# Boards


@dataclass(frozen=True, slots=True)
class _Board:
    """A position drawn with its upper left corner at x and y."""

    sheet: _Sheet
    topology: Topology
    x: float
    y: float
    cell: float

    def draw(
        self,
        position: Position,
        *,
        tint: int = 255,
        clues: Collection[int] = (),
        deduced: Collection[int] = (),
        slashes: bool = True,
        solid: bool = False,
    ) -> None:
        """Draw what is known of a position: numbers, circles for bullets, slashes for empty cells.

        `tint` is the grey of all clues; those in `clues` are outlined, and they and the cells
        `deduced` are shaded.
        """
        for cell, code in enumerate(position.cells):
            grey = tint if code <= MAX_NUMBER else 255
            if cell in deduced:
                grey = _DEDUCED
            elif cell in clues:
                grey = _USED
            if grey < 255:
                self._outline(cell, fill=grey)
        self._grid()
        for cell in clues:
            self._outline(cell, width=min(0.9, 0.09 * self.cell))
        for cell, code in enumerate(position.cells):
            if code <= MAX_NUMBER:
                self._number(cell, str(code))
            elif code == MINED:
                self._bullet(cell, solid)
            elif code == SAFE and slashes:
                self._slash(cell)

    def labels(self) -> None:
        """Write the numbers of rows and columns, on a board that has just these."""
        if len(self.topology.shape) != 2:
            return
        size = 0.36 * self.cell * _POINT
        lift = 0.5 * _DIGIT * size / _POINT
        width, height = self.topology.shape
        for column in range(width):
            x, _ = self._at(column)
            self.sheet.text(x, self.y - 0.18 * self.cell, str(column + 1), size, grey=_GREY, at=0.5)
        for row in range(height):
            _, y = self._at(row * width)
            self.sheet.text(
                self.x - 0.22 * self.cell, y + lift, str(row + 1), size, grey=_GREY, at=1.0
            )

    def _at(self, cell: int, point: Point = (0, 0)) -> Point:
        x, y = self.topology.centre(cell)
        return self.x + (x + point[0]) * self.cell, self.y + (y + point[1]) * self.cell

    def _line(self, width: float, grey: int = _BLACK) -> FPDF:
        pdf = self.sheet.pdf
        pdf.set_line_width(width)
        pdf.set_draw_color(grey)
        return pdf

    def _grid(self) -> None:
        topology = self.topology
        if isinstance(topology, Net):
            pdf = self._line(0.3, _GREY)
            for cell in range(topology.size):
                for other in topology.neighbours(cell):
                    pdf.line(*self._at(cell), *self._at(other))
        thin = max(0.12, 0.02 * self.cell)
        for cell in range(topology.size):
            self._outline(cell, width=thin, grey=_GREY)
        if topology.outline == SQUARE and len(topology.shape) == 2:
            # A frame of full lines, or of dashes where opposite edges meet.
            wide, high = topology.extent
            pdf = self._line(min(0.7, max(0.3, 0.05 * self.cell)))
            around = isinstance(topology, Lattice) and topology.wrap
            if around:
                pdf.set_dash_pattern(0.22 * self.cell, 0.14 * self.cell)
            pdf.rect(self.x, self.y, wide * self.cell, high * self.cell)
            if around:
                pdf.set_dash_pattern()

    def _outline(
        self, cell: int, *, fill: int | None = None, width: float = 0.0, grey: int = _BLACK
    ) -> None:
        pdf = self._line(width, grey)
        corners = [self._at(cell, corner) for corner in self.topology.outline]
        if fill is None:
            pdf.polygon(corners, style="D")
        else:
            pdf.set_fill_color(fill)
            pdf.polygon(corners, style="F")

    def _number(self, cell: int, number: str) -> None:
        size = (0.56 if len(number) == 1 else 0.44) * self.cell
        x, y = self._at(cell)
        style = "B" if self.cell > 6 else ""
        self.sheet.text(x, y + 0.5 * _DIGIT * size, number, size * _POINT, style, at=0.5)

    def _bullet(self, cell: int, solid: bool) -> None:
        x, y = self._at(cell)
        pdf = self._line(max(0.2, 0.055 * self.cell))
        pdf.set_fill_color(_BLACK)
        pdf.circle(x, y, 0.29 * self.cell, style="DF" if solid else "D")

    def _slash(self, cell: int) -> None:
        pdf = self._line(max(0.15, 0.04 * self.cell), _DARK)
        pdf.line(*self._at(cell, (-0.27, 0.27)), *self._at(cell, (0.27, -0.27)))


# Pages


def _cover(sheet: _Sheet, book: Book) -> None:
    sheet.pdf.add_page()
    middle, height = sheet.pdf.w / 2, sheet.pdf.h
    y = sheet.title(0.13 * height, book.title)
    sheet.text(middle, y + 8, book.subtitle, 15, grey=_DARK, at=0.5)
    emblem = (
        book.example.steps[-1].deduction.after if book.example else book.entries[0].puzzle.position
    )
    wide, high = emblem.topology.extent
    cell = 100 / max(wide, high)
    board = _Board(
        sheet, emblem.topology, middle - wide * cell / 2, 0.57 * height - high * cell / 2, cell
    )
    board.draw(emblem, tint=_CLUE, slashes=False, solid=True)
    sheet.text(middle, height - 16, book.imprint, 9, grey=_GREY, at=0.5)


def _rules(sheet: _Sheet, book: Book) -> None:
    sheet.page("Rules")
    y = sheet.heading("Rules")
    y = sheet.paragraph(SIDE, y, sheet.across, "Bullets are hidden in a grid. Find them all.", 12)
    for number, rule in enumerate(book.rules, 1):
        y += 2.5
        sheet.text(SIDE + 4, sheet.baseline(y, 12), str(number), 12, "B", at=1.0)
        y = sheet.paragraph(SIDE + 9, y, sheet.across - 9, rule, 12)
    if book.example:
        y = _before_and_after(sheet, book.example, y + 6)
    sheet.text(SIDE, y + 9, "How to find them", 15, "B")
    y += 12
    for name, hint in book.hints:
        y = sheet.paragraph(SIDE, y, sheet.across, f"**{name}.** {hint}", 12) + 2.5


def _before_and_after(sheet: _Sheet, example: Solution, y: float) -> float:
    """Draw a puzzle and its solution side by side; give where they end."""
    first, last = example.puzzle.position, example.steps[-1].deduction.after
    wide, high = first.topology.extent
    cell = min(9.0, 60 / max(wide, high))
    for position, part, caption in (
        (first, 0.25, f"A puzzle with {counted(first.mines or 0, 'bullet')}"),
        (last, 0.75, "Its solution: circles are bullets, slashes empty cells"),
    ):
        middle = SIDE + part * sheet.across
        _Board(sheet, first.topology, middle - wide * cell / 2, y, cell).draw(position, tint=_CLUE)
        sheet.text(middle, y + high * cell + 5, caption, 9.5, grey=_DARK, at=0.5)
    return y + high * cell + 14


def _example(sheet: _Sheet, example: Solution) -> None:
    sheet.page("Worked example")
    y = sheet.heading("Worked example")
    first = example.puzzle.position
    wide, high = first.topology.extent
    cell = min(7.5, 45 / max(wide, high))
    text = SIDE + (wide + 1.6) * cell
    row = high * cell + 9
    start = (
        f"This grid hides {counted(first.mines or 0, 'bullet')}. Each picture below shows it after"
        " one more step. The numbers used have a thick outline, and the cells that follow from"
        " them are shaded: a circle is a bullet, a slash an empty cell."
    )
    for at, step in enumerate((None, *example.steps)):
        if y + row - 4 > sheet.bottom:
            sheet.page()
            y = TOP + 6
        board = _Board(sheet, first.topology, SIDE + 0.8 * cell, y, cell)
        if step is None:
            board.draw(first)
        else:
            board.draw(step.deduction.after, clues=step.clues, deduced=step.deduction.cells)
        board.labels()
        name = f"Step {at}: {_means(step)}" if step else "The puzzle"
        sheet.text(text, y + 4, name, 12, "B")
        sheet.paragraph(text, y + 7, sheet.right - text, step.sentence if step else start)
        y += row


def _means(step: Step) -> str:
    """Say what a step needs: clues, the total, or both."""
    means = [in_letters(len(step.clues), "clue")] if step.clues else []
    return " and ".join([*means, "the total"] if step.deduction.total else means)


@dataclass(frozen=True, slots=True)
class _Layout:
    """How many puzzles stand on a page, and the size of their cells."""

    columns: int
    rows: int
    cell: float


def _layout(sheet: _Sheet, extent: Point) -> _Layout:
    """Put as many puzzles on a page as a pencil allows; at least one, as large as it can be."""
    wide, high = extent
    best = _Layout(1, 1, _cell_size(sheet, 1, 1, extent))
    for columns in range(1, int(sheet.across / (wide * LEAST_CELL)) + 1):
        for rows in range(1, int(sheet.down / (high * LEAST_CELL)) + 1):
            cell = _cell_size(sheet, columns, rows, extent)
            if cell >= LEAST_CELL and (columns * rows, cell) > (
                best.columns * best.rows,
                best.cell,
            ):
                best = _Layout(columns, rows, cell)
    return best


def _cell_size(sheet: _Sheet, columns: int, rows: int, extent: Point) -> float:
    sizes = (room / side for room, side in zip(sheet.room(columns, rows), extent, strict=True))
    return min(MOST_CELL, *sizes)


def _puzzles(sheet: _Sheet, entries: Sequence[Entry]) -> None:
    section = "Puzzles"
    while entries:
        count, extent = _fill(sheet, entries)
        layout = _layout(sheet, extent)
        sheet.page(section)
        section = ""
        room, _ = sheet.room(layout.columns, layout.rows)
        tall = HEAD + extent[1] * layout.cell + TALLY
        # What is left over stays above, between and below the rows, in equal parts.
        free = (sheet.down - layout.rows * tall) / (layout.rows + 1)
        for at, entry in enumerate(entries[:count]):
            row, column = divmod(at, layout.columns)
            wide, _ = entry.puzzle.topology.extent
            x = SIDE + column * (room + GAP) + (room - wide * layout.cell) / 2
            _puzzle(sheet, entry, x, TOP + free + row * (tall + free), layout.cell)
        entries = entries[count:]


def _fill(sheet: _Sheet, entries: Sequence[Entry]) -> tuple[int, Point]:
    """Say how many puzzles go on the next page, and how large the largest of them is.

    Puzzles of several sizes share a page if it has room for so many of the largest.
    """
    count, extent = 0, (0.0, 0.0)
    for entry in entries:
        wide, high = entry.puzzle.topology.extent
        larger = max(extent[0], wide), max(extent[1], high)
        layout = _layout(sheet, larger)
        if count and layout.columns * layout.rows <= count:
            break
        count, extent = count + 1, larger
    return count, extent


def _puzzle(sheet: _Sheet, entry: Entry, x: float, y: float, cell: float) -> None:
    puzzle = entry.puzzle
    wide, high = (side * cell for side in puzzle.topology.extent)
    right = x + wide
    after = sheet.text(x, y + 5.5, str(entry.number), 16, "B")
    kind = "" if puzzle.topology.name == "moore" else f", {puzzle.topology.name}"
    sheet.text(x + after + 3, y + 5.5, counted(puzzle.bullets, "bullet") + kind, 11)
    name = sheet.text(right, y + 5.5, entry.difficulty, 10, grey=_DARK, at=1.0)
    level = DIFFICULTIES.index(entry.difficulty)
    for dot in range(len(DIFFICULTIES)):
        sheet.dot(right - name - 3 - 3 * (len(DIFFICULTIES) - 1 - dot), y + 4.2, 1.05, dot <= level)
    board = _Board(sheet, puzzle.topology, x, y + HEAD, cell)
    board.draw(puzzle.position, tint=_CLUE)
    below = y + HEAD + high + 4.2
    link = sheet.link(right, below + 1, "puzz.link", entry.link) if entry.link else 0.0
    fives = (puzzle.bullets - 1) // 5
    pitch = min(3.9, (wide - link - 4) / (puzzle.bullets + 0.5 * fives))
    if pitch >= 2.4:
        for bullet in range(puzzle.bullets):
            sheet.dot(x + pitch * (0.5 + bullet + 0.5 * (bullet // 5)), below, 0.38 * pitch, False)


def _solutions(sheet: _Sheet, entries: Sequence[Entry]) -> None:
    sheet.page("Solutions")
    y = sheet.heading("Solutions")
    gap = _SOLUTION_GAP
    while entries:
        row = _row(sheet, entries)
        sizes = [_solution_size(sheet, entry) for entry in row]
        high = 5 + max(height for _, height in sizes)
        if y + high > sheet.bottom:
            sheet.page()
            y = TOP
        # A full row reaches from margin to margin; the last one keeps the gaps of those above.
        if len(row) < len(entries) and len(row) > 1:
            gap = (sheet.across - sum(width for width, _ in sizes)) / (len(row) - 1)
        x = SIDE
        for entry, (width, _) in zip(row, sizes, strict=True):
            topology = entry.puzzle.topology
            sheet.text(x, y + 3.4, str(entry.number), 9.5, "B")
            board = _Board(sheet, topology, x, y + 5, width / topology.extent[0])
            board.draw(entry.solved, slashes=False, solid=True)
            x += width + gap
        y += high + 5
        entries = entries[len(row) :]


def _row(sheet: _Sheet, entries: Sequence[Entry]) -> Sequence[Entry]:
    """Give as many entries as have room beside each other in the solutions, at least one."""
    reach = 0.0
    for at, entry in enumerate(entries):
        reach += _solution_size(sheet, entry)[0]
        if at and reach > sheet.across + 0.01:
            return entries[:at]
        reach += _SOLUTION_GAP
    return entries


def _solution_size(sheet: _Sheet, entry: Entry) -> Point:
    wide, high = entry.puzzle.topology.extent
    cell = min(SMALL_CELL, sheet.across / wide, (sheet.down - 25) / high)
    return wide * cell, high * cell
