"""Finding the next step: the paper's order, or the simplest first."""

from collections.abc import Iterator
from typing import Literal, get_args

from minewright import _kernel
from minewright._kernel import TooHard
from minewright.deduction.step import Deduction
from minewright.inference import DEFAULT_BUDGET, Budget, BudgetExceeded, analyze
from minewright.position import Position

Search = Literal["simplest", "paper"]
SEARCHES: tuple[Search, ...] = get_args(Search)


def next_step(
    position: Position, search: Search = "simplest", *, budget: Budget = DEFAULT_BUDGET
) -> Deduction | None:
    """Return the next deduction in a position, or None if nothing is certain.

    `simplest` prefers the smallest number of clues, then the fewest covered cells around them,
    then reading order. `paper` is Neller and Tran's search. It uses a single clue if one is
    enough. Otherwise it takes the first cell that follows from all clues, drops clues one by one
    while the cell still follows, and concludes all that follows from those left. Only then does
    it do the same with the mine total.
    """
    if search not in SEARCHES:
        raise ValueError(f"there is no search {search!r}: use {' or '.join(SEARCHES)}")
    mines = -1 if position.mines is None else position.mines
    try:
        found = _kernel.deduce(position.topology.graph, position.cells, mines, search, budget)
    except TooHard as error:
        raise BudgetExceeded.of(position.topology.describe, *error.args) from None
    if found is None:
        return None
    kind, clues, safe, mined = found
    return Deduction(position, kind, tuple(clues), tuple(safe), tuple(mined))


def explain(
    position: Position, search: Search = "simplest", *, budget: Budget = DEFAULT_BUDGET
) -> Iterator[Deduction]:
    """Yield deductions one after another, each in the position that the previous one led to.

    An inconsistent position has none; `analyze(position).clash` says why.
    """
    if not analyze(position, budget=budget).consistent:
        return
    while (step := next_step(position, search, budget=budget)) is not None:
        yield step
        position = step.after
