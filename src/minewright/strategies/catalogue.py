"""Every strategy, guesser and first move by name, and players made from their names.

A strategy is written `name` or `name:option=value,option=value`, as in
`max-exists:engine=minisat,total=yes`. Where a value belongs to one option only, it is enough:
`champion:fast`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Final

from minewright.game import StartRule
from minewright.messages import quote
from minewright.strategies import registry
from minewright.strategies.registry import FirstMoveKind, GuesserKind, Kind, Option, Registered
from minewright.strategies.strategy import Deducer, FirstMove, Random, Strategy, StrategyError

FAMILIES: Final = (
    "minewright.strategies.guessing",
    "minewright.strategies.beginning",
    "minewright.strategies.baselines",
    "minewright.strategies.pseq",
    "minewright.strategies.champion",
    "minewright.strategies.oz.kinds",
    "minewright.strategies.minebot.kinds",
    "minewright.strategies.max_minesweeper",
    "minewright.strategies.final_report",
    "minewright.strategies.neural",
)
"""The modules that register something, in the order of the list; imported when first needed."""

_loaded: set[str] = set()


def strategies() -> dict[str, Kind]:
    """Return all strategies by name."""
    _load()
    return dict(registry.strategies)


def guessers() -> dict[str, GuesserKind]:
    """Return all guessers by name."""
    _load()
    return dict(registry.guessers)


def first_moves() -> dict[str, FirstMoveKind]:
    """Return all first moves by name."""
    _load()
    return dict(registry.first_moves)


def describe(written: str) -> Kind:
    """Return the registered strategy of this name, which options may follow.

    Raise StrategyError if there is none.
    """
    return _find(strategies(), "strategy", _name(written))


def title(written: str, known: Mapping[str, Registered]) -> str:
    """Return what people call something registered, with its options; an unknown name stays."""
    name, _, options = written.partition(":")
    if name not in known:
        return written
    called = known[name].title
    return f"{called} ({options.replace(',', ', ')})" if options else called


@dataclass(frozen=True, slots=True)
class Recipe:
    """A strategy with its options, guesser and first move: all that is needed to make players.

    Raise StrategyError for a name or an option that does not exist. A recipe can be sent to other
    processes; `player` makes a strategy for one game.
    """

    strategy: str
    guesser: str = ""
    """If empty, the strategy's own."""
    first: str = ""
    """If empty, the strategy's own."""
    start: StartRule = "safe"
    """The start rule, which a player knows before the first move."""

    def __post_init__(self) -> None:
        kind = describe(self.strategy)
        _options(self.strategy, kind.options, f"strategy {kind.name}")
        chosen = _find(guessers(), "guesser", _name(self.written_guesser))
        _options(self.guesser, chosen.options, f"guesser {chosen.name}")
        _find(first_moves(), "first move", self.begins)
        if kind.needs:
            self.deducer()  # raises if the chosen engine is not installed

    @property
    def kind(self) -> Kind:
        """What the registry says about the strategy."""
        return describe(self.strategy)

    @property
    def begins(self) -> str:
        """The name of the first move."""
        kind = self.kind
        own = kind.first_open if self.start == "open" and kind.first_open else kind.first
        return self.first or own

    @property
    def written_guesser(self) -> str:
        """The guesser that plays, which may be the strategy's own."""
        kind = self.kind
        # A guesser that belongs to its strategy has the same options.
        shared = self.strategy if kind.guesser == kind.name else kind.guesser
        return self.guesser or shared

    @property
    def native(self) -> str:
        """The kernel's player that plays the same game, if there is one."""
        kind = self.kind
        usual = self.guesser in ("", kind.guesser) and self.strategy == kind.name
        if kind.native and kind.guesser == kind.name and not self.guesser:
            chosen = _options(self.strategy, kind.options, kind.name)
            return ":".join((kind.native, *chosen.values())) if self.begins != "random" else ""
        # The kernel's players are told where to begin, once for many games.
        fixed = self.begins != "random"
        return kind.native if usual and fixed else ""

    def deducer(self) -> Deducer:
        """Return a deducer for one game."""
        kind = self.kind
        return kind.make(**_options(self.strategy, kind.options, kind.name))

    def first_move(self) -> FirstMove:
        """Return the first move."""
        return registry.first_moves[self.begins].make()

    def player(self, random: Random) -> Strategy:
        """Return a strategy that plays one game."""
        written = self.written_guesser
        chosen = registry.guessers[_name(written)]
        guesser = chosen.make(**_options(written, chosen.options, chosen.name))
        return Strategy(str(self), self.deducer(), guesser, self.first_move(), random)

    def __str__(self) -> str:
        return self.strategy


def _load() -> None:
    for family in FAMILIES:
        if family not in _loaded:
            import_module(family)
            _loaded.add(family)


def _find(known: Mapping[str, Registered], what: str, name: str) -> Registered:
    if name in known:
        return known[name]
    close = get_close_matches(name, known, 3, 0.6)
    hint = f"did you mean {_either(close)}?" if close else f"choose from {', '.join(known)}"
    raise StrategyError(f"there is no {what} {quote(name)}; {hint}")


def _either(words: Iterable[str]) -> str:
    return " or ".join(words)


def _name(written: str) -> str:
    return written.partition(":")[0]


def _options(written: str, known: Mapping[str, Option], owner: str) -> dict[str, str]:
    """Return the given options, with defaults for all others."""
    chosen = {key: option.default for key, option in known.items()}
    _, colon, text = written.partition(":")
    for part in text.split(",") if colon else ():
        key, equals, value = part.partition("=")
        bare = [name for name, option in known.items() if key in option.choices]
        if not equals and key not in known and len(bare) == 1:
            key, equals, value = bare[0], "=", key
        if key not in known:
            there = ", ".join(
                f"{name} ({_either(option.choices)})" if option.choices else name
                for name, option in known.items()
            )
            mend = f"its options are {there}" if known else "it has none"
            raise StrategyError(f"{owner} has no option {quote(key)}; {mend}")
        problem = known[key].problem(value) if equals else "a value, as in option=value"
        if problem:
            raise StrategyError(f"{owner}: option {key} is {problem}, not {quote(value)}")
        chosen[key] = value
    return chosen
