"""The modes of a game: what happens to a player who guesses.

>>> from minewright import modes
>>> game = modes.begin("fair", "9x9x10", start="any", seed=1)
>>> len(game.open(40)) > 0  # nothing is certain yet, so this guess is safe
True
"""

from minewright.modes.registry import MODES, ORDINARY, UNFIXED, Level, Mode, begin, names
from minewright.modes.unfixed import FairGame, KindGame, Ruling, SafeBetGame, UnfixedGame

__all__ = [
    "MODES",
    "ORDINARY",
    "UNFIXED",
    "FairGame",
    "KindGame",
    "Level",
    "Mode",
    "Ruling",
    "SafeBetGame",
    "UnfixedGame",
    "begin",
    "names",
]
