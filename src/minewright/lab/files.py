"""Files that exist whole or not at all, and directories that one process holds."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import get_ident
from typing import Final

from minewright.errors import MinewrightError

if sys.platform != "win32":
    import fcntl

LOCK: Final = ".lock"
MAX_BYTES: Final = 8 << 20
"""The largest file that describes a run; files of rows may be larger."""


class StoreError(MinewrightError, ValueError):
    """A directory that cannot take this work, in one line."""


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that nobody ever sees half of it."""
    data = content.encode() if isinstance(content, str) else content
    aside = path.with_name(f".{path.name}.{os.getpid()}.{get_ident()}")
    try:
        with aside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError as error:
        # A failed write does not name its file, and the temporary name would tell nobody anything.
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        # If this fails too, the first failure is the one to report.
        with suppress(OSError):
            aside.unlink()


def remove_halves(directory: Path) -> None:
    """Remove what `write_whole` left behind in a process that was killed."""
    for path in directory.glob(".*.*.*.*"):
        path.unlink(missing_ok=True)


def read_small(path: Path) -> bytes:
    """Read a file that describes a run. Raise StoreError if it is not a file, or too large."""
    if not path.is_file():
        raise StoreError(f"{path.name} is not there")
    return read_bounded(path)


def read_bounded(path: Path) -> bytes:
    """Read a file, a pipe or a device. Raise StoreError if it holds too much."""
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise StoreError(f"{path.name} is larger than {MAX_BYTES >> 20} MB")
    return data


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Hold a directory for this process alone. Raise StoreError if another one holds it."""
    path = directory / LOCK
    if path.exists() and not path.is_file():
        # Opening a pipe would wait until somebody reads from it.
        raise StoreError(f"{path} is not a file; remove it")
    with path.open("w") as lock:
        if sys.platform != "win32":
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise StoreError(
                    f"{directory} is being played by another process; wait for it or stop it"
                ) from None
        yield
