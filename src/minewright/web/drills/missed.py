"""What a finished game teaches: the steps that its player missed, as forms."""

from time import monotonic
from typing import Final

from minewright.deduction import Deduction, next_step
from minewright.inference import Budget, BudgetExceeded
from minewright.patterns import form_of
from minewright.position import Position
from minewright.web.review.risks import Review

MOST: Final = 10
"""The most forms that are taken from one game."""


def missed_forms(work: Review, seconds: float, states: int) -> list[str]:
    """Return the forms of the steps that were there when a risk was taken, without repeats."""
    end = monotonic() + seconds
    found: dict[str, None] = {}
    for at, risk in sorted(work.risks.items()):
        if not (risk.risk and risk.safe) or len(found) == MOST or monotonic() > end:
            continue
        budget = Budget(states, max(end - monotonic(), 0.01))
        try:
            step = _opening(work.position(at), budget)
        except BudgetExceeded:
            continue
        form = form_of(step) if step is not None else None
        if form is not None:
            found[form.text] = None
    return list(found)


def _opening(position: Position, budget: Budget) -> Deduction | None:
    """Return the first step that shows a safe cell."""
    while (step := next_step(position, budget=budget)) is not None and not step.safe:
        position = step.after
    return step
