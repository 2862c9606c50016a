"""Numbers under exact sums: every search against brute force over all assignments."""

from itertools import product
from math import comb, prod
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minewright import Budget, BudgetExceeded, Position
from minewright._kernel import Sums, TooHard
from minewright.strategies.oz import table

LOOK_AHEADS = ("check", "forward", "gac", "ac3")
ORDERS = ("given", "constrained")
ALL = Budget(1_000_000, 60.0)  # a budget far above what anything here needs


class System(NamedTuple):
    caps: list[int]
    sums: list[tuple[list[int], int]]

    def holds(self, values: tuple[int, ...]) -> bool:
        return all(sum(values[i] for i in variables) == total for variables, total in self.sums)

    def solutions(self) -> list[tuple[int, ...]]:
        everything = product(*(range(cap + 1) for cap in self.caps))
        return [values for values in everything if self.holds(values)]


@st.composite
def systems(draw: st.DrawFn) -> System:
    """Draw a small system: mostly one that some assignment satisfies."""
    caps = draw(st.lists(st.sampled_from((0, 1, 1, 1, 1, 2, 3)), max_size=7))
    values = [draw(st.integers(0, cap)) for cap in caps]
    sums = []
    for _ in range(draw(st.integers(0, 5))):
        variables = [i for i in range(len(caps)) if draw(st.booleans())]
        wrong = draw(st.sampled_from((0, 0, 0, 0, 0, 0, 0, -1, 1)))
        sums.append((draw(st.permutations(variables)), sum(values[i] for i in variables) + wrong))
    return System(caps, sums)


@settings(max_examples=150)
@given(systems())
def test_a_tally_counts_what_brute_force_finds_however_it_searches(system: System) -> None:
    solutions = system.solutions()
    kernel = Sums(*system)
    for by, order in product(LOOK_AHEADS, ORDERS):
        tally = kernel.tally(by, order, ALL)
        assert tally.complete
        assert tally.count == len(solutions)
        if not solutions:
            assert tally.ways == []
            continue
        assert tally.low == min(map(sum, solutions))
        assert tally.low + len(tally.ways) - 1 == max(map(sum, solutions))
        for m, ways in enumerate(tally.ways):
            here = [values for values in solutions if sum(values) == tally.low + m]
            weights = [prod(map(comb, system.caps, values)) for values in here]
            assert ways == sum(weights)
            for i, cap in enumerate(system.caps):
                weighted = zip(here, weights, strict=True)
                assert tally.mined[i][m] == sum(v[i] * weight for v, weight in weighted)
                assert tally.least[i][m] == min((v[i] for v in here), default=cap + 1)
                assert tally.most[i][m] == max((v[i] for v in here), default=-1)


@settings(max_examples=150)
@given(systems())
def test_supports_are_the_ends_of_what_brute_force_finds(system: System) -> None:
    solutions = system.solutions()
    kernel = Sums(*system)
    for by, order in product(LOOK_AHEADS, ORDERS):
        support = kernel.support(by, order, ALL)
        assert support.complete
        assert support.consistent == bool(solutions)
        if solutions:
            columns = list(zip(*solutions, strict=True))
            assert support.low == list(map(min, columns))
            assert support.high == list(map(max, columns))
    fewest = kernel.fewest(0, ALL)
    assert fewest.complete
    assert fewest.fewest == min(map(sum, solutions), default=None)


@settings(max_examples=150)
@given(systems(), st.integers(1, 30))
def test_a_search_that_gives_up_never_excludes_a_solution(system: System, states: int) -> None:
    solutions = system.solutions()
    for by in LOOK_AHEADS:
        support = Sums(*system).support(by, "given", Budget(states, 60.0))
        if support.complete:
            assert support.consistent == bool(solutions)
        for values in solutions:
            assert all(map(int.__le__, support.low, values))
            assert all(map(int.__le__, values, support.high))


@settings(max_examples=300)
@given(systems())
def test_ac3_on_partial_sums_prunes_exactly_as_gac_does(system: System) -> None:
    kernel = Sums(*system)
    assert kernel.propagate("ac3") == kernel.propagate("gac")
    for order in ORDERS:  # and at every node: both try the same values
        searches = [kernel.tally(by, order, ALL) for by in ("gac", "ac3")]
        assert searches[0].nodes == searches[1].nodes


