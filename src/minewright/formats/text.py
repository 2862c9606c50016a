"""Positions as text: the library's own, JSMinesweeper's, and what people paste from elsewhere.

Other programs' signs, blanks between cells and frames around them are tidied up first. An error
names the line and column of the original text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from minewright.board import MAX_CELLS
from minewright.formats.bounds import Bounds
from minewright.formats.model import FormatError
from minewright.position import COVERED, MARKED, MAX_NUMBER, MINED, SAFE, Position, PositionError

_COVERS: Final = "h■▓█⬛🟦🟩🔲"
_WHITE: Final = "⬜□◻"
"""Covered if the text has no other sign for it, as in some emoji boards; otherwise open."""
_SIGNS: Final = {
    **dict.fromkeys(_COVERS, "#"),
    **dict.fromkeys("f🚩⚑⚐", "F"),
    **dict.fromkeys("💣💥☀✹", "!"),
    "·": "0",
}
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_UNSEEN: Final = "\ufe0e\ufe0f\u20e3\u200b\u200d"
"""Characters without a width of their own, which make a digit a keycap or a sign an emoji."""
_BARS: Final = "|│┃║"
"""Separators that may also stand at the ends of a row."""
_BETWEEN: Final = f",;{_BARS}"
_LINES: Final = "+─━═"
"""Without one of these, a line of a frame could be a row."""
_FRAME: Final = frozenset(f"-=_ \t{_LINES}{_BARS}┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝")
_HEADER: Final = re.compile(r"\s*\d+([xX][\d?]+)+(\s+\w+)?\s*")
_RULE: Final = re.compile(r"\s*:?-{3,}:?\s*")
"""A field of the delimiter row of a Markdown table."""

_READABLE: Final = frozenset("0123456789().#H?F*-!")
"""The signs of a row in the library's own text."""
_TIDIED: Final = 2 * MAX_CELLS + 1_000
"""The longest text to tidy up, which takes up to 200 MB per million characters: that of the largest
board with a separator after each cell."""

_GAP: Final = "expected a cell between two separators, found none; write 0 if it is open"


def matches(data: bytes) -> bool:
    """Return True if this is text, even in an encoding that cannot be read."""
    return b"\0" not in data or data.startswith(_UTF_16)


def read(
    data: bytes, bounds: Bounds, mines: int | None = None, topology: str | None = None
) -> Position:
    """Read a position from a file.

    Raise FormatError, with the line and column, if it is not one.
    """
    if data.startswith(_UTF_16):
        raise FormatError("this is UTF-16 text; save it as UTF-8")
    bounds.check_text(data)
    try:
        position = parse(data.decode(), mines, topology)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = len(data[: error.start].rpartition(b"\n")[2].decode()) + 1
        raise FormatError(
            f"the byte 0x{data[error.start]:02x} is not UTF-8; save the text as UTF-8",
            f"line {line}, column {column}",
        ) from None
    except PositionError as error:
        place, _, _ = str(error).rpartition(f": {error.problem}")
        raise FormatError(error.problem, place) from error
    bounds.check_sides(position.shape)
    return position


def parse(text: str, mines: int | None = None, topology: str | None = None) -> Position:
    """Read a position from text.

    Raise PositionError, with the line and column in this text, if it is not one.
    """
    try:
        return Position.parse(text, mines, topology)
    except PositionError as error:
        first = error
    if len(text) > _TIDIED:
        raise first
    tidied = _tidy(text)
    if tidied.lines == text.splitlines():
        raise first
    try:
        position = Position.parse("\n".join(tidied.lines), mines, topology)
    except PositionError as error:
        if error.line is None or not 1 <= error.line <= len(tidied.lines):
            raise tidied.gap or first from None
        raise _earlier(tidied.place(error), tidied.gap) from None
    if tidied.gap is not None:
        raise tidied.gap
    return position


