"""Puzzles as the page sees them, opened by their codes and solved once."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from functools import lru_cache
from typing import Final

from fastapi import HTTPException, Request
from pydantic import BaseModel, Field

from minewright.bullets import Difficulty, Puzzle, PuzzleError, Solution, solve
from minewright.bullets.sheet import rules
from minewright.inference import Budget, enumerate_solutions
from minewright.web.puzzles.codes import PuzzleCode, PuzzleTopology, decode, encode
from minewright.web.server.settings import Settings
from minewright.web.shared.models import Cell, Code, Seed

STEP: Final = 2_000_000
"""The budget of one step of a solution; puzzles made here need a fraction of it."""


class GradeView(BaseModel):
    """How a person solves a puzzle."""

    single: int = Field(description="Steps that take a single clue.")
    several: int = Field(description="Steps that take several clues.")
    total: int = Field(description="Bullets that need the total.")
    energy: float = Field(description="The paper's measure: lower is better.")
    difficulty: Difficulty


class PuzzleView(BaseModel):
    """A puzzle as the player sees it: clues and hidden cells."""

    code: PuzzleCode
    topology: PuzzleTopology
    shape: list[int]
    bullets: int
    cells: list[Code]
    around: dict[Cell, list[Cell]] = Field(description="The cells around each clue.")
    grade: GradeView
    rules: list[str] = Field(description="The rules, in two lines.")
    seed: Seed | None = None
    date: str | None = Field(default=None, description="Of a daily puzzle.")


@contextmanager
def in_one_line() -> Iterator[None]:
    """Turn a PuzzleError into an answer with its one line."""
    try:
        yield
    except PuzzleError as error:
        raise HTTPException(422, str(error)) from None


@lru_cache(maxsize=256)
def _open(code: str, budget: Budget) -> Puzzle:
    """Return a puzzle with its solution; raise PuzzleError unless there is exactly one."""
    puzzle = decode(code)
    found = enumerate_solutions(puzzle.position, 2, budget=budget)
    if len(found) != 1:
        many = "more than one solution" if found else "no solution"
        raise PuzzleError(f"this puzzle has {many}, so it cannot be solved; choose another")
    return Puzzle.from_solution(puzzle.topology, found[0], [cell for cell, _ in puzzle.clues])


@lru_cache(maxsize=64)
def _work(code: str, budget: Budget) -> Solution:
    """Return the worked solution of a puzzle."""
    return solve(_open(code, budget), budget=Budget(min(STEP, budget.states), budget.seconds))


def opened(request: Request, code: str) -> Puzzle:
    """Return the puzzle of a code; answer 422 unless it has exactly one solution."""
    settings: Settings = request.app.state.settings
    with in_one_line():
        return _open(code, settings.budget)


def worked(request: Request, code: str) -> Solution:
    """Return the worked solution of a code; answer 422 as `opened` does."""
    settings: Settings = request.app.state.settings
    with in_one_line():
        return _work(code, settings.budget)


def grade_view(puzzle: Puzzle) -> GradeView:
    """Return the view of a puzzle's grade."""
    grade = puzzle.grade()
    return GradeView(
        single=grade.n0,
        several=grade.n1,
        total=grade.n2,
        energy=grade.energy,
        difficulty=puzzle.difficulty,
    )


def view(puzzle: Puzzle, seed: int | None = None, day: date | None = None) -> PuzzleView:
    """Return the view of a puzzle, with the seed or the day that it was made for."""
    topology = puzzle.topology
    return PuzzleView.model_validate(
        {
            "code": encode(puzzle),
            "topology": topology.name,
            "shape": list(topology.shape),
            "bullets": puzzle.bullets,
            "cells": list(puzzle.position.cells),
            "around": {cell: list(topology.neighbours(cell)) for cell, _ in puzzle.clues},
            "grade": grade_view(puzzle),
            "rules": list(rules(puzzle)),
            "seed": seed,
            "date": None if day is None else day.isoformat(),
        }
    )
