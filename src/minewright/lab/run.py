"""A run of an experiment in a directory, which may end at any moment and go on later.

    experiment.json    the definition
    about.json         versions, machine, when it began
    progress.json      how far it is, for whoever looks
    shards/*.parquet   rows, one per game; a shard holds whole tasks, is there whole or not at all,
                       and has its checksum in its name: 000001.89abcdef.parquet

A directory is data: reading it executes nothing that it contains. Which tasks are done is read from
the shards alone, so nothing is lost and nothing counts twice, whatever ended the run. The rows
depend on the experiment only, not on who played them or where, but for the processor time, and for
games that a time limit ends.
"""

import json
import os
import platform
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    wait,
)
from contextlib import AbstractContextManager, suppress
from importlib.metadata import version
from io import BytesIO
from itertools import groupby
from pathlib import Path
from time import monotonic, strftime
from typing import TYPE_CHECKING, Final
from zlib import crc32

from minewright.lab.executors import Cluster
from minewright.lab.experiment import Arm, Duel, Experiment, ExperimentError, Task, adopt, adopted
from minewright.lab.games import OUTCOMES, PlayError, Rows, own_version, play_games
from minewright.lab.sequential import Match, Verdict
from minewright.lab.store import (
    MAX_BYTES,
    Progress,
    Quiet,
    StoreError,
    locked,
    read_small,
    write_whole,
)

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

DEFINITION: Final = "experiment.json"
ABOUT: Final = "about.json"
PROGRESS: Final = "progress.json"
SHARDS: Final = "shards"
SHARD: Final = re.compile(r"([0-9]{6,18})(?:\.([0-9a-f]{8}))?\.parquet")
"""The name of a shard: its number and its checksum, which version 0.1.0 did not write."""

# Rows are kept after so many of them, or so many seconds: what a crash may cost.
SHARD_ROWS: Final = 100_000
SHARD_SECONDS: Final = 5.0
# How often workers may die without a single task done in between, before the run gives up.
MAX_DEATHS: Final = 3

NUMBERS: Final = (
    "guesses",
    "cleared",
    "found",
    "blunder",
    "gave_up",
    "cpu_seconds",
    "signature",
)
"""Columns that a task's rows bring with them, but for the outcome."""
NAMES: Final = ("board", "topology", "start", "strategy", "guesser", "first")
"""Columns with the names of the arm."""

OpenExecutor = Callable[[], AbstractContextManager[Executor]]


class RunError(StoreError):
    """A directory that is no run, or another's, or in use; or play that fails: in one line."""


