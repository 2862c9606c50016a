"""Claims: an interval that crosses an edge decides nothing, and intervals are what they say."""

from math import inf

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from minewright.documents import estimates
from minewright.documents.catalogue import reproductions
from minewright.documents.claims import (
    TOGETHER,
    TOO_FEW,
    Claim,
    NotTestable,
    Rule,
    Verdict,
    above,
    ahead,
    all_of,
    any_of,
    at_least_times,
    below,
    exactly,
    judge,
    near,
    never,
    nothing,
    straight,
    within,
)
from minewright.documents.estimates import (
    Estimate,
    Interval,
    Share,
    difference,
    less_printed,
    none_chance,
)
from minewright.lab.statistics import Mean

figures = st.floats(-2, 2)
intervals = st.tuples(figures, figures).map(lambda pair: (min(pair), max(pair)))
tolerances = st.floats(0.001, 1)
rules = st.one_of(
    intervals.map(lambda ends: within(*ends)),
    figures.map(above),
    figures.map(below),
    figures.map(at_least_times),
    figures.map(exactly),
    tolerances.map(straight),
    st.floats(0.01, 0.99).map(near),
    st.just(ahead()),
)


def says(rule: Rule, value: float) -> bool:
    """Return True if a single figure lies where the rule says."""
    if rule.strict:
        return rule.least < value < rule.most
    return rule.least <= value <= rule.most


@given(rules, intervals, st.lists(st.floats(0, 1), max_size=5))
def test_an_interval_that_crosses_an_edge_never_agrees_nor_differs(
    rule: Rule, seen: Interval, parts: list[float]
) -> None:
    low, high = seen
    inside = [min(high, low + part * (high - low)) for part in parts]
    held = [says(rule, value) for value in (low, high, *inside)]
    verdict = rule.judge(seen)
    if verdict == "agrees":
        assert all(held)
    if verdict == "differs":
        assert not any(held)
    if any(held) and not all(held):
        assert verdict == "undecided"


@given(rules, intervals)
def test_an_interval_wholly_inside_agrees_and_one_wholly_outside_differs(
    rule: Rule, seen: Interval
) -> None:
    low, high = seen
    if says(rule, low) and says(rule, high):
        assert rule.judge(seen) == "agrees"
    if high < rule.least or low > rule.most:
        assert rule.judge(seen) == "differs"


@given(rules, intervals, st.floats(0, 1))
def test_a_wider_interval_never_decides_more(rule: Rule, seen: Interval, more: float) -> None:
    wide = rule.judge((seen[0] - more, seen[1] + more))
    assert wide in ("undecided", rule.judge(seen))


@given(st.integers(0, 50), st.integers(1, 5000), st.floats(0.0005, 0.1))
def test_never_is_denied_by_one_case_and_shown_only_by_many_games(
    count: int, total: int, limit: float
) -> None:
    assume(count <= total)
    share = Share(count, total)
    verdict = never(limit).judge(share.ends(TOGETHER))
    if count:
        assert verdict == "differs"
    else:
        assert verdict == ("agrees" if share.ends(TOGETHER)[1] <= limit else "undecided")


def of(*ends: Interval, rule: Rule | NotTestable, either: bool = False) -> Claim[None]:
    """Return a claim about figures with these intervals at any confidence."""
    found = [estimates.bounded("x", sum(pair) / 2, *pair) for pair in ends]
    return Claim("id", "It says.", "page 1", "So.", lambda _: found, rule, either)


@given(rules, st.lists(intervals, min_size=1, max_size=12))
def test_a_claim_agrees_only_if_all_its_figures_do(rule: Rule, seen: list[Interval]) -> None:
    each = [rule.judge(one) for one in seen]
    assert judge(of(*seen, rule=rule), None).verdict == all_of(each)
    assert judge(of(*seen, rule=rule, either=True), None).verdict == any_of(each)


def test_parts_make_a_whole_only_if_none_denies_it() -> None:
    assert all_of(["agrees", "undecided"]) == "undecided"
    assert all_of(["agrees", "undecided", "differs"]) == "differs"
    assert any_of(["differs", "undecided", "agrees"]) == "agrees"
    assert any_of(["differs", "differs"]) == "differs"


