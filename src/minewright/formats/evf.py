"""EVF: replays of Metasweeper, versions 0 to 4.

The layout is published by its authors with ms_toollib, which writes such files.

    1 version, 1 flags (2 since version 3), height, width, 2 bytes of mines, size of a cell,
    2 bytes of mode, 2 of 3BV, 3 of time (4 since version 4); texts, each ending with a 0;
    one bit per cell; events
"""

from collections.abc import Iterator
from typing import Final

from minewright.formats.bounds import Bounds
from minewright.formats.data import Data, decode
from minewright.formats.model import Action, FormatError, Replay
from minewright.formats.mouse import NUMBERED, Hand
from minewright.formats.writing import (
    PROGRAM,
    SQUARE,
    begun,
    check,
    duration,
    measure,
    packed,
    pixels,
    presses,
    won,
)

_ACTIONS: Final[dict[int, Action]] = NUMBERED | {
    8: "mark",
    9: "both down",
    10: "left",
    11: "right",
    12: "middle",
}
_LAST: Final = 4
_STATES: Final = range(81, 100)
"""Since version 4: the game was won, lost or restarted."""
_PAUSE: Final = 255
_QUESTIONS: Final = 0x80
_TRANSLATED: Final = 0x08


def matches(data: bytes) -> bool:
    """Return True if this is an EVF file: it has no signature, so all up to the events must fit."""
    file = Data(data, Bounds())
    try:
        _begin(file)
        first = file.number()
    except FormatError:
        return False
    return first in (*_ACTIONS, 0, _PAUSE) or (data[0] >= 4 and first in _STATES)


def read(data: bytes, bounds: Bounds) -> Replay:
    """Read a replay."""
    file = Data(data, bounds)
    hand, player, program = _begin(file)
    for seconds, action, x, y in _events(file) if data[0] < 4 else _steps(file):
        hand.act(seconds, action, x, y)
    return hand.replay(player, program)


def _begin(file: Data) -> tuple[Hand, str, str]:
    """Read everything before the events: the board, the player and the program."""
    version = file.number()
    if version > _LAST:
        raise file.error(f"version {version} of EVF cannot be read, only 0 to {_LAST}", back=1)
    flags = file.number()
    settings = file.number() if version >= 3 else 0
    height, width = file.number(), file.number()
    topology = file.topology(width, height, back=2)
    count, square = file.number(2), file.number()
    if not count or not square:
        raise file.error("no mines, or cells without a size; the file is damaged", back=3)
    file.take(4)
    if version < 4:
        file.take(3)
        program, player = (file.until(b"\0") for _ in range(2))
        for _ in range(5 if version < 2 else 6):
            file.until(b"\0")
    else:
        file.take(4 + 2 + 8 + 8)
        program = file.until(b"\0")
        for _ in range(2 if flags & _TRANSLATED else 0):
            file.until(b"\0")
        player, *_ = (file.until(b"\0") for _ in range(3))
        file.take(file.number(2))
    mined = file.bits(topology, count)
    if version >= 4:
        for _ in range(file.number(2)):
            file.until(b"\0")
    questions = bool(settings & _QUESTIONS)
    return Hand(topology, mined, questions, square), decode(player), decode(program)


def _action(file: Data, what: int) -> Action:
    if what not in _ACTIONS:
        raise file.error(f"there is no event {what}; the file is damaged", back=1)
    return _ACTIONS[what]


def _events(file: Data) -> Iterator[tuple[float, Action, int, int]]:
    """Yield events, each with its time and place."""
    for what in file.events():
        if what in (0, _PAUSE):
            return
        action = _action(file, what)
        yield file.number(3) / 1000, action, file.number(2), file.number(2)


def _steps(file: Data) -> Iterator[tuple[float, Action, int, int]]:
    """Yield events recorded by their distance in time and place from the previous one."""
    thousandths = x = y = 0
    for what in file.events():
        if not what:
            return
        if what == _PAUSE:
            thousandths += file.number(2)
        elif what in _STATES:
            thousandths += file.number()
        elif what < _STATES.start:
            action = _action(file, what)
            thousandths += file.number()
            x += file.number(2, signed=True)
            y += file.number(2, signed=True)
            yield thousandths / 1000, action, x, y


_COMPLETED: Final = 0x80
_WRITTEN: Final = {action: number for number, action in _ACTIONS.items()}
_LONGEST: Final = 65_535
"""The most thousandths of a second of one pause."""
_LONGEST_GAME: Final = 999_999.0


def write(replay: Replay) -> bytes:
    """Return a game as an EVF file of version 4, without its date and without a checksum.

    Raise FormatError if the format cannot hold it.
    """
    check(replay, "EVF")
    begun(replay, "EVF")
    width, height = replay.topology.shape
    flags = _COMPLETED if won(replay) else 0
    head = bytes((_LAST, flags, 0, height, width)) + len(replay.mined).to_bytes(2, "big")
    head += bytes((SQUARE, 0, 0)) + measure(replay).to_bytes(2, "big")
    head += round(duration(replay, "EVF", _LONGEST_GAME) * 1000).to_bytes(4, "big")
    # No country, no dates; after the texts, no identifier of a device.
    head += b"XX" + bytes(16)
    texts = (PROGRAM, replay.player, "", "")
    head += b"".join(text.replace("\0", " ").encode() + b"\0" for text in texts) + bytes(2)
    body = bytearray()
    thousandths = x = y = 0
    for press in presses(replay, _WRITTEN):
        wait = max(round(press.seconds * 1000) - thousandths, 0)
        thousandths += wait
        while wait > 255:
            part = min(wait, _LONGEST)
            body += bytes((_PAUSE,)) + part.to_bytes(2, "big")
            wait -= part
        to_x, to_y = pixels(press, replay)
        body += bytes((_WRITTEN[press.action], wait))
        body += (to_x - x).to_bytes(2, "big", signed=True)
        body += (to_y - y).to_bytes(2, "big", signed=True)
        x, y = to_x, to_y
    return head + packed(replay) + bytes(2) + bytes(body) + b"\0" + bytes(2)
