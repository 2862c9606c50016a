"""Bullets over the wire: make a puzzle, check pencil marks, hint, work it out, print it.

Nothing is kept here. A puzzle travels as its code, which is its whole text in short: `7x7x15-`
and then a digit for a clue, a letter for a run of hidden cells (a for one, z for 26). Before it
stands the topology if it is not moore: `hex-7x7x15-...`.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from random import Random
from time import monotonic
from typing import Annotated, Final, Literal, get_args

from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import BaseModel, Field

from minewright._kernel import COVERED, MAX_NUMBER, MINED, SAFE
from minewright.board import write_sides
from minewright.bullets import (
    PAPER,
    Difficulty,
    Energy,
    Grade,
    Puzzle,
    PuzzleError,
    Symmetry,
    make,
    solve,
)
from minewright.bullets.book import Book, BookError, Paper
from minewright.bullets.maker import Wishes, default_bullets
from minewright.bullets.solution import Solution, in_words
from minewright.deduction import next_step
from minewright.inference import Budget, BudgetExceeded, enumerate_solutions
from minewright.position import Position
from minewright.render.svg import position_svg
from minewright.topology import Topology, get
from minewright.web.bounds import Turn
from minewright.web.models import PROBLEMS, Asked, Cell, Code, Seed
from minewright.web.settings import Settings

router = APIRouter(prefix="/api/bullets", tags=["bullets"], responses=PROBLEMS)

Kind = Literal["moore", "hex", "torus", "neumann", "knight"]
"""The topologies of a puzzle: flat ones, where a clue is one digit."""
LEAST_SIDE: Final = 3
MOST_SIDE: Final = 12
SEARCH: Final = 5_000_000
"""The work one search for a puzzle may cost. It ends before the clock does: the same seed makes
the same puzzle here as anywhere."""
STEP: Final = 2_000_000
"""The work one step of a worked solution may cost; those of a puzzle made here need a fraction."""

_CODE: Final = re.compile(r"(?:([a-z]+)-)?([0-9]{1,2})x([0-9]{1,2})x([0-9]{1,3})-([0-9a-z]+)")
_RUN: Final = 26
_SEEDS: Final = 10**9
"""A seed that nobody chose is one of so many: short enough to be told."""
_FIRST_DAY: Final = date(2000, 1, 1)
# Small and easy on Monday, large and hard on Sunday.
_WEEK: Final[tuple[tuple[int, Difficulty], ...]] = (
    (6, "easy"),
    (7, "easy"),
    (7, "medium"),
    (7, "hard"),
    (8, "medium"),
    (8, "hard"),
    (9, "hard"),
)

PuzzleCode = Annotated[
    str,
    Field(
        max_length=200,
        description="The puzzle in short, as every puzzle of an answer has it.",
        # Only told, not enforced: `decode` has better words for what is no code.
        json_schema_extra={"pattern": f"^{_CODE.pattern}$"},
        examples=["5x5x7-b2a22e112b1d112a"],
    ),
]
CodeAsked = Annotated[PuzzleCode, Query()]


class Taste(Asked):
    """What makes a puzzle good; the defaults are the paper's."""

    single: float = Field(default=0.0, ge=-3, le=3, description="Steps by a single clue.")
    several: float = Field(default=1.5, ge=-3, le=3, description="Steps that compare clues.")
    total: float = Field(
        default=1.5, ge=0, le=6, description="How many bullets only their number shall settle."
    )

    def energy(self) -> Energy:
        """Give it as an energy, which is lower the better a puzzle is."""
        found = Energy((-self.single, -self.several, -2 * self.total), (0.0, 0.0, 1.0))
        return PAPER if found == PAPER else found


class Wish(Asked):
    """A puzzle to make."""

    size: int = Field(default=7, ge=LEAST_SIDE, le=MOST_SIDE, description="The side of a square.")
    bullets: int | None = Field(
        default=None, ge=1, lt=MOST_SIDE**2, description="Three cells of ten if absent."
    )
    topology: Kind = "moore"
    seed: Seed | None = Field(default=None, description="Any if absent.")
    taste: Taste = Taste()
    difficulty: Difficulty | None = Field(default=None, description="As the taste has it if null.")
    symmetry: Symmetry = "none"
    iterations: int = Field(default=500, ge=0, le=2_000, description="How long it is bettered.")


