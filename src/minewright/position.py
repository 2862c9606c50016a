"""What a player sees: numbers, covered cells, marks and the mine total, with their text form.

    9x9x10 hex      sides and mines (`?` if the total is unknown), and the topology unless it
    01#F...         is `moore`; then one line per row, a blank line between the layers of a box

`0`-`9` are open cells, `.` is 0, `(12)` a larger number, `#` covered (`H` and `?` are read too),
`F` covered and marked (`*` is read too), `-` known to be safe, `!` known to be mined.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import compress
from reprlib import repr as shortened
from typing import Final, NamedTuple

from minewright import _kernel
from minewright.board import MAX_SIDES, Board
from minewright.drawing import Drawn
from minewright.errors import MinewrightError
from minewright.messages import counted, quote, read_number, whole, write_sides
from minewright.topology import Topology, TopologyError, get, kind

# What `Position.cells` holds; the kernel uses the same codes.
MAX_NUMBER: Final = _kernel.MAX_NUMBER
"""The largest number an open cell can show: codes from 0 to this one are numbers."""
COVERED: Final = _kernel.COVERED
"""A covered cell."""
MARKED: Final = _kernel.MARKED
"""A covered cell that the player has marked as a mine."""
SAFE: Final = _kernel.SAFE
"""A cell known to be safe, whose number is not known."""
MINED: Final = _kernel.MINED
"""A cell known to be mined."""

DEFAULT_TOPOLOGY = "moore"

_READ_AS = {str(number): number for number in range(10)} | {
    ".": 0,
    "#": COVERED,
    "H": COVERED,
    "?": COVERED,
    "F": MARKED,
    "*": MARKED,
    "-": SAFE,
    "!": MINED,
}
_SIGNS = {COVERED: "#", MARKED: "F", SAFE: "-", MINED: "!"}
_WRITTEN_AS = [_SIGNS.get(code, str(code) if code < 10 else f"({code})") for code in range(256)]

# Tables for bytes.translate, which reads or writes a whole row. No single character stands for the
# largest number, so its code can mean that the character needs a closer look.
_ODD = MAX_NUMBER
_READ = bytes(_READ_AS.get(chr(character), _ODD) for character in range(256))
_PLAIN = re.compile(r"(\d{1,6})x(\d{1,6})x(\d{1,9})\n")
_WRITE = bytes(ord(written[0]) for written in _WRITTEN_AS)
_COVERED = bytes(code in (COVERED, MARKED) for code in range(256))
_NO_NUMBER = bytes(_SIGNS)


class PositionError(MinewrightError, ValueError):
    """An impossible position: where it goes wrong, and how to fix it.

    `line` and `column` count from 1, and are None if there is no text to point at. `cell` is the
    cell at fault, if there is one.
    """

    def __init__(
        self,
        problem: str,
        line: int | None = None,
        column: int | None = None,
        cell: int | None = None,
    ) -> None:
        super().__init__(problem, line, column, cell)
        self.problem = problem
        self.line = line
        self.column = column
        self.cell = cell

    def __str__(self) -> str:
        if self.line is None:
            return self.problem
        if self.column is None:
            return f"line {self.line}: {self.problem}"
        return f"line {self.line}, column {self.column}: {self.problem}"


@dataclass(frozen=True, slots=True, repr=False)
class Position(Drawn):
    r"""What is visible of a minefield: one code per cell, and the mine total if known.

    `cells` holds a number for an open cell, or one of COVERED, MARKED, SAFE and MINED. `mines`
    counts all mines, including those in MINED cells. Raise PositionError for a position that is
    obviously impossible, such as a 9 with eight neighbours.

    >>> position = Position.parse("3x2x1\n1##\n###")
    >>> position[0], len(position.covered), position.mines
    (1, 5, 1)
    >>> print(position)
    3x2x1
    1##
    ###
    """

    topology: Topology
    cells: bytes
    mines: int | None = None

    def __post_init__(self) -> None:
        topology, cells, mines = self.topology, self.cells, self.mines
        if len(cells) != topology.size:
            raise PositionError(
                f"{write_sides(topology.shape)} has {topology.size} cells, not {len(cells)}"
            )
        # Numbers up to the smallest degree fit anywhere, so only larger ones are checked.
        least = topology.smallest_degree
        if cells.translate(None, bytes(range(least + 1)) + _NO_NUMBER):
            _check_numbers(topology, cells)
        if mines is not None:
            if type(mines) is not int:
                mines = _whole_total(mines)
                object.__setattr__(self, "mines", mines)
            _check_total(cells, mines)

    @classmethod
    def parse(
        cls, text: str, mines: int | None = None, topology: str | Topology | None = None
    ) -> "Position":
        """Read a position from its text.

        `mines` and `topology` replace what a header would say, and must agree with it if there
        is one. Raise PositionError, with line and column, if the text is not a position.
        """
        if mines is None and topology is None and (plain := _read_plain(text)) is not None:
            return plain
        lines = _split(text)
        header, first = _read_header(lines)
        where = _choose_topology(header, topology, lines, first)
        total = _choose_total(header, mines)
        cells = _read_cells(lines, first, where)
        try:
            return cls(where, cells, total)
        except PositionError as error:
            line, column = header.line, header.mines_column
            if error.cell is not None:
                line, column = _locate(error.cell, lines, first, where)
            raise PositionError(error.problem, line, column, error.cell) from None

    @classmethod
    def covered_board(cls, board: Board | str, topology: str = DEFAULT_TOPOLOGY) -> "Position":
        """Return the position before the first move, with every cell covered."""
        board = Board.of(board)
        where = get(topology, board.shape)
        return cls(where, bytes((COVERED,)) * where.size, board.mines)

    @property
    def shape(self) -> tuple[int, ...]:
        """The sides in the order of the text: width, height, and the further sides of a box."""
        return self.topology.shape

    @property
    def covered(self) -> tuple[int, ...]:
        """The covered cells, marked or not."""
        return tuple(compress(range(len(self.cells)), self.cells.translate(_COVERED)))

    def __getitem__(self, cell: int) -> int:
        if cell < 0:
            raise IndexError("a cell cannot be negative")
        return self.cells[cell]

    def with_cells(self, changes: Mapping[int, int]) -> "Position":
        """Return the position with some codes changed."""
        cells = bytearray(self.cells)
        for cell, code in changes.items():
            if not 0 <= cell < len(cells):
                raise PositionError(f"there is no cell {cell}; the last is {len(cells) - 1}")
            if not 0 <= code <= 255:
                raise PositionError(f"cell {cell} cannot hold {code}: a code is 0 to 255")
            cells[cell] = code
        return replace(self, cells=bytes(cells))

    def with_marks_mined(self) -> "Position":
        """Return the position with its marks taken as facts. Raise PositionError if impossible."""
        return replace(self, cells=self.cells.replace(bytes((MARKED,)), bytes((MINED,))))

    def with_mines(self, total: int | None) -> "Position":
        """Return the position with another mine total, or with an unknown one."""
        return replace(self, mines=total)

    def __str__(self) -> str:
        topology, cells = self.topology, self.cells
        total = "?" if self.mines is None else str(self.mines)
        name = "" if topology.name == DEFAULT_TOPOLOGY else f" {topology.name}"
        rows = [f"{write_sides(topology.shape)}x{total}{name}"]
        plain = cells.translate(_WRITE).decode("ascii")
        for span in topology.lines():
            row = "" if span is None else plain[span.start : span.stop]
            if span is not None and "(" in row:
                row = "".join([_WRITTEN_AS[code] for code in cells[span.start : span.stop]])
            rows.append(row)
        return "\n".join(rows)

    def __repr__(self) -> str:
        total = "?" if self.mines is None else self.mines
        sides = write_sides(self.shape)
        return f"<Position {sides}x{total} {self.topology.name}, {len(self.covered)} covered>"


def _check_numbers(topology: Topology, cells: bytes) -> None:
    cell = topology.graph.first_excess(cells)
    if cell >= 0:
        degree = len(topology.neighbours(cell))
        raise PositionError(
            f"{topology.describe(cell)} shows {cells[cell]} but has"
            f" {counted(degree, 'neighbour')};"
            f" write at most {degree}, or name another topology than {topology.name}",
            cell=cell,
        )


def _whole_total(mines: object) -> int:
    total = whole(mines)
    if total is None:
        raise PositionError(f"the mine total must be a whole number, not {shortened(mines)}")
    return total


def _check_total(cells: bytes, mines: int) -> None:
    known = cells.count(MINED)
    room = known + cells.count(COVERED) + cells.count(MARKED)
    if mines < 0:
        raise PositionError("the mine total must be 0 or more")
    if mines > room:
        raise PositionError(
            f"{counted(room, 'covered cell')} cannot hold {counted(mines, 'mine')};"
            " correct the mine total"
        )
    if mines < known:
        raise PositionError(
            f"the mine total is {mines}, but {counted(known, 'known mine')} can be seen;"
            " correct the mine total"
        )


class _Header(NamedTuple):
    """What the first line says, and where; empty if it is not a header."""

    line: int | None = None
    shape: tuple[int, ...] = ()
    mines: int | None = None
    mines_column: int | None = None
    name: str = ""
    name_column: int | None = None


def _read_plain(text: str) -> Position | None:
    """Read a text as most programs write it: a header, then rows of single characters.

    Return None for any other text. That includes a wrong one: the full reader says what is wrong
    with it, and where.
    """
    found = _PLAIN.match(text)
    if found is None or not text.isascii():
        return None
    width, height, mines = map(int, found.groups())
    rows = text[found.end() :].removesuffix("\n")
    if len(rows) != (width + 1) * height - 1 or rows[width :: width + 1].strip("\n"):
        return None
    cells = rows.replace("\n", "").encode().translate(_READ)
    if len(cells) != width * height or _ODD in cells:
        return None
    try:
        return Position(get(DEFAULT_TOPOLOGY, (width, height)), cells, mines)
    except (PositionError, TopologyError):
        return None


def _split(text: str) -> list[str]:
    """Return the lines without line ends, trailing blanks and trailing blank lines."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = [line.rstrip(" ") for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _read_header(lines: list[str]) -> tuple[_Header, int]:
    """Return the header, if there is one, and the place of the first row."""
    first = _skip_blank(lines, 0)
    if first == len(lines):
        raise PositionError(
            "the text is empty; write one line per row, with # for a covered cell", 1
        )
    text = lines[first]
    if "x" not in text and "X" not in text:
        return _Header(), first
    line = first + 1
    if "\t" in text:
        raise PositionError("found a tab; write a blank", line, text.index("\t") + 1)
    sizes, _, name = text.partition(" ")
    name = name.lstrip(" ")
    *sides, total = sizes.replace("X", "x").split("x", MAX_SIDES + 1)
    shape: list[int] = []
    column = 1
    for field in (*sides, "0" if total == "?" else total):
        number = read_number(field)
        if number is None:
            raise PositionError(
                "expected a number in a header such as 30x16x99 (sides, then mines or ?),"
                f" found {quote(field) if field else 'none'}",
                line,
                column,
            )
        shape.append(number)
        column += len(field) + 1
    mines = shape.pop()
    header = _Header(
        line=line,
        shape=tuple(shape),
        mines=None if total == "?" else mines,
        mines_column=column - len(total) - 1,
        name=name,
        name_column=len(text) - len(name) + 1,
    )
    return header, _skip_blank(lines, line)


