"""Bullets: puzzles, their human-like solution and their maker, against code without the kernel."""

import json
import pickle
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import combinations
from xml.etree import ElementTree

import bullets_reference as reference
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minewright import PositionError, _kernel, bullets
from minewright.bullets import (
    DIFFICULTIES,
    PAPER,
    Energy,
    Grade,
    Puzzle,
    PuzzleError,
    daily,
    make,
    make_many,
    solve,
)
from minewright.inference import Budget, BudgetExceeded, analyze, enumerate_solutions
from minewright.position import COVERED, MAX_NUMBER
from minewright.render.steps import puzzle_svg, solution_svg
from minewright.topology import Net, get

# Like figure 4 of the paper: steps of all three types.
TEXT = "7x7x15\n#3##22#\n#######\n0##443#\n###4###\n#1#4##2\n#324##1\n######1"
AMBIGUOUS = "3x3x2\n1##\n##2\n###"
CLASHING = "3x3x2\n3##\n##1\n###"
TOPOLOGIES = ("moore", "neumann", "hex", "torus", "knight", "box")


def outside(puzzle: Puzzle) -> reference.Puzzle:
    """Return the puzzle in the form of the reference."""
    width, height = puzzle.topology.shape
    return reference.Puzzle(width, height, dict(puzzle.clues), puzzle.bullets)


def made() -> Iterator[Puzzle]:
    """Puzzles of all sizes and densities, some of them rectangles."""
    for index in range(40):
        size = (4 + index % 4, 4 + index // 4 % 4)
        cells = size[0] * size[1]
        yield make(size, 1 + cells * (1 + index % 7) // 12, seed=5, index=index, iterations=20)


# The puzzle


def test_the_text_is_read_and_written() -> None:
    puzzle = Puzzle.parse(TEXT)
    assert str(puzzle) == TEXT
    assert puzzle.bullets == 15
    assert dict(puzzle.clues)[14] == 0
    assert len(puzzle.hidden) == 49 - len(puzzle.clues)
    assert puzzle.position[0] == COVERED
    assert Puzzle.parse(str(puzzle)) == puzzle
    assert hash(Puzzle.parse(str(puzzle))) == hash(puzzle)
    assert repr(puzzle) == "<Puzzle 7x7x15 moore, 16 clues>"


@pytest.mark.parametrize("kind", TOPOLOGIES)
def test_json_and_text_give_the_puzzle_back_on_any_topology(kind: str) -> None:
    puzzle = make((5, 4), topology=kind, seed=3, iterations=5)
    assert Puzzle.from_json(puzzle.to_json()) == puzzle == Puzzle.parse(str(puzzle))
    assert pickle.loads(pickle.dumps(puzzle)) == puzzle
    ElementTree.fromstring(puzzle._repr_svg_())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3x3x9\n1##\n###\n###", "8 covered cells cannot hold 9 mines"),
        ("3x3x?\n1##\n###\n###", "number of bullets is missing"),
        ("1##\n###\n###", "number of bullets is missing"),
        ("3x3x2\n1#F\n###\n###", "row 1, column 3 is neither a clue nor hidden"),
        ("3x3x2\n1#-\n###\n###", "row 1, column 3 is neither"),
        ("3x3x2\n9##\n###\n###", "shows 9 but has 3 neighbours"),
        ("33x32x2\n" + "\n".join(["#" * 33] * 32), "at most 1,024 cells, not 1,056"),
        ("3x3x2\n1##\n###", "expected another row"),
        ("", "empty"),
    ],
)
def test_text_that_is_no_puzzle_says_why(text: str, words: str) -> None:
    with pytest.raises((PuzzleError, PositionError), match=words) as caught:
        Puzzle.parse(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "is an object"),
        ('{"shape": [3, 3], "clues": []}', "bullets"),
        ('{"shape": [3, 3], "bullets": true, "clues": []}', "bullets"),
        ('{"shape": "3x3", "bullets": 1, "clues": []}', "shape"),
        ('{"shape": [3, 3], "bullets": 1}', "needs clues"),
        ('{"shape": [3, 3], "bullets": 1, "clues": [[0, 0]]}', r"expected \(row, column\)"),
        ('{"shape": [3, 3], "bullets": 1, "clues": [[]]}', "each clue"),
        ('{"shape": [3, 3], "bullets": 1, "clues": [[0, 7, 1]]}', "column 7 is not on the board"),
        ('{"shape": [3, 3], "bullets": 1, "clues": [[0, 0, 1], [0, 0, 1]]}', "one per cell"),
        ('{"shape": [3, 3], "bullets": 1, "clues": [[0, 0, -1]]}', "not -1"),
        ('{"shape": [3, 3], "bullets": 1, "clues": [[0, 0, 4]]}', "shows 4"),
        ('{"shape": [3, 3], "bullets": -1, "clues": []}', "cannot hold -1"),
        ('{"shape": [999, 999], "bullets": 1, "clues": []}', "at most 1,024"),
        ('{"shape": [3, 3], "bullets": 1, "clues": [], "topology": "x"}', "no topology"),
    ],
)
def test_json_that_is_no_puzzle_says_why(data: str, words: str) -> None:
    with pytest.raises(PuzzleError, match=words) as caught:
        Puzzle.from_json(data)
    assert "\n" not in str(caught.value)


