"""A pytest plugin that makes seeds of what the tests send to commands, servers and parsers.

    PYTHONPATH=fuzz python -m pytest -p harvest

The fuzzer changes inputs that it knows. What it would hardly come upon by chance, such as the body
of a rare request, some test has. Each call becomes a file in build/fuzz/TARGET, from which the next
sitting starts; `run.py --minimise` puts those that reach something new into the corpus.

The tests are only listened to: one that looks closely at its calls may fail, which means nothing.
"""

import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, ParamSpec, TypeVar

from fastapi import FastAPI
from starlette.types import Message, Receive, Scope, Send
from targets import TARGETS
from targets.commands import WRITES
from targets.server import BEGINS, HEADER, LINES, is_file

from minewright import cli, formats, noguess
from minewright.board import Board
from minewright.bullets import files
from minewright.engine import Engine
from minewright.lab.experiment import Experiment
from minewright.llm import answers, run
from minewright.position import Position
from minewright.rating import files as rating
from minewright.web.puzzles import codes

WORK = Path(__file__).resolve().parents[1] / "build" / "fuzz"
LONGEST = 4_096
"""Bytes of a seed: libFuzzer makes no longer ones of its own."""
OWN = {b"host", b"accept-encoding", b"connection", b"user-agent", b"content-length", b"cookie"}
"""Headers whose values depend on who sends them."""
USUAL = {
    (b"accept", b"*/*"),
    (b"content-type", b"application/json"),
    (b"content-type", b"application/octet-stream"),
}
"""What the target sends anyway."""

P = ParamSpec("P")
T = TypeVar("T")


kept: set[tuple[str, bytes]] = set()
"""Targets and their seeds. They are written at the end: tests let disks seem full."""


def keep(target: str, seed: bytes) -> None:
    """Keep a seed for a target."""
    if len(seed) <= LONGEST:
        kept.add((target, seed))


def pytest_unconfigure() -> None:
    """Write all seeds."""
    for target, seed in kept:
        place = WORK / target
        place.mkdir(parents=True, exist_ok=True)
        (place / sha256(seed).hexdigest()[:12]).write_bytes(seed)


def encoded(value: object) -> bytes:
    """Return the bytes of a text, whether it came as text, as bytes or as a file's path."""
    if isinstance(value, Path):
        return value.read_bytes() if value.is_file() else b""
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")


def watch(call: Callable[P, T], note: Callable[P, None]) -> Callable[P, T]:
    """Return the same call, noted before it is made."""

    @wraps(call)
    def watched(*args: P.args, **kwargs: P.kwargs) -> T:
        note(*args, **kwargs)
        return call(*args, **kwargs)

    return watched


def replace(call: Callable[P, T], note: Callable[P, None]) -> None:
    """Note every call of a function, under whatever name a module has imported it."""
    watched = watch(call, note)
    for name, module in list(sys.modules.items()):
        if name.startswith("minewright"):
            for key, value in list(vars(module).items()):
                if value is call:
                    setattr(module, key, watched)


def note_text(target: str, head: bytes = b"") -> Callable[..., None]:
    """Return what notes the first argument of a parser; some targets choose options by a head."""
    return lambda text, *_, **__: keep(target, head + encoded(text))


def note_command(arguments: Sequence[str] | None = None) -> None:
    """Note a command line; the file that it names, or its standard input, goes with it."""
    content, words = b"", []
    given = list(map(str, sys.argv[1:] if arguments is None else arguments))
    for before, word in pairwise(["", *given]):
        if "\n" in word or "\0" in word:
            return
        is_file = bool(word) and os.path.isfile(word)
        if is_file:
            content = Path(word).read_bytes()[:LONGEST]
        if before in WRITES:
            words.append("-" if word == "-" else "out")
        else:
            words.append("file" if is_file else word)
    if isinstance(sys.stdin, io.StringIO):
        content = content or sys.stdin.getvalue().encode(errors="replace")
    keep("command", "\n".join(words).encode(errors="surrogateescape") + b"\0" + content)


def note_engine(self: Engine, source: BinaryIO, target: BinaryIO) -> None:
    """Note the queries that an engine is about to read."""
    if isinstance(source, io.BytesIO):
        keep("engine", source.getvalue())


class Requests:
    """The requests that a test makes, cut into inputs that the target sends as a whole."""

    def __init__(self) -> None:
        self.test = ""
        self.begun: bytes | None = None
        """The request that began the latest game."""
        self.game = b"?"
        self.lines: list[bytes] = []

    def add(self, scope: Scope, body: bytes) -> bytes:
        """Add a request and return its line."""
        query = b"?" + scope["query_string"] if scope["query_string"] else b""
        path = scope.get("raw_path") or scope["path"].encode()
        address = (path + query).replace(self.game, b"{game}")
        if is_file(scope["path"]):
            body = body.replace(b"%", b"%25").replace(b"\n", b"%0A")
        line = b" ".join([scope["method"].encode(), address, body.replace(b"\n", b" ")])
        headers = [
            name + b": " + value
            for name, value in scope["headers"]
            if name not in OWN and (name, value) not in USUAL
        ]
        lines = [*filter(HEADER.fullmatch, headers), line]
        test = os.environ.get("PYTEST_CURRENT_TEST", "")
        if test != self.test or len(self.lines) + len(lines) > LINES:
            if test != self.test:
                self.test, self.begun = test, None
            self.lines = [self.begun] if self.begun else []
        self.lines += lines
        keep("server", b"\n".join(self.lines))
        return line


requests = Requests()
_serve = FastAPI.__call__


async def serve(app: FastAPI, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request, and note it once its body has arrived."""
    sent, answered = bytearray(), bytearray()

    async def hear() -> Message:
        message = await receive()
        sent.extend(message.get("body", b""))
        return message

    async def tell(message: Message) -> None:
        answered.extend(message.get("body", b""))
        await send(message)

    await _serve(app, scope, hear, tell)
    if scope["type"] == "http":
        line = requests.add(scope, bytes(sent))
        if scope["method"] == "POST" and scope["path"] in BEGINS:
            try:
                requests.game = json.loads(answered)["id"].encode()
                requests.begun = line
            except (ValueError, KeyError):
                pass


def pytest_configure() -> None:
    """Note all calls from here on: no test has been imported yet."""
    setattr(FastAPI, "__call__", serve)  # noqa: B010
    setattr(Engine, "__init__", watch(Engine.__init__, note_engine))  # noqa: B010
    replace(cli.main, note_command)
    for kind in formats.FORMATS:
        # Formats that are told apart only by a file's name share a target.
        target = kind.name if kind.name in TARGETS else "text"
        object.__setattr__(kind, "read", watch(kind.read, note_text(target)))
    for owner, name, target, head in (
        (Position, "parse", "position", b"\0"),
        (Board, "parse", "board", b""),
        (Experiment, "from_toml", "experiment", b""),
    ):
        setattr(owner, name, staticmethod(watch(getattr(owner, name), note_text(target, head))))
    replace(formats.read, note_text("any-format", b"\0\0"))
    for call, target in (
        (files.read_puzzles, "puzzles"),
        (codes.decode, "puzzle-code"),
        (answers.read_answer, "reply"),
        (run.read_log, "model-log"),
        (noguess.verify, "proof"),
        (rating.read_rateables, "rateables"),
    ):
        replace(call, note_text(target))