def _choose_topology(
    header: _Header, topology: str | Topology | None, lines: list[str], first: int
) -> Topology:
    given = topology.name if isinstance(topology, Topology) else topology
    if given and header.name and given != header.name:
        raise PositionError(
            f"the header says {quote(header.name)}, but you said {quote(given)}; leave one out",
            header.line,
            header.name_column,
        )
    name = given or header.name or DEFAULT_TOPOLOGY
    try:
        known = type(topology) if isinstance(topology, Topology) else kind(name)
    except TopologyError as error:
        raise PositionError(str(error), header.line, header.name_column) from None
    if header.line and len(header.shape) not in known.sides:
        form = "x".join([*("WIDTH", "HEIGHT", "DEPTH", "BLOCKS")[: known.sides[0]], "MINES"])
        raise PositionError(
            f"expected {form} for {name} (? for an unknown total), found"
            f" {len(header.shape) + 1} numbers; correct them, or name the topology, as in"
            " 4x4x4x9 box",
            header.line,
            1,
        )
    if isinstance(topology, Topology):
        if header.line and header.shape != topology.shape:
            raise PositionError(
                f"the given topology has {write_sides(topology.shape)} cells; correct the header",
                header.line,
                1,
            )
        return topology
    shape = header.shape or _guess_shape(lines, first, known.sides)
    try:
        return get(name, shape)
    except TopologyError as error:
        raise PositionError(str(error), header.line or first + 1, 1) from None


