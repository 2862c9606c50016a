"""The risk of every move of a finished game, and the chance to win, worked out bit by bit.

A risk comes from exact inference on what the player saw before the move, or from sampling if that
is too hard. A long game on a large board takes several requests: each continues where the last one
ended, and meanwhile the moves that are done are spread evenly over the game. After the risks comes
the ledger, move by move: what each gave away of the chance to win, and what luck did.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from threading import Lock
from time import monotonic
from typing import Final, NamedTuple

from minewright.game import Game, GameError, Move
from minewright.inference import Budget, BudgetExceeded, analyze
from minewright.ledger import Ledger, Opening
from minewright.noguess import NoGuessGame, Proof
from minewright.position import COVERED, MARKED, MAX_NUMBER, Position
from minewright.web.people.recent import Recent
from minewright.web.people.rows import Stroke
from minewright.web.play.live import Live

MOVE_SECONDS: Final = 0.4
"""Seconds spent on the risk of one move, or its entry in the ledger, before it is too hard."""
MEMORY: Final = 32 * 2**20
PERSON_MEMORY: Final = 8 * 2**20
"""Bytes of the reviews held in memory, in all and per person."""
_BOARDS: Final = 100
_SAVE_EVERY: Final = 64
_BYTES_PER_CHANGE: Final = 100
_BYTES_PER_MOVE: Final = 500
"""What a review takes in memory, rounded up (measured with tracemalloc)."""


class Risk(NamedTuple):
    """The risk of one move, the smallest there was, and the number of safe cells."""

    risk: float | None = None
    least: float | None = None
    safe: int = 0
    approximate: bool = False


class Review:
    """The work on one finished game; whoever continues it holds its lock."""

    def __init__(self, game: Game, strokes: Sequence[Stroke]) -> None:
        self.lock = Lock()
        self.strokes = tuple(strokes)
        self.start = game.start
        self._proven = game if isinstance(game, NoGuessGame) else None
        self.changes: list[list[tuple[int, int]]] = []
        """What each move changed on the board."""
        self._saved: list[bytes] = []
        """The board every few moves, so that no position is replayed from the start."""
        self._every = max(_SAVE_EVERY, len(strokes) // _BOARDS)
        self._first = game.again().position
        cells = bytearray(self._first.cells)
        for at, changes in enumerate(_replay(game)):
            if at % self._every == 0:
                self._saved.append(bytes(cells))
            self.changes.append(changes)
            for cell, code in changes:
                cells[cell] = code
        self.risks: dict[int, Risk] = {}
        openings = [at for at, stroke in enumerate(strokes) if stroke.kind in ("open", "chord")]
        self.openings = len(openings)
        self.waiting = _spread(openings)
        self.waiting.reverse()
        self.unjudged = openings[::-1]
        """The moves that the ledger waits for, the last one first."""
        self.ledger = Ledger(game.topology, bytes(game.show().cells), free=self.start != "any")

    @cached_property
    def proof(self) -> Proof | None:
        """The proof that no guess was needed, if the game promised that."""
        try:
            return self._proven.proof if self._proven else None
        except (GameError, BudgetExceeded):
            return None

    @property
    def weight(self) -> int:
        """About how many bytes it takes."""
        changes = sum(map(len, self.changes))
        boards = len(self._saved) * self._first.topology.size
        return boards + _BYTES_PER_CHANGE * changes + _BYTES_PER_MOVE * len(self.strokes)

    def position(self, at: int) -> Position:
        """Return what the player saw before a move."""
        saved = at // self._every
        cells = bytearray(self._saved[saved])
        for changes in self.changes[saved * self._every : at]:
            for cell, code in changes:
                cells[cell] = code
        return Position(self._first.topology, bytes(cells), self._first.mines)

    def work(self, seconds: float, states: int) -> None:
        """Work out moves until all are done or time runs out; at least one, however short that is.

        So a review is finished in the end, even on the slowest machine.
        """
        end = monotonic() + seconds
        # The last move may run over: given only the time left, it might seem too hard.
        budget = Budget(states, MOVE_SECONDS)
        while not self.complete:
            if self.waiting:
                at = self.waiting[-1]
                self.risks[at] = self._assess(at, budget)
                self.waiting.pop()
            else:
                self.ledger.judge(self._opening(self.unjudged[-1]), budget)
                self.unjudged.pop()
            if monotonic() >= end:
                return

    @property
    def complete(self) -> bool:
        """Whether everything is worked out."""
        return not (self.waiting or self.unjudged)

    def _opening(self, at: int) -> Opening:
        cell = self.strokes[at].cell
        assert cell is not None
        opened = tuple(changed for changed, _ in self.changes[at])
        return Opening(at + 1, cell, self.targets(at, self.position(at)), opened)

    def _assess(self, at: int, budget: Budget) -> Risk:
        position = self.position(at)
        if self.ready(position) and self.start != "any":
            return Risk(risk=0.0, least=0.0)
        targets = self.targets(at, position)
        try:
            analysis = analyze(position, approximate=True, budget=budget)
            risk = analysis.risk(targets)
        except BudgetExceeded:
            return Risk()
        return Risk(
            risk=risk,
            # A chord risks its cells together; every single cell may be riskier than that.
            least=min(analysis.least, risk),
            safe=len(analysis.safe),
            approximate=analysis.approximate,
        )

    @staticmethod
    def ready(position: Position) -> bool:
        """Return True if nothing is open yet."""
        return not any(code <= MAX_NUMBER for code in position.cells)

    def targets(self, at: int, position: Position) -> tuple[int, ...]:
        """Return the cells that a move opens directly, without those that a 0 opens."""
        stroke = self.strokes[at]
        assert stroke.cell is not None
        if stroke.kind == "open":
            return (stroke.cell,)
        near = position.topology.neighbours(stroke.cell)
        return tuple(cell for cell in near if position[cell] == COVERED)


class Shelf:
    """The latest reviews; any other starts over when it is asked for."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._reviews: Recent[Review] = Recent(MEMORY, PERSON_MEMORY)

    def find(self, live: Live) -> Review:
        """Return the review of a finished game, as far as it has come."""
        with live.held():
            if not live.game.over:
                raise GameError("the game is not over yet: finish it to see its review")
            if not live.settled:
                raise GameError("you can still undo this loss: give up to see the review")
            game, strokes = live.game, tuple(live.strokes)
        with self._lock:
            found = self._reviews.get(live.id)
        found = found or Review(game, strokes)
        with self._lock:
            self._reviews.put(live.id, live.person, found, found.weight)
        return found

    def drop(self, game: str) -> None:
        """Drop the review of a game."""
        with self._lock:
            self._reviews.drop(game)

    def forget(self, person: str) -> None:
        """Drop all reviews of a person."""
        with self._lock:
            self._reviews.drop_all(person)


def _replay(game: Game) -> Iterator[list[tuple[int, int]]]:
    """Replay a finished game; yield what each move changed, as cells and their new codes.

    An open cell shows the truth, so there is no need to build a position per move.
    """
    truth = game.show().cells
    again = game.again()
    for move in game.moves:
        yield sorted(_make(again, move, truth))


def _make(game: Game, move: Move, truth: bytes) -> list[tuple[int, int]]:
    if move.cell is None:
        game.play([move])
        return []
    if move.kind == "mark":
        return [(move.cell, MARKED if game.mark(move.cell) else COVERED)]
    opened = game.open(move.cell) if move.kind == "open" else game.chord(move.cell)
    return [(cell, truth[cell]) for cell in opened]


def _spread(numbers: Sequence[int]) -> list[int]:
    """Return numbers in an order of which every prefix is spread evenly; the last comes first."""
    found = list(numbers[-1:])
    step = 1
    while step < len(numbers):
        step *= 2
    seen = set(found)
    while step >= 1:
        for at in range(0, len(numbers), step):
            if numbers[at] not in seen:
                seen.add(numbers[at])
                found.append(numbers[at])
        step //= 2
    return found
