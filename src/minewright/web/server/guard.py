"""The guard at the door: which requests may come in, how large, how often, and how many at once.

Another site's page can make a browser send requests here. A request that reads data or changes
something must therefore come from one of our own pages, and use one of our own names: a foreign
name that was made to point to this machine is refused (DNS rebinding).

The guard sees requests, not connections. Slow request heads and silent connections are for the
reverse proxy in front to handle: see docs/web.md.
"""

import asyncio
import json
import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from h11 import LocalProtocolError
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from minewright.errors import MinewrightError
from minewright.web.people.cookies import People
from minewright.web.server.addresses import house
from minewright.web.server.bounds import Asker, Shares
from minewright.web.server.ending import Ending
from minewright.web.server.rates import Rates
from minewright.web.server.settings import Settings

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # Where the API is described, for programs and for people.
    "Link": '</api/openapi.json>; rel="service-desc", </api>; rel="service-doc"',
}
READING: Final = ("GET", "HEAD")
MAX_HEAD: Final = 16_384
"""Bytes of the address and the headers of a request; a browser sends about 1,000."""
DISCARDED: Final = 1 << 20
"""Bytes of a refused request that are still read, and thrown away."""
LINGER: Final = 0.5
"""Seconds to wait for more of them."""
FULL_WAIT: Final = 5.0
"""Seconds after which a client that found no place may try again."""
FAREWELL: Final = 40.0
"""Seconds that a connection has to close by itself once its answer was given up."""

log = logging.getLogger("minewright.web")


class Refused(MinewrightError):
    """A request that goes no further."""

    def __init__(self, status: int, problem: str, wait: float = 0.0) -> None:
        super().__init__(problem)
        self.status = status
        self.problem = problem
        self.wait = wait


class Gone(MinewrightError):
    """The client has left, has broken the protocol, or does not read its answer."""


