"""A position as SVG, on any topology, in one self-contained picture.

It reads without colour: a covered cell is filled from below, the fuller the likelier a mine (as
in Collet's figures); a tick means safe, a drawn mine means mined.
"""

from collections.abc import Collection, Iterable
from itertools import pairwise
from math import cos, pi, sin
from textwrap import wrap
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from minewright.position import COVERED, MARKED, MAX_NUMBER, MINED, SAFE, Position
from minewright.render import percent
from minewright.topology import Lattice, Net, Point, Topology

if TYPE_CHECKING:
    from minewright.inference import Analysis

CELL: Final = 32
"""The side of a cell in the picture's units."""

MARGIN: Final = 0.75
"""The space around the cells, in cells."""

# Pairs of (light, dark). The numbers follow the classic colours as far as people who confuse red
# and green can tell them apart. Their contrast with an open cell is at least 4.5 to 1.
OPEN: Final = ("#f6f7f9", "#23272e")
CLUE: Final = ("#fff0b8", "#4a3d00")
DEDUCED: Final = ("#b5d7f2", "#164a73")
NUMBERS: Final = (
    ("#686f79", "#949ca8"),
    ("#0067a5", "#6cb8f0"),
    ("#00705a", "#3fcfa4"),
    ("#b34000", "#ff9e64"),
    ("#43308f", "#b7a8ff"),
    ("#8f1f5b", "#f291c2"),
    ("#006b77", "#5fd7e3"),
    ("#111418", "#ffffff"),
    ("#5a6069", "#b3bac4"),
)
_COLOURS: Final = {
    ".panel": ("fill", ("#ffffff", "#14171c")),
    ".open": ("fill", OPEN),
    ".covered": ("fill", ("#c6ccd5", "#4b5462")),
    ".level": ("fill", ("#f2a33c", "#a35d00")),
    ".safe": ("fill", ("#a5dbe8", "#1f6f86")),
    ".mined": ("fill", ("#e8703a", "#b5481a")),
    ".clue": ("fill", CLUE),
    ".deduced": ("fill", DEDUCED),
    ".hatch": ("stroke", ("#5b9bd0", "#4f9ad8")),
    ".used": ("stroke", ("#14171c", "#ffffff")),
    ".ink": ("fill", ("#14171c", "#ffffff")),
    ".paper": ("fill", ("#ffffff", "#14171c")),
    ".paper, .slash": ("stroke", ("#14171c", "#ffffff")),
    ".tick, .spikes, .pole": ("stroke", ("#14171c", "#ffffff")),
    ".flag": ("fill", ("#b3001b", "#ff8a8a")),
    ".highlight": ("stroke", ("#c0007a", "#ff7fd0")),
    ".link, .seam": ("stroke", ("#9aa2ad", "#6b7482")),
    ".label": ("fill", ("#5a6069", "#a9b1bc")),
}
_FIXED: Final = (
    "text{font-family:Verdana,'DejaVu Sans',Arial,sans-serif;text-anchor:middle}"
    ".number{font-size:19px;font-weight:700}.wide{font-size:14px;font-weight:700}"
    ".percent{font-size:10.5px}.label{font-size:10px}.caption{font-size:11px;text-anchor:start}"
    ".tick{fill:none;stroke-width:3.5;stroke-linecap:round;stroke-linejoin:round}"
    ".spikes{fill:none;stroke-width:2.2;stroke-linecap:round}"
    ".pole{fill:none;stroke-width:1.6;stroke-linecap:round}"
    ".link{fill:none;stroke-width:2}.seam{fill:none;stroke-width:1.5;stroke-dasharray:5 4}"
    ".flag{stroke:#fff;stroke-width:.4}"
    ".paper{stroke-width:1.2}.slash{fill:none;stroke-width:1.6;stroke-linecap:round}"
    ".highlight{fill:none;stroke-width:3;stroke-linejoin:round}"
    ".used{fill:none;stroke-width:3;stroke-linejoin:round}.hatch{stroke-width:1.6}"
    ".kind{font-size:28px;font-weight:700}.step{font-size:16px}"
    ".note{font-size:18px;text-anchor:start}"
)

