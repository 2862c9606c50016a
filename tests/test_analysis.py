"""An analysis keeps to its question: the clues given, the marks trusted, what is already known."""

import pickle
from math import nan

import pytest
from hard_positions import scattered

import minewright as mw
from minewright import _kernel, exact


def test_numbers_beyond_the_range_of_doubles_use_only_the_given_clues_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    analysis = mw.analyze(mw.Position.parse("4x3x3\n1###\n#2##\n###1"), clues=[0])
    in_doubles = analysis.numbers(2)
    monkeypatch.setattr(_kernel, "numbers", lambda *question: [nan] * 6)
    assert analysis.numbers(2) == pytest.approx(in_doubles)


def test_enumerated_minefields_contain_the_trusted_marks() -> None:
    found = mw.enumerate_solutions(mw.Position.parse("4x1x2\nF1#!"), 5, trust_marks=True)
    assert found == [frozenset({0, 3})]


def test_a_clash_with_a_trusted_mark_has_no_clue_too_many() -> None:
    position = mw.Position.parse("5x1x?\nF0#1#")
    assert mw.analyze(position).clash is None
    assert mw.analyze(position, trust_marks=True).clash == mw.Clash((1,), total=False)


def test_a_pickled_analysis_keeps_what_it_has_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = mw.analyze(mw.Position.parse("3x3x2\n1##\n12#\n01#"))
    computed = analysis.solutions, analysis.fractions
    copied = pickle.loads(pickle.dumps(analysis))
    for name in ("count", "fractions"):
        monkeypatch.setattr(exact, name, lambda *question: pytest.fail("it was computed again"))
    assert (copied.solutions, copied.fractions) == computed


def test_an_impossible_position_without_covered_cells_has_no_unique_minefield() -> None:
    assert mw.is_unique(mw.Position.parse("2x1x0\n00"))
    assert not mw.is_unique(mw.Position.parse("2x1x0\n01"))


def test_a_batch_keeps_what_is_done_on_the_same_board_as_the_hard_position() -> None:
    # Positions on one board are solved together.
    easy = [mw.Position.covered_board(f"24x24x{mines}") for mines in (5, 7)]
    hard = scattered((24, 24), 115, 0.3, 1)
    assert hard.topology is easy[0].topology
    with pytest.raises(mw.BudgetExceeded) as caught:
        mw.analyze_many([*easy, hard], budget=mw.Budget(states=200))
    assert [analysis.position for analysis in caught.value.done] == easy


def test_residues_that_contradict_each_other_are_no_count() -> None:
    assert exact._integers((5, 7), [[3], [3]]) == [3]
    with pytest.raises(ArithmeticError, match="contradict each other"):
        exact._integers((5, 7), [[3], [4]])