def test_what_cannot_be_tested_or_was_not_measured_gets_no_verdict() -> None:
    untestable = of((0.0, 1.0), rule=NotTestable("It is lost."))
    finding = judge(untestable, None)
    assert finding.verdict == "not testable"
    assert finding.ours == "It is lost. Measured all the same: x 0.5 (0 to 1)."
    empty: Claim[None] = Claim("id", "It says.", "page 1", "So.", nothing, ahead())
    assert judge(empty, None).verdict == "undecided"


def test_several_figures_are_each_held_to_a_wider_interval() -> None:
    asked: list[float] = []

    def ends(confidence: float) -> Interval:
        asked.append(confidence)
        return 0.0, 1.0

    for count in (1, 5):
        asked.clear()
        several: Claim[list[Estimate]] = Claim("id", "", "", "", list, ahead())
        judge(several, [Estimate("x", 0.5, ends)] * count)
        assert all(one == pytest.approx(1 - 0.05 / count) for one in asked)


def test_of_many_figures_the_one_that_decides_is_told() -> None:
    finding = judge(of(*[(0.1, 0.2)] * 20, (0.5, 3.0), rule=within(0, 1)), None)
    assert finding.ours == (
        "Of 21 figures 20 agree, 1 is undecided. Furthest out: x 1.75 (0.5 to 3)."
    )
    wide, beyond, further = (-9.0, 9.0), (2.0, 2.5), (3.0, 9.0)
    finding = judge(of(*[wide] * 9, beyond, further, rule=within(0, 1)), None)
    assert finding.ours == "Of 11 figures 2 differ, 9 are undecided. Furthest out: x 6 (3 to 9)."


def test_the_tolerance_of_a_printed_share_fits_its_size() -> None:
    sizes: dict[float, float] = {0.5: 0.1, 0.056: 0.0211, 0.81: 0.0616, 0.99: 0.004}
    for printed, tolerance in sizes.items():
        assert near(printed).most == pytest.approx(tolerance, abs=1e-4)
        assert near(printed).most < min(printed, 1 - printed)


def verdict(count: int, total: int, theirs: Share) -> Verdict:
    apart = difference("", Share(count, total).estimate(""), theirs.estimate(""))
    return near(theirs.value).judge(apart.ends(0.95))


def test_a_printed_share_never_agrees_for_want_of_games() -> None:
    assert verdict(500, 1000, Share(25, 50)) == "undecided"
    assert verdict(900, 1000, Share(25, 50)) == "differs"
    assert verdict(500, 1000, Share(250, 500)) == "agrees"
    assert verdict(150, 1000, Share(28, 500)) == "differs"


@pytest.mark.parametrize("name", list(reproductions()))
def test_every_claim_says_what_where_how_and_by_which_rule(name: str) -> None:
    table = reproductions()[name].table()
    assert len({claim.id for claim in table}) == len(table)
    for claim in table:
        assert claim.says.endswith(".")
        assert not (claim.arithmetic and claim.inferred)
        assert claim.where
        assert claim.how.endswith(".")
        assert claim.test
        if isinstance(claim.rule, Rule):
            assert claim.rule.least <= claim.rule.most
            assert (claim.rule.least, claim.rule.most) != (-inf, inf)


def across(rule: Rule) -> list[Interval]:
    """Return intervals that cross an edge of a rule, or touch it where it is open."""
    edges = [edge for edge in (rule.least, rule.most) if abs(edge) != inf]
    widths = [(1e-9 + abs(edge)) * part for edge in edges for part in (1e-6, 9)]
    return [(edge - width, edge + width) for edge in edges for width in widths]


