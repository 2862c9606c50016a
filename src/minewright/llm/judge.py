"""The judge of a move: exact inference, and the checker of the stated reason. No model is asked."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from minewright.deduction.effort import Effort
from minewright.deduction.search import explain
from minewright.inference import analyze
from minewright.llm.answers import Answer
from minewright.position import Position

Reason = Literal["proved", "unproved", "false"]
"""What a claim of certainty is worth.

- `proved`: the cell is free in every minefield that fits the stated clues.
- `unproved`: it is free, but the stated clues do not show it.
- `false`: it is not certain at all.
"""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a valid move was worth, in the position in which it was made."""

    certain: bool
    """Whether the opened cell was provably safe."""
    chance: float
    """The exact chance of a mine in the opened cell."""
    stated: float | None
    """The chance that the model stated."""
    regret: float
    """The chance of a mine beyond the least that any covered cell had."""
    workload: int | None
    """How much thought the simplest proof of a safe cell takes, if there is a safe cell."""
    reason: Reason | None
    """What the claim of certainty is worth, if there is one."""

    @property
    def needless(self) -> bool:
        """Whether it was a guess although some cell was provably safe."""
        return self.workload is not None and not self.certain


def judge(position: Position, answer: Answer) -> Verdict:
    """Judge a move. Raise BudgetExceeded if the position is too hard."""
    analysis = analyze(position)
    safe = frozenset(analysis.safe)
    chance = 0.0 if answer.cell in safe else analysis.chances[answer.cell] or 0.0
    reason: Reason | None = None
    if answer.stated_certain:
        reason = "false" if answer.cell not in safe else _checked(position, answer)
    return Verdict(
        certain=answer.cell in safe,
        chance=chance,
        stated=answer.chance,
        regret=chance - analysis.least,
        workload=_workload(position) if safe else None,
        reason=reason,
    )


def _checked(position: Position, answer: Answer) -> Reason:
    """Return whether the stated clues alone show that the cell is free."""
    alone = analyze(position, clues=answer.clues, use_total=answer.total)
    return "proved" if answer.cell in alone.safe else "unproved"


def _workload(position: Position) -> int:
    """Return the workload of the simplest steps up to the first safe cell."""

    def needs() -> Iterator[int]:
        for step in explain(position):
            yield len(step.clues) + (step.kind == 2)
            if step.safe:
                return

    return Effort.of(needs()).workload
