"""Hints: the step that helps a player who is stuck, said in few words."""

from collections.abc import Container, Iterable
from itertools import chain
from typing import Final

from minewright.deduction.step import Deduction
from minewright.inference import BudgetExceeded
from minewright.position import MARKED, Position

ALTERNATIVES: Final = 12
"""How many steps are looked at to find the one that is told in the fewest words."""


def helpful(
    position: Position, steps: Iterable[Deduction], known: Container[int] = ()
) -> Deduction | None:
    """Return the first step towards a safe cell that the player does not know, or None.

    `steps` begin in the position. A mine that leads to no safe cell is no help. A mine that is
    marked, or one of the `known` cells, is no news.
    """
    done: list[Deduction] = []
    steps = iter(steps)
    for last in steps:
        if last.safe:
            break
        done.append(last)
    else:
        return None
    if not done:
        # No other step leads up to it, so others like it may be told in fewer words.
        others = (step for step in chain([last], steps) if step.safe)
        return shortest(position, others)
    needed = [last]
    for step in reversed(done):
        looked = {near for later in needed for near in around(position, later.clues)}
        # The mine total counts every mine that is known.
        if looked.intersection(step.mined) or any(later.kind == 2 for later in needed):
            needed.append(step)
    return next(
        step
        for step in reversed(needed)
        if step.safe or any(position[cell] != MARKED and cell not in known for cell in step.mined)
    )


def shortest(position: Position, steps: Iterable[Deduction]) -> Deduction | None:
    """Return the step with the shortest sentence among those that stand by themselves.

    The first of `steps` is one of them; a later one is too if no earlier step says anything about
    the cells around its clues. Steps that need the mine total come last, since they look at
    everything. None if there are no steps.
    """
    near = position.topology.neighbours
    known: set[int] = set()
    able: list[Deduction] = []
    steps = iter(steps)
    for _ in range(ALTERNATIVES):
        try:
            step = next(steps)
        except StopIteration:
            break
        except BudgetExceeded:
            if able:
                break
            raise
        looked = {cell for clue in step.clues for cell in near(clue)}
        if not able or (step.kind < 2 and not looked & known):
            able.append(step)
        known.update(step.safe, step.mined)
    return min(able, key=lambda step: (step.kind == 2, len(step.sentence)), default=None)


def around(position: Position, clues: Iterable[int]) -> list[int]:
    """Return the clues and all cells around them, which is where to look."""
    near = position.topology.neighbours
    return sorted({cell for clue in clues for cell in (clue, *near(clue))})