def test_a_bullet_is_no_clue() -> None:
    with pytest.raises(PuzzleError, match="row 1, column 2 holds a bullet and cannot be a clue"):
        Puzzle.from_solution(get("moore", (3, 3)), {1}, {0, 1})
    with pytest.raises(PuzzleError, match="no cell 9"):
        Puzzle.from_solution(get("moore", (3, 3)), {9}, {0})


def test_an_arrangement_is_never_taken_for_the_solution_unless_it_is_the_only_one() -> None:
    puzzle = Puzzle.from_solution(get("moore", (3, 3)), {2, 4}, {0})
    assert not puzzle.unique
    with pytest.raises(PuzzleError, match="solutions"):
        puzzle.solution  # noqa: B018


# Validation


def test_an_ambiguous_puzzle_shows_two_solutions() -> None:
    report = Puzzle.parse(AMBIGUOUS).validate()
    assert not report.unique
    assert not report.minimal
    assert report.count == len(outside(Puzzle.parse(AMBIGUOUS)).solutions(100)) == 6
    one, other = report.solutions
    assert one != other
    for bullets_ in report.solutions:
        clues = [cell for cell, _ in report.puzzle.clues]
        assert Puzzle.from_solution(report.puzzle.topology, bullets_, clues) == report.puzzle
    assert "6 solutions" in report.why


def test_a_contradictory_puzzle_names_the_clues_that_clash() -> None:
    report = Puzzle.parse(CLASHING).validate()
    assert (report.count, report.solutions) == (0, ())
    assert report.clash is not None
    assert report.clash.clues == (0, 5)
    assert "no solution: the 3 at row 1, column 1 and the 1 at row 2, column 3" in report.why


def test_every_needed_clue_has_a_rival_that_proves_it() -> None:
    puzzle = make(7, 15, seed=8)
    report = puzzle.validate()
    assert report.minimal
    assert [cell for cell, _ in puzzle.clues] == sorted(report.rivals)
    for clue, rival in report.rivals.items():
        assert rival != puzzle.solution
        assert len(rival) == puzzle.bullets
        for cell, number in puzzle.clues:
            fits = cell not in rival and number == len(rival.intersection(near(puzzle, cell)))
            assert fits == (cell != clue)


def near(puzzle: Puzzle, cell: int) -> tuple[int, ...]:
    return puzzle.topology.neighbours(cell)


