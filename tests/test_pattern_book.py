"""The pattern book: one form however a step lies on the board, counted over games."""

import errno
import json
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minewright as mw
from minewright.cli import bars, main
from minewright.patterns import Book
from minewright.patterns.collect import Stopped, collect, read, read_games
from minewright.patterns.form import FORCED, SATISFIED, SYMMETRIES, Form, form_of
from minewright.work.progress import Quiet

BOARDS = ("9x9x10", "16x16x60", "30x16x99", "5x12x14")


@settings(max_examples=40)
@given(st.sampled_from(BOARDS), st.integers(0, 2**32))
def test_a_form_concludes_what_its_step_does_and_needs_every_clue(board: str, seed: int) -> None:
    for step, _ in read(mw.Game(mw.Board.parse(board), "open", seed)):
        form = form_of(step)
        if form is None:
            assert step.total
            continue
        if step.order == 1:
            assert form.text == (SATISFIED if step.safe else FORCED)
            continue
        certain = mw.analyze(form.position)
        assert (len(certain.safe), len(certain.mined)) == (len(step.safe), len(step.mined))
        assert form.clues == step.order
        for turn in range(len(SYMMETRIES)):
            assert form_of(form.turned(turn).step) == form


@pytest.mark.parametrize("text", ["3x1x0\n###", "3x3x? torus\n!1-\n-#-\n---"])
def test_a_step_with_the_total_or_on_another_topology_has_no_form(text: str) -> None:
    step = mw.next_step(mw.Position.parse(text))
    assert step is not None
    assert form_of(step) is None


def test_every_pattern_of_the_book_is_proved_canonical_and_in_its_rank() -> None:
    book = mw.patterns.book()
    assert [one.steps for one in book.patterns] == sorted(
        (one.steps for one in book.patterns), reverse=True
    )
    assert len({one.text for one in book.patterns}) == len(book.patterns) >= 50
    for one in book.patterns:
        step = one.form.step
        assert step.check()
        assert form_of(step) == one.form
        assert one.games <= min(one.steps, book.games)
    names = {name for one in book.patterns for name in one.names}
    assert {"1-1", "1-2", "1-2-1", "1-2-2-1", "subset", "overlap"} <= names


def test_a_book_is_the_sum_of_its_games_and_survives_its_file() -> None:
    made = collect(["9x9x10"], games=30, seed=5, most=1000)
    assert type(made).read(made.json()) == made
    parts = [read_games("9x9x10", 5, first, 10) for first in (0, 10, 20)]
    steps = Counter[str]()
    for part in parts:
        steps.update({text: count.steps for text, count in part.items()})
    assert {one.text: one.steps for one in made.patterns} == steps
    assert made.forms == len(steps)


@pytest.mark.parametrize("board", ["9x9x81", "5x5x5x10", "9x9"])
def test_a_board_that_cannot_be_played_is_told_in_one_line(
    board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "book.json"
    assert main(["patterns", "collect", "--out", str(out), "--games", "1", "--boards", board]) == 2
    told = capsys.readouterr()
    assert "--boards: " in told.err
    assert len(told.err.splitlines()) == 1
    assert not out.exists()


def test_a_book_that_cannot_be_written_is_told_before_the_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "minewright.patterns.collect.collect", lambda *_, **__: pytest.fail("played")
    )
    out = tmp_path / "nowhere" / "book.json"
    assert main(["patterns", "collect", "--out", str(out)]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_only_the_file_is_blamed_for_what_the_file_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def elsewhere(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE), "/another/file")

    monkeypatch.setattr("minewright.patterns.collect.collect", elsewhere)
    assert main(["patterns", "collect", "--out", str(tmp_path / "book.json")]) == 2
    told = f"minewright: /another/file: {os.strerror(errno.EMFILE)}\n"
    assert capsys.readouterr().err == told
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_book_that_finds_no_room_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    wish = ["patterns", "collect", "--out", "/dev/full", "--games", "1", "--boards", "5x5x3"]
    assert main(wish) == 2
    told = f"--out /dev/full: cannot be written ({os.strerror(errno.ENOSPC)})"
    assert told in capsys.readouterr().err


def test_the_command_lists_the_book_and_draws_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["patterns", "list", "--count", "3", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in shown["patterns"][:2]] == ["all mines found", "all cells needed"]
    assert "is safe" in shown["patterns"][2]["sentence"]
    assert Form(shown["patterns"][2]["text"]).clues == shown["patterns"][2]["clues"]
    picture = tmp_path / "book.svg"
    assert main(["patterns", "list", "--count", "7", "--svg", str(picture)]) == 0
    assert picture.read_text(encoding="utf-8").count("<g transform=") == 7


class Impatient(Quiet):
    """Interrupts the work after some games."""

    def __init__(self, enough: float) -> None:
        self._left = enough

    def advance(self, effort: float) -> None:
        self._left -= effort
        if self._left <= 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_keeps_the_book_of_equally_many_games_on_each_board(workers: int) -> None:
    boards = ["5x5x3", "6x6x6"]
    with pytest.raises(Stopped) as stopped:
        # The third task of 20 games begins a round that does not finish.
        collect(boards, 100, seed=5, workers=workers, progress=Impatient(60))
    assert stopped.value.book == collect(boards, 20, seed=5)
    assert stopped.value.book.games == 40
    with pytest.raises(Stopped) as stopped:
        collect(boards, 100, seed=5, workers=workers, progress=Impatient(20))
    assert stopped.value.book is None


def test_the_command_writes_the_book_of_the_games_before_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "book.json"
    wish = ["patterns", "collect", "--out", str(out), "--games", "100", "--boards", "5x5x3,6x6x6"]

    def stop_after(games: float) -> None:
        user = Impatient(games)
        monkeypatch.setattr(bars.Bar, "advance", lambda _, effort: user.advance(effort))

    stop_after(20)
    assert main(wish) == 130
    told = f"minewright: stopped too early for a book; {out} was not written\n"
    assert capsys.readouterr() == ("", told)
    assert not list(tmp_path.iterdir())
    stop_after(60)
    assert main(wish) == 130
    told = f"minewright: stopped after 40 of 200 games; {out} is the book of these\n"
    assert capsys.readouterr() == ("", told)
    assert Book.read(out.read_text("utf-8")) == collect(["5x5x3", "6x6x6"], 20, seed=1)
    assert list(tmp_path.iterdir()) == [out]