class GradeView(BaseModel):
    """How a person solves it."""

    single: int = Field(description="Steps that take a single clue.")
    several: int = Field(description="Steps that take several clues.")
    total: int = Field(description="Bullets that only their number settles.")
    energy: float = Field(description="The paper's: the lower, the better.")
    difficulty: Difficulty


class PuzzleView(BaseModel):
    """A puzzle as one sees it: clues and hidden cells."""

    code: PuzzleCode
    topology: Kind
    shape: list[int]
    bullets: int
    cells: list[Code]
    around: dict[Cell, list[Cell]] = Field(description="The cells around each clue.")
    grade: GradeView
    seed: Seed | None = None
    date: str | None = Field(default=None, description="Of a daily puzzle.")


class Drawn(Asked):
    """A puzzle and the pencil marks in it."""

    code: PuzzleCode
    marks: str = Field(
        max_length=MOST_SIDE**2,
        pattern=r"^[.o/]*$",
        description="One character a cell: o a bullet, / a slash, . nothing.",
        examples=["." * 25],
    )


class CheckAsked(Drawn):
    """Marks to check."""

    where: bool = Field(default=False, description="Whether to be told which marks are wrong.")


class Check(BaseModel):
    """Whether the marks are right."""

    right: bool = Field(description="Whether no mark is wrong so far.")
    solved: bool = Field(description="Whether all bullets are found, and nothing else.")
    wrong: list[Cell] | None = Field(description="The wrong marks, if that was asked.")


class PuzzleHintAsked(Drawn):
    """How much to say: 1 where to look, 2 also the clues, 3 also what follows."""

    level: Literal[1, 2, 3] = 1


class PuzzleHint(BaseModel):
    """A hint. What its level does not tell is null; all is null while a mark is wrong."""

    level: int
    right: bool = Field(description="If not, a mark has to be mended first.")
    region: list[Cell] | None = None
    clues: list[Cell] | None = None
    total: bool | None = Field(default=None, description="Whether the number of bullets is used.")
    empty: list[Cell] | None = None
    bullets: list[Cell] | None = None
    sentence: str | None = None


class PuzzleStep(BaseModel):
    """One step of the worked solution."""

    type: int = Field(description="0 a single clue, 1 several, 2 with the number of bullets.")
    clues: list[Cell]
    empty: list[Cell]
    bullets: list[Cell]
    sentence: str


class Worked(BaseModel):
    """The solution, step by step."""

    code: PuzzleCode
    grade: GradeView
    steps: list[PuzzleStep]


# Codes


def encode(puzzle: Puzzle) -> str:
    """Write a puzzle as its code."""
    name = puzzle.topology.name
    body, run = [], 0
    for code in (*puzzle.position.cells, None):
        hidden = code == COVERED
        if run and (not hidden or run == _RUN):
            body.append(chr(ord("a") + run - 1))
            run = 0
        if hidden:
            run += 1
        elif code is not None:
            body.append(str(code))
    sides = f"{write_sides(puzzle.topology.shape)}x{puzzle.bullets}"
    return f"{'' if name == 'moore' else f'{name}-'}{sides}-{''.join(body)}"


def decode(code: str) -> Puzzle:
    """Read a puzzle from its code; raises PuzzleError if it is none."""
    read = _CODE.fullmatch(code)
    if read is None:
        raise PuzzleError("this is no puzzle's code, such as 3x3x2-02e1a; take the whole address")
    name, (width, height, bullets), body = (
        read[1] or "moore",
        map(int, read.group(2, 3, 4)),
        read[5],
    )
    if name not in get_args(Kind):
        raise PuzzleError(
            f"there is no puzzle on {name} here; known are {', '.join(get_args(Kind))}"
        )
    for side in (width, height):
        if not LEAST_SIDE <= side <= MOST_SIDE:
            raise PuzzleError(f"a side has {LEAST_SIDE} to {MOST_SIDE} cells here, not {side}")
    topology: Topology = get(name, (width, height))
    clues, at = [], 0
    for sign in body:
        if sign.isdigit():
            clues.append((at, int(sign)))
        at += 1 if sign.isdigit() else ord(sign) - ord("a") + 1
    if at != topology.size:
        raise PuzzleError(
            f"the puzzle's code has {at} cells, not {topology.size}; take the whole address"
        )
    return Puzzle(topology, tuple(clues), bullets)