_ORDER: Final = (
    *("link", "seam", "paper", "open", "covered", "level", "safe", "mined", "clue", "deduced"),
    *("hatch", "slash", "spikes", "ink", "tick", "pole", "flag", "used", "highlight"),
)
"""The classes of shapes, the lowest first."""

_INSET: Final = 0.94
_TICK: Final = ((-0.2, 0.02), (-0.06, 0.17), (0.22, -0.16))
_SPIKES: Final = (
    ((-0.3, 0.0), (0.3, 0.0)),
    ((0.0, -0.3), (0.0, 0.3)),
    ((-0.2, -0.2), (0.2, 0.2)),
    ((-0.2, 0.2), (0.2, -0.2)),
)
_DISC: Final = tuple((0.19 * cos(turn * pi / 12), 0.19 * sin(turn * pi / 12)) for turn in range(24))
_BULLET: Final = tuple((1.4 * x, 1.4 * y) for x, y in _DISC)
_SLASH: Final = ((-0.3, 0.3), (0.3, -0.3))
_HATCHES: Final = 2
"""The number of hatching lines on each side of the middle one."""
_FLAG: Final = ((0.0, -0.24), (0.24, -0.11), (0.0, 0.02))
_POLE: Final = ((0.0, -0.24), (0.0, 0.2))
_CORNER: Final = (0.26, -0.2)
"""The place of a small flag in a cell that also shows its probability."""


def position_svg(
    position: Position,
    analysis: "Analysis | None" = None,
    *,
    highlight: Collection[int] = (),
    percentages: bool = True,
) -> str:
    """Draw a position and, if given, what an analysis says about its covered cells.

    `highlight` outlines some cells. Without `percentages`, the fill alone shows how likely a
    mine is.
    """
    picture = Picture(position.topology)
    safe = frozenset(analysis.safe) if analysis else frozenset()
    mined = frozenset(analysis.mined) if analysis else frozenset()
    chances = analysis.chances if analysis else (None,) * position.topology.size
    for cell, code in enumerate(position.cells):
        crowded = True
        if code <= MAX_NUMBER:
            picture.tile("open", cell)
            picture.number(cell, code)
        elif code == SAFE:
            picture.tile("open", cell)
            picture.dash(cell)
        elif code == MINED or cell in mined:
            picture.tile("mined", cell)
            picture.mine(cell)
        elif cell in safe:
            picture.tile("safe", cell)
            picture.tick(cell)
        else:
            picture.tile("covered", cell)
            chance = chances[cell]
            crowded = chance is not None and percentages
            if chance is not None:
                picture.level(cell, chance)
                if percentages:
                    picture.text("percent ink", cell, percent(chance))
        if code == MARKED:
            picture.flag(cell, small=crowded)
    for cell in sorted(highlight):
        picture.tile("highlight", cell)
    title, description, caption = _words(position, analysis)
    return framed(picture, title, description, caption)


def framed(picture: "Picture", title: str, description: str, caption: str, least: int = 0) -> str:
    """Put one picture on a page with its labels and a caption, at least `least` cells wide."""
    width, height = picture.topology.extent
    right = (max(width, least) + 2 * MARGIN) * CELL
    below = wrap(caption, int((right / CELL - 2 * MARGIN) * CELL / 6.2))
    bottom = (height + 1.4 * MARGIN) * CELL + 15 * len(below)
    words = (
        write(MARGIN * CELL, bottom - 14 * (len(below) - at) + 5, text, "label caption")
        for at, text in enumerate(below)
    )
    return page(title, description, (right, bottom), (*picture.body(), *words, *picture.labels()))


def page(
    title: str, description: str, size: Point, content: Iterable[str], scale: float = 1.0
) -> str:
    """Put everything together, at the size of the content or at another scale."""
    right, bottom = size
    shown = f'width="{short(right * scale)}" height="{short(bottom * scale)}"'
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="minewright" role="img"'
            f' viewBox="0 0 {short(right)} {short(bottom)}" {shown}>',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(description)}</desc>",
            f"<style>{_style()}</style>",
            '<rect class="panel" width="100%" height="100%" rx="6"/>',
            *content,
            "</svg>\n",
        )
    )


