"""Minewright: a Minesweeper workbench that plays, explains, proves, measures and makes."""

from importlib import import_module
from typing import TYPE_CHECKING

from minewright.board import BEGINNER, EXPERT, INTERMEDIATE, Board, BoardError
from minewright.deduction import (
    Deduction,
    Guess,
    explain,
    guess,
    mark_is_wrong,
    may_guess,
    next_step,
)
from minewright.game import Game, GameError, Move
from minewright.inference import (
    DEFAULT_BUDGET,
    Analysis,
    Budget,
    BudgetExceeded,
    Clash,
    analyze,
    analyze_many,
    enumerate_solutions,
    is_unique,
)
from minewright.position import Position, PositionError
from minewright.topology import Topology, TopologyError

__version__ = "0.1.0"

if TYPE_CHECKING:
    from minewright import bullets
    from minewright.lab.simulate import simulate


def __getattr__(name: str) -> object:
    """Import the less common modules when they are first used."""
    if name == "bullets":
        return import_module("minewright.bullets")
    if name == "simulate":
        return import_module("minewright.lab.simulate").simulate
    raise AttributeError(f"module 'minewright' has no attribute {name!r}")


__all__ = [
    "BEGINNER",
    "DEFAULT_BUDGET",
    "EXPERT",
    "INTERMEDIATE",
    "Analysis",
    "Board",
    "BoardError",
    "Budget",
    "BudgetExceeded",
    "Clash",
    "Deduction",
    "Game",
    "GameError",
    "Guess",
    "Move",
    "Position",
    "PositionError",
    "Topology",
    "TopologyError",
    "__version__",
    "analyze",
    "analyze_many",
    "bullets",
    "enumerate_solutions",
    "explain",
    "guess",
    "is_unique",
    "mark_is_wrong",
    "may_guess",
    "next_step",
    "simulate",
]
