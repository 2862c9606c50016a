"""Solving with a pencil: check, hints, the worked solution."""

from typing import Literal

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, Field

from minewright.bullets import Puzzle
from minewright.deduction import explain, next_step
from minewright.deduction.hint import around, shortest
from minewright.deduction.vocabulary import BULLETS
from minewright.position import MAX_NUMBER, MINED, SAFE, Position
from minewright.web.puzzles.codes import MOST_SIDE, CodeAsked, PuzzleCode, encode
from minewright.web.puzzles.views import GradeView, grade_view, opened, worked
from minewright.web.server.bounds import Queued
from minewright.web.server.refusals import PROBLEMS
from minewright.web.server.settings import Settings
from minewright.web.shared.models import Asked, Cell

router = APIRouter(prefix="/api/bullets", tags=["bullets"], responses=PROBLEMS)


class Pencilled(Asked):
    """A puzzle and the pencil marks in it."""

    code: PuzzleCode
    marks: str = Field(
        max_length=MOST_SIDE**2,
        pattern=r"^[.o/]*$",
        description="One character per cell: o a bullet, / a slash, . nothing.",
        examples=["." * 25],
    )


class CheckAsked(Pencilled):
    """Marks to check."""

    where: bool = Field(default=False, description="Whether to say which marks are wrong.")


class Check(BaseModel):
    """Whether the marks are right."""

    right: bool = Field(description="Whether no mark is wrong so far.")
    solved: bool = Field(description="Whether all bullets are found, and nothing else.")
    wrong: list[Cell] | None = Field(description="The wrong marks, if asked for.")


class PuzzleHintAsked(Pencilled):
    """How much to tell: 1 where to look, 2 also the clues, 3 also what follows."""

    level: Literal[1, 2, 3] = 1


class PuzzleHint(BaseModel):
    """A hint; what its level does not tell is null, and all is null while a mark is wrong."""

    level: int
    right: bool = Field(description="If not, a mark has to be fixed first.")
    region: list[Cell] | None = None
    clues: list[Cell] | None = None
    total: bool | None = Field(default=None, description="Whether the number of bullets is used.")
    empty: list[Cell] | None = None
    bullets: list[Cell] | None = None
    sentence: str | None = None


class PuzzleStep(BaseModel):
    """One step of the worked solution."""

    type: int = Field(description="0: a single clue, 1: several, 2: the number of bullets.")
    clues: list[Cell]
    empty: list[Cell]
    bullets: list[Cell]
    sentence: str


class Worked(BaseModel):
    """The solution, step by step."""

    code: PuzzleCode
    grade: GradeView
    steps: list[PuzzleStep]


@router.post("/check")
def check(request: Request, asked: CheckAsked, _: Queued) -> Check:
    """Say whether a mark is wrong, and which if asked."""
    puzzle = opened(request, asked.code)
    wrong = _wrong(puzzle, asked.marks)
    found = {cell for cell, mark in enumerate(asked.marks) if mark == "o"}
    return Check(
        right=not wrong, solved=found == puzzle.solution, wrong=wrong if asked.where else None
    )


@router.post("/hint")
def hint(request: Request, asked: PuzzleHintAsked, _: Queued) -> PuzzleHint:
    """Return a hint for the next step: where to look, the clues that matter, or what follows."""
    settings: Settings = request.app.state.settings
    puzzle = opened(request, asked.code)
    if _wrong(puzzle, asked.marks):
        return PuzzleHint(level=asked.level, right=False)
    position = _position(puzzle, asked.marks)
    # The number of bullets is used only if clues do not help.
    without = position.with_mines(None)
    step = shortest(without, explain(without, budget=settings.budget))
    step = step or next_step(position, budget=settings.budget)
    if step is None:
        raise HTTPException(409, "every cell is known: there is nothing left to find")
    region = around(position, step.clues) or list(position.covered)
    told = PuzzleHint(level=asked.level, right=True, region=region)
    if asked.level > 1:
        told.clues, told.total = list(step.clues), step.total
    if asked.level > 2:
        told.empty, told.bullets = list(step.safe), list(step.mined)
        told.sentence = step.told(BULLETS)
    return told


@router.get("/solution")
def solution(request: Request, code: CodeAsked, _: Queued) -> Worked:
    """Solve a puzzle step by step, as a person would."""
    found = worked(request, code)
    return Worked(
        code=encode(found.puzzle),
        grade=grade_view(found.puzzle),
        steps=[
            PuzzleStep(
                type=step.type,
                clues=list(step.clues),
                empty=list(step.empty),
                bullets=list(step.bullets),
                sentence=step.sentence,
            )
            for step in found.steps
        ],
    )


def _wrong(puzzle: Puzzle, marks: str) -> list[int]:
    """Return the marks that differ from the solution."""
    cells = puzzle.position.cells
    if len(marks) != len(cells):
        raise HTTPException(422, f"marks: expected {len(cells)} characters, one per cell")
    if any(mark != "." and code <= MAX_NUMBER for mark, code in zip(marks, cells, strict=True)):
        raise HTTPException(422, "marks: a clue takes no mark; write . there")
    return [
        cell
        for cell, mark in enumerate(marks)
        if mark != "." and (mark == "o") != (cell in puzzle.solution)
    ]


def _position(puzzle: Puzzle, marks: str) -> Position:
    """Return the position with correct marks drawn in."""
    codes = {"o": MINED, "/": SAFE}
    known = {cell: codes[mark] for cell, mark in enumerate(marks) if mark != "."}
    return puzzle.position.with_cells(known)
