"""The reverse proxies in deploy/: what they keep away from the app, and what they let in."""

import os
import re
import select
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple, Protocol
from urllib.parse import urlsplit

import httpx
import pytest
from patient import EASY
from processes import HANG, wait_until
from web_client import heard, serving

ROOT: Final = Path(__file__).parent.parent
DEPLOY: Final = ROOT / "deploy"
FETCHED: Final = ROOT / "build" / "proxies"
"""Where scripts/proxies unpacks those that the machine does not have."""
SEARCHED: Final = os.pathsep.join(
    [os.environ.get("PATH", os.defpath), f"{FETCHED / 'usr/sbin'}", f"{FETCHED / 'usr/bin'}"]
)
LIMIT: Final = HANG
"""Seconds after which a test has failed."""
AT_ONCE: Final = 5
"""Requests at once per address that nginx allows in a test."""
IDLE: Final = 4 * AT_ONCE
"""Connections per address that ask nothing; together fewer than the files any process may open."""
NEWCOMERS: Final = AT_ONCE + 1
"""Requests without a cookie that the app allows one address in a test."""

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="needs more than one loopback address"
)


class Kind(Protocol):
    """How to configure one kind of proxy."""

    __name__: str

    def __call__(self, port: int, app: int, time: str, directory: Path) -> list[str | Path]:
        """Write its configuration; return how to start it."""


class Proxy(NamedTuple):
    """A running proxy."""

    name: str
    port: int

    def connect(self, source: str) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), LIMIT, (source, 0))

    def client(self, source: str) -> httpx.Client:
        transport = httpx.HTTPTransport(local_address=source)
        base = f"http://127.0.0.1:{self.port}"
        return httpx.Client(transport=transport, base_url=base, timeout=LIMIT)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


def rewrite(text: str, *changes: tuple[str, str]) -> str:
    """Return the text with all changes made; each must apply."""
    for old, new in changes:
        text, times = re.subn(old, new, text)
        assert times, old
    return text


def nginx(port: int, app: int, time: str, directory: Path) -> list[str | Path]:
    """Write the configuration with other ports and a client's time; return how to start nginx."""
    site = rewrite(
        (DEPLOY / "nginx.conf").read_text(encoding="utf-8"),
        (r"listen 80 ", f"listen 127.0.0.1:{port} "),
        (r"127\.0\.0\.1:8765", f"127.0.0.1:{app}"),
        (r"server_name mines\.example", "server_name _"),
        (r"limit_conn minewright 100", f"limit_conn minewright {AT_ONCE}"),
        (r"(client_header|client_body|send)_timeout 10s", rf"\1_timeout {time}"),
    )
    places = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    kept = "".join(f"{place}_temp_path '{directory / place}';" for place in places)
    # Started by root, nginx becomes nobody, who may not write into a test's directory.
    user = "user root;" if os.geteuid() == 0 else ""
    whole = directory / "nginx.conf"
    whole.write_text(
        f"{user} daemon off; pid '{directory / 'pid'}'; error_log stderr;"
        f"events {{}} http {{ access_log off; {kept}\n{site} }}"
    )
    return ["nginx", "-e", "stderr", "-p", directory, "-c", whole]


def caddy(port: int, app: int, time: str, directory: Path) -> list[str | Path]:
    """Write the configuration with other ports and a client's time; return how to start Caddy."""
    whole = directory / "Caddyfile"
    whole.write_text(
        rewrite(
            (DEPLOY / "Caddyfile").read_text(encoding="utf-8"),
            (r"(?m)^\{", "{\n\tadmin off"),
            (r"(?m)^mines\.example \{", f"http://127.0.0.1:{port} {{\n\tbind 127.0.0.1"),
            (r"127\.0\.0\.1:8765", f"127.0.0.1:{app}"),
            (r"read_header 10s", f"read_header {time}"),
            (r"grace_period 5s", "grace_period 100ms"),
        )
    )
    return ["caddy", "run", "--adapter", "caddyfile", "--config", whole]


def start(command: list[str | Path], log: Path) -> subprocess.Popen[bytes]:
    with log.open("w") as output:
        # Caddy keeps things in its home.
        home = {"HOME": str(log.parent), "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": ""}
        env = os.environ | home | {"PATH": SEARCHED}
        return subprocess.Popen(command, stdout=output, stderr=output, env=env)


def listens(process: subprocess.Popen[bytes], proxy: Proxy, log: Path) -> bool:
    """Wait until a proxy listens; return False if somebody else has taken its port."""
    servers: list[str] = []

    def answers() -> bool:
        with suppress(httpx.TransportError), proxy.client("127.0.0.9") as client:
            servers.append(client.get("/").headers["Server"].lower())
        return bool(servers) or process.poll() is not None

    assert wait_until(answers), log.read_text()
    if servers:
        return proxy.name in servers[0]
    said = log.read_text()
    assert "in use" in said.lower(), said
    return False


@contextmanager
def running(kind: Kind, app: int, time: str, directory: Path) -> Iterator[Proxy]:
    """Run a proxy until the end of the context, on a port that is free."""
    log = directory / "log"
    while True:
        # Between here and the proxy's start any connection may be given the same port.
        port = free_port()
        process = start(kind(port, app, time, directory), log)
        try:
            if listens(process, proxy := Proxy(kind.__name__, port), log):
                yield proxy
                return
        finally:
            process.terminate()
            process.wait()


