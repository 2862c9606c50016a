"""Clients that break the rules of HTTP: they get nothing, and nobody else is harmed."""

import gzip
import json
import shutil
import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import httpx
import pytest
from patient import EASY
from processes import HANG
from web_client import heard, serving, started

from minewright.lab.experiment import Experiment
from minewright.lab.run import DEFINITION, Run

LIMIT: Final = HANG
"""Seconds after which a test has failed."""
HOST: Final = b"Host: 127.0.0.1\r\n"
META: Final = b"GET /api/meta HTTP/1.1\r\n" + HOST
LARGE: Final = b"GET /api/layout?shape=100x100 HTTP/1.1\r\n" + HOST
STREAM: Final = b"GET /api/lab/events HTTP/1.1\r\n" + HOST
POST: Final = b"POST /api/games HTTP/1.1\r\n" + HOST
CLOSE: Final = b"Connection: close\r\n\r\n"
GAME: Final = b'{"board": "9x9x10"}'
CHUNKED: Final = b"13\r\n" + GAME + b"\r\n0\r\n\r\n"
NEW_GAME: Final = (
    "POST /api/games HTTP/1.1",
    "Host: 127.0.0.1",
    "Content-Type: application/json",
)
GARBAGE: Final = b"\x16\x03\x01\x00\xa5 \x00\xff\r\n\r\n"

ATTACKS: Final = {
    "garbage": [GARBAGE],
    "garbage pipelined": [META + b"\r\n" + GARBAGE],
    "garbage after the last request": [META + CLOSE, GARBAGE],
    "garbage before the last answer": [LARGE + CLOSE, GARBAGE],
    "garbage into a stream": [STREAM + b"\r\n", b"", GARBAGE],
    "garbage into the last stream": [STREAM + CLOSE, b"", GARBAGE],
    "request after the last one": [META + CLOSE + META + b"\r\n"],
    "request after the last one, later": [META + CLOSE, META + b"\r\n", META + b"\r\n"],
    "half a head": [META + b"X: "],
    "half a body": [POST + b"Content-Length: 100\r\n\r\n{"],
    "chunk that is none": [POST + b"Transfer-Encoding: chunked\r\n\r\n", b"zz\r\n"],
    "chunk after the refusal": [
        POST + b"Origin: http://x.example\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"",
        b"zz\r\n",
    ],
    "body longer than it says": [POST + b"Content-Length: 2\r\n\r\n{}", b"", GARBAGE],
}
"""What each attack sends, piece by piece; an empty piece waits for the start of an answer."""


def connect(address: str) -> socket.socket:
    place = urlsplit(address)
    return socket.create_connection((place.hostname, place.port), LIMIT)


