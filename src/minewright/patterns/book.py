"""The pattern book as data: read from the file that comes with the package, or from another."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from importlib.resources import files
from json import dumps, loads
from typing import Final, TypedDict

from minewright.messages import counted
from minewright.patterns.form import FORCED, SATISFIED, Form

BASICS: Final = {SATISFIED: "all mines found", FORCED: "all cells needed"}
"""What the two steps with a single clue are called."""


class _PatternData(TypedDict):
    text: str
    names: dict[str, int]
    steps: int
    games: int
    safe: int
    mined: int
    opened: int


class _BookData(TypedDict):
    boards: list[str]
    games: int
    seed: int
    steps: int
    forms: int
    patterns: list[_PatternData]


@dataclass(frozen=True)
class Pattern:
    """A form, how often it was met, and what came of it."""

    text: str
    names: Mapping[str, int]
    """What players call such steps, and how often each name fitted."""
    steps: int
    games: int
    """In how many games it was met at least once."""
    safe: int
    mined: int
    opened: int
    """Cells that its safe cells opened, including those that zeros opened."""

    @cached_property
    def form(self) -> Form:
        """The form as a little position."""
        return Form(self.text)

    @property
    def name(self) -> str:
        """Its most common name, or what sets it apart."""
        common = max(sorted(self.names), key=self.names.__getitem__, default="")
        return BASICS.get(self.text) or common or counted(self.form.clues, "clue")


@dataclass(frozen=True)
class Book:
    """The most frequent patterns of a sample of games."""

    boards: tuple[str, ...]
    games: int
    seed: int
    steps: int
    """All steps of these games that need no mine total."""
    forms: int
    """All forms that these steps have."""
    patterns: tuple[Pattern, ...]

    def json(self) -> str:
        """Return the book as JSON, a line per pattern."""
        head = asdict(self)
        del head["patterns"]
        lines = ",\n".join(f"  {dumps(asdict(pattern))}" for pattern in self.patterns)
        return f'{dumps(head)[:-1]}, "patterns": [\n{lines}\n]}}\n'

    @classmethod
    def read(cls, text: str) -> "Book":
        """Read a book that `json` wrote."""
        data: _BookData = loads(text)
        return cls(
            boards=tuple(data["boards"]),
            games=data["games"],
            seed=data["seed"],
            steps=data["steps"],
            forms=data["forms"],
            patterns=tuple(Pattern(**one) for one in data["patterns"]),
        )


@cache
def book() -> Book:
    """Return the book that comes with the package."""
    return Book.read(files("minewright.patterns").joinpath("book.json").read_text("utf-8"))
