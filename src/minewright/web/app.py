"""The app: all rooms put together."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from fastapi import FastAPI
from fastapi.concurrency import run_in_threadpool

from minewright import __version__
from minewright.web.analyse import routes as analyse
from minewright.web.drills import routes as drills
from minewright.web.lab import routes as lab
from minewright.web.lab.news import News
from minewright.web.lab.runs import list_runs
from minewright.web.people.cookies import People
from minewright.web.people.store import Store
from minewright.web.play import assistant, choices, days, statistics, teams
from minewright.web.play import routes as play
from minewright.web.play.days import NameRates
from minewright.web.play.games import LiveGames
from minewright.web.profile import routes as profile
from minewright.web.profile.work import Profiles
from minewright.web.puzzles import routes as puzzles
from minewright.web.review import routes as review
from minewright.web.review.risks import Shelf
from minewright.web.server import pages, problems
from minewright.web.server.bounds import Gate, Shares
from minewright.web.server.ending import Ending
from minewright.web.server.guard import Guard
from minewright.web.server.settings import Settings
from minewright.web.shared import layout
from minewright.web.watch import routes as watch

ROUTERS: Final = (
    *(choices.router, layout.router, play.router, assistant.router, statistics.router),
    *(days.router, teams.router),
    *(analyse.router, watch.router, puzzles.router, lab.router, review.router),
    *(drills.router, profile.router, pages.router),
)

log = logging.getLogger("minewright.web")


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the app; raise DatabaseError if its data directory cannot be used."""
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
        summary="Play Minesweeper, ask why, analyse positions, watch strategies, make puzzles.",
        version=__version__,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        # The default documentation pages load scripts from other hosts.
        docs_url=None,
        redoc_url=None,
        # Nothing is reported to anybody, whatever the environment says.
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    app.state.settings = settings
    app.state.store = store
    app.state.games = LiveGames(store, settings)
    app.state.name_rates = NameRates(settings)
    app.state.shelf = Shelf()
    app.state.profiles = Profiles()
    app.state.ending = Ending()
    app.state.lab_news = News(lambda: list_runs(settings.lab).model_dump_json())
    app.state.seats = Shares(settings.streams, settings.address_streams, settings.person_streams)
    app.state.exports = Shares(settings.exports, settings.address_exports, 1)
    waiting = (settings.waiting, settings.address_waiting, settings.person_waiting)
    app.state.gate = Gate(settings.at_once, Shares(*waiting))
    app.state.watch_gate = Gate(watch.AT_ONCE, Shares(*waiting))
    known = People(store.secret, settings.person_days)
    for router in ROUTERS:
        # Including a router would build each of its routes again for this app, at first use.
        app.router.routes.extend(router.routes)
    pages.add_files(app)
    problems.add(app)
    app.add_middleware(Guard, settings=settings, people=known, ending=app.state.ending)
    return app


async def tidy(store: Store, days: float, pause: float = 86_400.0) -> None:
    """Forget people not seen for `days` days: at once, and again every `pause` seconds."""
    while True:
        try:
            await run_in_threadpool(store.forget_older, days)
        except sqlite3.Error as error:
            log.warning("could not forget people who have not been here for long (%s)", error)
        await asyncio.sleep(pause)
