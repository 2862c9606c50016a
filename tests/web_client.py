"""The web app without a network: what its tests share."""

import asyncio
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any, Self

import httpx
from fastapi import FastAPI
from patient import EASY
from processes import HANG

import minewright as mw
from minewright.web.app import create_app
from minewright.web.server.process import address, listen, make_server, serve
from minewright.web.server.settings import Settings

PARTS = ("obvious", "zero", "simple", "set", "autoplay", "solvers", "probabilities")
OFF = dict.fromkeys(PARTS, False)
"""An assistant with everything switched off."""


class Browser:
    """Somebody with a cookie jar who asks the app."""

    def __init__(self, app: FastAPI) -> None:
        self._runner = asyncio.Runner()
        self._client = self._open(app, httpx.Cookies())

    def _open(self, app: FastAPI, cookies: httpx.Cookies) -> httpx.AsyncClient:
        self.app = app
        transport = httpx.ASGITransport(app=app)
        return httpx.AsyncClient(
            transport=transport, base_url="http://127.0.0.1:8765", cookies=cookies
        )

    def visit(self, app: FastAPI) -> None:
        """Go to another app at the same address, which gets the cookies of the previous one."""
        self._runner.run(self._client.aclose())
        self._client = self._open(app, self._client.cookies)

    def send(self, method: str, path: str, **given: Any) -> httpx.Response:
        return self._runner.run(self._client.request(method, path, **given))

    def ask(self, method: str, path: str, body: object = None, expect: int = 200) -> Any:
        """Send a request under /api and return the answer, which must have the status `expect`."""
        given = {} if body is None else {"json": body}
        response = self.send(method, f"/api{path}", **given)
        assert response.status_code == expect, response.text
        return response.json() if response.content else None

    def begin(self, board: str, **more: Any) -> Any:
        return self.ask("POST", "/games", {"board": board, **more}, 201)

    def move(self, game: Any, kind: str, cell: int | None = None, expect: int = 200) -> Any:
        body = {"kind": kind} if cell is None else {"kind": kind, "cell": cell}
        return self.ask("POST", f"/games/{game['id']}/moves", body, expect)

    def close(self) -> None:
        self._runner.run(self._client.aclose())
        self._runner.close()


class Web:
    """The app with its store in a directory; it can restart, and serves any number of browsers.

    Use it as a context, so that neither the store nor a browser outlives its test.
    """

    def __init__(self, data: Path, settings: Settings = EASY) -> None:
        self.settings = replace(settings, data=data)
        self.app = create_app(self.settings)
        self._browsers: list[Browser] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def browser(self) -> Browser:
        self._browsers.append(Browser(self.app))
        return self._browsers[-1]

    def restart(self) -> None:
        """Start again from what is kept; browsers keep their cookies."""
        self.app.state.store.close()
        self.app = create_app(self.settings)
        for browser in self._browsers:
            browser.visit(self.app)

    def close(self) -> None:
        for browser in self._browsers:
            browser.close()
        self.app.state.store.close()


@contextmanager
def started(data: Path, **given: Any) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start `minewright serve` in a process of its own; yield the process and its address."""
    command = [sys.executable, "-m", "minewright", "serve", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--data", str(data), "--lab", str(data)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **given,
    )
    assert process.stdout
    assert process.stderr
    try:
        address = process.stdout.readline().split()[3]
        yield process, address.rstrip("/")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


@contextmanager
def serving(settings: Settings) -> Iterator[str]:
    """Serve on a port that the system chooses; yield the address."""
    with listen(replace(settings, port=0)) as listening:
        app = create_app(settings)
        server = make_server(app)
        # A client that stalls for a while must not meet a connection that is being closed.
        server.config.timeout_keep_alive = int(HANG)
        # A client that connects before the server has started waits in the backlog.
        running = serve(server, listening, app.state.ending)
        thread = Thread(target=asyncio.run, args=(running,))
        thread.start()
        try:
            yield address(listening)
        finally:
            server.should_exit = True
            thread.join()


def heard(connection: socket.socket) -> bytes:
    """Return everything that comes until the connection ends."""
    whole = b""
    with suppress(ConnectionError):
        while data := connection.recv(65_536):
            whole += data
    return whole


def secret(browser: Browser, game: Any) -> int:
    """Look up the seed of a game, which its player may not know."""
    with closing(sqlite3.connect(browser.app.state.store.file)) as db:
        ((seed,),) = db.execute("SELECT seed FROM games WHERE id = ?", (game["id"],))
    return int(seed)


def twin(game: Any, seed: int | None = None) -> mw.Game:
    """Begin the same game in the library."""
    seed = game["seed"] if seed is None else seed
    return mw.Game(mw.Board.parse(game["board"]), game["start"], seed, game["topology"])


def finish(browser: Browser, game: Any) -> Any:
    """Win a game, knowing its mines."""
    known = twin(game, secret(browser, game))
    known.open(0)
    known.give_up()
    made = browser.move(game, "open", 0)
    for cell in sorted(set(range(known.topology.size)) - known.minefield):
        if made["state"] != "won":
            made = browser.move(game, "open", cell)
    return made
