"""Mines, from Simon Tatham's Portable Puzzle Collection: game IDs and saved games.

    9x9:1,5,mb25f23f74b48755bc7530      a game ID: sides, where the game began, the minefield

A minefield is one bit per cell, in hexadecimal digits. After `m` it is masked, so that nobody
reads it by accident: the two halves hide each other by SHA-1, as in the OAEP scheme. After `u` it
is not. A saved game holds such an ID and the moves, in lines of the form `KEY     :length:text`.
"""

import re
from codecs import BOM_UTF8
from hashlib import sha1
from typing import Final

from minewright.formats.bounds import Bounds
from minewright.formats.data import Data, plain
from minewright.formats.model import FormatError, Recorder, Replay
from minewright.formats.writing import begun, check, packed
from minewright.messages import quote, read_number
from minewright.topology import Topology

_MARK: Final = b"SAVEFILE:41:Simon Tatham's Portable Puzzle Collection\n"
_ID: Final = re.compile(r"(\d{1,6})(?:x(\d{1,6}))?(?:n[\d.%]+)?a?:(.*)", re.DOTALL)
_FIELD: Final = re.compile(r"(?:(\d{1,6}),(\d{1,6}),)?([mu]?)([0-9a-f]+)", re.IGNORECASE)
_LINE: Final = re.compile(rb"([A-Z0-9 ]{8}):(\d{1,8}):")
_MOVE: Final = re.compile(r"([OFC])(\d{1,6}),(\d{1,6})")
_STATES: Final = ("MOVE", "SOLVE", "RESTART")
"""The lines that STATEPOS counts."""
_PROGRAM: Final = "Simon Tatham's Mines"
_DIGEST: Final = 20


def matches(data: bytes) -> bool:
    """Return True if this is a game saved by the collection, or the ID of a game of Mines."""
    if data.removeprefix(BOM_UTF8).startswith(_MARK.rstrip(b"\n")):
        return True
    game = _ID.fullmatch(plain(data)) if len(data) < 1_000_000 else None
    return game is not None and _FIELD.fullmatch(game[3]) is not None


def read(data: bytes, bounds: Bounds) -> Replay:
    """Read a game: its first opening, and the moves after it if they were saved."""
    data = data.removeprefix(BOM_UTF8)
    if not data.startswith(_MARK.rstrip(b"\n")):
        game = _ID.fullmatch(plain(data))
        if game is None:
            raise FormatError(f"expected a game ID such as 9x9:1,5,m…, found {quote(plain(data))}")
        return _begin(game, game[3], bounds).replay(program=_PROGRAM)
    file = Data(data, bounds)
    file.until(b"\n")
    lines = _lines(file)
    facts = dict(lines)
    if facts.get("GAME") != "Mines":
        raise FormatError(f"this is a game of {quote(facts.get('GAME', '?'))}, not of Mines")
    sides = _ID.fullmatch(f"{facts.get('PARAMS', '')}:")
    if sides is None:
        raise FormatError(f"expected sides such as 9x9n10, found {quote(facts.get('PARAMS', ''))}")
    begun = facts.get("PRIVDESC") or facts.get("DESC", "")
    # Position 1 is before the first move; moves after the current position were undone.
    made = (read_number(facts.get("STATEPOS", "")) or 1) - 1
    moves: list[str] = []
    for key, text in [line for line in lines if line[0] in _STATES][:made]:
        if key == "RESTART":
            begun, moves = text, []
        elif key == "MOVE":
            # There are no moves after SOLVE, which shows the solution.
            moves.append(text)
    recorder = _begin(sides, begun, bounds)
    for part in bounds.each(part for move in moves for part in move.split(";")):
        _play(recorder, part)
    return recorder.replay(program=_PROGRAM)


def _lines(file: Data) -> list[tuple[str, str]]:
    found = []
    for _ in file.bounds.each(iter(lambda: file.at < len(file.data), False)):
        line = _LINE.match(file.data, file.at)
        if line is None:
            raise file.error("expected a line such as 'DESC    :5:…'; the file is damaged")
        file.at = line.end()
        text = file.take(int(line[2])).decode("latin-1")
        file.until(b"\n")
        found.append((line[1].decode().rstrip(), text))
    return found


