"""Guesses: the risk, and whether anything but a guess could help."""

from fractions import Fraction
from random import Random
from time import process_time

import pytest
from reference import random_position, reference

import minewright as mw
from minewright.assistant import guess, mark_is_wrong, may_guess
from minewright.deduction.guess import _risk
from minewright.position import COVERED, MARKED, MAX_NUMBER, SAFE

FOUR = ("moore", "hex", "torus", "knight")


def opened(position: mw.Position, field: frozenset[int], but: set[int]) -> mw.Position:
    """Return the position with all safe cells of a minefield open, except for some."""
    near = position.topology.neighbours
    return position.with_cells(
        {
            cell: sum(other in field for other in near(cell))
            for cell, code in enumerate(position.cells)
            if code in (COVERED, MARKED, SAFE) and cell not in field and cell not in but
        }
    )


def elsewhere_tells(position: mw.Position, but: set[int]) -> set[int]:
    """Return the cells that become certain in some minefield when all others are open."""
    told: set[int] = set()
    for field in reference(position).minefields():
        told |= but.intersection(reference(opened(position, field, but)).safe)
    return told


def test_forced_and_early_are_what_opening_everything_else_shows() -> None:
    random = Random(5)
    seen = {True: 0, False: 0, None: 0}
    while min(seen[True], seen[False]) < 50:
        position = random_position(random, FOUR, side=4, perturbed=False)
        truth = reference(position)
        answer = guess(position)
        if truth.safe or set(truth.mined) == set(position.covered):
            assert answer is None
            continue
        assert answer is not None
        risks = {cell: risk for cell in position.covered if (risk := truth.fractions[cell])}
        assert answer.fraction == risks[answer.cell] == min(risks.values())
        assert answer.risk == pytest.approx(float(answer.fraction))
        if truth.solutions > 40:
            continue
        seen[answer.forced] += 1
        assert answer.cell in answer.cells
        if answer.forced:
            group = set(answer.cells)
            assert not elsewhere_tells(position, group)
            if position.mines is not None:
                # Every minefield leaves a safe cell in it, so the guess cannot be avoided.
                assert all(group - field for field in truth.minefields())
            if "one mine between them" in answer.sentence:
                assert {len(group & field) for field in truth.minefields()} == {1}
        elif answer.forced is False:
            clued = any(
                position[cell] <= MAX_NUMBER for cell in position.topology.neighbours(answer.cell)
            )
            own = set(answer.cells) if clued else {answer.cell}
            assert answer.cell in elsewhere_tells(position, own)
    assert seen[None] < 5


@pytest.mark.parametrize(
    ("text", "cells", "risk"),
    [
        # A pair at the wall, and nothing else.
        ("3x2x1\n#10\n#10", {0, 3}, Fraction(1, 2)),
        # A corner pair behind mines; the other covered cells are riskier and say nothing about it.
        ("5x3x8\n##!##\n14!##\n02!##", {0, 1}, Fraction(1, 2)),
        # The last square: one diagonal or the other.
        ("4x4x3\n##10\n##21\n12!1\n0111", {0, 1, 4, 5}, Fraction(1, 2)),
        # Two cells that touch no clue share the last mine.
        ("5x1x3\n#!2!#", {0, 4}, Fraction(1, 2)),
        # The total is unknown, so the cell is never certain, whatever is opened.
        ("2x1x?\n#!", {0}, Fraction(1, 2)),
    ],
)
def test_a_guess_that_nothing_will_resolve_is_forced(
    text: str, cells: set[int], risk: Fraction
) -> None:
    answer = guess(mw.Position.parse(text))
    assert answer is not None
    assert (answer.forced, set(answer.cells), answer.fraction) == (True, cells, risk)
    assert "The guess is forced" in answer.sentence


@pytest.mark.parametrize(
    "text",
    [
        "4x4x4\n##2#\n####\n####\n####",
        "10x10x20\n1#########\n1#########\n13########\n" + "##########\n" * 7,
        "30x16x99\n" + ("#" * 30 + "\n") * 16,
        "3x3x2\n##-\n1##\n###",
    ],
)
def test_a_guess_that_other_cells_may_resolve_is_early(text: str) -> None:
    answer = guess(mw.Position.parse(text))
    assert answer is not None
    assert answer.forced is False
    assert "You could wait: opening other cells may settle this one." in answer.sentence


@pytest.mark.parametrize(("mines", "forced"), [("3", False), ("?", True)])
def test_a_guess_that_the_mine_total_would_settle_is_not_forced(mines: str, forced: bool) -> None:
    # Mines are in columns 1 and 5, or in column 3. The number in column 7 shows whether column 8
    # has the rest of the total, and so how many are on the left.
    answer = guess(mw.Position.parse(f"8x1x{mines}\n#1#1#!-#"))
    assert answer is not None
    assert (answer.cell, answer.forced) == (0, forced)


def test_a_guess_is_said_with_its_cell_and_its_risk() -> None:
    answer = guess(mw.Position.parse("3x2x1\n#10\n#10"))
    assert answer is not None
    assert answer.sentence == (
        "Nothing is certain. The safest cell is row 1, column 1, with a risk of one in two."
        " The guess is forced: column 1, rows 1 and 2 hold one mine between them, and no number"
        " will ever show which."
    )


def test_the_risk_of_a_guess_is_never_rounded_to_certainty() -> None:
    assert _risk(0.99999, Fraction(99_999, 100_000)) == "99.9%"
    assert _risk(0.00001, Fraction(1, 100_000)) == "less than 0.1%"


def test_may_i_guess_is_yes_only_where_nothing_is_certainly_safe() -> None:
    random = Random(9)
    for _ in range(300):
        position = random_position(random, perturbed=False)
        assert may_guess(position) == (not reference(position).safe)
    assert not may_guess(mw.Position.parse("2x1x?\n#0"))
    assert not may_guess(mw.Position.parse("2x2x0\n1#\n##"))  # no minefield looks like this


def test_a_mark_is_wrong_where_no_minefield_has_all_marks() -> None:
    random = Random(10)
    wrong = 0
    for _ in range(600):
        position = random_position(random, perturbed=False)
        expected = not reference(position, trust_marks=True).consistent
        assert mark_is_wrong(position) == expected
        wrong += expected
    assert wrong > 50
    # One mark too many, though each alone may be right.
    assert mark_is_wrong(mw.Position.parse("3x1x1\nF1F"))
    assert not mark_is_wrong(mw.Position.parse("3x1x1\nF1#"))


def test_no_mark_is_blamed_for_a_position_that_is_impossible_without_it() -> None:
    assert mark_is_wrong(mw.Position.parse("3x1x?\n-0F"))
    assert not mark_is_wrong(mw.Position.parse("3x1x0\n#1F"))


@pytest.mark.parametrize("shape", ["100x100x2000", "10x10x10x10x500"])
def test_a_guess_on_a_large_board_keeps_its_budget(shape: str) -> None:
    board = mw.Board.parse(shape)
    position = mw.Position.covered_board(board, "moore" if len(board.shape) == 2 else "box")
    began = process_time()
    found = guess(position, budget=mw.Budget(seconds=0.2))
    assert found is not None
    # Three questions with a budget each, plus some slack.
    assert process_time() - began < 3 * 0.2 + 1.5
