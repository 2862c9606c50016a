"""Requests under way: nobody keeps others out with many of them, or with slow ones."""

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
from h11 import LocalProtocolError
from patient import EASY
from processes import HANG
from starlette.types import Message, Receive, Scope, Send
from web_client import Browser, Web, serving

from minewright.web.people.cookies import People
from minewright.web.server.addresses import house
from minewright.web.server.ending import Ending
from minewright.web.server.guard import LINGER, Guard
from minewright.web.server.settings import Settings

HASTY = replace(EASY, requests=12, address_requests=8, patience=0.3, body_seconds=0.3)
LIMIT = HANG
"""Seconds after which a test has failed."""

other_addresses = pytest.mark.skipif(
    sys.platform != "linux", reason="needs more than one loopback address"
)


@pytest.fixture
def hasty(tmp_path: Path) -> Iterator[str]:
    """Serve, with a new server for each test, since a place is freed a moment after its use."""
    with serving(replace(HASTY, data=tmp_path, lab=tmp_path)) as address:
        yield address


def connect(address: str, source: str = "127.0.0.1") -> socket.socket:
    place = urlsplit(address)
    return socket.create_connection((place.hostname, place.port), LIMIT, (source, 0))


def live(address: str, source: str = "127.0.0.1") -> socket.socket:
    """Return a connection that is in use."""
    connection = connect(address, source)
    connection.sendall(b"GET /api/lab/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert connection.recv(12) == b"HTTP/1.1 200"
    return connection


def ask(address: str, source: str = "127.0.0.1", **headers: str) -> httpx.Response:
    transport = httpx.HTTPTransport(local_address=source)
    with httpx.Client(transport=transport, base_url=address, timeout=LIMIT) as client:
        return client.get("/api/lab", headers={"x-forwarded-for": "", **headers})


def heard(connection: socket.socket) -> bytes:
    """Return everything that comes until the server ends the connection."""
    whole = b""
    try:
        while data := connection.recv(65_536):
            whole += data
    except ConnectionResetError:
        pass
    return whole


@other_addresses
def test_requests_at_once_are_bounded_for_one_address_and_in_all(hasty: str) -> None:
    with ExitStack() as busy:
        for _ in range(HASTY.address_requests):
            busy.enter_context(live(hasty, "127.0.0.2"))
        refused = ask(hasty, "127.0.0.2")
        assert refused.status_code == 503
        assert "the server is busy" in refused.json()["problem"]
        assert ask(hasty, "127.0.0.9").status_code == 200
        for _ in range(HASTY.requests - HASTY.address_requests):
            busy.enter_context(live(hasty, "127.0.0.3"))
        assert ask(hasty, "127.0.0.9").status_code == 503


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


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this time limit")
def test_the_system_drops_an_answer_that_nobody_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minewright.web.server.process.VANISHED", 500)
    with serving(replace(HASTY, data=tmp_path, lab=tmp_path)) as address, connect(address) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        deaf.sendall(b"GET /api/layout?shape=100x100 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 50)
        gone = select.poll()
        gone.register(deaf, 0)
        # A client learns that the connection is gone only if it sends something.
        for _ in range(int(LIMIT / 0.05)):
            if gone.poll(50):
                break
            with suppress(ConnectionError):
                deaf.send(b"?")
        else:
            pytest.fail("the connection is still there")


def request() -> Scope:
    """Return a request for the API's description."""
    return {
        "type": "http",
        "method": "GET",
        "path": "/api/openapi.json",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1")],
        "client": ("127.0.0.1", 1),
        "scheme": "http",
    }


async def leave() -> Message:
    return {"type": "http.disconnect"}


async def stay() -> Message:
    await asyncio.Event().wait()
    raise AssertionError


def answer_to(web: Web, send: Send, *, stays: bool = False) -> None:
    """Ask for the API's description, hear the answer through `send`, and leave or stay."""
    asyncio.run(web.app(request(), stay if stays else leave, send))


@pytest.mark.parametrize(
    "problem", [LocalProtocolError("can't handle event type Response"), OSError("gone")]
)
def test_an_answer_that_cannot_be_sent_is_no_fault_to_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, problem: Exception
) -> None:
    sent = []

    async def send(message: Message) -> None:
        sent.append(message["type"])
        raise problem

    with Web(tmp_path) as web:
        answer_to(web, send)
        assert sent == ["http.response.start"]
        assert not caplog.records


def test_an_error_in_the_middle_of_an_answer_begins_no_second_one(
    caplog: pytest.LogCaptureFixture,
) -> None:
    sent: list[str] = []

    async def break_off(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("it broke")

    async def send(message: Message) -> None:
        sent.append(message["type"])

    guard = Guard(break_off, EASY, People(b"secret", 1), Ending())
    # The server notices and closes the connection, so that nobody takes the answer for complete.
    with pytest.raises(RuntimeError, match="it broke"):
        asyncio.run(guard(request(), leave, send))
    assert sent == ["http.response.start"]
    assert "it broke" in caplog.text


class Patience:
    """Time limits that end when a test says so."""

    def __init__(self) -> None:
        self.limits: list[tuple[float, asyncio.Timeout]] = []

    def __call__(self, seconds: float) -> asyncio.Timeout:
        self.limits.append((seconds, asyncio.Timeout(None)))
        return self.limits[-1][1]

    def end(self) -> None:
        """Let the time of the last limit run out."""
        self.limits[-1][1].reschedule(0.0)


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> Patience:
    patience = Patience()
    monkeypatch.setattr("minewright.web.server.guard.asyncio.timeout", patience)
    return patience


def refused(web: Web, parts: list[bytes]) -> tuple[Message, Message]:
    """Send a body that is too large; return the answer, and leave in `parts` what was not read."""
    head = [(b"host", b"127.0.0.1"), (b"content-length", b"9999999")]
    sent: list[Message] = []

    async def receive() -> Message:
        # Caddy loses an answer that arrives in the middle of a request.
        assert not sent
        body = parts.pop()
        return {"type": "http.request", "body": body, "more_body": bool(parts)}

    async def send(message: Message) -> None:
        sent.append(message)

    post = {**request(), "method": "POST", "path": "/api/games", "headers": head}
    asyncio.run(web.app(post, receive, send))
    start, body = sent
    return start, body


def test_who_is_refused_while_sending_may_finish_first(tmp_path: Path) -> None:
    with Web(tmp_path) as web:
        parts = [b" " * 1_000] * 5
        start, body = refused(web, parts)
        assert start["status"] == 413
        assert b"too large" in body["body"]
        assert not body.get("more_body")
        assert parts == []
        # But nobody may send for ever.
        endless = [b" " * 1_000] * 5_000
        refused(web, endless)
        assert len(endless) > 3_000


@pytest.mark.parametrize("limit", [5.0, LINGER])
def test_who_is_refused_and_does_not_finish_is_answered_in_the_end(
    tmp_path: Path, patience: Patience, limit: float
) -> None:
    head = [(b"host", b"127.0.0.1"), (b"content-length", b"9999999")]
    post = {**request(), "method": "POST", "path": "/api/games", "headers": head}
    sent: list[Message] = []

    async def trickle() -> Message:
        if len(patience.limits) > 4:
            # Either the whole body takes too long, or the next part of it.
            next(one for seconds, one in patience.limits[::-1] if seconds == limit).reschedule(0.0)
            await asyncio.Event().wait()
        return {"type": "http.request", "body": b" ", "more_body": True}

    async def send(message: Message) -> None:
        sent.append(message)

    with Web(tmp_path, replace(EASY, body_seconds=5.0)) as web:
        asyncio.run(web.app(post, trickle, send))
    assert sent[0]["status"] == 413


def test_nothing_is_left_of_a_question_after_its_answer(anna: Browser) -> None:
    async def ask() -> int:
        answer = await anna._client.post("/api/analyse", json={"text": "3x1x1\n#1#"})
        assert answer.status_code == 200
        await asyncio.sleep(0)
        return len(asyncio.all_tasks())

    assert anna._runner.run(ask()) == 1


def test_who_reads_slowly_is_waited_for_and_who_stops_is_not(
    tmp_path: Path, patience: Patience
) -> None:
    with Web(tmp_path, replace(EASY, patience=7.0)) as web:
        stops, sent = False, []

        async def send(message: Message) -> None:
            if stops:
                patience.end()
                await asyncio.Event().wait()
            sent.append(message["type"])

        answer_to(web, send)
        assert sent == ["http.response.start", "http.response.body"]
        # However long the answer is, each part of it has the full time.
        assert [seconds for seconds, _ in patience.limits] == [7.0, 7.0]
        stops = True
        answer_to(web, send)
        assert len(sent) == 2


def test_who_does_not_read_the_answers_keeps_no_place(tmp_path: Path, patience: Patience) -> None:
    with Web(tmp_path, replace(EASY, address_requests=1)) as web:
        answers: list[int] = []

        async def hear(message: Message) -> None:
            if message["type"] == "http.response.start":
                answers.append(message["status"])

        async def ignore(message: Message) -> None:
            # Somebody else at the same address asks while this answer is not read, and again later.
            unread = len(patience.limits)
            await web.app(request(), leave, hear)
            patience.limits[unread - 1][1].reschedule(0.0)
            await asyncio.Event().wait()

        async def ask_twice() -> None:
            await web.app(request(), leave, ignore)
            await web.app(request(), leave, hear)

        asyncio.run(ask_twice())
        assert answers == [503, 200]


def test_an_answer_that_was_given_up_ends_even_if_its_client_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minewright.web.server.guard.FAREWELL", 0.01)

    async def send(_: Message) -> None:
        raise OSError("nobody reads")

    with Web(tmp_path) as web:
        # It returns: the server closes the connection then.
        answer_to(web, send, stays=True)


def test_whoever_drops_the_cookie_is_counted_by_the_address(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, lab=tmp_path, newcomers=1e-6, newcomers_burst=2)
    with serving(settings) as address:
        assert [ask(address).status_code for _ in range(3)] == [200, 200, 429]
        # Nobody in front of this server is trusted.
        assert ask(address, **{"x-forwarded-for": "203.0.113.7"}).status_code == 429


def test_a_proxy_that_is_trusted_says_who_asks(tmp_path: Path) -> None:
    settings = Settings(
        data=tmp_path,
        lab=tmp_path,
        proxies=("127.0.0.1/32",),
        newcomers=1e-6,
        newcomers_burst=1,
        address_requests=2,
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