class Guard:
    """Middleware around the whole app: it refuses requests, sets limits, and adds our headers."""

    def __init__(self, app: ASGIApp, settings: Settings, people: People, ending: Ending) -> None:
        self.app = app
        self.ending = ending
        self.settings = settings
        self.people = people
        self._names = {"localhost", settings.host.lower(), *map(str.lower, settings.names)}
        self._rates = Rates(settings)
        # Only addresses count here: a person's requests are limited by their rate.
        self._places = Shares(settings.requests, settings.address_requests, settings.requests)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        answer = _Answer(send, self.settings.patience, unread=_has_body(headers))
        try:
            await self._answer(scope, headers, receive, answer)
        except Gone:
            await self._wait_for_the_end(receive)

    async def _answer(
        self, scope: Scope, headers: Headers, receive: Receive, answer: "_Answer"
    ) -> None:
        client = scope.get("client")
        address = house(client[0] if client else "?")
        try:
            _check_head(scope)
            self._check_origin(scope, headers)
            self._admit(scope, headers, address, answer)
            with self._place(address):
                receive = self.ending.watch(await self._body(headers, receive))
                answer.unread = False
                await self.app(scope, receive, answer)
                await answer.finish()
        except Refused as refused:
            if answer.unread:
                await self._discard(receive)
            await answer.refuse(refused)
        except Gone:
            raise
        except Exception:
            log.exception("%s %s", scope["method"], scope["path"])
            if answer.started:
                raise
            await answer.refuse(
                Refused(500, "something went wrong here; the server's log has more")
            )

    async def _wait_for_the_end(self, receive: Receive) -> None:
        """Wait until the connection is closed, since the server logs answers that end earlier.

        The system closes it soon, as nobody reads. If the client begins to read again, the server
        closes it when this returns, so that the client does not wait for the rest for ever.
        """
        hear = self.ending.watch(receive, read=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                while (await hear())["type"] != "http.disconnect":
                    pass

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        host = headers.get("host", "")
        if not self._is_ours(host):
            raise Refused(
                403,
                "this server does not answer to that name; "
                "open it by its address, or start it with --name",
            )
        page = not scope["path"].startswith("/api/")
        if page and scope["method"] in READING:
            # Links from elsewhere lead to our pages.
            return
        origin = headers.get("origin")
        foreign = origin is not None and _site(origin) != host.lower()
        if foreign or not _is_own(headers):
            raise Refused(403, "this request comes from another site's page; use Minewright's own")

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            if name in self._names:
                return True
            ip_address(name)
        except ValueError:
            return False
        return True

    @contextmanager
    def _place(self, address: str) -> Iterator[None]:
        """Hold one of the places for running requests."""
        asker = Asker(address, "")
        if not self._places.room(asker):
            raise Refused(503, "the server is busy; try again in a moment", FULL_WAIT)
        with self._places.hold(asker):
            yield

    def _admit(self, scope: Scope, headers: Headers, address: str, answer: "_Answer") -> None:
        """Recognise the person, or welcome a new one, and count the request."""
        path: str = scope["path"]
        if path.startswith("/static/"):
            _wait(self._rates.fetch(address))
            return
        person = self.people.recognise(_cookie(headers.getlist("cookie"), self.people.name))
        _wait(self._rates.ask(address, person))
        # Opening a page renews the cookie. A request from another site's page comes without our
        # cookie, and must not get a new one, which would replace the old.
        renew = person is None or not path.startswith("/api/")
        person = person or self.people.newcomer()
        if renew and (_is_own(headers) or headers.get("sec-fetch-dest") == "document"):
            answer.cookie = self.people.cookie(person, secure=scope["scheme"] == "https")
        scope.setdefault("state", {}).update(person=person, address=address)

    async def _body(self, headers: Headers, receive: Receive) -> Receive:
        """Read the whole body, which is small, before any work begins."""
        most = self.settings.max_body
        too_large = Refused(413, f"the request is too large: at most {most:,} bytes")
        length = headers.get("content-length", "0")
        if "content-length" in headers and "transfer-encoding" in headers:
            # A proxy that goes by the other one could see a second request in the body (smuggling).
            raise Refused(400, "the request has both a length and an encoding; send one of them")
        if not length.isdecimal() or int(length[:20]) > most:
            raise too_large
        if not _has_body(headers):
            return receive
        body = b""
        try:
            async with asyncio.timeout(self.settings.body_seconds):
                more = True
                while more:
                    message = await receive()
                    if message["type"] != "http.request":
                        raise Refused(400, "the request was cut off; send it again")
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
                    if len(body) > most:
                        raise too_large
        except TimeoutError:
            raise Refused(408, "the request took too long to arrive; send it again") from None
        whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return whole.pop() if whole else await receive()

        return replay

    async def _discard(self, receive: Receive) -> None:
        """Let a client that is refused send the rest of its body.

        A connection closed in the middle of that may take the answer with it. Caddy may also lose
        the answer to a request that it has not passed on completely (golang/go#40747).
        """
        left = DISCARDED
        with suppress(TimeoutError):
            async with asyncio.timeout(self.settings.body_seconds):
                while left > 0:
                    async with asyncio.timeout(LINGER):
                        message = await receive()
                    left -= len(message.get("body", b""))
                    if not message.get("more_body", False):
                        return


class _Answer:
    """Sends an answer with our headers; raises Gone if the client does not read it."""

    def __init__(self, send: Send, patience: float, *, unread: bool) -> None:
        self._transmit = send
        self._patience = patience
        self.unread = unread
        """Whether the request has a body that was not read."""
        self.cookie = ""
        self.started = False
        self._more = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
            if self.cookie:
                headers.append("Set-Cookie", self.cookie)
        self._more = message.get("more_body", False)
        await self._send(message)

    async def _send(self, message: Message) -> None:
        """Pass a message on; this waits until the client has read what was sent before."""
        try:
            async with asyncio.timeout(self._patience):
                await self._transmit(message)
        except (TimeoutError, OSError, LocalProtocolError) as error:
            # LocalProtocolError: the server refused what the client sent after its request.
            raise Gone from error

    async def finish(self) -> None:
        """Complete an answer that was cut off."""
        if self._more:
            await self._send({"type": "http.response.body", "body": b""})

    async def refuse(self, refused: Refused) -> None:
        """Answer with the reason for the refusal."""
        body = json.dumps({"problem": refused.problem}).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
        ]
        if refused.wait:
            headers.append((b"retry-after", str(int(refused.wait) + 1).encode()))
        if self.unread:
            # There may be more of the body than was read.
            headers.append((b"connection", b"close"))
        await self({"type": "http.response.start", "status": refused.status, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})


def _check_head(scope: Scope) -> None:
    size = len(scope["path"]) + len(scope["query_string"])
    if size + sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEAD:
        raise Refused(431, f"the headers of the request are too large: at most {MAX_HEAD:,} bytes")


def _wait(seconds: float) -> None:
    if seconds:
        raise Refused(429, f"too many requests; wait {max(seconds, 0.1):.1f} seconds", seconds)


def _is_own(headers: Headers) -> bool:
    """Return True if, by its own account, a request comes from one of our pages or from no page."""
    return headers.get("sec-fetch-site", "none") in ("same-origin", "none")


def _site(origin: str) -> str:
    """Return the host and port of an origin; an empty string if it has none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _has_body(headers: Headers) -> bool:
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


def _cookie(lines: Iterable[str], ours: str) -> str:
    """Find our cookie among those of other programs on this machine."""
    for line in lines:
        for part in line.split(";"):
            name, _, value = part.strip().partition("=")
            if name == ours:
                return value
    return ""
