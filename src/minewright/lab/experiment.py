"""An experiment: who plays what, how often, from which seed. It is data, and it is complete.

Reading an experiment runs nothing. It may name strategies that are unknown here because they came
from a Python file; it can still be shown. `Experiment.check` tells whether it can be played.

All arms play the same games: game `n` of a board has the same minefield for everyone, except for
the few cells that the start rule clears around each first move. This makes differences between
players sharper than their rates.
"""

import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import product
from math import isfinite
from pathlib import Path
from typing import Final, NamedTuple, cast, get_args

from minewright.board import MAX_SEED, Board, BoardError
from minewright.game import GameError, StartRule
from minewright.lab.arm import Arm
from minewright.lab.files import StoreError, read_bounded
from minewright.lab.games import Measure
from minewright.lab.keys import (
    ARM,
    WRITTEN,
    check_definition,
    check_keys,
    is_number,
    is_whole,
)
from minewright.lab.source import ExperimentError, adopt
from minewright.messages import quote, why_not_json
from minewright.strategies import StrategyError
from minewright.topology import TopologyError

__all__ = ["Arm", "Batch", "Duel", "Experiment", "ExperimentError"]

MAX_GAMES: Final = 1_000_000_000
MAX_ARMS: Final = 10_000
MAX_NAME: Final = 1000
"""The most characters in a name; a table pads all of its rows to the longest one."""

NATIVE_GAMES, PYTHON_GAMES, ENGINE_GAMES = 4000, 50, 5
"""Games per batch, by the kind of player: some tenths of a second of work.

They depend on nothing but the experiment, so every run cuts it into the same batches.
"""

_NAMED: Final = tuple(field.name for field in fields(Arm))


class Batch(NamedTuple):
    """Some games of an arm: what one task plays."""

    number: int
    arm: int
    first: int
    games: int

    @property
    def streams(self) -> range:
        """The numbers of its games."""
        return range(self.first, self.first + self.games)


@dataclass(frozen=True, slots=True)
class Duel:
    """Stop when one of two arms is shown to be stronger (Wald's sequential test).

    Of the games that exactly one of the two wins, the first wins half if they are equally strong.
    The test distinguishes a share of at least `share` for one of them from equality, and errs in
    at most `error` of the cases on either side. It is taken after every `round` games of both.
    """

    first: int = 0
    second: int = 1
    share: float = 0.55
    error: float = 0.05
    round: int = 500