@pytest.fixture(scope="module", params=[nginx, caddy], ids=["nginx", "caddy"])
def kind(request: pytest.FixtureRequest) -> Kind:
    kind: Kind = request.param
    if not shutil.which(kind.__name__, path=SEARCHED):
        pytest.skip(f"needs {kind.__name__}: `sh scripts/proxies` says how to get it")
    return kind


@pytest.fixture(scope="module")
def app(kind: Kind, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Serve the app for one kind of proxy; yield its port."""
    directory = tmp_path_factory.mktemp(kind.__name__)
    settings = replace(
        EASY,
        data=directory / "data",
        lab=directory,
        proxies=("127.0.0.1/32",),
        # Each test comes from an address of its own.
        newcomers=1e-6,
        newcomers_burst=NEWCOMERS,
    )
    with serving(settings) as address:
        port = urlsplit(address).port
        assert port
        yield port


@pytest.fixture(scope="module")
def proxy(kind: Kind, app: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """Run a proxy that waits for its clients, whatever else the machine has to do."""
    with running(kind, app, f"{LIMIT:g}s", tmp_path_factory.mktemp("patient")) as proxy:
        yield proxy


@pytest.fixture(scope="module")
def hasty(kind: Kind, app: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """Run a proxy that soon loses patience, perhaps before a client has said a word."""
    with running(kind, app, "200ms", tmp_path_factory.mktemp("hasty")) as proxy:
        yield proxy


def test_a_slow_head_is_cut_off(hasty: Proxy) -> None:
    with hasty.connect("127.0.0.10") as slow:
        with suppress(ConnectionError):
            slow.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        assert b" 200 " not in heard(slow)


def test_a_connection_that_asks_nothing_is_closed(hasty: Proxy) -> None:
    with hasty.connect("127.0.0.10") as silent:
        assert b" 200 " not in heard(silent)


def test_idle_connections_shut_nobody_out(proxy: Proxy) -> None:
    with ExitStack() as idle:
        for number in range(3 * IDLE):
            idle.enter_context(proxy.connect(f"127.0.0.{20 + number % 3}"))
        with proxy.client("127.0.0.20") as same, proxy.client("127.0.0.30") as other:
            assert same.get("/api/meta").status_code == 200
            assert other.get("/api/meta").status_code == 200


def test_a_live_stream_is_passed_on_at_once(proxy: Proxy) -> None:
    with (
        proxy.client("127.0.0.31") as client,
        client.stream("GET", "/api/lab/events") as stream,
    ):
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        assert next(stream.iter_lines()).startswith("data: ")


def test_everybody_is_counted_by_their_own_address(proxy: Proxy) -> None:
    def ask(source: str, **headers: str) -> int:
        with proxy.client(source) as client:
            return client.get("/api/meta", headers=headers).status_code

    assert [ask("127.0.0.32") for _ in range(NEWCOMERS + 1)] == [200] * NEWCOMERS + [429]
    assert ask("127.0.0.33") == 200
    # Nor does it help to pretend to be somebody else.
    assert ask("127.0.0.32", **{"X-Forwarded-For": "203.0.113.7"}) == 429


def test_our_own_page_may_play_and_a_foreign_one_may_not(proxy: Proxy) -> None:
    with proxy.client("127.0.0.34") as client:
        for origin, status in ((client.base_url, 201), ("https://elsewhere.example", 403)):
            sent = {"Origin": str(origin).rstrip("/")}
            made = client.post("/api/games", json={"board": "9x9x10"}, headers=sent)
            assert made.status_code == status


def test_a_body_too_large_is_refused_in_our_words(proxy: Proxy) -> None:
    with proxy.client("127.0.0.35") as client:
        refused = client.post("/api/games", content=b" " * (EASY.max_body + 1))
        assert refused.status_code == 413
        assert "too large" in refused.json()["problem"]


def test_nginx_bounds_the_requests_of_one_address(proxy: Proxy) -> None:
    if proxy.name != "nginx":
        pytest.skip("Caddy does not count connections")
    ask = b"GET /api/lab/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with ExitStack() as streams, proxy.client("127.0.0.37") as other:
        found = []
        for _ in range(AT_ONCE + 1):
            stream = streams.enter_context(proxy.connect("127.0.0.36"))
            stream.sendall(ask)
            found.append(stream.recv(12)[-3:])
        assert found == [b"200"] * AT_ONCE + [b"503"]
        assert other.get("/api/meta").status_code == 200


def test_nginx_hangs_up_on_who_does_not_read(hasty: Proxy) -> None:
    if hasty.name != "nginx":
        pytest.skip("Caddy has one time limit for the whole answer")
    with hasty.connect("127.0.0.38") as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        with suppress(ConnectionError):
            deaf.sendall(b"GET /api/layout?shape=100x100 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 50)
        gone = select.poll()
        gone.register(deaf, 0)
        assert gone.poll(LIMIT * 1_000)
