"""Files of Bullets puzzles: JSON, or text with one puzzle below another."""

import json
import re
from collections.abc import Iterator

from minewright.bullets.puzzle import Puzzle, PuzzleError
from minewright.messages import why_not_json
from minewright.position import PositionError


def read_puzzles(text: str) -> list[Puzzle]:
    """Read puzzles from JSON, or from text in the form of `Puzzle.parse`, one below another.

    JSON may hold puzzles one after another, in a list, or as the `puzzles` of an object. Raise
    PositionError or PuzzleError, which says which puzzle is wrong.
    """
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:1] in ("{", "["):
        found = []
        for number, data in enumerate(_documents(text), 1):
            try:
                found.append(Puzzle.from_data(data))
            except PuzzleError as error:
                raise PuzzleError(f"puzzle {number}: {error}") from None
        if not found:
            raise PuzzleError("there is no puzzle in this file; give at least one")
        return found
    return [_parse(text, start, stop) for start, stop in _blocks(text)]


def _documents(text: str) -> Iterator[object]:
    """Yield JSON objects one after another: bare ones, those in a list, those in `puzzles`."""
    decoder = json.JSONDecoder()
    at = 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        try:
            data, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise PuzzleError(f"this is not JSON: {why_not_json(error)}") from None
        inside = data.get("puzzles", data) if isinstance(data, dict) else data
        yield from inside if isinstance(inside, list) else [data]


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each puzzle begins and ends; a line such as 7x7x15 begins one."""
    starts = [found.start() for found in re.finditer(r"^ *\d+[xX]", text, re.MULTILINE)]
    # Anything before the first such line is included, so that it is reported as a mistake.
    yield from zip([0, *starts[1:]], [*starts[1:], len(text)], strict=True)


def _parse(text: str, start: int, stop: int) -> Puzzle:
    """Read one puzzle of several. A mistake names its line in the whole text."""
    above = text[:start].count("\n")
    try:
        return Puzzle.parse(text[start:stop])
    except PositionError as error:
        line = None if error.line is None else error.line + above
        raise PositionError(error.problem, line, error.column, error.cell) from None
    except PuzzleError as error:
        raise PuzzleError(f"line {above + 1}: {error}") from None
