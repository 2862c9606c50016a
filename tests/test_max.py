"""Max Minesweeper: Kofford's three methods, on both engines, in both encodings."""

import subprocess
import sys
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from reference import positions

import minewright as mw
from minewright.position import COVERED, MARKED, Position
from minewright.strategies import Recipe, StrategyError, Turn, describe, play
from minewright.strategies.constraints import view
from minewright.strategies.max_minesweeper.engines import Z3, Engine, MiniSat, engine
from minewright.strategies.play import own_numbers

EXACT = ("max-exists", "max-checkall")
ENGINES = ("z3", "minisat")
ENCODINGS = ("paper", "compact")

Cells = set[int]


def called(turn: Turn | mw.strategies.Conclusion) -> tuple[Cells, Cells]:
    """Return the cells called safe, and those called mined."""
    safe = {cell for finding in turn.findings for cell in finding.safe}
    return safe, {cell for finding in turn.findings for cell in finding.mined}


def certain(position: Position, total: str) -> tuple[Cells, Cells]:
    """Return what exact inference proves about the unmarked cells."""
    analysis = mw.analyze(position, trust_marks=True, use_total=total == "yes")
    unknown = {cell for cell, code in enumerate(position.cells) if code == COVERED}
    return set(analysis.safe) & unknown, set(analysis.mined) & unknown


def unmarked(position: Position) -> Position:
    return position.with_cells(
        {cell: COVERED for cell, code in enumerate(position.cells) if code == MARKED}
    )


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("solver", ENGINES)
def test_a_number_has_as_many_solutions_as_combinations(solver: str, encoding: str) -> None:
    for size, mines, more in product(range(1, 6), range(-1, 7), (0, 2)):
        cells = (1 << size) - 1
        told = engine(solver, size, encoding)
        if more:
            told.between(range(size), mines, mines + more)
        else:
            told.exactly(range(size), mines)
        found: list[int] = []
        while (mined := told.solve(cells)) is not None:
            found.append(mined)
            told.forbid(cells, mined)
        assert len(found) == len(set(found))
        assert len(found) == sum(comb(size, n) for n in range(max(0, mines), mines + more + 1))


@pytest.mark.parametrize("strategy", EXACT)
@pytest.mark.parametrize(("solver", "encoding"), [*product(ENGINES, ENCODINGS)])
@settings(max_examples=15)
@given(position=positions(side=4, perturbed=False).map(unmarked))
def test_it_concludes_exactly_what_is_certain(
    strategy: str, solver: str, encoding: str, position: Position
) -> None:
    for total in ("no", "yes"):
        written = f"{strategy}:engine={solver},encoding={encoding},total={total}"
        conclusion = Recipe(written).deducer().conclude(position)
        if not conclusion.gave_up:
            assert called(conclusion) == certain(position, total)


@settings(max_examples=40)
@given(position=positions(side=4, perturbed=True).map(unmarked))
def test_it_concludes_nothing_where_no_solution_exists(position: Position) -> None:
    constraints = view(position).constraints()
    clues = [constraint.clue for constraint in constraints]
    if mw.analyze(position, clues=clues, use_total=False).consistent:
        return
    for strategy, solver in product((*EXACT, "max-breakearly"), ENGINES):
        conclusion = Recipe(f"{strategy}:engine={solver}").deducer().conclude(position)
        assert called(conclusion) == (set(), set())


@settings(max_examples=40)
@given(position=positions(side=4, perturbed=False).map(unmarked))
def test_the_whole_board_is_enumerated_as_the_text_does(position: Position) -> None:
    seen = view(position.with_mines(None))
    cells = 0
    for constraint in seen.constraints():
        cells |= constraint.cells
    analysis = mw.analyze(seen.position)
    free = (seen.unknown & ~cells).bit_count()
    recipe = Recipe("max-checkall:engine=minisat,grouping=board,limit=2000")
    conclusion = recipe.deducer().conclude(seen.position)
    if cells and not conclusion.gave_up:
        assert conclusion.solutions == analysis.solutions >> free


@pytest.mark.parametrize(("strategy", "solver"), [*product(EXACT, ENGINES)])
@pytest.mark.parametrize("total", ["no", "yes"])
def test_an_engine_kept_for_a_game_stays_exact(strategy: str, solver: str, total: str) -> None:
    recipe = Recipe(f"{strategy}:engine={solver},total={total}")

    def watch(position: Position, turn: Turn) -> None:
        if position.cells.count(COVERED) < len(position.cells) and not turn.conclusion.gave_up:
            assert called(turn) == certain(position, total)

    turns = 0
    games = [("8x8x10", "moore"), ("7x7x10", "hex"), ("7x7x7", "torus"), ("3x3x3x5", "box")]
    for stream, (board, topology) in enumerate(games):
        game = mw.Game(mw.Board.parse(board), "safe", 5, stream=stream, topology=topology)
        record = play(game, recipe.player(own_numbers(5, stream)), watch=watch)
        assert not record.blunder
        turns += record.cleared
    assert turns > 40


