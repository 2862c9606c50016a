"""Figures with their uncertainty."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, exp, log, log1p, pi, sqrt, tan
from statistics import NormalDist, fmean, stdev
from typing import Final

CONFIDENCE = 0.9
"""The share of intervals that hold the truth, as the papers chose it."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean, its standard error, and half the width of its confidence interval."""

    value: float
    error: float
    half: float

    @classmethod
    def of(cls, values: Sequence[float], confidence: float = CONFIDENCE) -> "Mean":
        """Estimate the mean of what these values, at least two, were drawn from."""
        error = stdev(values) / sqrt(len(values))
        return cls(fmean(values), error, student(len(values) - 1, confidence) * error)

    def __str__(self) -> str:
        return f"{self.value:.2f} ± {self.half:.2f}"

    def differs(self, other: "Mean", confidence: float = CONFIDENCE) -> bool:
        """Return True if the two are further apart than chance explains."""
        reach = normal(confidence) * sqrt(self.error**2 + other.error**2)
        return abs(self.value - other.value) > reach


def normal(confidence: float) -> float:
    """Return how many standard errors the interval reaches to each side."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def student(freedom: int, confidence: float) -> float:
    """Return the same for few values (Cornish and Fisher's series; exact for 1 and 2)."""
    if freedom == 1:
        return tan(pi / 2 * confidence)
    if freedom == 2:
        return confidence * sqrt(2 / (1 - confidence**2))
    z = normal(confidence)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def wilson(count: int, total: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the interval of a share, by Wilson's score."""
    z = normal(confidence)
    middle = (count + z * z / 2) / (total + z * z)
    reach = z / (total + z * z) * sqrt(count * (total - count) / total + z * z / 4)
    return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True, slots=True)
class Paired:
    """Two players of the same games: how often only one of them won.

    `difference` is the first's share of wins minus the second's, with its interval. `p` is the
    chance of a split at least this uneven if both were equally strong (McNemar's exact test).
    """

    games: int
    first_only: int
    second_only: int
    confidence: float = 0.95

    @property
    def difference(self) -> float:
        """How much more often the first wins."""
        return (self.first_only - self.second_only) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the difference, by Bonett and Price's adjustment of Wald's interval."""
        one = (self.first_only + 1) / (self.games + 2)
        other = (self.second_only + 1) / (self.games + 2)
        middle = one - other
        reach = normal(self.confidence) * sqrt((one + other - middle**2) / (self.games + 2))
        return max(-1.0, middle - reach), min(1.0, middle + reach)

    @property
    def p(self) -> float:
        """The chance of a split at least this uneven between equals."""
        decided = self.first_only + self.second_only
        fewer = min(self.first_only, self.second_only)
        if decided > EXACT_PAIRS:
            # For this many games, the normal law with a correction of half a game is as good.
            distance = max(0.0, decided / 2 - fewer - 0.5) / (sqrt(decided) / 2)
            return min(1.0, 2 * NormalDist().cdf(-distance))
        tail = sum(comb(decided, wins) for wins in range(fewer + 1))
        return min(1.0, float(Fraction(2 * tail, 1 << decided)))


RATES: Final = tuple(0.8 / (1 << k) for k in range(10))
"""The rates of the always-valid interval: large ones make it narrow early, small ones later."""


@dataclass(frozen=True, slots=True)
class PairedMeans:
    """Two players of the same games by a figure of each game, such as its safety.

    The figure is between 0 and 1. `interval` is that of a fixed number of games. `always` holds
    however often one looks and whenever one stops: in a share `confidence` of all runs, or more, it
    contains the truth at every look, whatever the differences are like.
    """

    games: int
    difference: float
    """The mean of the first's figure minus the second's."""
    variance: float
    """The variance of the differences, game by game."""
    confidence: float = 0.95

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the difference after a fixed number of games."""
        return self._around(normal(self.confidence) * sqrt(self.variance / self.games))

    @property
    def always(self) -> tuple[float, float]:
        """The interval of the difference, whatever the number of games at which one stops."""
        total = self.games * self.difference
        squares = self.games * (self.variance + self.difference**2)
        # Each side gets half of the allowed error.
        doubt = -log((1 - self.confidence) / 2)
        low = _least_mean(self.games, total, squares, doubt)
        high = -_least_mean(self.games, -total, squares, doubt)
        return max(-1.0, low), min(1.0, high)

    @property
    def stronger(self) -> str:
        """Who is shown to be stronger by the interval that always holds: first, second or none."""
        low, high = self.always
        return "first" if low > 0 else "second" if high < 0 else "none"

    def _around(self, reach: float) -> tuple[float, float]:
        return max(-1.0, self.difference - reach), min(1.0, self.difference + reach)


def _least_mean(games: int, total: float, squares: float, doubt: float) -> float:
    """Return a lower bound of a mean: it fails at some look with a chance of at most exp(-doubt).

    For a rate r < 1 and numbers x >= -1 of mean m, exp(r (x - m) + (r + log(1 - r)) x²) is 1 or
    less on average (Fan, Grama and Liu 2015). So its product over the games, averaged over some
    rates, ever reaches exp(doubt) with a chance of at most exp(-doubt) (Ville). Means for which it
    does are excluded.
    """
    terms = [
        (rate, rate * total + (rate + log1p(-rate)) * squares - log(len(RATES))) for rate in RATES
    ]
    # If one rate alone excludes a mean, so do all of them together. Newton's method approaches
    # from below, so one step too few only leaves the bound a little lower.
    mean = max((term - doubt) / (rate * games) for rate, term in terms)
    for _ in range(8):
        logs = [term - rate * games * mean for rate, term in terms]
        most = max(logs)
        weights = [exp(each - most) for each in logs]
        whole = sum(weights)
        rate = sum(rate * weight for rate, weight in zip(RATES, weights, strict=True)) / whole
        mean += (most + log(whole) - doubt) / (games * rate)
    return mean


EXACT_PAIRS = 2000
"""Up to this many decided games the test is exact."""
