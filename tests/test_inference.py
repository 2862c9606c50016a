"""Exact inference, compared with brute force, exact fractions and Collet's paper."""

import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import comb
from pathlib import Path
from random import Random
from time import process_time

import numpy as np
import pytest
from hard_positions import FAMILIES, scattered
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import HANG
from reference import positions, random_position, reference

import minewright as mw
from minewright import _kernel, exact, inference, topology
from minewright.circuits import adders, inverter, wire
from minewright.position import COVERED, MARKED, MAX_NUMBER, SAFE

# Raphaël Collet, Playing the Minesweeper with Constraints: figures 1 and 2, from the text.
COLLET_1 = mw.Position.parse(
    "10x10x20\n00001#####\n00002#####\n11102#####\n##101#####\n##322#####\n" + "##########\n" * 5
)
COLLET_2 = mw.Position.parse("10x10x20\n1#########\n1#########\n13########\n" + "##########\n" * 7)


EXAMPLES = Path(__file__).resolve().parents[1] / "docs" / "examples"
# So few seconds that they are over when the clock is first read.
OVER = 1e-9
# This few states make every component with a choice or two too hard. The seconds do not matter.
FORCED = mw.Budget(states=40, seconds=600.0)
SLOWLY_MIXED = [
    ("box 5x5x5, 20% mined", 0),
    ("torus 12x12, lattice", 1),
    ("hex 23x23, lattice", 0),
    ("graph of 120, degree 10", 2),
]


def at(row: int, column: int) -> int:
    """Name a cell as Collet does: row and column from 1 on his board of ten columns."""
    return 10 * (row - 1) + column - 1


def test_collets_figure_2_has_his_count_and_probabilities() -> None:
    analysis = mw.analyze(COLLET_2)
    assert f"{analysis.solutions:.3e}" == "3.333e+18"
    found = {cell: round(float(analysis.probability[cell]), 3) for cell in (1, 30, 58)}
    assert found == {at(1, 2): 0.318, at(4, 1): 0.159, at(6, 9): 0.187}


def test_collets_set_model_has_2_classes_where_the_binary_one_has_9() -> None:
    frontier = [at(1, 2), at(2, 2), at(2, 3), at(3, 3), at(4, 1), at(4, 2), at(4, 3)]
    # The restricted problem: only the cells next to numbers.
    away = {cell: SAFE for cell in COLLET_2.covered if cell not in frontier}
    restricted = COLLET_2.with_mines(None).with_cells(away)
    binary = mw.enumerate_solutions(restricted, 100)
    assert len(binary) == 9
    graph = restricted.topology.graph
    counted = _kernel.exact(graph, restricted.cells, -1, False, False, mw.Budget(10**6, 10.0))
    boxes = [frozenset(box) for part in counted.parts for box in part.boxes]
    assert {frozenset(box) for box in boxes} == {
        frozenset({at(1, 2)}),
        frozenset({at(2, 2)}),
        frozenset({at(4, 1), at(4, 2)}),
        frozenset({at(2, 3), at(3, 3), at(4, 3)}),
    }
    assert len({tuple(len(mined & box) for box in boxes) for mined in binary}) == 2


def test_collets_section_3_2_is_inferred_on_figure_1() -> None:
    analysis = mw.analyze(COLLET_1)
    assert {at(4, 2), at(3, 6), at(2, 6)} <= set(analysis.mined)
    assert {at(4, 1), at(5, 2), at(4, 6), at(5, 6), at(1, 6)} <= set(analysis.safe)


@settings(max_examples=300, deadline=None)
@given(positions(), st.booleans(), st.booleans())
def test_everything_agrees_with_brute_force(
    position: mw.Position, trust_marks: bool, use_total: bool
) -> None:
    # Without the total the reference would have far more minefields to try.
    use_total |= len(position.covered) > 14
    truth = reference(position, trust_marks=trust_marks, use_total=use_total)
    analysis = mw.analyze(position, trust_marks=trust_marks, use_total=use_total)
    assert analysis.consistent == truth.consistent
    assert analysis.solutions == truth.solutions
    assert analysis.fractions == truth.fractions
    assert (analysis.safe, analysis.mined) == (truth.safe, truth.mined)
    for cell, fraction in enumerate(truth.fractions):
        p = analysis.probability[cell]
        assert np.isnan(p) if fraction is None else abs(p - fraction) < 1e-12
        # Only certain cells have a chance of 0 or 1.
        assert (p in (0.0, 1.0)) == (fraction in (0, 1))
    risks = [risk for risk in truth.fractions if risk is not None and risk < 1]
    if risks:
        # The first of all cells with the same chance; rounding may tell equal fractions apart.
        assert analysis.best is not None
        best = truth.fractions[analysis.best]
        assert best is not None
        assert best - min(risks) < 1e-12
        least = analysis.probability[analysis.best]
        assert analysis.best == np.flatnonzero(analysis.probability == least)[0]
        assert least == np.nanmin(analysis.probability)
    else:
        assert analysis.best is None
    if position.covered and truth.consistent:
        assert abs(analysis.least - min(risks, default=1)) < 1e-12


