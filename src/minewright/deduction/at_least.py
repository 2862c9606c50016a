r"""Neller and Tran's at-least constraints, and what follows from them.

>>> from minewright.position import COVERED, MARKED, MAX_NUMBER, MINED, Position
>>> given = constraints_of(Position.parse("3x1x?\n#1-"))
>>> print(*given, sep="\n")
atLeast(1, {0, 2}, true)
atLeast(1, {0, 2}, false)
atLeast(1, {2}, false)
>>> consequences(given)
{0: True, 2: False}
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from minewright import _kernel
from minewright._kernel import TooHard
from minewright.inference import DEFAULT_BUDGET, Budget, BudgetExceeded
from minewright.position import COVERED, MARKED, MAX_NUMBER, MINED, Position

Engine = Literal["fast", "dancing"]
ENGINES: tuple[Engine, ...] = get_args(Engine)

_OPEN = 2


@dataclass(frozen=True, slots=True)
class AtLeast:
    """At least `count` of the `cells` have the `value`: True for mined, False for safe."""

    count: int
    cells: tuple[int, ...]
    value: bool

    def __post_init__(self) -> None:
        if min(self.cells, default=0) < 0:
            raise ValueError(f"{self} names a cell below 0: cells are numbered from 0")
        if len(set(self.cells)) < len(self.cells):
            raise ValueError(f"{self} names a cell twice: name each cell once")

    def __str__(self) -> str:
        cells = ", ".join(map(str, self.cells))
        return f"atLeast({self.count}, {{{cells}}}, {str(self.value).lower()})"


def constraints_of(
    position: Position, clues: Iterable[int] | None = None, total: bool = False
) -> tuple[AtLeast, ...]:
    """Return what clues say, and what is known about the cells around them, as in the paper.

    A clue gives two constraints: how many of its neighbours are mined, and how many are safe. A
    known neighbour is a constraint of its own: "Cell 28 has a bullet" is atLeast(1, {28}, true).
    Without `clues`, all of them are used. With `total`, the mine total adds two constraints on all
    cells, and one for each known cell far from clues. It adds nothing if the total is unknown.
    """
    cells = position.cells
    if clues is None:
        clues = (cell for cell, code in enumerate(cells) if code <= MAX_NUMBER)
    told: set[int] = set()

    def exactly(count: int, among: tuple[int, ...]) -> Iterator[AtLeast]:
        yield AtLeast(count, among, True)
        yield AtLeast(len(among) - count, among, False)
        for cell in among:
            if cells[cell] not in (COVERED, MARKED) and cell not in told:
                told.add(cell)
                yield AtLeast(1, (cell,), cells[cell] == MINED)

    found: list[AtLeast] = []
    for clue in clues:
        if position[clue] > MAX_NUMBER:
            raise ValueError(f"{position.topology.describe(clue)} is not a clue: it has no number")
        found += exactly(cells[clue], position.topology.neighbours(clue))
    if total and position.mines is not None:
        found += exactly(position.mines, tuple(range(len(cells))))
    return tuple(found)


def consequences(
    constraints: Iterable[AtLeast], engine: Engine = "fast", *, budget: Budget = DEFAULT_BUDGET
) -> dict[int, bool] | None:
    """Return every cell that has the same value in all solutions, with that value.

    Return None if there is no solution. `fast` counts with the tables of exact inference.
    `dancing` is the paper's own search on Dancing Links, with the same answer, but slower. Raise
    BudgetExceeded if the budget is too small.
    """
    if engine not in ENGINES:
        raise ValueError(f"there is no engine {engine!r}: use {' or '.join(ENGINES)}")
    given = tuple(constraints)
    # As in the paper, the reasoner numbers only the cells involved.
    cells = sorted({cell for constraint in given for cell in constraint.cells})
    number = {cell: i for i, cell in enumerate(cells)}
    rows = [
        # The kernel's integers are bounded. Clamping a count to 0 … cells + 1 changes nothing.
        (max(0, min(c.count, len(c.cells) + 1)), [number[cell] for cell in c.cells], c.value)
        for c in given
    ]
    kernel = _kernel.AtLeasts(len(cells), rows)
    run = kernel.count if engine == "fast" else kernel.dance
    try:
        found = run(budget)
    except TooHard as error:
        numbers, states, seconds = error.args
        component = [cells[i] for i in numbers]
        raise BudgetExceeded.of("cell {}".format, component, states, seconds) from None
    if found is None:
        return None
    return {cell: code == 1 for cell, code in zip(cells, found, strict=True) if code != _OPEN}