def _guess_shape(lines: list[str], first: int, sides: range) -> tuple[int, ...]:
    """Return the shape of the rows: three sides for a box with blank lines, otherwise two."""
    rows = lines[first:]
    width = len(_read_row(rows[0], first + 1)[0]) if "(" in rows[0] else len(rows[0])
    if 3 not in sides or "" not in rows:
        return width, len(rows)
    layers = 1 + sum(not line and bool(rows[index + 1]) for index, line in enumerate(rows))
    return width, rows.index(""), layers


def _choose_total(header: _Header, mines: int | None) -> int | None:
    if mines is None:
        return header.mines
    mines = _whole_total(mines)
    if header.mines is not None and mines != header.mines:
        raise PositionError(
            f"the header says {counted(header.mines, 'mine')}, but you said"
            f" {counted(mines, 'mine')}; leave one out",
            header.line,
            header.mines_column,
        )
    return mines


def _read_cells(lines: list[str], first: int, topology: Topology) -> bytes:
    """Read the rows of the topology, in its order."""
    rows: list[bytes] = []
    sides = write_sides(topology.shape)
    at = first
    gap = False
    for span in topology.lines():
        if span is None:
            gap = True
            continue
        start, at = at, _skip_blank(lines, at)
        if at == len(lines):
            raise PositionError(
                f"expected another row for {sides}, found the end of the text after"
                f" {counted(len(rows), 'row')}; add rows, or correct the sizes",
                at + 1,
            )
        if gap and at == start:
            raise PositionError("expected a blank line before the next layer, found a row", at + 1)
        if not gap and at > start:
            raise PositionError("expected a row, found a blank line; remove it", start + 1)
        gap = False
        line = lines[at]
        at += 1
        codes = line.encode("ascii").translate(_READ) if line.isascii() else b""
        if len(codes) != len(span) or _ODD in codes:
            codes, columns = _read_row(line, at)
            if len(codes) != len(span):
                column = (*columns, len(line) + 1)[min(len(codes), len(span))]
                raise PositionError(
                    f"expected a row of {counted(len(span), 'cell')} for {sides}, found"
                    f" {len(codes)}; correct the row or the sizes",
                    at,
                    column,
                )
        rows.append(codes)
    if at < len(lines):
        raise PositionError(
            f"expected the end of the text after {counted(len(rows), 'row')} for {sides}, found"
            " another line; remove it, or correct the sizes",
            at + 1,
        )
    return b"".join(rows)


