"""A position, and what is known about it, on a text screen.

The picture also reads without colour: an open cell shows its number, a covered one its chance of
a mine as a two-digit percentage, and safe, mined, marked and best cells have signs of their own.
Colour only adds shades, from green (safe) through yellow to red (mined). Without colour, rich is
not imported.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import log10
from textwrap import wrap
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO

from minewright.messages import counted
from minewright.position import MARKED, MAX_NUMBER, MINED, SAFE, Position
from minewright.render import percent
from minewright.topology import Lattice, Topology, get

if TYPE_CHECKING:
    from minewright.deduction import Deduction
    from minewright.inference import Analysis

Run = tuple[str, str]
"""A piece of a line and its style, in rich's notation."""


class Cell(NamedTuple):
    """What a cell shows: a number or sign, a prefix, and both as one character."""

    text: str
    style: str
    front: str = " "
    short: str = ""

    def run(self, size: int) -> Run:
        """Return the cell in `size` columns."""
        if size == 1:
            return self.short or self.text, self.style
        text = f"{self.text:<2}" if size == 2 else f"{self.front}{self.text:<2}".rjust(size)
        return text, self.style


DIM: Final = "dim"
NUMBERS: Final = (
    "#a8a8a8",
    "#0000ff",
    "#007000",
    "#cc0000",
    "#000080",
    "#800000",
    "#006a6a",
    "#000000",
    "#585858",
)
_OPEN: Final = "on #e4e4e4"
COVERED_STYLE: Final = "#000000 on #a8b0ba"
_SAFE: Final = "bold #ffffff on #12813b"
_MINED: Final = "bold #ffffff on #b3142a"
_BLANK: Final = Cell(".", f"{NUMBERS[0]} {_OPEN}")
_CLASH: Final = "bold #ffffff on #b3142a"
_GREEN: Final = (110, 200, 120)
_YELLOW: Final = (247, 220, 80)
_RED: Final = (235, 100, 80)
_INDENT: Final = 12
_LISTED: Final = 4
"""The most cells that a line of the summary names; the others are only counted."""


@dataclass(frozen=True, slots=True)
class Screen:
    """What a stream can show: colours, non-ASCII signs, and its columns and rows, if limited."""

    colour: bool = False
    signs: bool = True
    columns: int | None = None
    rows: int | None = None

    @classmethod
    def of(cls, stream: TextIO) -> "Screen":
        """Return what a stream can show; NO_COLOR and FORCE_COLOR are honoured."""
        terminal = stream.isatty()
        wanted = terminal and os.environ.get("TERM") != "dumb"
        colour = not os.environ.get("NO_COLOR") and (wanted or bool(os.environ.get("FORCE_COLOR")))
        try:
            "✓✱".encode(stream.encoding or "ascii")
            signs = True
        except (UnicodeEncodeError, LookupError):
            signs = False
        columns = rows = None
        if terminal:
            from shutil import get_terminal_size

            columns, rows = get_terminal_size()
        return cls(colour, signs, columns, rows)

    @property
    def safe(self) -> str:
        """The sign of a safe cell."""
        return "✓" if self.signs else "v"

    @property
    def mined(self) -> str:
        """The sign of a mined cell."""
        return "✱" if self.signs else "*"


def report(position: Position, analysis: "Analysis", screen: Screen) -> str:
    """Draw a position with its analysis, a legend and a summary."""
    cells = list(_cells(position, analysis, screen))
    lines: list[list[Run]] = [*picture(position.topology, cells, screen), []]
    lines.append(list(_legend(position, analysis, screen)))
    lines.append([])
    for name, text in summary(position, analysis):
        first, *others = wrap(text, max(screen.columns - _INDENT, 20)) if screen.columns else [text]
        lines.append([(name.ljust(_INDENT), "bold"), (first, "")])
        lines += ([(" " * _INDENT + other, "")] for other in others)
    return paint(lines, screen)


def step_line(number: int, step: "Deduction", screen: Screen) -> str:
    """Return a step as one line: its number, type, pattern (if it has one) and sentence."""
    start = f"{number:>3}. "
    kind = ", ".join((f"type {step.kind}", *filter(None, (step.pattern,))))
    return _paragraph([(start, DIM), (f"({kind}) ", "bold")], step.sentence, len(start), screen)


def sentence_line(sentence: str, screen: Screen) -> str:
    """Return a sentence wrapped to the width of the screen."""
    return _paragraph([], sentence, 0, screen)


def _paragraph(start: list[Run], text: str, indent: int, screen: Screen) -> str:
    if screen.columns is None:
        return paint([[*start, (text, "")]], screen)
    taken = " " * sum(len(piece) for piece, _ in start)
    first, *others = wrap(
        text,
        max(screen.columns - 1, 40),
        initial_indent=taken,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
    )
    return paint([[*start, (first[len(taken) :], "")], *([(line, "")] for line in others)], screen)


