"""Keys, one at a time, as a terminal sends them."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from minewright.cli.streams import write

NAMES: Final = {
    "\x1b[A": "up",
    "\x1b[B": "down",
    "\x1b[C": "right",
    "\x1b[D": "left",
    "\x1bOA": "up",
    "\x1bOB": "down",
    "\x1bOC": "right",
    "\x1bOD": "left",
    "\r": "enter",
    "\n": "enter",
    "\x04": "q",
    "\x1b": "q",
    "": "q",
}
"""What a terminal sends, and the name of the key. The end of input, Ctrl-D and Escape quit."""

UNKNOWN: Final = "unknown"
"""The name of a key that has none, which does nothing."""
OTHER_SCREEN: Final = "\x1b[?1049h\x1b[?25l"
BACK: Final = "\x1b[?25h\x1b[?1049l"

_MODIFIED: Final = re.compile(r"\x1b(?:\[1;\d+|\x1b[\[O])([A-D])")
"""An arrow together with Shift, Alt or Ctrl; for Alt, some terminals send one more Escape."""
_UNFINISHED: Final = re.compile(rb"\x1b*((\[\[?|O)[ -?]*)?")
"""What may follow an Escape before the letter that ends the key. Only the Linux console sends a
second bracket."""


def name_of(sent: bytes) -> str:
    """Return the name of a key, given what the terminal sent; nothing is the end of input."""
    if not sent:
        return NAMES[""]
    # A part of a letter beyond ASCII is not a key.
    text = sent.decode(errors="ignore")
    if arrow := _MODIFIED.fullmatch(text):
        text = f"\x1b[{arrow[1]}"
    if text in NAMES and text:
        return NAMES[text]
    return text.lower() if len(text) == 1 else UNKNOWN


if sys.platform == "win32":
    import msvcrt

    _WINDOWS: Final = {"H": "up", "P": "down", "K": "left", "M": "right"}

    @contextmanager
    def keys() -> Iterator[Callable[[], str]]:
        """Yield a function that waits for a key and returns its name."""

        def key() -> str:
            sent = msvcrt.getwch()
            if sent in ("\x00", "\xe0"):
                return _WINDOWS.get(msvcrt.getwch(), UNKNOWN)
            if sent == "\x03":
                raise KeyboardInterrupt
            return NAMES.get(sent, sent.lower())

        write(OTHER_SCREEN)
        try:
            yield key
        finally:
            write(BACK)

else:
    import os
    import select
    import signal
    import termios
    import tty

    @contextmanager
    def keys() -> Iterator[Callable[[], str]]:
        """Yield a function that waits for a key and returns its name.

        The terminal shows another screen and sends every key at once, and is set back at the end,
        and while the process is stopped. Ctrl-C stays an interrupt. Resizing the window counts
        as a key.
        """
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        awake, wake = os.pipe()
        os.set_blocking(wake, False)
        ours = False

        def waiting() -> bool:
            # The rest of a key has been sent together with its first byte.
            return bool(select.select([terminal], [], [], 0.02)[0])

        def key() -> str:
            if awake in select.select([terminal, awake], [], [])[0]:
                os.read(awake, 512)
                return UNKNOWN
            try:
                sent = os.read(terminal, 1)
                if sent == b"\x1b":
                    sent += _sequence(terminal, waiting)
            except OSError:
                # The terminal is gone.
                sent = b""
            return name_of(sent)

        # Not through the stream: a signal may come while it is being written to.
        def show(sequence: str) -> None:
            os.write(sys.stdout.fileno(), sequence.encode())

        def begin() -> None:
            nonlocal ours
            ours = True
            tty.setcbreak(terminal)
            show(OTHER_SCREEN)

        def end() -> None:
            nonlocal ours
            # The terminal may be gone.
            with suppress(OSError):
                show(BACK)
            with suppress(termios.error):
                termios.tcsetattr(terminal, termios.TCSADRAIN, before)
            ours = False

        def resized(*_: object) -> None:
            """Do nothing: every signal wakes whoever waits for a key."""

        def leave(number: int, _: object) -> None:
            """Set the terminal back, then let the signal do what it usually does."""
            end()
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            # A process that was stopped goes on here.
            signal.signal(number, leave)
            begin()

        handlers: dict[signal.Signals, Callable[[int, object], None]]
        handlers = {signal.SIGWINCH: resized}
        for number in (signal.SIGTSTP, signal.SIGQUIT):
            # A signal that is ignored from the start stays ignored.
            if signal.getsignal(number) is not signal.SIG_IGN:
                handlers[number] = leave
        earlier = {number: signal.signal(number, act) for number, act in handlers.items()}
        # Without this, a signal that comes just before the wait would be heard only after it.
        woken = signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        try:
            begin()
            yield key
        finally:
            try:
                signal.set_wakeup_fd(woken)
                for number, act in earlier.items():
                    signal.signal(number, act)
            finally:
                # A game that is ended while it is stopped has left the terminal to the shell.
                # Setting the terminal back again would only stop the game once more.
                while ours:
                    try:
                        end()
                    except KeyboardInterrupt:
                        # A second interrupt: the first one is already on its way.
                        continue
                os.close(awake)
                os.close(wake)

    def _sequence(terminal: int, waiting: Callable[[], bool]) -> bytes:
        """Read what follows an Escape, if anything: a letter, or all of a longer sequence."""
        sent = b""
        while _UNFINISHED.fullmatch(sent) and waiting() and (byte := os.read(terminal, 1)):
            sent += byte
        return sent