class Picture:
    """Shapes grouped by class, so that a class is one path however many cells it has."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self.corners = tuple((x * _INSET, y * _INSET) for x, y in topology.outline)
        self.paths: dict[str, list[str]] = {}
        self.texts: dict[str, list[str]] = {}
        match topology:
            case Net():
                self.links()
            case Lattice(wrap=True):
                self.seam()

    def tile(self, kind: str, cell: int) -> None:
        """Draw the outline of a cell; cells on paper share their edges."""
        corners = self.topology.outline if kind == "paper" else self.corners
        self._path(kind, cell, corners, "z")

    def links(self) -> None:
        """Join neighbours by lines, if cells drawn side by side need not be neighbours."""
        for cell in range(self.topology.size):
            x, y = self.topology.centre(cell)
            for other in self.topology.neighbours(cell):
                if other > cell:
                    far_x, far_y = self.topology.centre(other)
                    self.stroke("link", cell, ((0, 0), (far_x - x, far_y - y)))

    def seam(self) -> None:
        """Draw a dashed border, which means that opposite edges meet."""
        width, height = self.topology.extent
        x, y = self.topology.centre(0)
        left, right, top, bottom = -x - 0.06, width - x + 0.06, -y - 0.06, height - y + 0.06
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        self._path("seam", 0, corners, "z")

    def level(self, cell: int, chance: float) -> None:
        """Fill a cell from below to the height of its probability."""
        top, bottom = (side(y for _, y in self.corners) for side in (min, max))
        corners = _below(self.corners, bottom - chance * (bottom - top))
        if corners:
            self._path("level", cell, corners, "z")

    def number(self, cell: int, number: int) -> None:
        """Write the number of an open cell; a zero stays blank."""
        if number:
            size = "number" if number < 10 else "wide"
            self.text(f"{size} n{number if number < len(NUMBERS) else 7}", cell, str(number))

    def dash(self, cell: int) -> None:
        """Draw a cell that is known to be safe but whose number is unknown."""
        self.text("number n0", cell, "-")

    def tick(self, cell: int) -> None:
        """Draw a tick: safe."""
        self.stroke("tick", cell, _TICK)

    def hatch(self, cell: int) -> None:
        """Hatch a cell with slanting lines."""
        reach = sum(max(side) for side in zip(*self.corners, strict=True))
        for line in range(-_HATCHES, _HATCHES + 1):
            ends = _across(self.corners, reach * line / (_HATCHES + 1))
            if len(ends) == 2:
                self.stroke("hatch", cell, ends)

    def mine(self, cell: int) -> None:
        """Draw a mine: a disc with spikes."""
        for spike in _SPIKES:
            self.stroke("spikes", cell, spike)
        self._path("ink", cell, _DISC, "z")

    def clue(self, cell: int, number: int) -> None:
        """Write the clue of a puzzle on paper; a zero is a clue like others."""
        self.text(f"{'number' if number < 10 else 'wide'} ink", cell, str(number))

    def bullet(self, cell: int) -> None:
        """Draw a bullet as on paper: a circle."""
        self._path("ink", cell, _BULLET, "z")

    def slash(self, cell: int) -> None:
        """Strike out a cell without a bullet, as on paper."""
        self.stroke("slash", cell, _SLASH)

    def flag(self, cell: int, *, small: bool) -> None:
        """Draw a player's mark, small and in the corner if the middle is taken."""
        scale, (dx, dy) = (0.65, _CORNER) if small else (1.0, (-0.04, 0.02))
        for kind, points, end in (("pole", _POLE, ""), ("flag", _FLAG, "z")):
            moved = tuple((x * scale + dx, y * scale + dy) for x, y in points)
            self._path(kind, cell, moved, end)

    def stroke(self, kind: str, cell: int, points: Iterable[Point]) -> None:
        """Draw a line through points given relative to the centre of a cell."""
        self._path(kind, cell, points, "")

    def text(self, kind: str, cell: int, text: str) -> None:
        """Write in the middle of a cell."""
        # The offset from the middle to the baseline is explicit, because not every SVG viewer
        # can centre text vertically.
        lift = {"number": 0.21, "wide": 0.16, "percent": 0.12}[kind.split()[0]]
        self.texts.setdefault(kind, []).append(write(*self._at(cell, (0, lift)), text))

    def body(self) -> Iterable[str]:
        """Yield the elements drawn so far, the lowest first."""
        for kind in _ORDER:
            if kind in self.paths:
                yield f'<path class="{kind}" d="{"".join(self.paths[kind])}"/>'
        for kind, texts in self.texts.items():
            yield f'<g class="{kind}">{"".join(texts)}</g>'

    def labels(self) -> Iterable[str]:
        """Yield the row and column numbers, from 1, or the names of a box's layers."""
        topology = self.topology
        width = topology.shape[0]
        yield '<g class="label">'
        if len(topology.shape) == 2:
            for column in range(width):
                yield write(self._at(column)[0], 0.55 * CELL, str(column + 1))
            for row in range(topology.shape[1]):
                yield write(0.38 * CELL, self._at(row * width, (0, 0.11))[1], str(row + 1))
        elif len(topology.shape) > 2:
            for first in range(0, topology.size, width * topology.shape[1]):
                name, _, _ = topology.describe(first).partition(", row ")
                yield write(*self._at(first, ((width - 1) / 2, -0.62)), name)
        yield "</g>"

    def _at(self, cell: int, point: Point = (0, 0)) -> Point:
        x, y = self.topology.centre(cell)
        return (x + point[0] + MARGIN) * CELL, (y + point[1] + MARGIN) * CELL

    def _path(self, kind: str, cell: int, points: Iterable[Point], end: str) -> None:
        steps = (f"{short(x)} {short(y)}" for x, y in (self._at(cell, p) for p in points))
        self.paths.setdefault(kind, []).append(f"M{'L'.join(steps)}{end}")


