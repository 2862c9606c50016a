"""Making boards on which reasoning alone opens everything."""

from dataclasses import dataclass
from functools import cached_property
from time import monotonic
from typing import Literal, get_args

from minewright import _kernel
from minewright._kernel import TooHard
from minewright.board import Board
from minewright.errors import MinewrightError
from minewright.game import Game
from minewright.inference import Budget
from minewright.noguess.proof import Proof, prove
from minewright.topology import Topology, get

Way = Literal["repaired", "uniform"]
"""How boards are found.

- `uniform`: minefields are drawn until one needs no guess. All boards that need none are then
  equally likely, but crowded boards are hardly ever found.
- `repaired`: wherever reasoning is stuck, a few mines are moved. This is quick at any density, but
  not all boards are equally likely.
"""

BUDGET = Budget(states=100_000_000, seconds=60.0)
"""What the making of one board may cost."""
STREAMS = 1 << 32
"""Streams of one board: another one for each board that was refused."""


class NoGuessError(MinewrightError, ValueError):
    """No such board was found within the budget, or none can exist."""


@dataclass(frozen=True)
class NoGuessBoard:
    """A minefield and a first cell from which no guess is needed."""

    topology: Topology
    minefield: frozenset[int]
    first: int
    total: bool
    """Whether the number of mines was used in the reasoning."""
    drawn: int
    """The number of minefields drawn until this one was found."""
    moved: int
    """The number of times a mine of it was moved."""

    @property
    def board(self) -> Board:
        """Its sides and its number of mines."""
        return Board(self.topology.shape, len(self.minefield))

    @cached_property
    def proof(self) -> Proof:
        """The steps that open everything, simplest first."""
        return prove(self.topology, self.minefield, self.first, total=self.total)

    @property
    def difficulty(self) -> int:
        """The workload of its proof: see `Proof.workload`."""
        return self.proof.workload

    def game(self) -> Game:
        """Return a game on this board, which is to begin at its first cell."""
        return Game.from_minefield(self.topology, self.minefield)


def make(
    board: Board | str,
    *,
    first: int | None = None,
    seed: int = 0,
    stream: int = 0,
    topology: str | Topology = "moore",
    start: Literal["open", "safe"] = "open",
    clues: int | None = None,
    total: bool = True,
    way: Way = "repaired",
    budget: Budget = BUDGET,
) -> NoGuessBoard:
    """Make a board that needs no guess if its game begins at `first`; by default in the middle.

    `start` says what the first cell shows: a 0 (`open`), or any number (`safe`). `clues` is how
    many numbers a step may use at once; None means anything that can be proved. `total` says
    whether the number of mines may be used, which counts as one clue.

    The same arguments give the same board everywhere. A seed has many boards, one per `stream`.

    Raise NoGuessError if no board was found within the budget, and ValueError if the mines do not
    fit or an argument is not one of its choices.
    """
    if isinstance(board, str):
        board = Board.parse(board)
    if way not in get_args(Way):
        raise ValueError(f"a board is made repaired or uniform, not {way!r}")
    if clues is not None and clues < 1:
        raise ValueError(f"a step uses at least one clue, not {clues}")
    if isinstance(topology, str):
        topology = get(topology, board.shape)
    cell = middle(topology) if first is None else first
    reasoning = "single" if clues == 1 and not total else "all"
    wish = _kernel.NoGuessWish(board.mines, cell, start, reasoning, total, way == "repaired", seed)
    drawn = refused = 0
    end = monotonic() + budget.seconds
    # Boards that take too many clues are refused one by one, all within the one budget.
    while drawn * topology.size <= budget.states and (left := end - monotonic()) > 0:
        try:
            made = _kernel.noguess_make(
                topology.graph, wish, stream * STREAMS + refused, Budget(budget.states, left)
            )
        except TooHard:
            break
        drawn += made.drawn
        found = NoGuessBoard(topology, frozenset(made.mined), cell, total, drawn, made.moved)
        if clues is None or found.proof.hardest <= clues:
            return found
        refused += 1
    raise NoGuessError(
        f"no board {board} without guesses was found within the budget; use fewer mines, allow "
        "more clues or a larger budget" + (", or try way='repaired'" if way == "uniform" else "")
    )


def middle(topology: Topology) -> int:
    """Return the cell in the middle of a board."""
    return topology.cell(*(side // 2 for side in reversed(topology.shape)))
