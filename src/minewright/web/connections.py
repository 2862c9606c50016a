"""Connections: how many there may be, and how long one may keep a place without using it.

The HTTP server waits for ever for the head of a request, and for a client that does not read.
Here a clock runs whenever it is the client's turn.
"""

import asyncio
import socket
import sys
from collections import Counter
from struct import pack
from typing import Final, cast

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from minewright.web.addresses import house, read_network, stands_in
from minewright.web.settings import Settings

GRACE: Final = 5
"""Seconds that requests under way have to end when the server is told to."""
KEEP_ALIVE: Final = 5
"""Seconds that a connection is kept for another request."""
BACKLOG: Final = 128
"""So many may wait to be let in."""
AT_ONCE: Final = pack("hh" if sys.platform == "win32" else "ii", 1, 0)
FULL: Final = b'{"problem": "too many connections; try again in a little while"}'
REFUSAL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n"
    b"Connection: close\r\nRetry-After: 5\r\nContent-Length: %d\r\n\r\n%s" % (len(FULL), FULL)
)


class Places:
    """The places for connections: so many in all, and so many for one address.

    Where there is none left, the connection that has waited longest for a request makes room; at
    an address that has taken all its own, one of its own. A proxy speaks for many addresses, and
    may take all.
    """

    def __init__(self, settings: Settings) -> None:
        self._most = settings.connections
        self._each = settings.address_connections
        self._proxies = tuple(map(read_network, settings.proxies))
        self._taken: dict[Connection, str] = {}
        self._counts: Counter[str] = Counter()
        self._waiting: dict[Connection, None] = {}

    def take(self, connection: "Connection", address: str) -> bool:
        """Give a connection a place; False if there is none."""
        place = house(address)
        crowded = self._counts[place] >= self._each and not stands_in(address, self._proxies)
        if crowded and not self._make_room(place):
            return False
        if len(self._taken) >= self._most and not self._make_room():
            return False
        self._taken[connection] = place
        self._counts[place] += 1
        return True

    def leave(self, connection: "Connection") -> None:
        """Free the place of a connection, if it has one."""
        self._waiting.pop(connection, None)
        place = self._taken.pop(connection, None)
        if place is not None:
            self._counts[place] -= 1
            if not self._counts[place]:
                del self._counts[place]

    def mark(self, connection: "Connection", *, waiting: bool) -> None:
        """Note whether a connection waits for a request."""
        if not waiting:
            self._waiting.pop(connection, None)
        elif connection in self._taken:
            self._waiting.setdefault(connection)

    def _make_room(self, place: str | None = None) -> bool:
        for connection in self._waiting:
            if place is None or self._taken[connection] == place:
                self.leave(connection)
                connection.transport.abort()
                return True
        return False


class Config(uvicorn.Config):
    """What the HTTP server is told, and the places it has."""

    def __init__(self, app: FastAPI, settings: Settings) -> None:
        super().__init__(
            app,
            http=Connection,
            ws="none",
            log_level="warning",
            access_log=False,
            server_header=False,
            # Nobody's word on addresses counts unless we were told so.
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=list(settings.proxies),
            backlog=BACKLOG,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=GRACE,
        )
        self.patience = settings.patience
        self.places = Places(settings)


class Connection(H11Protocol):
    """A connection that is closed when its client lets it wait for too long."""

    _clock: asyncio.TimerHandle | None = None
    _unsent = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a place, or close at once."""
        assert isinstance(self.config, Config)
        self._patience, self._places = self.config.patience, self.config.places
        super().connection_made(cast(asyncio.Transport, transport))
        if not self._places.take(self, self.client[0] if self.client else "?"):
            self.transport.write(REFUSAL)
            self.transport.close()
        self._turn()

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place."""
        self._places.leave(self)
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Hear the client."""
        super().data_received(data)
        self._turn()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._turn()

    def pause_writing(self) -> None:
        """Wait for the client to read."""
        super().pause_writing()
        self._turn()

    def resume_writing(self) -> None:
        """Go on writing."""
        super().resume_writing()
        self._turn()

    def _turn(self) -> None:
        """Let the clock run if it is the client's turn, from when it became so."""
        waiting = self.conn.their_state is h11.IDLE
        self._places.mark(self, waiting=waiting)
        if not (waiting or self.flow.write_paused or self.transport.is_closing()):
            self._stop()
        elif self._clock is None:
            self._unsent = self.transport.get_write_buffer_size()
            self._clock = self.loop.call_later(self._patience, self._expire)

    def _stop(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _expire(self) -> None:
        """End the connection, unless its client is still reading."""
        self._clock = None
        unsent = self.transport.get_write_buffer_size()
        if 0 < unsent < self._unsent:
            self._turn()
            return
        if unsent:
            # Else the system would go on keeping what nobody reads.
            connected: socket.socket = self.transport.get_extra_info("socket")
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
        self.transport.abort()