class Run:
    """A run directory: what is to be played, and what has been."""

    def __init__(self, directory: Path, experiment: Experiment) -> None:
        self.directory = directory
        self.experiment = experiment
        self.version = own_version()
        """Of the Minewright that began it: rows of two versions do not mix."""

    @classmethod
    def create(cls, directory: Path, experiment: Experiment) -> "Run":
        """Make the directory for this experiment, or find it there.

        Raises RunError if the directory holds another experiment, and ExperimentError if this one
        cannot be played.
        """
        experiment.check()
        definition = experiment.written()
        if len(definition) > MAX_BYTES:
            raise ExperimentError(f"the definition has more than {MAX_BYTES >> 20} MB")
        path = directory / DEFINITION
        if path.exists():
            run = cls.open(directory)
            if run.experiment != experiment:
                raise RunError(
                    f"{directory} holds another experiment, {run.experiment.name!r}; choose "
                    "another directory, or remove that one"
                )
            return run
        if directory.exists() and any(map(_foreign, directory.iterdir())):
            raise RunError(f"{directory} is not empty and holds no run; choose another directory")
        (directory / SHARDS).mkdir(parents=True, exist_ok=True)
        about = {
            "minewright": own_version(),
            "python": platform.python_version(),
            "polars": version("polars"),
            "machine": f"{platform.system()} {platform.machine()}",
            "cores": os.cpu_count(),
            "began": strftime("%Y-%m-%dT%H:%M:%S%z"),
        }
        write_whole(directory / ABOUT, json.dumps(about, indent=2) + "\n")
        # Last, because a directory with a definition is a run.
        write_whole(path, definition)
        return cls(directory, experiment)

    @classmethod
    def open(cls, directory: Path) -> "Run":
        """Find the run in a directory; raises RunError if there is none that can be read.

        Nothing that the directory contains is executed.
        """
        if not (directory / DEFINITION).is_file():
            raise RunError(f"{directory} holds no run: it has no {DEFINITION}")
        try:
            run = cls(directory, Experiment.read(read_small(directory / DEFINITION)))
            about = json.loads(read_small(directory / ABOUT))
        except ExperimentError as error:
            raise RunError(f"{directory / DEFINITION}: {error}") from None
        except (OSError, RecursionError, ValueError) as error:
            raise RunError(f"{directory}: the run cannot be read ({error})") from None
        if not isinstance(about, dict):
            raise RunError(f"{directory}: the run cannot be read ({ABOUT} is no table)")
        run.version = str(about.get("minewright"))
        return run

    # What is there

    def shards(self) -> list[Path]:
        """Return the files of rows, oldest first; files with other names are none of them."""
        found = sorted((self.directory / SHARDS).glob("*.parquet"))
        return [path for path in found if SHARD.fullmatch(path.name)]

    def rows(self) -> "pl.DataFrame":
        """Give all rows so far, in order of arm and game, with the names of their arms."""
        import polars as pl

        empty = self._empty()
        return pl.concat([empty, *(frame for _, frame in self._read())]).sort("arm", "stream")

    def done(self) -> frozenset[int]:
        """Give the tasks whose rows are there."""
        found: set[int] = set()
        for _, frame in self._read():
            found.update(frame["task"].unique().to_list())
        return frozenset(found)

    def _read(self) -> Iterator[tuple[Path, "pl.DataFrame"]]:
        """Read the shards; a disk may break what was whole: its tasks are not done then."""
        import polars as pl

        seen: set[int] = set()
        schema = self._empty().schema
        for path in self.shards():
            try:
                content = path.read_bytes()
                if not _sound(path, content):
                    continue
                frame = pl.read_parquet(BytesIO(content)).select(list(schema)).cast(schema)
                if not self._owns(frame):
                    continue
            # A panic is nobody's to handle, says the library; but the file need not be ours.
            except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
                continue
            tasks = set(frame["task"].unique().to_list())
            if tasks & seen:
                # Somebody has copied a shard: a game counts once.
                frame = frame.filter(~frame["task"].is_in(sorted(seen)))
            seen |= tasks
            yield path, frame

    def _owns(self, frame: "pl.DataFrame") -> bool:
        """Return True if all rows are of this experiment, and not of another one's shard."""
        games, seed, arms = self.experiment.games, self.experiment.seed, self.experiment.arms
        return (frame["stream"] < games).all() and all(
            at < len(arms) and own == seed and names == [getattr(arms[at], name) for name in NAMES]
            for at, own, *names in frame.select("arm", "seed", *NAMES).unique().iter_rows()
        )

    @property
    def complete(self) -> bool:
        """Whether all games are played that the experiment asks for."""
        if self.verdict() is not None:
            return True
        played = sum(frame.height for _, frame in self._read())
        return played == self.experiment.games * len(self.experiment.arms)

    def verdict(self) -> Verdict | None:
        """Give what the duel has shown, None while it has not, or if there is none."""
        duel = self.experiment.duel
        if duel is None:
            return None
        return self._match(duel).verdict

    def _match(self, duel: Duel) -> Match:
        """Give the duel as far as it is played."""
        match = Match(duel, self.experiment.games)
        for _, frame in self._read():
            for (arm,), own in frame.group_by("arm"):
                match.hear(int(str(arm)), own["stream"], own["outcome"] == "won")
        return match

    # Playing

    def check(self) -> None:
        """Raise RunError or ExperimentError if it cannot be played by this process."""
        if self.version != own_version():
            raise RunError(
                f"{self.directory} was begun by version {self.version}, this is {own_version()}; "
                "rows of both do not mix, choose another directory"
            )
        if not adopted(self.experiment.source):
            raise RunError(
                f"{self.directory} was defined in Python, and what a directory contains is never "
                f"run; `minewright lab run FILE.py --out {self.directory}` with the same file goes "
                "on"
            )
        self.experiment.check()

    def play(
        self, executor: OpenExecutor, *, ahead: int = 4, progress: Progress | None = None
    ) -> None:
        """Play what is not played yet; `ahead` is how many tasks are under way at once.

        Raises what `check` raises, StoreError if another process plays this run, and RunError if
        workers die again and again, or if a strategy fails. An interrupt keeps what is done.
        """
        self.check()
        with locked(self.directory):
            self._tidy()
            done = self.done()
            tasks = [task for task in self.experiment.tasks() if task.number not in done]
            total = self.experiment.games * len(self.experiment.arms)
            left = sum(task.games for task in tasks)
            (progress or Quiet()).begin(total, total - left)
            keeper = _Keeper(self, total, total - left)
            try:
                self._play_all(tasks, executor, ahead, keeper, progress or Quiet())
            except PlayError as error:
                raise RunError(str(error)) from error
            finally:
                keeper.keep()

    def _tidy(self) -> None:
        """Put aside what cannot be read, so that it never counts; remove what was half written."""
        read = {path for path, _ in self._read()}
        for path in self.shards():
            if path not in read:
                path.rename(path.with_suffix(".broken"))
        for place in (self.directory, self.directory / SHARDS):
            for path in place.glob(".*.*.*.*"):
                path.unlink(missing_ok=True)

    def _play_all(
        self,
        tasks: Sequence[Task],
        open_executor: OpenExecutor,
        ahead: int,
        keeper: "_Keeper",
        progress: Progress,
    ) -> None:
        rounds = self._rounds(tasks, keeper)
        waiting = next(rounds, [])
        deaths = 0
        while waiting:
            before = keeper.games
            under_way: dict[Future[Rows], Task] = {}
            try:
                with open_executor() as executor:
                    while waiting:
                        self._play_round(executor, waiting, under_way, ahead, keeper, progress)
                        waiting = next(rounds, [])
            except BrokenExecutor:
                # What was done before is done.
                for future, task in under_way.items():
                    if future.done() and not future.cancelled() and not future.exception():
                        keeper.take(task, future.result())
                        progress.advance(task.games)
                    else:
                        waiting.append(task)
                deaths = deaths + 1 if keeper.games == before else 0
                if deaths >= MAX_DEATHS:
                    raise RunError(
                        "the workers keep dying (killed, or out of memory); what is done is kept, "
                        "try fewer workers"
                    ) from None

    def _rounds(self, tasks: Sequence[Task], keeper: "_Keeper") -> Iterator[list[Task]]:
        """Give the tasks to do next, the first one last, until all is done or decided."""
        duel = self.experiment.duel
        if duel is None:
            yield list(reversed(tasks))
            return
        keeper.match = self._match(duel)
        for _, part in groupby(tasks, key=lambda task: task.first // duel.round):
            if keeper.match.verdict is not None:
                return
            yield list(part)[::-1]

    def _play_round(
        self,
        executor: Executor,
        waiting: list[Task],
        under_way: dict[Future[Rows], Task],
        ahead: int,
        keeper: "_Keeper",
        progress: Progress,
    ) -> None:
        while waiting or under_way:
            if isinstance(executor, Cluster):
                ahead = executor.ahead
            while waiting and len(under_way) < ahead:
                # It leaves the list only when it is taken: a broken executor takes nothing.
                future = self._submit(executor, waiting[-1])
                under_way[future] = waiting.pop()
            # Some systems hear an interrupt only between two waits.
            ended, _ = wait(under_way, timeout=0.5, return_when=FIRST_COMPLETED)
            for future in ended:
                rows = future.result()
                task = under_way.pop(future)
                keeper.take(task, rows)
                progress.advance(task.games)

    def _submit(self, executor: Executor, task: Task) -> Future[Rows]:
        experiment = self.experiment
        return executor.submit(
            work,
            own_version(),
            experiment.source,
            experiment.arms[task.arm],
            experiment.seed,
            task.first,
            task.games,
            experiment.timeout,
        )

    def _empty(self) -> "pl.DataFrame":
        import polars as pl

        return pl.DataFrame(
            schema={
                "task": pl.UInt32,
                "arm": pl.UInt16,
                "board": pl.String,
                "topology": pl.String,
                "start": pl.String,
                "strategy": pl.String,
                "guesser": pl.String,
                "first": pl.String,
                "seed": pl.UInt64,
                "stream": pl.UInt32,
                "outcome": pl.String,
                "guesses": pl.UInt32,
                "cleared": pl.UInt32,
                "found": pl.UInt32,
                "blunder": pl.Boolean,
                "gave_up": pl.UInt32,
                "cpu_seconds": pl.Float64,
                "signature": pl.UInt64,
                "version": pl.String,
            }
        )

    def _frame(self, done: Sequence[tuple[Task, Rows]]) -> "pl.DataFrame":
        import numpy as np
        import polars as pl

        schema = self._empty().schema
        tasks, rows = zip(*done, strict=True)
        games = [task.games for task in tasks]
        owners = np.repeat(np.array([task.arm for task in tasks], np.uint16), games)
        columns = {name: np.concatenate([part[name] for part in rows]) for name in NUMBERS}
        outcome = np.concatenate([part["outcome"] for part in rows])
        streams = [
            np.arange(task.first, task.first + task.games, dtype=np.uint32) for task in tasks
        ]
        numbered = {
            "task": np.repeat(np.array([task.number for task in tasks], np.uint32), games),
            "arm": owners,
            "seed": np.full(len(owners), self.experiment.seed, np.uint64),
            "stream": np.concatenate(streams),
        }

        # Names are kept once, and in each row a number that stands for one.
        def named(names: Sequence[str], which: "NDArray[np.unsignedinteger]") -> pl.Series:
            return pl.Series(names, dtype=pl.Enum(list(dict.fromkeys(names)))).gather(which)

        words = {
            name: named([getattr(arm, name) for arm in self.experiment.arms], owners)
            for name in NAMES
        }
        words["outcome"] = named(OUTCOMES, outcome)
        words["version"] = named([own_version()], np.zeros_like(owners))
        types = {name: kind for name, kind in schema.items() if name not in words}
        frame = pl.DataFrame(numbered | columns | words, schema_overrides=types)
        return frame.select(list(schema))


class _Keeper:
    """Collects rows and keeps them in shards."""

    def __init__(self, run: Run, total: int, done: int) -> None:
        self._run = run
        self._total = total
        self._done = done
        self._tasks: list[tuple[Task, Rows]] = []
        self._held = 0
        self._last = monotonic()
        self._began = monotonic()
        shards = run.shards()
        self._number = 1 + (int(shards[-1].name.split(".")[0]) if shards else 0)
        self.games = 0
        self.match: Match | None = None

    def take(self, task: Task, rows: Rows) -> None:
        """Take the rows of a task."""
        self._tasks.append((task, rows))
        self._held += task.games
        self.games += task.games
        if self.match is not None:
            won = (rows["outcome"] == OUTCOMES.index("won")).tolist()
            self.match.hear(task.arm, range(task.first, task.first + task.games), won)
        if self._held >= SHARD_ROWS or monotonic() - self._last >= SHARD_SECONDS:
            self.keep()

    def keep(self) -> None:
        """Write what was taken."""
        self._last = monotonic()
        if self._tasks:
            content = BytesIO()
            # The least effort: larger by a quarter, but native players are as fast as all this.
            frame = self._run._frame(self._tasks)
            frame.write_parquet(content, compression_level=1, statistics=False)
            data = content.getvalue()
            path = self._run.directory / SHARDS / f"{self._number:06}.{crc32(data):08x}.parquet"
            write_whole(path, data)
            # An interrupt before this line only writes the same shard again.
            self._tasks, self._held, self._number = [], 0, self._number + 1
        seconds = monotonic() - self._began
        about = {
            "games": self._total,
            "played": self._done + self.games,
            "games_per_second": round(self.games / seconds, 1) if seconds else 0.0,
            "decided": self.match is not None and self.match.verdict is not None,
            "at": strftime("%Y-%m-%dT%H:%M:%S%z"),
        }
        # It is only for those who look: a full disk is told by the next shard.
        with suppress(OSError):
            write_whole(self._run.directory / PROGRESS, json.dumps(about) + "\n")


def _sound(path: Path, content: bytes) -> bool:
    """Return True if a shard has the content that it was written with, as far as one can tell."""
    named = SHARD.fullmatch(path.name)
    return named is not None and named[2] in (None, f"{crc32(content):08x}")


def _foreign(path: Path) -> bool:
    """Tell whether a run that was killed in its first moments would not have left this."""
    if path.name == SHARDS:
        return not path.is_dir() or any(path.iterdir())
    return path.name != ABOUT and not path.name.startswith((f".{ABOUT}.", f".{DEFINITION}."))


def work(
    version: str,
    source: str,
    arm: Arm,
    seed: int,
    first: int,
    games: int,
    timeout: float | None,
) -> Rows:
    """Do one task, in whatever process; raises PlayError if that has another version."""
    if version != own_version():
        raise PlayError(
            f"a worker has Minewright {own_version()}, this run is of {version}; install the same "
            "version everywhere"
        )
    adopt(source)
    return play_games(arm.plan(seed, timeout), first, games)