@pytest.mark.parametrize("name", list(reproductions()))
def test_no_claim_of_any_document_agrees_by_an_interval_that_crosses_its_edge(name: str) -> None:
    for claim in reproductions()[name].table():
        if isinstance(claim.rule, NotTestable):
            assert judge(of((0.0, 1.0), rule=claim.rule), None).verdict == "not testable"
            continue
        for seen in across(claim.rule):
            finding = judge(of(seen, rule=claim.rule, either=claim.either), None)
            assert finding.verdict == (
                "differs" if claim.rule.never and seen[0] > 0 else "undecided"
            )


# Estimates


def test_a_difference_of_shares_has_the_published_interval() -> None:
    # Newcombe 1998, example (a), his method 10.
    one, other = Share(56, 70).estimate(""), Share(48, 80).estimate("")
    assert difference("", one, other).ends(0.95) == pytest.approx((0.0524, 0.3339), abs=1e-4)
    assert str(Share(15, 50)) == "30.0% (19.1% to 43.8%)"


def test_a_ratio_of_means_reaches_where_the_weighted_difference_is_no_longer_sure() -> None:
    top, bottom = [3.0, 5.0, 4.0, 6.0, 2.0, 4.5], [1.0, 2.0, 2.0, 2.5, 1.5, 1.0]
    ratio = estimates.ratio("", top, bottom, same=True)
    assert ratio.value == pytest.approx(2.45)
    for end in ratio.ends(0.9):
        left = Mean.of([one - end * other for one, other in zip(top, bottom, strict=True)])
        assert abs(left.value) == pytest.approx(1.6449 * left.error, rel=1e-3)


def test_a_ratio_to_what_may_be_nothing_is_unbounded() -> None:
    assert estimates.fieller("", Mean(1, 0.1, 0), Mean(0.1, 1, 0), 0, estimates.times).ends(
        0.95
    ) == (-inf, inf)


def test_games_that_are_all_alike_leave_room_for_others() -> None:
    assert estimates.rate("", [0.0] * 16).ends(0.95) == pytest.approx((0.0, 0.194), abs=1e-3)
    assert estimates.rate("", [0.0] * 16, estimates.points).ends(0.95)[0] < 0
    low, high = estimates.mean("", [2.0] * 16).ends(0.95)
    assert low < 2 < high


def test_no_win_in_the_text_is_held_against_the_wins_here() -> None:
    rule = above(0.1)

    def judged(*shares: Share) -> Verdict:
        return rule.judge(none_chance("", shares, 100).ends(0.9))

    assert judged(*[Share(0, 400)] * 30) == "agrees"
    assert judged(Share(20, 400), Share(0, 400)) == "differs"
    assert judged(Share(1, 16), *[Share(0, 16)] * 29) == "undecided"
    assert judged(*[Share(0, 16)] * 30) == "undecided"


def test_an_estimate_is_told_with_its_interval_and_an_exact_one_without() -> None:
    assert Share(15, 50).estimate("9x9:").told(0.95) == "9x9: 30.0% (19.1% to 43.8%)"
    assert estimates.exact("", 4140).told(0.95) == "4140"
    lead = estimates.bounded("safe:", 0.04, -0.01, 0.09, estimates.points)
    assert lead.told(0.95) == "safe: +4.0 points (-1.0 to +9.0)"


@pytest.mark.parametrize(
    ("ours", "theirs", "verdict", "too_few"),
    [
        (Share(5_000, 10_000), Share(38, 75), "undecided", True),  # theirs leave 23 points open
        (Share(20, 40), Share(5_000, 10_000), "undecided", False),  # ours do, and could be more
        (Share(5_000, 10_000), Share(5_000, 10_000), "agrees", False),
        (Share(9_000, 10_000), Share(38, 75), "differs", False),
    ],
)
def test_a_claim_says_if_the_document_played_too_few_games_to_decide_it(
    ours: Share, theirs: Share, verdict: str, too_few: bool
) -> None:
    found = judge(
        Claim(
            "share",
            "",
            "",
            "",
            lambda _: [less_printed("", ours.estimate(""), theirs.estimate(""))],
            near(0.5),
        ),
        None,
    )
    assert (found.verdict, found.theirs_too_few) == (verdict, too_few)
    assert found.ours.endswith(TOO_FEW) == too_few