def _below(corners: tuple[Point, ...], level: float) -> list[Point]:
    """Return the part of a convex outline that lies below a level."""
    kept = []
    for (x, y), (next_x, next_y) in pairwise((*corners, corners[0])):
        if y >= level:
            kept.append((x, y))
        if (y >= level) != (next_y >= level):
            kept.append((x + (next_x - x) * (level - y) / (next_y - y), level))
    return kept


def _across(corners: tuple[Point, ...], slant: float) -> list[Point]:
    """Return where the line x + y = slant enters and leaves a convex outline."""
    ends = []
    for (x, y), (next_x, next_y) in pairwise((*corners, corners[0])):
        here, there = x + y - slant, next_x + next_y - slant
        if (here < 0) != (there < 0):
            part = here / (here - there)
            ends.append((x + (next_x - x) * part, y + (next_y - y) * part))
    return ends


def _style() -> str:
    def rules(shade: int) -> str:
        colours = [
            f".minewright {name.replace(', ', ',.minewright ')}{{{what}:{pair[shade]}}}"
            for name, (what, pair) in _COLOURS.items()
        ]
        numbers = [f".minewright .n{n}{{fill:{pair[shade]}}}" for n, pair in enumerate(NUMBERS)]
        return "".join(colours + numbers)

    fixed = ".minewright " + _FIXED.replace("}.", "}.minewright .")
    return f"{fixed}{rules(0)}@media (prefers-color-scheme:dark){{{rules(1)}}}"


def _words(position: Position, analysis: "Analysis | None") -> tuple[str, str, str]:
    """Return title, description and caption."""
    topology = position.topology
    sides = " by ".join(map(str, topology.shape))
    total = "an unknown number of mines" if position.mines is None else f"{position.mines} mines"
    title = f"Minesweeper position, {sides} cells, {total}"
    covered = sum(code in (COVERED, MARKED) for code in position.cells)
    description = f"{covered} of {topology.size} cells are covered."
    if analysis and not analysis.consistent:
        description += " No minefield fits the numbers."
    elif analysis:
        description += f" {len(analysis.safe)} are safe and {len(analysis.mined)} are mined."
        if analysis.best is not None:
            risk = f"risk {analysis.chances[analysis.best]:.1%}"
            description += f" The best is {topology.describe(analysis.best)}, {risk}."
    plain = topology.name == "moore"
    return title, description, "" if plain else f"{topology.name}: {topology.summary}"


def write(x: float, y: float, text: str, kind: str = "") -> str:
    """Return one line of text as an element, placed in the picture's units."""
    known = f' class="{kind}"' if kind else ""
    return f'<text{known} x="{short(x)}" y="{short(y)}">{escape(text)}</text>'


def short(number: float) -> str:
    """Return a length in as few characters as a picture needs."""
    return f"{number:.1f}".removesuffix(".0")
