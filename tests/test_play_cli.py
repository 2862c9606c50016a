"""`minewright play`: a game in the terminal."""

import os
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

import pytest
from processes import HANG, wait_until

from minewright import Board, Deduction, Game
from minewright.cli import main
from minewright.cli.keys import BACK, OTHER_SCREEN, keys, name_of
from minewright.cli.table import KEYS, TerminalGame
from minewright.game import GameError, Move
from minewright.modes import begin
from minewright.noguess import DailyGame
from minewright.position import MARKED, MINED
from minewright.render.terminal import Screen, paint

ARROWS = ("up", "down", "left", "right")


def table(board: str = "9x9x10", seed: int = 4, topology: str = "moore") -> TerminalGame:
    return TerminalGame(lambda: Game(Board.parse(board), "open", seed, topology))


def text(shown: TerminalGame, columns: int | None = 100) -> str:
    return paint(shown.lines(Screen(columns=columns)), Screen(columns=columns))


def test_whoever_follows_the_hints_wins_where_no_guess_is_needed() -> None:
    played = table()
    played.press("enter")
    while not played.game.over:
        played.press("h")
        step = played.hint
        assert step, played.message
        assert step.sentence in " ".join(text(played).split())
        for cell in step.mined:
            played.cursor = cell
            if played.game.position[cell] != MARKED:
                played.press("f")
        for cell in step.safe:
            played.cursor = cell
            played.press("enter")
    assert played.game.state == "won"
    assert "you won, with help" in text(played)


@pytest.mark.parametrize("seed", range(5))
def test_whoever_asks_again_without_a_flag_is_led_on_to_a_safe_cell(seed: int) -> None:
    played = TerminalGame(lambda: begin("no-guess", "9x9x10", "open", seed))
    played.press("enter")
    while not played.game.over:
        told: list[Deduction] = []
        while not (told and told[-1].safe):
            played.press("h")
            assert played.hint
            assert played.hint not in told
            told.append(played.hint)
        played.cursor = told[-1].safe[0]
        played.press("enter")
    assert played.game.state == "won"


@pytest.mark.parametrize("key", ["u", "n"])
def test_whoever_begins_anew_or_takes_a_move_back_gets_the_same_hints_again(key: str) -> None:
    played = TerminalGame(lambda: begin("no-guess", "9x9x10", "open", 3))

    def hints() -> list[Deduction | None]:
        told = []
        for key in ("enter", "h", "h"):
            played.press(key)
            told.append(played.hint)
        return told[1:]

    first, second = hints()
    assert first
    assert first.mined
    assert second != first
    played.press(key)
    assert hints() == [first, second]


def test_a_safe_bet_ends_with_its_score() -> None:
    played = TerminalGame(lambda: begin("safe-bet", "3x1x1", "any", 1))
    for key in ("enter", "left", "enter"):
        played.press(key)
    assert "you won with a score of 33.3%" in text(played)


def test_the_board_of_the_day_begins_where_it_says() -> None:
    shown = TerminalGame(lambda: DailyGame.of(date(2026, 1, 31)))
    first = f"open {shown.game.topology.describe(shown.cursor)}"
    assert first in text(shown)
    shown.press("h")
    assert first.capitalize() in shown.message
    shown.press("enter")
    assert shown.game.state == "playing"


@pytest.mark.parametrize("topology", ["moore", "hex", "torus", "knight", "box"])
def test_the_arrows_lead_to_every_cell(topology: str) -> None:
    played = table("4x3x2x2" if topology == "box" else "5x4x2", topology=topology)
    reached = {played.cursor}
    new = [played.cursor]
    while new:
        begun = new.pop()
        for arrow in ARROWS:
            played.cursor = begun
            played.press(arrow)
            if played.cursor not in reached:
                reached.add(played.cursor)
                new.append(played.cursor)
    assert reached == set(range(played.game.topology.size))


def test_a_flag_keeps_a_cell_closed_and_a_number_opens_around_it() -> None:
    played = table("3x3x1", seed=1)
    game = Game.from_minefield(played.game.topology, [0])
    played.game = game
    played.cursor = 4
    played.press("enter")
    played.cursor = 0
    played.press("f")
    played.press("enter")
    assert game.position[0] == MARKED
    assert "Press f to remove the flag" in text(played)
    played.cursor = 4
    played.press("enter")
    assert game.state == "won"


def test_a_loss_shows_the_mines_and_can_be_taken_back() -> None:
    played = table("3x3x2", seed=1)
    played.game = Game.from_minefield(played.game.topology, [0, 8])
    played.cursor = 0
    played.press("enter")
    assert played.game.state == "lost"
    assert played.game.position[0] == MINED
    assert "that was a mine" in text(played)
    assert "✱" in text(played)
    played.press("u")
    assert not played.game.over
    assert played.assisted


def test_a_move_that_cannot_be_taken_back_stays() -> None:
    class Slow(Game):
        def again(self, moves: Iterable[Move] = ()) -> Game:
            raise GameError("no board was found in time")

    played = TerminalGame(lambda: Slow(Board.parse("9x9x10"), "open", 4))
    played.press("enter")
    before = played.game
    played.press("u")
    assert played.game is before
    assert not played.assisted
    assert "No board was found in time." in text(played)