@dataclass(frozen=True, slots=True)
class Experiment:
    """Arms, the number of games for each, and the seed.

    Raise ExperimentError for values that make no sense.
    """

    name: str
    arms: tuple[Arm, ...]
    games: int
    seed: int = 0
    timeout: float | None = None
    """Seconds of processor time that a game may take; beyond them it is not won."""
    duel: Duel | None = None
    source: str = ""
    """The text of the Python file it came from, whose strategies the workers need too."""
    measure: Measure = "wins"
    """What is measured: wins alone, or the safety of each game as well."""
    begin: int = 0
    """The number of the first game: an experiment can take up where another one ended."""

    def __post_init__(self) -> None:
        # A tuple, so that this equals the same experiment read from a file.
        object.__setattr__(self, "arms", tuple(self.arms))
        if not self.arms:
            raise ExperimentError("an experiment needs at least one strategy and one board")
        if len(self.arms) > MAX_ARMS:
            raise ExperimentError(f"{len(self.arms):,} arms are too many; {MAX_ARMS:,} at most")
        for arm in self.arms:
            _check_arm(arm)
        arm, times = Counter(self.arms).most_common(1)[0]
        if times > 1:
            raise ExperimentError(f"an arm is there twice: {arm}")
        _check_number("begin", self.begin, 0, MAX_GAMES - 1)
        _check_number("games", self.games, 1, MAX_GAMES - self.begin)
        _check_number("seed", self.seed, 0, MAX_SEED)
        _check_name("name", self.name)
        if not self.name:
            raise ExperimentError("name is a word or more, not ''")
        if self.timeout is not None and not (self.timeout > 0 and isfinite(self.timeout)):
            raise ExperimentError(f"timeout is a number of seconds above 0, not {self.timeout}")
        if self.measure not in get_args(Measure):
            raise ExperimentError(f"measure is 'wins' or 'safety', not {quote(str(self.measure))}")
        if self.duel:
            _check_duel(self.duel, self.arms)
            if self.begin:
                raise ExperimentError("a duel is judged from game 0 on: leave out duel or begin")

    @classmethod
    def grid(
        cls,
        name: str,
        *,
        strategies: Sequence[str | Mapping[str, str]],
        boards: Sequence[str],
        games: int,
        starts: Sequence[StartRule] = ("safe",),
        topologies: Sequence[str] = ("moore",),
        guessers: Sequence[str] = ("",),
        first_moves: Sequence[str] = ("",),
        seed: int = 0,
        timeout: float | None = None,
        duel: Duel | None = None,
        measure: Measure = "wins",
    ) -> "Experiment":
        """Return the experiment with an arm for every combination.

        A strategy may be a table that names its own guesser and first move.
        """
        players = []
        for strategy, guesser, first in product(strategies, guessers, first_moves):
            if isinstance(strategy, str):
                players.append((strategy, guesser, first))
            else:
                players.append(
                    (
                        strategy.get("strategy", ""),
                        strategy.get("guesser", guesser),
                        strategy.get("first", first),
                    )
                )
        arms = tuple(
            Arm(strategy, board, start, topology, guesser, first)
            for board, topology, start in product(boards, topologies, starts)
            for strategy, guesser, first in dict.fromkeys(players)
        )
        return cls(name, arms, games, seed, timeout, duel, measure=measure)

    def check(self) -> None:
        """Raise ExperimentError if it cannot be played here."""
        try:
            for arm in self.arms:
                arm.check()
                if self.measure == "safety" and arm.first_cell is None:
                    raise ExperimentError(
                        f"safety is measured by the kernel's players, and {arm.player} is not one "
                        "of them; leave it out, or measure wins"
                    )
        except (GameError, StrategyError, TopologyError) as error:
            raise ExperimentError(str(error)) from None

    def batches(self) -> Iterator[Batch]:
        """Yield the batches of the experiment, always the same ones; arms take turns."""
        number = 0
        sizes = [_batch_games(arm) for arm in self.arms]
        step = self.duel.round if self.duel else max(sizes)
        for begin in range(self.begin, self.begin + self.games, step):
            end = min(begin + step, self.begin + self.games)
            for arm, size in enumerate(sizes):
                for first in range(begin, end, size):
                    yield Batch(number, arm, first, min(size, end - first))
                    number += 1

    def written(self) -> str:
        """Return the experiment as JSON, which `read` turns into the same experiment."""
        return json.dumps(asdict(self), indent=2) + "\n"

    @classmethod
    def read(cls, text: str | bytes) -> "Experiment":
        """Read what `written` returned. Nothing in it is run, and its strategies need not exist."""
        try:
            data = json.loads(text)
            check_keys("the experiment", data, WRITTEN, ("name", "arms", "games"))
            for arm in data["arms"]:
                check_keys("an arm", arm, ARM, ("strategy", "board"))
            if data.get("duel") is not None:
                data["duel"] = _read_duel(data["duel"])
            return cls(**data | {"arms": tuple(Arm(**arm) for arm in data["arms"])})
        except (ArithmeticError, RecursionError, TypeError, ValueError) as error:
            raise ExperimentError(
                f"the experiment cannot be read ({why_not_json(error)})"
            ) from None

    @classmethod
    def load(cls, path: Path) -> "Experiment":
        """Read a definition: a TOML file, or a Python file that defines `experiment`.

        Raise ExperimentError, which names the file and what is wrong in it.
        """
        try:
            if path.suffix == ".py":
                found = _from_python(path)
            else:
                found = cls.from_toml(_text(path), path.stem)
            found.check()
            return found
        except ExperimentError as error:
            raise ExperimentError(f"{path}: {error}") from None
        except FileNotFoundError:
            raise ExperimentError(f"{path}: no such file; name a TOML or Python file") from None
        except OSError as error:
            raise ExperimentError(f"{path}: {error.strerror}") from None

    @classmethod
    def from_toml(cls, text: str, name: str) -> "Experiment":
        """Read a TOML definition; `name` is used if it has no name of its own."""
        try:
            data = tomllib.loads(text)
        except RecursionError:
            raise ExperimentError("its lists or tables are nested too deeply") from None
        except ValueError as error:  # not TOML, or a number with thousands of digits
            raise ExperimentError(str(error)) from None
        check_definition(data)
        if "duel" in data:
            data["duel"] = _read_duel(data["duel"])
        return cls.grid(**{"name": name} | data)