def test_a_spare_clue_is_named() -> None:
    puzzle = make(5, 7, seed=2)
    spare = min(set(puzzle.hidden) - puzzle.solution)
    clues = {cell for cell, _ in puzzle.clues} | {spare}
    report = Puzzle.from_solution(puzzle.topology, puzzle.solution, clues).validate()
    assert report.unique
    assert not report.minimal
    assert spare in report.spare
    assert puzzle.topology.describe(spare) in report.why
    assert report.puzzle.without(spare) == puzzle


# The link


def decoded(link: str) -> tuple[int, int, dict[int, int]]:
    """Read a link as the editor does: 0-f is a number, g-z are 1 to 20 hidden cells."""
    prefix, _, body = link.partition("?")
    assert prefix == "https://puzz.link/p"
    kind, width, height, cells = body.split("/")
    assert kind == "mines"
    clues, at = {}, 0
    for sign in cells:
        value = int(sign, 36)
        if value < 16:
            clues[at] = value
        at += 1 if value < 16 else value - 15
    assert at == int(width) * int(height)
    return int(width), int(height), clues


def test_the_link_is_the_editors_own_for_a_puzzle_known_to_it() -> None:
    puzzle = Puzzle.parse("5x5x6\n#2###\n####1\n3####\n##13#\n0####")
    assert puzzle.link == "https://puzz.link/p?mines/5/5/g2m13l13g0j"


@given(st.integers(1, 30), st.integers(1, 30), st.data())
@settings(max_examples=50, deadline=None)
def test_the_link_holds_every_clue(width: int, height: int, data: st.DataObject) -> None:
    topology = get("moore", (width, height))
    cells = st.integers(0, topology.size - 1)
    clues = data.draw(st.sets(cells, max_size=12))
    others = data.draw(st.sets(cells, max_size=30)) - clues
    puzzle = Puzzle.from_solution(topology, others, clues)
    assert decoded(puzzle.link) == (width, height, dict(puzzle.clues))


def test_other_topologies_have_no_link() -> None:
    with pytest.raises(PuzzleError, match="hex"):
        make(4, topology="hex", iterations=0).link  # noqa: B018


# The solution


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


# The maker


def test_what_is_made_has_one_solution_and_no_clue_too_many() -> None:
    for puzzle in made():
        other = outside(puzzle)
        assert other.solutions() == [puzzle.solution]
        for clue in other.clues:
            fewer = {cell: number for cell, number in other.clues.items() if cell != clue}
            assert len(replace(other, clues=fewer).solutions()) == 2


@pytest.mark.parametrize(
    "wishes",
    [
        {"energy": lambda n0, n1, n2: -n1 - n2},
        {"difficulty": "easy"},
        {"clues": (6, 8)},
        {"symmetry": "rotation"},
    ],
    ids=lambda wishes: next(iter(wishes)),
)
def test_the_same_seed_gives_the_same_puzzles_for_any_number_of_workers(
    wishes: bullets.maker.Wishes,
) -> None:
    def batch(count: int, index: int, workers: int, seed: int = 4) -> list[Puzzle]:
        given: bullets.maker.Wishes = {"iterations": 20, **wishes, "seed": seed}
        return list(make_many(count, 5, 8, index=index, workers=workers, **given))

    whole = batch(12, 0, 1)
    assert whole == batch(12, 0, 2) == batch(12, 0, 5)
    assert whole[10:] == batch(2, 10, 1)
    assert whole[:2] != batch(2, 0, 1, seed=5)


def test_no_puzzle_comes_twice_not_even_turned() -> None:
    puzzles = list(make_many(25, 3, 2, iterations=0, workers=2))
    seen = set()
    for puzzle in puzzles:
        rows = [str(puzzle).split()[1:]]
        for _ in range(3):
            rows.append(["".join(row) for row in zip(*rows[-1][::-1], strict=True)])
        rows += [[line[::-1] for line in board] for board in rows]
        seen.add(min(map(tuple, rows)))
    assert len(seen) == 25


