"""`solve --explain`: the steps in words, as data and as a strip, and every way they can end."""

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from processes import HANG, started
from test_cli import CLASHING, COMMAND, HARD, run
from test_render import SPACE

from minewright import Game, Position, deduction
from minewright.board import Board
from minewright.deduction import Deduction, explain
from minewright.deduction.guess import guess
from minewright.inference import BudgetExceeded
from minewright.render.terminal import Screen, step_line

# One has steps of every type up to its end; in the other, nothing is certain.
SOLVABLE = "5x5x5\n0002#\n0003#\n1213#\n#####\n#####\n"
STUCK = "2x2x1\n1#\n##\n"
NUMBERED = re.compile(r"^ +(\d+)\. \(type ([012])(?:, ([^)]+))?\) (.+)$", re.MULTILINE)


def test_every_step_has_a_number_a_type_and_a_sentence() -> None:
    shown = run("solve", "-", "--explain", given=SOLVABLE.encode())
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith(run("solve", "-", given=SOLVABLE.encode()).out)
    steps = list(explain(Position.parse(SOLVABLE)))
    assert {step.kind for step in steps} == {0, 1, 2}
    assert NUMBERED.findall(shown.out) == [
        (str(number), str(step.kind), step.pattern or "", step.sentence)
        for number, step in enumerate(steps, 1)
    ]


@pytest.mark.parametrize("colour", [False, True])
def test_a_narrow_screen_wraps_a_step_and_changes_no_word(colour: bool) -> None:
    step = next(step for step in explain(Position.parse(SOLVABLE)) if step.kind == 1)
    shown = step_line(7, step, Screen(colour=colour, columns=50))
    assert ("\x1b[" in shown) == colour
    lines = re.sub(r"\x1b\[[\d;]*m", "", shown).splitlines()
    assert len(lines) > 2
    assert all(len(line) < 50 for line in lines)
    whole = " ".join(line.strip() for line in lines)
    assert whole == step_line(7, step, Screen()).strip()


def test_the_steps_conclude_what_the_answer_calls_certain() -> None:
    answer = json.loads(run("solve", "-", "--explain", "--json", given=SOLVABLE.encode()).out)
    steps = answer.pop("steps")
    assert answer.pop("guess") is None
    for what in ("safe", "mined"):
        assert sorted(cell for step in steps for cell in step[what]) == answer[what]
    assert all({"kind", "clues", "sentence"} <= set(step) for step in steps)
    assert answer == json.loads(run("solve", "-", "--json", given=SOLVABLE.encode()).out)


def test_it_ends_with_what_to_do_where_nothing_more_is_certain() -> None:
    found = guess(Position.parse(STUCK))
    assert found
    shown = run("solve", "-", "--explain", given=STUCK.encode())
    assert shown.out.endswith(f"\n{found.sentence}\n")
    answer = json.loads(run("solve", "-", "--explain", "--json", given=STUCK.encode()).out)
    assert answer["guess"]["sentence"] == found.sentence
    assert answer["guess"]["cell"] == answer["best"]
    solved = run("solve", "-", "--explain", given=SOLVABLE.encode())
    assert solved.out.endswith("\nEvery cell is known.\n")


def test_no_guess_is_spoken_of_while_a_safe_cell_is_still_to_be_opened() -> None:
    text = b"5x2x3\n11###\n#####\n"
    shown = run("solve", "-", "--explain", given=text)
    assert shown.out.endswith("\nNothing more is certain until the 2 safe cells are opened.\n")
    assert json.loads(run("solve", "-", "--explain", "--json", given=text).out)["guess"] is None


def test_a_position_that_cannot_be_has_its_clash_and_no_steps() -> None:
    plain = run("solve", "-", given=CLASHING.encode())
    explained = run("solve", "-", "--explain", given=CLASHING.encode())
    assert (explained.code, explained.out, explained.err) == (1, plain.out, "")
    answer = json.loads(run("solve", "-", "--explain", "--json", given=CLASHING.encode()).out)
    assert (answer["steps"], answer["guess"]) == ([], None)
    assert answer["clash"]["total"]


def test_marks_are_mined_only_when_trusted() -> None:
    text = b"3x1x1\nF1#\n"
    steps = json.loads(run("solve", "-", "--explain", "--json", given=text).out)["steps"]
    assert steps == []
    options = ["--explain", "--json", "--trust-marks"]
    (step,) = json.loads(run("solve", "-", *options, given=text).out)["steps"]
    assert (step["kind"], step["safe"]) == (0, [[0, 2]])


