"""Traces: one game turn by turn, as text and as a strip."""

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from test_cli import run
from test_render import SPACE

from minewright.board import Board
from minewright.cli import main
from minewright.cli.streams import INTERRUPTED
from minewright.game import Game, StartRule
from minewright.lab.arm import Arm
from minewright.lab.trace import Trace, trace
from minewright.position import Position
from minewright.render.steps import MAX_CELLS
from minewright.render.terminal import Screen
from minewright.render.trace import heading, most_turns, trace_svg, trace_text


def traced(
    strategy: str,
    board: str = "8x8x10",
    number: int = 0,
    start: StartRule = "safe",
    topology: str = "moore",
    first: str = "",
) -> Trace:
    return trace(Arm(strategy, board, start, topology, first=first), 4, number)


def blocks(text: str) -> list[list[str]]:
    """Return the blocks of the turns, as lines."""
    return [block.splitlines() for block in text.split("\n\n")[1:]]


@pytest.mark.parametrize("strategy", ["random", "single-point", "exact"])
def test_a_trace_shows_every_turn_of_the_game_that_is_simulated(strategy: str) -> None:
    shown = traced(strategy, number=3)
    game = Game(Board.parse("8x8x10"), "safe", 4, stream=3)
    record = shown.arm.play(game, 4, 3)
    assert record._replace(seconds=0) == shown.record._replace(seconds=0)
    assert shown.end == game.position
    assert shown.minefield == game.minefield
    again = Game(Board.parse("8x8x10"), "safe", 4, stream=3)
    for step in shown.steps:
        assert step.position == again.position
        for move in step.turn.moves:
            if not again.over:
                again.play([move])
    assert again.position == shown.end


def test_the_text_has_one_block_a_turn_with_reasons_and_the_board_before_it() -> None:
    shown = traced("exact", number=2)
    turns = blocks(trace_text(shown, Screen()))
    assert len(turns) == len(shown.steps) + 1
    for number, (block, step) in enumerate(zip(turns, shown.steps, strict=False), 1):
        assert block[0].startswith(f"Turn {number}: ")
        board = "\n".join(block[-8:])
        if step.turn.guess is None:
            assert board.count("✓") == sum(len(found.safe) for found in step.turn.findings)
            assert board.count("✱") == sum(len(found.mined) for found in step.turn.findings)
        else:
            assert board.count("?") == 1
            row, column = divmod(step.turn.guess.cell, 8)
            assert block[1].startswith(f"  row {row + 1}, column {column + 1}: ")
        # Without the signs, what is left is the position itself.
        plain = re.sub(r"[✓✱?]", "#", re.sub(r"^\d+|>", " ", board, flags=re.MULTILINE))
        assert Position.parse(f"8x8x10\n{plain.replace(' ', '')}") == step.position


def test_a_guess_says_its_exact_risk_and_what_could_have_been_known() -> None:
    text = trace_text(traced("random", "5x5x5", 0, "any"), Screen())
    assert "Turn 1: first move, risk 20.0%\n" in text
    assert re.search(r"^Turn \d+: guess, risk \d+\.\d%$", text, re.MULTILINE)
    assert re.search(r"^  exact inference knows better: \d+ covered cells? ", text, re.MULTILINE)
    assert "first move, no risk" in trace_text(traced("random", "5x5x5"), Screen())


def test_the_first_move_is_where_the_start_rule_let_the_game_begin() -> None:
    shown = traced("exact", "3x3x5", start="open", first="centre")
    guess = shown.steps[0].turn.guess
    assert guess
    assert guess.cell == 0
    assert "does not allow row 2, column 2" in guess.reason


@pytest.mark.parametrize("won", [True, False])
def test_the_end_shows_the_whole_minefield(won: bool) -> None:
    shown = next(
        found
        for found in (traced("single-point", "6x6x7", number) for number in range(50))
        if found.record.won == won
    )
    *_, end = blocks(trace_text(shown, Screen()))
    board = "\n".join(end[-6:])
    assert sum(board.count(sign) for sign in "✱XF") == 7
    assert ("X" in board) != won
    assert ("#" in board) != won
    strip = ElementTree.fromstring(trace_svg(shown)).findall(f"{SPACE}g")[-1]
    assert any(path.get("class") == "mined" for path in strip) != won


