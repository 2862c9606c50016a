"""Explained steps, and what the numbers of a cell would lead to."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, Self

from pydantic import BaseModel, Field

from minewright.deduction import Deduction
from minewright.inference import Budget, BudgetExceeded, analyze
from minewright.position import Position
from minewright.web.shared.models import Cell, Chance, inside

MAX_STEPS: Final = 1_000
MAX_LEADS: Final = 10
"""For so many numbers of the best cell it is worked out what they would lead to."""


class Lead(BaseModel):
    """What a number would lead to, if the cell showed it."""

    number: int
    chance: Chance
    safe: int = Field(description="How many covered cells would be certainly safe then.")
    mined: int
    won: bool = Field(description="Whether only mines would be covered: the game would be won.")


class StepView(BaseModel):
    """One step of the explained solution."""

    kind: int = Field(description="0 a single clue, 1 several clues, 2 with the mine total.")
    clues: list[Cell]
    safe: list[Cell]
    mined: list[Cell]
    pattern: str | None
    sentence: str

    @classmethod
    def of(cls, step: Deduction) -> Self:
        """Show a deduction."""
        return cls(
            kind=step.kind,
            clues=list(step.clues),
            safe=list(step.safe),
            mined=list(step.mined),
            pattern=step.pattern,
            sentence=step.sentence,
        )


def lead(
    position: Position, cell: int, numbers: Iterable[float], budget: Callable[[], Budget]
) -> Iterator[Lead]:
    """Work out what the likeliest numbers of a cell would lead to, while there is time.

    `budget` gives what is left of it, or raises BudgetExceeded.
    """
    likely = sorted(((chance, number) for number, chance in enumerate(numbers)), reverse=True)
    for chance, number in sorted(likely[:MAX_LEADS], key=lambda lead: lead[1]):
        if chance <= 0.0:
            continue
        try:
            after = analyze(position.with_cells({cell: number}), budget=budget())
        except BudgetExceeded:
            return
        yield Lead(
            number=number,
            chance=inside(chance),
            safe=len(after.safe),
            mined=len(after.mined),
            won=len(after.mined) == len(after.position.covered),
        )
