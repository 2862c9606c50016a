"""What other programs send: queries to the engine, replies of models and their logs, proofs."""

import io
import json
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import jsonschema_rs

from minewright.engine import Engine
from minewright.formats import FormatError
from minewright.llm.answers import Answer, read_answer
from minewright.llm.errors import ModelLogError
from minewright.llm.run import read_log
from minewright.noguess import ProofError, verify
from minewright.position import COVERED, Position
from minewright.rating.files import read_rateables
from targets.promises import Target, check_refusal, names_a_large_board, read_json

SCHEMA = json.loads(files("minewright.engine").joinpath("schema.json").read_text("utf-8"))
ANSWER = jsonschema_rs.validator_for({**SCHEMA, "anyOf": [{"$ref": "#/$defs/answer"}]})
SEEN = Position.parse("4x4x3\n1###\n12##\n01##\n01##")
LINES = 4
"""Of one input; more would only take longer."""
SLOW = ("make", "best")
"""Actions that may take long, and so may any with a budget of its own."""
BUDGET = {"states": 20_000, "seconds": 0.2}
MOST = {"count": 2, "size": 6, "bullets": 9, "iterations": 4, "samples": 2}


def engine(data: bytes) -> None:
    """Send some lines to the engine: each with text has one answer, as its schema says.

    The engine goes on after a fault of its own, and calls it an internal error.
    """
    if names_a_large_board(data.decode(errors="replace")):
        return
    lines = [_bounded(line) for line in data.split(b"\n")[:LINES] if line.strip()]
    answers = io.BytesIO()
    Engine(io.BytesIO(b"".join(line + b"\n" for line in lines)), answers).run()
    told = [read_json(line) for line in answers.getvalue().splitlines()]
    assert sum("progress" not in one for one in told) == len(lines), f"{len(lines)} lines: {told}"
    for one in told:
        ANSWER.validate(one)
        if "error" in one:
            assert one["error"]["message"], "an error that says nothing"
            assert one["error"]["code"] != "internal", one["error"]["message"]


def _bounded(line: bytes) -> bytes:
    """Return a query that takes no time: this one, or with less work where it asks for much."""
    try:
        query = json.loads(line)
    except (ValueError, RecursionError):
        return line
    if not isinstance(query, dict) or (
        query.get("action") not in SLOW and not isinstance(query.get("budget"), dict)
    ):
        return line
    budget = query.setdefault("budget", {})
    if isinstance(budget, dict):
        for name, most in BUDGET.items():
            budget[name] = _at_most(budget.get(name, most), most)
    for name, most in MOST.items():
        if name in query:
            query[name] = _at_most(query[name], most)
    if query.get("action") == "make":
        if query.get("kind") == "bullets":
            query.setdefault("iterations", 0)
        else:
            query.setdefault("board", "5x5x4")
    try:
        return json.dumps(query).encode()
    except RecursionError:
        return b"{}"


def _at_most(value: object, most: float) -> object:
    return min(value, most) if isinstance(value, int | float) else value


def reply(data: bytes) -> None:
    """Read a model's reply: it names a covered cell, or is refused in one line."""
    found = read_answer(data.decode(errors="replace"), SEEN)
    if isinstance(found, Answer):
        assert SEEN[found.cell] == COVERED
        assert found.chance is None or 0 <= found.chance <= 1
    else:
        assert len(found.splitlines()) == 1, f"not one line: {found!r}"


def model_log(data: bytes) -> None:
    """Read the log of a model's games."""
    if names_a_large_board(data.decode(errors="replace")):
        return
    with TemporaryDirectory() as made:
        log = Path(made, "log")
        log.write_bytes(data)
        try:
            _, replies = read_log(log)
            list(replies)
        except ModelLogError as error:
            check_refusal(error)


def proof(data: bytes) -> None:
    """Check a proof that a board needs no guess."""
    try:
        assert verify(data.decode(errors="replace")) >= 0
    except ProofError as error:
        check_refusal(error)


def rateables(data: bytes) -> None:
    """Read a file with something to rate."""
    if names_a_large_board(data.decode(errors="replace")):
        return
    try:
        assert isinstance(read_rateables(data), list)
    except FormatError as error:
        check_refusal(error)


TARGETS: dict[str, Target] = {
    "engine": engine,
    "reply": reply,
    "model-log": model_log,
    "proof": proof,
    "rateables": rateables,
}
