"""The server process: it listens, says where, and shuts down in good order."""

import asyncio
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
from h11 import LocalProtocolError

from minewright.web.server.ending import Ending
from minewright.web.server.settings import Settings

if sys.platform != "win32":
    import resource

BACKLOG: Final = 128
"""Connections that may wait to be accepted."""
KEEP_ALIVE: Final = 5
"""Seconds that a connection is kept open for another request."""
GRACE: Final = 5
"""Seconds that running requests have to finish when the server shuts down."""
TICK: Final = 0.05
"""Seconds between two checks whether the server has started, or is shutting down."""
SENT_AHEAD: Final = 1 << 17
"""Bytes of an unread answer that the system buffers."""
VANISHED: Final = 30_000
"""Milliseconds after which a client that reads nothing is considered gone."""
FILES: Final = 4_096
"""Files that this process may open: each connection is one."""


def listen(settings: Settings) -> socket.socket:
    """Return a socket that listens on the port; raise OSError if that is impossible.

    It is a `socket.gaierror` if the host is not known.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # create_server would report this too, but not as a gaierror.
    socket.getaddrinfo(settings.host, settings.port, family)
    taken = socket.create_server((settings.host, settings.port), family=family, backlog=BACKLOG)
    # A larger buffer would hide that a client does not read.
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT_AHEAD)
    if sys.platform == "linux":
        # Otherwise Linux would keep the answer to a client that has vanished for a quarter of an
        # hour, and to one that never reads for ever.
        taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, VANISHED)
    # asyncio sends small answers at once only if the socket names its protocol; otherwise they
    # wait some 40 ms to be sent together.
    protocol = socket.IPPROTO_TCP
    return socket.socket(family, socket.SOCK_STREAM, protocol, fileno=taken.detach())


def address(listening: socket.socket) -> str:
    """Return the address to open in a browser on this machine."""
    host, port = listening.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def make_server(app: FastAPI) -> uvicorn.Server:
    """Return a server for the app; set its `should_exit` to shut it down."""
    settings: Settings = app.state.settings
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        # With a warning per malformed request, anybody could fill the log.
        log_level="error",
        access_log=False,
        server_header=False,
        # Without --proxy, nobody is trusted to say where a request comes from.
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=GRACE,
    )
    return uvicorn.Server(config)


async def serve(
    server: uvicorn.Server,
    listening: socket.socket,
    ending: Ending,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve until told to stop, then end live answers; call `ready` once the server has started."""
    asyncio.get_running_loop().set_exception_handler(_report)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not (server.started or serving.done()):
        await asyncio.sleep(TICK)
    if server.started:
        ready()
    while not (server.should_exit or serving.done()):
        await asyncio.sleep(TICK)
    ending.begin()
    await serving


def _report(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """Log an error outside of any request, unless a client's mistake caused it.

    The HTTP server tries to answer 400 to an unreadable request, even in the middle of another
    answer. That raises and closes the connection, and concerns nobody else.
    """
    if not isinstance(context.get("exception"), LocalProtocolError):
        loop.default_exception_handler(context)


def _allow_files() -> None:
    """Raise the limit on open files, which is 1,024 on many systems."""
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
    """Serve until an interrupt or SIGTERM; running requests are finished first."""
    where = address(listening)
    _allow_files()

    def ready() -> None:
        # What is loaded by now stays for good; looking for garbage in it would delay answers.
        gc.collect()
        gc.freeze()
        tell(f"Minewright is at {where} (press Ctrl-C to stop)")
        if open_page:
            Thread(target=webbrowser.open, args=(where,), daemon=True).start()

    # uvicorn raises the signal again after shutting down, when there is nothing left to do.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    try:
        asyncio.run(serve(make_server(app), listening, app.state.ending, ready))
    finally:
        gc.unfreeze()
