"""A run of an experiment in a directory, which may end at any moment and continue later.

    experiment.json    the definition
    about.json         versions, machine, when it began
    progress.json      how far it is, for anyone who looks
    shards/*.parquet   the rows, one per game, as the store keeps them

A directory is data: reading it executes nothing that it contains. The rows depend only on the
experiment, not on who played them or where, except for processor times and for games that a time
limit ends.
"""

import json
import os
import platform
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from time import monotonic, strftime
from typing import TYPE_CHECKING, Final

from minewright.lab.experiment import Arm, Batch, Duel, Experiment, ExperimentError
from minewright.lab.files import MAX_BYTES, StoreError, locked, read_small, write_whole
from minewright.lab.games import OUTCOMES, Measure, PlayError, Rows, own_version, play_games
from minewright.lab.sequential import DuelVerdict, Match
from minewright.lab.source import adopt, adopted
from minewright.lab.store import SHARDS, Store
from minewright.messages import why_not_json
from minewright.work.crew import Crew
from minewright.work.executors import OpenWorkers
from minewright.work.losses import WorkersLost
from minewright.work.progress import Progress, Quiet
from minewright.work.tasks import Task

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

DEFINITION: Final = "experiment.json"
ABOUT: Final = "about.json"
PROGRESS: Final = "progress.json"

NUMBERS: Final = ("guesses", "cleared", "found", "blunder", "gave_up", "cpu_seconds", "signature")
"""Columns that come with the games, besides the outcome."""
NAMES: Final = ("board", "topology", "start", "strategy", "guesser", "first")
"""Columns that hold the names of the arm."""


class RunError(StoreError):
    """One line: the directory is not a run, holds another or is in use, or play has failed."""


