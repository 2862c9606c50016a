"""A person's statistics, and everything that is kept about them."""

from collections.abc import AsyncIterator
from typing import Final

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from minewright.web.people.cookies import Person
from minewright.web.people.store import Store
from minewright.web.server.bounds import Asker, Shares
from minewright.web.server.refusals import PROBLEMS

LATEST: Final = 200
"""How many of the latest ranked wins are returned with their times."""

router = APIRouter(prefix="/api/me", tags=["me"], responses=PROBLEMS)


class Counts(BaseModel):
    """How many games somebody played: won, lost, left and helped add up."""

    played: int
    helped: int = Field(description="Games with help, or with a known seed.")
    won: int = Field(description="Without help, as are those lost and left.")
    lost: int
    left: int = Field(description="Given up, or left unfinished for another game.")


class BoardRecord(Counts):
    """How somebody does on one board; times are those of games without a break."""

    mode: str
    board: str
    topology: str
    start: str
    best: float | None = Field(description="Seconds of the fastest game won without help.")
    mean: float | None = Field(description="Average seconds of games won without help.")
    efficiency: float | None = Field(description="The best 3BV per click.")
    times: list[float] = Field(description="Seconds of the latest of these games, oldest first.")
    mean_score: float | None = Field(
        description="Average score of safe-bet games that were not abandoned."
    )


class Me(Counts):
    """The statistics of a person."""

    streak: int = Field(description="Games won in a row without help, up to the last.")
    longest_streak: int = Field(description="The most games ever won in a row without help.")
    boards: list[BoardRecord]


@router.get("")
def me(request: Request, person: Person) -> Me:
    """Return my statistics."""
    store: Store = request.app.state.store
    times = store.times(person, LATEST)
    boards = [
        BoardRecord.model_validate(
            record._asdict() | record.score._asdict() | {"times": times.get(record[:4], [])}
        )
        for record in store.records(person)
    ]
    score, streak, longest = store.totals(person)
    return Me(**score._asdict(), streak=streak, longest_streak=longest, boards=boards)


async def _turn_to_export(request: Request) -> AsyncIterator[None]:
    exports: Shares = request.app.state.exports
    asker = Asker.of(request)
    if not exports.room(asker):
        raise HTTPException(
            429, "too many exports at once; try again in a moment", {"Retry-After": "5"}
        )
    with exports.hold(asker):
        yield


@router.get("/export", response_model=dict[str, object], dependencies=[Depends(_turn_to_export)])
def export(request: Request, person: Person) -> StreamingResponse:
    """Return everything kept about me: games with their moves, results, puzzles."""
    store: Store = request.app.state.store
    kept = {"Content-Disposition": 'attachment; filename="minewright.json"'}
    return StreamingResponse(store.export(person), media_type="application/json", headers=kept)


@router.delete("", status_code=204)
def forget(request: Request, person: Person) -> None:
    """Delete everything kept about me."""
    request.app.state.games.forget(person)
    request.app.state.shelf.forget(person)
    request.app.state.profiles.forget(person)
