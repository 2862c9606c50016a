"""A proof that a board needs no guess: the steps, each with the clues that it follows from."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from minewright.deduction import next_step
from minewright.game import Game
from minewright.inference import Budget
from minewright.position import MINED, Position
from minewright.topology import Topology

FORMAT: Final = "minewright no-guess proof 1"
BUDGET: Final = Budget(states=200_000_000, seconds=60.0)


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
    def hardest(self) -> int:
        """The most clues that any step needs; 0 if the first cell opens everything."""
        return max((step.needs for step in self.steps), default=0)

    @property
    def workload(self) -> int:
        """The sum over all steps of the clues beyond the first: the difficulty of the board."""
        return sum(max(step.needs - 1, 0) for step in self.steps)

    @property
    def by_clues(self) -> dict[int, int]:
        """How many steps need one clue, two clues, and so on."""
        found = sorted(step.needs for step in self.steps)
        return {needs: found.count(needs) for needs in dict.fromkeys(found)}

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
    game = Game.from_minefield(topology, mines)
    game.open(first)
    if game.state == "lost":
        raise ValueError(f"the first cell, {topology.describe(first)}, is mined")
    known: dict[int, int] = {}
    steps: list[Step] = []
    while not game.over:
        position = game.position if total else game.position.with_mines(None)
        found = next_step(position.with_cells(known), budget=budget)
        if found is None:
            raise ValueError(f"after {len(steps)} steps nothing is certain: a guess is needed")
        steps.append(Step(found.clues, found.total, found.safe, found.mined))
        for cell in found.safe:
            game.open(cell)
        known |= dict.fromkeys(found.mined, MINED)
    return Proof(topology.name, topology.shape, mines, first, tuple(steps))