def test_the_search_can_be_chosen() -> None:
    # The paper takes the first cell that follows, however hard; here that is not the simplest.
    game = Game(Board.parse("16x16x40"), "open", 5)
    game.open(100)
    given = str(game.position).encode()
    found = {
        search: run("solve", "-", "--explain", "--search", search, given=given).out
        for search in ("simplest", "paper")
    }
    assert found["simplest"] != found["paper"]
    assert found["simplest"] == run("solve", "-", "--explain", given=given).out
    assert [step.sentence for step in explain(game.position, "paper")] == [
        sentence for *_, sentence in NUMBERED.findall(found["paper"])
    ]


def test_a_search_without_steps_or_of_no_known_kind_is_a_mistake() -> None:
    assert "give --explain too" in run("solve", "-", "--search", "paper", given=b"1#").mistake()
    wrong = run("solve", "-", "--explain", "--search", "best", given=b"1#").mistake()
    assert "'simplest', 'paper'" in wrong


def test_a_solution_is_drawn_as_a_strip(tmp_path: Path) -> None:
    target = tmp_path / "strip.svg"
    run("solve", "-", "--explain", "--svg", str(target), given=SOLVABLE.encode())
    boards = ElementTree.parse(target).getroot().findall(f"{SPACE}g")
    assert len(boards) == 1 + len(list(explain(Position.parse(SOLVABLE))))


def test_a_strip_that_cannot_be_written_leaves_standard_output_empty() -> None:
    ran = run("solve", "-", "--explain", "--svg", "/nowhere/x.svg", given=SOLVABLE.encode())
    assert "--svg /nowhere/x.svg: cannot be written" in ran.mistake()


def test_work_beyond_the_budget_ends_it_like_any_other() -> None:
    beyond = run("solve", "-", "--explain", "--budget-states", "10", given=HARD.encode())
    assert (beyond.code, beyond.out, beyond.err.count("\n")) == (3, "", 1)


def test_steps_are_shown_as_they_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def two_and_no_more(position: Position, *_: object, **__: object) -> Iterator[Deduction]:
        steps = explain(position)
        yield next(steps)
        yield next(steps)
        raise BudgetExceeded("too hard: the component of 2 cells", (1, 2), 3, 4.0)

    monkeypatch.setattr(deduction, "explain", two_and_no_more)
    target = tmp_path / "strip.svg"
    beyond = run("solve", "-", "--explain", "--svg", str(target), given=SOLVABLE.encode())
    assert (beyond.code, beyond.err.count("\n")) == (3, 1)
    assert len(NUMBERED.findall(beyond.out)) == 2
    assert len(ElementTree.parse(target).getroot().findall(f"{SPACE}g")) == 3
    no_half = run("solve", "-", "--explain", "--json", given=SOLVABLE.encode())
    assert (no_half.code, no_half.out) == (3, "")


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """Write a position with a thousand steps: more text than an unread pipe can hold."""
    file = tmp_path / "long.txt"
    file.write_text(("1#-" * 50 + "\n" + "-" * 150 + "\n") * 20)
    return file


def test_an_interrupt_between_steps_ends_it_at_once_and_leaves_no_half_file(long: Path) -> None:
    drawn = long.with_name("drawn.svg")
    drawn.write_text("an older one")
    with started([*COMMAND, "solve", long, "--explain", "--svg", drawn]) as process:
        assert process.stdout
        assert process.stderr
        assert any(line.startswith("  1. ") for line in process.stdout)
        process.send_signal(signal.SIGINT)
        assert process.wait(HANG) == 130
        assert process.stderr.read() == "minewright: interrupted\n"
    assert drawn.read_text() == "an older one"
    assert sorted(long.parent.iterdir()) == [drawn, long]


def test_a_pipe_closed_between_steps_ends_it_quietly(long: Path) -> None:
    with started([*COMMAND, "solve", long, "--explain"]) as process:
        assert process.stdout
        assert process.stderr
        assert any(line.startswith("  1. ") for line in process.stdout)
        process.stdout.close()
        assert process.wait(HANG) == 141
        assert process.stderr.read() == ""