def test_a_new_game_that_cannot_be_made_leaves_the_old_one() -> None:
    played = table()

    def deal() -> Game:
        raise GameError("making the board of tomorrow takes too long")

    before, played.deal = played.game, deal
    played.press("n")
    assert played.game is before
    assert "Making the board of tomorrow takes too long." in text(played)


def test_where_nothing_is_certain_the_hint_is_a_guess() -> None:
    played = table("3x1x1", seed=1)
    played.game = Game.from_minefield(played.game.topology, [0])
    played.cursor = 1
    played.press("enter")
    played.press("h")
    assert played.hint is None
    assert "safest cell" in played.message
    played.press("c")
    assert "50" in text(played).splitlines()[3]


def test_the_screen_says_when_it_is_too_narrow_and_keeps_within_its_columns() -> None:
    assert "make the window wider" in text(table("30x16x99"), 20)
    played = table()
    played.press("enter")
    lines = text(played, 36).splitlines()
    assert max(map(len, lines)) <= 36
    assert all(any(key in line for line in lines) for key, _ in KEYS)


@pytest.mark.parametrize("rows", [5, 10, 24, 60])
def test_a_board_taller_than_the_window_is_shown_around_the_cursor(rows: int) -> None:
    played = table("30x40x200")
    screen = Screen(columns=100, rows=rows)
    for cell in (0, 30 * 20 + 7, 30 * 40 - 1):
        played.cursor = cell
        lines = paint(played.lines(screen), screen).splitlines()
        # The terminal's cursor rests in one more row.
        assert len(lines) < rows
        assert lines[0].startswith("30x40x200")
        assert any("[#]" in line for line in lines)
        assert any(line.startswith("more ") for line in lines) == (rows < 60)


@pytest.mark.skipif(os.name == "nt", reason="needs a terminal of POSIX")
@pytest.mark.parametrize(
    ("sent", "name"),
    [
        (b"", "q"),
        (b"\x1b", "q"),
        (b"F", "f"),
        (b"\x1b[A", "up"),
        (b"\x1b[1;5C", "right"),
        (b"\x1b\x1b[C", "right"),
        # Shift-F2, Ctrl-End, Delete, a part of a letter, Alt-Q.
        *((key, "unknown") for key in (b"\x1b[1;2Q", b"\x1b[1;5F", b"\x1b[3~", b"\xc3", b"\x1bq")),
    ],
)
def test_a_key_that_means_nothing_does_nothing(sent: bytes, name: str) -> None:
    assert name_of(sent) == name


def test_play_without_a_terminal_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play"]) == 2
    output, complaint = capsys.readouterr()
    assert output == ""
    assert "play needs a terminal" in complaint
    assert complaint.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--mode", "daily"], "use --daily"),
        (["--daily", "--board", "beginner"], "--board does not go with --daily"),
        (["--daily", "--mode", "fair"], "--mode does not go with --daily"),
        (["--daily", "--seed", "1"], "--seed does not go with --daily"),
        (["--daily"], "play needs a terminal"),
    ],
)
def test_the_board_of_the_day_takes_no_other_wish(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *arguments]) == 2
    complaint = capsys.readouterr().err
    assert words in complaint
    assert complaint.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="needs a terminal of POSIX")
@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        (b"\r", b"safe cell"),
        (b"\x1b[A", b"[#]"),
        (b"h", b"Open any cell"),
        # None of its letters is taken for a key.
        (b"\x1b[1;5Fh", b"Open any cell"),
        (b"\x1b\x1b[F\r", b"safe cell"),
    ],
)
def test_keys_of_a_real_terminal_are_heard_and_it_is_left_as_it_was(
    typed: bytes, seen: bytes
) -> None:
    with at_terminal() as (process, terminal):
        os.write(terminal, typed)
        assert seen in read_until(terminal, seen)
        os.write(terminal, b"q")
        assert process.wait(HANG) == 0


@pytest.mark.skipif(os.name == "nt", reason="needs signals of POSIX")
def test_a_game_that_is_stopped_or_resized_is_drawn_again() -> None:
    with at_terminal() as (process, terminal):
        process.send_signal(signal.SIGWINCH)
        read_until(terminal, b"quit")
        process.send_signal(signal.SIGTSTP)
        found = b""

        def is_drawn_again() -> bool:
            nonlocal found
            if select.select([terminal], [], [], 0)[0]:
                found += os.read(terminal, 65_536)
            assert process.poll() is None, found
            _, stopped, after = found.partition(BACK.encode())
            if stopped:
                # It may be about to stop, and then this signal comes too early. Sent before the
                # other signal has taken effect, it would cancel that one.
                process.send_signal(signal.SIGCONT)
            return OTHER_SCREEN.encode() in after and b"quit" in after

        assert wait_until(is_drawn_again)
        os.write(terminal, b"q")
        assert process.wait(HANG) == 0


