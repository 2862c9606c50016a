r"""The champion's advice: the best move with its reasons, what a move gave away, perfect play.

>>> from minewright.position import Position
>>> move = best_move(Position.parse("4x3x2\n####\n1221\n0000"))
>>> print(move.sentence)
Row 1, column 1 is certainly safe.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Final, Literal

from minewright import _kernel
from minewright.board import Board
from minewright.errors import MinewrightError
from minewright.game import StartRule, topology_of
from minewright.inference import DEFAULT_BUDGET, Budget, BudgetExceeded, analyze
from minewright.levels import LEVELS, Level, usual_budget
from minewright.messages import counted, whole_within
from minewright.position import MARKED, MINED, Position
from minewright.topology import Topology

TOLD: Final = 3
"""At most this many of the numbers that a guess may show are named: the likeliest."""
EVEN: Final = 0.001
"""Chances that differ by less than this are called equal."""


class ChampionError(MinewrightError, ValueError):
    """A position without a best move, or a question that cannot be answered, in one line."""


@dataclass(frozen=True, slots=True)
class Option:
    """A cell that was considered, and what opening it promises."""

    cell: int
    risk: float
    """The chance of a mine."""
    win: float
    """The chance to win if this cell is opened next; exact if the move is proved."""
    progress: float
    """The chance that its number makes some other cell safe; 0 if that was not worked out."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """What follows if a cell shows a given number."""

    number: int
    chance: float
    """The chance that the cell is opened and shows this number."""
    safe: int
    """How many other cells would then be certainly safe."""
    won: bool
    """Whether only mines would then be covered."""
    least: float
    """The risk of the safest cell after that; 0 if one is safe or the game is won."""


@dataclass(frozen=True, slots=True)
class BestMove:
    """The champion's choice in a position."""

    position: Position
    cell: int
    safe: bool
    """Whether the cell is certainly safe."""
    risk: float
    win: float
    """The chance to win from here: an estimate between the bounds."""
    lower: float
    upper: float
    """Proved bounds for the chance to win with best play."""
    proved: bool
    """Whether no move is better: the cell is safe, or all that can follow was searched."""
    options: tuple[Option, ...]
    """The cells that were compared, the best first; empty if the move is safe."""
    games: int = 0
    """How many games were played out after the move; if any, `win` is what they tell."""

    @property
    def safest(self) -> Option | None:
        """The safest of the cells that were compared."""
        return min(self.options, key=lambda option: option.risk, default=None)

    @property
    def sentence(self) -> str:
        """The choice and its reason, in a sentence or two."""
        where = self.position.topology.describe(self.cell)
        where = where[0].upper() + where[1:]
        if self.safe:
            return f"{where} is certainly safe."
        return f"{where}: {_reason(self)}"

    @property
    def sentences(self) -> tuple[str, ...]:
        """The choice and its reason, then what the likeliest numbers lead to if it is a guess."""
        return self.told()

    def told(self, budget: Budget = DEFAULT_BUDGET) -> tuple[str, ...]:
        """Return the sentences; the last one is left out if it takes more than the budget."""
        if self.safe:
            return (self.sentence,)
        try:
            return self.sentence, self.what_next(budget)
        except BudgetExceeded:
            return (self.sentence,)

    @property
    def outlook(self) -> str:
        """The chance to win from here, in a sentence."""
        if self.lower == self.upper:
            return f"From here, best play wins {self.win:.1%} of the time."
        source = f", judging by {counted(self.games, 'game')} played out" if self.games else ""
        return f"From here, the chance to win is about {self.win:.1%}{source}."

    def what_next(self, budget: Budget = DEFAULT_BUDGET) -> str:
        """Return what the likeliest numbers of the cell lead to, in a sentence.

        Raise BudgetExceeded.
        """
        return _what_next(continuations(self.position, self.cell, budget=budget))


def continuations(
    position: Position, cell: int, *, budget: Budget = DEFAULT_BUDGET
) -> tuple[Continuation, ...]:
    """Return what each number that a covered cell may show would lead to, the smallest first.

    Raise BudgetExceeded.
    """
    found = []
    for number, chance in enumerate(analyze(position, budget=budget).numbers(cell)):
        if chance <= 0:
            continue
        after = analyze(position.with_cells({cell: number}), budget=budget)
        won = len(after.mined) == len(after.position.covered)
        least = 0.0 if won or after.best is None else after.chances[after.best] or 0.0
        found.append(Continuation(number, chance, len(after.safe), won, least))
    return tuple(found)


def _what_next(found: Sequence[Continuation]) -> str:
    """Return a sentence about the likeliest numbers."""
    told = sorted(found, key=lambda one: (-one.chance, one.number))[:TOLD]
    parts = [
        f"on a {one.number} ({one.chance:.0%}), {_leads_to(one)}"
        for one in sorted(told, key=lambda one: one.number)
    ]
    text = "; ".join(parts)
    if all(one.safe or one.won for one in found):
        return f"Whatever it shows, it settles something: {text}."
    return f"{text[0].upper()}{text[1:]}."