class Run:
    """A run directory: what is to be played, and what has been."""

    def __init__(self, directory: Path, experiment: Experiment) -> None:
        self.directory = directory
        self.experiment = experiment
        self.version = own_version()
        """The version of Minewright that began it: rows of two versions do not mix."""
        self._store = _GameStore(directory, experiment)

    @classmethod
    def create(cls, directory: Path, experiment: Experiment) -> "Run":
        """Make the directory for this experiment, or find it there.

        Raise RunError if the directory holds another experiment, and ExperimentError if this one
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
        if directory.exists() and any(map(_is_foreign, directory.iterdir())):
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
        """Return the run in a directory. Raise RunError if there is none that can be read.

        Nothing that the directory contains is executed.
        """
        if not directory.exists():
            raise RunError(f"{directory}: no such directory")
        if not (directory / DEFINITION).is_file():
            raise RunError(f"{directory} holds no run: it has no {DEFINITION}")
        try:
            run = cls(directory, Experiment.read(read_small(directory / DEFINITION)))
            about = json.loads(read_small(directory / ABOUT))
        except ExperimentError as error:
            raise RunError(f"{directory / DEFINITION}: {error}") from None
        except (OSError, RecursionError, ValueError) as error:
            raise RunError(f"{directory}: the run cannot be read ({why_not_json(error)})") from None
        if not isinstance(about, dict):
            raise RunError(f"{directory}: the run cannot be read ({ABOUT} is not a table)")
        run.version = str(about.get("minewright"))
        return run

    # What is there

    def shards(self) -> list[Path]:
        """Return the files of rows, oldest first."""
        return self._store.shards()

    def damaged(self) -> list[Path]:
        """Return the files of rows that cannot be used: their games count as not played."""
        return self._store.damaged()

    def rows(self) -> "pl.DataFrame":
        """Return all rows so far, in order of arm and game."""
        return self._store.rows().sort("arm", "stream")

    @property
    def complete(self) -> bool:
        """Whether all games that the experiment asks for have been played."""
        if self.verdict() is not None:
            return True
        played = sum(frame.height for _, frame in self._store.read())
        return played == self.experiment.games * len(self.experiment.arms)

    def verdict(self) -> DuelVerdict | None:
        """Return what the duel has shown; None if it is undecided, or there is no duel."""
        duel = self.experiment.duel
        return None if duel is None else self._match(duel).verdict

    def _match(self, duel: Duel) -> Match:
        """Return the duel as far as it has been played."""
        match = Match(duel, self.experiment.games)
        for _, frame in self._store.read():
            for (arm,), own in frame.group_by("arm"):
                match.hear(int(str(arm)), own["stream"], own["outcome"] == "won")
        return match

    # Playing

    def check(self) -> None:
        """Raise RunError or ExperimentError if this process cannot play it."""
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

    def play(self, workers: OpenWorkers, *, progress: Progress | None = None) -> None:
        """Play what has not been played yet.

        Raise what `check` raises, StoreError if another process plays this run, RunError if a
        strategy fails, and WorkersLost if workers keep dying. An interrupt keeps what is done.
        """
        self.check()
        progress = progress or Quiet()
        duel, store = self.experiment.duel, self._store
        every = list(self.experiment.batches())
        store.batches = {batch.number: batch for batch in every}
        with locked(self.directory), _in_one_line(), store:
            done = store.done()
            batches = [batch for batch in every if batch.number not in done]
            match = self._match(duel) if duel else None
            total = self.experiment.games * len(self.experiment.arms)
            before = total - sum(batch.games for batch in batches)
            diary = _Diary(self.directory, total, before, match)
            store.on_write = diary.write
            if not batches:
                return
            with Crew(workers) as crew:
                progress.begin(total, before)
                for part in _rounds(batches, match):
                    for task, rows in crew.perform(map(self._task, part), progress):
                        batch = store.batches[task.number]
                        diary.played += batch.games
                        if match is not None:
                            won = (rows["outcome"] == OUTCOMES.index("won")).tolist()
                            match.hear(batch.arm, batch.streams, won)
                        store.keep(task.number, rows, batch.games)

    def _task(self, batch: Batch) -> Task[Rows]:
        experiment = self.experiment
        return Task(
            batch.number,
            batch.games,
            play_batch,
            (
                own_version(),
                experiment.source,
                experiment.arms[batch.arm],
                experiment.seed,
                batch.first,
                batch.games,
                experiment.timeout,
                experiment.measure,
            ),
        )


@contextmanager
def _in_one_line() -> Iterator[None]:
    """Turn what may go wrong in play into a RunError, or say of lost workers what they leave."""
    try:
        yield
    except PlayError as error:
        raise RunError(str(error)) from error
    except WorkersLost as error:
        raise WorkersLost(f"{error}; what is done is kept") from None


def _rounds(batches: Sequence[Batch], match: Match | None) -> Iterator[Iterable[Batch]]:
    """Yield what to play next, until everything is played or the duel is decided."""
    if match is None:
        yield batches
        return
    for _, part in groupby(batches, key=lambda batch: batch.first // match.duel.round):
        if match.verdict is not None:
            return
        yield part


def play_batch(
    version: str,
    source: str,
    arm: Arm,
    seed: int,
    first: int,
    games: int,
    timeout: float | None,
    measure: Measure = "wins",
) -> Rows:
    """Play a batch in any process. Raise PlayError if that process has another version."""
    if version != own_version():
        raise PlayError(
            f"a worker has Minewright {own_version()}, this run is of {version}; install the same "
            "version everywhere"
        )
    adopt(source)
    return play_games(arm, seed, first, games, timeout, measure=measure)


class _GameStore(Store[Rows]):
    """Rows of games, with the names of their arms."""

    def __init__(self, directory: Path, experiment: Experiment) -> None:
        super().__init__(directory)
        self._experiment = experiment
        self.batches: dict[int, Batch] = {}
        """The batches by their numbers, if the run is played; they depend on what its arms are."""

    def schema(self) -> "pl.Schema":
        """Return the columns."""
        import polars as pl

        # Other experiments keep the columns that they always had.
        measured: dict[str, pl.DataType] = {}
        if self._experiment.measure == "safety":
            measured["safety"] = pl.Float64()
        return pl.Schema(
            {
                "task": pl.UInt32(),
                "arm": pl.UInt16(),
                "board": pl.String(),
                "topology": pl.String(),
                "start": pl.String(),
                "strategy": pl.String(),
                "guesser": pl.String(),
                "first": pl.String(),
                "seed": pl.UInt64(),
                "stream": pl.UInt32(),
                "outcome": pl.String(),
                "guesses": pl.UInt32(),
                "cleared": pl.UInt32(),
                "found": pl.UInt32(),
                "blunder": pl.Boolean(),
                "gave_up": pl.UInt32(),
                "cpu_seconds": pl.Float64(),
                "signature": pl.UInt64(),
                "version": pl.String(),
            }
            | measured
        )

    def owns(self, frame: "pl.DataFrame") -> bool:
        """Return True if all rows are games of this experiment, each there once."""
        mine = self._experiment
        seed, arms, last = mine.seed, mine.arms, mine.begin + mine.games - 1
        return (
            frame["stream"].is_between(mine.begin, last).all()
            and frame["outcome"].is_in(OUTCOMES).all()
            and not frame.select("arm", "stream").is_duplicated().any()
            and all(
                at < len(arms)
                and own == seed
                and names == [getattr(arms[at], name) for name in NAMES]
                for at, own, *names in frame.select("arm", "seed", *NAMES).unique().iter_rows()
            )
            and (not self.batches or self._whole(frame))
        )

    def _whole(self, frame: "pl.DataFrame") -> bool:
        """Return True if every batch has all its games, and no others."""
        import polars as pl

        streams = pl.col("stream")
        found = frame.group_by("task", "arm").agg(streams.min(), streams.len().alias("games"))
        return all(self.batches.get(task) == Batch(task, *has) for task, *has in found.iter_rows())

    def frame(self, results: Sequence[tuple[int, Rows]]) -> "pl.DataFrame":
        """Return the rows of these batches."""
        import numpy as np
        import polars as pl

        schema = self.schema()
        numbers, rows = zip(*results, strict=True)
        batches = [self.batches[number] for number in numbers]
        games = [batch.games for batch in batches]
        owners = np.repeat(np.array([batch.arm for batch in batches], np.uint16), games)
        kept = [*NUMBERS, *(["safety"] if "safety" in schema else [])]
        columns = {name: np.concatenate([part[name] for part in rows]) for name in kept}
        outcome = np.concatenate([part["outcome"] for part in rows])
        streams = [
            np.arange(batch.first, batch.first + batch.games, dtype=np.uint32) for batch in batches
        ]
        numbered = {
            "task": np.repeat(np.array(numbers, np.uint32), games),
            "arm": owners,
            "seed": np.full(len(owners), self._experiment.seed, np.uint64),
            "stream": np.concatenate(streams),
        }

        # Each name is written once; the rows hold its number.
        def named(names: Sequence[str], which: "NDArray[np.unsignedinteger]") -> pl.Series:
            return pl.Series(names, dtype=pl.Enum(list(dict.fromkeys(names)))).gather(which)

        words = {
            name: named([getattr(arm, name) for arm in self._experiment.arms], owners)
            for name in NAMES
        }
        words["outcome"] = named(OUTCOMES, outcome)
        words["version"] = named([own_version()], np.zeros_like(owners))
        types = {name: kind for name, kind in schema.items() if name not in words}
        frame = pl.DataFrame(numbered | columns | words, schema_overrides=types)
        return frame.select(list(schema))


class _Diary:
    """Writes how far a run is to its progress file."""

    def __init__(self, directory: Path, total: int, before: int, match: Match | None) -> None:
        self._path = directory / PROGRESS
        self._total = total
        self._before = before
        self._match = match
        self._began = monotonic()
        self.played = 0
        """Games played since this process took over."""

    def write(self) -> None:
        """Write the file; a full disk is reported by the next shard."""
        seconds = monotonic() - self._began
        about = {
            "games": self._total,
            "played": self._before + self.played,
            "games_per_second": round(self.played / seconds, 1) if seconds else 0.0,
            "decided": self._match is not None and self._match.verdict is not None,
            "at": strftime("%Y-%m-%dT%H:%M:%S%z"),
        }
        with suppress(OSError):
            write_whole(self._path, json.dumps(about) + "\n")


def _is_foreign(path: Path) -> bool:
    """Return True if a run killed in its first moments could not have left this."""
    if path.name == SHARDS:
        return not path.is_dir() or any(path.iterdir())
    return path.name != ABOUT and not path.name.startswith((f".{ABOUT}.", f".{DEFINITION}."))
