"""A document as a table of claims, and the one rule by which every claim is judged.

A claim is data, fixed before a run: what the document says and where, how it is measured, and
which region the measured figures must lie in. It agrees only if every interval lies wholly inside
that region. It differs only if one lies wholly outside. An interval that crosses an edge decides
nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final, Generic, Literal, TypeVar

from minewright.documents.estimates import (
    Estimate,
    Interval,
    Writer,
    bare,
    exact,
    number,
    percent,
)

Verdict = Literal["agrees", "differs", "undecided", "not testable"]
VERDICTS: Final[tuple[Verdict, ...]] = ("agrees", "differs", "undecided", "not testable")

TOGETHER: Final = 0.95
"""All intervals behind one verdict hold together with this confidence."""

ONE_RULE: Final = (
    "Every claim is judged by the same rule. It agrees only if the whole interval lies where the "
    "claim says, differs only if the whole interval lies outside, and is undecided otherwise. "
    "Where a claim rests on several figures, each must lie there, and each interval is widened so "
    "that all of them hold together with 95% confidence. The interval shown is the one that "
    "decides."
)


@dataclass(frozen=True, slots=True)
class Rule:
    """Where an interval must lie: from `least` to `most`, without the ends if `strict`.

    `words` says so on the page. With `never`, one certain sighting above `least` is enough to
    differ: the region then only says how sure the absence must be.
    """

    least: float
    most: float
    words: str
    strict: bool = False
    never: bool = False

    def judge(self, seen: Interval) -> Verdict:
        """Judge one interval."""
        low, high = seen
        if self.strict:
            inside, outside = (
                self.least < low and high < self.most,
                high <= self.least or self.most <= low,
            )
        else:
            inside, outside = (
                self.least <= low and high <= self.most,
                high < self.least or self.most < low,
            )
        if self.never:
            inside, outside = inside and low <= self.least, low > self.least
        return "agrees" if inside else "differs" if outside else "undecided"

    def margin(self, seen: Interval, verdict: Verdict) -> float:
        """Return how far inside the region an interval lies, negative for outside.

        An interval that differs is measured by its nearer end, any other by its further one.
        """
        low, high = seen
        if verdict == "differs":
            return min(high - self.least, self.most - low)
        return min(low - self.least, self.most - high)


@dataclass(frozen=True, slots=True)
class NotTestable:
    """Why a claim gets no verdict."""

    reason: str


def within(least: float, most: float, write: Writer = number, meaning: str = "") -> Rule:
    """Return the rule that a figure lies between two others, inclusive."""
    return Rule(least, most, _meant(f"from {bare(write(least))} to {write(most)}", meaning))


def above(least: float, write: Writer = number, meaning: str = "") -> Rule:
    """Return the rule that a figure lies above another."""
    return Rule(least, inf, _meant(f"above {write(least)}", meaning), strict=True)


def below(most: float, write: Writer = number, meaning: str = "") -> Rule:
    """Return the rule that a figure lies below another."""
    return Rule(-inf, most, _meant(f"below {write(most)}", meaning), strict=True)


def ahead(meaning: str = "") -> Rule:
    """Return the rule of an ordering: every difference is above 0."""
    return Rule(0.0, inf, _meant("every difference above 0", meaning), strict=True)


def at_least_times(least: float, meaning: str = "") -> Rule:
    """Return the rule of a ratio that has to reach some size."""
    return Rule(least, inf, _meant(f"a ratio of at least {least:g}", meaning))


def straight(tolerance: float) -> Rule:
    """Return the rule of linearity: no rate lies further from the straight line than this."""
    return Rule(-tolerance, tolerance, f"within {100 * tolerance:g} points of a straight line")


def exactly(value: float, write: Writer = number) -> Rule:
    """Return the rule of a figure that must be met to its last digit."""
    return Rule(value, value, f"exactly {write(value)}")


def never(limit: float) -> Rule:
    """Return the rule of something that never happens.

    A single case denies it. Its absence agrees once the interval lies below `limit`.
    """
    words = f"no case, and an interval below {percent(limit)}; one case denies it"
    return Rule(0.0, limit, words, never=True)


STEEPNESS: Final = 0.4
"""A printed share p allows a difference of 0.4 p (1 - p)."""


MEAN_TOLERANCE: Final = 0.25
"""How far ours may be from a printed mean, as a share of it."""


def near_mean(printed: float) -> Rule:
    """Return the rule of a printed mean: ours less theirs within a quarter of what is printed."""
    tolerance = MEAN_TOLERANCE * printed
    return Rule(-tolerance, tolerance, f"ours less theirs within ±{tolerance:.2f}")


def near(printed: float) -> Rule:
    """Return the rule of a printed share: ours less theirs within a tolerance that fits its size.

    The tolerance is 10 points for 50%, 6 points for 81% and 2 points for 5.6%.
    """
    tolerance = STEEPNESS * printed * (1 - printed)
    return Rule(-tolerance, tolerance, f"ours less theirs within ±{100 * tolerance:.1f} points")


def _meant(words: str, meaning: str) -> str:
    return f"{words} counts as '{meaning}'" if meaning else words


D = TypeVar("D", contravariant=True)
Measure = Callable[[D], Sequence[Estimate]]


@dataclass(frozen=True)
class Claim(Generic[D]):
    """One thing that a document says, and how it is put to the test."""

    id: str
    says: str
    """The document's words or figure, quoted briefly or paraphrased."""
    where: str
    """The section, table, figure or page."""
    how: str
    """The measurement: which players, boards and games, and which of their figures."""
    measure: Measure[D]
    rule: Rule | NotTestable
    either: bool = False
    """Whether one of the estimates is enough, as with a start rule that the text leaves open."""
    inferred: bool = False
    """Whether we infer it and the document does not say it: then it is not counted."""
    changed: str = ""
    """What was changed about the rule after results had been seen."""
    arithmetic: bool = False
    """Whether it is decided by arithmetic alone; the summary counts such claims separately."""
    reading: str = ""
    """Another reading of the text, under which the claim is judged but not counted."""

    @property
    def test(self) -> str:
        """The rule in words."""
        if isinstance(self.rule, NotTestable):
            return "not testable"
        return f"{self.rule.words}; one is enough" if self.either else self.rule.words


