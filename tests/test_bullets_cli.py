"""`minewright bullets`: what it prints in every form, and every way to get it wrong."""

import json
import os
import signal
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from processes import HANG, started, wait_until
from pypdf import PdfReader
from test_cli import COMMAND, Ran, run

from minewright import _kernel
from minewright.bullets import Puzzle, make_many, solve
from minewright.cli import bars
from minewright.render.grid import puzzle_text, steps_text
from minewright.render.steps import solution_svg
from minewright.render.terminal import Screen

PUZZLE = "5x4x6\n2#2##\n##4#1\n3###2\n####1\n"
AMBIGUOUS = "3x3x2\n1##\n##2\n###\n"
CLASHING = "3x3x2\n3##\n##1\n###\n"
PLAIN = Screen(signs=False)
"""What the commands run here can show."""


def bullets(*arguments: str, given: str | bytes = "") -> Ran:
    """Run a command of the group."""
    data = given.encode() if isinstance(given, str) else given
    return run("bullets", *arguments, given=data)


# make


def test_make_prints_a_grid_a_rating_and_a_link() -> None:
    arguments = ("make", "--size", "5x4", "--bullets", "6", "--seed", "3", "--solution")
    made = subprocess.run(
        [*COMMAND, "bullets", *arguments],
        env=os.environ | {"PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"},
        capture_output=True,
        check=True,
    )
    assert made.stderr == b""
    assert made.stdout.decode() == (
        "5x4, 6 bullets, 7 clues\n"
        "┌───┬───┬───┬───┬───┐\n"
        "│ 2 │   │ 2 │   │   │\n"
        "├───┼───┼───┼───┼───┤\n"
        "│   │   │ 4 │   │ 1 │\n"
        "├───┼───┼───┼───┼───┤\n"
        "│ 3 │   │   │   │ 2 │\n"
        "├───┼───┼───┼───┼───┤\n"
        "│   │   │   │   │ 1 │\n"
        "└───┴───┴───┴───┴───┘\n"
        "Solution\n"
        "┌───┬───┬───┬───┬───┐\n"
        "│ 2 │ / │ 2 │ / │ / │\n"
        "├───┼───┼───┼───┼───┤\n"
        "│ ● │ ● │ 4 │ ● │ 1 │\n"
        "├───┼───┼───┼───┼───┤\n"
        "│ 3 │ ● │ ● │ / │ 2 │\n"
        "├───┼───┼───┼───┼───┤\n"
        "│ / │ / │ / │ ● │ 1 │\n"
        "└───┴───┴───┴───┴───┘\n"
        "2 steps by one clue, 3 by several, 1 bullet by the total; energy -6.5;"
        " difficulty 5, hard\n"
        "https://puzz.link/p?mines/5/4/2g2j4g13i2j1 (the link does not say: 6 bullets)\n"
    )


def test_make_in_json_is_one_object_with_all_that_is_known() -> None:
    made = bullets("make", "--size", "5", "--count", "3", "--seed", "7", "--json")
    puzzles = json.loads(made.out)["puzzles"]
    expected = list(make_many(3, 5, 8, seed=7))
    assert [Puzzle.from_data(data) for data in puzzles] == expected
    for data, puzzle in zip(puzzles, expected, strict=True):
        assert data["shape"] == [5, 5]
        assert data["bullets"] == len(data["solution"]) == 8
        assert {puzzle.topology.cell(*at) for at in data["solution"]} == puzzle.solution
        assert (data["n0"], data["n1"], data["n2"]) == puzzle.grade()
        assert data["energy"] == puzzle.grade().energy
        assert data["difficulty"] == puzzle.difficulty
        assert data["text"] == str(puzzle)
        assert data["link"] == puzzle.link


@pytest.mark.parametrize("form", ["--text", "--json"])
def test_what_make_prints_the_other_commands_read(form: str) -> None:
    made = bullets("make", "--size", "4", "--count", "3", "--seed", "1", form)
    graded = json.loads(bullets("grade", "-", "--json", given=made.out).out)["puzzles"]
    assert [Puzzle.from_data(data) for data in graded] == list(make_many(3, 4, 5, seed=1))
    assert all(data["unique"] and data["minimal"] for data in graded)
    second = json.loads(bullets("solve", "-", "--number", "2", "--json", given=made.out).out)
    assert Puzzle.from_data(second) == Puzzle.from_data(graded[1])


