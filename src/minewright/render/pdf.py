"""Paper as PDF: pages of one size, text on them, and boards to solve with a pencil.

Everything is drawn with lines and the built-in Helvetica, so nothing has to be embedded. The same
drawing gives the same bytes, because it contains no date or time.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from fpdf import FPDF
from fpdf.enums import MethodReturnValue, XPos, YPos

from minewright.bullets.grade import DIFFICULTIES, Difficulty
from minewright.bullets.printed import Paper
from minewright.position import MAX_NUMBER, MINED, SAFE, Position
from minewright.render import qr
from minewright.topology import SQUARE, Lattice, Net, Point, Topology

# All lengths are in millimetres, except type sizes, which are in points.
SIDE: Final = 18.0
TOP: Final = 16.0
FOOT: Final = 20.0
"""The space at the bottom of a page, for the page number."""
SMALL_CELL: Final = 4.0
"""The cell size of a solution, and the smallest cell size of a puzzle."""
BLACK, DARK, GREY = 0, 70, 110
CLUE: Final = 240
"""The tint of a clue."""

_USED, _DEDUCED = 222, 190
"""The tints of a clue that a step uses, and of the cells that follow from it."""
_POINT: Final = 72 / 25.4
_DIGIT: Final = 0.71
"""The height of a Helvetica digit, in ems."""
_LEADING: Final = 1.35
"""The distance between the lines of a paragraph, in ems."""
_MODULE: Final = 0.4
"""The least side of a module of a QR code."""
_LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)


class Pages:
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
        """Begin a numbered page and, if one is named, a section of the outline."""
        self.pdf.add_page()
        if section:
            self.pdf.start_section(section)
        self.text(self.pdf.w / 2, self.pdf.h - 11, str(self.pdf.page_no()), 9, grey=GREY, at=0.5)

    def heading(self, text: str) -> float:
        """Write the heading of a page; return where the text below it begins."""
        self.text(SIDE, TOP + 7, text, 22, "B")
        return TOP + 17

    def title(self, y: float, text: str) -> float:
        """Write a large centred title, on one line if it fits; return where it ends."""
        self.pdf.set_font("helvetica", "B", 60)
        size = min(60.0, max(30.0, 60 * self.across / self.pdf.get_string_width(text)))
        self.pdf.set_font("helvetica", "B", size)
        self.pdf.set_text_color(BLACK)
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
        """Write one line with its baseline at y and the share `at` of it left of x.

        Return its width.
        """
        self.pdf.set_font("helvetica", style, size)
        self.pdf.set_text_color(grey)
        width = self.pdf.get_string_width(text)
        self.pdf.text(x - at * width, y, text)
        return width

    def fitting(self, text: str, size: float, style: str = "") -> float:
        """Return the type size, reduced if necessary to fit a line between the margins."""
        self.pdf.set_font("helvetica", style, size)
        return min(size, size * self.across / self.pdf.get_string_width(text))

    def paragraph(self, x: float, y: float, width: float, text: str, size: float = 11) -> float:
        """Write a paragraph from y down, with **bold** words; return where it ends.

        No line breaks between a word and its number, as in "row 2".
        """
        text = re.sub(r"(\w) (\d)", "\\1\N{NO-BREAK SPACE}\\2", text)
        self.pdf.set_font("helvetica", "", size)
        self.pdf.set_text_color(BLACK)
        self.pdf.set_xy(x, y)
        height = _LEADING * size / _POINT
        self.pdf.multi_cell(
            width, height, text, align="L", markdown=True, new_x=XPos.LEFT, new_y=YPos.NEXT
        )
        return self.pdf.get_y()

    def height(self, text: str, width: float, size: float) -> float:
        """Return how high a paragraph will be."""
        self.pdf.set_font("helvetica", "", size)
        lines = self.pdf.multi_cell(width, 1, text, dry_run=True, output=MethodReturnValue.LINES)
        assert isinstance(lines, list), "as asked for"
        return len(lines) * _LEADING * size / _POINT

    def baseline(self, y: float, size: float) -> float:
        """Return the first baseline of a paragraph that begins at y."""
        return y + (_LEADING / 2 + 0.3) * size / _POINT

    def dot(self, x: float, y: float, radius: float, filled: bool) -> None:
        """Draw a small circle around x and y."""
        self.pdf.set_line_width(0.25)
        self.pdf.set_draw_color(DARK)
        self.pdf.set_fill_color(DARK)
        self.pdf.circle(x, y, radius, style="DF" if filled else "D")

    def link(self, x: float, y: float, text: str, target: str) -> float:
        """Write a link that ends at x; return its width."""
        width = self.text(x, y, text, 8, "U", grey=DARK, at=1.0)
        self.pdf.link(x - width - 0.5, y - 3, width + 1, 4, target)
        return width

    def code_side(self, target: str, side: float) -> float:
        """Return the side that a QR code of a link will have; 0 if there is none."""
        modules = qr.code(target)
        return max(side, _MODULE * len(modules)) if modules else 0.0

    def code(self, x: float, y: float, target: str, side: float) -> float:
        """Draw a link as a QR code with its upper left corner at x and y; return its side.

        It is larger than asked for if a camera could not tell its modules apart otherwise, and
        left out, with a side of 0, if the link is too long for a code.
        """
        modules = qr.code(target)
        if modules is None:
            return 0.0
        side = self.code_side(target, side)
        module = side / len(modules)
        self.pdf.set_fill_color(BLACK)
        for row, line in enumerate(modules):
            at = 0
            for dark, run in groupby(line):
                length = len(list(run))
                if dark:
                    # Rows overlap a little, or some readers show light lines between them.
                    place = x + at * module, y + row * module
                    self.pdf.rect(*place, length * module, 1.02 * module, style="F")
                at += length
        return side

    def level(self, x: float, y: float, difficulty: Difficulty) -> None:
        """Write a difficulty that ends at x, with its dots in front."""
        reach = x - self.text(x, y, difficulty, 10, grey=DARK, at=1.0) - 3
        level = DIFFICULTIES.index(difficulty)
        for dot in range(len(DIFFICULTIES)):
            left = len(DIFFICULTIES) - 1 - dot
            self.dot(reach - 3 * left, y - 1.3, 1.05, dot <= level)

    def tally(self, x: float, y: float, width: float, bullets: int) -> None:
        """Draw one small circle per bullet from x on, in groups of five, if they fit."""
        fives = (bullets - 1) // 5
        pitch = min(3.9, width / (bullets + 0.5 * fives))
        if pitch >= 2.4:
            for bullet in range(bullets):
                self.dot(x + pitch * (0.5 + bullet + 0.5 * (bullet // 5)), y, 0.38 * pitch, False)


# Boards


@dataclass(frozen=True, slots=True)
class Board:
    """A position drawn with its upper left corner at x and y."""

    pages: Pages
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
        """Draw a position: numbers, circles for bullets, slashes for empty cells.

        `tint` is the grey of all clues. Those in `clues` are outlined and shaded, and the cells
        in `deduced` are shaded.
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
        """Write row and column numbers, if the board has only these two coordinates."""
        if len(self.topology.shape) != 2:
            return
        size = 0.36 * self.cell * _POINT
        lift = 0.5 * _DIGIT * size / _POINT
        width, height = self.topology.shape
        for column in range(width):
            x, _ = self._at(column)
            self.pages.text(x, self.y - 0.18 * self.cell, str(column + 1), size, grey=GREY, at=0.5)
        for row in range(height):
            _, y = self._at(row * width)
            self.pages.text(
                self.x - 0.22 * self.cell, y + lift, str(row + 1), size, grey=GREY, at=1.0
            )

    def _at(self, cell: int, point: Point = (0, 0)) -> Point:
        x, y = self.topology.centre(cell)
        return self.x + (x + point[0]) * self.cell, self.y + (y + point[1]) * self.cell

    def _line(self, width: float, grey: int = BLACK) -> FPDF:
        pdf = self.pages.pdf
        pdf.set_line_width(width)
        pdf.set_draw_color(grey)
        return pdf

    def _grid(self) -> None:
        topology = self.topology
        if isinstance(topology, Net):
            pdf = self._line(0.3, GREY)
            for cell in range(topology.size):
                for other in topology.neighbours(cell):
                    pdf.line(*self._at(cell), *self._at(other))
        thin = max(0.12, 0.02 * self.cell)
        for cell in range(topology.size):
            self._outline(cell, width=thin, grey=GREY)
        if topology.outline == SQUARE and len(topology.shape) == 2:
            # A solid frame, or a dashed one if opposite edges meet.
            wide, high = topology.extent
            pdf = self._line(min(0.7, max(0.3, 0.05 * self.cell)))
            around = isinstance(topology, Lattice) and topology.wrap
            if around:
                pdf.set_dash_pattern(0.22 * self.cell, 0.14 * self.cell)
            pdf.rect(self.x, self.y, wide * self.cell, high * self.cell)
            if around:
                pdf.set_dash_pattern()

    def _outline(
        self, cell: int, *, fill: int | None = None, width: float = 0.0, grey: int = BLACK
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
        self.pages.text(x, y + 0.5 * _DIGIT * size, number, size * _POINT, style, at=0.5)

    def _bullet(self, cell: int, solid: bool) -> None:
        x, y = self._at(cell)
        pdf = self._line(max(0.2, 0.055 * self.cell))
        pdf.set_fill_color(BLACK)
        pdf.circle(x, y, 0.29 * self.cell, style="DF" if solid else "D")

    def _slash(self, cell: int) -> None:
        pdf = self._line(max(0.15, 0.04 * self.cell), DARK)
        pdf.line(*self._at(cell, (-0.27, 0.27)), *self._at(cell, (0.27, -0.27)))
