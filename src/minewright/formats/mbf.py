"""MBF: a minefield alone, as Minesweeper X, Arbiter and JSMinesweeper exchange it.

width, height, 2 bytes of mines, a column and a row, from 0, for each
"""

from minewright.formats.bounds import Bounds
from minewright.formats.data import Data
from minewright.formats.model import FormatError, Replay


def matches(data: bytes) -> bool:
    """Return True if this is an MBF file: it has no signature, so all of it must fit."""
    try:
        read(data, Bounds())
    except FormatError:
        return False
    return True


def read(data: bytes, bounds: Bounds) -> Replay:
    """Read a minefield, as a game in which nothing has happened."""
    file = Data(data, bounds)
    topology = file.topology(file.number(), file.number(), back=2)
    mined = file.pairs(topology, file.number(2))
    if file.at < len(data):
        raise file.error("expected the end after the last mine; this is not an MBF file")
    return Replay(topology, mined)


def write(replay: Replay) -> bytes:
    """Return the minefield of a game as an MBF file.

    Raise FormatError unless the cells are squares in at most 255 rows and columns.
    """
    sides = replay.topology.shape
    if replay.topology.name != "moore" or max(sides) > 255 or len(replay.mined) > 0xFFFF:
        raise FormatError("an MBF file holds squares in at most 255 rows and 255 columns")
    places = (divmod(cell, sides[0])[::-1] for cell in sorted(replay.mined))
    head = bytes(sides) + len(replay.mined).to_bytes(2, "big")
    return head + bytes(number for place in places for number in place)
