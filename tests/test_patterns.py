"""Patterns: the names that players know, in the right places and nowhere else."""

from random import Random

import pytest
from reference import random_position

import minewright as mw
from minewright import topology
from minewright.deduction import Deduction, explain
from minewright.deduction.patterns import PATTERNS, name


def first(text: str) -> Deduction:
    return next(explain(mw.Position.parse(text)))


@pytest.mark.parametrize(
    ("text", "clues", "pattern"),
    [
        ("3x2x?\n###\n11-", 2, "1-1"),
        ("4x2x?\n####\n-12-", 2, "1-2"),
        ("5x2x?\n#####\n-121-", 2, "1-2-1"),
        ("6x2x?\n######\n-1221-", 2, "1-2-2-1"),
        # With cells on both sides, the step needs the clues at both ends.
        ("5x3x?\n#####\n-121-\n#####", 3, "1-2-1"),
        ("6x3x?\n######\n-1221-\n######", 3, "1-2-2-1"),
        # What counts is what a clue has left, not its number.
        ("5x3x?\n#####\n-232-\n--!--", 2, "1-2-1"),
        ("4x3x?\n####\n-22-\n!---", 2, "1-2"),
        # Not next to each other, or not a moore board.
        ("3x3x?\n##1\n1#-\n---", 2, "subset"),
        ("4x4x?\n!#--\n!31-\n2#2-\n###-", 2, "overlap"),
        ("3x2x? box\n###\n11-", 2, "subset"),
        ("4x2x? box\n####\n-12-", 2, "overlap"),
        ("2x1x2\n##", 0, "last mines"),
        ("4x1x1\n#1##", 1, "last mines"),
        ("4x1x2\n#1##", 1, "last mines"),
        ("9x1x2\n#1#-#1#-#", 2, "last mines"),
        # The clues share a cell, so their mines do not add up.
        ("3x3x3\n2##\n###\n##2", 2, None),
        ("6x2x3\n#1#1##\n#---#-", 2, None),
        ("3x2x?\n0##\n---", 1, None),
        ("2x4x?\n1#\n##\n2#\n1#", 3, None),
    ],
)
def test_a_step_has_the_name_players_give_it(text: str, clues: int, pattern: str | None) -> None:
    step = first(text)
    assert (step.order, step.pattern) == (clues, pattern)
    assert step.pattern is None or step.pattern in PATTERNS


def seen_from(step: Deduction, turn: int) -> Deduction:
    """Turn or mirror a step with its board; `turn` is 0 to 7."""
    before = step.position.topology
    width, height = before.shape
    shape = (height, width) if turn & 4 else (width, height)
    after = topology.get(before.name, shape)
    to = {}
    for cell in range(before.size):
        row, column = before.coordinates(cell)
        row = height - 1 - row if turn & 1 else row
        column = width - 1 - column if turn & 2 else column
        to[cell] = after.cell(column, row) if turn & 4 else after.cell(row, column)
    cells = bytearray(after.size)
    for cell, code in enumerate(step.position.cells):
        cells[to[cell]] = code

    def there(some: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(to[cell] for cell in some))

    position = mw.Position(after, bytes(cells), step.position.mines)
    return Deduction(position, step.kind, there(step.clues), there(step.safe), there(step.mined))


def test_a_name_is_the_same_from_every_side_and_every_pair_has_one() -> None:
    random = Random(8)
    names = set()
    for _ in range(1500):
        for step in explain(random_position(random, ("moore",), side=7, perturbed=False)):
            names.add(step.pattern)
            if step.kind == 0:
                assert step.pattern is None
                continue
            if step.kind == 1 and step.order == 2:
                assert step.pattern is not None
            for turn in range(8):
                assert name(seen_from(step, turn)) == step.pattern
    assert names >= {None, "1-1", "1-2", "subset", "overlap", "last mines"}
