"""Bullets: the paper-and-pencil puzzle of Neller and Tran, solved, graded and made."""

from minewright.bullets.grade import (
    DIFFICULTIES,
    PAPER,
    Difficulty,
    Energy,
    EnergyFunction,
    Grade,
)
from minewright.bullets.maker import SYMMETRIES, Symmetry, make, make_many
from minewright.bullets.puzzle import Puzzle, PuzzleError, Report

__all__ = [
    "DIFFICULTIES",
    "PAPER",
    "SYMMETRIES",
    "Difficulty",
    "Energy",
    "EnergyFunction",
    "Grade",
    "Puzzle",
    "PuzzleError",
    "Report",
    "Symmetry",
    "make",
    "make_many",
]