def reset(connection: socket.socket) -> None:
    """Close a connection as a crashed client does."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def attack(connection: socket.socket, pieces: list[bytes]) -> None:
    with suppress(ConnectionError):
        for piece in pieces:
            if piece:
                connection.sendall(piece)
            else:
                connection.recv(1)


def test_whoever_breaks_the_protocol_harms_nobody_and_fills_no_log(tmp_path: Path) -> None:
    with started(tmp_path) as (process, address):
        with httpx.Client(base_url=address, timeout=LIMIT) as other:
            for name, end in product(ATTACKS, ("close", "reset", "shut down")):
                with ExitStack() as connections:
                    for _ in range(3):
                        connection = connections.enter_context(connect(address))
                        attack(connection, ATTACKS[name])
                        if end == "reset":
                            reset(connection)
                        elif end == "shut down":
                            with suppress(OSError):
                                connection.shutdown(socket.SHUT_WR)
                    assert other.get("/api/meta").status_code == 200, (name, end)
        process.terminate()
        _, log = process.communicate(timeout=LIMIT)
    assert log == ""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = tmp_path_factory.mktemp("data")
    with serving(replace(EASY, data=data, lab=data / "lab")) as address:
        yield address


def say(address: str, *lines: str, body: bytes = b"") -> tuple[int, bytes]:
    """Send a handwritten request, the last of its connection; return status and body."""
    head = "\r\n".join((*lines, "Connection: close", "", "")).encode("latin-1")
    with connect(address) as connection:
        with suppress(ConnectionError):
            connection.sendall(head + body)
        answer, _, found = heard(connection).partition(b"\r\n\r\n")
    return int(answer.split()[1]), found


def test_a_request_written_by_hand_is_answered(address: str) -> None:
    # Otherwise all the refusals below would prove nothing.
    status, body = say(address, "GET /api/meta HTTP/1.1", "Host: 127.0.0.1")
    assert (status, b"topologies" in body) == (200, True)
    for more, body in (("Content-Length: 19", GAME), ("Transfer-Encoding: chunked", CHUNKED)):
        status, _ = say(address, *NEW_GAME, more, body=body)
        assert status == 201


@pytest.mark.parametrize(
    ("lines", "body"),
    [
        pytest.param(("Content-Length: 19", "Content-Length: 18"), GAME, id="two lengths"),
        pytest.param(("Content-Length: 19, 18",), GAME, id="two lengths in one line"),
        pytest.param(("Content-Length: +19",), GAME, id="a length with a sign"),
        pytest.param(("Content-Length: 0x13",), GAME, id="a length in hexadecimal"),
        pytest.param(("Content-Length: -1",), GAME, id="a negative length"),
        pytest.param(("Content-Length: ",), GAME, id="an empty length"),
        pytest.param(("Transfer-Encoding: chunked, gzip",), CHUNKED, id="two encodings"),
        pytest.param(("Transfer-Encoding: xchunked",), CHUNKED, id="an unknown encoding"),
        pytest.param(("Transfer-Encoding : chunked",), CHUNKED, id="a blank before the colon"),
        pytest.param(("X: 1", " Content-Length: 19"), GAME, id="a folded line"),
        pytest.param(("X: a\x00b", "Content-Length: 19"), GAME, id="a zero byte"),
        pytest.param(("X: a\rContent-Length: 19",), GAME, id="a bare carriage return"),
        pytest.param(("Host: 127.0.0.1",), b"", id="two hosts"),
        pytest.param(("Host: elsewhere.example",), b"", id="two different hosts"),
        pytest.param((f"X: {'a' * 100_000}",), b"", id="a huge header"),
        pytest.param(tuple(f"X-{n}: a" for n in range(20_000)), b"", id="too many headers"),
    ],
)
def test_a_head_with_two_meanings_makes_no_game(
    address: str, lines: tuple[str, ...], body: bytes
) -> None:
    status, _ = say(address, *NEW_GAME, *lines, body=body)
    assert status in (400, 413, 422, 431, 501)


@pytest.mark.parametrize("place", ["path", "query", "header"])
def test_a_head_longer_than_allowed_is_refused(address: str, place: str) -> None:
    long = "a" * 20_000
    path = {"path": f"/{long}", "query": f"/?{long}", "header": "/"}[place]
    more = f"X: {long}" if place == "header" else "X: 1"
    # In one piece, otherwise the server would refuse it before our guard does.
    status, _ = say(address, f"GET {path} HTTP/1.1", "Host: 127.0.0.1", more)
    assert status in (400, 431)


def test_a_body_smuggled_behind_another_is_no_request(address: str) -> None:
    # By its length, the body is all of this; by its chunks, it ends at once.
    hidden = b"0\r\n\r\nGET /api/meta HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    head = (
        f"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(hidden)}\r\n"
        "Transfer-Encoding: chunked\r\n\r\n"
    )
    with connect(address) as connection:
        connection.sendall(head.encode() + hidden)
        # It ends there, otherwise this would hear both answers.
        answers = heard(connection)
    assert answers.startswith(b"HTTP/1.1 400")
    assert answers.count(b"HTTP/1.1") == 1


def test_no_header_of_a_request_reaches_the_head_of_the_answer(address: str) -> None:
    for path in ("/api/meta%0d%0aX-Evil:%201", "/lab%0d%0aX-Evil:%201/", "/?board=%0d%0aX-Evil:1"):
        status, _ = say(address, f"GET {path} HTTP/1.1", "Host: 127.0.0.1")
        assert status in (200, 307, 404, 422)
        with httpx.Client(base_url=address, timeout=LIMIT) as client:
            assert "X-Evil" not in client.get(path).headers


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PUT", "PATCH", "DELETE", "BREW", "get"])
def test_a_method_that_an_address_does_not_know_is_refused(address: str, method: str) -> None:
    secret = "X-Secret: hunter2"
    status, found = say(address, f"{method} /api/meta HTTP/1.1", "Host: 127.0.0.1", secret)
    assert status in (400, 405)
    assert b"hunter2" not in found


@pytest.mark.parametrize(
    "target",
    [
        "http://elsewhere.example/api/me/export",
        "http://127.0.0.1/api/me/export",
        "//elsewhere.example/api/me/export",
        "//api/me/export",
        "/./api/me/export",
        "/api//me/export",
        "*",
    ],
)
def test_another_way_to_write_an_address_is_no_way_round_the_guard(
    address: str, target: str
) -> None:
    foreign = ("Host: 127.0.0.1", "Sec-Fetch-Site: cross-site")
    status, found = say(address, f"GET {target} HTTP/1.1", *foreign)
    assert status in (400, 403, 404)
    assert b"games" not in found


SECRET: Final = b"root of the matter"
PREFIXES: Final = ("/static/", "/api/lab/runs/", "/api/lab/runs/own/", "/", "/api/games/")
UP: Final = ("../", "%2e%2e/", "..%2f", "%2e%2e%2f", "%252e%252e%252f", "..\\", "..%5c", "....//")


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a lab with one run; above it and beside it are runs that nobody may see."""
    root = tmp_path_factory.mktemp("root")
    for name, directory in (("our own", "lab/own"), (SECRET.decode(), "secret")):
        experiment = Experiment.grid(name, strategies=["random"], boards=["5x5x3"], games=1, seed=1)
        Run.create(root / directory, experiment)
    shutil.copytree(root / "secret", root, dirs_exist_ok=True)
    with serving(replace(EASY, data=root / "data", lab=root / "lab")) as address:
        yield address


