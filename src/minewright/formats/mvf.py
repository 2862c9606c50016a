"""MVF: replays of Minesweeper Clone 0.97.

The layout was worked out by Maksim Bashov and Damien Moore (minesweeper-rawvf, parser_mvf.c) and by
ms_toollib. Clone 2006 and 2007 used another layout, which is not read: there was no file and no
other program to compare with. Files of earlier versions have no signature to recognise them by.

    0x11 0x4D; the last digit of the version's year at byte 27; from byte 74 on
    7 bytes of date, level, mode, 3 bytes of time, 10 of counts, question marks
    width, height, 2 bytes of mines, a column and a row, from 1, for each
    length of the name, the name, 2 bytes that choose the order of bits, 3 bytes of event count
    5 bytes per event, whose bits are shuffled: see `order`
"""

from math import cos, sin, sqrt
from typing import Final

from minewright.formats.bounds import Bounds
from minewright.formats.data import Data, decode
from minewright.formats.model import Replay
from minewright.formats.mouse import Action, Hand

_MARK: Final = b"\x11\x4d"
_YEAR: Final = 27
_YEARS: Final = (b"5", b"8")
"""The years of 0.97 and of a modified version of it."""
_QUESTIONS: Final = 96
_BUTTONS: Final[tuple[tuple[int, Action, Action], ...]] = (
    (4, "left down", "left up"),
    (1, "right down", "right up"),
    (2, "middle down", "middle up"),
)


def matches(data: bytes) -> bool:
    """Return True if this is an MVF file, by its signature and its year."""
    return data.startswith(_MARK) and data[_YEAR : _YEAR + 1].isdigit()


def read(data: bytes, bounds: Bounds) -> Replay:
    """Read a replay."""
    file = Data(data, bounds)
    if file.take(2) != _MARK:
        raise file.error(
            "expected 0x11 0x4d, found something else; this is not an MVF file", back=2
        )
    file.at = _YEAR
    if file.take(1) not in _YEARS:
        raise file.error("only files of Minesweeper Clone 0.97 can be read", back=1)
    file.at = _QUESTIONS
    questions = bool(file.number())
    topology = file.topology(file.number(), file.number(), back=2)
    mined = file.pairs(topology, file.number(2), first=1)
    name = decode(file.take(file.number()))
    tables = _tables(order(file.number(2)))
    hand = Hand(topology, mined, questions=questions)
    down = 0
    for _ in bounds.each(range(file.number(3))):
        bits = sum(table[byte] for table, byte in zip(tables, file.take(5), strict=True))
        changed = (bits ^ down) & 7
        if not changed:
            # The mouse moved, which does not affect the game.
            continue
        down ^= changed
        y, x = bits >> 3 & 0x1FF, bits >> 12 & 0x1FF
        seconds = (bits >> 21 & 0x7F) / 100 + (bits >> 28 & 0x3FF)
        # Presses come before releases.
        for button, press, _ in _BUTTONS:
            if changed & down & button:
                hand.act(seconds, press, x, y)
        for button, _, release in _BUTTONS:
            if changed & ~down & button:
                hand.act(seconds, release, x, y)
    return hand.replay(name, "Minesweeper Clone")


def _tables(order: list[int]) -> list[list[int]]:
    """Return, for each byte of an event, what its values mean once the bits are in order."""
    meant = {place: 1 << bit for bit, place in enumerate(order)}
    return [
        [sum(meant[8 * at + bit] for bit in range(8) if value >> bit & 1) for value in range(256)]
        for at in range(len(order) // 8)
    ]


def order(leading: int) -> list[int]:
    """Return the places of an event's bits, given by sorting the digits of sines and cosines."""
    one = sqrt(leading)
    two = sqrt(leading + 1000.0)
    three = sqrt(one + 1000.0)
    waves = (
        cos(three + 1000.0),
        sin(sqrt(two)),
        cos(three),
        sin(sqrt(one) + 1000.0),
        cos(sqrt(two + 1000.0)),
    )
    digits = "".join(f"{round(abs(wave) * 1e8):08d}"[:8] for wave in waves)
    return sorted(range(len(digits)), key=digits.__getitem__)
