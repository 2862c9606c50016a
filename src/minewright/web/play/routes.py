"""Games over the wire: begin, look, move, share, delete."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.concurrency import run_in_threadpool

from minewright.game import GameError
from minewright.noguess.days import FIRST_DAY
from minewright.web.people.cookies import Person
from minewright.web.play.games import LiveGames
from minewright.web.play.live import Live
from minewright.web.play.models import (
    ClockAsked,
    ClockView,
    DailyAsked,
    GameLine,
    GameView,
    MoveAsked,
    MoveMade,
    NewGame,
)
from minewright.web.server.bounds import Asker, Gate
from minewright.web.server.refusals import PROBLEMS
from minewright.web.shared.days import day_asked

router = APIRouter(prefix="/api/games", tags=["games"], responses=PROBLEMS)


async def _mine(request: Request, person: Person, game: str) -> Live:
    games: LiveGames = request.app.state.games
    gate: Gate = request.app.state.gate
    try:
        live = games.recall(person, game)
        if live is None:
            # Playing it again from its moves may take as long as any question.
            async with gate.enter(Asker.of(request), first=True):
                live = await run_in_threadpool(games.find, person, game)
        return live
    except LookupError:
        raise _gone() from None


def _gone() -> HTTPException:
    return HTTPException(404, "you have no such game; start a new one")


Mine = Annotated[Live, Depends(_mine)]
"""A dependency: the game named in the address, if it belongs to the asker."""


async def _turn_to_help(request: Request, live: Mine) -> AsyncIterator[None]:
    if live.thinks:
        gate: Gate = request.app.state.gate
        async with gate.enter(Asker.of(request), first=True):
            yield
    else:
        yield


TurnToHelp = Annotated[None, Depends(_turn_to_help, scope="function")]
"""A dependency: a place in the queue if a move takes inference; other moves need not wait."""


@router.post("", status_code=201)
def begin(request: Request, person: Person, asked: NewGame) -> GameView:
    """Begin a game.

    A random seed stays secret until the game is over, since the mines follow from it. A game with a
    chosen seed counts as played, but not as won, and sets no record.
    """
    games: LiveGames = request.app.state.games
    try:
        live = games.begin(person, asked)
    except GameError as error:
        raise HTTPException(422, str(error)) from None
    with live.held():
        return live.view()


@router.post("/daily")
def daily(request: Request, person: Person, asked: DailyAsked) -> GameView:
    """Return my game of the day, which begins if it has not yet.

    It needs no guess, and everybody has the same: small and easy on Mondays, large and hard on
    Sundays.
    """
    games: LiveGames = request.app.state.games
    day = day_asked(asked.day, FIRST_DAY, "game")
    live = games.daily(person, day, asked.assistant)
    with live.held():
        return live.view()


@router.get("")
def mine(
    request: Request, person: Person, limit: Annotated[int, Query(ge=1, le=100)] = 20
) -> list[GameLine]:
    """List my games, newest first."""
    games: LiveGames = request.app.state.games
    return [
        GameLine(
            id=row.id,
            mode=row.mode,
            board=row.board,
            topology=row.topology,
            start=row.start,
            seed=row.known_seed,
            state=row.state,
            settled=row.settled,
            moves=moves,
            made=row.made,
            helped=row.helped,
            seeded=row.seeded,
        )
        for row, moves in games.store.games(person, limit)
    ]


@router.get("/{game}")
def look(live: Mine, _: TurnToHelp) -> GameView:
    """Return one of my games."""
    with live.held():
        return live.view()


@router.post("/{game}/moves")
def move(request: Request, live: Mine, asked: MoveAsked, _: TurnToHelp) -> MoveMade:
    """Make a move."""
    games: LiveGames = request.app.state.games
    with live.held():
        return live.move(asked, games.store)


@router.post("/{game}/clock")
def clock(request: Request, live: Mine, asked: ClockAsked) -> ClockView:
    """Give a sign of life, pause the game, or go on."""
    games: LiveGames = request.app.state.games
    with live.held():
        return live.keep_time(asked, games.store)


@router.post("/{game}/share")
def share(request: Request, live: Mine, _: TurnToHelp) -> GameView:
    """Reveal the seed before the end, so that others can play the same mines; sets no record."""
    games: LiveGames = request.app.state.games
    with live.held():
        live.share(games.store)
        return live.view()


@router.delete("/{game}", status_code=204)
def put_away(request: Request, person: Person, game: str) -> None:
    """Delete one of my games; its result still counts in the statistics."""
    games: LiveGames = request.app.state.games
    try:
        games.delete(person, game)
    except LookupError:
        raise _gone() from None
    finally:
        request.app.state.shelf.drop(game)