@pytest.mark.parametrize("up", UP)
@pytest.mark.parametrize("prefix", PREFIXES)
def test_no_path_leads_out_of_what_is_served(guarded: str, prefix: str, up: str) -> None:
    for depth in range(1, 9):
        climbed = prefix + up * depth
        bare = climbed.rstrip("/").removesuffix("%2f")
        ends = (
            DEFINITION,
            f"secret/{DEFINITION}",
            f"secret%2f{DEFINITION}",
            "secret",
            "etc/passwd",
        )
        for path in (bare, *(climbed + end for end in ends)):
            status, found = say(guarded, f"GET {path} HTTP/1.1", "Host: 127.0.0.1")
            assert status in (400, 404, 405, 422), path
            assert SECRET not in found
            assert b"root:" not in found


def test_the_paths_that_lead_out_would_have_shown_something(guarded: str) -> None:
    status, found = say(guarded, "GET /api/lab/runs/own HTTP/1.1", "Host: 127.0.0.1")
    assert status == 200
    assert b"our own" in found


def test_a_compressed_body_is_not_unpacked_where_json_is_expected(address: str) -> None:
    with httpx.Client(base_url=address, timeout=LIMIT) as client:
        packed = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        answer = client.post("/api/games", content=gzip.compress(GAME, mtime=0), headers=packed)
        assert answer.status_code in (400, 422)
        assert answer.json()["problem"] == "the request cannot be read as JSON"


@pytest.mark.parametrize("layers", [1, 2])
def test_a_file_that_swells_is_not_unpacked_to_its_end(address: str, layers: int) -> None:
    bomb = bytes(10_000_000)
    for _ in range(layers):
        bomb = gzip.compress(bomb, mtime=0)
    assert len(bomb) < EASY.max_body
    with httpx.Client(base_url=address, timeout=LIMIT) as client:
        answer = client.post(
            "/api/analyse/file", content=bomb, headers={"Content-Encoding": "gzip"}
        )
        assert answer.status_code == 422
        assert answer.json()["problem"]


def test_a_body_longer_than_allowed_is_refused_before_it_has_arrived(address: str) -> None:
    # The stated length counts, not what is sent; if none is stated, what is sent counts.
    for length in (EASY.max_body + 1, 10**19):
        more = f"Content-Length: {length}"
        status, found = say(address, "POST /api/games HTTP/1.1", "Host: 127.0.0.1", more)
        assert (status, "problem" in json.loads(found)) == (413, True)
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    lines = ("POST /api/games HTTP/1.1", "Host: 127.0.0.1", "Transfer-Encoding: chunked")
    status, _ = say(address, *lines, body=chunk * (EASY.max_body // 0x10000 + 1))
    assert status == 413


def test_a_request_abandoned_in_the_middle_changes_nothing(address: str) -> None:
    with httpx.Client(base_url=address, timeout=LIMIT) as client:
        game = client.post("/api/games", json={"board": "9x9x10"}).json()
        cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        move = b'{"kind": "open", "cell": 0}'
        head = (
            f"POST /api/games/{game['id']}/moves HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Cookie: {cookie}\r\nContent-Length: {len(move) + 1}\r\n\r\n"
        )
        with connect(address) as connection:
            connection.sendall(head.encode() + move)
            connection.shutdown(socket.SHUT_WR)
            heard(connection)
        assert client.get(f"/api/games/{game['id']}").json()["moves"] == 0
