"""The Final Report's strategies, and the join of solutions they use."""

from dataclasses import replace
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import positions as drawn

import minewright as mw
from minewright import Board, Game, Position
from minewright._kernel import Sums
from minewright.lab.conclusions import positions
from minewright.position import COVERED, MARKED, SAFE
from minewright.strategies import Conclusion, Recipe, Turn, play
from minewright.strategies.constraints import CellSet, cells_of, view
from minewright.strategies.final_report import Equation, coupled, equations_of, simplified
from minewright.strategies.play import own_numbers
from minewright.strategies.solutions import Joined, Part, join

NAMES = ("csp", "forward-checking", "gac", "ac3", "fringe")
WISHED = ("order=constrained", "simplify=yes", "order=constrained,simplify=yes")


@pytest.fixture(scope="module")
def sample() -> list[Position]:
    return [position for position, _ in positions(60, 4)]


def concluded(name: str, position: Position) -> Conclusion:
    return Recipe(name).deducer().conclude(position)


def tallied(position: Position, mines: int | None) -> Joined:
    """Join the solutions of the components of a position, cell by cell."""
    seen = view(position)
    equations = equations_of(seen.constraints())
    assert equations is not None
    rest, parts = seen.unknown, []
    for some, own in coupled(equations):
        cells = cells_of(some)
        sums = [
            ([cells.index(cell) for cell in cells_of(each)], equations[each].mines) for each in own
        ]
        tally = Sums([1] * len(cells), sums).tally("gac", "given", mw.Budget(1_000_000, 60.0))
        parts.append(Part(tally, tuple((cell,) for cell in cells)))
        rest &= ~some
    joined = join(parts, cells_of(rest), mines)
    assert joined.solutions == prod(part.tally.count for part in parts)
    return joined


@pytest.mark.parametrize("known", [True, False])
def test_joined_solutions_say_what_exact_inference_says(
    known: bool, sample: list[Position]
) -> None:
    for position in sample:
        truth = mw.analyze(position, use_total=known, trust_marks=True)
        joined = tallied(position, view(position).mines if known else None)
        unknown = [cell for cell, code in enumerate(position.cells) if code == COVERED]
        assert joined.consistent
        assert joined.safe == truth.safe
        assert joined.mined == tuple(cell for cell in truth.mined if cell in unknown)
        assert joined.chances == pytest.approx(
            {cell: truth.chances[cell] for cell in unknown}, abs=1e-12
        )


@settings(max_examples=200)
@given(drawn(perturbed=False), st.data())
def test_a_total_that_cannot_be_makes_the_join_inconsistent(
    position: Position, data: st.DataObject
) -> None:
    marks = [cell for cell, code in enumerate(position.cells) if code == MARKED]
    position = position.with_cells(dict.fromkeys(marks, COVERED))  # they may be wrong
    seen = view(position)
    mines = data.draw(st.integers(0, seen.unknown.bit_count()))
    truth = mw.analyze(position.with_mines(mines + seen.mined.bit_count()))
    assert tallied(position, mines).consistent == truth.consistent


def test_nothing_is_joined_from_a_search_that_gave_up() -> None:
    tally = Sums([1] * 4, [(range(4), 2)]).tally("check", "given", mw.Budget(1, 60.0))
    with pytest.raises(ValueError, match="not complete"):
        join([Part(tally, ((0,), (1,), (2,), (3,)))], (), None)


def test_the_subset_rule_is_the_reports_example() -> None:
    assert simplified({0b1111: Equation(4, (8,)), 0b0011: Equation(2, (9,))}) == {
        0b0011: Equation(2, (9,)),
        0b1100: Equation(2, (8, 9)),
    }


