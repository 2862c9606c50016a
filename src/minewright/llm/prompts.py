"""What a model is shown: the rules, the position in one of two encodings, and how to answer."""

from collections.abc import Callable
from typing import Final, Literal, get_args

from minewright.position import MAX_NUMBER, Position

Encoding = Literal["grid", "list"]
"""The board as rows of characters, or as a list of numbers with their covered neighbours."""
ENCODINGS: Final[tuple[Encoding, ...]] = get_args(Encoding)

RULES: Final = """\
You play Minesweeper. A number says how many of the cells that touch it, at most eight, hold a mine.
Rows and columns are counted from 1, from the top left. Choose one covered cell to open. If a cell
is certainly free of mines, choose such a cell; otherwise choose the safest.

Answer with one JSON object and nothing after it:
{"open": [ROW, COLUMN], "mine_chance": P, "because": [[ROW, COLUMN], ...], "total": false}
"mine_chance" is the chance that the cell holds a mine, 0 if it is certainly free. "because" lists
the numbers from which that follows, and "total" says whether the number of mines is needed as well;
leave the list empty for a guess.
"""


def question(position: Position, encoding: Encoding, problem: str = "") -> str:
    """Return the prompt for a position; `problem` is what was wrong with the last answer."""
    again = f"\nYour last answer could not be used: {problem}.\n" if problem else ""
    return f"{RULES}\n{_ENCODERS[encoding](position)}{again}"


def _heading(position: Position) -> str:
    width, height = position.shape
    return f"The board has {height} rows and {width} columns, with {position.mines} mines in all."


def _grid(position: Position) -> str:
    """Return the board in rows: a number, or # for a covered cell."""
    width, _ = position.shape
    rows = [
        " ".join(
            str(code) if code <= MAX_NUMBER else "#" for code in position.cells[start:][:width]
        )
        for start in range(0, len(position.cells), width)
    ]
    return "\n".join([f"{_heading(position)} # is a covered cell.", "", *rows, ""])


def _list(position: Position) -> str:
    """Return one line per number that touches a covered cell, then the other covered cells."""
    topology = position.topology
    covered = set(position.covered)
    lines, near = [], set()
    for cell, code in enumerate(position.cells):
        around = [other for other in topology.neighbours(cell) if other in covered]
        if code <= MAX_NUMBER and around:
            near.update(around)
            lines.append(f"{code} at {_name(position, cell)}: {_names(position, around)}")
    far = sorted(covered - near)
    return "\n".join(
        [
            _heading(position),
            "",
            "Each number, its ROW,COLUMN, and the covered cells that it touches:",
            *lines,
            "",
            f"Covered cells that touch no number: {_names(position, far) or 'none'}",
            "",
        ]
    )


def _name(position: Position, cell: int) -> str:
    return ",".join(str(at + 1) for at in position.topology.coordinates(cell))


def _names(position: Position, cells: list[int]) -> str:
    return " ".join(_name(position, cell) for cell in cells)


_ENCODERS: Final[dict[Encoding, Callable[[Position], str]]] = {"grid": _grid, "list": _list}
