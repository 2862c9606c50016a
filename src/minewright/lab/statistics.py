"""Figures with their uncertainty."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, fmean, stdev

CONFIDENCE = 0.9
"""The share of intervals that hold the truth; the papers' own choice."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean, its standard error, and half the width of its confidence interval."""

    value: float
    error: float
    half: float

    @classmethod
    def of(cls, values: Sequence[float], confidence: float = CONFIDENCE) -> "Mean":
        """Estimate the mean that these values were drawn around; two of them at least."""
        error = stdev(values) / sqrt(len(values))
        return cls(fmean(values), error, student(len(values) - 1, confidence) * error)

    def __str__(self) -> str:
        return f"{self.value:.2f} ± {self.half:.2f}"

    def differs(self, other: "Mean", confidence: float = CONFIDENCE) -> bool:
        """Tell whether the two are further apart than chance explains."""
        reach = normal(confidence) * sqrt(self.error**2 + other.error**2)
        return abs(self.value - other.value) > reach


def normal(confidence: float) -> float:
    """Give how many standard errors the interval reaches to each side."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def student(freedom: int, confidence: float) -> float:
    """Give the same for few values (Cornish and Fisher's series, within 1% from 5 on)."""
    z = normal(confidence)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def wilson(count: int, total: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Give the interval of a share by Wilson's score."""
    z = normal(confidence)
    middle = (count + z * z / 2) / (total + z * z)
    reach = z / (total + z * z) * sqrt(count * (total - count) / total + z * z / 4)
    return max(0.0, middle - reach), min(1.0, middle + reach)
