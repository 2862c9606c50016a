"""Who it is: a cookie that only this server can make, and what it keeps about its holder."""

import hmac
import re
from hashlib import sha256
from secrets import token_hex
from typing import Annotated, Final

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from pydantic import BaseModel, Field

from minewright.bullets.puzzle import PuzzleError
from minewright.web.people.store import Store
from minewright.web.puzzles.progress import overtaken
from minewright.web.puzzles.routes import decode
from minewright.web.shared.models import PROBLEMS, Asked

_SECONDS_A_DAY: Final = 86_400
_DAY: Final = re.compile("day-[0-9]{4}-[0-9]{2}-[0-9]{2}")

router = APIRouter(prefix="/api/me", tags=["me"], responses=PROBLEMS)


class People:
    """Makes and recognises cookies; knows nothing about anybody but a random number.

    A cookie is signed, so that nobody gets a fresh allowance of requests by inventing one.
    """

    def __init__(self, secret: bytes, days: int) -> None:
        self._secret = secret
        self._days = days
        # A browser sends a cookie to all ports of a machine: each store's has a name of its own,
        # or a second server would make somebody new of everybody.
        self.name = f"minewright-{sha256(b'name' + secret).hexdigest()[:8]}"

    def recognise(self, cookie: str) -> str | None:
        """Give the person whose cookie this is; None if it is none of ours."""
        person, _, signature = cookie.partition(".")
        good = hmac.compare_digest(self._sign(person).encode(), signature.encode())
        return person if person and good else None

    def newcomer(self) -> str:
        """Make somebody new."""
        return token_hex(16)

    def cookie(self, person: str, *, secure: bool) -> str:
        """Write the cookie of a person as a header sets it.

        Lax: who follows a link from another site is still known here. What another site's page
        asks or changes comes with no cookie, and the guard refuses it anyway.
        """
        return (
            f"{self.name}={person}.{self._sign(person)}; Path=/; HttpOnly; SameSite=Lax; "
            f"Max-Age={self._days * _SECONDS_A_DAY}{'; Secure' if secure else ''}"
        )

    def _sign(self, person: str) -> str:
        return hmac.new(self._secret, person.encode(), sha256).hexdigest()[:32]


async def _person(request: Request) -> str:
    # Not worth a thread of its own, which it would get without `async`.
    person: str = request.state.person
    return person


Person = Annotated[str, Depends(_person)]
"""A dependency: who asks."""


class Counts(BaseModel):
    """How many games somebody played: those won, lost, left and helped add up."""

    played: int
    helped: int = Field(description="Games with help, or on a seed the player chose.")
    won: int = Field(description="Without help, as those lost and left.")
    lost: int
    left: int = Field(description="Given up, or begun and not gone on with when another began.")


class BoardRecord(Counts):
    """How somebody does on one board; times are those of games that were not interrupted."""

    mode: str
    board: str
    topology: str
    start: str
    best: float | None = Field(description="Seconds of the fastest game won without help.")
    mean: float | None = Field(description="Seconds of games won without help, on average.")
    efficiency: float | None = Field(description="The best 3BV for each click.")


class Me(Counts):
    """The statistics of a person."""

    streak: int = Field(description="Games won in a row, without help, up to the last.")
    boards: list[BoardRecord]


class PuzzleMarks(Asked):
    """The pencil marks of a puzzle in progress."""

    marks: str = Field(max_length=4_000)


class KeptPuzzle(PuzzleMarks):
    """A puzzle in progress."""

    code: str
    at: float


@router.get("")
def me(request: Request, person: Person) -> Me:
    """Give my statistics."""
    store: Store = request.app.state.store
    boards = [
        BoardRecord.model_validate(record._asdict() | record.score._asdict())
        for record in store.records(person)
    ]
    score, streak = store.totals(person)
    return Me(**score._asdict(), streak=streak, boards=boards)


@router.get("/export")
def export(request: Request, response: Response, person: Person) -> dict[str, object]:
    """Give all that is kept about me: games with their moves, results, puzzles."""
    store: Store = request.app.state.store
    response.headers["Content-Disposition"] = 'attachment; filename="minewright.json"'
    return store.export(person)


@router.delete("", status_code=204)
def forget(request: Request, person: Person) -> None:
    """Delete all that is kept about me."""
    request.app.state.table.forget(person)
    request.app.state.shelf.forget(person)


@router.get("/puzzles")
def puzzles(request: Request, person: Person) -> list[KeptPuzzle]:
    """Give my puzzles in progress, the latest first."""
    store: Store = request.app.state.store
    return [KeptPuzzle(code=code, marks=marks, at=at) for code, marks, at in store.puzzles(person)]


@router.put("/puzzles/{code}", status_code=204)
def keep_puzzle(request: Request, person: Person, code: str, kept: PuzzleMarks) -> None:
    """Keep the pencil marks of a puzzle, given by its code or as that of a day: day-2026-01-31.

    Marks that do not know that the puzzle was solved are not kept: they are older than they seem.
    """
    if not _DAY.fullmatch(code):
        try:
            decode(code)
        except PuzzleError as error:
            raise HTTPException(422, str(error)) from None
    store: Store = request.app.state.store
    store.keep_puzzle(person, code, kept.marks, overtaken)


@router.delete("/puzzles/{code}", status_code=204)
def drop_puzzle(request: Request, person: Person, code: str) -> None:
    """Put a puzzle away."""
    store: Store = request.app.state.store
    store.drop_puzzle(person, code)