def _leads_to(one: Continuation) -> str:
    if one.won:
        return "the game is won"
    if one.safe:
        return "one cell becomes safe" if one.safe == 1 else f"{one.safe} cells become safe"
    return f"no cell is safe, and the next risk is {one.least:.0%}"


def _reason(move: BestMove) -> str:
    safest = move.safest
    chance = f"{move.risk:.1%} mine"
    ending = move.outlook
    if safest is None or move.risk <= safest.risk + EVEN:
        equals = [option for option in move.options if option.risk <= move.risk + EVEN]
        if len(equals) > 1 and equals[-1].win < move.win - EVEN:
            return f"{chance}, as safe as any cell, and it promises the most. {ending}"
        return f"{chance}, the safest cell. {ending}"
    other = move.position.topology.describe(safest.cell)
    more = move.win / safest.win - 1 if safest.win > 0 else 1.0
    own = next(option for option in move.options if option.cell == move.cell)
    promise = "promises more" if more < EVEN else f"wins {more:.1%} more often"
    text = (
        f"{chance}, {move.risk - safest.risk:.1%} more than the safest cell ({other}), but it "
        f"{promise}"
    )
    if own.progress > safest.progress + EVEN:
        text += (
            f": its number settles another cell {own.progress:.0%} of the time, "
            f"compared with {safest.progress:.0%} there"
        )
    elif move.proved:
        text += ": every way the game can go on was searched"
    return f"{text}. {ending}"


def best_move(
    position: Position,
    *,
    level: Level = "usual",
    trust_marks: bool = False,
    budget: Budget | None = None,
) -> BestMove:
    """Return the move that wins most often, as far as the champion can see.

    If any cell is certainly safe, return the first such cell. Raise ChampionError if the mine total
    is unknown, no minefield fits, no cell is left to open, or there is no such level, and
    BudgetExceeded if it takes too much work.
    """
    return _judge(position, level, trust_marks, None, _allowed(level, budget))


@dataclass(frozen=True, slots=True)
class Regret:
    """What a move gave away, whatever luck it had."""

    kind: Literal["none", "missed proof", "bad guess"]
    share: float
    """The share of the chance to win that was given away."""
    win: float
    """The chance to win before the move, with the champion's choice."""
    best: int
    """The champion's choice."""
    risk: float
    """The chance that the move would explode."""


def regret(
    position: Position,
    cell: int,
    *,
    level: Level = "usual",
    budget: Budget | None = None,
) -> Regret:
    """Return what opening a covered cell gives away against the champion's choice.

    A risk where another cell is certainly safe is a missed proof; it gives away its risk. A guess
    that wins less often than the champion's is a bad guess. Raise ChampionError as `best_move`
    does, or if the cell is not covered, and BudgetExceeded.
    """
    budget = _allowed(level, budget)
    cell = whole_within("a cell", cell, 0, position.topology.size - 1, ChampionError)
    if cell not in position.covered:
        raise ChampionError(f"{position.topology.describe(cell)} is not covered")
    analysis = analyze(position, budget=budget)
    risk = analysis.chances[cell] or 0.0
    if analysis.safe:
        kind: Literal["none", "missed proof"] = "none" if cell in analysis.safe else "missed proof"
        return Regret(kind, risk, 1.0, analysis.safe[0], risk)
    best = _judge(position, level, False, cell, budget)
    own = [option.win for option in best.options if option.cell == cell]
    # A cell without a value is a certain mine, or in another, independent part of the board.
    win = own[0] if own else 0.0 if cell in analysis.mined else best.win
    share = max(0.0, 1 - win / best.win) if best.win > 0 else 0.0
    if share < EVEN:
        return Regret("none", 0.0, best.win, best.cell, risk)
    return Regret("bad guess", share, best.win, best.cell, risk)


def _allowed(level: Level, budget: Budget | None) -> Budget:
    """Return what a question at a level may cost. Raise ChampionError if there is no such level."""
    if level not in LEVELS:
        *others, last = LEVELS
        raise ChampionError(f"a level is {', '.join(others)} or {last}, not {level!r}")
    return budget or usual_budget(level)