@pytest.mark.skipif(os.name == "nt", reason="needs signals of POSIX")
def test_a_game_that_is_told_to_end_leaves_the_terminal_as_it_was() -> None:
    with at_terminal() as (process, terminal):
        process.send_signal(signal.SIGTERM)
        assert b"interrupted" in read_until(terminal, b"interrupted")
        assert process.wait(HANG) == 130


@pytest.mark.skipif(os.name == "nt", reason="needs signals of POSIX")
def test_a_game_that_is_killed_from_the_keyboard_leaves_the_terminal_as_it_was() -> None:
    with at_terminal() as (process, terminal):
        if sys.platform == "linux":
            import resource

            # Nobody wants a core file.
            resource.prlimit(process.pid, resource.RLIMIT_CORE, (0, 0))
        # What Ctrl-\ sends.
        process.send_signal(signal.SIGQUIT)
        read_until(terminal, BACK.encode())
        assert process.wait(HANG) == -signal.SIGQUIT


@pytest.mark.skipif(os.name == "nt", reason="needs a terminal of POSIX")
@pytest.mark.parametrize("controlling", [True, False])
def test_a_game_whose_terminal_is_closed_ends_without_a_traceback(controlling: bool) -> None:
    import pty

    ours, its = pty.openpty()
    # The first terminal that a session leader opens becomes the terminal of the session.
    session = (
        "import os, sys; os.setsid();"
        f" {controlling} and os.open({os.ttyname(its)!r}, os.O_RDWR);"
        " os.execv(sys.executable, [sys.executable, '-m', 'minewright', 'play'])"
    )
    command = [sys.executable, "-c", session]
    with subprocess.Popen(command, stdin=its, stdout=its, stderr=subprocess.PIPE) as process:
        os.close(its)
        read_until(ours, b"quit")
        os.close(ours)
        said = process.communicate(timeout=HANG)[1]
    assert b"Traceback" not in said, said
    assert process.returncode in (0, 130)


@pytest.mark.skipif(os.name == "nt", reason="needs signals of POSIX")
def test_a_game_that_is_ended_while_it_is_stopped_ends() -> None:
    import pty

    ours, its = pty.openpty()
    # A shell with job control: once the game is stopped, it is in the background.
    game = f"{shlex.quote(sys.executable)} -m minewright play --seed 3"
    shell = f"set -m; {game}; kill %1; kill -CONT %1; read _"
    session = (
        "import os; os.setsid();"
        f" os.open({os.ttyname(its)!r}, os.O_RDWR); os.execvp('sh', ['sh', '-c', {shell!r}])"
    )
    command = [sys.executable, "-c", session]
    with subprocess.Popen(command, stdin=its, stdout=its, stderr=its) as process:
        try:
            read_until(ours, b"quit")
            os.write(ours, b"\x1a")
            read_until(ours, b"interrupted")
        finally:
            process.kill()
    os.close(its)
    os.close(ours)


@pytest.mark.skipif(os.name == "nt", reason="needs a terminal of POSIX")
def test_a_second_interrupt_leaves_the_terminal_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    import pty
    import termios

    ours, its = pty.openpty()
    before, set_back = termios.tcgetattr(its), termios.tcsetattr
    interrupts = [KeyboardInterrupt]

    def interrupted(*setting: Any) -> None:
        if interrupts:
            raise interrupts.pop()
        set_back(*setting)

    with open(its, "w", encoding="utf-8") as screen:
        monkeypatch.setattr(sys, "stdin", screen)
        monkeypatch.setattr(sys, "stdout", screen)
        # Only the code that sets the terminal back calls it by this name.
        monkeypatch.setattr(termios, "tcsetattr", interrupted)
        with pytest.raises(KeyboardInterrupt), keys():
            raise KeyboardInterrupt
        assert not interrupts
        assert termios.tcgetattr(its) == before
    os.close(ours)


@pytest.mark.skipif(os.name == "nt", reason="needs a terminal of POSIX")
def test_a_key_that_the_end_of_input_cuts_off_ends() -> None:
    from minewright.cli.keys import _sequence

    terminal, typed = os.pipe()
    os.write(typed, b"[1;")
    os.close(typed)
    assert _sequence(terminal, iter([True] * 9).__next__) == b"[1;"
    os.close(terminal)


@contextmanager
def at_terminal() -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Start a game at a terminal, and check at the end that the terminal is as it was."""
    import pty
    import termios

    ours, its = pty.openpty()
    before = termios.tcgetattr(its)
    command = [sys.executable, "-m", "minewright", "play", "--seed", "3"]
    with subprocess.Popen(command, stdin=its, stdout=its, stderr=its) as process:
        try:
            read_until(ours, b"quit")
            yield process, ours
        finally:
            process.kill()
    assert termios.tcgetattr(its) == before
    os.close(its)
    os.close(ours)


def read_until(terminal: int, word: bytes) -> bytes:
    found = b""
    while word not in found:
        assert select.select([terminal], [], [], HANG)[0], found
        found += os.read(terminal, 65_536)
    return found
