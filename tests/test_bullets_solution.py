"""The human-like solution of Bullets puzzles, against code without the kernel."""

import json
from itertools import combinations
from xml.etree import ElementTree

import bullets_reference as reference
import pytest
from bullets_puzzles import AMBIGUOUS, CLASHING, TEXT, TOPOLOGIES, made

from minewright import _kernel, bullets
from minewright.bullets import (
    PAPER,
    Puzzle,
    PuzzleError,
    make,
    solve,
)
from minewright.inference import Budget, BudgetExceeded, analyze
from minewright.position import MAX_NUMBER
from minewright.render.steps import puzzle_svg, solution_svg


@pytest.mark.parametrize("seed", range(60))
def test_the_record_is_that_of_the_papers_text(seed: int) -> None:
    theirs, ours = reference.compare(10_000 + seed)
    assert ours == theirs


def test_the_kernel_counts_the_steps_of_the_record() -> None:
    for puzzle in made():
        assert puzzle.grade() == solve(puzzle).grade
        assert solve(puzzle).energy == puzzle.grade().energy == PAPER(*puzzle.grade())


@pytest.mark.parametrize("kind", TOPOLOGIES)
@pytest.mark.parametrize("grading", bullets.GRADINGS)
def test_every_step_proves_itself_and_together_they_solve(
    kind: str, grading: bullets.Grading
) -> None:
    for index in range(4):
        puzzle = make((5, 6), topology=kind, index=index, iterations=20)
        solution = solve(puzzle, grading)
        assert all(step.deduction.check() for step in solution.steps)
        found = [cell for step in solution.steps for cell in step.bullets]
        empty = [cell for step in solution.steps for cell in step.empty]
        assert sorted(found) == sorted(puzzle.solution)
        assert sorted(found + empty) == list(puzzle.hidden)
        assert solution.grade.n2 == solution.n2


def test_no_step_of_several_clues_can_do_without_one() -> None:
    for step in solve(Puzzle.parse(TEXT)).steps:
        for clue in step.clues:
            fewer = [cell for cell in step.clues if cell != clue]
            before = step.deduction.position
            left = analyze(before, clues=fewer, use_total=step.type == 2)
            concluded = {*step.empty, *step.bullets}
            assert not concluded <= {*left.safe, *left.mined}


def test_the_refined_type_is_the_number_of_clues_and_the_total_is_above_all() -> None:
    puzzle = Puzzle.parse(TEXT)
    solution = solve(puzzle, "refined")
    *steps, last = solution.steps
    assert all(step.type == len(step.clues) for step in steps)
    assert last.type == len(puzzle.clues) + 1
    assert solution.types == {1: 8, 2: 6, 17: 1}


def test_no_refined_step_is_taken_while_fewer_clues_would_do() -> None:
    types = set()
    for index in range(12):
        for step in solve(make(6, 11, index=index), "refined").steps:
            types.add(step.type)
            before = step.deduction.position
            clues = [cell for cell, code in enumerate(before.cells) if code <= MAX_NUMBER]
            for fewer in combinations(clues, min(step.type, 3) - 1):
                simpler = analyze(before, clues=fewer, use_total=False)
                assert not simpler.safe + simpler.mined
    assert {1, 2, 3} <= types


def test_a_step_speaks_of_bullets_and_empty_cells() -> None:
    text = str(solve(Puzzle.parse(TEXT)))
    assert text.splitlines()[0] == (
        " 1. (type 0) The 0 at row 3, column 1 has no bullets next to it, so column 1, rows 2 and"
        " 4, and column 2, rows 2 to 4 are empty."
    )
    assert not {"mine", "mines", "mined", "safe"} & set(text.replace(".", " ").split())


def test_the_record_is_data_and_a_strip() -> None:
    solution = solve(Puzzle.parse(TEXT))
    data = json.loads(solution.to_json())
    assert Puzzle.from_data(data) == solution.puzzle
    assert (data["n0"], data["n1"], data["n2"], data["energy"]) == (8, 6, 1, -11.0)
    assert [step["type"] for step in data["steps"]] == [step.type for step in solution.steps]
    settled = sum(len(step["empty"]) + len(step["bullets"]) for step in data["steps"])
    assert settled == len(solution.puzzle.hidden)
    strip = ElementTree.fromstring(solution_svg(solution))
    assert f"step {len(solution.steps)}" in "".join(strip.itertext())


def test_a_puzzle_is_drawn_as_on_paper_with_circles_slashes_and_the_count() -> None:
    puzzle = Puzzle.parse(TEXT)

    def shapes(picture: str, kind: str) -> int:
        paths = ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}path")
        return sum(path.get("d", "").count("M") for path in paths if path.get("class") == kind)

    asked, solved = puzzle_svg(puzzle), puzzle_svg(puzzle, solved=True)
    for picture in (asked, solved):
        assert shapes(picture, "paper") == 49
        assert shapes(picture, "covered") == 0
        assert ">15 bullets<" in picture
        assert picture.count(">0</text>") == 1
    assert (shapes(asked, "ink"), shapes(asked, "slash")) == (0, 0)
    assert shapes(solved, "ink") == 15
    assert shapes(solved, "slash") == 49 - 15 - len(puzzle.clues)
    last = solution_svg(solve(puzzle)).rpartition("<g transform")[2]
    assert last.count('class="slash"') == 1


@pytest.mark.parametrize("text", [AMBIGUOUS, CLASHING])
def test_what_has_not_one_solution_is_not_solved_or_graded(text: str) -> None:
    for work in (solve, Puzzle.grade):
        with pytest.raises(PuzzleError, match="solution"):
            work(Puzzle.parse(text))


def test_a_puzzle_knows_the_grade_that_its_maker_found(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = make(7, 15, seed=1, difficulty="hard")
    found_again = Puzzle.parse(str(puzzle)).grade()
    monkeypatch.delattr(_kernel, "bullets_grade")
    assert puzzle.grade() == found_again


def test_work_beyond_the_budget_says_so() -> None:
    puzzle = Puzzle.parse(str(make(7, 15, seed=1)))
    with pytest.raises(BudgetExceeded):
        puzzle.grade(budget=Budget(states=1))


def test_the_total_alone_settles_a_puzzle_without_clues() -> None:
    puzzle = Puzzle.parse("2x2x4\n##\n##")
    (step,) = solve(puzzle).steps
    assert (step.type, step.clues, step.bullets) == (2, (), (0, 1, 2, 3))
    assert puzzle.grade() == (0, 0, 4)
    (step,) = solve(Puzzle.parse("2x2x0\n##\n##")).steps
    assert (step.type, step.empty) == (2, (0, 1, 2, 3))
