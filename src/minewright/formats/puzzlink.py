"""Links of the puzzle editor puzz.link to its kind `mines`: clues, and no total of mines.

https://puzz.link/p?mines/6/6/1g2n…     width, height, and the cells: 0 to 8 a clue,
                                        g to z one to twenty covered cells, . a clue unsaid
"""

import re
from typing import Final

from minewright._kernel import COVERED, SAFE
from minewright.board import counted
from minewright.formats.bounds import Bounds
from minewright.formats.data import plain
from minewright.formats.model import FormatError
from minewright.position import Position, PositionError

_LINK: Final = re.compile(
    r"(?:https?://)?[\w.-]+/[\w./-]*\?mines(?:_edit)?/(?:v:/)?(\d{1,6})/(\d{1,6})/([0-9a-z.]*)/?"
)


def matches(data: bytes) -> bool:
    """Say whether this is such a link."""
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
            raise FormatError(f"{sign!r} is no clue: a cell has at most 8 neighbours")
        if len(cells) > topology.size:
            break
    if len(cells) != topology.size:
        many = "more" if len(cells) > topology.size else "fewer"
        raise FormatError(
            f"the link holds {many} than {counted(topology.size, 'cell')}; copy it anew"
        )
    try:
        return Position(topology, bytes(cells))
    except PositionError as error:
        raise FormatError(error.problem) from error
