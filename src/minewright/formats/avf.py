"""AVF: replays of Minesweeper Arbiter.

The layout was worked out by Maksim Bashov, Shenjia Zhang and Damien Moore (minesweeper-rawvf,
parser_avf.c) and by ms_toollib; the authors of Arbiter have not published it.

    1 version, 4 bytes, 1 level (3 to 6; 6 is followed by width - 1, height - 1, 2 bytes of mines)
    a row and a column, from 1, for each mine; bytes that are not needed
    17 or 127 (question marks on or off), 1 byte, then a text such as [2|date|date|B127T50.25]
    8 bytes per event, see `_events`; then texts, with the player's name after `Skin:`
"""

import re
from collections.abc import Iterator
from typing import Final

from minewright.board import BEGINNER, EXPERT, INTERMEDIATE
from minewright.formats.bounds import Bounds
from minewright.formats.data import Data, decode
from minewright.formats.model import Action, Replay
from minewright.formats.mouse import Hand
from minewright.formats.writing import check, duration, measure, name_bytes, pixels, places, presses

_LEVELS: Final = {3: (8, 8, BEGINNER.mines), 4: (*INTERMEDIATE.shape, INTERMEDIATE.mines)} | {
    5: (*EXPERT.shape, EXPERT.mines)
}
_ACTIONS: Final[dict[int, Action]] = {
    1: "move",
    3: "left down",
    5: "left up",
    9: "right down",
    11: "shift down",
    17: "right up",
    21: "left up",
    33: "middle down",
    65: "middle up",
    145: "right up",
    193: "middle up",
}
_VERSION: Final = 52
_SUMS: Final = bytes(range(10, 30))
"""Stands in for what Arbiter computes from the board, and for the country; nobody reads it."""
_HEADER: Final = re.compile(rb"([\x11\x7f])[\x00-\xff]\[[0-3]\|[^\[\]]{0,200}\]")
_FIRST: Final = re.compile(rb"[\x00\x01]\x01")
"""The bytes after the first byte of the first event."""


def matches(data: bytes) -> bool:
    """Return True if this is an AVF file: it has a known level and the text with the dates."""
    return len(data) > 5 and data[5] in (*_LEVELS, 6) and _HEADER.search(data) is not None


def read(data: bytes, bounds: Bounds) -> Replay:
    """Read a replay."""
    file = Data(data, bounds, at=5)
    level = file.number()
    if level == 6:
        width, height, count = file.number() + 1, file.number() + 1, file.number(2)
    elif level in _LEVELS:
        width, height, count = _LEVELS[level]
    else:
        raise file.error(f"there is no level {level}; this is not an AVF file", back=1)
    topology = file.topology(width, height, back=4)
    places = ((file.number(), file.number()) for _ in range(count))
    mined = file.cells(topology, ((column - 1, row - 1) for row, column in places))
    header = _HEADER.search(data, file.at)
    if header is None:
        raise file.error(
            "expected the dates of the game in brackets, found none; the file was cut off"
        )
    hand = Hand(topology, mined, questions=header[1] == b"\x11")
    file.at = header.end()
    for seconds, action, x, y in _events(file):
        hand.act(seconds, action, x, y)
    return hand.replay(_player(data[file.at :]), "Minesweeper Arbiter")


def _events(file: Data) -> Iterator[tuple[float, Action, int, int]]:
    """Yield the events, 8 bytes each. The seconds are stored plus 1; a 0 ends the list."""
    first = _FIRST.search(file.data, file.at + 1)
    if first is None:
        raise file.error("expected events, found none; the file was cut off")
    file.at = first.start() - 1
    for what in file.events():
        x_high, low, x_low, hundredths, y_high, high, y_low = file.take(7)
        whole = high << 8 | low
        if not whole:
            return
        if what not in _ACTIONS:
            raise file.error(f"there is no event {what}; the file is damaged", back=8)
        seconds = whole - 1 + hundredths / 100
        yield seconds, _ACTIONS[what], x_high << 8 | x_low, y_high << 8 | y_low


def _player(texts: bytes) -> str:
    """Return the player's name: the line after the skin."""
    _, _, rest = texts.partition(b"Skin:")
    _, _, rest = rest.partition(b"\r")
    name, end, _ = rest.partition(b"\r")
    return decode(name) if end else ""


_WRITTEN: Final[dict[Action, int]] = {
    "left down": 3,
    "left up": 5,
    "right down": 9,
    "shift down": 11,
    "right up": 17,
    "middle down": 33,
    "middle up": 65,
}
_LONGEST: Final = 9_999.0


def write(replay: Replay) -> bytes:
    """Return a game as an AVF file, without its date and without checksums.

    Raise FormatError if the format cannot hold it.
    """
    check(replay, "AVF")
    length = duration(replay, "AVF", _LONGEST)
    width, height = replay.topology.shape
    size = (width, height, len(replay.mined))
    level = next((level for level, board in _LEVELS.items() if board == size), 6)
    head = bytes((_VERSION, 0, 0, 0, 0, level))
    if level == 6:
        head += bytes((width - 1, height - 1)) + len(replay.mined).to_bytes(2, "big")
    mines = bytes(number for column, row in places(replay, 1) for number in (row, column))
    shown = f"B{measure(replay)}T{length + 1:.2f}"
    sides = f"W{width}H{height}M{len(replay.mined)}|" if level == 6 else ""
    dates = f"\x7f9[{level - 3}|{sides}1.1.2000.0:00:00:0000|1.0:00:00:0000|{shown}]"
    # Readers find the first event by its time, which is in the first second; here it only moves
    # the mouse. The blank keeps its number from being taken for a time.
    body = bytearray(b" ") + bytes((1, 0, 1, 8, 0, 0, 0, 8))
    for press in presses(replay, _WRITTEN):
        whole, rest = divmod(round(max(press.seconds, 0.0) * 100), 100)
        x, y = pixels(press, replay)
        what, seconds = _WRITTEN[press.action], whole + 1
        body += bytes((what, x >> 8, seconds & 255, x & 255, rest, y >> 8, seconds >> 8, y & 255))
    name = name_bytes(replay.player).replace(b"\r", b" ")
    end = f"RealTime: {length:.2f}\rSkin: 0\r".encode() + name + b"\rMinewright\r"
    return head + mines + _SUMS + dates.encode("latin-1") + bytes(body) + bytes(8) + end + bytes(8)
