"""Positions as people paste them: other programs' signs, blanks between cells, frames around.

What is read is still a position's text; an error tells the line and column of what was pasted.
"""

import re
from typing import Final

from minewright.position import Position, PositionError

_SIGNS: Final = {
    **dict.fromkeys("h■▓█⬛🟦🟩🔲", "#"),
    **dict.fromkeys("f🚩⚑⚐", "F"),
    **dict.fromkeys("💣💥☀✹", "!"),
    "·": "0",
}
_UNSEEN: Final = "\ufe0e\ufe0f\u20e3\u200b\u200d"
"""What makes a digit a key cap or a sign a picture, and takes no room of its own."""
_BETWEEN: Final = ",;|│┃\t"
_FRAME: Final = re.compile(
    r"[-+=_| \t─━│┃┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝═║]*[+─━═][-+=_| \t─━═┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝]*"
)
_HEADER: Final = re.compile(r"\s*\d+[xX]\d+[xX\d?]*(\s+\w+)?\s*")


def read(text: str, mines: int | None = None, topology: str | None = None) -> Position:
    """Read a pasted position.

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
