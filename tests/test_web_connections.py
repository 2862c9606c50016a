"""Connections to the web app: nobody keeps others out by doing nothing, or by doing it slowly."""

import asyncio
import json
import select
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from uvicorn.server import ServerState
from web_client import EASY, Web, serving

from minewright.web.addresses import house
from minewright.web.connections import Config, Connection
from minewright.web.settings import Settings

HASTY = replace(EASY, connections=12, address_connections=8, patience=0.3, body_seconds=0.3)
LIMIT = 20.0
"""Seconds after which a test has failed."""

other_addresses = pytest.mark.skipif(
    sys.platform != "linux", reason="needs more than one loopback address"
)


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = tmp_path_factory.mktemp("data")
    with serving(replace(HASTY, data=data, lab=data)) as address:
        yield address


def connect(address: str, source: str = "127.0.0.1") -> socket.socket:
    place = urlsplit(address)
    return socket.create_connection((place.hostname, place.port), LIMIT, (source, 0))


def live(address: str, source: str = "127.0.0.1") -> socket.socket:
    """Give a connection that is in use."""
    connection = connect(address, source)
    connection.sendall(b"GET /api/lab/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert connection.recv(12) == b"HTTP/1.1 200"
    return connection


def ask(address: str, source: str = "127.0.0.1", **headers: str) -> httpx.Response:
    transport = httpx.HTTPTransport(local_address=source)
    with httpx.Client(transport=transport, base_url=address, timeout=LIMIT) as client:
        return client.get("/api/lab", headers={"x-forwarded-for": "", **headers})


def heard(connection: socket.socket) -> bytes:
    """Give all that comes until the server ends the connection."""
    whole = b""
    try:
        while data := connection.recv(65_536):
            whole += data
    except ConnectionResetError:
        pass
    return whole


def ended(connection: socket.socket) -> bool:
    """Tell whether the server has ended the connection, before long."""
    try:
        return not connection.recv(1)
    except TimeoutError:
        return False
    except ConnectionError:
        return True


@other_addresses
def test_idle_connections_shut_nobody_out(hasty: str) -> None:
    with ExitStack() as idle:
        for number in range(50):
            idle.enter_context(connect(hasty, f"127.0.0.{2 + number % 2}"))
        assert ask(hasty, "127.0.0.2").status_code == 200
        assert ask(hasty, "127.0.0.9").status_code == 200


@other_addresses
def test_places_are_bounded_for_one_address_and_in_all(hasty: str) -> None:
    with ExitStack() as busy:
        for _ in range(HASTY.address_connections):
            busy.enter_context(live(hasty, "127.0.0.2"))
        refused = ask(hasty, "127.0.0.2")
        assert refused.status_code == 503
        assert "too many connections" in refused.json()["problem"]
        assert ask(hasty, "127.0.0.9").status_code == 200
        for _ in range(HASTY.connections - HASTY.address_connections):
            busy.enter_context(live(hasty, "127.0.0.3"))
        assert ask(hasty, "127.0.0.9").status_code == 503


def test_a_head_that_never_ends_is_not_waited_for(hasty: str) -> None:
    with connect(hasty) as silent, connect(hasty) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nX: ")
        slow.settimeout(HASTY.patience / 6)
        # Each piece comes well in time.
        pieces = iter(range(int(6 * LIMIT / HASTY.patience)))
        while not ended(slow):
            next(pieces)
            with suppress(ConnectionError):
                slow.sendall(b"x")
        assert heard(silent) == b""


@pytest.mark.parametrize(
    ("more", "status"), [("", 408), ("Origin: https://elsewhere.example\r\n", 403)]
)
def test_a_body_that_never_comes_is_not_waited_for(hasty: str, more: str, status: int) -> None:
    head = f"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n{more}Content-Length: 100\r\n\r\n"
    with connect(hasty) as slow:
        slow.sendall(head.encode() + b"{")
        head, _, body = heard(slow).decode().partition("\r\n\r\n")
        assert head.startswith(f"HTTP/1.1 {status}")
        assert json.loads(body)["problem"]


@pytest.mark.skipif(not hasattr(select, "poll"), reason="needs poll")
def test_who_does_not_read_the_answers_is_left(hasty: str) -> None:
    with connect(hasty) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        ask = b"GET /api/layout?shape=100x100 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        deaf.sendall(ask * 50)
        gone = select.poll()
        gone.register(deaf, 0)
        assert gone.poll(LIMIT * 1_000)


class Reader(asyncio.Transport):
    """A client who has so many bytes left to read each time somebody looks."""

    def __init__(self, *left: int) -> None:
        super().__init__({"socket": socket.socket()})
        self.left = list(left)

    def get_write_buffer_size(self) -> int:
        return self.left.pop(0)

    def is_closing(self) -> bool:
        return True

    def abort(self) -> None:
        self.get_extra_info("socket").close()
        self.left.append(-1)


def test_who_reads_slowly_is_waited_for_and_who_stops_is_not(tmp_path: Path) -> None:
    web = Web(tmp_path, replace(EASY, patience=0.0))

    async def read(reader: Reader) -> list[int]:
        config = Config(web.app, web.settings)
        Connection(config, ServerState(), {}).connection_made(reader)
        while -1 not in reader.left:
            await asyncio.sleep(0)
        return reader.left

    # Each time it is looked twice: at what is left, and again when the clock is set anew.
    assert asyncio.run(read(Reader(300, 200, 200, 100, 100, 100, 7))) == [7, -1]
    assert asyncio.run(read(Reader(300, 0, 7))) == [7, -1]
    web.close()


def test_whoever_drops_the_cookie_is_counted_by_the_address(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, lab=tmp_path, newcomers=0.01, newcomers_burst=2)
    with serving(settings) as address:
        assert [ask(address).status_code for _ in range(3)] == [200, 200, 429]
        # Nobody in front of this server is believed.
        assert ask(address, **{"x-forwarded-for": "203.0.113.7"}).status_code == 429


def test_a_proxy_that_is_trusted_says_who_asks(tmp_path: Path) -> None:
    settings = Settings(
        data=tmp_path,
        lab=tmp_path,
        proxies=("127.0.0.1/32",),
        newcomers=0.01,
        newcomers_burst=1,
        address_connections=1,
    )
    with serving(settings) as address, live(address):
        for client in ("203.0.113.7", "203.0.113.8", "2001:db8::1", "2001:db8:0:1::1"):
            told = {"x-forwarded-for": f"198.51.100.1, {client}"}
            https = {"x-forwarded-proto": "https"}
            first = ask(address, **told, **https)
            assert first.status_code == 200
            assert "Secure" in first.headers["Set-Cookie"]
            assert ask(address, **told).status_code == 429
        # The last two share the first half of their addresses with these.
        assert ask(address, **{"x-forwarded-for": "2001:db8::ffff:2"}).status_code == 429


def test_a_household_counts_as_one_address() -> None:
    assert house("192.0.2.1") != house("192.0.2.2")
    assert house("2001:db8::1") == house("2001:db8::ffff:2") != house("2001:db8:0:1::1")
    assert house("::ffff:192.0.2.1") == house("192.0.2.1")
    assert house("no address") == house("nor this")
