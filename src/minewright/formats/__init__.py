r"""Other programs' files: positions and replays, read from unchecked bytes.

>>> loaded = read(b"3x2x1\n1##\n###\n")
>>> loaded.format.name, len(loaded.position.covered)
('text', 5)
>>> game = read(b"9x9:1,5,mb25f23f74b48755bc7530").replay
>>> len(game.mined), str(game.moves[0].move)
(10, 'open 46')
>>> write(game, "link").decode().partition("?")[2][:9]
'b=1&m=k1k'
"""

from minewright.formats.bounds import Bounds
from minewright.formats.model import Clicks, FormatError, Press, Replay, TimedMove
from minewright.formats.registry import FORMATS, Format, Loaded, find_format, read, write

__all__ = [
    "FORMATS",
    "Bounds",
    "Clicks",
    "Format",
    "FormatError",
    "Loaded",
    "Press",
    "Replay",
    "TimedMove",
    "find_format",
    "read",
    "write",
]