def paint(lines: Iterable[Iterable[Run]], screen: Screen) -> str:
    """Return lines as text, in colour if the screen shows it."""
    if not screen.colour:
        plain = ("".join(text for text, _ in line).rstrip() for line in lines)
        return "".join(f"{line}\n" for line in plain)
    from rich.console import Console
    from rich.text import Text

    console = Console(force_terminal=True, highlight=False)
    with console.capture() as capture:
        for line in lines:
            console.print(Text.assemble(*line), soft_wrap=True)
    return capture.get()


def gallery(kinds: Mapping[str, type[Topology]], screen: Screen) -> str:
    """Return each topology: its name, a sentence, and which cells one cell touches."""
    lines: list[list[Run]] = []
    for name, kind in kinds.items():
        sides = 3 if 3 in kind.sides else kind.sides[0]
        topology = get(name, (5 if sides < 3 else 3,) * sides)
        # A corner shows best that opposite edges meet.
        wraps = isinstance(topology, Lattice) and topology.wrap
        centre = 0 if wraps else topology.size // 2
        near = frozenset(topology.neighbours(centre))
        cells = [
            Cell("X", _MINED) if cell == centre else Cell("o", _SAFE) if cell in near else _BLANK
            for cell in range(topology.size)
        ]
        lines += [[(name, "bold"), (f": {kind.summary}", "")], []]
        lines += ([(" ", ""), *line] for line in picture(topology, cells, screen, labels=False))
        lines.append([])
    return paint(lines, screen)


