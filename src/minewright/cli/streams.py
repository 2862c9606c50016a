"""How a command reads, writes and reports mistakes."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from io import BufferedWriter, FileIO, UnsupportedOperation
from pathlib import Path
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, BinaryIO, Final, ParamSpec, TypeVar

import typer

from minewright.errors import MinewrightError
from minewright.messages import one_line

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

INCONSISTENT: Final = 1
MISTAKE: Final = 2
BEYOND_BUDGET: Final = 3
INTERRUPTED: Final = 130
CLOSED_PIPE: Final = 141
MAX_BYTES: Final = 32_000_000
"""The largest file to read: more than the largest board needs."""

P = ParamSpec("P")
T = TypeVar("T")


class CommandError(MinewrightError):
    """One line about something the user must fix or know, with its exit code."""

    def __init__(self, message: str, code: int = MISTAKE) -> None:
        super().__init__(message)
        self.code = code


def complain(message: str, code: int) -> int:
    """Write a message to standard error as one line, whatever it contains; return the code."""
    if sys.stderr is not None:
        # The terminal may be gone.
        with suppress(OSError):
            print(f"minewright: {one_line(message)}", file=sys.stderr, flush=True)
    return code


def write(text: str) -> None:
    """Write the answer to standard output and flush it, so that a failure shows here."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        raise no_output(error) from None


def write_bytes(content: bytes) -> None:
    """Write a file's content to standard output."""
    try:
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
    except OSError as error:
        raise no_output(error) from None


def no_output(error: OSError, what: str = "standard output") -> Exception:
    """Return how to end when standard output takes no more.

    It is fine if the reader has gone; any other failure is reported.
    """
    # Python must not try to write the rest again at exit.
    with suppress(UnsupportedOperation):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return typer.Exit(CLOSED_PIPE)
    return CommandError(f"{what}: {error.strerror}")


def in_one_line(command: Callable[P, T]) -> Callable[P, T]:
    """Return a command that ends with one line when it is interrupted.

    Without it, typer would end the process without a word.
    """

    @wraps(command)
    def run(*args: P.args, **options: P.kwargs) -> T:
        try:
            return command(*args, **options)
        except KeyboardInterrupt:
            raise CommandError("interrupted", INTERRUPTED) from None

    return run


@contextmanager
def unbroken() -> Iterator[None]:
    """Delay an interrupt until the block is done, so that everything shown is also counted."""
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


@contextmanager
def ended_gently() -> Iterator[None]:
    """Let a request to end the process, or a closed terminal, end the block as Ctrl-C does.

    Signals that are already ignored, as under `nohup`, stay ignored.
    """
    if current_thread() is not main_thread():
        yield
        return

    def interrupt(number: int, _: object) -> None:
        raise KeyboardInterrupt

    numbers = [getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")]
    changed = [
        number for number in numbers if number and signal.getsignal(number) is signal.SIG_DFL
    ]
    for number in changed:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)


def read(file: str, name: str) -> bytes:
    """Read a file, or standard input for -. Raise CommandError if that fails or it is too large."""
    mend = "name a file that can be read, or - for standard input"
    name = name or "''"
    try:
        if file != "-":
            with open(file, "rb") as source:
                data = source.read(MAX_BYTES + 1)
        elif sys.stdin is None:
            raise CommandError("standard input is closed; name a file that can be read")
        else:
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise CommandError(f"{name}: no such file; {mend}") from None
    except IsADirectoryError:
        raise CommandError(f"{name}: this is a directory; {mend}") from None
    except OSError as error:
        mend = mend if file != "-" else "name a file"
        raise CommandError(f"{name}: cannot be read ({error.strerror}); {mend}") from None
    except ValueError as error:
        raise CommandError(f"{name}: cannot be read ({error}); {mend}") from None
    if len(data) > MAX_BYTES:
        raise CommandError(f"{name}: more than {MAX_BYTES // 10**6} MB, which is too large")
    return data


def in_json(data: object) -> str:
    """Return data as one line of JSON."""
    from json import dumps

    return f"{dumps(data, allow_nan=False)}\n"


def file_of(given: str) -> str:
    """Return the name of a file to write, which an option gives."""
    if given == "-":
        raise typer.BadParameter("'-' stands for no file here; name one to write.")
    return given


class _Target(FileIO):
    """A file that an option names; if it takes no more, the complaint says so."""

    def __init__(self, file: Path, failed: Callable[[OSError], CommandError]) -> None:
        super().__init__(file, "wb")
        self._failed = failed

    def write(self, data: "ReadableBuffer") -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise self._failed(error) from None

    def close(self) -> None:
        """Close it. Some systems report only now that there was no room."""
        try:
            super().close()
        except OSError as error:
            raise self._failed(error) from None


@contextmanager
def whole_file(option: str, file: str) -> Iterator[BinaryIO]:
    """Yield a file to write; it takes the name that an option gives once it is complete.

    If the block fails or is interrupted, nothing is left behind, and an older file of that name
    stays as it was. Raise CommandError if the file cannot be written; other failures in the block
    are passed on.
    """

    def failed(error: OSError) -> CommandError:
        return CommandError(f"{option} {shown}: cannot be written ({error.strerror})")

    shown = file or "''"
    path = Path(file)
    try:
        # A device or a pipe keeps its name: what is written goes right through it.
        through = path.exists() and not path.is_file()
        if not through:
            # A link is kept, and the file that it leads to is written. Devices and pipes are not
            # resolved: /dev/stdout may lead to a pipe, whose name cannot be opened.
            path = Path(os.path.realpath(file))
        # This name is short, since the file's own name may already have the greatest length
        # allowed.
        aside = f".minewright.{os.getpid()}.{os.urandom(4).hex()}"
        target = path if through else path.with_name(aside)
        raw = _Target(target, failed)
    except OSError as error:
        raise failed(error) from None
    try:
        with BufferedWriter(raw) as stream:
            yield stream
        if not through:
            try:
                os.replace(target, path)
            except OSError as error:
                raise failed(error) from None
    finally:
        if not through:
            # If this fails too, the first failure is the one to report.
            with suppress(OSError):
                target.unlink(missing_ok=True)


def write_file(option: str, file: str, content: bytes) -> None:
    """Write a file that an option names. Raise CommandError if that fails."""
    with whole_file(option, file) as stream:
        stream.write(content)