@settings(max_examples=150, deadline=None)
@given(positions(side=4, perturbed=False))
def test_numbers_agree_with_brute_force(position: mw.Position) -> None:
    truth, analysis = reference(position), mw.analyze(position)
    for cell in position.covered:
        expected = truth.numbers(cell)
        found = analysis.numbers(cell)
        assert len(found) == len(expected)
        assert all(abs(p - q) < 1e-12 for p, q in zip(found, expected, strict=True))


@settings(max_examples=150, deadline=None)
@given(positions(side=4), st.integers(0, 60))
def test_enumeration_lists_every_minefield_once_up_to_the_limit(
    position: mw.Position, limit: int
) -> None:
    truth = set(reference(position).minefields())
    found = mw.enumerate_solutions(position, limit)
    assert len(found) == len(set(found)) == min(limit, len(truth))
    assert set(found) <= truth
    assert mw.is_unique(position) == (len(truth) == 1)


@settings(max_examples=150, deadline=None)
@given(positions(side=4), st.randoms(use_true_random=False))
def test_restricted_inference_uses_only_the_given_clues(
    position: mw.Position, random: Random
) -> None:
    numbers = [cell for cell, code in enumerate(position.cells) if code <= MAX_NUMBER]
    clues = random.sample(numbers, random.randint(0, min(3, len(numbers))))
    if len(position.covered) > 14:
        return  # the reference would try too many minefields without the other clues
    truth = reference(position, clues=clues)
    analysis = mw.analyze(position, clues=clues)
    assert analysis.fractions == truth.fractions
    assert (analysis.safe, analysis.mined) == (truth.safe, truth.mined)


@settings(max_examples=150, deadline=None)
@given(positions(perturbed=True))
def test_a_clash_is_real_and_has_no_clue_too_many(position: mw.Position) -> None:
    clash = mw.analyze(position).clash
    if clash is None:
        assert reference(position).consistent
        return

    def consistent(clues: list[int], total: bool) -> bool:
        return mw.analyze(position, clues=clues, use_total=total).consistent

    assert not consistent(list(clash.clues), clash.total)
    assert not clash.total or consistent(list(clash.clues), False)
    for clue in clash.clues:
        assert consistent([other for other in clash.clues if other != clue], clash.total)


@pytest.mark.parametrize(
    ("shape", "mines", "share", "name"),
    [
        ((30, 16), 99, 0.3, "moore"),
        ((24, 24), 115, 0.2, "torus"),
        ((40, 40), 300, 0.4, "hex"),
        ((20, 20), 80, 0.3, "knight"),
        ((60, 60), 600, 0.15, "moore"),
        ((6, 6, 6), 40, 0.3, "box"),
        ((200, 200), 6000, 0.5, "moore"),
    ],
)
def test_doubles_agree_with_fractions_on_large_boards(
    shape: tuple[int, ...], mines: int, share: float, name: str
) -> None:
    for known in (True, False):
        position = scattered(shape, mines, share, 7, name)
        analysis = mw.analyze(position if known else position.with_mines(None))
        assert analysis.consistent
        for cell, fraction in enumerate(analysis.fractions):
            assert fraction is None or abs(analysis.probability[cell] - fraction) < 1e-12
        certain = {c for c, fraction in enumerate(analysis.fractions) if fraction in (0, 1)}
        assert certain == {*analysis.safe, *analysis.mined}


def test_a_mid_game_position_of_200x200_with_6000_mines_is_solved_within_the_budget() -> None:
    analysis = mw.analyze(scattered((200, 200), 6000, 0.3, 1))
    expected_mines = np.nansum(analysis.probability)
    assert expected_mines == pytest.approx(6000, abs=1e-6)


