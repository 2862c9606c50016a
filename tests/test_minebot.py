"""MineBot: each algorithm against a second, deliberately simple version of its text."""

from collections.abc import Callable
from functools import partial
from itertools import combinations

import pytest
from hard_positions import scattered
from hypothesis import given
from reference import positions, reference

from minewright import Board, Game, Position
from minewright.lab.conclusions import conclude
from minewright.lab.conclusions import positions as game_positions
from minewright.position import COVERED, MARKED, MAX_NUMBER, MINED
from minewright.strategies import Conclusion, Recipe, Scene, Turn, play
from minewright.strategies.minebot import Numbers, Reading, numbers
from minewright.strategies.minebot.algorithms import (
    burnout,
    contrapositive,
    exhaustion,
    mended_burnout,
    similarity,
    truth,
)
from minewright.strategies.minebot.chain import MAX_WAYS
from minewright.strategies.play import own_numbers

Cells = set[int]
Spread = Callable[["Slow", int, Cells], bool]


class Slow:
    """A position in plain sets: what each number has around it."""

    def __init__(self, position: Position) -> None:
        codes, self.near = position.cells, position.topology.neighbours
        self.open = {cell for cell, code in enumerate(codes) if code <= MAX_NUMBER}
        self.unknown = {cell for cell, code in enumerate(codes) if code == COVERED}
        marked = {cell for cell, code in enumerate(codes) if code in (MARKED, MINED)}
        self.left = None if position.mines is None else position.mines - len(marked)
        self.around = {cell: self.unknown & set(self.near(cell)) for cell in self.open}
        self.needs = {c: codes[c] - len(marked & set(self.near(c))) for c in self.open}
        self.numbers = [cell for cell in sorted(self.open) if self.around[cell]]


def once(slow: Slow, clue: int, marks: Cells, *, few: bool = False) -> bool:
    """The recursion: truth here, then at each open neighbour where it has not yet been applied."""
    marks, noted, visited = set(marks), set[int](), set[int]()

    def visit(cell: int) -> bool:
        visited.add(cell)
        around, need = slow.around[cell], slow.needs[cell]
        left = around - marks - noted
        if len(around & marks) > need or (few and len(around & marks) + len(left) < need):
            return True
        if len(around & marks) == need:
            noted.update(left)
        elif len(around & marks) + len(left) == need:
            marks.update(left)
        for other in sorted(slow.near(cell)):
            if other in slow.open and other not in visited and visit(other):
                return True
        return False

    return visit(clue)


def until_nothing_new(slow: Slow, clue: int, marks: Cells, *, few: bool = False) -> bool:
    """Truth at every number, until nothing is new."""
    marks, noted = set(marks), set[int]()
    while True:
        before = len(marks) + len(noted)
        for cell in slow.numbers:
            around, need = slow.around[cell], slow.needs[cell]
            left = around - marks - noted
            if len(around & marks) > need or (few and len(around & marks) + len(left) < need):
                return True
            if len(around & marks) == need:
                noted |= left
            elif len(around & marks) + len(left) == need:
                marks |= left
        if len(marks) + len(noted) == before:
            return False


READINGS: dict[Reading, Spread] = {
    Reading("many", "once"): once,
    Reading("both", "once"): partial(once, few=True),
    Reading("many", "all"): until_nothing_new,
    Reading("both", "all"): partial(until_nothing_new, few=True),
}


def slow_contrapositive(slow: Slow, refutes: Spread) -> Cells:
    return {
        cell for clue in slow.numbers for cell in slow.around[clue] if refutes(slow, clue, {cell})
    }


def slow_exhaustion(slow: Slow, refutes: Spread) -> list[tuple[Cells, Cells]]:
    """Return what is safe and what is mined, by each number that says something."""
    common = []
    for clue in slow.numbers:
        ways = map(set, combinations(slow.around[clue], slow.needs[clue]))
        valid = [marks for marks in ways if not refutes(slow, clue, marks)]
        safe = slow.around[clue].difference(*valid)
        common.append((safe, slow.around[clue].intersection(*valid)))
    return [(safe, mined) for safe, mined in common if safe or mined]


def found(conclusion: Conclusion) -> tuple[Cells, Cells]:
    safe = {cell for finding in conclusion.findings for cell in finding.safe}
    return safe, {cell for finding in conclusion.findings for cell in finding.mined}


def check_assumptions(position: Position) -> None:
    slow = Slow(position)
    for reading, refutes in READINGS.items():
        numbers = Numbers(position, reading)
        assert found(contrapositive(numbers)) == (slow_contrapositive(slow, refutes), set())
        each = [(set(safe), set(mined)) for safe, mined, _ in exhaustion(numbers).findings]
        assert each == slow_exhaustion(slow, refutes)


