"""The server's JSON: any requests of one person, one after the other, without a network.

An input is one request per line: method, address and body, with a blank between them. `{game}` in
an address stands for the game that was begun last. A line such as `origin: null` is a header of the
next request. A file in a body may have any bytes: `%0A` stands for the end of a line. If the first
line is `!`, the server may spend so little that most positions are too hard for it.
"""

import asyncio
import atexit
import logging
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import unquote_to_bytes

import httpx
from fastapi import FastAPI

from minewright.inference import Budget
from minewright.lab.experiment import Experiment
from minewright.lab.run import Run
from minewright.web.app import create_app
from minewright.web.server.settings import Settings
from minewright.work.executors import Here
from targets.promises import Target

HOME: Final = "http://127.0.0.1:8765"
METHODS: Final = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS")
LINES: Final = 10
"""Of one input; more would only take longer."""
HEADER: Final = re.compile(rb"([a-z-]+): *([\t -~\x80-\xff]*)")
"""What the server lets through as a header."""
SECONDS = 0.2
"""What the server may think about a request."""
INPUTS: Final = 2_000
"""After so many the server begins anew."""
STATES: Final = {False: 20_000, True: 10}
"""What an answer may cost, without and with `!`."""
LAYING: Final = 100_000
"""States in which the minefield of a no-guess game is made, or refused."""
REFUSALS: Final = (503,)
"""What the server may answer above 500: that there is no room, or that it is about to end."""

BEGINS: Final = ("/api/games", "/api/games/daily")
"""Where games begin; later requests call the latest one {game}."""

RUN: Final = "run"
EXPERIMENT: Final = Experiment.grid(
    "small", strategies=["single-point", "exact"], boards=["5x4x3"], games=4
)

LOG: Final = logging.getLogger("minewright.web")


class _Log(logging.Handler):
    """Keeps what the server logs: faults, and games of its own that it cannot read."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


class Server:
    """The app on one event loop. It begins anew now and then: what it keeps takes room."""

    def __init__(self, states: int) -> None:
        self._directory = TemporaryDirectory(prefix="minewright-fuzz-")
        data = Path(self._directory.name)
        lab = data / "lab"
        # Without a run there is nothing that most addresses of the lab could show.
        Run.create(lab / RUN, EXPERIMENT).play(Here)
        often, many = 1e9, 10**9
        self.app = create_app(
            Settings(
                data=data,
                lab=lab,
                table=True,
                max_cells=400,
                seconds=SECONDS,
                help_seconds=0.1,
                states=states,
                laying=Budget(LAYING, SECONDS),
                stream_seconds=0.01,
                rate=often,
                burst=many,
                address_rate=often,
                address_burst=many,
                newcomers=often,
                newcomers_burst=many,
                file_rate=often,
                file_burst=many,
                name_rate=often,
                name_burst=many,
                address_name_rate=often,
                address_name_burst=many,
            )
        )
        self._runner = asyncio.Runner()
        self.inputs = 0
        self._log = _Log()
        LOG.addHandler(self._log)

    def send(self, data: bytes) -> None:
        """Send the requests of one input; what the server logs is a fault that no answer shows."""
        self.inputs += 1
        self._log.said.clear()
        self._runner.run(_send(self.app, data))
        assert not self._log.said, self._log.said

    def close(self) -> None:
        """End it, and remove what it kept."""
        LOG.removeHandler(self._log)
        self._runner.close()
        self.app.state.store.close()
        self._directory.cleanup()


_running: dict[bool, Server] = {}


def close() -> None:
    """End the servers that run."""
    while _running:
        _, server = _running.popitem()
        server.close()


atexit.register(close)


def requests(data: bytes) -> None:
    """Send the requests; no answer says that the server itself went wrong."""
    first, _, rest = data.partition(b"\n")
    poor = first == b"!"
    if poor in _running and _running[poor].inputs >= INPUTS:
        _running.pop(poor).close()
    if poor not in _running:
        _running[poor] = Server(STATES[poor])
    _running[poor].send(rest if poor else data)


def is_file(address: str) -> bool:
    """Tell whether the body of a request to this address is a file."""
    return "/file" in address


async def _send(app: FastAPI, data: bytes) -> None:
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport) as client:
        game = "none"
        headers: list[tuple[bytes, bytes]] = []
        for line in data.split(b"\n")[:LINES]:
            if header := HEADER.fullmatch(line):
                headers.append((header[1], header[2]))
                continue
            method, address, body = (*line.split(b" ", 2), b"", b"")[:3]
            name = method.decode("latin-1")
            where = address.decode("latin-1").replace("{game}", game)
            if name not in METHODS or not where.startswith("/"):
                continue
            try:
                # Not joined, or what follows two slashes would be the name of another host.
                url = httpx.URL(HOME + where)
            except httpx.InvalidURL:
                continue
            kind, sent = b"application/json", body
            if is_file(where):
                kind, sent = b"application/octet-stream", unquote_to_bytes(body)
            headers.append((b"content-type", kind))
            answer = await client.request(name, url, content=sent, headers=headers)
            headers.clear()
            status = answer.status_code
            assert status < 500 or status in REFUSALS, f"{name} {where}: {status}"
            if where.startswith("/api/") and status >= 400 and name != "HEAD":
                assert "problem" in answer.json(), f"{name} {where}: no word on the problem"
            if name == "POST" and where in BEGINS and answer.is_success:
                game = answer.json()["id"]


TARGETS: dict[str, Target] = {"server": requests}
