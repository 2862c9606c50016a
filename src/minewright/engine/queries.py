"""Queries: lines of JSON that are checked before anything is done for them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from minewright.errors import MinewrightError
from minewright.inference import DEFAULT_BUDGET, Budget
from minewright.messages import quote, why_not_json

PROTOCOL: Final = 1
"""The version of the protocol: raised when an existing program could stop working."""
MAX_LINE: Final = 8_000_000
"""The most bytes of one line."""
MAX_POSITIONS: Final = 10_000
"""The most positions of one query."""
MAX_SECONDS: Final = 600.0
"""The most seconds that a query may ask for, per position or per thing that is made."""
MAX_ID: Final = 200

Code = Literal[
    "bad-json", "bad-query", "bad-position", "too-hard", "not-found", "cancelled", "internal"
]
Id = str | int
Choice = TypeVar("Choice", bound=str)
Number = TypeVar("Number", int, float)


class QueryError(MinewrightError, ValueError):
    """What is wrong with a query: a code for programs, a sentence for people, and the field."""

    def __init__(self, code: Code, message: str, field: str | None = None) -> None:
        super().__init__(code, message, field)
        self.code, self.message, self.field = code, message, field

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message

    def as_data(self) -> dict[str, str]:
        """Return the error as an answer shows it."""
        data = {"code": self.code, "message": self.message}
        return data if self.field is None else data | {"field": self.field}


@dataclass(frozen=True)
class Query:
    """One line: its id, its action, its priority, and its other fields."""

    id: Id
    action: str
    priority: int
    fields: Mapping[str, object]

    def __contains__(self, name: str) -> bool:
        return self.fields.get(name) is not None

    def allow(self, *names: str) -> None:
        """Raise QueryError for a field that this action does not have: it may be misspelt."""
        for name in self.fields:
            if name not in names:
                known = ", ".join(sorted(names)) or "none"
                raise QueryError(
                    "bad-query", f"{self.action} has no such field; known are {known}", name
                )

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text."""
        found = self.fields.get(name)
        if found is None and default is not None:
            return default
        if not isinstance(found, str):
            raise _expected(name, "a string", found)
        return found

    def flag(self, name: str) -> bool:
        """Return true or false, which is the default."""
        found = self.fields.get(name)
        if not isinstance(found, bool | None):
            raise _expected(name, "true or false", found)
        return bool(found)

    def number(self, name: str, least: Number, most: Number, default: Number) -> Number:
        """Return a number from `least` to `most`, a whole one if these are."""
        found = self.fields.get(name)
        if found is None:
            return default
        return _number(name, found, least, most)

    def choice(self, name: str, choices: tuple[Choice, ...], default: Choice) -> Choice:
        """Return one of the choices."""
        found = self.fields.get(name)
        if found is None:
            return default
        for choice in choices:
            if found == choice:
                return choice
        raise _expected(name, f"one of {', '.join(choices)}", found)

    def items(self, name: str, most: int) -> list[object]:
        """Return a list of at most `most` items."""
        found = self.fields.get(name)
        if not isinstance(found, list):
            raise _expected(name, "a list", found)
        if len(found) > most:
            raise QueryError("bad-query", f"at most {most:,} are allowed, not {len(found):,}", name)
        return found

    def budget(self, default: Budget = DEFAULT_BUDGET) -> Budget:
        """Return what one position, or one thing to make, may cost."""
        found = self.fields.get("budget")
        if found is None:
            return default
        if not isinstance(found, dict) or not found.keys() <= {"states", "seconds"}:
            raise _expected("budget", 'an object such as {"states": 1000000, "seconds": 2}', found)
        states, seconds = found.get("states"), found.get("seconds")
        return Budget(
            default.states
            if states is None
            else _number("budget.states", states, 1, default.states * 1000),
            default.seconds
            if seconds is None
            else _number("budget.seconds", seconds, 1e-3, MAX_SECONDS),
        )


def _number(name: str, found: object, least: Number, most: Number) -> Number:
    whole = isinstance(least, int)
    kind = "a whole number" if whole else "a number"
    if isinstance(found, bool) or not isinstance(found, int if whole else int | float):
        raise _expected(name, f"{kind} from {least:,} to {most:,}", found)
    if not least <= found <= most:
        raise _expected(name, f"{kind} from {least:,} to {most:,}", found)
    return type(least)(found)


def _expected(name: str, what: str, found: object) -> QueryError:
    try:
        shown = "none" if found is None else quote(json.dumps(found)[:80])
    except RecursionError:
        shown = "something nested too deeply"
    return QueryError("bad-query", f"expected {what}, found {shown}", name)


def _whole(digits: str) -> int:
    # Python needs quadratic time for long ones, and no field takes them.
    if len(digits) > 30:
        raise ValueError("a number of more than 30 digits")
    return int(digits)


_DECODER: Final = json.JSONDecoder(parse_int=_whole)


def read_query(line: bytes) -> Query | tuple[Id | None, QueryError]:
    """Return the query of a line, or the id, if it can be read, and what is wrong."""
    try:
        data = _DECODER.decode(line.decode())
    except (ValueError, RecursionError) as error:
        return None, QueryError("bad-json", f"this line is not JSON: {why_not_json(error)}")
    if not isinstance(data, dict):
        return None, QueryError("bad-query", "expected an object, such as a line of the form {…}")
    name = data.pop("id", None)
    if isinstance(name, bool) or not isinstance(name, str | int):
        return None, _expected("id", "a string or a whole number", name)
    if len(str(name)) > MAX_ID if isinstance(name, str) else abs(name) >= 2**53:
        wrong = f"an id has at most {MAX_ID} characters, or is a number below 2^53"
        return None, QueryError("bad-query", wrong, "id")
    action, priority = data.pop("action", None), data.pop("priority", 0)
    if not isinstance(action, str):
        return name, _expected("action", "the name of an action", action)
    try:
        return Query(name, action, _number("priority", priority, -(2**31), 2**31), data)
    except QueryError as error:
        return name, error
