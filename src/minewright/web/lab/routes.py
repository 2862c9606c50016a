"""Runs of `minewright lab`: how far they are and what they show, live while one is played."""

from collections.abc import AsyncIterator
from importlib.util import find_spec
from typing import Annotated, Final

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi import Path as InPath
from pydantic import Field

from minewright.web.lab import runfiles
from minewright.web.lab.figures import Arms, ShareWon, TableView, draw, figures
from minewright.web.lab.news import EventStream, News
from minewright.web.lab.runfiles import About
from minewright.web.lab.runs import RunLine, Runs, find, line, list_runs
from minewright.web.server import bounds
from minewright.web.server.refusals import PROBLEMS
from minewright.web.server.settings import Settings

router = APIRouter(prefix="/api/lab", tags=["lab"], responses=PROBLEMS)


class RunView(RunLine):
    """A run with all its figures."""

    seed: int
    about: About
    arms: list[Arms]
    titles: dict[str, str] = Field(description="What people call each player of the tables.")
    players: TableView
    shares: list[ShareWon]
    comparisons: TableView
    safety: list[TableView] = Field(
        description="Win rates and differences with the luck taken out, if safety was measured."
    )
    verdict: str | None = Field(description="What a duel has shown.")
    notes: list[str]
    plot: bool = Field(description="Whether the plot can be downloaded.")


@router.get("")
def runs(request: Request) -> Runs:
    """List the runs in the lab directory; /api/lab/events sends the list whenever it changes."""
    settings: Settings = request.app.state.settings
    return list_runs(settings.lab)


async def _seat(request: Request) -> AsyncIterator[None]:
    seats: bounds.Shares = request.app.state.seats
    asker = bounds.Asker.of(request)
    if not seats.room(asker):
        raise HTTPException(
            429, "too many pages are listening already; close one, or wait", {"Retry-After": "30"}
        )
    with seats.hold(asker):
        yield


Seat = Annotated[None, Depends(_seat)]
"""A dependency of streams: a seat is taken before one begins, and kept until it ends."""


EVENT: Final = {
    "type": "object",
    "required": ["data"],
    "properties": {
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {"$ref": "#/components/schemas/Runs"},
        }
    },
}
"""The schema of an event."""


@router.get(
    "/events",
    response_class=EventStream,
    responses={
        200: {
            "description": "Server-sent events, one at once and one per change: the data is "
            "what GET /api/lab would answer. Comments are signs of life. The stream ends "
            "after a while: then connect again.",
            "content": {"text/event-stream": {"schema": EVENT}},
        }
    },
)
async def events(request: Request, _: Seat) -> EventStream:
    """Send the whole list whenever it changes, as server-sent events."""
    settings: Settings = request.app.state.settings
    news: News = request.app.state.lab_news
    return EventStream(news.listen(settings.stream_seconds))


Name = Annotated[str, InPath(min_length=1, max_length=255)]


@router.get("/runs/{name}")
def run(request: Request, name: Name, _: bounds.Queued) -> RunView:
    """Return a run: how each player did, and who is stronger on the same games."""
    settings: Settings = request.app.state.settings
    directory = find(settings.lab, name)
    stands = line(name, directory)
    if stands.problem:
        raise HTTPException(422, stands.problem)
    shown = figures(directory)
    return RunView(
        **stands.model_dump(),
        seed=runfiles.experiment(directory).seed,
        about=runfiles.about(directory),
        arms=shown.arms,
        titles=shown.titles,
        players=shown.players,
        shares=shown.shares,
        comparisons=shown.comparisons,
        safety=shown.safety,
        verdict=shown.verdict,
        notes=shown.notes,
        plot=find_spec("matplotlib") is not None and bool(shown.shares),
    )


@router.get(
    "/runs/{name}/plot.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}}}},
)
def plot(request: Request, name: Name, _: bounds.Queued) -> Response:
    """Return the plot of games won, as `minewright lab report` draws it."""
    settings: Settings = request.app.state.settings
    drawn = draw(find(settings.lab, name))
    if not drawn:
        raise HTTPException(404, "this run has too little or too much to draw")
    kept = {"Content-Disposition": 'attachment; filename="won.svg"'}
    return Response(drawn, media_type="image/svg+xml", headers=kept)
