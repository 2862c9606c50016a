"""What a command reads and writes, and how it says that something is wrong."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread, current_thread, main_thread
from typing import Final, TypeVar

import typer

INCONSISTENT: Final = 1
MISTAKE: Final = 2
BEYOND_BUDGET: Final = 3
INTERRUPTED: Final = 130
CLOSED_PIPE: Final = 141
MAX_BYTES: Final = 32_000_000
"""How much of a file is read: more than the largest board needs."""

Result = TypeVar("Result")


class CommandError(Exception):
    """Something the user has to mend or to know, in one line; and the exit code it gives."""

    def __init__(self, message: str, code: int = MISTAKE) -> None:
        super().__init__(message)
        self.code = code


def complain(message: str, code: int) -> int:
    """Write one line on standard error, whatever the message holds."""
    words = " ".join(message.split())
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in words)
    if sys.stderr is not None:
        print(f"minewright: {line}", file=sys.stderr)
    return code


def write(text: str) -> None:
    """Write the answer on standard output at once, so that a failure shows here."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # Nobody reads on, which is their right; Python must not try again when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(CLOSED_PIPE) from None
    except OSError as error:
        raise CommandError(f"standard output: {error.strerror}") from None


def interruptible(work: Callable[[], Result]) -> Result:
    """Do some work that an interrupt ends at once, even deep in the kernel."""
    done: list[Result] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(1.0)
    except KeyboardInterrupt:
        # The kernel hears nothing until it is through: leave it behind with the process.
        os._exit(INTERRUPTED)
    if failed:
        raise failed[0]
    return done[0]


@contextmanager
def unbroken() -> Iterator[None]:
    """Put an interrupt off until what belongs together is done: nothing shown is left uncounted."""
    if current_thread() is not main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt


def read(file: str, name: str) -> bytes:
    """Read a file, or standard input for -; CommandError if it cannot be, or is too large."""
    mend = "give a file with a position, or - for standard input"
    try:
        if file != "-":
            with open(file, "rb") as source:
                data = source.read(MAX_BYTES + 1)
        elif sys.stdin is None:
            raise CommandError(f"standard input is closed; {mend}")
        else:
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise CommandError(f"{name}: there is no such file; {mend}") from None
    except IsADirectoryError:
        raise CommandError(f"{name}: this is a directory; {mend}") from None
    except (OSError, ValueError) as error:
        raise CommandError(f"{name}: it cannot be read ({error}); {mend}") from None
    if len(data) > MAX_BYTES:
        raise CommandError(f"{name}: more than {MAX_BYTES // 10**6} MB; no position is that large")
    return data


def in_json(data: object) -> str:
    """Write data as one line of JSON."""
    from json import dumps

    return f"{dumps(data, allow_nan=False)}\n"


def write_file(option: str, file: str, content: bytes) -> None:
    """Write a file that an option named; CommandError if it cannot be."""
    try:
        Path(file).write_bytes(content)
    except OSError as error:
        raise CommandError(f"{option} {file}: it cannot be written ({error.strerror})") from None
