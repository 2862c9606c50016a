"""Registering strategies, guessers and first moves: what each family says about its own.

This module knows only what has been registered so far; `catalogue` knows all families.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeVar

from minewright.messages import quote, read_number
from minewright.strategies.strategy import Deducer, FirstMove, Guesser, StrategyError

MOST: Final = 1_000_000_000

Completeness = Literal["no", "numbers", "yes"]
"""Which certain cells are found: not all, all that follow from the numbers alone, or all.

If a search has a budget, this holds within it; beyond it, a turn says that it gave up.
"""


@dataclass(frozen=True, slots=True)
class Option:
    """An option: one of the choices (or `many` of them, joined by +), or an integer."""

    default: str
    choices: tuple[str, ...] = ()
    summary: str = ""
    many: bool = False

    def problem(self, value: str) -> str | None:
        """Return what would be a valid value, or None if this one is."""
        if not self.choices:
            number = read_number(value)
            fits = number is not None and 1 <= number <= MOST
            return None if fits else f"a whole number from 1 to {MOST:,}"
        words = value.split("+") if self.many else [value]
        if set(words) <= set(self.choices):
            return None
        return (" and ".join if self.many else " or ".join)(self.choices)


@dataclass(frozen=True, slots=True)
class Kind:
    """A strategy in the registry: where it was published, and what to expect of it."""

    name: str
    origin: str
    summary: str
    make: Callable[..., Deducer]
    sound: bool = True
    """Whether what it calls safe or mined always is."""
    complete: Completeness = "no"
    guesser: str = "random"
    first: str = "random"
    first_open: str = ""
    """The first move under the start rule `open`, if a different one is better there."""
    options: Mapping[str, Option] = field(default_factory=dict)
    native: str = ""
    """The kernel's player that plays the same game, move for move."""
    needs: tuple[str, ...] = ()
    """Modules of the extra `sat` that it uses by default: slower engines from other projects."""
    title: str = ""
    """What people call it; if empty, its name as words."""


@dataclass(frozen=True, slots=True)
class GuesserKind:
    """A guesser in the registry."""

    name: str
    origin: str
    summary: str
    make: Callable[..., Guesser]
    options: Mapping[str, Option] = field(default_factory=dict)
    title: str = ""
    """What people call it; if empty, its name as words."""


@dataclass(frozen=True, slots=True)
class FirstMoveKind:
    """A first move in the registry."""

    name: str
    summary: str
    make: Callable[[], FirstMove]
    title: str = ""
    """What people call it; if empty, its name as words."""


strategies: Final[dict[str, Kind]] = {}
guessers: Final[dict[str, GuesserKind]] = {}
first_moves: Final[dict[str, FirstMoveKind]] = {}

Registered = TypeVar("Registered", Kind, GuesserKind, FirstMoveKind)


def register(new: Kind | GuesserKind | FirstMoveKind) -> None:
    """Register a strategy, a guesser or a first move. Raise StrategyError if the name is taken."""
    if isinstance(new, Kind):
        _add(strategies, "strategy", new)
    elif isinstance(new, GuesserKind):
        _add(guessers, "guesser", new)
    else:
        _add(first_moves, "first move", new)


def _add(known: dict[str, Registered], what: str, new: Registered) -> None:
    if new.name in known:
        raise StrategyError(f"there is already a {what} {quote(new.name)}; choose another name")
    words = new.name.replace("-", " ").capitalize()
    known[new.name] = replace(new, title=new.title or words)