def test_the_wishes_of_the_command_line_are_those_of_the_library() -> None:
    made = bullets(
        *("make", "--size", "6", "--bullets", "11", "--count", "2", "--seed", "5", "--text"),
        *("--iterations", "30", "--samples", "2", "--restarts", "2", "--anneal", "3,0.2"),
        *("--energy", "-1,-2,0.5,0,0,1", "--symmetry", "mirror", "--difficulty", "medium"),
        *("--clues", "10-20", "--topology", "torus", "--index", "4", "--workers", "1"),
    )
    expected = make_many(
        2,
        6,
        11,
        seed=5,
        iterations=30,
        samples=2,
        restarts=2,
        anneal=(3.0, 0.2),
        energy=lambda n0, n1, n2: -n0 - 2 * n1 + 0.5 * n2 + n2 * n2,
        symmetry="mirror",
        difficulty="medium",
        clues=(10, 20),
        topology="torus",
        index=4,
    )
    assert made.out == "\n".join(f"{puzzle}\n" for puzzle in expected)


def test_make_draws_one_file_a_puzzle(tmp_path: Path) -> None:
    for count, names in ((1, ["p"]), (2, ["p-1", "p-2"])):
        files = [f"--{kind}={tmp_path / 'p'}.{kind}" for kind in ("svg", "pdf")]
        bullets("make", "--size", "4", "--count", str(count), *files, "--paper", "letter")
        for name in names:
            ElementTree.parse(tmp_path / f"{name}.svg")
            (page,) = PdfReader(tmp_path / f"{name}.pdf").pages
            assert (page.mediabox.width, page.mediabox.height) == (612, 792)
    assert len(list(tmp_path.iterdir())) == 6


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("--bullets 0", "in 49 cells is a whole number from 1 to 48, not 0"),
        ("--bullets 49", "in 49 cells is a whole number from 1 to 48, not 49"),
        ("--bullets 50", "in 49 cells is a whole number from 1 to 48, not 50"),
        ("--size 0", "at least 1"),
        ("--size -4", "--size"),
        ("--size 33", "at most 1,024 cells"),
        ("--size 99999999999999999999", "too large"),
        ("--size 4x", "--size"),
        ("--size 3x3x3", "2 sides, not 3"),
        ("--count 0", "the number of puzzles is a whole number of at least 1, not 0"),
        ("--workers 0", "--workers"),
        ("--workers 257", "--workers"),
        ("--size 5 --clues 16-17", "found no puzzle with 16 to 17 clues"),
        ("--size 2x1 --bullets 1 --symmetry mirror --clues 1-2", "mirror symmetry"),
        ("--clues many", "--clues"),
        ("--clues 9-3", "clues"),
        ("--anneal 1", "--anneal"),
        ("--anneal 1,2", "does not cool down"),
        ("--energy 1,2", "--energy"),
        ("--energy 1,2,nan", "--energy"),
        (f"--energy {','.join(['1e308'] * 6)}", "a weight is from -1e+100 to 1e+100, not 1e+308"),
        ("--refined 0,-1e308", "--refined: a weight is from -1e+100 to 1e+100, not -1e+308"),
        ("--seed -1", "seed"),
        ("--samples 0", "samples"),
        ("--topology flat", "no topology"),
        ("--symmetry spiral", "--symmetry"),
        ("--difficulty evil", "--difficulty"),
        ("--text --json", "--text and --json"),
        ("--size 4 --svg /nowhere/at/all.svg", "--svg"),
    ],
)
def test_a_wish_that_cannot_be_is_one_line(arguments: str, words: str) -> None:
    assert words in bullets("make", *arguments.split()).mistake()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_puzzle_that_takes_too_long_is_one_line(workers: str) -> None:
    # Without a limit this one takes hours.
    wish = ["--size", "24", "--count", "2", "--workers", workers]
    found = bullets("make", *wish, "--budget-seconds", "0.1")
    assert (found.code, found.out) == (3, "")
    assert found.err.count("\n") == 1
    assert "allow more time (--budget-seconds)" in found.err


def test_a_puzzle_too_large_to_rate_is_shown_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As 30x30 with 40 bullets is, after some seconds.
    def give_up(*_: object) -> None:
        raise _kernel.TooHard([0], 20_000_001, 3.2)

    monkeypatch.setattr("minewright._kernel.bullets_effort", give_up)
    shown = bullets("make", "--size", "4")
    assert (shown.code, shown.err) == (0, "")
    assert "difficulty unknown: the puzzle is too large" in shown.out
    found = bullets("make", "--size", "4", "--json")
    (puzzle,) = json.loads(found.out)["puzzles"]
    assert (found.code, puzzle["difficulty"], puzzle["workload"]) == (0, None, None)
    printed = bullets("make", "--size", "4", "--pdf", str(tmp_path / "sheet.pdf"))
    assert (printed.code, printed.err.count("\n")) == (3, 1)
    # More time for making it would change nothing.
    assert "--budget-seconds" not in printed.err


