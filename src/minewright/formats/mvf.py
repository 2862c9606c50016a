"""MVF: replays of Minesweeper Clone 0.97.

The layout was found by Maksim Bashov and Damien Moore (minesweeper-rawvf, parser_mvf.c) and by
ms_toollib. Clone 2006 and 2007 wrote another one, which is not read: there was no file and no other
program to compare with. Earlier versions wrote no mark by which their files could be known.

    0x11 0x4D; the last digit of the version's year at byte 27; from byte 74 on
    7 bytes of date, level, mode, 3 bytes of time, 10 of counts, question marks
    width, height, 2 bytes of mines, a column and a row, from 1, for each
    length of the name, the name, 2 bytes that choose the order of bits, 3 bytes: how many events
    5 bytes an event, whose bits are shuffled: see `order`
"""

from math import cos, sin, sqrt
from typing import Final

from minewright.formats.data import Data, decode
from minewright.formats.model import Replay
from minewright.formats.mouse import MAX_EVENTS, Action, Hand

_MARK: Final = b"\x11\x4d"
_YEAR: Final = 27
_YEARS: Final = (b"5", b"8")
"""Those of 0.97 and of a change somebody made to it."""
_QUESTIONS: Final = 96
_BUTTONS: Final[tuple[tuple[int, Action, Action], ...]] = (
    (2, "left down", "left up"),
    (0, "right down", "right up"),
    (1, "middle down", "middle up"),
)


def matches(data: bytes) -> bool:
    """Say whether this is an MVF file: by its mark and its year."""
    return data.startswith(_MARK) and data[_YEAR : _YEAR + 1].isdigit()


def read(data: bytes) -> Replay:
    """Read a replay."""
    file = Data(data)
    if file.take(2) != _MARK:
        raise file.error("expected 0x11 0x4d, found something else; this is no MVF file", back=2)
    file.at = _YEAR
    if file.take(1) not in _YEARS:
        raise file.error("of Minesweeper Clone only files of version 0.97 can be read", back=1)
    file.at = _QUESTIONS
    questions = bool(file.number())
    topology = file.topology(file.number(), file.number(), back=2)
    mined = file.pairs(topology, file.number(2), first=1)
    name = decode(file.take(file.number()))
    places = order(file.number(2))
    count = file.number(3)
    if count > MAX_EVENTS:
        raise file.error(f"{count:,} events are too many for a game; the file is damaged", back=3)
    hand = Hand(topology, mined, questions=questions)
    down = [False, False, False]
    for _ in range(count):
        parts = _Parts(int.from_bytes(file.take(5), "little"), places)
        pressed = [bool(parts.take(1)) for _ in down]
        y, x = parts.take(9), parts.take(9)
        seconds = parts.take(7) / 100 + parts.take(10)
        for way in (True, False):
            for button, press, release in _BUTTONS:
                if pressed[button] is way and down[button] is not way:
                    hand.act(seconds, press if way else release, x, y)
        down = pressed
    return hand.replay(name, "Minesweeper Clone")


class _Parts:
    """The bits of an event in their order."""

    def __init__(self, bits: int, order: list[int]) -> None:
        self._bits, self._order, self._at = bits, order, 0

    def take(self, count: int) -> int:
        """Give the number that the next bits are, the lowest first."""
        places = self._order[self._at : self._at + count]
        self._at += count
        return sum((self._bits >> place & 1) << index for index, place in enumerate(places))


def order(leading: int) -> list[int]:
    """Give where the bits of an event are: the digits of sines and cosines, sorted, say so."""
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
