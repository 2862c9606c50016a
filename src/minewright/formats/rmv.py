"""RMV: replays of Viennasweeper and of other programs that write its format, versions 1 and 2.

The layout was worked out by Maksim Bashov and Damien Moore (minesweeper-rawvf, parser_rmv.c) and by
ms_toollib, whose tests include files of both versions.

    *rmv, 2 bytes of version; in version 2 also the program and its version; 4 bytes of size
    the sizes of the parts: result (version 1 only), version text, players, board, marks,
    properties, further properties (version 2 only), 4 bytes for events, checksum
    the parts in this order; a board is 4 bytes of date, width, height, 2 bytes of mines, and
    a column and a row, from 0, for each mine
"""

from collections.abc import Iterator
from typing import Final

from minewright.formats.bounds import Bounds
from minewright.formats.data import Data, decode
from minewright.formats.model import Action, FormatError, Press, Replay
from minewright.formats.mouse import NUMBERED, Hand
from minewright.formats.writing import (
    SQUARE,
    begun,
    check,
    duration,
    measure,
    name_bytes,
    pixels,
    places,
    presses,
)

_MARK: Final = b"*rmv"
_NUDGE: Final = 28
"""A small mouse movement in 2 bytes: milliseconds, and 4 bits per axis. The game ignores it."""
_END: Final = range(15, 18)
_NOTES: Final = (*range(9, 15), *range(18, 28))
"""What the board showed, which follows from the moves."""
_BORDER: Final = (12, 56)
"""The place of the board in the window; version 1 counts from the window's corner."""


def matches(data: bytes) -> bool:
    """Return True if this is an RMV file, by its signature."""
    return data.startswith(_MARK)


def read(data: bytes, bounds: Bounds) -> Replay:
    """Read a replay."""
    file = Data(data, bounds)
    if file.take(4) != _MARK:
        raise file.error("expected *rmv, found something else; this is not an RMV file", back=4)
    version = file.number(2)
    if version not in (1, 2):
        raise file.error(f"version {version} of RMV cannot be read, only 1 and 2", back=2)
    file.take(4 if version == 1 else 6)
    result = file.number(2) if version == 1 else 0
    text, _players, _board, marks, properties = (file.number(2) for _ in range(5))
    file.take(6 if version == 1 else 8)
    file.take(result + text)
    names = [file.take(file.number()) for _ in range(file.number(2))]
    file.take(4)
    topology = file.topology(file.number(), file.number(), back=2)
    mined = file.pairs(topology, file.number(2))
    marked = [file.take(2) for _ in range(file.number(2))] if marks else []
    settings = file.take(properties)
    square = 16
    if version == 2:
        if len(settings) < 7 or not settings[6]:
            raise file.error("the size of a cell is missing; the file is damaged")
        square = settings[6]
        for _ in range(2 * file.number(2)):
            file.take(file.number())
    hand = Hand(topology, mined, questions=bool(settings[:1].strip(b"\0")), square=square)
    for column, row in marked:
        hand.at(0.0, "mark", column, row)
    for number, (seconds, action, x, y) in enumerate(_events(file, version)):
        if not number and action == "left up":
            # The game begins where the button is released; the press is not recorded.
            hand.act(seconds, "left down", x, y)
        hand.act(seconds, action, x, y)
    return hand.replay(decode(names[0]) if names else "", "Viennasweeper")


def _events(file: Data, version: int) -> Iterator[tuple[float, Action, int, int]]:
    left, top = _BORDER if version == 1 else (0, 0)
    for what in file.events():
        if what in _END:
            return
        if what in NUMBERED:
            seconds = file.number(3) / 1000
            file.take(1)
            yield seconds, NUMBERED[what], file.number(2) - left, file.number(2) - top
        elif what == 0 and version == 1:
            file.take(4)
        elif what in _NOTES or (what == _NUDGE and version == 2):
            file.take(2)
        else:
            raise file.error(f"there is no event {what}; the file is damaged", back=1)


_PROGRAM: Final = b"Minewright"
_CLONE: Final = b"\1\5"
"""Viennasweeper and its version: readers refuse programs that they do not know."""
_LEVELS: Final = ((8, 8, 10), (16, 16, 40), (30, 16, 99))
_WRITTEN: Final = {action: number for number, action in NUMBERED.items()}
_LONGEST: Final = 0xFFFFFF / 1000
_MOST_MINES: Final = (0xFFFF - 8) // 2
"""Two bytes hold the size of the board: 8 bytes, and 2 for each mine."""


def write(replay: Replay) -> bytes:
    """Return a game as an RMV file of version 2, without its date and without a checksum.

    Raise FormatError if the format cannot hold it.
    """
    check(replay, "RMV", mines=_MOST_MINES)
    first = begun(replay, "RMV")
    duration(replay, "RMV", _LONGEST)
    width, height = replay.topology.shape
    size = (width, height, len(replay.mined))
    level = next((n for n, board in enumerate(_LEVELS) if board == size), 3)
    name = name_bytes(replay.player)
    players = (1).to_bytes(2, "big") + bytes((len(name),)) + name
    mines = bytes(number for place in places(replay) for number in place)
    board = bytes(4) + bytes((width, height)) + len(replay.mined).to_bytes(2, "big") + mines
    # Marks from before the game are kept apart, since its clock starts with the first opening.
    marked: dict[int, None] = {}
    for made in replay.moves[:first]:
        assert made.move.cell is not None
        if marked.pop(made.move.cell, 0) == 0:
            marked[made.move.cell] = None
    before = bytes(n for cell in marked for n in reversed(divmod(cell, width)))
    marks = len(marked).to_bytes(2, "big") + before if marked else b""
    flagless = all(made.move.kind != "mark" for made in replay.moves)
    bv = measure(replay)
    properties = bytes((0, flagless, 0, level, bv & 255, bv >> 8, SQUARE))
    further = bytes(2)
    body = b"".join(_event(press, replay) for press in _from_start(replay)) + b"\x10"
    parts = (_PROGRAM, players, board, marks, properties, further)
    sizes = b"".join(len(part).to_bytes(2, "big") for part in parts)
    sizes += len(body).to_bytes(4, "big") + bytes(2)
    whole = sizes + b"".join(parts) + body
    return _MARK + b"\0\2" + _CLONE + (len(whole) + 12).to_bytes(4, "big") + whole


def _from_start(replay: Replay) -> Iterator[Press]:
    """Yield the presses from the release that opens the first cell."""
    # Only a hand can tell which it is: a stray release may look just like it.
    hand = Hand(replay.topology, replay.mined)
    for press in presses(replay, _WRITTEN):
        if not hand.begun:
            hand.at(press.seconds, press.action, press.column, press.row)
        if hand.begun:
            yield press
    if not hand.begun:
        raise FormatError("the recorded clicks do not make the moves of this game")


def _event(press: Press, replay: Replay) -> bytes:
    x, y = pixels(press, replay)
    thousandths = round(max(press.seconds, 0.0) * 1000)
    head = bytes((_WRITTEN[press.action],)) + thousandths.to_bytes(3, "big") + b"\0"
    return head + x.to_bytes(2, "big") + y.to_bytes(2, "big")
