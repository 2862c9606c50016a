"""Boards to one's taste: a difficulty to reach, or an energy to bring down.

As for Bullets puzzles, a board is changed a little at a time: one mine changes places with one safe
cell. A change is kept if the board still needs no guess and its energy does not rise; simulated
annealing also keeps some that raise it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, inf
from typing import Final, get_args

from minewright.deduction.effort import LEVELS, Effort, Level

EnergyFunction = Callable[[Effort], float]
"""A function of the steps by the clues they need: lower is better."""
Difficulty = Level | int
"""A level, or the workload itself."""

ITERATIONS: Final = 1000
"""How many changes of one board are tried."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The energy that is a sum over all steps: one weight per number of clues.

    The last weight also stands for steps that need more clues.

    >>> Weights((0.0, -1.0, -4.0))(Effort((50, 3, 1, 1)))
    -11.0
    """

    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.weights or not all(-inf < weight < inf for weight in self.weights):
            raise ValueError("an energy needs at least one weight, and all of them finite")

    def __call__(self, effort: Effort) -> float:
        """Return the energy of a board; lower is better."""
        last = len(self.weights) - 1
        return sum(self.weights[min(at, last)] * n for at, n in enumerate(effort.counts))


@dataclass(frozen=True, slots=True)
class Target:
    """An energy that is 0 for boards of one difficulty, and larger the further off they are."""

    difficulty: Difficulty

    def __post_init__(self) -> None:
        wanted = self.difficulty
        if isinstance(wanted, str) and wanted not in LEVELS:
            raise ValueError(
                f"a difficulty is {', '.join(get_args(Level))} or a number, not {wanted!r}"
            )
        if isinstance(wanted, int) and wanted < 0:
            raise ValueError(f"a difficulty is 0 or more, not {wanted}")

    def __call__(self, effort: Effort) -> float:
        """Return how far off a board is."""
        if isinstance(self.difficulty, int):
            return abs(effort.workload - self.difficulty)
        most = LEVELS.index(self.difficulty) + 1
        if self.difficulty == LEVELS[-1]:
            # The nearer a board is to a step of so many clues, the more steps it has with one less.
            return 0.0 if effort.hardest >= most else 1.0 + 1.0 / (1 + effort.workload)
        above = sum(beyond * n for beyond, n in enumerate(effort.counts[most:], 1))
        return float(above + (effort.hardest < most and most > 1))


def read_difficulty(written: str) -> Difficulty:
    """Read a difficulty as people write it. Raise ValueError if it is not one."""
    if written.isdecimal() and written.isascii():
        return int(written)
    for level in LEVELS:
        if written == level:
            return level
    raise ValueError(f"a difficulty is {', '.join(LEVELS)} or a number, not {written!r}")


@dataclass(frozen=True, slots=True)
class Taste:
    """What a board should be like, and how it is looked for."""

    difficulty: Difficulty | None = None
    energy: EnergyFunction | None = None
    iterations: int = ITERATIONS
    anneal: tuple[float, float] | None = None
    """(hot, cold): the temperatures between which simulated annealing cools; None: descent."""

    def __post_init__(self) -> None:
        if self.iterations < 0:
            raise ValueError(f"iterations: expected 0 or more, found {self.iterations}")
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
        own = self.energy(effort) if self.energy is not None else 0.0
        off = Target(self.difficulty)(effort) if self.difficulty is not None else 0.0
        return own + OFF * off if off else own

    def accepts(self, now: float, then: float, share: float, chance: float) -> bool:
        """Return True if a change of the energy is kept; `share` of the work is done."""
        if then <= now or self.anneal is None:
            return then <= now
        hot, cold = self.anneal
        heat = hot * (cold / hot) ** share
        return chance < exp((now - then) / heat)


OFF: Final = 1000.0
"""What it costs to be off the difficulty by one."""