def _judge(
    position: Position, level: Level, trust_marks: bool, also: int | None, budget: Budget
) -> BestMove:
    if position.mines is None:
        raise ChampionError("the champion needs the mine total, which is unknown")
    analysis = analyze(position, trust_marks=trust_marks, budget=budget)
    if not analysis.consistent:
        raise ChampionError("no minefield fits the position")
    if analysis.safe:
        return BestMove(position, analysis.safe[0], True, 0.0, 1.0, 0.0, 1.0, True, ())
    cells = position.cells
    if trust_marks:
        cells = cells.replace(bytes((MARKED,)), bytes((MINED,)))
    cells = _uncover(cells)
    graph = position.topology.graph
    try:
        found = _kernel.champion(
            graph, cells, position.mines, level, -1 if also is None else also, budget
        )
    except _kernel.TooHard as error:
        raise BudgetExceeded.of(position.topology.describe, *error.args) from None
    if found is None:
        raise ChampionError("no cell is left to guess")
    if found.options and found.options[0].score == 0:
        raise BudgetExceeded("too hard: no cell was compared within the budget of the level")
    scale = found.estimate / found.options[0].score if found.options else 1.0
    return BestMove(
        position.with_marks_mined() if trust_marks else position,
        found.cell,
        False,
        found.risk,
        found.estimate,
        found.lower,
        found.upper,
        found.solved,
        tuple(
            Option(option.cell, option.risk, option.score * scale, option.progress)
            for option in found.options
            if option.score > 0
        ),
        found.games,
    )


def _uncover(cells: bytes) -> bytes:
    """Return codes in which marks that are not trusted are plain covered cells."""
    return cells.replace(bytes((MARKED,)), bytes((_kernel.COVERED,)))


# Perfect play on small boards


@dataclass(frozen=True, slots=True)
class FirstMove:
    """What best play wins after a first cell."""

    cell: int
    won: int
    minefields: int

    @property
    def share(self) -> Fraction:
        """The share of minefields won."""
        return Fraction(self.won, self.minefields) if self.minefields else Fraction(0)


@dataclass(frozen=True, slots=True)
class Optimum:
    """The exact value of a board under a start rule, and of every first cell up to symmetry."""

    board: Board
    start: StartRule
    topology: Topology
    first_moves: tuple[FirstMove, ...]
    """All first cells, best first."""

    @property
    def best(self) -> FirstMove:
        """The best first move."""
        return self.first_moves[0]


SOLVING: Final = Budget(states=10**15, seconds=3600.0)
"""Solving a board takes a long time."""

MOST_CELLS: Final = 1_000
MOST_NUMBERS: Final = 1_000_000_000
"""The most bytes to keep: one for what each cell shows in each minefield of a board."""


def optimal(
    board: Board | str,
    start: StartRule = "any",
    topology: str | Topology = "moore",
    *,
    budget: Budget = SOLVING,
) -> Optimum:
    """Solve a small board: return what best play wins, exactly, for every first cell.

    Raise ChampionError if the board has too many minefields, and BudgetExceeded.
    """
    board = Board.of(board)
    shape = topology_of(board, topology)
    if shape.size > MOST_CELLS or shape.size * _minefields(shape.size, board.mines) > MOST_NUMBERS:
        raise ChampionError(f"{board}: the board has too many minefields; choose a smaller one")
    graph = shape.graph
    maps = list(_symmetries(shape))
    cells = [cell for cell in range(shape.size) if all(cell <= image[cell] for image in maps)]
    try:
        found = _kernel.solve_board(graph, board.mines, maps, cells, budget)
    except _kernel.TooHard as error:
        raise BudgetExceeded.of(shape.describe, *error.args) from None
    except ValueError as error:
        raise ChampionError(f"{board}: {error}; choose a smaller one") from None
    everywhere = found[0].safe * shape.size // max(1, shape.size - board.mines) if found else 0
    moves = []
    for first in found:
        if start == "open":
            moves.append(FirstMove(first.cell, first.open_won, first.open))
        else:
            minefields = everywhere if start == "any" else first.safe
            moves.append(FirstMove(first.cell, first.won, minefields))
    possible = [move for move in moves if move.minefields]
    if board.mines == shape.size:
        raise ChampionError(f"{board}: every cell is mined, so there is nothing to open")
    if not possible:
        raise ChampionError(f"{board}: the start rule {start} leaves no room for the mines")
    ranked = sorted(possible, key=lambda move: (-move.share, move.cell))
    return Optimum(board, start, shape, tuple(ranked))


def _minefields(cells: int, mines: int) -> int:
    """Return how many minefields a board has, or some number that is too large."""
    ways = 1
    for chosen in range(1, min(mines, cells - mines) + 1):
        ways = ways * (cells - chosen + 1) // chosen
        if ways > MOST_NUMBERS:
            break
    return ways


def _symmetries(topology: Topology) -> Iterator[Sequence[int]]:
    """Yield the turns and reflections of a rectangle that keep neighbours, without the identity."""
    if len(topology.shape) != 2:
        return
    width, height = topology.shape
    near = topology.graph.neighbours
    for swap, flip, mirror in product((False, True), repeat=3):
        if not (swap or flip or mirror) or (swap and width != height):
            continue
        image = []
        for row, column in product(range(height), range(width)):
            x, y = (row, column) if swap else (column, row)
            x, y = (width - 1 - x if mirror else x), (height - 1 - y if flip else y)
            image.append(y * width + x)
        if all(
            {image[other] for other in near(cell)} == set(near(image[cell]))
            for cell in range(topology.size)
        ):
            yield image
