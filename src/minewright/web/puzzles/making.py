"""Puzzles made to order, and the daily puzzle."""

from datetime import date
from random import Random
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from pydantic import Field

from minewright.bullets import PAPER, Difficulty, Energy, Symmetry, make
from minewright.bullets import daily as puzzle_of
from minewright.bullets.days import FIRST_DAY
from minewright.bullets.maker import Wishes
from minewright.inference import Budget, BudgetExceeded
from minewright.web.puzzles.codes import LEAST_SIDE, MOST_SIDE, CodeAsked, PuzzleTopology
from minewright.web.puzzles.views import PuzzleView, in_one_line, opened, view
from minewright.web.server.bounds import Queued
from minewright.web.server.refusals import PROBLEMS
from minewright.web.server.settings import Settings
from minewright.web.shared.days import day_asked
from minewright.web.shared.models import Asked, Seed

router = APIRouter(prefix="/api/bullets", tags=["bullets"], responses=PROBLEMS)

SEARCH: Final = 5_000_000
"""The budget of one search for a puzzle. It runs out before the time does, so that the same seed
makes the same puzzle everywhere."""

_SEEDS: Final = 10**9
"""The number of random seeds: few enough that a seed is short."""


class Taste(Asked):
    """What makes a puzzle good; the defaults are those of the paper."""

    single: float = Field(default=0.0, ge=-3, le=3, description="Steps with a single clue.")
    several: float = Field(default=1.5, ge=-3, le=3, description="Steps that compare clues.")
    total: float = Field(default=1.5, ge=0, le=6, description="How many bullets need the total.")

    def energy(self) -> Energy:
        """Return the energy: the lower, the better the puzzle."""
        found = Energy((-self.single, -self.several, -2 * self.total), (0.0, 0.0, 1.0))
        return PAPER if found == PAPER else found


class Wish(Asked):
    """A puzzle to make."""

    size: int = Field(default=7, ge=LEAST_SIDE, le=MOST_SIDE, description="The side of a square.")
    bullets: int | None = Field(
        default=None, ge=1, lt=MOST_SIDE**2, description="Three cells in ten if absent."
    )
    topology: PuzzleTopology = "moore"
    seed: Seed | None = Field(default=None, description="Random if absent.")
    taste: Taste = Taste()
    difficulty: Difficulty | None = Field(
        default=None,
        description="By the clues that the hardest step needs at once: 1, 2, or more. Up to the "
        "taste if null.",
    )
    total: bool = Field(
        default=True, description="False: one solution even without the number of bullets."
    )
    symmetry: Symmetry = "none"
    iterations: int = Field(default=500, ge=0, le=2_000, description="How long it is improved.")


@router.post("", status_code=201)
def new(request: Request, wish: Wish, _: Queued) -> PuzzleView:
    """Make a puzzle with one solution and no needless clue, as close to the taste as possible."""
    settings: Settings = request.app.state.settings
    seed = Random().randrange(_SEEDS) if wish.seed is None else wish.seed
    wishes: Wishes = {
        "seed": seed,
        "iterations": wish.iterations,
        "energy": wish.taste.energy(),
        "difficulty": wish.difficulty,
        "total": wish.total,
        "symmetry": wish.symmetry,
        "budget": Budget(min(SEARCH, settings.states), 2 * settings.seconds),
    }
    with in_one_line():
        try:
            made = make(wish.size, wish.bullets, topology=wish.topology, **wishes)
        except BudgetExceeded:
            # Visitors cannot allow more time, as the library would advise.
            raise BudgetExceeded(
                "too hard: no such puzzle was found in time; ask for less"
            ) from None
        return view(made, seed)


@router.get("/daily")
def daily(
    _: Queued,
    day: Annotated[
        date | None, Query(alias="date", description="Today if absent.", examples=["2026-01-31"])
    ] = None,
) -> PuzzleView:
    """Return the puzzle of a day, the same for everybody: small on Mondays, hard on Sundays."""
    day = day_asked(day, FIRST_DAY, "puzzle")
    return view(puzzle_of(day), day=day)


@router.get("/puzzle")
def look(request: Request, code: CodeAsked, _: Queued) -> PuzzleView:
    """Return a puzzle by its code."""
    return view(opened(request, code))