@pytest.mark.parametrize(
    ("board", "topology"), [("6x6x7", "hex"), ("6x6x7", "torus"), ("3x3x3x4", "box")]
)
def test_every_topology_has_its_trace(board: str, topology: str) -> None:
    shown = traced("exact", board, topology=topology)
    assert topology in trace_text(shown, Screen(colour=True, columns=80))
    members = ElementTree.fromstring(trace_svg(shown)).findall(f"{SPACE}g")
    assert len(members) == len(shown.steps) + 1


def test_a_narrow_screen_is_never_overrun() -> None:
    lines = trace_text(traced("single-point", "30x16x60"), Screen(columns=80)).splitlines()
    assert max(map(len, lines)) <= 80


def test_a_strip_says_how_many_turns_it_leaves_out_and_still_shows_the_end() -> None:
    shown = traced("random", "40x40x2", start="open")
    room = most_turns(shown.end.topology)
    assert room * 40 * 40 < MAX_CELLS
    long = replace(shown, steps=shown.steps[:1] * (room + 5))
    root = ElementTree.fromstring(trace_svg(long))
    assert len(root.findall(f"{SPACE}g")) == room + 1
    words = [text.text for text in root.findall(f"{SPACE}text")]
    assert "the end" in words
    assert "5 turns before this, not drawn" in words
    assert "5 turns more, not drawn" in (root.findtext(f"{SPACE}desc") or "")


def test_a_board_of_a_strip_tells_its_reasons_on_asking() -> None:
    shown = traced("single-point")
    members = ElementTree.fromstring(trace_svg(shown)).findall(f"{SPACE}g")
    for member, step in zip(members, shown.steps, strict=False):
        told = member.findtext(f"{SPACE}title") or ""
        assert all(finding.reason in told for finding in step.turn.findings)


# The front door


def test_a_trace_goes_to_standard_output_or_to_a_file(tmp_path: Path) -> None:
    options = ["--board", "8x8x10", "--strategy", "exact", "--seed", "4", "--game", "2"]
    printed = run("simulate", *options, "--trace", "-")
    shown = traced("exact", number=2)
    assert (printed.code, printed.err) == (0, "")
    assert printed.out == trace_text(shown, Screen(signs=False))
    for name, content in (("a.txt", trace_text(shown, Screen())), ("a.svg", trace_svg(shown))):
        file = tmp_path / name
        written = run("simulate", *options, "--trace", str(file))
        assert (written.code, written.err) == (0, "")
        assert written.out == f"{file}: {heading(shown)}\n"
        assert file.read_text(encoding="utf-8") == content


def test_an_interrupted_trace_leaves_an_older_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("minewright.lab.trace.trace", interrupt)
    file = tmp_path / "a.txt"
    file.write_text("older")
    assert main(["simulate", "--strategy", "exact", "--trace", str(file)]) == INTERRUPTED
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("a.txt", "older")]


def test_a_chain_of_reasons_adds_a_board_for_each_of_its_steps() -> None:
    shown = next(
        found
        for found in (traced("minebot", "8x8x12", number) for number in range(50))
        if any("contrapositive" in one.reason for step in found.steps for one in step.turn.findings)
    )
    scenes = [
        scene
        for step in shown.steps
        for finding in step.turn.findings
        for scene in step.turn.chain(finding)
    ]
    plain, full = (
        len(ElementTree.fromstring(trace_svg(shown, chain=chain)).findall(f"{SPACE}g"))
        for chain in (False, True)
    )
    assert full == plain + len(scenes)
    text = trace_text(shown, Screen(), chain=True)
    assert all(f"    {scene.words}" in text for scene in scenes)
    assert "Suppose" not in trace_text(shown, Screen())