def test_that_there_are_few_puzzles_is_said_after_the_last_one() -> None:
    puzzles = make_many(9, 2, 1, iterations=0)
    assert str(next(puzzles)).count("1") >= 2
    with pytest.raises(PuzzleError, match="nothing new"):
        list(puzzles)


def test_descent_and_samples_lower_the_energy() -> None:
    def mean(iterations: int, samples: int = 3, restarts: int = 1) -> float:
        puzzles = (
            make(5, 8, index=i, iterations=iterations, samples=samples, restarts=restarts)
            for i in range(20)
        )
        return sum(puzzle.grade().energy for puzzle in puzzles) / 20

    plain = mean(60)
    assert mean(0) > plain + 2
    assert plain > mean(60, samples=10)
    assert plain > mean(60, restarts=8)


def test_any_energy_is_obeyed_by_weights_or_by_function() -> None:
    many_singles = Energy((-1.0, 0.0, 0.0))
    by_weights = make(6, 8, seed=1, energy=many_singles)
    assert by_weights == make(6, 8, seed=1, energy=lambda n0, n1, n2: -n0)
    assert by_weights.grade().n0 > make(6, 8, seed=1).grade().n0 + 5
    assert Energy((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))(1, 2, 3) == 1 + 4 + 9 + 4 + 20 + 54
    assert PAPER(9, 4, 2) == -6 + 2 * (2 - 3)


def test_an_energy_that_fails_is_heard() -> None:
    with pytest.raises(ZeroDivisionError):
        make(4, energy=lambda n0, n1, n2: 1 / 0)


def test_annealing_is_another_search() -> None:
    plain = make(6, 11, seed=3)
    annealed = make(6, 11, seed=3, anneal=(3.0, 0.1))
    assert annealed != plain
    assert annealed.validate().minimal


@pytest.mark.parametrize("kind", [kind for kind in TOPOLOGIES if kind != "hex"])
def test_a_symmetric_pattern_has_its_symmetry_and_no_spare_pair(kind: str) -> None:
    images = {
        "rotation": lambda row, column: (4 - row, 5 - column),
        "mirror": lambda row, column: (row, 5 - column),
    }
    symmetries: list[bullets.Symmetry] = ["rotation", "mirror"]
    for symmetry in symmetries:
        puzzle = make((6, 5), 7, topology=kind, symmetry=symmetry, iterations=10)
        where = puzzle.topology
        clues = {cell for cell, _ in puzzle.clues}
        for cell in clues:
            twin = where.cell(*images[symmetry](*where.coordinates(cell)))
            assert twin in clues
            fewer = clues - {cell, twin}
            assert not Puzzle.from_solution(where, puzzle.solution, fewer).unique
        assert puzzle.unique


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize(("size", "count"), [(4, 5), (7, 15), (9, 24)])
def test_a_puzzle_is_as_hard_as_asked_for(
    size: int, count: int, difficulty: bullets.Difficulty
) -> None:
    puzzle = make(size, count, difficulty=difficulty, iterations=200)
    needs = [len(step.clues) + step.deduction.total for step in solve(puzzle, "refined").steps]
    most = max(needs)
    assert difficulty == ("easy" if most <= 1 else "medium" if most == 2 else "hard")
    assert puzzle.difficulty == difficulty


def test_a_puzzle_has_the_workload_that_was_asked_for() -> None:
    for wanted in (0, 4, 9):
        puzzle = make(6, seed=2, difficulty=wanted)
        steps = solve(puzzle, "refined").steps
        assert sum(len(step.clues) + step.deduction.total - 1 for step in steps) == wanted
    with pytest.raises(PuzzleError, match="a difficulty is from 0 to 1,000,000, not -1"):
        make(6, difficulty=-1)