def _begin(sides: re.Match[str], described: str, bounds: Bounds) -> Recorder:
    topology = bounds.topology(int(sides[1]), int(sides[2] or sides[1]))
    field = _FIELD.fullmatch(described)
    if field is None:
        raise FormatError(
            "expected a minefield such as 1,5,mb25f…, found"
            f" {quote(described)}; open a cell before you save the game"
        )
    recorder = Recorder(topology, _mined(topology, field[4], masked=field[3].lower() == "m"))
    if field[1] is not None:
        recorder.open(0.0, _cell(topology, field[1], field[2]))
    return recorder


def _mined(topology: Topology, digits: str, masked: bool) -> frozenset[int]:
    size = topology.size
    if len(digits) != (size + 3) // 4:
        raise FormatError(
            f"{size} cells need {(size + 3) // 4} hexadecimal digits, not {len(digits)};"
            " the ID was cut off"
        )
    packed = bytes.fromhex(digits + "0" * (len(digits) % 2))
    if masked:
        packed = _unmask(packed, size)
    return frozenset(cell for cell in range(size) if packed[cell // 8] & 0x80 >> cell % 8)


def _unmask(packed: bytes, size: int) -> bytes:
    """Remove the mask: first the second half's, made from the first half, then the reverse."""
    middle = len(packed) // 2
    first, second = packed[:middle], packed[middle:]
    second = _padding(_hide(second, first), size)
    return _hide(first, second) + second


def _hide(half: bytes, seed: bytes) -> bytes:
    blocks = range(-(-len(half) // _DIGEST))
    stream = b"".join(sha1(seed + str(block).encode()).digest() for block in blocks)
    return bytes(a ^ b for a, b in zip(half, stream, strict=False))


def _padding(half: bytes, size: int) -> bytes:
    """Clear the bits after the last cell."""
    unused = -size % 8
    return half[:-1] + bytes((half[-1] >> unused << unused,))


def _cell(topology: Topology, column: str, row: str) -> int:
    width, height = topology.shape
    if int(column) >= width or int(row) >= height:
        raise FormatError(f"cell {column},{row} is outside {width}x{height}; the file is damaged")
    return int(row) * width + int(column)


def _play(recorder: Recorder, text: str) -> None:
    move = _MOVE.fullmatch(text)
    if move is None:
        raise FormatError(f"expected a move such as O3,4, found {quote(text)}; the file is damaged")
    cell = _cell(recorder.topology, move[2], move[3])
    # The file does not say when moves were made.
    if move[1] == "O":
        recorder.open(0.0, cell)
    elif move[1] == "F":
        recorder.mark(0.0, cell)
    else:
        recorder.chord(0.0, cell)


def write(replay: Replay) -> bytes:
    """Return a game as an ID, or as a saved game if it has moves besides the first opening.

    Raise FormatError if it cannot be written.
    """
    check(replay, _PROGRAM, columns=9_999, rows=9_999)
    width, height = replay.topology.shape
    first = begun(replay, _PROGRAM)
    opened = replay.moves[first].move.cell
    assert opened is not None
    row, column = divmod(opened, width)
    mask = f"m{_masked(packed(replay), replay.topology.size)}"
    described = f"{column},{row},{mask}"
    if len(replay.moves) == 1:
        return f"{width}x{height}:{described}\n".encode()
    moves = []
    for made in replay.moves if first else replay.moves[1:]:
        assert made.move.cell is not None
        row, column = divmod(made.move.cell, width)
        moves.append(f"{_LETTERS[made.move.kind]}{column},{row}")
    states = str(len(moves) + 1)
    params = f"{width}x{height}n{len(replay.mined)}"
    lines = [("VERSION", "1"), ("GAME", "Mines"), ("PARAMS", params), ("CPARAMS", params)]
    lines.append(("DESC", described))
    # If marks come before the first opening, the game begins without it: it is a move like others.
    lines += [("PRIVDESC", mask)] if first else []
    lines += [("UI", "D0"), ("TIME", "0")]
    lines += [("NSTATES", states), ("STATEPOS", states), *(("MOVE", move) for move in moves)]
    return _MARK + "".join(f"{key:8}:{len(text)}:{text}\n" for key, text in lines).encode()


_LETTERS: Final = {"open": "O", "mark": "F", "chord": "C"}


def _masked(bits: bytes, size: int) -> str:
    """Return a minefield in hexadecimal digits, hidden as `_unmask` expects it."""
    middle = len(bits) // 2
    first = _hide(bits[:middle], bits[middle:])
    second = _padding(_hide(bits[middle:], first), size)
    return (first + second).hex()[: (size + 3) // 4]
