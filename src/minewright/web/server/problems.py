"""Error messages: always one line."""

import errno
import sqlite3
from collections.abc import Sequence
from typing import Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException

from minewright.board import BoardError
from minewright.game import GameError
from minewright.inference import BudgetExceeded
from minewright.position import PositionError
from minewright.strategies import StrategyError
from minewright.topology import TopologyError
from minewright.web.people.database import StoreFull
from minewright.web.server.bounds import in_short
from minewright.web.server.pages import MISSING

NO_ROOM: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
PLAIN: Final = {
    "Not Found": "there is nothing at this address",
    "Method Not Allowed": "this address does not take requests of that kind",
    "There was an error parsing the body": "the request cannot be read as JSON",
}
"""The framework's own messages, in our words."""
EXPECTED: Final = {
    "missing": "this is missing",
    "extra_forbidden": "there is no field of this name",
    "string_too_long": "at most {max_length:,} characters are allowed",
    "string_pattern_mismatch": "this is not in the right form",
    "too_long": "at most {max_length:,} are allowed",
    "too_short": "at least {min_length:,} are needed",
    "greater_than_equal": "expected {ge:,} or more",
    "greater_than": "expected more than {gt:,}",
    "less_than_equal": "expected {le:,} or less",
    "less_than": "expected less than {lt:,}",
    "literal_error": "expected {expected}",
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), "expected a whole number"),
    **dict.fromkeys(("float_type", "float_parsing", "finite_number"), "expected a number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "expected true or false"),
    **dict.fromkeys(("model_type", "model_attributes_type", "dict_type"), "expected an object"),
    **dict.fromkeys(
        ("date_type", "date_parsing", "date_from_datetime_parsing", "date_from_datetime_inexact"),
        "expected a date such as 2026-01-31",
    ),
    **dict.fromkeys(("string_type", "string_unicode"), "expected text"),
    "list_type": "expected a list",
}
"""What is wrong with one field of a request, by the framework's name for it."""


def add(app: FastAPI) -> None:
    """Answer every error with one line."""

    def say(status: int, error: object) -> JSONResponse:
        return JSONResponse({"problem": " ".join(str(error).split())}, status)

    @app.exception_handler(RequestValidationError)
    def unreadable(_: Request, error: RequestValidationError) -> JSONResponse:
        return say(422, _in_words(error.errors()))

    @app.exception_handler(HTTPException)
    def refused(request: Request, error: HTTPException) -> Response:
        # Programs accept anything; a browser that opens a page asks for HTML.
        page = not request.url.path.startswith("/api/")
        if page and error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
            return HTMLResponse(MISSING, 404)
        answer = say(error.status_code, PLAIN.get(error.detail, error.detail))
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(GameError)
    def against_the_rules(_: Request, error: GameError) -> JSONResponse:
        return say(409, error)

    @app.exception_handler(PositionError)
    def no_position(_: Request, error: PositionError) -> JSONResponse:
        where = {"line": error.line, "column": error.column}
        return JSONResponse({"problem": error.problem, **where}, 422)

    def impossible(_: Request, error: Exception) -> JSONResponse:
        return say(422, error)

    for kind in (BoardError, TopologyError, StrategyError):
        app.add_exception_handler(kind, impossible)

    @app.exception_handler(BudgetExceeded)
    def too_hard(_: Request, error: BudgetExceeded) -> JSONResponse:
        return JSONResponse({"problem": in_short(error), "too_hard": True}, 422)

    @app.exception_handler(LookupError)
    def gone(_: Request, error: LookupError) -> JSONResponse:
        return say(404, "this no longer exists")

    @app.exception_handler(StoreFull)
    def full(_: Request, error: StoreFull) -> JSONResponse:
        return say(503, error)

    @app.exception_handler(sqlite3.Error)
    def not_kept(_: Request, error: sqlite3.Error) -> JSONResponse:
        return say(503, f"this could not be saved ({error}); check the free disk space")

    @app.exception_handler(OSError)
    def no_room(_: Request, error: OSError) -> JSONResponse:
        if error.errno not in NO_ROOM:
            raise error
        return say(503, f"this could not be saved ({error.strerror}); check the free disk space")


def _in_words(errors: Sequence[ErrorDetails]) -> str:
    """Return what is wrong with a request: the first error, and how many more there are."""
    first = errors[0]
    if first["type"] == "json_invalid":
        # The whole body is wrong; nobody wants to know at which byte.
        return PLAIN["There was an error parsing the body"]
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"{where or 'the request'}: {_expected(first)}{more}"


def _expected(error: ErrorDetails) -> str:
    """Return what is wrong with one field; rare errors keep the framework's words."""
    words = EXPECTED.get(error["type"])
    if words is None:
        return error["msg"].removeprefix("Value error, ")
    return words.format_map(error.get("ctx", {}))