@contextmanager
def _in_words() -> Iterator[None]:
    """Answer with the one line of a puzzle that cannot be."""
    try:
        yield
    except PuzzleError as error:
        raise HTTPException(422, str(error)) from None


@lru_cache(maxsize=256)
def _open(code: str, budget: Budget) -> Puzzle:
    """Read a puzzle that has exactly one solution, and find that."""
    puzzle = decode(code)
    found = enumerate_solutions(puzzle.position, 2, budget=budget)
    if len(found) != 1:
        many = "more than one solution" if found else "no solution"
        raise PuzzleError(f"this puzzle has {many}, so it cannot be worked out; take another")
    return Puzzle.from_solution(puzzle.topology, found[0], [cell for cell, _ in puzzle.clues])


@lru_cache(maxsize=64)
def _work(code: str, budget: Budget) -> Solution:
    """Work a puzzle out."""
    return solve(_open(code, budget), budget=Budget(min(STEP, budget.states), budget.seconds))


def _asked(request: Request, code: str) -> Puzzle:
    settings: Settings = request.app.state.settings
    with _in_words():
        return _open(code, settings.budget)


def _worked(request: Request, code: str) -> Solution:
    settings: Settings = request.app.state.settings
    with _in_words():
        return _work(code, settings.budget)


def _grade(grade: Grade) -> GradeView:
    return GradeView(
        single=grade.n0,
        several=grade.n1,
        total=grade.n2,
        energy=grade.energy,
        difficulty=grade.difficulty,
    )


def _view(puzzle: Puzzle, seed: int | None = None, day: date | None = None) -> PuzzleView:
    topology = puzzle.topology
    return PuzzleView.model_validate(
        {
            "code": encode(puzzle),
            "topology": topology.name,
            "shape": list(topology.shape),
            "bullets": puzzle.bullets,
            "cells": list(puzzle.position.cells),
            "around": {cell: list(topology.neighbours(cell)) for cell, _ in puzzle.clues},
            "grade": _grade(puzzle.grade()),
            "seed": seed,
            "date": None if day is None else day.isoformat(),
        }
    )


# Making


@dataclass(frozen=True, slots=True)
class _Patient:
    """An energy that is asked only until some time: then the search is given up."""

    energy: Energy
    end: float

    def __call__(self, n0: int, n1: int, n2: int) -> float:
        if monotonic() > self.end:
            raise BudgetExceeded("too long: no such puzzle was found in time; ask for less")
        return self.energy(n0, n1, n2)


@router.post("", status_code=201)
def new(request: Request, wish: Wish, _: Turn) -> PuzzleView:
    """Make a puzzle with one solution and no clue too many, as near to the taste as time allows."""
    settings: Settings = request.app.state.settings
    seed = Random().randrange(_SEEDS) if wish.seed is None else wish.seed
    wishes: Wishes = {
        "seed": seed,
        "iterations": wish.iterations,
        "energy": _Patient(wish.taste.energy(), monotonic() + 2 * settings.seconds),
        "difficulty": wish.difficulty,
        "symmetry": wish.symmetry,
        "budget": Budget(min(SEARCH, settings.states), settings.seconds),
    }
    with _in_words():
        return _view(make(wish.size, wish.bullets, topology=wish.topology, **wishes), seed)


@router.get("/daily")
def daily(
    _: Turn,
    day: Annotated[
        date | None, Query(alias="date", description="Today if absent.", examples=["2026-01-31"])
    ] = None,
) -> PuzzleView:
    """Give the puzzle of a day, the same for everybody: small on Mondays, hard on Sundays."""
    today = datetime.now(UTC).date()
    day = day or today
    # Somewhere it is tomorrow already.
    if not _FIRST_DAY <= day <= today + timedelta(days=1):
        when = "is not out yet" if day > today else "was never made"
        raise HTTPException(404, f"the puzzle of {day} {when}; choose {_FIRST_DAY} to {today}")
    return _view(_daily(day), day=day)


@lru_cache(maxsize=64)
def _daily(day: date) -> Puzzle:
    """Make the puzzle of a day; no clock is looked at, so it is the same on every machine."""
    size, difficulty = _WEEK[day.weekday()]
    seed = int(f"{day:%Y%m%d}")
    try:
        return make(size, default_bullets(size**2), seed=seed, difficulty=difficulty)
    except PuzzleError:
        return make(size, default_bullets(size**2), seed=seed)


