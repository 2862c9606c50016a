"""Positions where Collet's propagators are silent: what solvers do there, and what a guess brings.

They come from games, since the text's player pushes the solver's button there. Each is given
to both solvers, which are counted and timed, and to exact inference, which knows every safe cell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from time import thread_time
from typing import Final, NamedTuple

from minewright.board import Board
from minewright.documents import work
from minewright.documents.oz.risk import FEW, risk_pays
from minewright.documents.work import Piece, Request, Row
from minewright.game import Game
from minewright.inference import analyze
from minewright.position import MAX_NUMBER, Position
from minewright.strategies import Recipe, Record, own_numbers, play
from minewright.strategies.oz import Assistant, solutions_needed
from minewright.strategies.play import Watch
from minewright.strategies.strategy import Turn

NAME: Final = "oz-tables"
GAMES: Final = {"quick": 300, "paper": 5000}
PIECE: Final = 10
BOARDS: Final = ("10x10x20", "9x9x10", "16x16x40", "30x16x99")
"""The board of figures 1 and 2, and the usual ones."""

PROPAGATORS: Final = "oz:engines=zero+simple+set"
UNKNOWN: Final = -1


class Stuck(NamedTuple):
    """A position where the propagators are silent; -1 stands for what is not known."""

    binary: int
    """Solutions the binary solver computes; -1 for more than it can find."""
    sets: int
    """Solutions the set solver computes."""
    safe: int
    """Cells that are certainly safe all the same."""
    binary_seconds: float = UNKNOWN
    """Processor time of the binary solver."""
    sets_seconds: float = UNKNOWN
    """Processor time of the set solver."""
    missed: int = UNKNOWN
    """Safe cells that the set solver does not find."""
    informed: int = UNKNOWN
    """Whether the lowest chance, if it went well, made something certain: 1 or 0."""
    risk: int = UNKNOWN
    """Whether a cell with a higher chance of a mine wins more often: 1 or 0."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What the games of one board have shown."""

    board: str
    found: int
    """Safe cells that the propagators found."""
    stuck: tuple[tuple[int, Stuck], ...]
    """The positions where they were silent, each with its game."""

    def savings(self, least: int = 0) -> list[float]:
        """Return how many times as many solutions the binary solver needs, by position.

        Only positions with at least `least` solutions in sets count.
        """
        return [
            one.binary / one.sets for _, one in self.stuck if one.binary > 0 and one.sets >= least
        ]

    def speedups(self) -> list[float]:
        """Return how many times as long the binary solver takes, by position."""
        return [
            one.binary_seconds / one.sets_seconds
            for _, one in self.stuck
            if one.binary > 0 and one.sets_seconds > 0
        ]


@dataclass(frozen=True, slots=True)
class Data:
    """The counts of every board, and the seed of their games."""

    boards: Sequence[Counted]
    seed: int = 0


def measure(request: Request) -> Data:
    """Play the games of all boards, or continue."""
    kinds = [
        Piece(
            board,
            range(GAMES[request.scale]),
            Board.parse(board).mines,
            partial(_row, board, request.seed),
        )
        for board in BOARDS
    ]
    width = len(Stuck._fields)
    counted = []
    for board, rows in zip(BOARDS, work.make(request, NAME, kinds, PIECE), strict=True):
        stuck = tuple(
            (game, _read(row[place : place + width]))
            for game, row in enumerate(rows)
            for place in range(1, len(row), width)
        )
        counted.append(Counted(board, sum(int(row[0]) for row in rows), stuck))
    return Data(counted, request.seed)


def _read(values: Row) -> Stuck:
    binary, sets, safe, binary_seconds, sets_seconds, missed, informed, risk = values
    return Stuck(
        int(binary),
        int(sets),
        int(safe),
        binary_seconds,
        sets_seconds,
        int(missed),
        int(informed),
        int(risk),
    )


def _row(board: str, seed: int, number: int) -> Row:
    """Play a game: the safe cells found, then the figures of each position without any."""
    found = 0
    stuck: list[Stuck] = []
    guessed = False

    def look(position: Position, turn: Turn) -> None:
        nonlocal found, guessed
        silent = turn.guess is not None and any(code <= MAX_NUMBER for code in position.cells)
        here = _look_at(position) if silent else None
        if guessed:
            stuck[-1] = stuck[-1]._replace(informed=int(here is None or here.safe > 0))
        if turn.guess is None:
            found += sum(len(finding.safe) for finding in turn.findings)
        if here:
            stuck.append(here)
        # Where a cell is safe, nobody has to guess.
        guessed = here is not None and not here.safe

    record = watch_game(board, seed, number, look)
    if guessed and record.won:
        stuck[-1] = stuck[-1]._replace(informed=1)
    return found, *(value for one in stuck for value in one)


def _look_at(position: Position) -> Stuck:
    needed = solutions_needed(position)
    assert needed["sets"] is not None
    seconds = {}
    for engine in ("binary", "sets"):
        assistant = Assistant(position.topology, position.mines, (engine,))
        assistant.tell(position, trust_marks=True)
        began = thread_time()
        assistant.think()
        seconds[engine] = thread_time() - began
    exact = analyze(position, trust_marks=True)
    pays = None if exact.safe or exact.solutions > FEW else risk_pays(position)
    return Stuck(
        needed["binary"] or UNKNOWN,
        needed["sets"],
        len(exact.safe),
        seconds["binary"],
        seconds["sets"],
        len(set(exact.safe) - set(assistant.known().safe)),
        risk=UNKNOWN if pays is None else int(pays),
    )


def watch_game(board: str, seed: int, stream: int, look: Watch) -> Record:
    """Play a game by propagators, and show each turn to `look`."""
    game = Game(Board.parse(board), "safe", seed, stream=stream)
    recipe = Recipe(PROPAGATORS, "safest", "corner")
    return play(game, recipe.player(own_numbers(seed, stream)), watch=look)
