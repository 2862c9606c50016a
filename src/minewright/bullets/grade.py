"""How a puzzle is graded: the steps of its human-like solution, its energy, its difficulty."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from minewright.deduction.effort import LEVELS, Level
from minewright.deduction.wishes import check_weight

Difficulty = Level
DIFFICULTIES: Final = LEVELS

# The largest share of steps that need more than a single clue, per band.
_EASY: Final = 0.2
_MEDIUM: Final = 0.4
BANDS: Final[dict[Difficulty, tuple[float, float]]] = {
    "easy": (0.0, _EASY),
    "medium": (_EASY, _MEDIUM),
    "hard": (_MEDIUM, 1.0),
}

EnergyFunction = Callable[[int, int, int], float]
"""A function of n0, n1 and n2: lower is better, infinity means never."""


@dataclass(frozen=True, slots=True)
class Energy:
    """A weighted energy: the sum of `linear[i] * n[i] + square[i] * n[i]**2`."""

    linear: tuple[float, float, float]
    square: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        weights = (*self.linear, *self.square)
        if len(weights) != 6:
            raise ValueError(f"an energy needs three weights, and three for the squares: {self}")
        for weight in weights:
            check_weight(weight)

    def __call__(self, n0: int, n1: int, n2: int) -> float:
        """Return the energy of a puzzle; lower is better."""
        terms = zip((n0, n1, n2), self.linear, self.square, strict=True)
        return sum(n * (a + b * n) for n, a, b in terms)


PAPER: Final = Energy((0.0, -1.5, -3.0), (0.0, 0.0, 1.0))
"""Neller and Tran's energy: `0 n0 - 1.5 n1 + n2 (n2 - 3)`."""


class Grade(NamedTuple):
    """The number of steps of type 0 and type 1, and of bullets that the type 2 step settles.

    >>> grade = Grade(8, 6, 1)
    >>> grade.energy, grade.band
    (-11.0, 'hard')
    """

    n0: int
    n1: int
    n2: int

    @property
    def energy(self) -> float:
        """The energy, as in the paper."""
        return PAPER(*self)

    @property
    def share(self) -> float:
        """The share of steps that need more than a single clue.

        The type 2 step counts as one step if it settles any bullet.
        """
        several = self.n1 + (self.n2 > 0)
        return several / max(1, self.n0 + several)

    @property
    def band(self) -> Difficulty:
        """The older measure of difficulty, by which daily puzzles were made until November 2026.

        `easy` if at most a fifth of the steps need more than a single clue, `medium` up to two
        fifths, otherwise `hard`. `Puzzle.difficulty` goes by the steps themselves.
        """
        return "easy" if self.share <= _EASY else "medium" if self.share <= _MEDIUM else "hard"


@dataclass(frozen=True, slots=True)
class Targeted:
    """An energy for puzzles of one band: the further off a puzzle is, the more it costs."""

    energy: EnergyFunction
    band: Difficulty

    def __call__(self, n0: int, n1: int, n2: int) -> float:
        """Return the energy, raised by how far off the band is."""
        grade = Grade(n0, n1, n2)
        low, high = BANDS[self.band]
        off = max(low - grade.share, grade.share - high, 0.0)
        wrong = grade.band != self.band
        return self.energy(n0, n1, n2) + (100.0 * (1.0 + off) if wrong else 0.0)
