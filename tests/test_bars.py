"""Progress on standard error: a bar for those who wait, lines for those who read a log."""

import io
import sys

import pytest
from processes import wait_until

from minewright.cli import bars
from minewright.cli.bars import LINE_SECONDS, Bar, watched


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Make standard error a terminal; not a fixture, since pytest resets it after fixtures."""
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_a_bar_shows_how_far_long_work_is_and_makes_room_for_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = on_a_terminal(monkeypatch)
    clock = Clock()
    answers: list[str] = []
    with watched("making puzzles", clock=clock) as bar:
        bar.begin(4, 0)
        clock.now += bars.PATIENCE
        # It appears by itself, before any puzzle is made.
        assert wait_until(lambda: "making puzzles" in terminal.getvalue())
        for number in range(4):
            bar.show(lambda: answers.append("puzzle"))
            bar.advance(1)
            bar.note(f"note {number}")
    assert answers == ["puzzle"] * 4
    assert "75%" in terminal.getvalue()
    assert "note 2" in terminal.getvalue()


def test_a_bar_shows_that_work_goes_on_before_it_knows_how_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = on_a_terminal(monkeypatch)
    clock = Clock()
    with watched("reading", "files", clock=clock) as bar:
        bar.begin(0, 0)
        clock.now += bars.PATIENCE
        assert wait_until(lambda: "reading" in terminal.getvalue())
        assert "%" not in terminal.getvalue()
        # After the time that has passed, it would read as if that were left.
        assert "left" not in terminal.getvalue()
        bar.begin(2, 0)
        bar.advance(1)
        assert wait_until(lambda: "50%" in terminal.getvalue())
        assert "left" in terminal.getvalue()


def test_quick_work_never_shows_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_a_terminal(monkeypatch)
    with watched("quick", clock=Clock()) as bar:
        bar.begin(2, 0)
        bar.show(lambda: None)
        bar.advance(1)
        bar.advance(1)
    assert "quick" not in terminal.getvalue()


def lines_of(bar: Bar, clock: Clock, steps: list[tuple[float, float]]) -> None:
    for seconds, effort in steps:
        clock.now += seconds
        bar.advance(effort)


def test_without_a_terminal_a_line_now_and_then_says_how_far_and_how_long(
    capsys: pytest.CaptureFixture[str],
) -> None:
    clock = Clock()
    with watched("exact", "games", clock=clock) as bar:
        bar.begin(1000, 200)
        bar.note("40.0% won")
        lines_of(bar, clock, [(LINE_SECONDS - 1, 99), (1, 1), (1, 100), (LINE_SECONDS, 100)])
    output, told = capsys.readouterr()
    assert output == ""
    assert told.splitlines() == [
        "exact: 30%, 300 of 1,000 games, 40.0% won, about 7 min left",
        "exact: 50%, 500 of 1,000 games, 40.0% won, about 3 min left",
    ]


def test_work_that_only_goes_on_is_told_too(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with watched("one puzzle", clock=clock) as bar:
        bar.begin(1, 0)
        lines_of(bar, clock, [(LINE_SECONDS, 0.0)])
    assert capsys.readouterr().err == "one puzzle: 0%\n"


def test_quick_work_without_a_terminal_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with watched("quick", clock=clock) as bar:
        bar.begin(10, 0)
        lines_of(bar, clock, [(LINE_SECONDS / 11, 1)] * 10)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0 s"), (99, "99 s"), (150, "2 min"), (7200, "2.0 h")]
)
def test_a_time_to_wait_has_the_unit_that_suits_it(seconds: float, words: str) -> None:
    assert bars._duration(seconds) == words
