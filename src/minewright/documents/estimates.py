"""Estimates: measured figures that know their interval at any confidence."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import hypot, inf, prod, sqrt
from statistics import fmean
from statistics import median as middle

from minewright.lab.statistics import Mean, Paired, normal, wilson

Interval = tuple[float, float]
Ends = Callable[[float], Interval]
Writer = Callable[[float], str]


def listed(words: Iterable[str]) -> str:
    """Join words as a sentence does."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def percent(value: float) -> str:
    """Write a share in per cent."""
    return f"{value:.1%}"


def points(value: float) -> str:
    """Write a difference of shares in percentage points."""
    return f"{100 * value:+.1f} points"


def times(value: float) -> str:
    """Write a ratio."""
    return f"{value:.1f} times" if value < 1000 else f"{value:,.0f} times"


def number(value: float) -> str:
    """Write a plain figure to four digits."""
    return f"{value:.4g}"


def signed(value: float) -> str:
    """Write a difference to two places."""
    return f"{value:+.2f}"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured figure: what it is of, its value, and its interval at any confidence."""

    of: str
    value: float
    ends: Ends
    write: Writer = number
    at_best: Ends | None = None
    """Its interval if our part were exact, where part of the chance lies in a document's games."""

    def told(self, confidence: float) -> str:
        """Write it with its interval; an exact figure stands alone."""
        low, high = self.ends(confidence)
        seen = self.write(self.value)
        if low != high:
            seen += f" ({bare(self.write(low))} to {bare(self.write(high))})"
        return f"{self.of} {seen}" if self.of else seen


def bare(written: str) -> str:
    """Leave out the unit, where another figure beside it has it."""
    return written.removesuffix(" points").removesuffix(" times")


def exact(of: str, value: float, write: Writer = number) -> Estimate:
    """Return a figure that is computed, not sampled."""
    return Estimate(of, value, lambda _: (value, value), write)


def bounded(of: str, value: float, low: float, high: float, write: Writer = number) -> Estimate:
    """Return a figure whose bounds are certain and do not depend on the confidence."""
    return Estimate(of, value, lambda _: (low, high), write)


@dataclass(frozen=True, slots=True)
class Share:
    """`count` of `total`."""

    count: int
    total: int

    @property
    def value(self) -> float:
        """The share itself."""
        return self.count / self.total

    def ends(self, confidence: float) -> Interval:
        """Return Wilson's interval."""
        low, high = wilson(self.count, self.total, confidence)
        # What was never seen may never happen: rounding must not say otherwise.
        return low if self.count else 0.0, high if self.count < self.total else 1.0

    def estimate(self, of: str) -> Estimate:
        """Return the share as an estimate."""
        return Estimate(of, self.value, self.ends, percent)

    def __str__(self) -> str:
        """Write it with its 95% interval."""
        low, high = self.ends(0.95)
        return f"{self.value:.1%} ({low:.1%} to {high:.1%})"


def less_printed(of: str, ours: Estimate, theirs: Estimate) -> Estimate:
    """Return our share less a document's, whose own chance no number of our games can reduce."""
    exactly_ours = exact("", ours.value)
    return replace(difference(of, ours, theirs), at_best=difference("", exactly_ours, theirs).ends)


def difference(of: str, one: Estimate, other: Estimate, write: Writer = points) -> Estimate:
    """Return one estimate less another that shares no game with it.

    The interval is recovered from both intervals. For shares this is Newcombe's method 10.
    """
    value = one.value - other.value

    def ends(confidence: float) -> Interval:
        (low, high), (other_low, other_high) = one.ends(confidence), other.ends(confidence)
        return (
            value - hypot(one.value - low, other_high - other.value),
            value + hypot(high - one.value, other.value - other_low),
        )

    return Estimate(of, value, ends, write)


def paired(of: str, pair: Paired) -> Estimate:
    """Return how much more often the first of two players wins, game by game."""

    def ends(confidence: float) -> Interval:
        return Paired(pair.games, pair.first_only, pair.second_only, confidence).interval

    return Estimate(of, pair.difference, ends, points)


def mean(of: str, values: Sequence[float], write: Writer = number) -> Estimate:
    """Return the mean of some values, by Student's law."""

    def ends(confidence: float) -> Interval:
        reach = _reach(values, confidence)
        return fmean(values) - reach, fmean(values) + reach

    return Estimate(of, fmean(values), ends, write)


