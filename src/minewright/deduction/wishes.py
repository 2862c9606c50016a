"""What steps to wish for: a difficulty to reach, or a weight for every step."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Final

from minewright.deduction.effort import LEVELS, Effort, Level
from minewright.messages import read_number

StepEnergy = Callable[[Effort], float]
"""A function of the steps by the clues they need: lower is better."""
Difficulty = Level | int
"""A level, or the workload itself."""
MAX_DIFFICULTY: Final = 1_000_000
"""More than the difficulty of any board that could be made; an expert board has about 50."""
MAX_WEIGHT: Final = 1e100
"""The largest weight of an energy: no sum of such terms overflows."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The energy that is a sum over all steps: one weight per number of clues.

    The last weight also stands for steps that need more clues.

    >>> Weights((0.0, -1.0, -4.0))(Effort((50, 3, 1, 1)))
    -11.0
    """

    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.weights:
            raise ValueError("an energy needs at least one weight")
        for weight in self.weights:
            check_weight(weight)

    def __call__(self, effort: Effort) -> float:
        """Return the energy; lower is better."""
        last = len(self.weights) - 1
        return sum(self.weights[min(at, last)] * n for at, n in enumerate(effort.counts))


@dataclass(frozen=True, slots=True)
class Target:
    """An energy that is 0 at one difficulty, and grows with the distance from it."""

    difficulty: Difficulty

    def __post_init__(self) -> None:
        wanted = self.difficulty
        if isinstance(wanted, str) and wanted not in LEVELS:
            raise ValueError(f"a difficulty is {', '.join(LEVELS)} or a number, not {wanted!r}")
        if isinstance(wanted, int) and not 0 <= wanted <= MAX_DIFFICULTY:
            raise ValueError(f"a difficulty is from 0 to {MAX_DIFFICULTY:,}, not {wanted:,}")

    def __call__(self, effort: Effort) -> float:
        """Return how far the steps are from the difficulty."""
        if isinstance(self.difficulty, int):
            return abs(effort.workload - self.difficulty)
        most = LEVELS.index(self.difficulty) + 1
        if self.difficulty == LEVELS[-1]:
            # The larger the workload, the nearer such a step.
            return 0.0 if effort.hardest >= most else 1.0 + 1.0 / (1 + effort.workload)
        above = sum(beyond * n for beyond, n in enumerate(effort.counts[most:], 1))
        return float(above + (effort.hardest < most and most > 1))


def check_weight(weight: float) -> None:
    """Raise ValueError unless energies with this weight can be compared."""
    if not abs(weight) <= MAX_WEIGHT:
        raise ValueError(f"a weight is from {-MAX_WEIGHT:g} to {MAX_WEIGHT:g}, not {weight:g}")


def finite_energy(value: object, of: object, error: type[ValueError] = ValueError) -> float:
    """Return an energy that anybody's function computed; raise `error` unless it is finite."""
    if not (isinstance(value, int | float) and isfinite(value)):
        raise error(f"the energy of {of} is not finite: {value!r}")
    return float(value)


def read_difficulty(written: str) -> Difficulty:
    """Read a difficulty as people write it. Raise ValueError if it is not one."""
    number = read_number(written)
    if number is not None:
        return Target(number).difficulty
    for level in LEVELS:
        if written == level:
            return level
    raise ValueError(f"a difficulty is {', '.join(LEVELS)} or a number, not {written!r}")


OFF: Final = 1000.0
"""What it costs to be off the difficulty by one: more than any other energy."""
