"""Keys, one at a time, as a terminal sends them."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

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

if sys.platform == "win32":
    import msvcrt

    _WINDOWS: Final = {"H": "up", "P": "down", "K": "left", "M": "right"}

    @contextmanager
    def keys() -> Iterator[Callable[[], str]]:
        """Yield a function that waits for a key and returns its name."""

        def key() -> str:
            sent = msvcrt.getwch()
            if sent in ("\x00", "\xe0"):
                return _WINDOWS.get(msvcrt.getwch(), "")
            if sent == "\x03":
                raise KeyboardInterrupt
            return NAMES.get(sent, sent.lower())

        yield key

else:
    import os
    import select
    import termios
    import tty

    @contextmanager
    def keys() -> Iterator[Callable[[], str]]:
        """Yield a function that waits for a key and returns its name.

        The terminal is set to send every key at once, and back again at the end. Ctrl-C stays an
        interrupt.
        """
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)

        def waiting() -> bool:
            # The rest of an arrow key has been sent together with its first byte.
            return bool(select.select([terminal], [], [], 0.02)[0])

        def key() -> str:
            sent = os.read(terminal, 1)
            if sent == b"\x1b":
                while waiting() and len(sent) < 3:
                    sent += os.read(terminal, 1)
            text = sent.decode(errors="ignore")
            return NAMES.get(text, text.lower())

        try:
            tty.setcbreak(terminal)
            yield key
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)
