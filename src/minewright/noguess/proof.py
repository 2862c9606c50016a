"""A proof that a board needs no guess: the steps, each with the clues that it follows from."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from minewright.deduction.effort import Effort
from minewright.deduction.opening import BUDGET, Step, is_open, open_by_steps, truth_of
from minewright.inference import Budget
from minewright.position import COVERED, MINED, Position
from minewright.topology import Topology

FORMAT: Final = "minewright no-guess proof 1"


@dataclass(frozen=True, slots=True)
class Proof:
    """A board, the cell it begins with, and steps that open all its safe cells.

    Cells that a step calls safe are opened before the next step, together with all that a 0 opens.
    """

    topology: str
    shape: tuple[int, ...]
    mines: tuple[int, ...]
    first: int
    steps: tuple[Step, ...]

    @property
    def effort(self) -> Effort:
        """How many of its steps need how many clues."""
        return Effort.of(step.needs for step in self.steps)

    @property
    def hardest(self) -> int:
        """The most clues that any step needs; 0 if the first cell opens everything."""
        return self.effort.hardest

    @property
    def workload(self) -> int:
        """The sum over all steps of the clues beyond the first: the difficulty of the board."""
        return self.effort.workload

    @property
    def by_clues(self) -> dict[int, int]:
        """How many steps need one clue, two clues, and so on."""
        return self.effort.by_clues

    def json(self) -> str:
        """Return the proof as a file for `minewright verify`."""
        return json.dumps(
            {
                "format": FORMAT,
                "topology": self.topology,
                "shape": self.shape,
                "mines": self.mines,
                "first": self.first,
                "steps": [
                    {
                        "clues": step.clues,
                        "total": step.total,
                        "safe": step.safe,
                        "mined": step.mined,
                    }
                    for step in self.steps
                ],
            }
        )

    def at(self, position: Position) -> int | None:
        """Return the first step that was possible in a position and that its player had not made.

        This answers 'I had to guess!': it is the number of a step whose clues were all open and
        whose safe cells were not. None if there is no such step.
        """
        cells = position.cells
        for number, step in enumerate(self.steps):
            if not any(cells[cell] > MINED for cell in step.safe):
                continue
            if all(cells[clue] < MINED for clue in step.clues):
                return number
        return None


def prove(
    topology: Topology,
    mined: Iterable[int],
    first: int,
    *,
    total: bool = True,
    budget: Budget = BUDGET,
) -> Proof:
    """Return a proof that this board needs no guess, with the simplest step first.

    Raise ValueError if it does need one, and BudgetExceeded if a step is too hard to find.
    """
    mines = tuple(sorted(mined))
    truth = truth_of(topology, mines)
    if truth[first] == MINED:
        raise ValueError(f"the first cell, {topology.describe(first)}, is mined")
    covered = bytes((COVERED,)) * topology.size
    opening = open_by_steps(topology, truth, covered, [first], total=total, budget=budget)
    steps = opening.steps
    if not is_open(truth, opening.cells):
        raise ValueError(f"after {len(steps)} steps nothing is certain: a guess is needed")
    return Proof(topology.name, topology.shape, mines, first, steps)
