"""Making boards on which reasoning alone opens everything."""

from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from time import monotonic
from typing import Literal, get_args

from minewright import _kernel
from minewright._kernel import TooHard
from minewright.board import MAX_SEED, Board
from minewright.deduction.wishes import MAX_DIFFICULTY, Difficulty, StepEnergy
from minewright.drawing import Drawn
from minewright.errors import MinewrightError
from minewright.game import Game, topology_of
from minewright.inference import Budget, BudgetExceeded
from minewright.messages import counted, whole_within
from minewright.noguess.proof import Proof, prove
from minewright.noguess.taste import ITERATIONS, Taste
from minewright.strategies.play import own_numbers
from minewright.topology import Topology

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
"""The streams of one board, one for each board refused; also the number of boards of a seed."""


class NoGuessError(MinewrightError, ValueError):
    """No such board was found within the budget, or an argument is not a possible number."""


@dataclass(frozen=True)
class NoGuessBoard(Drawn):
    """A minefield and a first cell from which no guess is needed."""

    topology: Topology
    minefield: frozenset[int]
    first: int
    total: bool
    """Whether the number of mines was used in the reasoning."""
    drawn: int
    """The number of minefields drawn until this one was found."""
    moved: int
    """The number of times one of its mines was moved."""

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
    difficulty: Difficulty | None = None,
    energy: StepEnergy | None = None,
    iterations: int = ITERATIONS,
    anneal: tuple[float, float] | None = None,
    budget: Budget = BUDGET,
) -> NoGuessBoard:
    """Make a board that needs no guess if its game begins at `first`; by default in the middle.

    `start` says what the first cell shows: a 0 (`open`), or any number (`safe`). `clues` is how
    many numbers a step may use at once; None means anything that can be proved. `total` says
    whether the number of mines may be used, which counts as one clue.

    `difficulty` is a level (`easy`, `medium`, `hard`) or the workload itself. `energy` is a
    function of the steps by clues, such as `Weights`; lower is better. A repaired board is brought
    there by up to `iterations` changes of one mine, with simulated annealing between the
    temperatures `anneal` if they are given. A uniform board is drawn until its difficulty fits, so
    that all such boards are equally likely; it has no energy.

    The same arguments give the same board everywhere. A seed has many boards, one per `stream`.

    Raise NoGuessError if no board was found within the budget or an argument is not a possible
    number, and ValueError if the mines or the topology do not fit or an argument is not one of its
    choices.
    """
    board = Board.of(board)
    topology = topology_of(board, topology)
    if first is None:
        first = middle(topology)
    first = whole_within("the first cell", first, 0, topology.size - 1, NoGuessError)
    seed = whole_within("a seed", seed, 0, MAX_SEED, NoGuessError)
    stream = whole_within("a stream", stream, 0, STREAMS - 1, NoGuessError)
    iterations = whole_within("the number of iterations", iterations, 0, None, NoGuessError)
    if clues is not None:
        clues = whole_within("the number of clues", clues, 1, None, NoGuessError)
    if difficulty is not None and not isinstance(difficulty, str):
        difficulty = whole_within("a difficulty", difficulty, 0, MAX_DIFFICULTY, NoGuessError)
    if way not in get_args(Way):
        raise ValueError(f"a board is made repaired or uniform, not {way!r}")
    if way == "uniform" and energy is not None:
        raise ValueError("boards of low energy are not all equally likely; use the way 'repaired'")
    search = _Search(
        topology,
        board.mines,
        first,
        start,
        clues,
        total,
        way,
        seed,
        Taste(difficulty, energy, iterations, anneal),
    )
    room = topology.size - len(search.kept)
    if board.mines > room:
        raise ValueError(
            f"under the start rule '{start}', a game that begins at {topology.describe(first)} has "
            f"room for at most {counted(room, 'mine')}, not {board.mines}; use fewer mines"
            + (
                " or the start rule 'safe'"
                if start == "open" and board.mines < topology.size
                else ""
            )
        )
    found = search.run(stream, budget)
    if found is not None:
        return found
    wish = "" if difficulty is None else f" of difficulty {difficulty}"
    raise NoGuessError(
        f"no board {board}{wish} without guesses was found within the budget; use fewer mines, "
        "allow more clues or a larger budget"
        + (", or try the way 'repaired'" if way == "uniform" else "")
    )


