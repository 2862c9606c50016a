"""The guard at the door: who may come in, how much they may bring, and how often.

A page of some other site can make a browser send requests here. What asks or changes something
therefore has to come from a page of ours, and the name the browser knows us by has to be one of
ours (a foreign name that was made to point at this machine is refused: DNS rebinding).
"""

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Iterable
from ipaddress import ip_address
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from minewright.web.people import People
from minewright.web.settings import Settings

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
}
READING: Final = frozenset(("GET", "HEAD"))
BODY_SECONDS: Final = 20.0
"""How long a client may take to send the body of a request."""

log = logging.getLogger("minewright.web")


class Buckets:
    """Token buckets, one a key: each fills at a rate up to a burst, and a request takes one."""

    def __init__(self, rate: float, burst: int, most: int = 20_000) -> None:
        self._rate, self._burst, self._most = rate, burst, most
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> float:
        """Take a token; gives 0, or in how many seconds there will be one."""
        now = monotonic()
        level, at = self._levels.pop(key, (float(self._burst), now))
        level = min(float(self._burst), level + (now - at) * self._rate)
        wait = 0.0 if level >= 1 else (1 - level) / self._rate
        self._levels[key] = (level if wait else level - 1, now)
        # The least recent ones are full again, or will hardly be missed.
        while len(self._levels) > self._most:
            self._levels.popitem(last=False)
        return wait


class Refused(Exception):  # noqa: N818 - what happens, not what went wrong
    """A request that goes no further."""

    def __init__(self, status: int, problem: str, wait: float = 0.0) -> None:
        super().__init__(problem)
        self.status = status
        self.problem = problem
        self.wait = wait


class Ending:
    """Tells answers that would go on for ever that the server is about to end."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def begin(self) -> None:
        """Let them end."""
        for told in self._waiting:
            if not told.done():
                told.set_result(None)

    def watch(self, receive: Receive) -> Receive:
        """Make a client seem to leave when the server is about to end."""

        async def hear() -> Message:
            told = asyncio.get_running_loop().create_future()
            heard = asyncio.ensure_future(receive())
            self._waiting.add(told)
            try:
                await asyncio.wait((heard, told), return_when=asyncio.FIRST_COMPLETED)
                return heard.result() if heard.done() else {"type": "http.disconnect"}
            finally:
                self._waiting.discard(told)
                heard.cancel()

        return hear


class Guard:
    """Middleware around the whole app: it refuses, bounds, and puts the headers on."""

    def __init__(self, app: ASGIApp, settings: Settings, people: People, ending: Ending) -> None:
        self.app = app
        self.ending = ending
        self.settings = settings
        self.people = people
        self._names = {"localhost", settings.host.lower(), *map(str.lower, settings.names)}
        self._rates = Buckets(settings.rate, settings.burst)
        self._newcomers = Buckets(settings.newcomers, settings.newcomers_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        answer = _Answer(send, scope["type"])
        try:
            self._check_origin(scope, headers)
            if scope["type"] == "http":
                self._admit(scope, headers, answer)
                receive = self.ending.watch(await self._body(headers, receive))
            await self.app(scope, receive, answer)
            await answer.finish()
        except Refused as refused:
            await answer.refuse(refused)
        except Exception:
            log.exception("%s %s", scope.get("method", "WebSocket"), scope["path"])
            if answer.started:
                raise
            await answer.refuse(Refused(500, "something went wrong here; the server's log has it"))

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        host = headers.get("host", "")
        if not self._is_ours(host):
            raise Refused(
                403,
                "this server is not known by that name; "
                "open it by its address, or start it with --name",
            )
        page = not scope["path"].startswith("/api/")
        if page and scope["type"] == "http" and scope["method"] in READING:
            # Links from elsewhere lead to our pages.
            return
        origin = headers.get("origin")
        foreign = origin is not None and _place(origin) != host.lower()
        if foreign or headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            raise Refused(403, "this request comes from another site's page; use our own")

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            if name in self._names:
                return True
            ip_address(name)
        except ValueError:
            return False
        return True

    def _admit(self, scope: Scope, headers: Headers, answer: "_Answer") -> None:
        """Find out who it is, or welcome somebody new, and count the request."""
        path: str = scope["path"]
        if path.startswith("/static/"):
            return
        client = scope.get("client")
        address = client[0] if client else "?"
        person = self.people.recognise(_cookie(headers.getlist("cookie"), self.people.name))
        if person is None:
            wait = self._newcomers.take(address)
            person, new = self.people.newcomer(), True
        elif path.startswith("/api/"):
            wait, new = self._rates.take(person), False
        else:
            # Whoever opens a page stays as long again.
            wait, new = 0.0, True
        if wait:
            raise Refused(429, f"too many requests; wait {wait:.1f} seconds", wait)
        if new:
            answer.cookie = self.people.cookie(person, secure=scope["scheme"] == "https")
        scope.setdefault("state", {})["person"] = person

    async def _body(self, headers: Headers, receive: Receive) -> Receive:
        """Read the whole body, which is small, before anybody works on it."""
        most = self.settings.max_body
        too_large = Refused(413, f"the request is too large: at most {most:,} bytes")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > most:
            raise too_large
        if length == "0" and "transfer-encoding" not in headers:
            return receive
        body = b""
        try:
            async with asyncio.timeout(BODY_SECONDS):
                more = True
                while more:
                    message = await receive()
                    if message["type"] != "http.request":
                        break
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


class _Answer:
    """Sends an answer with our headers on it."""

    def __init__(self, send: Send, kind: str) -> None:
        self._send = send
        self._kind = kind
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

    async def finish(self) -> None:
        """End an answer that was broken off."""
        if self._more:
            await self._send({"type": "http.response.body", "body": b""})

    async def refuse(self, refused: Refused) -> None:
        """Answer with the problem."""
        if self._kind == "websocket":
            await self._send({"type": "websocket.close", "code": 1008, "reason": str(refused)})
            return
        body = json.dumps({"problem": refused.problem}).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
        ]
        if refused.wait:
            headers.append((b"retry-after", str(int(refused.wait) + 1).encode()))
        if refused.status in (408, 413):
            headers.append((b"connection", b"close"))
        await self({"type": "http.response.start", "status": refused.status, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})


def _place(origin: str) -> str:
    """Give host and port of an origin; nothing where it is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _cookie(lines: Iterable[str], ours: str) -> str:
    """Find our cookie among those of other programs on this machine."""
    for line in lines:
        for part in line.split(";"):
            name, _, value = part.strip().partition("=")
            if name == ours:
                return value
    return ""