def test_puzzles_made_before_there_were_no_more_are_kept() -> None:
    made = bullets("make", "--size", "2", "--bullets", "1", "--count", "9", "--json")
    assert made.code == 1
    assert 1 <= len(json.loads(made.out)["puzzles"]) < 9
    assert "nothing new" in made.err
    assert made.err.count("\n") == 1


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("form", ["--text", "--json"])
def test_an_interrupt_keeps_the_puzzles_already_made(
    tmp_path: Path, workers: str, form: str
) -> None:
    drawn = tmp_path / "p.svg"
    size = ["--size", "8", "--iterations", "100", "--svg", str(drawn)]
    command = [*COMMAND, "bullets", "make", *size, "--count", "99999", "--workers", workers, form]
    with started(command) as process:
        # The third drawing shows that there are puzzles to keep.
        assert wait_until((tmp_path / "p-3.svg").exists)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=HANG)
    assert process.returncode == 130
    assert err.count("\n") == 1
    assert "interrupted" in err
    kept = out.count("8x8x19\n") if form == "--text" else len(json.loads(out)["puzzles"])
    assert kept >= 2
    assert f"{kept:,} of 99,999 puzzles made" in err


def test_no_bar_shows_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bars, "PATIENCE", 0.0)
    made = bullets("make", "--size", "5", "--count", "2")
    assert (made.code, made.err) == (0, "")


# solve


@pytest.mark.parametrize("grading", ["paper", "refined"])
def test_solve_prints_the_steps_in_words_and_the_solution(grading: str) -> None:
    puzzle = Puzzle.parse(PUZZLE)
    solution = solve(puzzle, "paper" if grading == "paper" else "refined")
    shown = bullets("solve", "-", "--grading", grading, given=PUZZLE)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith(puzzle_text(puzzle, PLAIN))
    for number, step in enumerate(solution.steps, 1):
        assert f"{number:>3}. (type {step.type}) {step.sentence}\n" in shown.out
    assert puzzle_text(puzzle, PLAIN, puzzle.solution) in shown.out
    assert f"energy {solution.energy:g}" in shown.out.splitlines()[-1]


def test_solve_in_json_is_the_record_with_the_verdict() -> None:
    data = json.loads(bullets("solve", "-", "--json", given=PUZZLE).out)
    assert solve(Puzzle.parse(PUZZLE)).as_data().keys() < data.keys()
    record = json.loads(solve(Puzzle.parse(PUZZLE)).to_json())
    assert {key: data[key] for key in record} == record
    assert (data["unique"], data["minimal"], data["solutions"]) == (True, True, "1")


def test_solve_draws_the_strip_of_figure_4(tmp_path: Path) -> None:
    path = tmp_path / "strip.svg"
    assert bullets("solve", "-", "--svg", str(path), given=PUZZLE).code == 0
    assert path.read_text() == solution_svg(solve(Puzzle.parse(PUZZLE)))


def test_a_number_of_solutions_that_nobody_would_read_is_not_spelled_out(
    tmp_path: Path,
) -> None:
    (tmp_path / "vague.txt").write_text("20x20x80\n1" + "#" * 19 + ("\n" + "#" * 20) * 19)
    shown = run("bullets", "grade", str(tmp_path / "vague.txt"))
    assert "\nThe puzzle has a trillion or more solutions: " in shown.out


def test_an_ambiguous_puzzle_is_answered_with_two_solutions() -> None:
    shown = bullets("solve", "-", given=AMBIGUOUS)
    assert (shown.code, shown.err) == (1, "")
    assert shown.out.startswith("The puzzle has 6 solutions: ")
    puzzle = Puzzle.parse(AMBIGUOUS)
    one, other = (puzzle_text(puzzle, PLAIN, board) for board in puzzle.validate().solutions)
    assert shown.out.endswith(f"\n\n{one}\n{other}")
    data = bullets("solve", "-", "--json", given=AMBIGUOUS)
    verdict = json.loads(data.out)
    assert (data.code, verdict["unique"], verdict["solutions"]) == (1, False, "6")
    first, second = verdict["shown"]
    assert first != second
    assert len(first) == len(second) == 2


def test_a_contradictory_puzzle_is_answered_with_the_clues_that_clash() -> None:
    shown = bullets("solve", "-", given=CLASHING)
    assert (shown.code, shown.err) == (1, "")
    assert "The puzzle has no solution: the 3 at row 1, column 1" in shown.out
    verdict = json.loads(bullets("solve", "-", "--json", given=CLASHING).out)
    assert verdict["clash"] == {"clues": [[0, 0], [1, 2]], "total": False}
    assert verdict["shown"] == []


