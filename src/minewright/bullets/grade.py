"""How a puzzle is rated: the steps of its human-like solution, their energy, its difficulty."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Final, Literal, NamedTuple, get_args

Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: Final[tuple[Difficulty, ...]] = get_args(Difficulty)

# Up to which share of its steps takes more than a single clue.
_EASY: Final = 0.2
_MEDIUM: Final = 0.4
BANDS: Final[dict[Difficulty, tuple[float, float]]] = {
    "easy": (0.0, _EASY),
    "medium": (_EASY, _MEDIUM),
    "hard": (_MEDIUM, 1.0),
}

EnergyFunction = Callable[[int, int, int], float]
"""What a puzzle with n0, n1 and n2 costs; infinity for one that is not wanted at all."""


@dataclass(frozen=True, slots=True)
class Energy:
    """An energy by weights: the sum of `linear[i] * n[i] + square[i] * n[i]**2`."""

    linear: tuple[float, float, float]
    square: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        weights = (*self.linear, *self.square)
        if len(weights) != 6 or not all(map(isfinite, weights)):
            raise ValueError(f"an energy has three finite weights, and three of squares: {self}")

    def __call__(self, n0: int, n1: int, n2: int) -> float:
        """Give the energy of a puzzle: the lower, the better."""
        terms = zip((n0, n1, n2), self.linear, self.square, strict=True)
        return sum(n * (a + b * n) for n, a, b in terms)


PAPER: Final = Energy((0.0, -1.5, -3.0), (0.0, 0.0, 1.0))
"""The taste of Neller and Tran: `0 n0 - 1.5 n1 + n2 (n2 - 3)`."""


class Grade(NamedTuple):
    """Steps of type 0 and of type 1, and the bullets that the step of type 2 settles.

    >>> grade = Grade(8, 6, 1)
    >>> grade.energy, grade.difficulty
    (-11.0, 'hard')
    """

    n0: int
    n1: int
    n2: int

    @property
    def energy(self) -> float:
        """The energy as in the paper."""
        return PAPER(*self)

    @property
    def share(self) -> float:
        """The share of the steps that take more than a single clue.

        The step of type 2 counts as one, if it settles any bullet.
        """
        several = self.n1 + (self.n2 > 0)
        return several / max(1, self.n0 + several)

    @property
    def difficulty(self) -> Difficulty:
        """How hard the puzzle is for a person.

        `easy` if at most a fifth of its steps takes more than a single clue, `medium` up to two
        fifths, else `hard`.
        """
        return "easy" if self.share <= _EASY else "medium" if self.share <= _MEDIUM else "hard"


@dataclass(frozen=True, slots=True)
class Targeted:
    """An energy for puzzles of one difficulty: others cost more, the farther off the more."""

    energy: EnergyFunction
    difficulty: Difficulty

    def __call__(self, n0: int, n1: int, n2: int) -> float:
        """Give the energy, raised by how far the difficulty is off."""
        grade = Grade(n0, n1, n2)
        low, high = BANDS[self.difficulty]
        off = max(low - grade.share, grade.share - high, 0.0)
        wrong = grade.difficulty != self.difficulty
        return self.energy(n0, n1, n2) + (100.0 * (1.0 + off) if wrong else 0.0)
