"""Deduction: one human-sized step at a time, with the clues it needs, in words."""

from minewright.deduction.search import SEARCHES, explain, next_step
from minewright.deduction.step import Deduction

__all__ = ["SEARCHES", "Deduction", "explain", "next_step"]