def _reach(values: Sequence[float], confidence: float) -> float:
    """Return how far the interval of a mean reaches to each side.

    Where all values are alike their spread says nothing. Then it reaches as far as Wilson's
    interval does for a share that was never seen, as if such a game differed by one.
    """
    if len(set(values)) == 1:
        return wilson(0, len(values), confidence)[1]
    return Mean.of(values, confidence).half


def mean_less_printed(
    values: Sequence[float], printed: float, games: int, write: Writer = signed
) -> Estimate:
    """Return the mean of some values less a printed mean, which was taken over `games` games.

    A printed mean comes without its spread: those games are taken to spread as ours do.
    """
    value = fmean(values) - printed

    def ends(confidence: float) -> Interval:
        reach = _reach(values, confidence) * sqrt(1 + len(values) / games)
        return value - reach, value + reach

    def at_best(confidence: float) -> Interval:
        reach = _reach(values, confidence) * sqrt(len(values) / games)
        return value - reach, value + reach

    return Estimate("", value, ends, write, at_best)


def given_mean(of: str, found: Mean, write: Writer = signed) -> Estimate:
    """Return a mean of which only the standard error is kept, by the normal law."""

    def ends(confidence: float) -> Interval:
        reach = normal(confidence) * found.error
        return found.value - reach, found.value + reach

    return Estimate(of, found.value, ends, write)


def rate(of: str, values: Sequence[float], write: Writer = percent) -> Estimate:
    """Return the mean of shares, or of differences of shares, one per game."""
    value = fmean(values)
    least = -1.0 if min(values) < 0 or write is points else 0.0

    def ends(confidence: float) -> Interval:
        reach = _reach(values, confidence)
        return max(least, value - reach), min(1.0, value + reach)

    return Estimate(of, value, ends, write)


def ratio(of: str, top: Sequence[float], bottom: Sequence[float], *, same: bool) -> Estimate:
    """Return a ratio of two means by Fieller's method; `same` if both are of the same games."""
    one, other = Mean.of(top), Mean.of(bottom)
    shared = 0.0
    if same:
        both = zip(top, bottom, strict=True)
        spread = sum((x - one.value) * (y - other.value) for x, y in both)
        shared = spread / (len(top) - 1) / len(top)
    return fieller(of, one, other, shared, times)


def fieller(of: str, top: Mean, bottom: Mean, shared: float, write: Writer) -> Estimate:
    """Return a ratio of two means; `shared` is the covariance of the means.

    The interval is unbounded where the lower mean may be 0.
    """

    def ends(confidence: float) -> Interval:
        z = normal(confidence) ** 2
        a = bottom.value**2 - z * bottom.error**2
        b = top.value * bottom.value - z * shared
        c = top.value**2 - z * top.error**2
        if a <= 0:
            return -inf, inf
        root = sqrt(max(0.0, b * b - a * c))
        return (b - root) / a, (b + root) / a

    return Estimate(of, top.value / bottom.value if bottom.value else inf, ends, write)


def median(of: str, values: Sequence[float], write: Writer = times) -> Estimate:
    """Return a median; its interval is between the ranks that the binomial law allows."""
    ordered = sorted(values)

    def ends(confidence: float) -> Interval:
        reach = normal(confidence) * sqrt(len(ordered)) / 2
        low = max(0, round(len(ordered) / 2 - reach) - 1)
        high = min(len(ordered) - 1, round(len(ordered) / 2 + reach))
        return ordered[low], ordered[high]

    return Estimate(of, middle(ordered), ends, write)


def none_chance(of: str, shares: Sequence[Share], trials: int) -> Estimate:
    """Return the chance that `trials` games on each board show no win, given the wins here.

    The lower end takes the highest rate that chance allows for all boards together, the upper end
    the lowest rates it allows board by board.
    """
    together = Share(sum(one.count for one in shares), sum(one.total for one in shares))

    def none(rates: Sequence[float]) -> float:
        return prod((1 - rate) ** trials for rate in rates)

    def ends(confidence: float) -> Interval:
        each = 1 - (1 - confidence) / len(shares)
        most = none([share.ends(each)[0] for share in shares])
        return min(most, none([together.ends(confidence)[1]] * len(shares))), most

    return Estimate(of, none([share.value for share in shares]), ends, percent)
