"""The ledger of a game: the chance to win, what moves gave away, and luck."""

from fractions import Fraction

import pytest
from processes import HANG
from test_champion import plain_value, shown

import minewright as mw
from minewright.board import Board
from minewright.inference import Budget, analyze, enumerate_solutions
from minewright.ledger import BUDGET, Entry, Ledger, Opening, Sums, tell
from minewright.position import Position

PATIENT = Budget(BUDGET.states, HANG)
"""However busy the machine is, no move seems too hard."""


def value(position: Position) -> float:
    """Return the chance to win with best play, by exhaustive search."""
    layouts = [sorted(layout) for layout in enumerate_solutions(position, limit=2000)]
    return float(Fraction(plain_value(shown(position.topology, layouts)), len(layouts)))


def truth_of(position: Position, mined: frozenset[int]) -> bytes:
    game = mw.Game.from_minefield(position.topology, mined)
    game.give_up()
    return bytes(game.show().cells)


def entries(truth: bytes, position: Position, cell: int) -> tuple[Entry, Entry]:
    """Judge a game whose first move opens all of a position, and whose second opens a cell."""
    seen = tuple(set(range(len(truth))) - set(position.covered))
    ledger = Ledger(position.topology, truth)
    first = ledger.judge(Opening(1, seen[0], seen, seen), PATIENT)
    return first, ledger.judge(Opening(2, cell, (cell,), (cell,)), PATIENT)


POSITIONS = [
    "4x3x3\n1###\n####\n####",
    "4x3x3\n####\n#2##\n####",
    "5x2x3\n#2###\n#####",
    "4x3x3\n1###\n####\n##2#",
]


@pytest.mark.parametrize("text", POSITIONS)
def test_what_a_guess_leaves_equals_an_exhaustive_search(text: str) -> None:
    position = Position.parse(text)
    assert not analyze(position).safe
    layouts = list(enumerate_solutions(position, limit=2000))
    best = value(position)
    judged = 0
    for cell in position.covered[::2]:
        ways: dict[int, list[frozenset[int]]] = {}
        for mined in layouts:
            ways.setdefault(truth_of(position, mined)[cell], []).append(mined)
        survived = {number: kept for number, kept in ways.items() if number < 9}
        left = sum(
            plain_value(shown(position.topology, [sorted(mined) for mined in kept]))
            for kept in survived.values()
        ) / len(layouts)
        for number, (mined, *_) in ways.items():
            truth = truth_of(position, mined)
            first, second = entries(truth, position, cell)
            assert first.after == second.before == pytest.approx(best)
            assert second.given is not None
            # Less than a thousandth is reported as nothing.
            assert best - second.given == pytest.approx(left, abs=0.001 * best)
            assert second.fault == ("none" if second.given == 0 else "bad guess")
            assert (second.after == 0) == (number not in survived)
            judged += 1
    assert judged > 10


def test_the_chance_before_is_right_on_average_where_proofs_are_left() -> None:
    position = Position.parse("4x4x4\n####\n1###\n####\n11##")
    assert analyze(position).safe
    layouts = list(enumerate_solutions(position, limit=2000))
    found = []
    for mined in layouts:
        truth = truth_of(position, mined)
        found.append(entries(truth, position, 3)[0].after)
    assert None not in found
    assert sum(one for one in found if one is not None) / len(found) == pytest.approx(
        value(position)
    )
    assert len(set(found)) > 1


def played(board: str, stream: int, careless: int, budget: Budget = PATIENT) -> Ledger:
    """Return the ledger of a player who guesses in some moves although a cell is safe."""
    game = mw.Game(Board.parse(board), seed=3, stream=stream)
    made = [Opening(1, 0, (0,), tuple(game.open(0)))]
    while not game.over:
        analysis = analyze(game.position)
        cell = analysis.safe[0] if analysis.safe else analysis.best
        if len(made) % careless == 0:
            cell = next(c for c in game.position.covered if c not in (analysis.safe or [cell]))
        assert cell is not None
        made.append(Opening(len(made) + 1, cell, (cell,), tuple(game.open(cell))))
    ledger = Ledger(game.topology, bytes(game.show().cells))
    for opening in made:
        ledger.judge(opening, budget)
    return ledger


def test_the_end_is_the_start_less_what_was_given_away_plus_luck() -> None:
    faults = set()
    for stream in range(12):
        ledger = played("9x9x14", stream, 9)
        sums = ledger.sums
        assert sums.hard == 0
        assert sums.start is not None
        assert sums.start - sums.given + sums.luck == pytest.approx(sums.end)
        assert ledger.entries[-1].after in (0.0, 1.0)
        for entry in ledger.entries:
            faults.add(entry.fault)
            assert (entry.given == 0) == (entry.fault == "none")
            assert (entry.best is None) == (entry.fault == "none")
            if entry.risk == 0:
                assert (entry.luck, entry.before) == (0, entry.after)
    assert faults == {"none", "missed proof", "bad guess"}


def test_a_guess_that_was_due_anyway_is_no_missed_proof() -> None:
    # The first column will always be a guess, although the last two are certainly safe.
    position = Position.parse("7x2x2\n#101###\n#101###")
    assert analyze(position).safe == (5, 6, 12, 13)
    for mined in (frozenset({0, 4}), frozenset({7, 4})):
        truth = truth_of(position, mined)
        _, entry = entries(truth, position, 0)
        assert entry.risk == pytest.approx(0.5)
        assert entry.before == pytest.approx(0.25)
        assert (entry.fault, entry.given) == ("none", 0.0)
        assert entry.luck == pytest.approx(-0.25 if 0 in mined else 0.25)


def test_a_first_opening_that_may_explode_is_judged_and_told_from_before_it() -> None:
    position = Position.parse("3x3x2\n###\n###\n###")
    truth = truth_of(position, frozenset({0, 8}))
    ledger = Ledger(position.topology, truth, free=False)
    entry = ledger.judge(Opening(1, 0, (0,), (0,)), PATIENT)
    assert entry.after == 0.0
    assert entry.risk == pytest.approx(2 / 9)
    assert entry.before == pytest.approx(value(position))
    assert tell(ledger.sums, free=False).startswith("At the start, the chance to win was ")
    assert tell(ledger.sums).startswith("After the first opening")


def test_what_is_too_hard_is_left_out_and_told() -> None:
    ledger = played("9x9x14", 0, 9, Budget(1, 10.0))
    assert ledger.sums.hard > 0
    assert any("too hard" in entry.sentence for entry in ledger.entries)
    assert "could not be judged" in tell(Sums(0.5, 0.0, 0.0, 0.5, 1.0, 2))
    assert "too hard" in tell(Sums(None, 0.0, 0.0, 0.0, 1.0, 2))