@dataclass(frozen=True, slots=True)
class _Search:
    """A wish, and the search for a board that fulfils it."""

    topology: Topology
    mines: int
    first: int
    start: Literal["open", "safe"]
    clues: int | None
    total: bool
    way: Way
    seed: int
    taste: Taste

    @property
    def kept(self) -> set[int]:
        """The cells that are never mined: the first one, and its neighbours if it shows a 0."""
        near = self.topology.neighbours(self.first) if self.start == "open" else ()
        return {self.first, *near}

    def run(self, stream: int, budget: Budget) -> NoGuessBoard | None:
        """Return a board, or None if the budget runs out first."""
        wish = self._wish()
        drawn = tried = refused = 0
        end = monotonic() + budget.seconds
        # Boards that are not as wanted are refused one by one, all within the one budget.
        while (drawn + tried) * self.topology.size <= budget.states:
            if (left := end - monotonic()) <= 0:
                return None
            number = stream * STREAMS + refused
            limits = Budget(budget.states, left)
            try:
                made = _kernel.noguess_make(self.topology.graph, wish, number, limits)
            except TooHard:
                return None
            drawn += made.drawn
            found = NoGuessBoard(
                self.topology, frozenset(made.mined), self.first, self.total, drawn, made.moved
            )
            try:
                if self.way == "uniform" or self.taste.plain:
                    best = found if self._fits(found) else None
                else:
                    best, changes = self._descend(found, number, end)
                    tried += changes
            except BudgetExceeded:
                best = None  # its proof takes too long
            if best is not None:
                return best
            refused += 1
        return None

    def _wish(self) -> _kernel.NoGuessWish:
        reasoning = "single" if self.clues == 1 and not self.total else "all"
        repair = self.way == "repaired"
        return _kernel.NoGuessWish(
            self.mines, self.first, self.start, reasoning, self.total, repair, self.seed
        )

    def _fits(self, board: NoGuessBoard) -> bool:
        if self.clues is None and self.taste.plain:
            return True
        effort = board.proof.effort
        return self.taste.fits(effort) and (self.clues is None or effort.hardest <= self.clues)

    def _descend(
        self, board: NoGuessBoard, number: int, end: float
    ) -> tuple[NoGuessBoard | None, int]:
        """Change one mine at a time. Return the best board that fits, and the changes tried."""
        graph, wish, taste = self.topology.graph, self._wish(), self.taste
        random = own_numbers(self.seed, number)
        kept = self.kept
        mined = sorted(board.minefield)
        free = [c for c in range(self.topology.size) if c not in kept and c not in board.minefield]
        energy = taste.value(board.proof.effort)
        best = (energy, board) if self._fits(board) else None
        at = 0
        while at < taste.iterations and mined and free and not (best and taste.done):
            if (left := end - monotonic()) <= 0:
                # The best board so far would depend on the speed of the machine.
                raise NoGuessError(
                    f"the time was over after {at:,} of {taste.iterations:,} changes; allow more "
                    "time or fewer iterations"
                )
            one, other = random.below(len(mined)), random.below(len(free))
            mined[one], free[other] = free[other], mined[one]
            at += 1
            limits = Budget(BUDGET.states, left)
            try:
                stuck = _kernel.noguess_stuck(graph, wish, mined, limits)
                changed = replace(board, minefield=frozenset(mined), moved=board.moved + 1)
                then = taste.value(changed.proof.effort) if not stuck else inf
            except (TooHard, BudgetExceeded):
                then = inf
            share = at / taste.iterations
            if then == inf or not taste.accepts(energy, then, share, random.uniform()):
                mined[one], free[other] = free[other], mined[one]
                continue
            board, energy = changed, then
            if self._fits(board) and (best is None or energy < best[0]):
                best = energy, board
        return (None if best is None else best[1]), at


def middle(topology: Topology) -> int:
    """Return the cell in the middle of a board."""
    return topology.cell(*(side // 2 for side in reversed(topology.shape)))