@pytest.mark.parametrize("verb", ["solve", "grade"])
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("", "empty"),
        ("3x3x9\n1##\n###\n###\n", "line 1, column 5"),
        ("3x3x2\n1#x\n###\n###\n", "line 2, column 3"),
        ("3x3x2\n1#F\n###\n###\n", "neither a clue nor hidden"),
        ("1##\n###\n###\n", "number of bullets is missing"),
        ("99x99x1\n", "expected another row"),
        ("{}", "bullets"),
        ("{", "not JSON"),
        ('{"puzzles": []}', "no puzzle"),
        ('{"puzzles": 3}', "bullets"),
        ("[" * 9999, "not JSON"),
        (b"\xff\xfe3\0x\0", "not text"),
        (b"3x3x1\n\xe9##\n###\n###\n", "line 2"),
    ],
)
def test_what_is_no_puzzle_is_one_line(verb: str, given: str | bytes, words: str) -> None:
    assert words in bullets(verb, "-", given=given).mistake()


def test_a_file_that_is_not_there_is_one_line() -> None:
    assert "no such file" in bullets("solve", "/nowhere/puzzle.txt").mistake()


def test_one_of_several_puzzles_has_to_be_chosen() -> None:
    both = PUZZLE + AMBIGUOUS
    assert "2 puzzles; choose with --number" in bullets("solve", "-", given=both).mistake()
    assert "has 2 puzzles" in bullets("solve", "-", "--number", "3", given=both).mistake()
    assert "has 2 puzzles" in bullets("solve", "-", "--number", "0", given=both).mistake()
    assert bullets("solve", "-", "--number", "2", given=both).code == 1


# grade


def test_grade_rates_every_puzzle_and_says_whether_it_is_one() -> None:
    shown = bullets("grade", "-", given=PUZZLE + AMBIGUOUS)
    assert (shown.code, shown.err) == (1, "")
    puzzle = Puzzle.parse(PUZZLE)
    solution = solve(puzzle, "refined")
    assert "5x4, 6 bullets, 7 clues\n" in shown.out
    assert f"\n{solution.effort}\n" in shown.out
    assert solution.effort.hardest <= len(puzzle.clues) + 1
    assert "the solution is unique, and every clue is needed\n" in shown.out
    assert "The puzzle has 6 solutions" in shown.out
    good, bad = json.loads(bullets("grade", "-", "--json", given=PUZZLE + AMBIGUOUS).out)["puzzles"]
    assert {int(type_): count for type_, count in good["refined"].items()} == solution.types
    assert (good["unique"], good["minimal"]) == (True, True)
    assert (bad["unique"], bad["solutions"]) == (False, "6")
    assert "n0" not in bad


def test_grade_names_a_spare_clue() -> None:
    shown = bullets("grade", "-", "--json", given="3x3x2\n02#\n###\n#1#\n")
    (data,) = json.loads(shown.out)["puzzles"]
    assert shown.code == 0
    assert not data["minimal"]
    assert data["spare"]


# The screen


def test_a_screen_without_signs_gets_plain_rules() -> None:
    puzzle = Puzzle.parse("2x1x1\n1#")
    assert puzzle_text(puzzle, Screen(signs=False)) == "+---+---+\n| 1 |   |\n+---+---+\n"
    assert "| 1 | O |" in puzzle_text(puzzle, Screen(signs=False), {1})


@pytest.mark.parametrize(("text", "dots"), [("2x2x1 hex\n1#\n##", 3), ("2x1x2x1 box\n1#\n\n##", 3)])
def test_what_no_ruled_grid_holds_shows_a_dot_for_a_hidden_cell(text: str, dots: int) -> None:
    shown = puzzle_text(Puzzle.parse(text), Screen())
    assert shown.count(".") == dots
    assert "┌" not in shown


def test_a_narrow_screen_is_never_overrun() -> None:
    puzzle = Puzzle.parse(PUZZLE)
    narrow = Screen(columns=20)
    assert max(map(len, puzzle_text(puzzle, narrow).splitlines())) <= 20
    steps = steps_text(solve(puzzle).steps, Screen(columns=60))
    assert max(map(len, steps.splitlines())) < 60
    assert " ".join(steps.split()) == " ".join(steps_text(solve(puzzle).steps, Screen()).split())


def test_colour_only_adds_to_the_picture() -> None:
    puzzle = Puzzle.parse(PUZZLE)
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    shown = subprocess.run(
        [*COMMAND, "bullets", "make", "--size", "4"],
        env=environment | {"FORCE_COLOR": "1", "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "\x1b[" in shown.stdout
    assert "\x1b[" not in puzzle_text(puzzle, Screen())
