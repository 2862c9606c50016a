"""Bullets over the wire: make a puzzle, check pencil marks, give hints, solve it, print it.

A puzzle travels as its code; only the pencil marks are kept.
"""

from fastapi import APIRouter

from minewright.web.puzzles import kept, making, paper, solving
from minewright.web.puzzles.codes import decode, encode

__all__ = ["decode", "encode", "router"]

router = APIRouter()
for part in (making, solving, paper, kept):
    router.routes.extend(part.router.routes)
