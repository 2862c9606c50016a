"""Reading what a model says: the last JSON object of its reply, or what is wrong with it."""

import json
from dataclasses import dataclass
from typing import Final

from minewright.position import COVERED, MAX_NUMBER, Position
from minewright.topology import TopologyError

MOST_CHARACTERS: Final = 200_000
"""How much of a reply is read, from its end."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A cell to open, the stated chance of a mine there, and the stated reason."""

    cell: int
    chance: float | None
    clues: tuple[int, ...]
    total: bool

    @property
    def stated_certain(self) -> bool:
        """Whether the model says that there is certainly no mine."""
        return self.chance == 0


def read_answer(reply: str, position: Position) -> Answer | str:
    """Return the answer, or what is wrong with it in a few words for the model."""
    found = _last_object(reply[-MOST_CHARACTERS:])
    if found is None:
        return "it has no JSON object with the key 'open'"
    cell = _cell(found.get("open"), position)
    if isinstance(cell, str):
        return f"'open' {cell}"
    if position[cell] != COVERED:
        return f"'open' names {position.topology.describe(cell)}, which is open already"
    because = found.get("because", [])
    clues = [_cell(each, position) for each in because] if isinstance(because, list) else [""]
    numbers = [clue for clue in clues if isinstance(clue, int) and position[clue] <= MAX_NUMBER]
    # A reason that names a cell without a number is no reason, but the move stands.
    named = tuple(numbers) if len(numbers) == len(clues) else ()
    return Answer(cell, _chance(found.get("mine_chance")), named, found.get("total") is True)


def _last_object(reply: str) -> dict[str, object] | None:
    decoder = json.JSONDecoder()
    at = reply.rfind("{")
    while at >= 0:
        try:
            found, _ = decoder.raw_decode(reply, at)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict) and "open" in found:
            return found
        at = reply.rfind("{", 0, at)
    return None


def _cell(given: object, position: Position) -> int | str:
    """Return the cell at (row, column), counted from 1, or what is wrong."""
    if not (isinstance(given, list) and len(given) == 2):
        return "is not [ROW, COLUMN]"
    row, column = given
    if not (type(row) is int and type(column) is int):
        return "is not [ROW, COLUMN] in whole numbers"
    try:
        return position.topology.cell(row - 1, column - 1)
    except TopologyError:
        return f"names row {row}, column {column}, which is not on the board"


def _chance(given: object) -> float | None:
    if isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given <= 1:
        return float(given)
    return None
