"""The Solve button of Collet's program: a solver runs when the player asks for it.

It takes the constraints that the propagators have left, and tells what all solutions have in
common. Only if that is nothing new does it show the chances (section 4.3 of his text).
"""

from time import monotonic
from typing import NamedTuple

from minewright.inference import BudgetExceeded
from minewright.position import Position
from minewright.strategies.oz import Assistant
from minewright.strategies.oz.solvers import Variables, needed


class Solution(NamedTuple):
    """What a solver found."""

    safe: set[int]
    mined: set[int]
    chances: dict[int, float]
    solutions: dict[Variables, int | None]
    """How many solutions each solver computes; None for too many."""


def run(position: Position, engines: list[str], kind: Variables, seconds: float) -> Solution:
    """Let the propagators `engines` work, then the solver; raise BudgetExceeded if too hard."""
    end = monotonic() + seconds
    assistant = Assistant(position.topology, position.mines, engines)
    assistant.tell(position)
    while assistant.think():
        _check(end)
    solutions = needed(assistant.collector)
    if solutions[kind] is None:
        raise _too_hard()
    assistant.switch(kind)
    while assistant.think():
        _check(end)
    solver, known = assistant.solver, assistant.known()
    chances = solver.chances if solver else {}
    return Solution(set(known.safe), set(known.mined), chances, solutions)


def _check(end: float) -> None:
    if monotonic() > end:
        raise _too_hard()


def _too_hard() -> BudgetExceeded:
    return BudgetExceeded("too hard: the solver did not finish in time", (), 0)