def test_extreme_totals_do_not_leave_the_range_of_doubles() -> None:
    # A thousand open numbers, and almost no mines, or almost only mines, elsewhere.
    board = topology.get("moore", (120, 120))
    cells = bytearray([COVERED]) * board.size
    for row in range(0, 120, 3):
        for column in range(0, 120, 3):
            cells[board.cell(row, column)] = 1
    for total in (400, 1600, 8000, 12000):
        analysis = mw.analyze(mw.Position(board, bytes(cells), total))
        if analysis.consistent:
            assert np.nansum(analysis.probability) == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "solutions", "safe", "mined"),
    [
        ("3x2x0\n###\n###", 1, 6, 0),
        ("3x2x6\n###\n###", 1, 0, 6),
        ("3x2x?\n###\n###", 64, 0, 0),
        ("1x1x0\n0", 1, 0, 0),
        ("2x1x1\n!-", 1, 0, 0),
        ("3x1x1\n#0#", 0, 0, 0),
        ("3x1x2\n#2#", 1, 0, 2),
    ],
)
def test_the_smallest_and_emptiest_positions_are_answered(
    text: str, solutions: int, safe: int, mined: int
) -> None:
    analysis = mw.analyze(mw.Position.parse(text))
    assert analysis.solutions == solutions
    assert (len(analysis.safe), len(analysis.mined)) == (safe, mined)


def test_trusted_marks_are_facts_and_untrusted_ones_are_not() -> None:
    position = mw.Position.parse("3x1x1\nF1#")
    assert mw.analyze(position).solutions == 2
    trusted = mw.analyze(position, trust_marks=True)
    assert (trusted.safe, trusted.mined, trusted.solutions) == ((2,), (0,), 1)
    assert trusted.fractions == (Fraction(1), None, Fraction(0))
    assert position[0] == MARKED


def boxed() -> mw.Position:
    """Return a position whose table would be endless."""
    return scattered((10, 10, 10), 100, 0.3, 1, "box")


