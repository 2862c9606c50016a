"""The app: routers, pages, and what is said when something goes wrong."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as AnyHTTPException

from minewright import __version__
from minewright.board import BoardError
from minewright.game import GameError
from minewright.inference import BudgetExceeded
from minewright.position import PositionError
from minewright.strategies import StrategyError
from minewright.topology import TopologyError
from minewright.web import (
    analyse,
    assistant,
    bullets,
    games,
    lab,
    layout,
    people,
    review,
    watch,
)
from minewright.web.bounds import Gate, in_short
from minewright.web.ending import Ending
from minewright.web.guard import Guard
from minewright.web.live import News, Seats
from minewright.web.people import People
from minewright.web.play import Table
from minewright.web.runs import list_runs
from minewright.web.settings import Settings
from minewright.web.store import Store, StoreFull

ROUTERS: Final = (
    *(layout.router, games.router, assistant.router, people.router),
    *(analyse.router, watch.router, bullets.router, lab.router, review.router),
)
PAGES: Final = ("analyse", "watch", "bullets", "lab", "review")
STATIC: Final = Path(__file__).with_name("static")

log = logging.getLogger("minewright.web")


def create_app(settings: Settings | None = None) -> FastAPI:
    """Make the app; raises StoreError if nothing can be kept where the settings say."""
    settings = settings or Settings()
    store = Store(settings.data, settings.store)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        tidying = asyncio.create_task(tidy(store, settings.person_days))
        yield
        tidying.cancel()
        store.close()

    app = FastAPI(
        title="Minewright",
        summary="Play Minesweeper, ask why, analyse, watch, and make puzzles.",
        version=__version__,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        # The usual pages of documentation load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        # Nothing is reported to anybody, whatever the environment says.
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    app.state.settings = settings
    app.state.store = store
    app.state.table = Table(store, settings)
    app.state.ending = Ending()
    app.state.lab_news = News(lambda: list_runs(settings.lab).model_dump_json())
    app.state.seats = Seats(settings.streams, settings.address_streams, settings.person_streams)
    app.state.gate = Gate(settings.at_once, settings.waiting)
    app.state.watch_gate = Gate(watch.AT_ONCE, settings.waiting)
    known = People(store.secret, settings.person_days)
    for router in ROUTERS:
        app.include_router(router)
    _add_pages(app)
    _add_problems(app)
    app.add_middleware(Guard, settings=settings, people=known, ending=app.state.ending)
    return app


async def tidy(store: Store, days: float, pause: float = 86_400.0) -> None:
    """Forget people long gone, now and every day."""
    while True:
        try:
            await run_in_threadpool(store.forget_older, days)
        except sqlite3.Error as error:
            log.warning("people long gone could not be forgotten (%s)", error)
        await asyncio.sleep(pause)


def _add_pages(app: FastAPI) -> None:
    def page(file: str) -> FileResponse:
        return FileResponse(STATIC / file, headers={"Cache-Control": "no-cache"})

    @app.get("/", include_in_schema=False)
    def play() -> FileResponse:
        return page("index.html")

    @app.get("/favicon.ico", include_in_schema=False)
    def icon() -> FileResponse:
        return page("img/icon.svg")

    @app.get("/{name}", include_in_schema=False)
    def other(name: str) -> FileResponse:
        if name not in PAGES or not (STATIC / f"{name}.html").is_file():
            raise HTTPException(404, "there is no such page")
        return page(f"{name}.html")

    app.mount("/static", _Static(directory=STATIC), name="static")


class _Static(StaticFiles):
    """The files of the page; a browser asks each time whether they are still the same."""

    def file_response(self, *args: Any, **kwargs: Any) -> Any:
        """Answer with a file."""
        response = super().file_response(*args, **kwargs)
        response.headers.setdefault("Cache-Control", "no-cache")
        return response


def _add_problems(app: FastAPI) -> None:
    """Answer every error with its one line."""

    def say(status: int, error: object) -> JSONResponse:
        return JSONResponse({"problem": " ".join(str(error).split())}, status)

    @app.exception_handler(RequestValidationError)
    def unreadable(_: Request, error: RequestValidationError) -> JSONResponse:
        return say(422, _in_words(error.errors()))

    @app.exception_handler(AnyHTTPException)
    def refused(_: Request, error: AnyHTTPException) -> JSONResponse:
        answer = say(error.status_code, error.detail)
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(GameError)
    def against_the_rules(_: Request, error: GameError) -> JSONResponse:
        return say(409, error)

    @app.exception_handler(PositionError)
    def no_position(_: Request, error: PositionError) -> JSONResponse:
        where = {"line": error.line, "column": error.column}
        return JSONResponse({"problem": error.problem, **where}, 422)

    def impossible(_: Request, error: Exception) -> JSONResponse:
        return say(422, error)

    for kind in (BoardError, TopologyError, StrategyError):
        app.add_exception_handler(kind, impossible)

    @app.exception_handler(BudgetExceeded)
    def too_hard(_: Request, error: BudgetExceeded) -> JSONResponse:
        return JSONResponse({"problem": in_short(error), "too_hard": True}, 422)

    @app.exception_handler(LookupError)
    def gone(_: Request, error: LookupError) -> JSONResponse:
        return say(404, "this is not there any more")

    @app.exception_handler(StoreFull)
    def full(_: Request, error: StoreFull) -> JSONResponse:
        return say(503, error)

    @app.exception_handler(sqlite3.Error)
    def not_kept(_: Request, error: sqlite3.Error) -> JSONResponse:
        return say(503, f"this could not be kept ({error}); look at the room on the disk")


def _in_words(errors: Sequence[Any]) -> str:
    """Say what is wrong with a request, the first thing first."""
    first = errors[0]
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"{where or 'the request'}: {first['msg']}{more}"