def _read_row(line: str, number: int) -> tuple[bytes, list[int]]:
    """Read a row character by character; return the codes, and the column of each cell."""
    codes = bytearray()
    columns = []
    at = 0
    while at < len(line):
        end = at + 1
        code = _READ_AS.get(line[at])
        if line[at] == "(":
            end = line.find(")", at) + 1
            code = read_number(line[at + 1 : end - 1]) if end else None
            if code is None or code > MAX_NUMBER:
                raise PositionError(
                    f"expected a number of at most {MAX_NUMBER} in parentheses, such as (12),"
                    f" found {quote(line[at : end or at + 5])}",
                    number,
                    at + 1,
                )
        if code is None:
            raise PositionError(
                "expected a cell (0-9 or (12) open, # covered, F marked, - safe, ! mined),"
                f" found {_name_character(line[at])}",
                number,
                at + 1,
            )
        codes.append(code)
        columns.append(at + 1)
        at = end
    return bytes(codes), columns


def _locate(cell: int, lines: list[str], first: int, topology: Topology) -> tuple[int, int]:
    """Return the line and column of a cell in a text that has been read."""
    written = (at for at in range(first, len(lines)) if lines[at])
    spans = (span for span in topology.lines() if span is not None)
    at, span = next((at, span) for at, span in zip(written, spans, strict=True) if cell in span)
    return at + 1, _read_row(lines[at], at + 1)[1][cell - span.start]


def _skip_blank(lines: list[str], at: int) -> int:
    while at < len(lines) and not lines[at]:
        at += 1
    return at


def _name_character(character: str) -> str:
    if character in " \t":
        return "a blank; remove it" if character == " " else "a tab; remove it"
    point = f"U+{ord(character):04X}"
    if not character.isprintable():
        return point
    return f"'{character}'" if character.isascii() else f"'{character}' ({point})"
