"""How hard a board is: clicks, steps, guesses, and one number.

>>> from minewright import noguess
>>> rated = rate(noguess.make("9x9x10", seed=3))
>>> rated.effort.by_clues, rated.workload, rated.guesses, rated.difficulty
({1: 27, 2: 2, 4: 1}, 5, 0, 5)
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Final

from minewright.board import Board
from minewright.bullets import Puzzle
from minewright.bullets import solve as solve_puzzle
from minewright.clicks import bbbv, openings
from minewright.deduction.effort import Effort, Level
from minewright.deduction.opening import Step, is_open, open_by_steps, truth_of
from minewright.formats import Replay
from minewright.game import Game, GameError, StartRule
from minewright.inference import Budget, BudgetExceeded, analyze
from minewright.noguess import NoGuessBoard
from minewright.noguess.maker import middle
from minewright.position import COVERED, SAFE, Position
from minewright.strategies.catalogue import Recipe
from minewright.strategies.play import own_numbers
from minewright.strategies.strategy import NOTHING, Guesser, Random
from minewright.topology import Topology, get

GUESSER: Final = "champion"
"""Who guesses when nothing is certain: the strongest guesser there is."""
BUDGET: Final = Budget(states=200_000_000, seconds=60.0)
"""What the rating of one board may cost: states for each step, and seconds in all."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What it takes to open one board, begun at a given cell.

    Every safe cell is opened by the simplest step there is. Where nothing is certain a guesser
    guesses. A guess that hits a mine is forgiven: the mine is then known, and play continues.
    """

    board: str
    topology: str
    first: tuple[int, ...] | None
    """The coordinates of the cell it begins with; None for a puzzle."""
    bbbv: int | None
    """3BV, the fewest clicks that clear the board; None for a puzzle."""
    openings: int | None
    effort: Effort
    """How many steps need how many clues."""
    guesses: int = 0
    chance: float = 1.0
    """The product of the chances that each guess was safe."""
    won: bool = True
    """Whether no guess hit a mine."""

    @property
    def workload(self) -> int:
        """The sum over all steps of the clues beyond the first."""
        return self.effort.workload

    @property
    def difficulty(self) -> int | None:
        """The workload of a board that needs no guess; None if it needs one."""
        return None if self.guesses else self.workload

    @property
    def level(self) -> Level | None:
        """The difficulty in a word, by the hardest step; None if a guess is needed."""
        return None if self.guesses else self.effort.level

    def as_data(self) -> dict[str, object]:
        """Return the rating as JSON data."""
        return {
            "board": self.board,
            "topology": self.topology,
            "first": self.first,
            "bbbv": self.bbbv,
            "openings": self.openings,
            "steps": self.effort.steps,
            "by_clues": {str(clues): steps for clues, steps in self.effort.by_clues.items()},
            "hardest": self.effort.hardest,
            "workload": self.workload,
            "guesses": self.guesses,
            "chance": self.chance,
            "won": self.won,
            "difficulty": self.difficulty,
            "level": self.level,
        }


Rateable = NoGuessBoard | Replay | Puzzle
"""What has a difficulty of its own."""


def rate(
    what: Rateable,
    *,
    first: int | None = None,
    guesser: str = GUESSER,
    seed: int = 0,
    budget: Budget = BUDGET,
) -> Rating:
    """Rate a board or a Bullets puzzle.

    `first` is the cell to begin with; by default the board's own, the first one opened in a
    replay, or the 0 nearest to the middle. `guesser` chooses where nothing is certain, and `seed`
    is for its random numbers. A puzzle needs no guess. Raise ValueError if the first cell is
    mined, and BudgetExceeded if a step is too hard to find. The states of the budget are for each
    step, the seconds for all of them together.
    """
    if isinstance(what, Puzzle):
        effort = solve_puzzle(what, "refined", budget=budget).effort
        board = str(Board(what.topology.shape, what.bullets))
        return Rating(board, what.topology.name, None, None, None, effort)
    topology, mined, own = _parts(what)
    chosen = own if first is None else first
    if chosen is None:
        chosen = beginning(topology, mined)
    return rate_minefield(topology, mined, chosen, guesser=guesser, seed=seed, budget=budget)


def rate_minefield(
    topology: Topology,
    mined: Iterable[int],
    first: int,
    *,
    seen: bytes | None = None,
    guesser: str = GUESSER,
    seed: int = 0,
    budget: Budget = BUDGET,
) -> Rating:
    """Rate a minefield whose game begins at `first`, or continues from what is `seen`.

    Cells that are seen to be SAFE are opened at once.
    """
    mines = frozenset(mined)
    truth = truth_of(topology, mines)
    if seen is None and first in mines:
        raise ValueError(f"the first cell, {topology.describe(first)}, is mined")
    cells = bytes((COVERED,)) * topology.size
    opens = [first]
    if seen is not None:
        cells = seen.replace(bytes((SAFE,)), bytes((COVERED,)))
        opens = [cell for cell, code in enumerate(seen) if code == SAFE]
    chooser = _Chooser(guesser, seed)
    steps: list[Step] = []
    guesses, chance, won = 0, 1.0, True
    end = monotonic() + budget.seconds
    while True:
        opening = open_by_steps(topology, truth, cells, opens, budget=_left(budget, end))
        steps += opening.steps
        cells = opening.cells
        if is_open(truth, cells):
            break
        cell, risk = chooser.choose(Position(topology, cells, len(mines)), budget, end)
        opens = [cell]
        guesses += 1
        chance *= 1.0 - risk
        won = won and cell not in mines
    return Rating(
        board=str(Board(topology.shape, len(mines))),
        topology=topology.name,
        first=topology.coordinates(first) if seen is None else None,
        bbbv=bbbv(topology, truth),
        openings=openings(topology, truth),
        effort=Effort.of(step.needs for step in steps),
        guesses=guesses,
        chance=chance,
        won=won,
    )


def rate_boards(
    board: Board | str,
    count: int,
    seed: int = 0,
    *,
    topology: str = "moore",
    start: StartRule = "open",
    first: int | None = None,
    guesser: str = GUESSER,
    budget: Budget = BUDGET,
) -> Iterator[Rating]:
    """Yield the ratings of ordinary boards, which may need guesses, as games of a seed draw them.

    They begin in the middle unless `first` is given.
    """
    board = Board.of(board)
    where = get(topology, board.shape)
    if board.mines == where.size:
        raise GameError(f"{board}: every cell is mined, so there is nothing to open")
    cell = middle(where) if first is None else first
    for stream in range(count):
        game = Game(board, start, seed, stream=stream, topology=where)
        game.open(cell)
        if not game.over:
            game.give_up()
        mined = game.minefield
        begin = cell if cell not in mined else beginning(where, mined)
        yield rate_minefield(where, mined, begin, guesser=guesser, seed=seed, budget=budget)


def beginning(topology: Topology, mined: frozenset[int]) -> int:
    """Return the 0 nearest to the middle, or the safe cell nearest to it. There must be one."""
    truth = truth_of(topology, mined)
    centre = topology.coordinates(middle(topology))

    def distance(cell: int) -> tuple[bool, int, int]:
        place = topology.coordinates(cell)
        apart = sum((a - b) ** 2 for a, b in zip(place, centre, strict=True))
        return truth[cell] > 0, apart, cell

    safe = [cell for cell in range(topology.size) if cell not in mined]
    if not safe:
        raise ValueError("every cell is mined: there is nothing to open")
    return min(safe, key=distance)


def _parts(what: NoGuessBoard | Replay) -> tuple[Topology, frozenset[int], int | None]:
    if isinstance(what, NoGuessBoard):
        return what.topology, what.minefield, what.first
    opened = next((made.move.cell for made in what.moves if made.move.kind == "open"), None)
    return what.topology, what.mined, None if opened in what.mined else opened


def _left(budget: Budget, end: float) -> Budget:
    """Return what is left of a budget for one step. Raise BudgetExceeded if the time is up."""
    seconds = end - monotonic()
    if seconds <= 0:
        raise BudgetExceeded(
            f"too long: one board was not rated within {budget.seconds:g} seconds; it is too large"
            " or too hard"
        )
    return Budget(budget.states, seconds)


class _Chooser:
    """Guesses as a registered guesser does, and says how large the risk is."""

    def __init__(self, guesser: str, seed: int) -> None:
        self._guesser: Guesser = Recipe("exact", guesser).player(Random(0)).guesser
        self._random = own_numbers(seed)

    def choose(self, position: Position, budget: Budget, end: float) -> tuple[int, float]:
        covered = [cell for cell, code in enumerate(position.cells) if code == COVERED]
        cell = self._guesser.choose(position, covered, NOTHING, self._random).cell
        return cell, analyze(position, budget=_left(budget, end)).chances[cell] or 0.0