def picture(
    topology: Topology,
    cells: Collection[Cell],
    screen: Screen,
    *,
    labels: bool = True,
    otherwise: str = "use --svg FILE to draw it or --json to list it",
) -> list[list[Run]]:
    """Return cells where the topology places them, as wide as the screen allows.

    If it is too narrow, return a sentence that says so, and what to do otherwise.
    """
    places = [topology.place(cell) for cell in range(topology.size)]
    margin = len(str(topology.shape[1])) + 1 if len(topology.shape) == 2 else 1
    full = max(1 + max(2, len(cell.text)) for cell in cells)
    halves = any(half % 2 for _, half in places)
    sizes = [full + full % 2 if halves else full]
    if full == 3:
        # Adjacent pairs of digits need colour to be told apart.
        sizes += [2] * screen.colour + [1] * (not halves)
    right = max(half for _, half in places)
    needed = {size: margin + right * size // 2 + size for size in sizes}
    room = needed[sizes[0]] if screen.columns is None else screen.columns
    size = next((size for size in sizes if needed[size] <= room), 0)
    if not size:
        sentence = (
            f"The picture needs {needed[sizes[-1]]:,} columns, but this terminal has {room}; "
            f"{otherwise}."
        )
        return [[(sentence, "")]]
    canvas: dict[int, list[tuple[int, Run]]] = {}
    for line, column, label in _labels(topology, margin, size) if labels else ():
        canvas.setdefault(line, []).append((column, (label, DIM)))
    for (line, half), cell in zip(places, cells, strict=True):
        canvas.setdefault(line, []).append((margin + half * size // 2, cell.run(size)))
    return [list(_spread(canvas.get(line, []))) for line in range(min(canvas), max(canvas) + 1)]


def _spread(pieces: list[tuple[int, Run]]) -> Iterator[Run]:
    """Yield pieces with blanks between them, so that each starts at its column."""
    at = 0
    for column, (text, style) in pieces:
        if column > at:
            yield " " * (column - at), ""
        yield text, style
        at = column + len(text)


def _labels(topology: Topology, margin: int, size: int) -> Iterator[tuple[int, int, str]]:
    """Yield line, column and text of the labels beside the cells: numbers from 1."""
    width = topology.shape[0]
    if len(topology.shape) == 2:
        step = 1 if len(str(width)) < size else 5
        for column in (0, *range(step - 1 if step > 1 else 1, width, step)):
            line, half = topology.place(column)
            label, _ = Cell(str(column + 1), DIM).run(max(size, 2))
            yield line - 1, margin + half * size // 2, label.rstrip()
        for row in range(topology.shape[1]):
            yield topology.place(row * width)[0], 0, str(row + 1).rjust(margin - 1)
    elif len(topology.shape) > 2:
        for first in range(0, topology.size, width * topology.shape[1]):
            line, half = topology.place(first)
            name, _, _ = topology.describe(first).partition(", row ")
            short = ".".join(str(at + 1) for at in topology.coordinates(first)[:-2])
            fits = len(name) < (width + 1) * size
            yield line - 1, margin + half * size // 2 + 1, name if fits else short


def _cells(position: Position, analysis: "Analysis", screen: Screen) -> Iterator[Cell]:
    safe, mined = frozenset(analysis.safe), frozenset(analysis.mined)
    clash = frozenset(analysis.clash.clues if analysis.clash else ())
    chances = analysis.chances
    for cell, code in enumerate(position.cells):
        best = cell == analysis.best
        front = ">" if best else "F" if code == MARKED else " "
        line = "underline " if best else ""
        if code <= MAX_NUMBER:
            yield number(code, cell in clash)
        elif code == SAFE:
            yield Cell("-", f"{NUMBERS[0]} {_OPEN}")
        elif code == MINED or cell in mined:
            yield Cell(screen.mined, _MINED, front)
        elif cell in safe:
            yield Cell(screen.safe, line + _SAFE, front)
        elif (chance := chances[cell]) is None:
            yield Cell("#", COVERED_STYLE, front)
        else:
            yield Cell(percent(chance).zfill(2), line + shade(chance, cell % 2), front, "#")


def number(shown: int, clashes: bool = False) -> Cell:
    """Return an open cell with its number."""
    text = "." if shown == 0 else f"({shown})" if shown > 9 else str(shown)
    if clashes:
        return Cell(text, _CLASH, "!")
    return Cell(text, f"bold {NUMBERS[shown] if shown < len(NUMBERS) else NUMBERS[7]} {_OPEN}")


def shade(chance: float, darker: int = 0) -> str:
    """Return the style of a covered cell: from green through yellow to red."""
    low, high = (_GREEN, _YELLOW) if chance < 0.5 else (_YELLOW, _RED)
    part = 2 * chance if chance < 0.5 else 2 * chance - 1
    # Every other cell is a little darker, so that the digits of adjacent cells stay apart.
    light = 1 - 0.1 * darker
    mixed = (round(light * (a + (b - a) * part)) for a, b in zip(low, high, strict=True))
    return f"#000000 on #{''.join(f'{value:02x}' for value in mixed)}"


def _legend(position: Position, analysis: "Analysis", screen: Screen) -> Iterator[Run]:
    if analysis.clash:
        yield " !3 ", _CLASH
        yield " clues that clash   ", ""
    if not analysis.consistent:
        return
    yield f" {screen.safe} ", _SAFE
    yield " safe   ", ""
    yield f" {screen.mined} ", _MINED
    yield " mined   ", ""
    for chance in (0.05, 0.5, 0.95):
        yield f" {percent(chance).zfill(2)} ", shade(chance)
    yield " % chance of a mine", ""
    if analysis.best is not None:
        yield "   > best", ""
    if MARKED in position.cells:
        yield "   F marked", ""


def summary(position: Position, analysis: "Analysis") -> Iterator[tuple[str, str]]:
    """Yield what an analysis found, as pairs of a name and a text."""
    topology = position.topology
    total = (
        "an unknown number of mines" if position.mines is None else counted(position.mines, "mine")
    )
    sides = "x".join(map(str, topology.shape))
    covered = len(position.covered)
    yield "position", f"{sides} {topology.name}, {total}, {covered:,} of {topology.size:,} covered"
    if analysis.clash is not None:
        yield "consistent", f"no: {analysis.clash.describe(position)}"
        return
    yield "consistent", "yes"
    solutions = analysis.count()
    yield "solutions", "not counted" if solutions is None else count(solutions)
    yield "safe", _list(topology, analysis.safe)
    yield "mined", _list(topology, analysis.mined)
    if analysis.best is not None:
        risk = f"risk {analysis.chances[analysis.best]:.2%}"
        if analysis.standard_error is not None:
            risk += f", give or take {analysis.standard_error[analysis.best]:.2%}"
        words = "no risk" if analysis.best in analysis.safe else risk
        yield "best" if analysis.safe else "safest", f"{topology.describe(analysis.best)}: {words}"
    if analysis.approximate:
        yield "note", "too hard to count: chances are sampled, but what is called certain is proved"
    if position.mines is None:
        yield (
            "note",
            "mine count unknown: every count is considered",
        )


def count(number: int) -> str:
    """Return a count in full if it is short, otherwise its size and its number of digits."""
    if number < 10**18:
        return f"{number:,}"
    # Avoid writing it out: Python is slow at long numbers and eventually refuses.
    power = int(log10(number))
    power += (number >= 10 ** (power + 1)) - (number < 10**power)
    lead = round(number / 10 ** (power - 3))
    shown = power if lead < 10_000 else power + 1
    return f"{lead / 10 ** (3 + shown - power):.3f}e{shown} ({power + 1:,} digits)"


def _list(topology: Topology, cells: Collection[int]) -> str:
    if not cells:
        return "no cell is certain"
    named = "; ".join(topology.describe(cell) for cell in tuple(cells)[:_LISTED])
    more = len(cells) - _LISTED
    return f"{len(cells):,}: {named}{f'; and {more:,} more' if more > 0 else ''}"