def test_an_assumption_is_followed_as_in_the_text() -> None:
    for position, _ in game_positions(24, 5, ("8x8x15", "16x16x45")):
        check_assumptions(position)


@given(positions(perturbed=False))
def test_an_assumption_is_followed_as_in_the_text_on_every_topology(position: Position) -> None:
    if reference(position, trust_marks=True).consistent:
        check_assumptions(position)


def check_chain(slow: Slow, reading: Reading, cell: int, chain: tuple[Scene, ...]) -> None:
    """Check that every step follows from its number and the steps before, up to a contradiction."""
    first, *links, clash, last = chain
    assert (first.mined, last.safe) == ((cell,), (cell,))
    safe, mined = set[int](), {cell}
    for link in links:
        (clue,) = link.clues
        around, need = slow.around[clue], slow.needs[clue]
        if set(link.safe) > safe:
            assert len(around & mined) == need
            # Whatever does not matter for the contradiction is left out.
            assert set(link.safe) <= safe | around - mined
            assert set(link.mined) == mined
        else:
            assert len(around - safe) == need
            assert mined < set(link.mined) <= mined | around - safe
            assert set(link.safe) == safe
        safe, mined = set(link.safe), set(link.mined)
    (clue,) = clash.clues
    many = len(slow.around[clue] & mined) > slow.needs[clue]
    few = len(slow.around[clue] - safe) < slow.needs[clue]
    assert many or (few and reading.contradiction == "both")


def test_a_chain_of_reasons_is_truth_at_each_number_up_to_a_contradiction() -> None:
    lengths = set()
    for position, _ in game_positions(24, 5, ("8x8x15", "16x16x45")):
        slow = Slow(position)
        for reading in READINGS:
            conclusion = contrapositive(Numbers(position, reading))
            assert conclusion.how
            for finding in conclusion.findings:
                chain = conclusion.how(finding)
                check_chain(slow, reading, finding.safe[0], chain)
                lengths.add(len(chain))
            conclusion = exhaustion(Numbers(position, reading))
            assert conclusion.how
            for finding in conclusion.findings:
                first, *ways, last = conclusion.how(finding)
                assert (last.safe, last.mined) == (finding.safe, finding.mined)
                assert len(ways) <= MAX_WAYS + 1
                assert first.clues == last.clues
    assert max(lengths) > 4


def test_a_chain_tries_no_number_that_exhaustion_has_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # In three dimensions, a number may have ten million configurations.
    monkeypatch.setattr(numbers, "CONFIGURATIONS", 6)
    ways = []
    for position, _ in game_positions(24, 5, ("8x8x15", "16x16x45")):
        conclusion = exhaustion(Numbers(position))
        assert conclusion.how
        for finding in conclusion.findings:
            words = conclusion.how(finding)[0].words
            ways.append(int(words.split()[-2]))
    assert 1 < max(ways) <= 6


def test_burnout_shows_the_numbers_that_need_all_mines() -> None:
    conclusion = burnout(Numbers(Position.parse("5x3x1\n#####\n-11##\n-----")))
    assert conclusion.how
    chain = conclusion.how(conclusion.findings[0])
    assert [(scene.clues, scene.safe) for scene in chain] == [((6, 7), ()), ((6, 7), (4, 9))]
    assert chain[0].words == "1 mine is left, and these numbers cannot be satisfied with fewer."


@given(positions(perturbed=False))
def test_burnout_and_similarity_agree_with_all_configurations(position: Position) -> None:
    numbers, slow = Numbers(position), Slow(position)
    every = reference(position, trust_marks=True)
    if not every.consistent:
        return
    safe, mined = slow.unknown & set(every.safe), slow.unknown & set(every.mined)
    assert found(similarity(numbers)) == (safe, mined)
    burnt = False
    if slow.left is not None:
        beside = set[int]().union(*slow.around.values())
        free = reference(position, trust_marks=True, use_total=False).minefields()
        burnt = min(len(minefield & beside) for minefield in free) == slow.left
    unsatisfied = [slow.around[clue] for clue in slow.numbers if slow.needs[clue]]
    beyond = slow.unknown.difference(*unsatisfied)
    assert found(burnout(numbers)) == (beyond if burnt else set(), set())
    assert found(mended_burnout(numbers)) == (safe if burnt else set(), set())