@router.get("/puzzle")
def look(request: Request, code: CodeAsked, _: Turn) -> PuzzleView:
    """Show a puzzle by its code."""
    return _view(_asked(request, code))


# Solving


@router.post("/check")
def check(request: Request, drawn: CheckAsked, _: Turn) -> Check:
    """Say whether a mark is wrong, and which if that is asked."""
    puzzle = _asked(request, drawn.code)
    wrong = _wrong(puzzle, drawn.marks)
    found = {cell for cell, mark in enumerate(drawn.marks) if mark == "o"}
    return Check(
        right=not wrong, solved=found == puzzle.solution, wrong=wrong if drawn.where else None
    )


@router.post("/hint")
def hint(request: Request, drawn: PuzzleHintAsked, _: Turn) -> PuzzleHint:
    """Give a hint for the next step: where to look, the clues that matter, or what follows."""
    settings: Settings = request.app.state.settings
    puzzle = _asked(request, drawn.code)
    if _wrong(puzzle, drawn.marks):
        return PuzzleHint(level=drawn.level, right=False)
    position = _position(puzzle, drawn.marks)
    # The number of bullets is used only where clues do not help.
    step = next_step(position.with_mines(None), budget=settings.budget)
    step = step or next_step(position, budget=settings.budget)
    if step is None:
        raise HTTPException(409, "every cell is known: there is nothing left to find")
    near = puzzle.topology.neighbours
    region = {cell for clue in step.clues for cell in (clue, *near(clue))}
    told = PuzzleHint(
        level=drawn.level, right=True, region=sorted(region) or list(position.covered)
    )
    if drawn.level > 1:
        told.clues, told.total = list(step.clues), step.total
    if drawn.level > 2:
        told.empty, told.bullets = list(step.safe), list(step.mined)
        told.sentence = in_words(step)
    return told


@router.get("/solution")
def solution(request: Request, code: CodeAsked, _: Turn) -> Worked:
    """Work a puzzle out, step by step, as a person would."""
    found = _worked(request, code)
    return Worked(
        code=encode(found.puzzle),
        grade=_grade(found.grade),
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
    """Find the marks that are not as in the solution."""
    cells = puzzle.position.cells
    if len(marks) != len(cells):
        raise HTTPException(422, f"marks: expected {len(cells)} characters, one a cell")
    if any(mark != "." and code <= MAX_NUMBER for mark, code in zip(marks, cells, strict=True)):
        raise HTTPException(422, "marks: a clue has no mark; write . there")
    return [
        cell
        for cell, mark in enumerate(marks)
        if mark != "." and (mark == "o") != (cell in puzzle.solution)
    ]


def _position(puzzle: Puzzle, marks: str) -> Position:
    """Give what is known by right marks."""
    codes = {"o": MINED, "/": SAFE}
    known = {cell: codes[mark] for cell, mark in enumerate(marks) if mark != "."}
    return puzzle.position.with_cells(known)


# Printing


@router.get("/svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
def svg(
    request: Request,
    code: CodeAsked,
    _: Turn,
    what: Annotated[Literal["puzzle", "solution"], Query()] = "puzzle",
) -> Response:
    """Draw a puzzle, or its worked solution as a strip."""
    puzzle = _asked(request, code)
    if what == "puzzle":
        drawn = position_svg(puzzle.position)
    else:
        drawn = _worked(request, code).strip_svg()
    return _file(drawn.encode(), "image/svg+xml", f"bullets-{what}.svg")


@router.get("/pdf", response_class=Response, responses={200: {"content": {"application/pdf": {}}}})
def pdf(
    request: Request,
    code: CodeAsked,
    _: Turn,
    paper: Annotated[Paper, Query()] = "a4",
) -> Response:
    """Print a puzzle as a booklet: rules, a worked example, the puzzle, its solution."""
    puzzle = _asked(request, code)
    try:
        drawn = _pdf(puzzle, paper)
    except BookError as error:
        raise HTTPException(503, str(error)) from None
    return _file(drawn, "application/pdf", "bullets.pdf")


@lru_cache(maxsize=16)
def _pdf(puzzle: Puzzle, paper: Paper) -> bytes:
    return Book.bind([puzzle]).pdf(paper)


def _file(content: bytes, kind: str, name: str) -> Response:
    return Response(
        content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
