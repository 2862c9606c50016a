"""Strategies: every published Minesweeper player behind one interface.

Each family has a file named after its publication, to be read beside the text. The catalogue lists
them all by name, and what to expect of each.
"""

from minewright.strategies.catalogue import (
    Recipe,
    describe,
    first_moves,
    guessers,
    strategies,
    title,
)
from minewright.strategies.play import Record, own_numbers, play
from minewright.strategies.registry import Kind, Option, register
from minewright.strategies.strategy import (
    Choice,
    Conclusion,
    Deducer,
    Finding,
    FirstMove,
    Guesser,
    Random,
    Scene,
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
    "Random",
    "Recipe",
    "Record",
    "Scene",
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
    "title",
]
