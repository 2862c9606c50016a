"""Deduction: one human-sized step at a time, in words, with the clues it needs."""

from minewright.deduction.at_least import AtLeast, consequences, constraints_of
from minewright.deduction.guess import Guess, guess
from minewright.deduction.search import SEARCHES, explain, next_step
from minewright.deduction.step import Deduction

__all__ = [
    "SEARCHES",
    "AtLeast",
    "Deduction",
    "Guess",
    "consequences",
    "constraints_of",
    "explain",
    "guess",
    "next_step",
]