def entangled() -> mw.Position:
    """Return a position whose clues share cells at random: its first plan alone takes seconds."""
    random = Random(1)
    clues, degree = 2000, 200
    cells = [clues + cell for cell in range(clues)]
    lists: list[list[int]] = [[] for _ in range(2 * clues)]
    for clue in range(clues):
        lists[clue] = sorted(random.sample(cells, degree))
        for cell in lists[clue]:
            lists[cell].append(clue)
    codes = bytes([degree // 2]) * clues + bytes([COVERED]) * clues
    return mw.Position(topology.Net(lists), codes, None)


def test_past_the_budget_the_hard_component_is_named_at_once() -> None:
    position = boxed()
    with pytest.raises(mw.BudgetExceeded, match=r"component of .* from .* budget") as caught:
        mw.analyze(position, budget=mw.Budget(states=1_000_000))
    assert set(caught.value.component) <= set(position.covered)
    assert caught.value.states > 1_000_000
    with pytest.raises(mw.BudgetExceeded) as caught:
        mw.analyze(position, budget=mw.Budget(states=10**12, seconds=OVER))
    assert caught.value.states < 10_000_000


def test_exact_work_in_python_ends_with_the_budget_too(monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = mw.analyze(scattered((30, 30), 180, 0.3, 3), budget=mw.Budget(seconds=HANG))
    now = iter([0.0, HANG + 1.0])  # the beginning, and the first look afterwards
    monkeypatch.setattr(inference, "monotonic", lambda: next(now))
    with pytest.raises(mw.BudgetExceeded, match="too long"):
        _ = analysis.fractions


@pytest.mark.parametrize("make", [boxed, entangled])
def test_the_kernel_hears_an_interrupt_within_a_second_of_work(
    make: Callable[[], mw.Position],
) -> None:
    # Processor time, which other processes do not use up.
    position = make()
    assert position.topology.graph.size
    before = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    start = process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            mw.analyze(position, budget=mw.Budget(states=10**12, seconds=HANG))
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    assert process_time() - start < 1.2


def test_a_plan_ends_with_the_budget_too() -> None:
    position = entangled()
    assert position.topology.graph.size
    start = process_time()
    with pytest.raises(mw.BudgetExceeded) as caught:
        mw.analyze(position, budget=mw.Budget(states=10**12, seconds=OVER))
    assert caught.value.states == 0
    assert process_time() - start < 1


def test_a_signal_handler_may_call_the_kernel_in_the_middle_of_a_call() -> None:
    outer = scattered((5, 5, 5), 25, 0.25, 1, "box")
    inner = scattered((9, 9), 10, 0.3, 1)
    expected = mw.analyze(outer)
    answers: list[int] = []
    before = signal.signal(signal.SIGVTALRM, lambda *_: answers.append(mw.analyze(inner).solutions))
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.06, 0.06)
    try:
        while len(answers) < 4:
            found = mw.analyze(outer)
            assert found.consistent
            assert np.array_equal(found.probability, expected.probability, equal_nan=True)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    assert set(answers) == {mw.analyze(inner).solutions}


@pytest.mark.parametrize(("shape", "step"), [((300, 300), 3), ((4001, 3), 2)])
def test_enumeration_needs_no_deep_stack_and_keeps_its_budget(
    shape: tuple[int, int], step: int
) -> None:
    board = topology.get("moore", shape)
    cells = bytearray([COVERED]) * board.size
    for row in range(1, shape[1], 3):
        for column in range(0, shape[0], step):
            cells[board.cell(row, column)] = 1
    position = mw.Position(board, bytes(cells), None)
    found = mw.enumerate_solutions(position, 3)
    assert len(set(found)) == 3
    for mined in found:
        for cell, code in enumerate(cells):
            assert code != 1 or sum(other in mined for other in board.neighbours(cell)) == 1


def test_a_long_enumeration_ends_with_its_budget() -> None:
    board = mw.Position.covered_board(mw.EXPERT)
    with pytest.raises(mw.BudgetExceeded, match="allow a larger one"):
        mw.enumerate_solutions(board, 10**9, budget=mw.Budget(states=100_000))


@pytest.mark.parametrize(("number", "others", "mines"), [(249, 10_000, 10_248), (1, 10_000, 2)])
def test_boxes_of_hundreds_of_cells_do_not_leave_the_range_of_doubles(
    number: int, others: int, mines: int
) -> None:
    size = 251 + others
    star = topology.Net([[*range(1, 251)]] + [[0]] * 250 + [[]] * others)
    position = mw.Position(star, bytes([number]) + bytes([COVERED]) * (size - 1), mines)
    analysis = mw.analyze(position)
    for cell in (1, 251):
        fraction = analysis.fractions[cell]
        assert fraction is not None
        assert abs(analysis.probability[cell] - fraction) < 1e-12
        assert sum(analysis.numbers(cell)) == pytest.approx(float(1 - fraction), abs=1e-12)


def test_a_cell_that_touches_hundreds_of_clues_is_no_hard_problem() -> None:
    # One cell next to 200 clues of 2, each with three cells of its own.
    clues = range(1, 201)
    own = [range(201 + 3 * i, 204 + 3 * i) for i in range(200)]
    lists = [[*clues]] + [[0, *cells] for cells in own]
    lists += [[clue] for clue, cells in zip(clues, own, strict=True) for _ in cells]
    net = topology.Net(lists)
    cells = bytes([COVERED]) + bytes([2]) * 200 + bytes([COVERED]) * 600
    position = mw.Position(net, cells, None)
    assert mw.analyze(position, budget=mw.Budget(seconds=HANG)).solutions == 2 * 3**200


def row_of_ones(width: int, height: int, mines: int | None) -> mw.Position:
    """Return a position in which every second cell of the second row shows 1."""
    board = topology.get("moore", (width, height))
    cells = bytearray([COVERED]) * board.size
    for column in range(0, width, 2):
        cells[board.cell(1, column)] = 1
    return mw.Position(board, bytes(cells), mines)


def test_counts_over_all_totals_add_up_to_the_count_without_a_total() -> None:
    without = mw.analyze(row_of_ones(31, 3, None)).solutions
    assert sum(mw.analyze(row_of_ones(31, 3, mines)).solutions for mines in range(78)) == without


def test_a_count_far_from_the_likely_totals_is_exact_too() -> None:
    # The fewest mines this row can have: one between every two clues, and one for the odd clue.
    least = mw.analyze(row_of_ones(1501, 400, 376))
    assert least.consistent
    assert not mw.analyze(row_of_ones(1501, 400, 375)).consistent
    # The rest then holds none, so the rows further down change nothing.
    assert least.solutions == mw.analyze(row_of_ones(1501, 3, 376)).solutions


def test_a_clash_is_found_without_much_work_on_a_large_board_too() -> None:
    board = topology.get("moore", (1000, 1000))
    cells = bytearray([COVERED]) * board.size
    cells[5050] = 7
    cells[5051] = 1
    start = process_time()
    analysis = mw.analyze(mw.Position(board, bytes(cells), 1000), budget=mw.Budget(seconds=HANG))
    assert analysis.clash == mw.Clash((5050, 5051), False)
    assert process_time() - start < 6


@pytest.mark.parametrize(
    ("n", "k"),
    [(10, 3), (20_001, 10_000), (20_011, 10_001), (2**15, 10_001), (40_000, 11_111), (25_000, 0)],
)
def test_large_binomials_and_long_numbers_are_right(n: int, k: int) -> None:
    board = topology.get("moore", (n, 1))
    solutions = mw.analyze(mw.Position(board, bytes([COVERED]) * n, k)).solutions
    assert solutions == comb(n, k)
    digits = exact.write(solutions)
    found = 0
    for start in range(0, len(digits), 1000):
        chunk = digits[start : start + 1000]
        found = found * 10 ** len(chunk) + int(chunk)
    assert found == solutions


def test_an_approximate_answer_has_honest_errors_and_claims_nothing_unproved() -> None:
    distances: list[float] = []
    for seed in range(4):
        position = scattered((16, 16), 50, 0.3, seed)
        truth = mw.analyze(position)
        sampled = mw.analyze(position, approximate=True, seed=seed, budget=FORCED)
        assert sampled.approximate
        assert set(sampled.safe) <= set(truth.safe)
        assert set(sampled.mined) <= set(truth.mined)
        error = sampled.standard_error
        assert error is not None
        for cell in position.covered:
            difference = abs(sampled.probability[cell] - truth.probability[cell])
            assert difference < 8 * error[cell] + 1e-9
            assert difference < 0.05
            certain = cell in sampled.safe or cell in sampled.mined
            assert (sampled.probability[cell] in (0.0, 1.0)) == certain
            if error[cell] > 1e-9:
                distances.append(difference / error[cell])
    assert 0.3 < np.sqrt(np.mean(np.square(distances))) < 2.5


@pytest.mark.parametrize(
    ("shape", "mines", "share", "name"),
    [((20, 20), 140, 0.4, "moore"), ((5, 5, 5), 25, 0.25, "box"), ((16, 16), 60, 0.3, "hex")],
)
def test_an_approximate_answer_has_a_chance_for_every_covered_cell(
    shape: tuple[int, ...], mines: int, share: float, name: str
) -> None:
    position = scattered(shape, mines, share, 0, name)
    marked = position.with_cells(dict.fromkeys(mw.analyze(position).mined[:2], MARKED))
    for asked, trust in ((position, False), (marked, True)):
        sampled = mw.analyze(asked, approximate=True, trust_marks=trust, budget=FORCED)
        error = sampled.standard_error
        assert error is not None
        assert np.isfinite(sampled.probability[list(asked.covered)]).all()
        assert np.isfinite(error[list(asked.covered)]).all()


def test_no_approximate_answer_is_given_to_a_position_that_has_none() -> None:
    position = scattered((30, 16), 60, 0.25, 3).with_mines(25)
    assert not mw.analyze(position).consistent
    with pytest.raises(mw.BudgetExceeded):
        mw.analyze(position, approximate=True, budget=mw.Budget(states=300, seconds=1.0))


def test_seconds_never_change_a_sampled_answer() -> None:
    position = scattered((5, 4, 4), 16, 0.25, 1, "box")
    unhurried = mw.analyze(position, approximate=True, seed=3, budget=FORCED)
    for seconds in (OVER, 0.5, HANG):
        hurried = mw.Budget(FORCED.states, seconds)
        try:
            found = mw.analyze(position, approximate=True, seed=3, budget=hurried)
        except mw.BudgetExceeded:
            assert seconds < HANG
            continue
        assert np.array_equal(found.probability, unhurried.probability, equal_nan=True)
        assert found.states == unhurried.states


def distances(position: mw.Position, seed: int) -> list[float]:
    """Sample a position and return how far every cell is off, in its own standard errors."""
    truth = mw.analyze(position).probability
    sampled = mw.analyze(position, approximate=True, seed=seed, budget=FORCED)
    error = sampled.standard_error
    assert error is not None
    assert all(error[cell] > 0 for cell in position.covered if sampled.chances[cell] not in (0, 1))
    return [
        abs(float(sampled.probability[cell] - truth[cell])) / float(error[cell])
        for cell in position.covered
        if error[cell] > 0
    ]


# Each can be solved exactly, at 300,000 to 20 million pairs of states.
@pytest.mark.parametrize(("family", "seed"), SLOWLY_MIXED)
def test_where_walks_mix_slowly_errors_are_honest(family: str, seed: int) -> None:
    found = distances(FAMILIES[family](seed), seed)
    assert max(found) < 5
    assert np.mean(np.array(found) > 2) < 0.1


def test_walks_that_do_not_agree_give_no_answer() -> None:
    position = FAMILIES["moore 21x21, lattice"](2)
    with pytest.raises(mw.BudgetExceeded, match=r"walks .* do not agree .*; allow more states"):
        mw.analyze(position, approximate=True, budget=FORCED)


def test_a_wire_carries_its_signal_and_an_inverter_turns_it() -> None:
    for position, turned in ((wire(5), False), (inverter(), True)):
        first, last = min(position.covered), max(position.covered) - 1
        off, on = sorted(mw.enumerate_solutions(position, 3), key=lambda mined: first in mined)
        assert (first in off, last in off) == (False, turned)
        assert (first in on, last in on) == (True, not turned)


@pytest.mark.parametrize(
    ("name", "made"),
    [("wire", wire(5)), ("inverter", inverter()), ("half-adder", adders(1)), ("adders", adders(4))],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_circuits_among_the_examples_are_these(name: str, made: mw.Position) -> None:
    text = (EXAMPLES / f"{name}.txt").read_text(encoding="utf-8")
    assert mw.Position.parse(text) == made


def test_a_gate_has_the_truth_table_of_a_half_adder() -> None:
    u, v, a, d = 15, 17, 26, 47
    table = {
        (u in mined, v in mined): (a not in mined, d not in mined)
        for mined in mw.enumerate_solutions(adders(1), 9)
    }
    assert table == {
        (False, False): (False, False),
        (False, True): (False, True),
        (True, False): (False, True),
        (True, True): (True, False),
    }
    # Gates in a chain bind their own wires and nothing else.
    assert mw.analyze(adders(300)).solutions == 2**301


def test_an_approximate_answer_is_exact_where_the_budget_suffices() -> None:
    position = scattered((16, 16), 50, 0.3, 1)
    truth, found = mw.analyze(position), mw.analyze(position, approximate=True)
    assert not found.approximate
    assert found.standard_error is None
    assert np.array_equal(truth.probability, found.probability, equal_nan=True)


def test_a_batch_gives_what_single_calls_give() -> None:
    random = Random(5)
    batch = [random_position(random) for _ in range(100)]
    for position, found in zip(batch, mw.analyze_many(batch), strict=True):
        single = mw.analyze(position)
        assert found.position == position
        assert (found.consistent, found.safe, found.mined) == (
            single.consistent,
            single.safe,
            single.mined,
        )
        assert np.array_equal(found.probability, single.probability, equal_nan=True)


def test_a_batch_that_ends_early_keeps_what_is_done() -> None:
    easy = [scattered((9, 9), 10, 0.5, seed) for seed in range(3)]
    hard = scattered((24, 24), 115, 0.3, 1)
    with pytest.raises(mw.BudgetExceeded) as caught:
        mw.analyze_many([*easy, hard, *easy], budget=mw.Budget(states=200))
    assert [analysis.position for analysis in caught.value.done] == easy


def test_threads_do_not_disturb_each_other() -> None:
    boards = [scattered((30, 16), 99, 0.3, seed) for seed in range(24)]
    alone = [mw.analyze(position).solutions for position in boards]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda position: mw.analyze(position).solutions, boards * 3))
    assert together == alone * 3


def test_numbers_are_asked_of_covered_cells_only() -> None:
    analysis = mw.analyze(mw.Position.parse("3x1x1\n#1#"))
    assert analysis.numbers(0) == (0.5, 0.0)
    with pytest.raises(ValueError, match="row 1, column 2 is not covered"):
        analysis.numbers(1)
