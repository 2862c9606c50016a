"""The server process: listens, says where, and ends in good order."""

import gc
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable
from threading import Thread
from typing import Final

import uvicorn
from fastapi import FastAPI

from minewright.web.connections import BACKLOG, Config
from minewright.web.ending import Ending
from minewright.web.settings import Settings

if sys.platform != "win32":
    import resource

SENT_AHEAD: Final = 1 << 17
"""Bytes the system keeps of what a client has not read yet."""
VANISHED: Final = 30_000
"""Milliseconds after which somebody who confirms nothing is taken to have gone."""
FILES: Final = 4_096
"""Open files that suffice for all connections, also while many more come in and are sent away."""


def listen(settings: Settings) -> socket.socket:
    """Take the port; raises OSError if that cannot be."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    taken = socket.create_server((settings.host, settings.port), family=family, backlog=BACKLOG)
    # What a client does not read waits with us, where it is seen, rather than with the system.
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT_AHEAD)
    if sys.platform == "linux":
        # Else the system would try for a quarter of an hour to reach who has vanished.
        taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, VANISHED)
    # Only where the protocol is named does asyncio send small answers at once; else they wait
    # some 40 ms for company.
    protocol = socket.IPPROTO_TCP
    return socket.socket(family, socket.SOCK_STREAM, protocol, fileno=taken.detach())


def address(listening: socket.socket) -> str:
    """Give what to type into a browser on this machine."""
    host, port = listening.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class Server(uvicorn.Server):
    """A server that says when it is there, and when it is about to end."""

    def __init__(self, app: FastAPI, ready: Callable[[], None]) -> None:
        super().__init__(Config(app, app.state.settings))
        self._ready = ready
        self._ending: Ending = app.state.ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let live answers end, then everything."""
        self._ending.begin()
        await super().shutdown(sockets)


def _allow_files() -> None:
    """Let this process open enough files: many a system gives 1,024 unless asked for more."""
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def run(
    app: FastAPI,
    listening: socket.socket,
    tell: Callable[[str], None],
    *,
    open_page: bool = False,
) -> None:
    """Serve until an interrupt or SIGTERM, which let requests under way end first."""
    where = address(listening)
    _allow_files()

    def ready() -> None:
        # What is loaded by now stays: to look through it for garbage would hold answers up.
        gc.collect()
        gc.freeze()
        tell(f"Minewright is at {where} (Ctrl-C ends it)")
        if open_page:
            Thread(target=webbrowser.open, args=(where,), daemon=True).start()

    # The server passes a signal on once it has ended: by then there is nothing left to do.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    try:
        Server(app, ready).run(sockets=[listening])
    finally:
        gc.unfreeze()