@settings(max_examples=200)
@given(
    st.lists(st.integers(1, 127), min_size=1, max_size=7, unique=True),
    st.integers(0, 127),
    st.data(),
)
def test_simplified_constraints_have_the_same_solutions(
    sets: list[CellSet], truth: CellSet, data: st.DataObject
) -> None:
    wrong = data.draw(st.sampled_from((0, 0, 0, 1)))
    before = {
        some: Equation((some & truth).bit_count() + (wrong if some == sets[-1] else 0), ())
        for some in sets
    }
    after = simplified(before)

    def solutions(equations: dict[CellSet, Equation]) -> list[int]:
        return [
            values
            for values in range(128)
            if all((some & values).bit_count() == each.mines for some, each in equations.items())
        ]

    assert solutions(before) == (solutions(after) if after is not None else [])
    if after is not None:
        assert not any(a != b and a & b == a for a, b in product(after, repeat=2))


def test_csp_gives_the_exact_chances_where_nothing_is_certain() -> None:
    compared = 0

    def watch(position: Position, turn: Turn) -> None:
        nonlocal compared
        if turn.guess and turn.conclusion.chances is not None:
            truth = mw.analyze(position, trust_marks=True)
            exact = {cell: truth.chances[cell] for cell in turn.conclusion.chances}
            assert turn.conclusion.chances == pytest.approx(exact, abs=1e-12)
            compared += 1

    for stream in range(20):
        play(
            Game(Board.parse("9x9x14"), "safe", 3, stream=stream),
            Recipe("csp").player(own_numbers(3, stream)),
            watch=watch,
        )
    assert compared > 10


def test_csp_finds_what_the_total_forces_on_several_subsets() -> None:
    # Each half holds one or two mines, and no cell is elsewhere: four in all leave no choice.
    found = concluded("csp", Position.parse("12x1x4\n#1#1#--#1#1#"))
    assert [(one.safe, one.mined) for one in found.findings] == [((2, 9), (0, 4, 7, 11))]


def test_a_craps_shoot_is_guessed_at_once_and_only_where_waiting_cannot_help() -> None:
    # The pair in the corner is walled in by mines; every cell on the right is safer.
    walled = Position.parse("8x3x5\n##F#####\n14F#####\n02F#####")
    turn = Recipe("csp").player(own_numbers(1, 1)).turn(walled)
    assert turn is not None
    assert turn.guess is not None
    assert turn.guess.cell in (0, 1)
    assert concluded("csp", walled).among == (0, 1)
    # An opening on the right would say more about the cell next to the 1.
    assert concluded("csp", Position.parse("5x1x2\n#1###")).among == ()
    # The total may later show whether the three on the left hold 1 mine or 2, but not for the two.
    assert concluded("csp", Position.parse("9x1x4\n#1#1#F###")).among == ()
    assert concluded("csp", Position.parse("7x1x3\n#1#F###")).among == (0, 2)


def test_gac_and_ac3_play_the_same_games() -> None:
    for stream in range(15):
        played: list[tuple[mw.Move, ...]] = []
        for name in ("gac", "ac3"):
            game = Game(Board.parse("9x9x12"), "safe", 5, stream=stream)
            play(game, Recipe(name).player(own_numbers(5, stream)))
            played.append(tuple(game.moves))
        assert played[0] == played[1]


def settled(name: str, position: Position) -> tuple[set[int], set[int]]:
    """Return all that a strategy calls safe or mined if it is asked until it finds nothing new."""
    safe, mined = set[int](), set[int]()
    while findings := concluded(name, position).findings:
        safe.update(cell for finding in findings for cell in finding.safe)
        mined.update(cell for finding in findings for cell in finding.mined)
        position = position.with_cells(dict.fromkeys(safe, SAFE) | dict.fromkeys(mined, MARKED))
    return safe, mined


@pytest.mark.parametrize("options", WISHED)
@pytest.mark.parametrize("name", ["forward-checking", "gac", "fringe"])
def test_what_the_report_wishes_for_changes_the_way_and_not_the_end(
    name: str, options: str, sample: list[Position]
) -> None:
    patient = "nodes=1000000"
    for position in sample[:8]:
        plain = settled(f"{name}:{patient}", position)
        assert settled(f"{name}:{patient},{options}", position) == plain