@pytest.mark.parametrize("kind", TOPOLOGIES)
def test_the_effort_counts_the_steps_of_the_refined_solution(kind: str) -> None:
    shape = (4, 3, 2) if kind == "box" else (6, 5)
    for index in range(4):
        puzzle = make(shape, topology=kind, iterations=20, index=index)
        assert puzzle.effort == solve(puzzle, "refined").effort


def test_the_energy_sees_how_many_clues_each_step_needs() -> None:
    weights = bullets.Weights((0.0, 0.0, -5.0))
    plain, deep = (make(6, seed=5, refined=energy, iterations=80) for energy in (None, weights))
    assert weights(deep.effort) < weights(plain.effort)


@pytest.mark.parametrize("symmetry", bullets.SYMMETRIES)
def test_a_puzzle_without_the_total_has_one_solution_by_its_clues_alone(
    symmetry: bullets.Symmetry,
) -> None:
    puzzle = make(6, 11, seed=1, total=False, symmetry=symmetry, iterations=50)
    assert not puzzle.needs_total
    assert puzzle.grade().n2 == 0
    loose = puzzle.position.with_mines(None)
    assert enumerate_solutions(loose, 2) == [puzzle.solution]
    if symmetry == "none":
        for cell, _ in puzzle.clues:
            hidden = loose.with_cells({cell: COVERED})
            assert len(enumerate_solutions(hidden, 2)) == 2
    assert make(6, 11, seed=1, symmetry=symmetry, iterations=50).needs_total


def test_the_older_difficulty_is_the_share_of_steps_beyond_single_clues() -> None:
    grades = [Grade(8, 2, 0), Grade(8, 1, 1), Grade(7, 2, 1), Grade(3, 2, 0), Grade(5, 4, 1)]
    assert [grade.band for grade in grades] == ["easy", "easy", "medium", "medium", "hard"]
    assert Grade(0, 0, 0).band == "easy"


def test_clue_counts_stay_in_their_bounds() -> None:
    free = {len(make(6, 11, index=i, iterations=20).clues) for i in range(12)}
    assert min(free) < 14 or max(free) > 15
    for index in range(12):
        assert len(make(6, 11, index=index, iterations=20, clues=(14, 15)).clues) in (14, 15)


def test_a_net_of_any_cells_carries_a_puzzle() -> None:
    ring = Net([[(cell - 1) % 9, (cell + 1) % 9] for cell in range(9)])
    puzzle = make(topology=ring, bullets=3, iterations=20)
    assert puzzle.validate().minimal
    assert puzzle.topology is ring
    with pytest.raises(PuzzleError, match="symmetry"):
        make(topology=ring, bullets=3, symmetry="mirror")


def test_large_puzzles_are_possible() -> None:
    puzzle = make(16, 60, iterations=1, samples=1)
    assert outside(puzzle).solutions() == [puzzle.solution]
    assert solve(puzzle).grade == puzzle.grade()


@pytest.mark.parametrize(
    ("size", "count", "wishes", "words"),
    [
        (7, 0, {}, "1 to 48 bullets, not 0"),
        (7, 49, {}, "1 to 48 bullets, not 49"),
        (7, 50, {}, "1 to 48 bullets, not 50"),
        (7, -1, {}, "not -1"),
        (1, 1, {}, "at least 2 cells"),
        (0, 1, {}, "at least 1"),
        (33, 100, {}, "at most 1,024 cells"),
        (10**6, 100, {}, "too large"),
        ((3, 4, 5), 9, {}, "2 sides, not 3"),
        (5, 8, {"clues": (16, 17)}, "found no puzzle with 16 to 17 clues"),
        (7, 15, {"clues": (40, 41)}, "34 cells without a bullet cannot hold 40"),
        (7, 15, {"clues": (9, 8)}, "there is no number from 9 to 8"),
        ((2, 1), 1, {"symmetry": "mirror", "clues": (1, 2)}, "mirror symmetry"),
        (7, 15, {"symmetry": "spiral"}, "choose from none, rotation, mirror"),
        (7, 15, {"difficulty": "evil"}, "easy, medium, hard or a number"),
        ((3, 1), 1, {"difficulty": "medium"}, "no medium puzzle"),
        (7, 15, {"anneal": (1.0, 2.0)}, "does not cool down"),
        (7, 15, {"anneal": (float("nan"), 1.0)}, "does not cool down"),
        (7, 15, {"samples": 0}, "samples"),
        (7, 15, {"restarts": 0}, "restarts"),
        (7, 15, {"iterations": -1}, "iterations"),
        (7, 15, {"iterations": 2**70}, "iterations"),
        (7, 15, {"seed": -1}, "seed"),
    ],
)
def test_a_wish_that_makes_no_sense_says_why(
    size: int | tuple[int, ...],
    count: int,
    wishes: bullets.maker.Wishes,
    words: str,
) -> None:
    with pytest.raises(PuzzleError, match=words) as caught:
        make(size, count, **wishes)
    assert "\n" not in str(caught.value)


