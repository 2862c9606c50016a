"""A person's puzzles in progress."""

import re
from typing import Final

from fastapi import APIRouter, HTTPException, Request
from pydantic import Field

from minewright.bullets.puzzle import PuzzleError
from minewright.web.people.cookies import Person
from minewright.web.people.store import Store
from minewright.web.puzzles.codes import decode
from minewright.web.puzzles.progress import overtaken
from minewright.web.server.refusals import PROBLEMS
from minewright.web.shared.models import Asked

router = APIRouter(prefix="/api/me/puzzles", tags=["bullets", "me"], responses=PROBLEMS)

_DAY: Final = re.compile("day-[0-9]{4}-[0-9]{2}-[0-9]{2}")


class PuzzleMarks(Asked):
    """The pencil marks of a puzzle in progress."""

    marks: str = Field(max_length=4_000)


class KeptPuzzle(PuzzleMarks):
    """A puzzle in progress."""

    code: str
    at: float


@router.get("")
def puzzles(request: Request, person: Person) -> list[KeptPuzzle]:
    """Return my puzzles in progress, latest first."""
    store: Store = request.app.state.store
    return [KeptPuzzle(code=code, marks=marks, at=at) for code, marks, at in store.puzzles(person)]


@router.put("/{code}", status_code=204)
def keep_puzzle(request: Request, person: Person, code: str, kept: PuzzleMarks) -> None:
    """Keep the pencil marks of a puzzle, named by its code or its day (day-2026-01-31).

    Marks that an outdated window sends, or that arrive after newer ones, are refused with 409: the
    kept text is `done` and theirs is not, or it has more `changes` than theirs or, if another
    `page` made them, than their `base`.
    """
    if not _DAY.fullmatch(code):
        try:
            decode(code)
        except PuzzleError as error:
            raise HTTPException(422, str(error)) from None
    store: Store = request.app.state.store
    if not store.keep_puzzle(person, code, kept.marks, overtaken):
        raise HTTPException(409, "there are newer marks of this puzzle; load them first")


@router.delete("/{code}", status_code=204)
def drop_puzzle(request: Request, person: Person, code: str) -> None:
    """Delete a puzzle in progress."""
    store: Store = request.app.state.store
    store.drop_puzzle(person, code)
