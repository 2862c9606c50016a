"""Board links: a minefield in an address, as the ZiNi calculators exchange it.

https://llamasweeper.com/#/game/board-editor?b=2&m=0000220c80…

`b` is 1, 2 or 3 for 9x9, 16x16 and 30x16, or else the width and the height, each with the same
number of digits.
`m` has a character, 0 to 9 and a to v, for every five cells, set bits for mines, the first cell in
the highest bit. JSMinesweeper, LlamaSweeper, PTTACG's calculator and minesweeper.online read or
write such links; the facts come from their sources.
"""

import re
from typing import Final

from minewright.formats.bounds import Bounds
from minewright.formats.data import plain
from minewright.formats.model import FormatError, Replay
from minewright.messages import counted

_B: Final = re.compile(r"(?:^|[?&])b=(\d{1,8})(?=&|$)")
_M: Final = re.compile(r"(?:^|[?&])m=([0-9a-v]*)(?=&|$)", re.IGNORECASE)
_KNOWN: Final = {"1": (9, 9), "2": (16, 16), "3": (30, 16)}
_SITE: Final = "https://llamasweeper.com/#/game/zini-explorer"
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuv"
_MOST: Final = 1_000_000


def matches(data: bytes) -> bool:
    """Return True if this is such a link, or only its parameters."""
    if len(data) > _MOST:
        return False
    link = plain(data)
    return not set(link) & set(" \t\n\r") and bool(_B.search(link) and _M.search(link))


def read(data: bytes, bounds: Bounds) -> Replay:
    """Read a minefield, as a game in which nothing has happened."""
    link = plain(data)
    sides, mines = _B.search(link), _M.search(link)
    if len(data) > _MOST or sides is None or mines is None:
        raise FormatError("expected a link such as https://llamasweeper.com/#/game/…?b=2&m=0000…")
    characters = mines[1].lower()
    width, height = _sides(sides[1], len(characters))
    topology = bounds.topology(width, height)
    needed = (topology.size + 4) // 5
    if len(characters) != needed:
        raise FormatError(
            f"{counted(topology.size, 'cell')} need {counted(needed, 'character')} after m=, not"
            f" {len(characters)}; copy the link again"
        )
    bits = "".join(f"{_DIGITS.index(character):05b}" for character in characters)
    if "1" in bits[topology.size :]:
        raise FormatError("there are mines after the last cell; copy the link again")
    return Replay(topology, frozenset(cell for cell, bit in enumerate(bits) if bit == "1"))


def _sides(digits: str, characters: int) -> tuple[int, int]:
    """Return the width and the height.

    Programs pad the height to the digits of the width. If it has more, the number of characters
    after m= says which of the digits are the height's.
    """
    if digits in _KNOWN:
        return _KNOWN[digits]
    middle = len(digits) // 2
    ways = sorted(range(1, len(digits)), key=lambda at: abs(2 * at - len(digits)))
    for at in ways:
        width, height = int(digits[:at]), int(digits[at:])
        if (width * height + 4) // 5 == characters and width and height:
            return width, height
    return int(digits[:middle] or 0), int(digits[middle:])


def write(replay: Replay) -> bytes:
    """Return a link to the minefield of a game. Raise FormatError unless its cells are squares."""
    if replay.topology.name != "moore" or max(replay.topology.shape) > 9_999:
        raise FormatError("a board link holds squares in at most 9,999 rows and columns")
    sides = replay.topology.shape
    known = {shape: digit for digit, shape in _KNOWN.items()}
    long = max(2, len(str(max(sides))))
    size = known.get((sides[0], sides[1])) or "".join(f"{side:0{long}d}" for side in sides)
    cells = range(0, replay.topology.size, 5)
    bits = ("".join("01"[cell + n in replay.mined] for n in range(5)) for cell in cells)
    mines = "".join(_DIGITS[int(five, 2)] for five in bits)
    return f"{_SITE}?b={size}&m={mines}\n".encode()