def test_the_numbers_of_a_batch_are_checked_before_it_starts() -> None:
    for count, workers, index in ((0, 1, 0), (1, 0, 0), (1, 1, -1), (2, 1, 2**32 - 1)):
        with pytest.raises(PuzzleError):
            make_many(count, workers=workers, index=index)


@pytest.mark.parametrize("value", [float("nan"), float("-inf"), "low"])
def test_an_energy_that_is_no_number_is_named(value: float) -> None:
    with pytest.raises(PuzzleError, match="is not finite"):
        make(5, 7, energy=lambda n0, n1, n2: value)


def test_hexagons_have_no_symmetric_patterns() -> None:
    with pytest.raises(PuzzleError, match="symmetry: hex"):
        make(5, 7, topology="hex", symmetry="mirror")


# The puzzle of a day


def test_the_puzzle_of_a_day_never_changes() -> None:
    links = [daily(date(2026, 1, 5) + timedelta(days)).link for days in range(7)]
    assert [link.partition("?mines/")[2] for link in links] == [
        "6/6/1i1i22g1j3j24h3i21g22h",
        "7/7/i4h12i4i343h1n0h33j2k1g12g",
        "7/7/h2l3g5g3i3h12g233g1g22h2h2j212h2h",
        "7/7/g1m34i1h4g2l3h332g3h1h3i1j1",
        "8/8/1i2k23g5i23j10i65k5h4h1g3k1h22n2g",
        "8/8/g1g4k2k1g2g5g3i2i233g2i3i21g1m3g4g1g0i3g",
        "9/9/g3l1k34g23h33h3g2i2h2h3323g22g3k22h22g2o1g3h01h10h",
    ]


def test_from_december_2026_on_a_daily_puzzle_is_hard_by_its_steps() -> None:
    # Earlier days keep their puzzles, which people have shared: the test above.
    puzzles = [daily(date(2026, 12, 7) + timedelta(days)) for days in range(7)]
    week = ["easy", "easy", "medium", "hard", "medium", "hard", "hard"]
    assert [puzzle.difficulty for puzzle in puzzles] == week
    links = [puzzle.link.partition("?mines/")[2] for puzzle in puzzles]
    assert links == [
        "6/6/j1h3h33g3g3h22h431j1l",
        "7/7/0p03i1h2g2g3j2i2h2l13h332",
        "7/7/i1g2g2g2h3g4j21n3i1g2g23h2h1h2g",
        "7/7/0g3h2k32h2h2g31g22k2j2i33i3i2",
        "8/8/h3i32j2i1g3g3k0h343g10n2g3g2g3g3h2112h3h1",
        "8/8/g12i31i4i1h3g54h223o4g521k4i1133h0l1",
        "9/9/i0h1j4g2g2j4g3i2h5i4g1h5g3i2g3i2g3h344h1n1g213h2g11g",
    ]
