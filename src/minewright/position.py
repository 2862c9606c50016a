"""What a player sees: numbers, covered cells, marks and the mine total, as text in and out.

    9x9x10 hex      sides and mines (`?` if the total is not known), and the topology if
    01#F...         it is not `moore`; then one line a row, a blank line between the layers of a box

`0`-`9` are open cells, `.` is 0, `(12)` a larger number, `#` covered (`H` and `?` are read too),
`F` covered and marked (`*` is read too), `-` known to be safe, `!` known to be mined.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import compress
from typing import NamedTuple

from minewright._kernel import COVERED, MARKED, MAX_NUMBER, MINED, SAFE
from minewright.board import Board, read_number, shorten, write_sides
from minewright.topology import Topology, TopologyError, get

DEFAULT_TOPOLOGY = "moore"

# No plain character stands for the largest number, so its code is free to mean "look closer".
_ODD = MAX_NUMBER
_MEANING = dict(zip("0123456789", range(10), strict=True)) | {
    ".": 0,
    "#": COVERED,
    "H": COVERED,
    "?": COVERED,
    "F": MARKED,
    "*": MARKED,
    "-": SAFE,
    "!": MINED,
}
_READ = bytes(_MEANING.get(chr(code), _ODD) for code in range(256))
_WRITTEN = {COVERED: "#", MARKED: "F", SAFE: "-", MINED: "!"} | {n: str(n) for n in range(10)}
_TOKENS = [_WRITTEN.get(code, f"({code})") for code in range(256)]
_WRITE = bytes(ord(_WRITTEN.get(code, "(")) for code in range(256))

_IS_COVERED = bytes(code in (COVERED, MARKED) for code in range(256))
_NUMBERS = bytes(range(MAX_NUMBER + 1))
_NO_NUMBERS = bytes((COVERED, MARKED, SAFE, MINED))
_EXPECTED = "expected a cell: 0-9, # covered, F marked, - safe, ! mined, or a number such as (12)"


class PositionError(ValueError):
    """A position that cannot be: where it goes wrong, and how to mend it.

    `line` and `column` count from 1 and are None where there is no text to point at;
    `cell` is the cell at fault, if it is one.
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
class Position:
    r"""What is visible of a minefield: one code a cell, and the total of mines if known.

    `cells` holds a number for an open cell, or one of COVERED, MARKED, SAFE and MINED; `mines`
    counts all mines, those of MINED cells too. Raises PositionError for a position that no
    minefield of any kind could look like.

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
        # Numbers up to the smallest degree fit anywhere: only the others are looked at.
        if cells.translate(None, _NUMBERS[: topology.smallest_degree + 1] + _NO_NUMBERS):
            _check_numbers(topology, cells)
        if mines is not None:
            _check_total(cells, mines)

    @classmethod
    def parse(
        cls, text: str, mines: int | None = None, topology: str | Topology | None = None
    ) -> "Position":
        """Read a position from its text.

        `mines` and `topology` stand for what a header would say, and must agree with it if
        there is one. Raises PositionError with line and column for text that is no position.
        """
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        lines = [line.rstrip(" ") for line in lines]
        while lines and not lines[-1]:
            lines.pop()
        first = next((index for index, line in enumerate(lines) if line), None)
        if first is None:
            raise PositionError("the text is empty; write one line a row, # for a covered cell", 1)
        header = None
        if "x" in lines[first] or "X" in lines[first]:
            header = _read_header(lines[first], first + 1)
            first += 1
            while first < len(lines) and not lines[first]:
                first += 1
        where = _find_topology(header, topology, lines, first)
        total = _agree(header, mines)
        cells = _read_cells(lines, first, where)
        try:
            return cls(where, cells, total)
        except PositionError as error:
            if error.cell is not None:
                line, column = _locate(error.cell, lines, first, where)
                raise PositionError(error.problem, line, column, error.cell) from None
            if header is not None and header.mines is not None:
                line, column = header.line, header.mines_column
                raise PositionError(error.problem, line, column) from None
            raise

    @classmethod
    def covered_board(cls, board: Board, topology: str = DEFAULT_TOPOLOGY) -> "Position":
        """Give the position before the first move: every cell covered."""
        where = get(topology, board.shape)
        return cls(where, bytes((COVERED,)) * where.size, board.mines)

    @property
    def shape(self) -> tuple[int, ...]:
        """The sides as the player writes them: width, height, and further ones of a box."""
        return self.topology.shape

    @property
    def covered(self) -> tuple[int, ...]:
        """The covered cells, marked or not."""
        return tuple(compress(range(len(self.cells)), self.cells.translate(_IS_COVERED)))

    def __getitem__(self, cell: int) -> int:
        if cell < 0:
            raise IndexError("a cell is never negative")
        return self.cells[cell]

    def with_cells(self, changes: Mapping[int, int]) -> "Position":
        """Give the position with other codes in some cells."""
        cells = bytearray(self.cells)
        for cell, code in changes.items():
            if not 0 <= cell < len(cells):
                raise PositionError(f"there is no cell {cell}: the last is {len(cells) - 1}")
            if not 0 <= code <= 255:
                raise PositionError(f"cell {cell} cannot hold {code}: a code is 0 to 255")
            cells[cell] = code
        return replace(self, cells=bytes(cells))

    def with_mines(self, total: int | None) -> "Position":
        """Give the position with another mine total, or with none known."""
        return replace(self, mines=total)

    def __str__(self) -> str:
        topology, cells = self.topology, self.cells
        total = "?" if self.mines is None else str(self.mines)
        name = "" if topology.name == DEFAULT_TOPOLOGY else f" {topology.name}"
        rows = [f"{'x'.join(map(str, topology.shape))}x{total}{name}"]
        plain = cells.translate(_WRITE).decode("ascii")
        for span in topology.lines():
            row = "" if span is None else plain[span.start : span.stop]
            if span is not None and "(" in row:
                row = "".join([_TOKENS[code] for code in cells[span.start : span.stop]])
            rows.append(row)
        return "\n".join(rows)

    def __repr__(self) -> str:
        total = "?" if self.mines is None else self.mines
        sides = write_sides(self.shape)
        return f"<Position {sides}x{total} {self.topology.name}, {len(self.covered)} covered>"


def _check_numbers(topology: Topology, cells: bytes) -> None:
    least = topology.smallest_degree
    suspicious = bytes(least < code <= MAX_NUMBER for code in range(256))
    neighbours = topology.graph.neighbours
    for cell in compress(range(len(cells)), cells.translate(suspicious)):
        degree = len(neighbours(cell))
        if cells[cell] > degree:
            raise PositionError(
                f"{topology.describe(cell)} shows {cells[cell]}, but has only {degree}"
                " neighbours; write a smaller number, or name another topology",
                cell=cell,
            )


def _check_total(cells: bytes, mines: int) -> None:
    known = cells.count(MINED)
    room = known + cells.count(COVERED) + cells.count(MARKED)
    if mines < 0:
        raise PositionError(f"the mine total is at least 0, not {mines}")
    if mines > room:
        raise PositionError(
            f"{shorten(str(mines))} mines do not fit in {room} covered cells; mend the total"
        )
    if mines < known:
        raise PositionError(
            f"the mine total is {mines}, but {known} cells are known to be mined; mend the total"
        )


class _Header(NamedTuple):
    line: int
    shape: tuple[int, ...]
    mines: int | None
    mines_column: int
    name: str | None
    name_column: int


def _read_header(text: str, line: int) -> _Header:
    sizes, _, rest = text.partition(" ")
    name = rest.strip(" ")
    fields = sizes.replace("X", "x").split("x")
    expected = "expected a header WIDTHxHEIGHTxMINES such as 30x16x99"
    if len(fields) < 2:
        raise PositionError(f"{expected}, found {shorten(repr(text))}", line, 1)
    numbers: list[int | None] = []
    column = 1
    for field in fields:
        number = read_number(field)
        if number is None and not (field == "?" and len(numbers) == len(fields) - 1):
            found = f"found {shorten(repr(field))} for a number"
            raise PositionError(f"{expected}, {found}", line, column)
        numbers.append(number)
        column += len(field) + 1
    return _Header(
        line=line,
        shape=tuple(number for number in numbers[:-1] if number is not None),
        mines=numbers[-1],
        mines_column=column - len(fields[-1]) - 1,
        name=name or None,
        name_column=text.find(name) + 1,
    )


def _find_topology(
    header: _Header | None, topology: str | Topology | None, lines: list[str], first: int
) -> Topology:
    given = topology.name if isinstance(topology, Topology) else topology
    if header is not None and header.name and given and header.name != given:
        raise PositionError(
            f"the header says {shorten(repr(header.name))}, but {given} was asked for;"
            " leave one out",
            header.line,
            header.name_column,
        )
    if isinstance(topology, Topology):
        if header is not None and header.shape != topology.shape:
            raise PositionError(
                f"expected {write_sides(topology.shape)}, found {write_sides(header.shape)}",
                header.line,
                1,
            )
        return topology
    name = given or (header and header.name) or DEFAULT_TOPOLOGY
    shape = header.shape if header is not None else _guess_shape(lines, first)
    try:
        return get(name, shape)
    except TopologyError as error:
        line = header.line if header is not None else None
        raise PositionError(str(error), line, None if header is None else 1) from None


def _guess_shape(lines: list[str], first: int) -> tuple[int, ...]:
    width = len(_read_row(lines[first], first + 1)[0])
    rows = lines[first:]
    height = sum(map(bool, rows))
    layers = 1 + sum(not line and bool(rows[index + 1]) for index, line in enumerate(rows))
    return (width, height) if layers == 1 else (width, -(-height // layers), layers)


def _agree(header: _Header | None, mines: int | None) -> int | None:
    if header is None or header.mines is None:
        return mines
    if mines is not None and mines != header.mines:
        raise PositionError(
            f"the header says {header.mines} mines, but {mines} was asked for; leave one out",
            header.line,
            header.mines_column,
        )
    return header.mines


def _read_cells(lines: list[str], first: int, topology: Topology) -> bytes:
    cells: list[bytes] = []
    at = first
    gap = False
    sides = write_sides(topology.shape)
    for span in topology.lines():
        if span is None:
            gap = True
            continue
        start = at
        while at < len(lines) and not lines[at]:
            at += 1
        if at == len(lines):
            raise PositionError(
                f"expected more rows for {sides}, found the end after {len(cells)}", at + 1
            )
        if gap and at == start:
            raise PositionError("expected a blank line between two layers, found a row", at + 1)
        if at > start and not gap:
            raise PositionError("expected a row, found a blank line; take it out", start + 1)
        gap = False
        line = lines[at]
        codes = line.encode("ascii").translate(_READ) if line.isascii() else b""
        if len(codes) != len(span) or _ODD in codes:
            codes, columns = _read_row(line, at + 1)
            if len(codes) != len(span):
                column = len(line) + 1 if len(codes) < len(span) else columns[len(span)]
                raise PositionError(
                    f"expected {len(span)} cells in this row, found {len(codes)}", at + 1, column
                )
        cells.append(codes)
        at += 1
    if at < len(lines):
        raise PositionError(f"expected the end after {len(cells)} rows, found more", at + 1)
    return b"".join(cells)


def _read_row(line: str, number: int) -> tuple[bytes, list[int]]:
    """Read a row character by character: the codes, and the column where each cell stands."""
    codes = bytearray()
    columns = []
    at = 0
    while at < len(line):
        columns.append(at + 1)
        character = line[at]
        code = _MEANING.get(character)
        if character == "(":
            end = line.find(")", at, at + 5)
            code = read_number(line[at + 1 : end]) if end > 0 else None
            if code is None or code > MAX_NUMBER:
                found = shorten(repr(line[at : at + 5]))
                raise PositionError(
                    f"expected a number up to {MAX_NUMBER} such as (12), found {found}",
                    number,
                    at + 1,
                )
            at = end
        if code is None:
            raise PositionError(f"{_EXPECTED}; found {_show(character)}", number, at + 1)
        codes.append(code)
        at += 1
    return bytes(codes), columns


def _show(character: str) -> str:
    if character in " \t":
        return "a blank" if character == " " else "a tab"
    point = f"U+{ord(character):04X}"
    if not character.isprintable():
        return point
    return f"'{character}'" if character.isascii() else f"'{character}' ({point})"


def _locate(cell: int, lines: list[str], first: int, topology: Topology) -> tuple[int, int]:
    rows = (index for index in range(first, len(lines)) if lines[index])
    spans = (span for span in topology.lines() if span is not None)
    for index, span in zip(rows, spans, strict=True):
        if cell in span:
            return index + 1, _read_row(lines[index], index + 1)[1][cell - span.start]
    raise AssertionError("every cell stands in a line")