def test_the_equation_strategy_finds_what_single_equations_say_and_no_more() -> None:
    # The cells of the first 1 are cells of the second: the third cell is safe.
    assert settled("equation", Position.parse("3x2x?\n###\n11-")) == ({2}, set())
    # The 1 and the 2 share two cells, but neither has all of the other's.
    assert settled("equation", Position.parse("4x2x?\n####\n-12-")) == (set(), set())


def test_ac3_leaves_the_total_of_a_huge_board_aside_and_says_so() -> None:
    corner = "3" + "#" * 199 + ("\n" + "#" * 200) * 199
    huge = concluded("ac3", Position.parse(f"200x200x39000\n{corner}"))
    assert huge.gave_up
    assert [finding.mined for finding in huge.findings] == [(1, 200, 201)]


def test_the_fringe_with_many_cells_knows_no_number_in_the_other_reading() -> None:
    for width, known in ((19, True), (20, False)):
        numbers = "2" + "3" * (width - 2) + "2"
        position = Position.parse(f"{width}x2x?\n{'#' * width}\n{numbers}")
        assert concluded("fringe", position).findings
        assert bool(concluded("fringe:sums=numbers", position).findings) == known


def test_the_fringe_knows_the_total_only_of_few_cells() -> None:
    few = Position.parse("19x1x1\n#1" + "#" * 17)
    many = Position.parse("22x1x1\n#1" + "#" * 20)
    assert concluded("fringe", few).findings[0].safe == tuple(range(3, 19))
    assert concluded("fringe", many).findings == ()
    assert concluded("gac", many).findings[0].safe == tuple(range(3, 22))


def test_csp_with_fringe_constraints_finds_what_csp_does_and_the_total_only_of_few_cells(
    sample: list[Position],
) -> None:
    seen = {True: 0, False: 0}
    for position in sample:
        is_few = position.cells.count(COVERED) < 20
        same = position if is_few else replace(position, mines=None)
        found = settled("csp-fringe", same)
        assert found == settled("csp", same)
        # Marks and openings on the way may leave few cells, and the total then says more.
        assert all(map(set.issuperset, settled("csp-fringe", position), found))
        seen[is_few] += 1
    assert all(seen.values())
    few, many = (Position.parse(f"{2 + more}x1x1\n#1{'#' * more}") for more in (17, 20))
    (told,) = concluded("csp-fringe", few).findings
    assert told.safe == tuple(range(3, 19))
    assert told.reason == "the number at row 1, column 2 and the mine total: no mines"
    assert concluded("csp-fringe", many).findings == ()
    assert set(concluded("csp-fringe", many).among) == {0, 2}


@pytest.mark.parametrize("name", NAMES)
def test_a_search_out_of_budget_says_so_and_claims_only_what_is_proved(
    name: str, sample: list[Position]
) -> None:
    gave_up = 0
    for position in sample:
        truth = mw.analyze(position)
        conclusion = concluded(f"{name}:nodes=25", position)
        gave_up += conclusion.gave_up
        for finding in conclusion.findings:
            assert set(finding.safe) <= set(truth.safe)
            assert set(finding.mined) <= set(truth.mined)
    assert gave_up > 0


def test_csp_leaves_the_total_aside_when_a_search_gave_up() -> None:
    # The mine is next to the 1, so the last cell is safe. Without the 1 it would look mined.
    position = Position.parse("5x1x1\n#1#-#")
    assert concluded("csp", position).findings[0].safe == (4,)
    hurried = concluded("csp:nodes=1", position)
    assert hurried.gave_up
    assert hurried.findings == ()


@pytest.mark.parametrize("name", NAMES)
def test_a_position_that_cannot_be_is_met_without_a_claim(name: str) -> None:
    assert concluded(name, Position.parse("3x2x1\n2#2\n###")).findings == ()
