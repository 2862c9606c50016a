"""All modes by name. A new mode is one more entry here: the terminal and the page offer it."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from minewright.board import Board
from minewright.game import Game, GameError, StartRule
from minewright.modes.unfixed import FairGame, KindGame, SafeBetGame, UnfixedGame
from minewright.noguess import (
    DailyGame,
    EasyNoGuessGame,
    HardNoGuessGame,
    MediumNoGuessGame,
    NoGuessGame,
)

Begin = Callable[[Board, StartRule, int, str], Game]
"""Takes board, start rule, seed and topology; the same four always begin the same game."""


class Level(NamedTuple):
    """How hard a mode is."""

    summary: str
    begin: Begin


class Mode(NamedTuple):
    """A way to play. Its levels, if any, are called `mode:level`."""

    summary: str
    begin: Begin
    levels: Mapping[str, Level] = MappingProxyType({})
    offered: bool = True
    """Whether it suits any board. If not, there is another way to begin such a game."""


ORDINARY: Final = "ordinary"
MODES: Final[dict[str, Mode]] = {
    ORDINARY: Mode("classic Minesweeper: you may have to guess", Game),
    "no-guess": Mode(
        "you never have to guess, wherever you start",
        NoGuessGame,
        {
            "easy": Level("one number at a time is enough", EasyNoGuessGame),
            "medium": Level("sometimes you need two numbers together", MediumNoGuessGame),
            "hard": Level("sometimes you need three numbers together or more", HardNoGuessGame),
        },
    ),
    "fair": Mode(
        "you survive a guess when nothing is provably safe, and lose when something is",
        FairGame,
    ),
    "kind": Mode("a guess is forgiven if no other move could have settled it", KindGame),
    "safe-bet": Mode(
        "guesses never explode: your score is the chance that all of them were safe", SafeBetGame
    ),
    "daily": Mode(
        "the no-guess board of the day, the same for everybody", DailyGame, offered=False
    ),
}

UNFIXED: Final = frozenset(
    name
    for name, mode in MODES.items()
    if isinstance(mode.begin, type) and issubclass(mode.begin, UnfixedGame)
)
"""The modes whose mines give way, so that surviving a guess takes no luck."""


def names() -> Iterator[str]:
    """Yield the names of all modes for any board, each followed by its levels."""
    for name, mode in MODES.items():
        if mode.offered:
            yield name
            yield from (f"{name}:{level}" for level in mode.levels)


def begin(
    mode: str,
    board: Board | str,
    start: StartRule = "safe",
    seed: int = 0,
    topology: str = "moore",
) -> Game:
    """Begin a game; raise GameError, BoardError or TopologyError if it is impossible."""
    if mode not in (*names(), *MODES):
        *others, last = (name for name, each in MODES.items() if each.offered)
        raise GameError(f"there is no mode {mode!r}; choose {', '.join(others)} or {last}")
    if isinstance(board, str):
        board = Board.parse(board)
    name, _, level = mode.partition(":")
    chosen = MODES[name].levels[level] if level else MODES[name]
    return chosen.begin(board, start, seed, topology)
