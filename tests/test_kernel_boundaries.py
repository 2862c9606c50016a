"""Where a number in the kernel outgrows its place: a word, a double, a table."""

from math import comb

import pytest

from minewright import Budget
from minewright import _kernel as kernel
from minewright._kernel import Graph, Sums
from minewright.position import COVERED

BUDGET = Budget(10**9, 1e9)


class Hubs:
    """Covered cells, each beside many clues; every clue has private cells of its own.

    A clue counts its hub and its private cells. Everything follows from whether a hub is mined, so
    every answer is known in closed form.
    """

    def __init__(self) -> None:
        self.lists: list[list[int]] = []
        self.codes: list[int] = []

    def cell(self, code: int = COVERED) -> int:
        """Add a cell and return its number."""
        self.lists.append([])
        self.codes.append(code)
        return len(self.lists) - 1

    def clue(self, number: int, hubs: list[int], private: int = 0) -> list[int]:
        """Add a clue beside some hubs, and return its private cells."""
        clue = self.cell(number)
        cells = [self.cell() for _ in range(private)]
        for other in (*hubs, *cells):
            self.lists[clue].append(other)
            self.lists[other].append(clue)
        return cells

    def infer(self, mines: int = -1) -> kernel.Inference:
        """Return what the kernel says."""
        cells = bytes(self.codes)
        return kernel.infer(Graph(self.lists), cells, mines, False, BUDGET)


@pytest.mark.parametrize("clues", range(25, 45))
def test_a_cell_beside_any_number_of_clues_is_counted_right(clues: int) -> None:
    # Keys of two and three bits fill 64-bit words in every way, and continue in the next word.
    hubs = Hubs()
    hub = hubs.cell()
    wide = hubs.clue(2, [hub], 3)
    narrow = [hubs.clue(1, [hub], 2) for _ in range(clues - 1)]
    chances = hubs.infer().probability
    mined = 1 / (1 + 2 ** (clues - 1))
    assert chances[hub] == pytest.approx(mined, rel=1e-12)
    assert chances[wide[0]] == pytest.approx((2 - mined) / 3, rel=1e-12)
    assert chances[narrow[0][0]] == pytest.approx((1 - mined) / 2, rel=1e-12)


@pytest.mark.parametrize("clues", [63, 64, 65, 66])
def test_only_totals_that_some_minefield_has_are_consistent(clues: int) -> None:
    # Either the hub alone is mined, or one cell of every clue: no total in between is possible.
    hubs = Hubs()
    hub = hubs.cell()
    for _ in range(clues):
        hubs.clue(1, [hub], 2)
    assert not any(hubs.infer(total).consistent for total in (0, 2, clues - 1, clues + 1))
    assert hub in hubs.infer(1).mined
    assert hubs.infer(clues).safe == [hub]


def test_a_component_may_hold_any_of_more_numbers_of_mines_than_a_word_has_bits() -> None:
    # Both clues count the shared cells: with m mines there, the cells of each clue hold 100 - m.
    hubs = Hubs()
    shared = [hubs.cell() for _ in range(100)]
    one, other = hubs.clue(100, shared, 100), hubs.clue(100, shared, 100)
    assert not hubs.infer(99).consistent
    assert not hubs.infer(201).consistent
    for total in (*range(100, 200, 9), 163, 164, 165, 200):
        chances = hubs.infer(total).probability
        assert chances[shared[0]] == pytest.approx(2 - total / 100, abs=1e-12)
        assert chances[one[0]] == chances[other[0]] == pytest.approx(total / 100 - 1, abs=1e-12)


@pytest.mark.parametrize("components", [5, 90])
def test_what_the_total_allows_reaches_every_component(components: int) -> None:
    # Each component holds one or two mines, so as many mines as components leave one way, and so do
    # twice as many. Of 90 components, one half has fewer than 64 mines to spare; both have more.
    hubs = Hubs()
    pairs = []
    for _ in range(components):
        left, middle, right = hubs.cell(), hubs.cell(), hubs.cell()
        hubs.clue(1, [left, middle])
        hubs.clue(1, [middle, right])
        pairs.append((left, middle, right))
    fewest, most = hubs.infer(components), hubs.infer(2 * components)
    assert fewest.mined == most.safe == [middle for _, middle, _ in pairs]
    assert fewest.safe == most.mined == sorted(cell for a, _, b in pairs for cell in (a, b))
    assert not hubs.infer(components - 1).consistent
    assert not hubs.infer(2 * components + 1).consistent


def test_counts_far_beyond_the_doubles_are_scaled_into_their_range() -> None:
    # Two halves of 2^790 minefields each are joined last.
    hubs = Hubs()
    one, other = hubs.cell(), hubs.cell()
    private = [hubs.clue(5, [hub], 10)[0] for hub in (one, other) for _ in range(100)]
    hubs.clue(1, [one, other])
    inference = hubs.infer()
    assert inference.in_range
    assert inference.probability[one] == pytest.approx(0.5, rel=1e-12)
    assert inference.probability[private[0]] == pytest.approx(0.45, rel=1e-12)


@pytest.mark.parametrize("total", [0, 1, 62, 63, 64, 65, 100, 127, 128, 129, 199, 200])
def test_partial_sums_beyond_a_word_prune_as_bounds_do(total: int) -> None:
    for caps in ([70, 70, 60], [100, 100], [200], [1, 130, 69]):
        system = Sums(caps, [(list(range(len(caps))), total), ([0], min(caps[0], total))])
        assert system.propagate("ac3") == system.propagate("gac")


@pytest.mark.parametrize(("variables", "held"), [(999, True), (1000, True), (1001, False)])
def test_a_tally_holds_as_many_minefields_as_a_double(variables: int, held: bool) -> None:
    every = list(range(variables))
    found = Sums([1] * variables, [(every, 0)]).tally("gac", "given", BUDGET)
    assert (found.complete, found.count) == ((True, 1) if held else (False, 0))


def test_ways_of_wide_variables_are_binomials() -> None:
    found = Sums([20, 30], [([0, 1], 25)]).tally("check", "given", BUDGET)
    assert found.ways == [comb(50, 25)]


@pytest.mark.parametrize(("below", "fewest"), [(0, 2), (2, 2), (3, 2), (4, 3)])
def test_the_fewest_is_sought_until_it_is_below(below: int, fewest: int) -> None:
    # x0 … x4 alternate: two mines or three, and three are found first.
    pairs = [([i, i + 1], 1) for i in range(4)]
    found = Sums([1] * 5, pairs).fewest(below, BUDGET)
    assert (found.complete, found.fewest) == (True, fewest)


@pytest.mark.parametrize("covered", range(5))
def test_a_clue_of_more_mines_than_covered_cells_is_inconsistent(covered: int) -> None:
    for number in range(covered + 3):
        hubs = Hubs()
        hubs.clue(number, [], covered)
        assert hubs.infer().consistent == (number <= covered)