def computed(
    name: str, says: str, where: str, how: str, value: float, printed: float
) -> Claim[object]:
    """Return the claim of a figure that arithmetic alone decides."""
    return Claim(
        name,
        says,
        where,
        f"{how}: arithmetic, nothing is played.",
        lambda _: [exact("", value)],
        exactly(printed),
        arithmetic=True,
    )


@dataclass(frozen=True, slots=True)
class Finding:
    """What the document says, what was measured here, and whether they agree."""

    paper: str
    ours: str
    verdict: Verdict
    inferred: bool = False
    id: str = ""
    where: str = ""
    how: str = ""
    rule: str = ""
    changed: str = ""
    arithmetic: bool = False
    reading: str = ""
    theirs_too_few: bool = False
    """Whether it would be undecided even if our figures were exact."""
    look: int = 0
    """At which look it was judged so, from 1 on; 0 if there was only one."""

    @property
    def said(self) -> str:
        """What the document says, or what we infer from it, marked as such."""
        return f"Our inference: {self.paper}" if self.inferred else self.paper

    @property
    def counted(self) -> bool:
        """Whether it is about what the document says itself, in the reading that counts."""
        return not self.inferred and not self.reading

    @property
    def decided(self) -> bool:
        """Whether more games would change nothing."""
        return self.verdict != "undecided"


E = TypeVar("E")


def read_as(reading: str, claim: Claim[D], data: Callable[[E], D]) -> Claim[E]:
    """Return a claim judged again under another reading, by its part of the data."""
    return Claim(
        f"{claim.id}: {reading}",
        claim.says,
        claim.where,
        claim.how,
        lambda whole: claim.measure(data(whole)),
        claim.rule,
        claim.either,
        claim.inferred,
        claim.changed,
        claim.arithmetic,
        reading,
    )


