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
"""The most numbers of a cell whose consequences are worked out."""


class Lead(BaseModel):
    """What a number would lead to, if the cell showed it."""

    number: int
    chance: Chance
    safe: int = Field(description="How many covered cells would then be certainly safe.")
    mined: int
    won: bool = Field(description="Whether this would win the game: only mines would be covered.")


class StepView(BaseModel):
    """One step of the explained solution."""

    kind: int = Field(description="0: a single clue, 1: several clues, 2: also the mine total.")
    clues: list[Cell]
    safe: list[Cell]
    mined: list[Cell]
    pattern: str | None
    sentence: str

    @classmethod
    def of(cls, step: Deduction) -> Self:
        """Return the view of a deduction."""
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
    """Yield what the likeliest numbers of a cell would lead to, while there is time.

    `budget` returns what is left of it, or raises BudgetExceeded.
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