def _read_duel(data: Mapping[str, object]) -> Duel:
    known = [field.name for field in fields(Duel)]
    for key, value in data.items():
        if key not in known:
            raise ExperimentError(f"duel has no key {quote(key)}; its keys are {', '.join(known)}")
        if not is_number(value):
            raise ExperimentError(f"duel: {key} is a number, not {quote(str(value))}")
    return Duel(**cast("Mapping[str, int]", data))


def _check_duel(duel: Duel, arms: Sequence[Arm]) -> None:
    for at in (duel.first, duel.second):
        if not (isinstance(at, int) and 0 <= at < len(arms)):
            raise ExperimentError(f"duel: there is no arm {at}; the arms are 0 to {len(arms) - 1}")
    first, second = arms[duel.first], arms[duel.second]
    if duel.first == duel.second or first.field != second.field:
        raise ExperimentError("duel: first and second are two arms on the same kind of board")
    if not 0.5 < duel.share < 1 or not 0 < duel.error < 0.5:
        raise ExperimentError(
            f"duel: share is between 0.5 and 1 and error between 0 and 0.5, "
            f"not {duel.share} and {duel.error}"
        )
    _check_number("duel: round", duel.round, 1, MAX_GAMES)


def _check_number(what: str, number: int, least: int, most: int) -> None:
    if not is_whole(number) or not least <= number <= most:
        raise ExperimentError(f"{what} is a whole number from {least} to {most}, not {number}")


def _check_name(what: str, name: object) -> None:
    # Names are shown on terminals and in tables as they are.
    if not (isinstance(name, str) and len(name) <= MAX_NAME and name.isprintable()):
        raise ExperimentError(
            f"{what} is printable text of at most {MAX_NAME} letters, not {quote(str(name))}"
        )


def _check_arm(arm: Arm) -> None:
    """Raise ExperimentError if an arm has a bad name, start rule or board."""
    for name in _NAMED:
        _check_name(name, getattr(arm, name))
    if arm.start not in get_args(StartRule):
        raise ExperimentError(f"a start rule is 'any', 'safe' or 'open', not {quote(arm.start)}")
    try:
        Board.parse(arm.board)
    except BoardError as error:
        raise ExperimentError(f"board {quote(arm.board)}: {error}") from None


def _text(path: Path) -> str:
    """Return the text of a definition; some editors put a mark of the encoding before it."""
    try:
        return read_bounded(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ExperimentError("this is not UTF-8; save the text as UTF-8") from None
    except StoreError as error:
        raise ExperimentError(str(error)) from None


def _from_python(path: Path) -> Experiment:
    source = _text(path)
    found = adopt(source).get("experiment")
    if not isinstance(found, Experiment):
        raise ExperimentError("it defines no `experiment`, an Experiment")
    return replace(found, source=source)


def _batch_games(arm: Arm) -> int:
    if arm.recipe.native:
        return NATIVE_GAMES
    return ENGINE_GAMES if arm.recipe.kind.needs else PYTHON_GAMES
