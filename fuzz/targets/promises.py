"""What all targets share."""

import json
import re
from collections.abc import Callable
from typing import Any

Target = Callable[[bytes], None]

# A side of a board that takes long to lay out; sizes have tests of their own.
_LARGE = re.compile(r"\d{3,}\s*[xX]|[xX]\s*\d{3,}\s*[xX]")


def check_refusal(error: Exception) -> None:
    """Check that an error says something, in one line."""
    message = str(error)
    assert message, f"{type(error).__name__} says nothing"
    assert len(message.splitlines()) == 1, f"more than one line: {message!r}"


def read_json(text: str | bytes) -> Any:
    """Return what JSON says; unlike Python, other programs refuse NaN and Infinity."""
    return json.loads(text, parse_constant=_refuse)


def _refuse(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def names_a_large_board(text: str) -> bool:
    """Tell whether the text may name a board with a side of three digits or more."""
    return _LARGE.search(text) is not None
