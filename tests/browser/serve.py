"""The command `minewright serve`, but its answers never depend on how busy the machine is.

Nor do they depend on what other tests have asked: everybody meets the same minefields in the same
order, and the first argument says which. Whoever stalls for a while does not count as gone.

With SLOW_ANSWERS=1 in the environment, answers come late and overtake each other, as on a bad
connection: a page must keep its promises then too. With SLOW_ANSWERS=writes, only what changes
something is late: a page that is loaded again asks before its last words have arrived.
"""

import asyncio
import functools
import os
import random
import secrets
import sys
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path

from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from minewright.cli import main
from minewright.web import app
from minewright.web.server import process
from minewright.web.server import settings as server
from minewright.web.server.guard import READING
from minewright.web.server.settings import Settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from patient import EASY
from processes import HANG

SLOW = os.environ.get("SLOW_ANSWERS")
LATE = 0.5
"""The longest wait, in seconds."""
LATE_WRITE = 1.0
"""The wait of every request that changes something, with SLOW_ANSWERS=writes."""

create = app.create_app


class Luck:
    """Draws for each person what that person would draw alone."""

    person: ContextVar[bytes] = ContextVar("person", default=b"")

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.drawn: dict[bytes, random.Random] = {}

    def below(self, exclusive_upper_bound: int) -> int:
        drawn, person = random.Random(self.seed), self.person.get()
        # A request without a cookie may come from anybody.
        if person:
            drawn = self.drawn.setdefault(person, drawn)
        return drawn.randrange(exclusive_upper_bound)


class Personal:
    """Notes whose request is answered, so that `Luck` draws for that person."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            Luck.person.set(dict(scope["headers"]).get(b"cookie", b""))
        await self.app(scope, receive, send)


class Late:
    """Lets requests wait before they are heard."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.random = random.Random(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/api/"):
            await asyncio.sleep(self.wait(scope["method"]))
        await self.app(scope, receive, send)

    def wait(self, method: str) -> float:
        if SLOW == "writes":
            return 0.0 if method in READING else LATE_WRITE
        return self.random.uniform(0, LATE)


def create_steady(settings: Settings | None = None) -> FastAPI:
    made = create(settings)
    made.add_middleware(Personal)
    if SLOW:
        made.add_middleware(Late)
    return made


if __name__ == "__main__":
    server.Settings = functools.partial(replace, EASY)  # type: ignore[misc, assignment]
    process.GRACE = process.KEEP_ALIVE = int(HANG)  # type: ignore[misc]
    secrets.randbelow = Luck(sys.argv[1]).below
    app.create_app = create_steady
    sys.exit(main(["serve", "--port", "0", *sys.argv[2:]]))
