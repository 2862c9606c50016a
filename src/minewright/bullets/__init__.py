"""Bullets, Neller and Tran's paper-and-pencil puzzle: make, solve and grade it."""

from minewright.bullets.days import daily
from minewright.bullets.grade import DIFFICULTIES, PAPER, Difficulty, Energy, EnergyFunction, Grade
from minewright.bullets.maker import make, make_many
from minewright.bullets.puzzle import Puzzle, PuzzleError, Report
from minewright.bullets.solution import GRADINGS, Grading, Solution, SolutionStep, solve
from minewright.bullets.symmetry import SYMMETRIES, Symmetry
from minewright.deduction.wishes import Weights

__all__ = [
    "DIFFICULTIES",
    "GRADINGS",
    "PAPER",
    "SYMMETRIES",
    "Difficulty",
    "Energy",
    "EnergyFunction",
    "Grade",
    "Grading",
    "Puzzle",
    "PuzzleError",
    "Report",
    "Solution",
    "SolutionStep",
    "Symmetry",
    "Weights",
    "daily",
    "make",
    "make_many",
    "solve",
]