@pytest.mark.parametrize(
    ("text", "name", "literal", "strictest"),
    [
        # Too few cells are left for the first 1: only `both` calls that wrong.
        ("3x2x?\n###\n11-", "contrapositive", "", "safe 2"),
        # The outer 1s have too many mines.
        ("6x2x?\n######\n-1221-", "contrapositive", "safe 0 1 4 5", "safe 0 1 4 5"),
        ("4x2x?\n####\n-12-", "exhaustion", "mined 3", "safe 0, mined 3"),
        # One mine satisfies both numbers, and it is the last one; the corner is beyond them.
        ("4x3x1\n####\n-11#\n----", "burnout", "", ""),
        ("5x3x1\n#####\n-11##\n-----", "burnout", "safe 4 9", "safe 4 9"),
    ],
)
def test_an_algorithm_alone_finds_what_it_is_for(
    text: str, name: str, literal: str, strictest: str
) -> None:
    position = Position.parse(text)
    written = f"minebot-{name}"
    assert words(Recipe(written).deducer().conclude(position)) == literal
    if name != "burnout":
        written += ":contradiction=both,visits=all"
    assert words(Recipe(written).deducer().conclude(position)) == strictest


def test_the_mended_burnout_finds_the_safe_cells_beside_the_numbers_too() -> None:
    numbers = Numbers(Position.parse("5x3x1\n#####\n-11##\n-----"))
    assert words(burnout(numbers)) == "safe 4 9"
    assert words(mended_burnout(numbers)) == "safe 0 3 4 8 9"


def words(conclusion: Conclusion) -> str:
    parts = zip(("safe", "mined"), found(conclusion), strict=True)
    return ", ".join(" ".join(map(str, [kind, *sorted(some)])) for kind, some in parts if some)


def test_an_algorithm_has_its_turn_only_when_the_simpler_ones_fail() -> None:
    order = (truth, contrapositive, exhaustion, mended_burnout, similarity)
    names = ["truth", "contrapositive", "exhaustion", "burnout", "similarity"]
    used = set()

    def watch(position: Position, turn: Turn) -> None:
        if not turn.findings:
            return
        (name,) = {finding.reason.rpartition(": ")[2] for finding in turn.findings}
        used.add(name)
        numbers = Numbers(position)
        simpler = order[: names.index(name)]
        assert not any(algorithm(numbers).findings for algorithm in simpler)

    for stream in range(40):
        game = Game(Board.parse("8x8x13"), "safe", 2, stream=stream)
        play(game, Recipe("minebot-plus").player(own_numbers(2, stream)), watch=watch)
    assert used == set(names)


def test_a_guess_to_the_letter_may_open_what_is_marked() -> None:
    # One of the two unmarked cells next to the 2 is mined.
    position = Position.parse("3x2x3\nF##\n2##")
    opened = set()
    for stream in range(40):
        turn = Recipe("minebot:guess=non-open").player(own_numbers(1, stream)).turn(position)
        assert turn
        assert turn.guess
        kinds = [move.kind for move in turn.moves]
        assert kinds == (["mark", "open"] if turn.guess.cell == 0 else ["open"])
        opened.add(turn.guess.cell)
    assert opened == set(position.covered)


def test_a_marked_cell_that_is_opened_explodes() -> None:
    lost = 0
    for stream in range(30):
        game = Game(Board.parse("4x4x5"), "any", 3, stream=stream)
        record = play(game, Recipe("minebot:guess=non-open").player(own_numbers(3, stream)))
        lost += any(move.kind == "mark" for move in game.moves[-2:]) and not record.won
        assert not record.blunder
    assert lost


def test_after_a_wrong_mark_nothing_is_concluded_by_contradiction() -> None:
    numbers = Numbers(Position.parse("3x2x2\nF##\n11#").with_cells({1: MARKED}))
    for algorithm in (contrapositive, exhaustion, burnout, mended_burnout, similarity):
        assert not algorithm(numbers).findings


def test_a_search_that_runs_out_of_nodes_says_so_and_concludes_nothing() -> None:
    position = next(given for given, stuck in game_positions(10, 1, ("30x16x99",)) if stuck)
    hurried, patient = (Recipe(f"minebot-plus:nodes={nodes}") for nodes in (1, 100_000))
    assert conclude(hurried.deducer(), position).gave_up
    assert not conclude(patient.deducer(), position).gave_up


@pytest.mark.parametrize("algorithm", [burnout, mended_burnout])
def test_a_burnout_whose_search_gave_up_says_so_and_concludes_nothing(
    algorithm: Callable[[Numbers, int], Conclusion],
) -> None:
    conclusion = algorithm(Numbers(scattered((16, 16), 50, 0.3, 0)), 5)
    assert conclusion.gave_up
    assert conclusion.findings == ()


def test_exhaustion_says_that_it_skipped_a_number_with_too_many_configurations() -> None:
    layer = "###\n###\n###"
    middle = "###\n#(13)#\n###"
    position = Position.parse(f"3x3x3x13 box\n{layer}\n\n{middle}\n\n{layer}")
    conclusion = exhaustion(Numbers(position))
    assert conclusion.gave_up
    assert conclusion.findings == ()