@dataclass
class _Tidied:
    """Lines in the library's own signs, with the original line and column of each sign.

    `gap` is the first place with nothing between two separators.
    """

    lines: list[str] = field(default_factory=list)
    columns: list[list[int]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    gap: PositionError | None = None

    def place(self, error: PositionError) -> PositionError:
        """Return an error with its place in the original text."""
        assert error.line is not None
        across = self.columns[error.line - 1]
        column = error.column
        if column is not None:
            column = (*across, across[-1] + 1 if across else 1)[min(column - 1, len(across))]
        return PositionError(error.problem, self.numbers[error.line - 1], column, error.cell)


def _earlier(error: PositionError, gap: PositionError | None) -> PositionError:
    """Return the error that comes first in the text."""

    def place(of: PositionError) -> tuple[int, int]:
        return of.line or 0, of.column or 0

    return gap if gap is not None and place(gap) <= place(error) else error


def _tidy(text: str) -> _Tidied:
    """Return a text in the library's own signs."""
    tidied = _Tidied()
    white = "0" if any(sign in text for sign in f"#{_COVERS}") else "#"
    known = _SIGNS | dict.fromkeys(_WHITE, white)
    sound = True
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if _is_frame(line):
            continue
        signs, gap = _signs(line, known) if sound else ([], None)
        if gap is not None and tidied.gap is None:
            tidied.gap = PositionError(_GAP, number, gap)
        tidied.lines.append("".join(sign for sign, _ in signs) if sound else line)
        tidied.columns.append([column for _, column in signs])
        tidied.numbers.append(number)
        # After a row with a sign that means nothing, no line matters. A header may have any sign.
        row = tidied.lines[-1].rstrip(" ")
        sound = sound and (_READABLE.issuperset(row) or "x" in row.lower())
    return tidied


def _is_frame(line: str) -> bool:
    """Return True if a line is only part of a frame between or around rows."""
    if _FRAME.issuperset(line) and any(sign in _LINES for sign in line):
        return True
    fields = line.strip().strip("|").split("|")
    return len(fields) > 1 and all(map(_RULE.fullmatch, fields))


def _signs(line: str, known: Mapping[str, str]) -> tuple[list[tuple[str, int]], int | None]:
    """Return the `known` signs of a line, each with its column, and the column of the first gap."""
    found = [(sign, column) for column, sign in enumerate(line, 1) if sign not in _UNSEEN]
    if _HEADER.fullmatch(line):
        return found, None
    gap = None
    between = _BETWEEN if any(sign in _BETWEEN for sign in line) else "\t"
    if any(sign in between for sign in line):
        found = [(sign, column) for sign, column in found if sign in between or sign not in " \t"]
        gap = _gap(found, between)
        found = [(sign, column) for sign, column in found if sign not in between]
    elif re.fullmatch(r" *\S( +\S)* *", "".join(sign for sign, _ in found)):
        # A lone blank may be some program's open cell; only regular blanks separate cells.
        found = [(sign, column) for sign, column in found if sign != " "]
    return [(known.get(sign, sign), column) for sign, column in found], gap


def _gap(signs: list[tuple[str, int]], between: str) -> int | None:
    """Return the first place with nothing between two separators; a row may end with a bar."""
    ends = [(sign, 0) for sign, _ in signs if sign in ",;"][:1] or [("#", 0)]
    for (before, _), (sign, column) in pairwise([*ends, *signs, *ends]):
        if before in between and sign in between:
            return column or signs[-1][1] + 1
    return None


def write_mine(position: Position) -> bytes:
    """Return a position in the form that JSMinesweeper saves and loads.

    Raise FormatError if it cannot be written: the format has squares only, needs the mine total,
    and has no sign for a cell that is known to be safe but not open.
    """
    if position.topology.name != "moore" or position.mines is None:
        raise FormatError("JSMinesweeper needs a position of squares with a mine total")
    if SAFE in position.cells:
        raise FormatError("JSMinesweeper has no sign for a cell known to be safe; cover it")
    signs = {COVERED: "H", MARKED: "F", MINED: "F"} | {n: str(n) for n in range(MAX_NUMBER)}
    width, height = position.shape
    rows = (position.cells[start : start + width] for start in range(0, width * height, width))
    lines = [f"{width}x{height}x{position.mines}"]
    lines += ["".join(signs[code] for code in row) for row in rows]
    return "".join(f"{line}\n" for line in lines).encode()


def write(position: Position) -> bytes:
    """Return a position as text."""
    return f"{position}\n".encode()


def write_csv(position: Position) -> bytes:
    """Return a position as a table: the header, then a row per line with commas between cells."""
    head, *rows = str(position).splitlines()
    if any("(" in row for row in rows):
        raise FormatError("a table holds numbers of one digit")
    return "".join(f"{line}\n" for line in (head, *(",".join(row) for row in rows))).encode()
