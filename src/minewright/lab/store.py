"""Work in pieces, each kept when it is done, so that a run may end at any moment and go on later.

A piece is a few rows of numbers. Its file is written aside and renamed, so it is there whole or
not at all; its name says which piece it is, so that none is lost and none counts twice. Rows depend
on nothing but the piece: any number of workers gives the same.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, get_ident
from typing import Final, Protocol

from minewright.errors import MinewrightError

if sys.platform != "win32":
    import fcntl

Row = tuple[float, ...]
Definition = Mapping[str, str | int]

DEFINITION: Final = "run.json"
PIECES: Final = "pieces"
LOCK: Final = ".lock"
MAX_BYTES: Final = 8 << 20
"""Of a file that says what a run is; rows may have more."""


class StoreError(MinewrightError, ValueError):
    """A directory that cannot take this run, in one line."""


class Progress(Protocol):
    """Somebody who wants to know how far the work is, in units of effort."""

    def begin(self, effort: float, done: float) -> None:
        """Hear how much there is to do, and how much of it an earlier run has done."""

    def advance(self, effort: float) -> None:
        """Hear that some more is done; any thread may call."""


class Quiet:
    """Progress that nobody watches."""

    def begin(self, effort: float, done: float) -> None:
        """Say nothing."""

    def advance(self, effort: float) -> None:
        """Say nothing."""


@dataclass(frozen=True, slots=True)
class Piece:
    """So many rows, each made by `work` from its number; the effort is only for progress."""

    name: str
    rows: int
    effort: float
    work: Callable[[int], Row]


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
        # A failed write names no file by itself, and nobody knows the one aside.
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        # If this fails too, the first failure is the one to tell.
        with suppress(OSError):
            aside.unlink()


def read_small(path: Path) -> bytes:
    """Read a file that says what a run is; StoreError if it is no file, or far too large."""
    if not path.is_file():
        raise StoreError(f"{path.name} is not there")
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise StoreError(f"{path.name} is larger than {MAX_BYTES >> 20} MB")
    return data


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Hold a directory for this process alone; StoreError if another one holds it."""
    with (directory / LOCK).open("w") as lock:
        if sys.platform != "win32":
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise StoreError(
                    f"{directory} is being played by another process; wait for it or stop it"
                ) from None
        yield


def claim(directory: Path, definition: Definition) -> None:
    """Make the directory for this run, or find it there; StoreError if it holds another run."""
    path = directory / DEFINITION
    wanted = {"run": dict(definition)}
    try:
        found: object = json.loads(path.read_bytes())
    except FileNotFoundError:
        (directory / PIECES).mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(wanted, indent=2) + "\n")
        return
    except ValueError:
        found = None
    if found != wanted:
        other = found.get("run") if isinstance(found, dict) else None
        raise StoreError(
            f"{directory} holds another run ({_words(other)}), this one is {_words(definition)}; "
            "choose another --out, or remove that directory"
        )


def _words(definition: object) -> str:
    if not isinstance(definition, Mapping):
        return f"its {DEFINITION} cannot be read"
    return ", ".join(f"{name} {value}" for name, value in definition.items())


def complete(
    directory: Path, pieces: Sequence[Piece], workers: int, progress: Progress
) -> list[list[Row]]:
    """Do the pieces that are not there yet, and return the rows of all, in order.

    Raises StoreError if another process is at it.
    """
    with locked(directory):
        return _complete(directory, pieces, workers, progress)


def _complete(
    directory: Path, pieces: Sequence[Piece], workers: int, progress: Progress
) -> list[list[Row]]:
    places = [directory / PIECES / f"{piece.name}.json" for piece in pieces]
    found = [_read(place, piece.rows) for place, piece in zip(places, pieces, strict=True)]
    done = sum(piece.effort for piece, rows in zip(pieces, found, strict=True) if rows)
    progress.begin(sum(piece.effort for piece in pieces), done)
    stopped = Event()

    def do(at: int) -> None:
        rows: list[Row] = []
        for number in range(pieces[at].rows):
            if stopped.is_set():
                return
            rows.append(pieces[at].work(number))
            progress.advance(pieces[at].effort / pieces[at].rows)
        write_whole(places[at], json.dumps(rows))
        found[at] = rows

    # Threads: the kernel works without Python's lock.
    pool = ThreadPoolExecutor(workers)
    try:
        pending = {pool.submit(do, at) for at, rows in enumerate(found) if rows is None}
        while pending:
            # Some systems hear an interrupt only between two waits.
            ended, pending = wait(pending, timeout=0.5, return_when=FIRST_EXCEPTION)
            for future in ended:
                future.result()
    finally:
        stopped.set()
        pool.shutdown(cancel_futures=True)
    return [rows for rows in found if rows is not None]


def _read(path: Path, rows: int) -> list[Row] | None:
    """Read the rows of a piece; None if it is not there, or not whole: then it is done again."""
    try:
        content = json.loads(path.read_bytes())
    except (FileNotFoundError, RecursionError, ValueError):
        return None
    if not isinstance(content, list) or len(content) != rows or not all(map(_is_row, content)):
        return None
    return [tuple(row) for row in content]


def _is_row(data: object) -> bool:
    return isinstance(data, list) and all(isinstance(value, int | float) for value in data)
