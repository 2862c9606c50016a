"""Strategies: every published player of Minesweeper behind one interface.

Each family stands in a file named after where it was published, to be read beside its text. The
registry knows them all by name, and what may be expected of each.
"""

from minewright.strategies.play import Record, own_numbers, play
from minewright.strategies.registry import (
    Kind,
    Option,
    Recipe,
    describe,
    first_moves,
    guessers,
    register,
    strategies,
)
from minewright.strategies.strategy import (
    Choice,
    Conclusion,
    Deducer,
    Finding,
    FirstMove,
    Guesser,
    Strategy,
    StrategyError,
    Turn,
)

__all__ = [
    "Choice",
    "Conclusion",
    "Deducer",
    "Finding",
    "FirstMove",
    "Guesser",
    "Kind",
    "Option",
    "Recipe",
    "Record",
    "Strategy",
    "StrategyError",
    "Turn",
    "describe",
    "first_moves",
    "guessers",
    "own_numbers",
    "play",
    "register",
    "strategies",
]
