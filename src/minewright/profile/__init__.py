r"""A player's profile: speed, efficiency, risks and luck, from replays.

>>> from minewright import formats
>>> game = formats.read(b"9x9:1,5,mb25f23f74b48755bc7530").replay
>>> measured = measure(game)
>>> measured.bbbv, measured.solved, measured.zini
(13, 1, 9)
"""

from minewright.profile.choices import Choice, choices, weigh
from minewright.profile.measures import Measures, measure
from minewright.profile.profile import Entry, Profile, enter, make

__all__ = [
    "Choice",
    "Entry",
    "Measures",
    "Profile",
    "choices",
    "enter",
    "make",
    "measure",
    "weigh",
]
