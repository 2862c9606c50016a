"""Boards to one's taste: a difficulty to reach, or an energy to bring down.

As for Bullets puzzles, a board is changed a little at a time: one mine changes places with one safe
cell. A change is kept if the board still needs no guess and its energy does not rise; simulated
annealing also keeps some that raise it.
"""

from dataclasses import dataclass
from math import exp, inf
from typing import Final

from minewright.deduction.effort import Effort
from minewright.deduction.wishes import OFF, Difficulty, StepEnergy, Target, finite_energy

ITERATIONS: Final = 1000
"""How many changes of one board are tried."""


@dataclass(frozen=True, slots=True)
class Taste:
    """What a board should be like, and how it is looked for."""

    difficulty: Difficulty | None = None
    energy: StepEnergy | None = None
    iterations: int = ITERATIONS
    anneal: tuple[float, float] | None = None
    """(hot, cold): the temperatures between which simulated annealing cools; None: descent."""

    def __post_init__(self) -> None:
        if self.difficulty is not None:
            Target(self.difficulty)
        if self.anneal is not None and not 0 < self.anneal[1] <= self.anneal[0] < inf:
            raise ValueError("anneal: (hot, cold) must be above 0, the hotter one first")

    def fits(self, effort: Effort) -> bool:
        """Return True if a board has the difficulty that is wanted."""
        return self.difficulty is None or Target(self.difficulty)(effort) == 0

    @property
    def plain(self) -> bool:
        """Whether any board will do."""
        return self.difficulty is None and self.energy is None

    @property
    def done(self) -> bool:
        """Whether a board that fits is good enough: without an energy, nothing is left to gain."""
        return self.energy is None

    def value(self, effort: Effort) -> float:
        """Return the energy. A board of the wrong difficulty costs more than any other."""
        own = 0.0 if self.energy is None else finite_energy(self.energy(effort), effort)
        off = Target(self.difficulty)(effort) if self.difficulty is not None else 0.0
        return own + OFF * off if off else own

    def accepts(self, now: float, then: float, share: float, chance: float) -> bool:
        """Return True if a change of the energy is kept; `share` of the work is done."""
        if then <= now or self.anneal is None:
            return then <= now
        hot, cold = self.anneal
        heat = hot * (cold / hot) ** share
        return heat > 0 and chance < exp((now - then) / heat)
