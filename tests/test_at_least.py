"""At-least constraints: both engines against each other, brute force and exact inference."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import positions

import minewright as mw
from minewright import _kernel
from minewright.deduction.at_least import ENGINES, AtLeast, Engine, consequences, constraints_of
from minewright.position import MAX_NUMBER, MINED, SAFE

FOUR = ("moore", "hex", "torus", "knight")


@st.composite
def at_leasts(draw: st.DrawFn, variables: int = 8) -> AtLeast:
    cells = tuple(draw(st.lists(st.integers(0, variables - 1), unique=True)))
    return AtLeast(draw(st.integers(-1, len(cells) + 1)), cells, draw(st.booleans()))


@st.composite
def solvable(draw: st.DrawFn, variables: int = 8) -> list[AtLeast]:
    """Draw constraints that one assignment satisfies, mostly with nothing to spare."""
    truth = draw(st.lists(st.booleans(), min_size=variables, max_size=variables))
    found = []
    for constraint in draw(st.lists(at_leasts(variables), max_size=10)):
        holding = sum(truth[cell] == constraint.value for cell in constraint.cells)
        spare = draw(st.sampled_from((0, 0, 1)))
        found.append(AtLeast(holding - spare, constraint.cells, constraint.value))
    return found


def by_brute_force(constraints: list[AtLeast]) -> dict[int, bool] | None:
    cells = sorted({cell for constraint in constraints for cell in constraint.cells})
    solutions = [
        values
        for values in (
            dict(zip(cells, row, strict=True)) for row in product((False, True), repeat=len(cells))
        )
        if all(sum(values[cell] == c.value for cell in c.cells) >= c.count for c in constraints)
    ]
    if not solutions:
        return None
    return {
        cell: solutions[0][cell] for cell in cells if len({each[cell] for each in solutions}) == 1
    }


@settings(max_examples=500, deadline=None)
@given(st.one_of(solvable(), st.lists(at_leasts(), max_size=8)))
def test_both_engines_conclude_what_brute_force_does(constraints: list[AtLeast]) -> None:
    expected = by_brute_force(constraints)
    assert consequences(constraints) == expected
    assert consequences(constraints, "dancing") == expected


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", FOUR)
def test_all_clues_give_exactly_the_certain_cells_of_inference(name: str, engine: Engine) -> None:
    @settings(max_examples=60, deadline=None)
    @given(positions([name]), st.booleans())
    def holds(position: mw.Position, total: bool) -> None:
        analysis = mw.analyze(position, use_total=total)
        found = consequences(constraints_of(position, total=total), engine)
        if found is None:
            assert not analysis.consistent
            return
        assert analysis.consistent
        covered = set(position.covered)
        assert {cell for cell in covered if found.get(cell) is False} == set(analysis.safe)
        assert {cell for cell in covered if found.get(cell) is True} == set(analysis.mined)

    holds()


@settings(max_examples=100, deadline=None)
@given(positions(FOUR), st.randoms(use_true_random=False))
def test_some_clues_give_exactly_what_inference_from_them_does(
    position: mw.Position, random: Random
) -> None:
    numbers = [cell for cell, code in enumerate(position.cells) if code <= MAX_NUMBER]
    clues = random.sample(numbers, random.randint(0, min(3, len(numbers))))
    analysis = mw.analyze(position, clues=clues, use_total=False)
    found = consequences(constraints_of(position, clues))
    assert (found is None) == (not analysis.consistent)
    certain = {cell: value for cell, value in (found or {}).items() if cell in position.covered}
    assert certain == dict.fromkeys(analysis.safe, False) | dict.fromkeys(analysis.mined, True)


def test_the_papers_clue_3_at_cell_15_reads_as_in_the_paper() -> None:
    position = mw.Position.covered_board(mw.Board((7, 7), 16)).with_cells({15: 3})
    assert [str(constraint) for constraint in constraints_of(position)] == [
        "atLeast(3, {7, 8, 9, 14, 16, 21, 22, 23}, true)",
        "atLeast(5, {7, 8, 9, 14, 16, 21, 22, 23}, false)",
    ]
    total = constraints_of(position, clues=(), total=True)
    cells = tuple(range(49))
    assert total == (
        AtLeast(16, cells, True),
        AtLeast(33, cells, False),
        AtLeast(1, (15,), False),
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_the_papers_clues_2_at_cells_35_and_37_need_each_other(engine: Engine) -> None:
    # What the text says about the second-to-last step of figure 4; cells away from it stay covered.
    known = {28: MINED, 29: 3, 30: 1, 31: SAFE, 35: 2, 37: 2, 38: SAFE, 45: SAFE}
    position = mw.Position.covered_board(mw.Board((7, 7), 15)).with_cells(known)
    assert [str(constraint) for constraint in constraints_of(position, [35])] == [
        "atLeast(2, {28, 29, 36, 42, 43}, true)",
        "atLeast(3, {28, 29, 36, 42, 43}, false)",
        "atLeast(1, {28}, true)",
        "atLeast(1, {29}, false)",
    ]

    def concluded(*clues: int) -> dict[int, bool]:
        found = consequences(constraints_of(position, clues), engine)
        assert found is not None
        return {cell: value for cell, value in found.items() if cell in position.covered}

    assert concluded(35) == {}
    assert concluded(37) == {}
    assert concluded(35, 37) == {42: False, 44: True}


FAR = 10**12


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("constraints", "expected"),
    [
        ([], {}),
        ([AtLeast(0, (), True)], {}),
        ([AtLeast(-5, (), False)], {}),
        ([AtLeast(1, (), True)], None),
        ([AtLeast(3, (0, 1), False)], None),
        ([AtLeast(-(10**30), (0,), True)], {}),
        ([AtLeast(10**30, (0,), True)], None),
        ([AtLeast(1, (FAR,), True), AtLeast(0, (3,), True)], {FAR: True}),
        ([AtLeast(1, (0,), True), AtLeast(1, (0,), False)], None),
        ([AtLeast(2, (0, 1, 2), True), AtLeast(2, (2, 0, 1), False)], None),
        # No single constraint says it: one of each pair is true, and one of the first is false.
        ([AtLeast(1, pair, True) for pair in ((0, 1), (0, 2), (1, 2))], {}),
        (
            [AtLeast(1, pair, True) for pair in ((0, 1), (0, 2), (1, 2))]
            + [AtLeast(1, (0, 1), False)],
            {2: True},
        ),
    ],
)
def test_the_smallest_and_oddest_constraints_are_answered(
    constraints: list[AtLeast], expected: dict[int, bool] | None, engine: Engine
) -> None:
    assert consequences(constraints, engine) == expected


@pytest.mark.parametrize("dull", [0, 200])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_chain_of_constraints_carries_from_end_to_end(engine: Engine, dull: int) -> None:
    # Exactly one of every two adjacent variables is true, so there are two ways in all. With an
    # even number the two ends differ, and a constraint on them alone settles everything.
    size = 1000
    chain = [AtLeast(1, (i, i + 1), value) for i in range(size - 1) for value in (True, False)]
    # Unrelated constraints with any number of solutions must not disturb it.
    aside = [AtLeast(1, (size + i, size + i + 1, size + i + 2), True) for i in range(dull)]
    assert consequences(chain + aside, engine) == {}
    ends = AtLeast(1, (0, 1, 3), False), AtLeast(2, (0, 1, 3), True)
    expected = {i: i % 2 == 1 for i in range(size)}
    assert consequences([*chain, *ends, *aside], engine) == expected
    same = AtLeast(2, (0, size - 1), True)
    assert consequences([*chain, *aside, same], engine) is None


def test_bad_input_is_refused_with_the_reason() -> None:
    with pytest.raises(ValueError, match=r"atLeast\(1, \{4, 4\}, true\) names a cell twice"):
        AtLeast(1, (4, 4), True)
    with pytest.raises(ValueError, match="below 0"):
        AtLeast(1, (-1,), True)
    position = mw.Position.parse("3x1x1\n#1#")
    with pytest.raises(ValueError, match="row 1, column 3 is not a clue"):
        constraints_of(position, [2])
    with pytest.raises(ValueError, match="at-least constraint 1 names cell 2 twice"):
        _kernel.AtLeasts(3, [(1, [2], True), (1, [0, 2, 2], True)])
    with pytest.raises(ValueError, match="names cell 3, and there are only 3"):
        _kernel.AtLeasts(3, [(1, [3], True)])


@pytest.mark.parametrize("engine", ENGINES)
def test_past_the_budget_the_cells_are_named(engine: Engine) -> None:
    triples = [(i, i + 1, i + 2) for i in range(10, 60)]
    hard = [AtLeast(1, cells, value) for cells in triples for value in (True, False)]
    assert consequences(hard, engine) == {}
    with pytest.raises(mw.BudgetExceeded, match="from cell 10 ") as caught:
        consequences([AtLeast(1, (0,), True), *hard], engine, budget=mw.Budget(states=20))
    assert caught.value.component == tuple(range(10, 62))
