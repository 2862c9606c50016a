"""The keys of an experiment: in a definition in TOML, and in what a run keeps of it.

Files may come from anybody, so every key and the kind of its value is checked before use.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Final

from minewright.lab.arm import Arm
from minewright.lab.source import ExperimentError
from minewright.messages import quote

Keys = Mapping[str, tuple[Callable[[object], bool], str]]
"""For each key, a check of its value, and what the value should be, in words."""


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def is_whole(value: object) -> bool:
    """Return True for a whole number; True and False do not count as numbers."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Return True for a number of any kind."""
    return is_whole(value) or isinstance(value, float)


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_players(value: object) -> bool:
    return isinstance(value, list) and all(_is_text(one) or _is_table(one) for one in value)


_NAMES: Final = (_are_names, "a list of names")
_KEYS: Final[Keys] = {
    "name": (_is_text, "text"),
    "strategies": (_are_players, "a list of names, or of tables"),
    "boards": _NAMES,
    "games": (is_whole, "a whole number"),
    "starts": _NAMES,
    "topologies": _NAMES,
    "guessers": _NAMES,
    "first_moves": _NAMES,
    "seed": (is_whole, "a whole number"),
    "timeout": (is_number, "a number of seconds"),
    "duel": (_is_table, "a table"),
    "measure": (_is_text, "'wins' or 'safety'"),
}
_PLAYER_KEYS: Final = ("strategy", "guesser", "first")


def _or_none(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or fits(value)


WRITTEN: Final[Keys] = {
    "name": (_is_text, "text"),
    "arms": (lambda value: isinstance(value, list), "a list"),
    "games": (is_whole, "a whole number"),
    "seed": (is_whole, "a whole number"),
    "timeout": (_or_none(is_number), "a number of seconds"),
    "duel": (_or_none(_is_table), "a table"),
    "measure": (_is_text, "'wins' or 'safety'"),
    "begin": (is_whole, "a whole number"),
    "source": (_is_text, "text"),
}
"""The keys of what `Experiment.written` returns."""
ARM: Final = dict.fromkeys((field.name for field in fields(Arm)), (_is_text, "text"))
"""The keys of each of its arms."""


def check_keys(what: str, data: object, keys: Keys, needed: Sequence[str]) -> None:
    """Raise ExperimentError if someone else's data has unknown keys, wrong values, or lacks any."""
    if not isinstance(data, dict):
        raise ExperimentError(f"{what} is not a table")
    for key in needed:
        if key not in data:
            raise ExperimentError(f"{what} has no {key!r}")
    for key, value in data.items():
        if key not in keys:
            raise ExperimentError(f"{what} has no key {quote(key)}")
        fits, kind = keys[key]
        if not fits(value):
            raise ExperimentError(f"{key} is {kind}, not {quote(str(value))}")


def check_definition(data: Mapping[str, object]) -> None:
    """Raise ExperimentError if a definition has unknown keys or wrong values, or lacks a key."""
    unknown = set(data) - set(_KEYS)
    if unknown:
        raise ExperimentError(
            f"there is no key {quote(min(unknown))}; the keys are {', '.join(_KEYS)}"
        )
    for key in ("strategies", "boards", "games"):
        if key not in data:
            raise ExperimentError(f"the key {key!r} is missing")
    for key, (fits, what) in _KEYS.items():
        if key in data and not fits(data[key]):
            raise ExperimentError(f"{key} is {what}, not {quote(str(data[key]))}")
    players = data["strategies"]
    for table in players if isinstance(players, list) else ():
        if isinstance(table, dict):
            _check_player(table)


def _check_player(table: Mapping[str, object]) -> None:
    for key, value in table.items():
        if key not in _PLAYER_KEYS:
            raise ExperimentError(
                f"a strategy has no key {quote(key)}; its keys are {', '.join(_PLAYER_KEYS)}"
            )
        if not _is_text(value):
            raise ExperimentError(f"strategies: {key} is text, not {quote(str(value))}")
