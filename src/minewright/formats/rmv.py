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
from minewright.formats.model import Replay
from minewright.formats.mouse import NUMBERED, Action, Hand

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
