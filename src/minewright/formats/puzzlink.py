"""Links to puzzles of the type `mines` in the editor puzz.link: clues without a mine total.

https://puzz.link/p?mines/6/6/1g2n…     width, height, and the cells: 0 to 8 is a clue, g to z
                                        are 1 to 20 covered cells, . is a clue without a number
"""

import re
from typing import Final

from minewright.formats.bounds import Bounds
from minewright.formats.data import plain
from minewright.formats.model import FormatError
from minewright.messages import counted
from minewright.position import COVERED, MARKED, MAX_NUMBER, SAFE, Position, PositionError

_LINK: Final = re.compile(
    r"(?:https?://)?[\w.-]+/[\w./-]*\?mines(?:_edit)?/(?:v:/)?(\d{1,6})/(\d{1,6})/([0-9a-z.]*)/?"
)

_RUN: Final = 20
"""The most covered cells that one letter stands for."""


def matches(data: bytes) -> bool:
    """Return True if this is such a link."""
    return len(data) < 1_000_000 and _LINK.fullmatch(plain(data)) is not None


def read(data: bytes, bounds: Bounds) -> Position:
    """Read a position."""
    link = _LINK.fullmatch(plain(data))
    if link is None:
        raise FormatError("expected a link such as https://puzz.link/p?mines/6/6/…")
    topology = bounds.topology(int(link[1]), int(link[2]))
    cells = bytearray()
    for sign in link[3]:
        if sign in "012345678":
            cells.append(int(sign))
        elif sign == ".":
            cells.append(SAFE)
        elif sign >= "g":
            cells.extend([COVERED] * (ord(sign) - ord("f")))
        else:
            raise FormatError(f"{sign!r} is not a clue: a cell has at most 8 neighbours")
        if len(cells) > topology.size:
            break
    if len(cells) != topology.size:
        many = "more" if len(cells) > topology.size else "fewer"
        raise FormatError(
            f"the link holds {many} than {counted(topology.size, 'cell')}; copy it again"
        )
    try:
        return Position(topology, bytes(cells))
    except PositionError as error:
        raise FormatError(error.problem) from error


def write(position: Position) -> bytes:
    """Return a link to the clues of a position; its marks and its mine total are left out.

    Raise FormatError if the cells are not squares, or if a mine is known.
    """
    if position.topology.name != "moore":
        raise FormatError("puzz.link holds squares only")
    signs = []
    covered = 0
    for code in (*position.cells, None):
        if code in (COVERED, MARKED):
            covered += 1
            continue
        while covered:
            run = min(covered, _RUN)
            signs.append(chr(ord("f") + run))
            covered -= run
        if code == SAFE:
            signs.append(".")
        elif code is not None and code <= MAX_NUMBER:
            signs.append(str(code))
        elif code is not None:
            raise FormatError("puzz.link has no sign for a cell known to be mined; cover it")
    width, height = position.shape
    return f"https://puzz.link/p?mines/{width}/{height}/{''.join(signs)}\n".encode()
