"""Work whose results are rows of plain numbers, for reproductions that do more than play games.

    run.json           what the work is
    shards/*.parquet   the rows, as the store keeps them

Rows depend on nothing but the piece they belong to, so any number of workers makes the same rows.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from minewright.lab.files import StoreError, locked, read_small, write_whole
from minewright.lab.store import Store
from minewright.messages import one_line
from minewright.work.crew import Crew
from minewright.work.executors import processes
from minewright.work.losses import WorkersLost
from minewright.work.progress import Progress
from minewright.work.tasks import Task

if TYPE_CHECKING:
    import polars as pl

Row = tuple[float, ...]
Definition = Mapping[str, str | int]

DEFINITION: Final = "run.json"


@dataclass(frozen=True, slots=True)
class Piece:
    """Some rows, each made by `work` from its number."""

    name: str
    numbers: range
    effort: float
    """What a row costs, roughly; only the estimated time left depends on it."""
    work: Callable[[int], Row]

    @property
    def whole_effort(self) -> float:
        """What all rows cost."""
        return len(self.numbers) * self.effort

    def cut(self, size: int) -> "list[Piece]":
        """Return the same rows in pieces of at most `size`."""
        parts = (self.numbers[at : at + size] for at in range(0, len(self.numbers), size))
        return [replace(self, name=f"{self.name}-{part.start}", numbers=part) for part in parts]


def claim(directory: Path, definition: Definition) -> None:
    """Make the directory for this work, or find it. Raise StoreError if it holds other work."""
    path = directory / DEFINITION
    wanted = {"run": dict(definition)}
    if not path.exists():
        directory.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(wanted, indent=2) + "\n")
        return
    try:
        found: object = json.loads(read_small(path))
    except (RecursionError, StoreError, ValueError):
        found = None
    if found != wanted:
        other = one_line(_words(found.get("run") if isinstance(found, dict) else None))
        raise StoreError(
            f"{directory} holds another run ({other[:200]}), this one is {_words(definition)}; "
            "choose another --out, or remove that directory"
        )


def complete(
    directory: Path, pieces: Sequence[Piece], workers: int, progress: Progress
) -> list[list[Row]]:
    """Do the pieces that are missing, and return the rows of all, in order.

    Raise StoreError if another process is at work here, and WorkersLost if workers keep dying.
    """
    store = _PieceStore(directory, pieces)
    with locked(directory), store:
        done = store.done()
        missing = [
            Task(at, piece.whole_effort, _make, (piece,))
            for at, piece in enumerate(pieces)
            if at not in done
        ]
        whole = sum(piece.whole_effort for piece in pieces)
        left = sum(task.effort for task in missing)
        try:
            with Crew(partial(processes, workers if missing else 1)) as crew:
                progress.begin(whole, whole - left)
                for task, rows in crew.perform(missing, progress):
                    store.keep(task.number, rows, len(rows))
        except WorkersLost as error:
            raise WorkersLost(f"{error}; what is done is kept") from None
    return store.pieces()


def _make(piece: Piece) -> list[Row]:
    return [piece.work(number) for number in piece.numbers]


class _PieceStore(Store[list[Row]]):
    """Rows of plain numbers, which may differ in length."""

    def __init__(self, directory: Path, pieces: Sequence[Piece]) -> None:
        super().__init__(directory)
        self._pieces = pieces

    def schema(self) -> "pl.Schema":
        """Return the columns: the piece, the row's place in it, and the row."""
        import polars as pl

        return pl.Schema(
            {
                "task": pl.UInt32(),
                "piece": pl.String(),
                "number": pl.UInt32(),
                "values": pl.List(pl.Float64()),
            }
        )

    def frame(self, results: Sequence[tuple[int, list[Row]]]) -> "pl.DataFrame":
        """Return the rows of these pieces."""
        import polars as pl

        return pl.DataFrame(
            [
                (task, self._pieces[task].name, number, list(map(float, row)))
                for task, rows in results
                for number, row in enumerate(rows)
            ],
            schema=self.schema(),
            orient="row",
        )

    def owns(self, frame: "pl.DataFrame") -> bool:
        """Return True if every piece has the name and number of rows it has here, none twice."""
        import polars as pl

        lacking = frame["values"].list.eval(pl.element().is_null()).list.any().any()
        twice = frame.select("task", "number").is_duplicated().any()
        known = {(at, piece.name, len(piece.numbers)) for at, piece in enumerate(self._pieces)}
        here = frame.group_by("task", "piece").len()
        return not (lacking or twice) and known.issuperset(here.iter_rows())

    def pieces(self) -> list[list[Row]]:
        """Return the rows piece by piece."""
        found: list[list[Row]] = [[] for _ in self._pieces]
        for task, values in self.rows().sort("task", "number").select("task", "values").iter_rows():
            found[task].append(tuple(values))
        return found


def _words(definition: object) -> str:
    if not isinstance(definition, Mapping):
        return f"its {DEFINITION} cannot be read"
    return ", ".join(f"{name} {value}" for name, value in definition.items())
