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

from collections.abc import Iterable, Iterator
from math import cos, sin, sqrt
from typing import Final

from minewright.formats.bounds import Bounds
from minewright.formats.data import Data, decode
from minewright.formats.model import Action, Press, Replay
from minewright.formats.mouse import Hand
from minewright.formats.writing import (
    check,
    duration,
    measure,
    name_bytes,
    pixels,
    places,
    presses,
    simple,
)

_MARK: Final = b"\x11\x4d"
_YEAR: Final = 27
_LEVELS: Final = ((8, 8, 10), (16, 16, 40), (30, 16, 99))
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


_FACTS: Final = bytes((1, 1, 7, 0xD5, 0, 0, 0))
"""A date, which a replay does not keep."""
_LEADING: Final = 4711
"""Chooses an order of bits; any number does."""
_LARGEST: Final = 31
"""Nine bits hold the place of the mouse, in pixels."""
_LONGEST: Final = 1_023.0


def write(replay: Replay) -> bytes:
    """Return a game as an MVF file, without its date.

    Raise FormatError if the format cannot hold it.
    """
    check(replay, "MVF", columns=_LARGEST, rows=_LARGEST)
    seconds = duration(replay, "MVF", _LONGEST)
    head = bytearray(74)
    head[:2], head[_YEAR : _YEAR + 1] = _MARK, _YEARS[0]
    size = (*replay.topology.shape, len(replay.mined))
    level = next((n for n, board in enumerate(_LEVELS, 1) if board == size), 4)
    whole, rest = divmod(round(seconds * 100), 100)
    facts = _FACTS + bytes((level, 1)) + whole.to_bytes(2, "big") + bytes((rest,))
    facts += measure(replay).to_bytes(2, "big") + bytes(9)
    board = bytes(replay.topology.shape) + len(replay.mined).to_bytes(2, "big")
    board += bytes(number for place in places(replay, 1) for number in place)
    name = name_bytes(replay.player)
    lead = bytes((len(name),)) + name + _LEADING.to_bytes(2, "big")
    body = b"".join(_written(replay))
    return bytes(head) + facts + board + lead + (len(body) // 5).to_bytes(3, "big") + body


def _repeats(made: Iterable[Press]) -> bool:
    """Return True if a button goes down twice without coming up, which no state can show."""
    down: set[str] = set()
    for press in made:
        button, _, way = press.action.partition(" ")
        if way == "down" and button in down:
            return True
        (down.add if way == "down" else down.discard)(button)
    return False


def _written(replay: Replay) -> Iterator[bytes]:
    """Yield the state of the mouse after each press, its bits shuffled."""
    where = order(_LEADING)
    down = 0
    made = presses(replay, {action for _, *both in _BUTTONS for action in both})
    for press in simple(replay) if _repeats(made) else made:
        for button, pressed, released in _BUTTONS:
            if press.action in (pressed, released):
                down = down | button if press.action == pressed else down & ~button
        whole, rest = divmod(round(max(press.seconds, 0.0) * 100), 100)
        x, y = pixels(press, replay)
        bits = down | y << 3 | x << 12 | rest << 21 | whole << 28
        mixed = sum((bits >> bit & 1) << place for bit, place in enumerate(where))
        yield mixed.to_bytes(5, "little")