@settings(max_examples=150)
@given(systems())
def test_more_look_ahead_never_tries_more_values(system: System) -> None:
    kernel = Sums(*system)
    nodes = {by: kernel.tally(by, "given", ALL).nodes for by in LOOK_AHEADS}
    assert nodes["gac"] <= min(nodes["check"], nodes["forward"])


@settings(max_examples=150)
@given(systems(), st.data())
def test_what_is_assumed_is_pruned_as_if_it_were_a_sum(system: System, data: st.DataObject) -> None:
    places = (
        st.lists(st.integers(0, len(system.caps) - 1), max_size=3) if system.caps else st.just([])
    )
    ones, zeros = data.draw(places), data.draw(places)
    kernel = Sums(*system)
    fixed = [([i], system.caps[i]) for i in ones] + [([i], 0) for i in zeros]
    ranges = Sums(system.caps, system.sums + fixed).propagate("gac")
    expected = None
    if ranges is not None:
        at_zero = [i for i, high in enumerate(ranges[1]) if high == 0]
        at_cap = [i for i, cap in enumerate(system.caps) if 0 < cap == ranges[0][i]]
        expected = (at_cap, at_zero)
    assert kernel.assume(ones, zeros) == expected
    assert kernel.assume(ones, zeros) == expected  # nothing is left behind


@settings(max_examples=100)
@given(systems())
def test_solutions_are_listed_in_rising_order(system: System) -> None:
    solutions = [list(values) for values in system.solutions()]
    for by in LOOK_AHEADS:
        assert Sums(*system).listed(by, "given", 3, ALL) == solutions[:3]
        assert sorted(Sums(*system).listed(by, "constrained", 10_000, ALL)) == solutions


def test_the_fewest_stops_at_the_first_sum_below_the_bound() -> None:
    either = Sums([1, 1, 1], [([0, 1], 1), ([1, 2], 1)])  # 101 or 010
    assert either.fewest(0, ALL).fewest == 1
    assert either.fewest(9, ALL).fewest in (1, 2)


def test_a_search_that_gives_up_is_told_from_one_that_finds_nothing() -> None:
    none = Sums([1], [([0], 2)]).fewest(0, ALL)
    assert (none.complete, none.fewest) == (True, None)
    unknown = Sums([1] * 40, [(range(40), 20)]).fewest(0, Budget(5, 60.0))
    assert (unknown.complete, unknown.fewest) == (False, None)


@pytest.mark.parametrize(
    "budget", [Budget(1000, 60.0), Budget(10**12, 0.01)], ids=["states", "seconds"]
)
def test_a_list_without_end_in_sight_is_given_up(budget: Budget) -> None:
    # Half of three is not a whole number, and each of the 2^30 ways of the pairs ends there.
    pairs = [([2 * i, 2 * i + 1], 1) for i in range(30)]
    triangle = [([60, 61], 1), ([61, 62], 1), ([60, 62], 1)]
    for by in LOOK_AHEADS:
        with pytest.raises(TooHard):
            Sums([1] * 63, pairs + triangle).listed(by, "given", 1, budget)


def test_a_table_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minewright.strategies.oz.solvers.TABLE_BUDGET", Budget(5))
    position = Position.parse("3x3x4\n###\n#4#\n###")
    with pytest.raises(BudgetExceeded, match="5 values"):
        table(position, "binary")


def test_partial_sums_of_many_words_prune_as_ranges_do() -> None:
    caps = [1] * 30 + [400]
    for total in (0, 1, 63, 64, 65, 99, 128, 401, 429, 430, 431):
        system = Sums(caps, [(range(31), total), ([0, 1, 2], 3), ([3, 4], 1)])
        assert system.propagate("ac3") == system.propagate("gac")


@pytest.mark.parametrize(
    ("caps", "sums", "message"),
    [
        ([-1], [], "variable 0 has the cap -1"),
        ([1], [([1], 1)], "sum 0 names variable 1, and there are only 1"),
        ([1, 1], [([0], 1), ([1, 1], 1)], "sum 1 names variable 1 twice"),
    ],
)
def test_nonsense_is_named(
    caps: list[int], sums: list[tuple[list[int], int]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Sums(caps, sums)


def test_unknown_words_and_variables_are_named() -> None:
    system = Sums([1], [([0], 1)])
    with pytest.raises(ValueError, match="not by 'guess'"):
        system.propagate("guess")
    with pytest.raises(ValueError, match="not 'random'"):
        system.tally("gac", "random", ALL)
    with pytest.raises(ValueError, match="no variable 1"):
        system.assume([1], [])
