"""Figures with their uncertainty: known values, brute force, and error rates by simulation."""

import math
import statistics
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minewright.lab.arm import Arm
from minewright.lab.experiment import Duel
from minewright.lab.score import UNIT, Score
from minewright.lab.sequential import DuelVerdict, Match
from minewright.lab.statistics import (
    EXACT_PAIRS,
    RATES,
    Paired,
    PairedMeans,
    normal,
    student,
    wilson,
)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        # Newcombe 1998, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval_is_the_published_one(
    count: int, total: int, low: float, high: float
) -> None:
    assert wilson(count, total, 0.95) == pytest.approx((low, high), abs=5e-5)


@given(st.data(), st.integers(1, 10**9))
def test_wilsons_interval_holds_the_share_and_turns_round_with_it(
    data: st.DataObject, total: int
) -> None:
    count = data.draw(st.integers(0, total))
    low, high = wilson(count, total, 0.95)
    assert 0 <= low <= count / total + 1e-12
    assert count / total - 1e-12 <= high <= 1
    assert wilson(total - count, total, 0.95) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@given(st.integers(0, 7), st.integers(0, 7))
def test_mcnemars_p_counts_the_splits_at_least_as_uneven(first: int, second: int) -> None:
    decided = first + second
    splits = map(sum, product((0, 1), repeat=decided))
    uneven = abs(2 * first - decided)
    wanted = sum(abs(2 * won - decided) >= uneven for won in splits) / 2**decided
    assert Paired(100, first, second).p == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("fewer", [900, 950, 980, 1000])
def test_p_does_not_jump_where_it_is_no_longer_exact(fewer: int) -> None:
    exact = Paired(10**6, fewer, EXACT_PAIRS - fewer).p
    assert Paired(10**6, fewer, EXACT_PAIRS + 1 - fewer).p == pytest.approx(exact, rel=0.11)


def test_a_paired_difference_has_bonett_and_prices_interval() -> None:
    # By hand: (n12 + 1) / (n + 2) = 13/102 and 5/102; their difference, and its standard error.
    paired = Paired(100, 12, 4)
    error = ((13 / 102 + 5 / 102 - (8 / 102) ** 2) / 102) ** 0.5
    assert paired.difference == pytest.approx(0.08)
    assert paired.interval == pytest.approx(
        (8 / 102 - 1.959964 * error, 8 / 102 + 1.959964 * error), abs=1e-7
    )


@given(st.data(), st.integers(1, 10**6))
def test_who_comes_first_turns_a_comparison_round_and_changes_nothing_else(
    data: st.DataObject, games: int
) -> None:
    one = data.draw(st.integers(0, games))
    other = data.draw(st.integers(0, games - one))
    here, there = Paired(games, one, other), Paired(games, other, one)
    assert here.difference == -there.difference
    assert here.p == there.p
    low, high = here.interval
    assert there.interval == pytest.approx((-high, -low), abs=1e-12)
    assert -1 <= low <= high <= 1


def test_a_paired_interval_holds_the_truth_as_often_as_it_says() -> None:
    random = Random(1)
    held = 0
    for _ in range(2000):
        # The first alone wins one game in ten, the second alone one in twenty.
        drawn = [random.random() for _ in range(100)]
        first, second = sum(x < 0.1 for x in drawn), sum(x > 0.95 for x in drawn)
        low, high = Paired(100, first, second).interval
        held += low <= 0.05 <= high
    assert 0.93 <= held / 2000 <= 0.98


def decide(random: Random, share: float, duel: Duel) -> DuelVerdict:
    """Let two players meet until it is decided; the first wins `share` of the decided games."""
    match = Match(duel, 10**6)
    played = 0
    while match.verdict is None:
        won_by_first = [random.random() < share for _ in range(duel.round)]
        games = range(played, played + duel.round)
        match.hear(duel.first, games, won_by_first)
        match.hear(duel.second, games, [not won for won in won_by_first])
        played += duel.round
    return match.verdict