@settings(max_examples=60)
@given(position=positions(side=4, perturbed=False).map(unmarked))
def test_asking_every_question_concludes_the_same(position: Position) -> None:
    few, every = (
        Recipe(f"max-exists:engine=minisat,questions={questions}").deducer().conclude(position)
        for questions in ("open", "all")
    )
    assert called(few) == called(every)
    assert (few.solutions or 0) <= (every.solutions or 0)


def test_breaking_early_is_caught_calling_mines_safe() -> None:
    kind = describe("max-breakearly")
    assert not kind.sound
    recipe = Recipe("max-breakearly:engine=minisat")
    blunders = 0
    for stream in range(60):
        game = mw.Game(mw.BEGINNER, "safe", 1, stream=stream)
        blunders += play(game, recipe.player(own_numbers(1, stream))).blunder
    assert blunders > 0


@pytest.mark.parametrize("solver", ENGINES)
def test_one_solution_is_never_enough(solver: str) -> None:
    position = Position.parse("3x3x1\n###\n#1#\n###")
    hasty = Recipe(f"max-breakearly:engine={solver},patience=1").deducer().conclude(position)
    assert [len(cells) for cells in called(hasty)] == [7, 1]
    patient = Recipe(f"max-checkall:engine={solver}").deducer().conclude(position)
    assert called(patient) == (set(), set())
    assert patient.solutions == 8


@pytest.mark.parametrize("total", ["no", "yes"])
def test_an_unfinished_component_concludes_nothing_and_says_so(total: str) -> None:
    # The left has one solution; the right, with 3 of 8 cells, has 56. The total joins them.
    position = Position.parse("8x3x4\n#1--###-\n-1--#3#-\n----###-")
    recipe = Recipe(f"max-checkall:engine=minisat,limit=1,total={total}")
    conclusion = recipe.deducer().conclude(position)
    assert conclusion.gave_up
    assert called(conclusion) == (set(), {0})


def test_what_games_leave_behind_changes_no_move() -> None:
    recipe = Recipe("max-breakearly:engine=z3")

    def moves(stream: int) -> list[object]:
        found: list[object] = []
        game = mw.Game(mw.BEGINNER, "safe", 3, stream=stream)
        play(
            game,
            recipe.player(own_numbers(3, stream)),
            watch=lambda position, turn: found.append(turn),
        )
        return found

    alone = moves(2)
    moves(0)
    moves(1)
    assert moves(2) == alone


def test_a_position_of_another_game_starts_anew() -> None:
    deducer = Recipe("max-exists:engine=minisat").deducer()
    assert called(deducer.conclude(Position.parse("3x1x?\n1#-"))) == (set(), {1})
    assert called(deducer.conclude(Position.parse("3x1x?\n0#-"))) == ({1}, set())


def test_what_a_guess_showed_is_known_from_then_on() -> None:
    for solver in ENGINES:
        deducer = Recipe(f"max-exists:engine={solver}").deducer()
        assert called(deducer.conclude(Position.parse("3x1x?\n#1#"))) == (set(), set())
        assert called(deducer.conclude(Position.parse("3x1x?\n01#"))) == (set(), {2})


@pytest.mark.parametrize("solver", [Z3, MiniSat])
def test_a_question_given_up_is_never_an_answer(
    solver: type[Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    solve = solver.solve

    def tires(self: Engine, cells: int, cell: int | None = None, mined: bool = True) -> int | None:
        if cell == 2:
            raise mw.BudgetExceeded("too hard")
        return solve(self, cells, cell, mined)

    monkeypatch.setattr(solver, "solve", tires)
    recipe = Recipe(f"max-exists:engine={solver.__name__.lower()}")
    conclusion = recipe.deducer().conclude(Position.parse("5x1x?\n#1#1-"))
    assert conclusion.gave_up
    assert called(conclusion) == ({0}, set())


@pytest.mark.parametrize("limit", ["CONFLICTS", "RESOURCES"])
def test_a_budget_ends_a_hard_question(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Seven mines in six columns, no two in the same one: solvers have to try everything.
    monkeypatch.setattr(f"minewright.strategies.max_minesweeper.engines.{limit}", 100)
    hard = engine("z3" if limit == "RESOURCES" else "minisat", 42, "paper")
    for row in range(7):
        hard.exactly([6 * row + column for column in range(6)], 1)
    with hard.scope():
        for column in range(6):
            hard.between([6 * row + column for row in range(7)], 0, 1)
        with pytest.raises(mw.BudgetExceeded):
            hard.solve(1)


@pytest.mark.parametrize(("solver", "module"), [("z3", "z3"), ("minisat", "pysat.solvers")])
def test_an_engine_that_is_not_installed_says_how_to_get_it(
    solver: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = Recipe(f"max-exists:engine={solver}")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(StrategyError, match=r"pip install 'minewright\[sat\]'"):
        recipe.deducer()


def test_listing_the_strategies_loads_no_engine() -> None:
    script = (
        "import sys, minewright.strategies as s; assert 'max-exists' in s.strategies();"
        "assert not {'z3', 'pysat'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_model_is_read_from_cells_alone() -> None:
    # Selectors and counters use variables above those of the board.
    told = MiniSat(81, "paper")
    told.exactly((79, 80), 1)
    assert told.solve(1 << 79 | 1 << 80) in (1 << 79, 1 << 80)
