"""Oz Minesweeper: the text's examples, set propagators in full, solvers against exact inference."""

from collections.abc import Iterator
from functools import cache
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import positions

from minewright import Board, Budget, Game, Position, analyze
from minewright.documents.oz.figures import TABLE_1
from minewright.lab import conclusions
from minewright.position import COVERED
from minewright.strategies import Recipe, StrategyError, play
from minewright.strategies.constraints import CellSet, Constraint, cells_of, set_of
from minewright.strategies.oz import (
    ENGINES,
    Assistant,
    CellState,
    Contradiction,
    SymbolicField,
    solutions_needed,
    table,
)
from minewright.strategies.oz.collector import Collector
from minewright.strategies.oz.sets import SetPropagator, Sets, SetVariable
from minewright.strategies.oz.solvers import Variables
from minewright.strategies.play import own_numbers
from minewright.topology import get

FIGURE_1 = Position.parse("""10x10x20
00001#####
00002#####
11102#####
##101#####
##322#####
##########
##########
##########
##########
##########
""")
FIGURE_2 = Position.parse("""10x10x20
1#########
1#########
13########
##########
##########
##########
##########
##########
##########
##########
""")


def at(*names: int) -> tuple[int, ...]:
    """Return the cells that the text's indices name: 42 is row 4, column 2, counted from 1."""
    return tuple(FIGURE_1.topology.cell(name // 10 - 1, name % 10 - 1) for name in names)


def helped(position: Position, *engines: str) -> Assistant:
    """Return an assistant that has found all it can in a position."""
    assistant = Assistant(position.topology, position.mines, engines)
    assistant.tell(position)
    assistant.settle()
    return assistant


# The text's examples.


def test_the_zero_propagator_calls_safe_what_lies_around_a_0() -> None:
    known = helped(Position.parse("3x2x?\n0#1\n###"), "zero").known()
    assert known.safe == (1, 3, 4)
    assert known.findings[0].reason == "row 1, column 1 is 0: all cells around it are safe"


def test_simple_propagators_find_what_section_3_1_says() -> None:
    known = helped(FIGURE_1, "simple").known()
    assert (known.safe, known.mined) == (at(41, 52), at(42))


def test_set_propagators_find_what_section_3_2_says() -> None:
    known = helped(FIGURE_1, "set").known()
    assert (known.safe, known.mined) == (at(16, 41, 46, 52, 56), at(26, 36, 42))


def test_table_1_has_the_nine_solutions_of_the_text_in_its_order() -> None:
    found = table(FIGURE_2, "binary")
    column = {cells[0]: number for number, cells in enumerate(found.variables)}
    rows = {
        name: "".join(str(values[column[cell]]) for values in found.solutions)
        for name in TABLE_1
        for cell in at(name)
    }
    assert rows == TABLE_1
    assert found.sizes == (comb(89, 17),) * 3 + (comb(89, 16),) * 6


def test_table_2_has_the_two_solutions_of_the_text() -> None:
    found = table(FIGURE_2, "sets")
    assert found.variables == (at(12), at(22), at(41, 42), at(23, 33, 43))
    assert len(found.rest) == 89
    assert found.solutions == ((0, 1, 0, 2), (1, 0, 1, 2))
    assert found.rest_mines == (17, 16)
    assert found.sizes == (3 * comb(89, 17), 6 * comb(89, 16))
    assert f"{found.minefields:.3e}" == "3.333e+18"
    chances = [f"{float(found.chances[cell]):.3f}" for cell in at(12, 69, 41)]
    assert chances == ["0.318", "0.187", "0.159"]
    assert found.chances == table(FIGURE_2, "binary").chances


def test_the_set_solver_computes_fewer_solutions_for_the_same_answer() -> None:
    assert solutions_needed(FIGURE_2) == {"binary": 9, "sets": 2}
    of_sets, of_cells = (helped(FIGURE_2, name).solver for name in ("sets", "binary"))
    assert of_sets is not None
    assert of_cells is not None
    assert (of_sets.solutions, of_cells.solutions) == (2, 9)
    assert of_sets.chances == pytest.approx(of_cells.chances, abs=1e-12)


@given(positions())
def test_the_solutions_that_are_counted_respect_the_mine_total(position: Position) -> None:
    kinds: tuple[Variables, ...] = ("binary", "sets")
    try:
        expected = {kind: len(table(position, kind).solutions) for kind in kinds}
    except Contradiction:
        with pytest.raises(Contradiction):
            solutions_needed(position)
        return
    assert solutions_needed(position) == expected


def test_a_table_that_would_be_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="more than 8 solutions"):
        table(FIGURE_2, "binary", limit=8)


# The architecture.


def test_the_field_answers_what_it_was_told_and_refuses_what_cannot_be() -> None:
    field = SymbolicField(get("moore", (3, 1)), 1)
    position = Position.parse("3x1x1\n1##")
    field.tell_open(position, 1)
    assert field.tell("simple", 0, mined=0b010)
    assert not field.tell("simple", 0, mined=0b010)
    field.tell("simple", 0, safe=0b100)
    assert [field.ask(cell) for cell in range(3)] == [
        CellState("safe", 1),
        CellState("mined"),
        CellState("safe", None),
    ]
    with pytest.raises(Contradiction):
        field.tell("simple", 0, safe=0b010)
    with pytest.raises(Contradiction):
        field.tell("simple", 0, mined=0b100)
    with pytest.raises(Contradiction):
        field.tell_open(position, 0b010)


def test_each_number_becomes_one_constraint_whose_known_cells_are_subtracted() -> None:
    assistant = Assistant(FIGURE_2.topology, FIGURE_2.mines, ())
    for _ in range(2):
        assistant.tell(FIGURE_2)
        assert len(assistant.collector.numbers()) == 4
    assistant.field.tell("simple", None, safe=set_of(at(12)), mined=set_of(at(22)))
    assert assistant.collector.numbers() == [
        Constraint(at(31)[0], set_of(at(41, 42)), 0),
        Constraint(at(32)[0], set_of(at(23, 33, 41, 42, 43)), 2),
    ]


def test_an_engine_switched_on_late_works_on_what_is_there() -> None:
    assistant = helped(FIGURE_1)
    assert assistant.known() == ((), (), ())
    for name in ENGINES:
        assistant.switch(name)
        assistant.settle()
        assert assistant.known()[:2] == helped(FIGURE_1, *assistant.engines).known()[:2]
        assistant.switch(name, on=False)
    assert assistant.engines == ()
    with pytest.raises(StrategyError, match="there is no engine 'two'; choose from zero, simple"):
        assistant.switch("two")


def test_a_dear_engine_works_only_where_the_cheap_are_silent() -> None:
    assistant = helped(FIGURE_1, *ENGINES)
    engines = {told.engine for told in assistant.field.tellings}
    assert engines == {"simple", "set"}
    mine = next(told for told in assistant.known().findings if at(42)[0] in told.mined)
    assert mine.reason == "row 3, column 3 needs all its cells"


def test_marks_are_an_opinion_unless_they_are_to_be_trusted() -> None:
    marked = Position.parse("3x1x?\n1F#")
    for trust, mined in ((False, ()), (True, (1,))):
        assistant = Assistant(marked.topology, None, ("simple",))
        assistant.tell(Position.parse("3x1x?\n###"))
        assistant.tell(Position.parse("3x1x?\nF##"), trust_marks=False)
        assistant.tell(Position.parse("3x1x?\n#F#"), trust_marks=trust)
        assert assistant.known().mined == mined


def test_a_position_of_another_game_is_refused_and_a_deducer_starts_anew() -> None:
    assistant = helped(FIGURE_1, "simple")
    with pytest.raises(Contradiction, match="not a later position"):
        assistant.tell(FIGURE_2)
    deducer = Recipe("oz-simple").deducer()
    assert deducer.conclude(FIGURE_1).findings
    deducer.conclude(FIGURE_2)
    assert deducer.conclude(FIGURE_1).findings


def test_after_a_contradiction_a_deducer_begins_anew() -> None:
    deducer = Recipe("oz").deducer()
    deducer.conclude(Position.parse("3x1x1\n1##"))
    other = Position.parse("3x1x1\n##1")
    assert deducer.conclude(other).findings == ()
    assert {cell for found in deducer.conclude(other).findings for cell in found.safe} == {0}


# The set propagators, in full.


def all_partitions(cells: tuple[int, ...]) -> Iterator[list[CellSet]]:
    if not cells:
        yield []
        return
    first = 1 << cells[0]
    for parts in all_partitions(cells[1:]):
        yield [first, *parts]
        for place, part in enumerate(parts):
            yield [*parts[:place], first | part, *parts[place + 1 :]]


@cache
def partitions_of(size: int) -> list[list[CellSet]]:
    return list(all_partitions(tuple(range(size))))


class Ranges(dict[CellSet, tuple[int, int]]):
    """The range of every set variable that was named; any other has [0, size]."""

    def __missing__(self, some: CellSet) -> tuple[int, int]:
        return 0, some.bit_count()

    def propagate(self, parts: list[CellSet], low: int, high: int) -> bool:
        """Narrow the ranges of parts whose sum lies between `low` and `high`."""
        ranges = [self[part] for part in parts]
        least, most = sum(r[0] for r in ranges), sum(r[1] for r in ranges)
        changed = False
        for part, (one, other) in zip(parts, ranges, strict=True):
            new = max(one, low - (most - other)), min(other, high - (least - one))
            if new != (one, other):
                self[part] = new
                changed = True
        return changed


def post_everything(constraints: list[Constraint]) -> Ranges:
    """Do what section 3.2 says: post a propagator for every partition, and every variable's own."""
    ranges = Ranges()
    sums: list[tuple[list[CellSet], int]] = []
    for _, cells, mines in constraints:
        names = [1 << cell for cell in cells_of(cells)]
        for parts in partitions_of(len(names)):
            sums.append(([sum(names[bit] for bit in cells_of(part)) for part in parts], mines))
    sets = {part for parts, _ in sums for part in parts}
    definitions = [(some, [1 << cell for cell in cells_of(some)]) for some in sets]
    changing = True
    while changing:
        changing = False
        for parts, mines in sums:
            changing |= ranges.propagate(parts, mines, mines)
        for some, cells_ in definitions:
            low, high = ranges[some]
            changing |= ranges.propagate(cells_, low, high)
            new = (
                max(low, sum(ranges[cell][0] for cell in cells_)),
                min(high, sum(ranges[cell][1] for cell in cells_)),
            )
            if new != (low, high):
                ranges[some] = new
                changing = True
    return ranges


class Given(Collector):
    """A collector of given constraints."""

    def __init__(self, field: SymbolicField, constraints: list[Constraint]) -> None:
        super().__init__(field)
        self._constraints = constraints


@st.composite
def systems(draw: st.DrawFn) -> list[Constraint]:
    """Draw constraints over eight cells that some minefield satisfies."""
    mined = draw(st.integers(0, 255))
    sets = draw(
        st.lists(st.sets(st.integers(0, 7), min_size=2, max_size=5), min_size=2, max_size=6)
    )
    some = [set_of(tuple(cells)) for cells in sets]
    return [Constraint(n, cells, (cells & mined).bit_count()) for n, cells in enumerate(some)]


@settings(max_examples=100)
@given(systems())
def test_lazy_set_variables_conclude_what_all_of_them_do(constraints: list[Constraint]) -> None:
    everything = post_everything(constraints)
    cells = [1 << cell for cell in range(8)]
    field = SymbolicField(get("moore", (8, 1)), None)
    engine = Sets(field, Given(field, constraints))
    while engine.work():
        pass
    assert field.safe == sum(cell for cell in cells if everything[cell] == (0, 0))
    assert field.mined == sum(cell for cell in cells if everything[cell] == (1, 1))
    if field.unknown == field.all:
        for some, variable in engine.variables.items():
            assert (variable.low, variable.high) == everything[some]


# Against exact inference.


def unknown_in(position: Position, cells: tuple[int, ...]) -> set[int]:
    return {cell for cell in cells if position[cell] == COVERED}


@settings(max_examples=150)
@given(st.sampled_from(["oz-binary", "oz-sets"]), positions())
def test_a_solver_says_exactly_what_exact_inference_says(name: str, position: Position) -> None:
    truth = analyze(position, trust_marks=True)
    said = Recipe(name).deducer().conclude(position)
    if not truth.consistent:
        assert not said.findings
        return
    safe = {cell for finding in said.findings for cell in finding.safe}
    mined = {cell for finding in said.findings for cell in finding.mined}
    assert safe == unknown_in(position, truth.safe)
    assert mined == unknown_in(position, truth.mined)
    for cell in unknown_in(position, position.covered):
        assert said.chances is not None
        assert said.chances[cell] == pytest.approx(truth.chances[cell], abs=1e-9)


def test_sets_that_contradict_each_other_are_told_and_do_not_run_for_ever() -> None:
    variables = [SetVariable(cells) for cells in range(8)]
    ranges = ((0, 0), (0, 1), (0, 0), (1, 2), (1, 1), (1, 1), (0, 1), (1, 2))
    for variable, (low, high) in zip(variables, ranges, strict=True):
        variable.low, variable.high = low, high
    with pytest.raises(Contradiction):
        SetPropagator(0, 2, (1, 2, 4), variables).propagate()


def test_set_propagators_notice_numbers_that_disagree_about_the_same_cells() -> None:
    with pytest.raises(Contradiction, match="disagree about the same cells"):
        helped(Position.parse("3x3x?\n-#-\n1#2\n-#-"), "set")


@settings(max_examples=150)
@given(st.sampled_from(["oz-zero", "oz-simple", "oz-set", "oz"]), positions(perturbed=False))
def test_what_an_engine_concludes_is_certain(name: str, position: Position) -> None:
    truth = analyze(position, trust_marks=True)
    found = conclusions.conclude(Recipe(name).deducer(), position)
    if truth.consistent:
        assert found.safe <= set(truth.safe)
        assert found.mined <= set(truth.mined)


@settings(max_examples=40)
@given(positions(side=4, perturbed=False))
def test_a_table_adds_up_to_the_exact_chances(position: Position) -> None:
    truth = analyze(position, trust_marks=True)
    kinds: tuple[Variables, ...] = ("binary", "sets")
    for kind in kinds:
        try:
            found = table(position, kind)
        except Contradiction:
            # A wrong mark.
            assert not truth.consistent
            continue
        assert found.minefields == truth.solutions
        for cell, chance in found.chances.items():
            assert chance == truth.fractions[cell]


def test_engines_find_more_the_dearer_they_are() -> None:
    given_ = [position for position, _ in conclusions.positions(20, 5)]
    names = ("oz-zero", "oz-simple", "oz-set", "oz-sets")
    shares = [conclusions.coverage(Recipe(name), given_).share for name in names]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] == 1


def test_a_search_beyond_its_budget_concludes_nothing_of_that_component(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("minewright.strategies.oz.solvers.BUDGET", Budget(3))
    said = Recipe("oz-binary").deducer().conclude(FIGURE_1)
    assert said.gave_up
    assert said.chances is None
    assert said.solutions is None
    assert {cell for finding in said.findings for cell in finding.safe} <= set(at(41, 52))


def test_a_game_with_all_engines_wins_as_one_with_the_set_solver_alone() -> None:
    for stream in range(20):
        ends = [
            play(
                Game(Board.parse("9x9x12"), "safe", 3, stream=stream),
                Recipe(name, "safest").player(own_numbers(3, stream)),
            ).won
            for name in ("oz:engines=zero+simple+set+sets+binary", "oz-sets", "oz-binary")
        ]
        assert len(set(ends)) == 1
