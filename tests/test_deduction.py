"""Deductions: sound, minimal, complete, and checked independently of what found them."""

from dataclasses import replace
from itertools import combinations, islice
from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import positions, random_position, reference

import minewright as mw
from minewright import topology
from minewright.deduction import SEARCHES, Deduction, explain, next_step
from minewright.deduction.search import Search
from minewright.position import COVERED, MAX_NUMBER, MINED, SAFE

FOUR = ("moore", "hex", "torus", "knight")

# Neller and Tran, figure 4, the state before the second-to-last step, rebuilt from their text:
# the clues with unknown neighbours are 3 at cell 29, 1 at 30, 2 at 35 and 2 at 37.
FIGURE_4 = mw.Position.parse("7x7x?\n-------\n-------\n-------\n!#-----\n!31----\n2#2----\n###----")

searches = st.sampled_from(SEARCHES)


def certain(
    position: mw.Position, clues: tuple[int, ...], total: bool
) -> tuple[set[int], set[int]]:
    """Return what follows from some clues, by brute force."""
    truth = reference(position, clues=clues, use_total=total)
    return set(truth.safe), set(truth.mined)


@pytest.mark.parametrize("search", SEARCHES)
def test_figure_4s_second_to_last_step_is_found_with_exactly_its_two_clues(search: Search) -> None:
    step = next_step(FIGURE_4, search)
    assert step is not None
    assert (step.kind, step.order, step.clues) == (1, 2, (35, 37))
    assert (step.safe, step.mined) == ((42,), (44,))
    assert step.check()


@settings(max_examples=200, deadline=None)
@given(positions(FOUR, side=4, perturbed=False), searches)
def test_every_step_is_minimal_and_says_all_that_follows(
    position: mw.Position, search: Search
) -> None:
    for step in explain(position, search):
        if len(step.position.covered) > 12:
            continue  # too many minefields for the reference
        safe, mined = certain(step.position, step.clues, step.total)
        assert (set(step.safe), set(step.mined)) == (safe, mined)
        assert step.cells
        assert step.kind == (2 if step.total else min(step.order, 2) - 1)
        for clue in step.clues:
            fewer = tuple(other for other in step.clues if other != clue)
            safe, mined = certain(step.position, fewer, step.total)
            assert not (set(step.safe) <= safe and set(step.mined) <= mined)
        if step.total:
            safe, mined = certain(step.position, step.clues, False)
            assert not (set(step.safe) <= safe and set(step.mined) <= mined)


@settings(max_examples=400, deadline=None)
@given(positions(perturbed=False), searches)
def test_steps_end_where_exact_inference_has_no_certain_cell_left(
    position: mw.Position, search: Search
) -> None:
    analysis = mw.analyze(position)
    safe: set[int] = set()
    mined: set[int] = set()
    for step in explain(position, search):
        safe |= set(step.safe)
        mined |= set(step.mined)
    assert (safe, mined) == (set(analysis.safe), set(analysis.mined))


@settings(max_examples=60, deadline=None)
@given(positions(FOUR, side=4, perturbed=False))
def test_the_simplest_step_has_the_fewest_clues_then_cells_then_comes_first(
    position: mw.Position,
) -> None:
    for step in explain(position):
        before = step.position
        if step.total or len(before.covered) > 10:
            continue
        covered = set(before.covered)
        near = {c: covered & set(before.topology.neighbours(c)) for c in range(len(before.cells))}
        clues = [c for c, code in enumerate(before.cells) if code <= MAX_NUMBER and near[c]]
        for order in range(1, step.order + 1):
            found = [
                (len(set().union(*(near[c] for c in some))), some)
                for some in combinations(clues, order)
                if any(certain(before, some, False))
            ]
            if order < step.order:
                assert not found
            else:
                assert min(found)[1] == step.clues


@settings(max_examples=100, deadline=None)
@given(positions(FOUR, side=4, perturbed=False), searches, st.randoms(use_true_random=False))
def test_the_check_accepts_what_was_found_and_nothing_that_was_tampered_with(
    position: mw.Position, search: Search, random: Random
) -> None:
    for step in explain(position, search):
        assert step.check()
        assert step.check(step.position)
        cell = random.choice(step.cells)
        swapped = replace(
            step,
            safe=tuple({*step.safe} ^ {cell}),
            mined=tuple({*step.mined} ^ {cell}),
        )
        assert not swapped.check()
        if step.clues:
            assert not replace(step, clues=step.clues[1:]).check()
        others = sorted({*step.position.covered} - {*step.cells})
        if others:
            other = random.choice(others)
            assert not replace(step, safe=(*step.safe, other)).check()
            assert not replace(step, mined=(*step.mined, other)).check()


def test_the_check_refuses_conclusions_that_are_not_covered_and_clues_that_are_no_numbers() -> None:
    position = mw.Position.parse("3x1x1\n#1-")
    right = Deduction(position, 0, (1,), (), (0,))
    assert right.check()
    assert not replace(right, mined=(0, 2)).check()
    assert not replace(right, clues=(2,)).check()
    assert not replace(right, mined=()).check()


def test_known_cells_are_used_and_the_total_only_when_nothing_else_helps() -> None:
    position = mw.Position.parse("5x1x1\n!1###")
    steps = list(explain(position))
    assert [(step.kind, step.clues, step.safe) for step in steps] == [
        (0, (1,), (2,)),
        (2, (), (3, 4)),
    ]
    assert steps[-1].after.cells == bytes([MINED, 1, SAFE, SAFE, SAFE])


@pytest.mark.parametrize("search", SEARCHES)
def test_steps_are_the_same_every_time_and_come_one_by_one(search: Search) -> None:
    random = Random(3)
    for _ in range(40):
        position = random_position(random, perturbed=False)
        once, again = list(explain(position, search)), list(explain(position, search))
        assert once == again
        assert list(islice(explain(position, search), 2)) == once[:2]


@settings(max_examples=100, deadline=None)
@given(positions(perturbed=True), searches)
def test_a_position_with_a_clash_is_not_explained(position: mw.Position, search: Search) -> None:
    if not mw.analyze(position).consistent:
        assert list(explain(position, search)) == []


def test_looking_for_the_simplest_step_keeps_its_budget() -> None:
    # Wide neighbourhoods: there are far more sets of clues than can be tried.
    random = Random(1)
    board = topology.get("box", (3, 3, 3, 3))
    mined = set(random.sample(range(board.size), 27))
    safe = [cell for cell in range(board.size) if cell not in mined]
    cells = bytearray([COVERED]) * board.size
    for cell in random.sample(safe, 20):
        cells[cell] = sum(other in mined for other in board.neighbours(cell))
    position = mw.Position(board, bytes(cells), 27)
    start = process_time()
    try:
        for step in explain(position, budget=mw.Budget(seconds=0.5)):
            assert step.cells
    except mw.BudgetExceeded:
        pass
    assert process_time() - start < 10


def test_a_step_of_many_clues_is_checked_quickly() -> None:
    # Twenty pairs of cells with one mine each, and the total says there are no others.
    width = 60
    cells = "".join("#" if column % 3 else "1" for column in range(width))
    blank = "".join("-" for _ in range(width))
    position = mw.Position.parse(f"{width}x4x20\n{cells}\n{blank}\n{blank}\n" + "#" * width)
    steps = list(explain(position))
    start = process_time()
    assert all(step.check() for step in steps)
    assert process_time() - start < 5
    assert any(step.kind == 2 and step.order >= 10 for step in steps)


def test_an_unknown_search_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="use simplest or paper"):
        next_step(FIGURE_4, "fastest")  # type: ignore[arg-type]