@pytest.mark.parametrize("share", [0.5, 0.6, 0.4])
def test_a_duel_errs_no_more_often_than_it_says(share: float) -> None:
    duel = Duel(share=0.6, error=0.05, round=20)
    random = Random(2)
    wanted = {0.5: "equal", 0.6: "first", 0.4: "second"}[share]
    right = sum(decide(random, share, duel).stronger == wanted for _ in range(2000))
    # 2000 trials: half a per cent is one standard error.
    assert right / 2000 >= 1 - duel.error - 0.01


def test_a_duel_needs_fewer_games_than_a_test_of_fixed_size() -> None:
    # With the same errors, a number of games fixed beforehand would need about 320 decided ones.
    duel = Duel(share=0.6, error=0.05, round=1)
    random = Random(3)
    games = [decide(random, 0.6, duel).games for _ in range(300)]
    assert sum(games) / len(games) < 200


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60), st.randoms())
def test_a_duel_says_the_same_in_whatever_order_it_hears_of_the_games(
    pairs: list[tuple[bool, bool]], random: Random
) -> None:
    duel = Duel(share=0.8, error=0.2, round=7)
    in_order, mixed = Match(duel, len(pairs)), Match(duel, len(pairs))
    for game, (one, other) in enumerate(pairs):
        in_order.hear(0, [game], [one])
        in_order.hear(1, [game], [other])
    news = [(arm, game) for arm in (0, 1) for game in range(len(pairs))]
    random.shuffle(news)
    for arm, game in news:
        mixed.hear(arm, [game], [pairs[game][arm]])
    assert in_order.verdict == mixed.verdict


def test_games_that_both_win_or_lose_decide_nothing() -> None:
    match = Match(Duel(round=10), 1000)
    for arm in (0, 1):
        match.hear(arm, range(1000), [game % 2 == 0 for game in range(1000)])
    assert match.verdict is None


@pytest.mark.parametrize("error", [0.05, 0.2, 0.5])
def test_a_duel_is_called_equal_exactly_at_walds_bound(error: float) -> None:
    match = Match(Duel(share=0.6, error=error, round=1), 10**6)
    evidence, refuted = [0.0, 0.0], [False, False]
    games = 0
    while not all(refuted):
        # They win alternately, so neither ever looks stronger.
        for side in (0, 1):
            evidence[side] += math.log(1.2 if games % 2 == side else 0.8)
            # Strength is wrongly claimed with half the error, and missed with the whole of it.
            refuted[side] |= evidence[side] <= math.log(error / (1 - error / 2))
        match.hear(0, [games], [games % 2 == 0])
        assert match.verdict is None
        match.hear(1, [games], [games % 2 == 1])
        games += 1
        assert (match.verdict is not None) == all(refuted)
    assert match.verdict is not None
    assert (match.verdict.stronger, match.verdict.games) == ("equal", games)


def test_a_claim_that_a_duel_has_refuted_stays_refuted() -> None:
    match = Match(Duel(share=0.6, error=0.2, round=1), 1000)
    # Seven losses refute that the first is stronger; thirteen wins then refute it for the second.
    for game in range(20):
        assert match.verdict is None
        match.hear(0, [game], [game >= 7])
        match.hear(1, [game], [game < 7])
    assert match.verdict == DuelVerdict("equal", 20, 13, 7)


@pytest.mark.parametrize("games", [50, 13], ids=["whole round", "short last round"])
def test_a_round_is_judged_up_to_the_game_that_decides(games: int) -> None:
    match = Match(Duel(share=0.6, error=0.2, round=50), games)
    match.hear(0, range(games), [True] * games)
    match.hear(1, range(games), [False] * games)
    assert match.verdict == DuelVerdict("first", 13, 13, 0)


