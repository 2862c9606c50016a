"""The store: the rows of finished tasks, in a directory that may be left at any moment.

Rows are kept in Parquet files, the shards. A shard holds whole tasks, is there whole or not at
all, and has its checksum in its name: 000001.89abcdef.parquet. Which tasks are done is read from
the shards alone, so nothing is lost and nothing counts twice, however the work ended.
"""

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, Generic, TypeVar
from zlib import crc32

from minewright.lab.files import remove_halves, write_whole

if TYPE_CHECKING:
    import polars as pl

T = TypeVar("T")

SHARDS: Final = "shards"
SHARD: Final = re.compile(r"([0-9]{6,18})(?:\.([0-9a-f]{8}))?\.parquet")
"""The name of a shard: its number, and its checksum, which version 0.1.0 did not write."""
SHARD_ROWS: Final = 100_000
SHARD_SECONDS: Final = 5.0
"""Rows are written when there are this many or this time has passed: a crash costs no more."""


class Store(ABC, Generic[T]):
    """The results of tasks, each as rows with the number of its task in the column `task`."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.on_write: Callable[[], None] = lambda: None
        """Called after rows have been written."""
        self._held: list[tuple[int, T]] = []
        self._rows = 0
        self._number = 0
        self._last = monotonic()

    @abstractmethod
    def schema(self) -> "pl.Schema":
        """Return the columns of a shard."""

    @abstractmethod
    def frame(self, results: Sequence[tuple[int, T]]) -> "pl.DataFrame":
        """Return the rows of these tasks."""

    def owns(self, frame: "pl.DataFrame") -> bool:
        """Return True if these can be rows of this work: no other work's, none twice."""
        return True

    # Reading

    def shards(self) -> list[Path]:
        """Return the shards, oldest first; files with other names do not count."""
        try:
            names = sorted(os.listdir(self.directory / SHARDS))
        except FileNotFoundError:
            return []
        found = [self.directory / SHARDS / name for name in names if SHARD.fullmatch(name)]
        # A pipe or a device may have such a name, and reading it would never end.
        return [path for path in found if path.is_file()]

    def damaged(self) -> list[Path]:
        """Return the shards that do not hold what was written, or rows of other work."""
        # Listed first: a shard that is written meanwhile is not a damaged one.
        shards = self.shards()
        read = {path for path, _ in self.read()}
        return [path for path in shards if path not in read]

    def rows(self) -> "pl.DataFrame":
        """Return all rows."""
        import polars as pl

        frames = [frame for _, frame in self.read()]
        return pl.concat([pl.DataFrame(schema=self.schema()), *frames])

    def done(self) -> frozenset[int]:
        """Return the numbers of the tasks whose rows are there."""
        found: set[int] = set()
        for _, frame in self.read():
            found.update(frame["task"].unique().to_list())
        return frozenset(found)

    def read(self) -> Iterator[tuple[Path, "pl.DataFrame"]]:
        """Yield the sound shards with their rows; the tasks of a broken one are not done.

        Raise OSError for one that cannot be read: its rows are not lost.
        """
        import polars as pl

        seen: set[int] = set()
        schema = self.schema()
        for path in self.shards():
            try:
                content = path.read_bytes()
            except FileNotFoundError:
                # Another process has just set it aside.
                continue
            try:
                if not _sound(path, content):
                    continue
                frame = pl.read_parquet(BytesIO(content)).select(list(schema)).cast(schema)
                if any(column.null_count() for column in frame) or not self.owns(frame):
                    continue
            # The library panics at some foreign files; that is no reason to stop.
            except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
                continue
            tasks = set(frame["task"].unique().to_list())
            if tasks & seen:
                # The shard was copied: each task counts once.
                frame = frame.filter(~frame["task"].is_in(sorted(seen)))
            seen |= tasks
            yield path, frame

    # Writing, in a `with` statement, while the directory is locked

    def __enter__(self) -> None:
        """Set aside shards that are damaged, and remove half-written files."""
        # Whoever copies a run may lose an empty directory.
        (self.directory / SHARDS).mkdir(exist_ok=True)
        for path in self.damaged():
            path.rename(path.with_suffix(".broken"))
        for place in (self.directory, self.directory / SHARDS):
            remove_halves(place)

    def __exit__(self, *_: object) -> None:
        """Write what has been kept, however the work ended."""
        self.flush()

    def keep(self, task: int, result: T, rows: int) -> None:
        """Keep the result of a task, which has this many rows."""
        self._held.append((task, result))
        self._rows += rows
        if self._rows >= SHARD_ROWS or monotonic() - self._last >= SHARD_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what has been kept since the last time."""
        self._last = monotonic()
        if self._held:
            content = BytesIO()
            # The least compression: files are a quarter larger, but more would slow down native
            # players.
            frame = self.frame(self._held)
            frame.write_parquet(content, compression_level=1, statistics=False)
            data = content.getvalue()
            number = self._number or self._free_number()
            write_whole(self.directory / SHARDS / f"{number:06}.{crc32(data):08x}.parquet", data)
            # An interrupt before this line only writes the same shard again.
            self._held, self._rows, self._number = [], 0, number + 1
        self.on_write()

    def _free_number(self) -> int:
        """Return the number of the next shard; it is kept, so that a retry uses the same one."""
        shards = self.shards()
        self._number = 1 + (int(shards[-1].name.split(".")[0]) if shards else 0)
        return self._number


def _sound(path: Path, content: bytes) -> bool:
    """Return True if a shard has the content that was written, as far as one can tell."""
    named = SHARD.fullmatch(path.name)
    return named is not None and named[2] in (None, f"{crc32(content):08x}")
