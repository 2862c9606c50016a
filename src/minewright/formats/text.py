"""Positions as text: the library's own, JSMinesweeper's, and what people paste from elsewhere.

Other programs' signs, blanks between cells and frames around them are put in order first; an error
tells the line and column of what was given.
"""

import re
from typing import Final

from minewright._kernel import COVERED, MARKED, MAX_NUMBER, MINED, SAFE
from minewright.formats.model import FormatError
from minewright.position import Position, PositionError

_SIGNS: Final = {
    **dict.fromkeys("h■▓█⬛🟦🟩🔲", "#"),
    **dict.fromkeys("f🚩⚑⚐", "F"),
    **dict.fromkeys("💣💥☀✹", "!"),
    "·": "0",
}
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_UNSEEN: Final = "\ufe0e\ufe0f\u20e3\u200b\u200d"
"""What makes a digit a key cap or a sign a picture, and takes no room of its own."""
_BETWEEN: Final = ",;|│┃\t"
_FRAME: Final = re.compile(
    r"[-+=_| \t─━│┃┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝═║]*[+─━═][-+=_| \t─━═┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝]*"
)
_HEADER: Final = re.compile(r"\s*\d+[xX]\d+[xX\d?]*(\s+\w+)?\s*")


def matches(data: bytes) -> bool:
    """Say whether this is text, be it in an encoding that is not read."""
    return b"\0" not in data or data.startswith(_UTF_16)


def read(data: bytes, mines: int | None = None, topology: str | None = None) -> Position:
    """Read a position from a file.

    Raises FormatError with the line and column.
    """
    if data.startswith(_UTF_16):
        raise FormatError("this is UTF-16 text; save it as UTF-8")
    try:
        return parse(data.decode(), mines, topology)
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


def parse(text: str, mines: int | None = None, topology: str | None = None) -> Position:
    """Read a position from text.

    Raises PositionError with the line and column of the pasted text.
    """
    try:
        return Position.parse(text, mines, topology)
    except PositionError as error:
        lines, columns, numbers = _tidy(text)
        if lines == text.splitlines():
            raise
        first = error
    try:
        return Position.parse("\n".join(lines), mines, topology)
    except PositionError as error:
        if error.line is None or not 1 <= error.line <= len(lines):
            raise first from None
        across = columns[error.line - 1]
        column = error.column
        if column is not None:
            column = (*across, across[-1] + 1 if across else 1)[min(column - 1, len(across))]
        raise PositionError(error.problem, numbers[error.line - 1], column, error.cell) from None


def _tidy(text: str) -> tuple[list[str], list[list[int]], list[int]]:
    """Give the lines in the library's own signs, where each sign stood, and in which line."""
    lines, columns, numbers = [], [], []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if _FRAME.fullmatch(line):
            continue
        signs = _signs(line)
        lines.append("".join(sign for sign, _ in signs))
        columns.append([column for _, column in signs])
        numbers.append(number)
    return lines, columns, numbers


def _signs(line: str) -> list[tuple[str, int]]:
    """Give the signs of a line, each with its column."""
    found = [(sign, column) for column, sign in enumerate(line, 1) if sign not in _UNSEEN]
    if _HEADER.fullmatch(line):
        return found
    separated = any(sign in _BETWEEN for sign in line)
    # A lone blank may be an open cell of some program's: only regular ones stand between cells.
    if separated or re.fullmatch(r" *\S( +\S)* *", "".join(sign for sign, _ in found)):
        found = [(sign, column) for sign, column in found if sign not in _BETWEEN + " "]
    return [(_SIGNS.get(sign, sign), column) for sign, column in found]


def write_mine(position: Position) -> bytes:
    """Write a position as JSMinesweeper saves and loads it.

    Raises FormatError: it knows squares only, needs the mine total, and has no sign for a cell
    that is known to be safe and not open.
    """
    if position.topology.name != "moore" or position.mines is None:
        raise FormatError("JSMinesweeper knows positions of squares with a mine total")
    if SAFE in position.cells:
        raise FormatError("JSMinesweeper has no sign for a cell known to be safe; cover it")
    signs = {COVERED: "H", MARKED: "F", MINED: "F"} | {n: str(n) for n in range(MAX_NUMBER)}
    width, height = position.shape
    rows = (position.cells[start : start + width] for start in range(0, width * height, width))
    lines = [f"{width}x{height}x{position.mines}"]
    lines += ["".join(signs[code] for code in row) for row in rows]
    return "".join(f"{line}\n" for line in lines).encode()