@pytest.mark.parametrize(("share", "size"), [(0.01, 1.0), (0.09, 0.1), (1.0, 0.01)])
def test_an_interval_that_always_holds_does_so_at_every_look(share: float, size: float) -> None:
    """Differences that are rare, and all on one side, look as if there were none for a while."""
    random, runs = np.random.default_rng(16), 120
    looks = np.geomspace(5, 3000, 30).astype(int)
    drawn = size * (random.random((runs, looks[-1])) < share)
    if share == 1:
        drawn += 0.1 * random.standard_normal(drawn.shape)
    sums, squares = drawn.cumsum(1)[:, looks - 1], (drawn**2).cumsum(1)[:, looks - 1]
    variances = (squares - sums**2 / looks) / (looks - 1)
    truth, missed, fixed = share * size, 0, 0
    for means, spreads in zip(sums / looks, variances, strict=True):
        found = [
            PairedMeans(int(n), float(mean), float(variance))
            for n, mean, variance in zip(looks, means, spreads.clip(0), strict=True)
        ]
        missed += any(not low <= truth <= high for low, high in (one.always for one in found))
        fixed += any(not low <= truth <= high for low, high in (one.interval for one in found))
    # The interval for a fixed number of games fails those who look often.
    assert missed <= 0.05 * runs
    assert fixed > 0.2 * runs


def test_who_is_stronger_is_said_only_if_it_is_shown() -> None:
    assert PairedMeans(4000, 0.01, 0.01).stronger == "first"
    assert PairedMeans(4000, -0.01, 0.01).stronger == "second"
    assert PairedMeans(40, 0.01, 0.01).stronger == "none"
    # Two equal games show nothing, and a thousand still leave room for rare ones that differ.
    assert PairedMeans(2, 0.5, 0.0).always == (-1.0, 1.0)
    low, high = PairedMeans(1000, 0.0, 0.0).always
    assert 0.003 < high == -low < 0.01


@given(
    st.integers(2, 100_000), st.floats(-1, 1), st.floats(0, 0.5), st.sampled_from([0.5, 0.95, 0.99])
)
def test_the_ends_of_the_always_valid_interval_are_where_its_test_just_fails(
    games: int, difference: float, variance: float, confidence: float
) -> None:
    rates = np.array(RATES)

    def wealth(mean: float, sign: int) -> float:
        """Return the logarithm of the statistic that tests a mean."""
        squares = games * (variance + difference**2)
        logs = rates * sign * games * (difference - mean) + (rates + np.log1p(-rates)) * squares
        return float(np.logaddexp.reduce(logs) - np.log(len(rates)))

    doubt = -math.log((1 - confidence) / 2)
    for end, sign in zip(
        PairedMeans(games, difference, variance, confidence).always, (1, -1), strict=True
    ):
        if abs(end) < 1:
            assert wealth(end, sign) == pytest.approx(doubt, rel=1e-6)
        else:
            assert wealth(end, sign) <= doubt + 1e-6


def test_students_law_holds_for_two_and_three_values_too() -> None:
    assert student(1, 0.95) == pytest.approx(12.7062, abs=1e-4)
    assert student(2, 0.95) == pytest.approx(4.3027, abs=1e-4)


def score_of(safeties: list[float]) -> Score:
    """Return the score of games with these safeties."""
    total, squares = (sum(round(one**power / UNIT) for one in safeties) for power in (1, 2))
    games = len(safeties)
    arm = Arm("exact", "9x9x10")
    return Score(arm, games=games, measured=games, safety_sum=total, safety_squares=squares)


def test_equal_safeties_still_leave_the_interval_a_width() -> None:
    width = wilson(0, 10, 0.95)[1]
    assert score_of([0.5] * 10).safety_ci95 == pytest.approx((0.5 - width, 0.5 + width))


def test_the_variance_of_safeties_is_that_of_a_sample() -> None:
    safeties = [0.375, 0.625]
    score = score_of(safeties)
    reach = normal(0.95) * statistics.stdev(safeties) / math.sqrt(2)
    assert score.safety_ci95 == pytest.approx((0.5 - reach, 0.5 + reach))
    assert score.worth == pytest.approx(0.25 / statistics.variance(safeties))
