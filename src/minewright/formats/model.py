"""What a file holds: a position as a player saw it, or a replay of a whole game."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, NamedTuple

from minewright.errors import MinewrightError
from minewright.game import Game, Move
from minewright.position import COVERED, MARKED, Position
from minewright.topology import Topology

MAX_MOVES: Final = 10_000
"""More moves than anyone makes in one game."""


class FormatError(MinewrightError, ValueError):
    """A file that cannot be read: what is wrong, and where."""

    def __init__(self, problem: str, place: str = "") -> None:
        super().__init__(problem, place)
        self.problem = problem
        self.place = place

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}" if self.place else self.problem


@dataclass(frozen=True, slots=True)
class TimedMove:
    """A move of a replay, and when it was made."""

    seconds: float
    move: Move


Action = Literal[
    "move",
    "left down",
    "left up",
    "right down",
    "right up",
    "middle down",
    "middle up",
    "shift down",
    "both down",
    "mark",
    "left",
    "right",
    "middle",
]
"""What a mouse can do. A bare `left`, `right` or `middle` toggles between down and up."""


class Press(NamedTuple):
    """A button that went down or up: when, which, and over which cell or beside the board."""

    seconds: float
    action: Action
    column: int
    row: int


class Clicks(NamedTuple):
    """The clicks of a game, including those without effect; a chord is one click."""

    left: int
    right: int
    chords: int


@dataclass(frozen=True)
class Replay:
    """A minefield and the moves on it that changed something.

    `ended` says whether the last move won or lost the game. `clicks` and `presses` are known if the
    file records what the mouse did; `presses` is empty if the game had question marks.
    """

    topology: Topology
    mined: frozenset[int]
    moves: tuple[TimedMove, ...] = ()
    ended: bool = False
    player: str = ""
    program: str = ""
    clicks: Clicks | None = field(default=None, compare=False)
    presses: tuple[Press, ...] = field(default=(), compare=False, repr=False)

    @property
    def last(self) -> int:
        """The number of moves before the last position in which there was a decision to make."""
        return len(self.moves) - 1 if self.ended else len(self.moves)

    @property
    def seconds(self) -> float:
        """The time of the last move."""
        return self.moves[-1].seconds if self.moves else 0.0

    @cached_property
    def truth(self) -> bytes:
        """What each cell shows once it is open."""
        game = self._game()
        if not game.over:
            game.give_up()
        return game.show().cells

    def position(self, moves: int) -> Position:
        """Return what the player saw after this many moves."""
        if not 0 <= moves <= len(self.moves):
            raise ValueError(f"expected 0 to {len(self.moves)} moves, found {moves}")
        game = self._game()
        game.play(made.move for made in self.moves[:moves])
        return game.position

    def changes(self) -> Iterator[list[tuple[int, int]]]:
        """Yield for each move the cells it changed, with what they then show."""
        game, truth = self._game(), self.truth
        for made in self.moves:
            cell = made.move.cell
            assert cell is not None, "nobody gives up in a replay"
            if made.move.kind == "mark":
                yield [(cell, MARKED if game.mark(cell) else COVERED)]
            else:
                opened = game.open(cell) if made.move.kind == "open" else game.chord(cell)
                yield [(cell, truth[cell]) for cell in opened]

    def _game(self) -> Game:
        return Game.from_minefield(self.topology, self.mined)


class Recorder:
    """Plays a game as recorded in a file, and keeps the moves that changed something.

    What the rules do not allow is skipped: programs record clicks, not moves.
    """

    def __init__(self, topology: Topology, mined: frozenset[int]) -> None:
        self.topology, self.mined = topology, mined
        self.opened: set[int] = set()
        self.marked: set[int] = set()
        self._game = Game.from_minefield(topology, mined)
        self._moves: list[TimedMove] = []

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self._game.over

    def open(self, seconds: float, cell: int) -> None:
        """Open a covered cell that is not marked."""
        if not self._game.over and cell not in self.marked:
            self._keep(seconds, Move("open", cell), self._game.open(cell))

    def chord(self, seconds: float, cell: int) -> None:
        """Open around an open number."""
        if not self._game.over and cell in self.opened:
            self._keep(seconds, Move("chord", cell), self._game.chord(cell))

    def mark(self, seconds: float, cell: int) -> None:
        """Mark a covered cell, or remove its mark."""
        if self._game.over or cell in self.opened:
            return
        if self._game.mark(cell):
            self.marked.add(cell)
        else:
            self.marked.discard(cell)
        self._keep(seconds, Move("mark", cell), ())

    def replay(self, player: str = "", program: str = "") -> Replay:
        """Return the game."""
        return Replay(
            self.topology,
            self.mined,
            tuple(self._moves),
            ended=self._game.over and bool(self._moves),
            player=_line(player),
            program=_line(program),
        )

    def _keep(self, seconds: float, move: Move, opened: tuple[int, ...]) -> None:
        if not opened and move.kind != "mark":
            return
        if len(self._moves) == MAX_MOVES:
            raise FormatError(f"the game has more than {MAX_MOVES:,} moves; nobody plays that many")
        self.opened.update(opened)
        self._moves.append(TimedMove(seconds, move))


def _line(name: str) -> str:
    """Return a player's name as one short line."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())[:80]
