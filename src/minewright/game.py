"""A hidden minefield and its rules: the start rule, opening, marks, win and loss."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import index
from typing import ClassVar, Literal, get_args

from minewright._kernel import Minefield, Random
from minewright.board import MAX_SEED, Board
from minewright.drawing import Drawn
from minewright.errors import MinewrightError
from minewright.messages import whole_within, write_sides
from minewright.position import COVERED, MARKED, MAX_NUMBER, MINED, Position
from minewright.topology import Topology, get

StartRule = Literal["any", "safe", "open"]
State = Literal["ready", "playing", "won", "lost", "given up"]
MoveKind = Literal["open", "mark", "chord", "give up"]


# A copy of a game rebuilds these: the kernel's minefield, and what is visible of it.
_REBUILT = frozenset({"_field", "_position"})


class GameError(MinewrightError, ValueError):
    """A move or a setting that the rules do not allow."""


class MoveTooHard(GameError):
    """What the game needed to know took too long; with a larger budget the move may be possible."""


@dataclass(frozen=True, slots=True)
class Move:
    """One action of a player; only giving up has no cell."""

    kind: MoveKind
    cell: int | None = None

    def __str__(self) -> str:
        return self.kind if self.cell is None else f"{self.kind} {self.cell}"


class Game(Drawn):
    """One game: a minefield that stays hidden until the end, and the moves of the player.

    The same board, topology, start rule, seed and stream give the same game everywhere. A run of
    many games uses one seed and one stream per game. Under the start rule `any` the mines are laid
    before the first opening, under `safe` and `open` by it. Two players who begin at different
    cells meet the same mines, except for the few that the rule forbids.

    >>> game = Game(Board.parse("9x9x10"), start="open", seed=7)
    >>> len(game.open(40)) >= 9
    True
    >>> game.state
    'playing'
    """

    topology: Topology
    mines: int
    start: StartRule
    seed: int | None
    """None for a given minefield."""
    stream: int
    MAX_STREAM: ClassVar[int] = MAX_SEED
    """The largest stream that such a game can have."""

    def __init__(
        self,
        board: Board | str,
        start: StartRule = "safe",
        seed: int = 0,
        topology: str | Topology = "moore",
        *,
        stream: int = 0,
    ) -> None:
        board = Board.of(board)
        self._prepare(topology_of(board, topology), board.mines, start)
        self.seed = whole_within("a seed", seed, 0, MAX_SEED, GameError)
        self.stream = whole_within("a stream", stream, 0, self.MAX_STREAM, GameError)
        room = self._field.room(start)
        if board.mines > room:
            raise GameError(
                f"{board} has {board.mines} mines, but the start rule '{start}' leaves room for "
                f"at most {room}; use fewer mines or {_weaker(start, board)}"
            )
        self._begin()

    @classmethod
    def from_minefield(
        cls, topology: Topology, mined: Iterable[int], start: StartRule = "any"
    ) -> Game:
        """Return a game on a given minefield, where exactly these cells are mined.

        The start rule moves no mine here: it only limits where the game may begin.

        Raise GameError if a cell is outside the topology or the start rule is unknown.
        """
        given = frozenset(map(index, mined))
        if given and not 0 <= min(given) <= max(given) < topology.size:
            wrong = min(given) if min(given) < 0 else max(given)
            raise GameError(_outside(wrong, topology.size))
        game = cls.__new__(cls)
        game._prepare(topology, len(given), start, given)
        game.seed, game.stream = None, 0
        game._begin()
        return game

    def _prepare(
        self,
        topology: Topology,
        mines: int,
        start: StartRule,
        given: frozenset[int] = frozenset(),
    ) -> None:
        if start not in get_args(StartRule):
            raise GameError(f"a start rule is 'any', 'safe' or 'open', not {start!r}")
        self.topology, self.mines, self.start = topology, mines, start
        self._field = Minefield(topology.graph)
        self._given = given
        self._moves: list[Move] = []
        self._given_up = False
        self._position: Position | None = None

    def _begin(self) -> None:
        """Hide the mines: the given ones, or those of the seed."""
        if self.seed is None:
            self._field.reset_to(sorted(self._given), self.start)
        else:
            self._field.reset(self.mines, self.start, Random(self.seed, self.stream))

    @property
    def board(self) -> Board:
        """The shape and the number of mines.

        Raise BoardError if no board has the topology's shape, such as that of a net.
        """
        return Board(self.topology.shape, self.mines)

    @property
    def state(self) -> State:
        """The state of the game: ready (nothing open yet), playing, won, lost or given up.

        A game is won as soon as every safe cell is open, so a board that is all mines is won
        before it begins.
        """
        if self._given_up:
            return "given up"
        if self._field.exploded:
            return "lost"
        if self._field.won:
            return "won"
        return "playing" if self._field.opened_count else "ready"

    @property
    def over(self) -> bool:
        """Whether the game is won, lost or given up."""
        return self.state in ("won", "lost", "given up")

    @property
    def position(self) -> Position:
        """What the player sees; mines that exploded show as mined."""
        if self._position is None:
            self._position = Position(self.topology, self._field.visible, self.mines)
        return self._position

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves so far; an action that changed nothing is not a move."""
        return tuple(self._moves)

    @property
    def covered_safe(self) -> int:
        """The number of safe cells still to be opened."""
        return self._field.covered_safe

    def open(self, cell: int) -> tuple[int, ...]:
        """Open a cell and, around each 0, all its neighbours; return the newly opened cells.

        They include an exploded mine. Opening an open cell does nothing, even after the end: a
        player who opens a list of safe cells cannot know which of them a cascade opens first. The
        cascade leaves marked cells alone.

        Raise GameError if the cell is outside the board or marked, if the game is over, or if the
        start rule forbids beginning here.
        """
        cell = self._inside(cell)
        if self._field.code(cell) <= MAX_NUMBER:
            return ()
        self._require_playing()
        if self._field.code(cell) == MARKED:
            raise GameError(f"{self._name(cell)} is marked; remove the mark before opening it")
        if not self._field.opened_count and not self._field.allows(cell):
            raise GameError(self._no_start(cell))
        self._before((cell,))
        return self._record("open", cell, self._field.open(cell))

    def _before(self, cells: tuple[int, ...]) -> None:
        """Do what has to be done before these covered cells are opened: here, nothing."""

    def chord(self, cell: int) -> tuple[int, ...]:
        """Open the unmarked covered neighbours of an open cell if its number of marks is right.

        Return the newly opened cells, including every exploded mine. If there are more or fewer
        marks around the cell than its number, nothing happens.

        Raise GameError if the cell is outside the board or not open, or if the game is over.
        """
        cell = self._inside(cell)
        self._require_playing()
        if self._field.code(cell) > MAX_NUMBER:
            raise GameError(f"{self._name(cell)} is covered; a chord starts from an open number")
        near = {other: self._field.code(other) for other in self.topology.neighbours(cell)}
        codes = list(near.values())
        if codes.count(MARKED) == self._field.code(cell) and COVERED in codes:
            self._before(tuple(other for other, code in near.items() if code == COVERED))
        return self._record("chord", cell, self._field.chord(cell))

    def mark(self, cell: int) -> bool:
        """Put a mark on a covered cell or remove it; return True if it is marked now.

        Raise GameError if the cell is outside the board or open, or if the game is over.
        """
        cell = self._inside(cell)
        self._require_playing()
        if self._field.code(cell) not in (COVERED, MARKED):
            raise GameError(f"{self._name(cell)} is open; only a covered cell can be marked")
        self._field.mark(cell)
        self._record("mark", cell, (cell,))
        return self._field.code(cell) == MARKED

    def give_up(self) -> None:
        """End the game unfinished, so that the minefield can be seen.

        Raise GameError if the game is already over.
        """
        self._require_playing()
        self._field.lay()
        self._given_up = True
        self._moves.append(Move("give up"))

    def play(self, moves: Iterable[Move]) -> None:
        """Make these recorded moves one after another.

        Raise GameError if a move is not possible; the moves before it stand.
        """
        for move in moves:
            if move.kind == "give up":
                self.give_up()
            elif move.cell is None:
                raise GameError(f"the move '{move.kind}' needs a cell")
            elif move.kind == "open":
                self.open(move.cell)
            elif move.kind == "chord":
                self.chord(move.cell)
            else:
                self.mark(move.cell)

    def again(self, moves: Iterable[Move] = ()) -> Game:
        """Return the same game from the start, with these moves made.

        `game.again(game.moves)` replays it. Raise GameError if a move is not possible.
        """
        if self.seed is None:
            game = type(self).from_minefield(self.topology, self._given, self.start)
        else:
            game = type(self)(self.board, self.start, self.seed, self.topology, stream=self.stream)
        game.play(moves)
        return game

    @property
    def minefield(self) -> frozenset[int]:
        """The mined cells, once the game is over.

        Raise GameError while the game is not over.
        """
        return frozenset(cell for cell, code in enumerate(self._truth()) if code == MINED)

    def show(self) -> Position:
        """Return the whole truth: every number, and every mine as mined.

        Raise GameError while the game is not over.
        """
        return Position(self.topology, self._truth(), self.mines)

    def __getstate__(self) -> dict[str, object]:
        """Return what a copy is made from: everything but the kernel's minefield."""
        return {key: value for key, value in vars(self).items() if key not in _REBUILT}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Play the same moves again on the same minefield."""
        vars(self).update(state)
        moves = self._moves
        self._prepare(self.topology, self.mines, self.start, self._given)
        self._begin()
        self.play(moves)

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        sides = write_sides(self.topology.shape)
        origin = "given minefield" if self.seed is None else f"seed {self.seed}"
        if self.stream:
            origin += f", stream {self.stream}"
        return (
            f"<{type(self).__name__} {sides}x{self.mines} {self.topology.name},"
            f" start {self.start}, {origin}: {self.state}, {len(self._moves)} moves>"
        )

    def _truth(self) -> bytes:
        if not self.over:
            raise GameError("the minefield is hidden until the game is over; finish or give_up()")
        return self._field.truth

    def _require_playing(self) -> None:
        if self.over:
            raise GameError(f"the game is {self.state}; again() restarts it")

    def _inside(self, cell: int) -> int:
        cell = index(cell)
        if not 0 <= cell < self.topology.size:
            raise GameError(_outside(cell, self.topology.size))
        return cell

    def _record(self, kind: MoveKind, cell: int, changed: tuple[int, ...]) -> tuple[int, ...]:
        if changed:
            self._moves.append(Move(kind, cell))
            self._position = None
        return changed

    def _name(self, cell: int) -> str:
        return self.topology.describe(cell)

    def _no_start(self, cell: int) -> str:
        if self.seed is None:
            return (
                f"under the start rule '{self.start}' this minefield cannot begin at "
                f"{self._name(cell)}; begin elsewhere or use the start rule 'any'"
            )
        near = len(self.topology.neighbours(cell))
        return (
            f"the start rule 'open' keeps {self._name(cell)} and its {near} neighbours free of "
            f"mines, but {self.board} leaves only {self.covered_safe} cells free; begin at a cell "
            f"with fewer neighbours, use fewer mines or the start rule 'safe'"
        )


def topology_of(board: Board, topology: str | Topology) -> Topology:
    """Return a board's topology, given it or its name. Raise GameError if it does not fit."""
    if isinstance(topology, str):
        return get(topology, board.shape)
    if topology.shape != board.shape:
        raise GameError(
            f"the board {board} does not fit the topology, whose shape is "
            f"{write_sides(topology.shape)}; give both the same shape"
        )
    return topology


def _outside(cell: int, size: int) -> str:
    return f"cell {cell} is outside the board, whose cells are 0 to {size - 1}"


def _weaker(start: StartRule, board: Board) -> str:
    weaker = "safe" if start == "open" and board.mines < board.size else "any"
    return f"the start rule '{weaker}'"