def nothing(_: object) -> Sequence[Estimate]:
    """Measure nothing: for claims that cannot be tested."""
    return ()


def all_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Judge a claim that holds only if all its parts do."""
    seen = set(verdicts)
    return "differs" if "differs" in seen else "undecided" if "undecided" in seen else "agrees"


def any_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Judge a claim that holds if one of its parts does."""
    seen = set(verdicts)
    return "agrees" if "agrees" in seen else "undecided" if "undecided" in seen else "differs"


def allowed_error(look: int) -> float:
    """Return the chance that a verdict may be wrong at a look: halved each time.

    At looks 1, 2, 3 and so on it sums up to no more than that of a single look, which is number 0.
    """
    return (1 - TOGETHER) / (1 << look)


def judge(claim: Claim[D], data: D, look: int = 0) -> Finding:
    """Measure a claim and judge it."""
    return replace(_judged(claim, data, allowed_error(look)), look=look)


def _judged(claim: Claim[D], data: D, error: float) -> Finding:
    seen = claim.measure(data)
    confidence = 1 - error / max(1, len(seen))
    if isinstance(claim.rule, NotTestable):
        told = "; ".join(one.told(confidence) for one in seen)
        ours = claim.rule.reason + (f" Measured all the same: {told}." if told else "")
        return _finding(claim, ours, "not testable")
    if not seen:
        return _finding(claim, "Too few games were played to measure it.", "undecided")
    together = any_of if claim.either else all_of
    verdicts = [claim.rule.judge(one.ends(confidence)) for one in seen]
    verdict = together(verdicts)
    told = _told(claim.rule, seen, verdicts, confidence)
    best = together([claim.rule.judge(_at_best(one, confidence)) for one in seen])
    # With endless games of ours, an estimate that rests on these alone would be a single figure,
    # and so decided.
    if verdict == best == "undecided":
        return replace(_finding(claim, f"{told} {TOO_FEW}", verdict), theirs_too_few=True)
    return _finding(claim, told, verdict)


TOO_FEW: Final = "It would be undecided even if our figures were exact: their games are too few."


def _at_best(one: Estimate, confidence: float) -> Interval:
    """Return the interval that more games of ours could reach, if the figure stays as it is."""
    return one.at_best(confidence) if one.at_best else (one.value, one.value)


def _finding(claim: Claim[D], ours: str, verdict: Verdict) -> Finding:
    return Finding(
        claim.says,
        ours,
        verdict,
        claim.inferred,
        claim.id,
        claim.where,
        claim.how,
        claim.test,
        claim.changed,
        claim.arithmetic,
        claim.reading,
    )


MOST_TOLD: Final = 9
"""Up to this many estimates are told one by one; of more, only the one that decides is told."""


def _told(
    rule: Rule, seen: Sequence[Estimate], verdicts: Sequence[Verdict], confidence: float
) -> str:
    if len(seen) <= MOST_TOLD:
        return "; ".join(one.told(confidence) for one in seen) + "."
    counts = {verdict: verdicts.count(verdict) for verdict in VERDICTS}
    told = [
        f"{count} {_ONE[verdict] if count == 1 else _SEVERAL[verdict]}"
        for verdict, count in counts.items()
        if count
    ]
    # What decides: the figure furthest outside, among those with the least welcome verdict.
    worst = all_of(verdicts)
    deciding = [one for one, own in zip(seen, verdicts, strict=True) if own == worst]
    last = min(deciding, key=lambda one: rule.margin(one.ends(confidence), worst))
    return f"Of {len(seen)} figures {', '.join(told)}. Furthest out: {last.told(confidence)}."


_ONE: Final[dict[Verdict, str]] = {
    "agrees": "agrees",
    "differs": "differs",
    "undecided": "is undecided",
}
_SEVERAL: Final[dict[Verdict, str]] = {
    "agrees": "agree",
    "differs": "differ",
    "undecided": "are undecided",
}
