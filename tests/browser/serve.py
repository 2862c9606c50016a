"""The command `minewright serve`, but its answers never depend on how much the machine has to do.

With SLOW_ANSWERS in the environment they come late and overtake each other, as on a bad connection:
whatever a page promises, it must hold then too.
"""

import asyncio
import functools
import os
import random
import sys

from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from minewright.cli import main
from minewright.web import app
from minewright.web.review import risks
from minewright.web.server import settings as server
from minewright.web.server.settings import Settings

LATE = 0.5
"""The longest wait, in seconds."""

patient = functools.partial(Settings, seconds=60.0, help_seconds=60.0)
create = app.create_app


class Late:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.random = random.Random(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/api/"):
            await asyncio.sleep(self.random.uniform(0, LATE))
        await self.app(scope, receive, send)


def create_late(settings: Settings | None = None) -> FastAPI:
    made = create(settings)
    made.add_middleware(Late)
    return made


if __name__ == "__main__":
    server.Settings, risks.MOVE_SECONDS = patient, 60.0  # type: ignore[misc, assignment]
    if "SLOW_ANSWERS" in os.environ:
        app.create_app = create_late
    sys.exit(main(["serve", "--port", "0", *sys.argv[1:]]))
