"""All the steps that open a board, one after another, each the simplest there is."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from minewright import _kernel
from minewright._kernel import TooHard
from minewright.deduction.effort import Effort
from minewright.inference import Budget, BudgetExceeded
from minewright.position import MAX_NUMBER, MINED
from minewright.topology import Topology

BUDGET = Budget(states=200_000_000, seconds=60.0)
"""What it may cost to open one board."""


@dataclass(frozen=True, slots=True)
class Step:
    """What follows from some open numbers, and from the number of mines if `total` is True."""

    clues: tuple[int, ...]
    total: bool
    safe: tuple[int, ...]
    mined: tuple[int, ...]

    @property
    def needs(self) -> int:
        """The number of clues that it takes together; the number of mines counts as one."""
        return len(self.clues) + self.total


class Opening(NamedTuple):
    """The steps taken, and what is visible afterwards."""

    steps: tuple[Step, ...]
    cells: bytes

    @property
    def effort(self) -> Effort:
        """How many steps need how many clues."""
        return Effort.of(step.needs for step in self.steps)


def truth_of(topology: Topology, mined: Iterable[int]) -> bytes:
    """Return what each cell of a minefield holds: its number, or MINED."""
    numbers = bytearray(topology.size)
    mines = frozenset(mined)
    for mine in mines:
        for cell in topology.graph.neighbours(mine):
            numbers[cell] += 1
    for mine in mines:
        numbers[mine] = MINED
    return bytes(numbers)


def open_by_steps(
    topology: Topology,
    truth: bytes,
    cells: bytes,
    first: Iterable[int] = (),
    *,
    total: bool = True,
    budget: Budget = BUDGET,
) -> Opening:
    """Open the cells in `first`, then all that follows step by step, until nothing is certain.

    `truth` holds what each cell of the minefield holds, `cells` what is visible at the beginning.
    A mine in `first` becomes a known mine. `total` says whether the number of mines may be used.
    Raise BudgetExceeded if a step is too hard to find.
    """
    mines = truth.count(MINED) if total else -1
    try:
        found, after = _kernel.open_by_steps(
            topology.graph, truth, cells, list(first), mines, budget
        )
    except TooHard as error:
        raise BudgetExceeded.of(topology.describe, *error.args) from None
    steps = [
        Step(tuple(clues), kind == 2, tuple(safe), tuple(mined))
        for kind, clues, safe, mined in found
    ]
    return Opening(tuple(steps), after)


def is_open(truth: bytes, cells: bytes) -> bool:
    """Return True if every safe cell is open."""
    return all(
        seen <= MAX_NUMBER for real, seen in zip(truth, cells, strict=True) if real <= MAX_NUMBER
    )
