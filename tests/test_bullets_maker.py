"""The maker of Bullets puzzles and the puzzle of a day, against code without the kernel."""

from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import date, timedelta

import pytest
from bullets_puzzles import TOPOLOGIES, made, outside

from minewright import bullets
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
from minewright.inference import Budget, BudgetExceeded, enumerate_solutions
from minewright.position import COVERED
from minewright.topology import Net
from minewright.work import executors
from minewright.work.executors import Workers, processes


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
        (7, 0, {}, "in 49 cells is a whole number from 1 to 48, not 0"),
        (7, 49, {}, "in 49 cells is a whole number from 1 to 48, not 49"),
        (7, 50, {}, "in 49 cells is a whole number from 1 to 48, not 50"),
        (7, -1, {}, "not -1"),
        (7, 7.5, {}, "not 7.5"),
        (1, 1, {}, "at least 2 cells"),
        (0, 1, {}, "at least 1"),
        (33, 100, {}, "at most 1,024 cells"),
        (10**6, 100, {}, "too large"),
        ((3, 4, 5), 9, {}, "2 sides, not 3"),
        (5, 8, {"clues": (16, 17)}, "found no puzzle with 16 to 17 clues"),
        (7, 15, {"clues": (40, 41)}, "34 cells without a bullet cannot hold 40"),
        (7, 15, {"clues": (9, 8)}, "the fewest, 9, are more than the most, 8"),
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
        (7, 15, {"iterations": 10.5}, "iterations"),
        (7, 15, {"seed": -1}, "seed"),
        (7, 15, {"seed": True}, "seed"),
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


def test_no_attempt_uses_the_random_numbers_of_another_puzzle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    streams: list[int] = []

    def search(_: object, stream: int, seconds: float) -> None:
        streams.append(stream)

    monkeypatch.setattr(bullets.maker._Search, "_search", search)
    for index in range(3):
        with pytest.raises(PuzzleError, match="found no puzzle"):
            make(4, 5, index=index)
    assert len(streams) > 3
    assert len(set(streams)) == len(streams)


def test_the_numbers_of_a_batch_are_checked_before_it_starts() -> None:
    for count, workers, index in ((0, 1, 0), (1, 0, 0), (1, 1, -1), (2, 1, 2**32 - 1)):
        with pytest.raises(PuzzleError):
            make_many(count, workers=workers, index=index)


def test_no_more_workers_start_than_there_are_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(workers: int, *, copied: bool) -> AbstractContextManager[Workers]:
        assert copied
        started.append(workers)
        return processes(1, copied=copied)

    started: list[int] = []
    monkeypatch.setattr(executors, "processes", start)
    assert len(list(make_many(2, 3, 2, iterations=0, workers=200))) == 2
    assert started == [2]


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
    # Earlier days keep the puzzles that people have shared: see the test above.
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


def test_all_searches_for_a_puzzle_share_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(0, 1000, 10))
    given = []

    def find_nothing(*call: object) -> None:
        given.append(next(one.seconds for one in call if isinstance(one, Budget)))

    monkeypatch.setattr("minewright.bullets.maker.monotonic", lambda: float(next(seconds)))
    monkeypatch.setattr("minewright._kernel.bullets_make", find_nothing)
    with pytest.raises(BudgetExceeded, match="not made in time"):
        make(5, budget=Budget(1_000, 35.0))
    assert given == [25.0, 15.0, 5.0]
