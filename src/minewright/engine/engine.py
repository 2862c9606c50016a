"""The engine: reads queries, does the most urgent first, and writes one answer for each."""

import heapq
import json
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Condition, Thread
from time import monotonic
from typing import BinaryIO, Final

from minewright.engine.actions import ACTIONS, Work
from minewright.engine.queries import MAX_LINE, Id, Query, QueryError, read_query

MAX_WAITING: Final = 1_000
"""Queries that may wait; no more are read until one of them is answered."""
MAX_WAITING_BYTES: Final = 64_000_000
MAX_PAUSE: Final = 3600.0
"""The most seconds between two lines about the progress of a query."""


@dataclass(eq=False, slots=True)
class _Job:
    """A query that has no answer yet."""

    arrival: int
    query: Query
    size: int
    work: Work | None = None
    pause: float | None = None
    told: float = 0.0


class Engine:
    """Answers the queries of one stream on another.

    A thread of its own reads, so that a cancel is heard while work is done. Every query gets
    exactly one line with a result or an error; lines about progress may come before it.
    """

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        self._source, self._target = source, target
        self._changed = Condition()
        self._heap: list[tuple[int, int, _Job]] = []
        """What is to be done: the highest priority first, then in order of arrival."""
        self._open: dict[Id, _Job] = {}
        self._bytes = 0
        self._ended = False
        self._lost: OSError | None = None

    def run(self) -> None:
        """Answer everything until the stream of queries ends.

        Raise OSError if a stream fails: BrokenPipeError if nobody reads the answers any more.
        """
        reader = Thread(target=self._read, name="engine-reader", daemon=True)
        reader.start()
        while (job := self._next()) is not None:
            self._step(job)
        if self._lost is not None:
            raise self._lost

    def _read(self) -> None:
        try:
            for arrival, line in enumerate(_lines(self._source)):
                self._hear(arrival, line)
        except OSError as error:
            # One of the streams is gone, and with it every further query.
            self._lost = error
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def _hear(self, arrival: int, line: bytes) -> None:
        found = read_query(line) if len(line) <= MAX_LINE else (None, _too_long())
        if isinstance(found, tuple):
            self._write(found[0], "error", json.dumps(found[1].as_data()))
        elif found.action == "cancel":
            self._cancel(found)
        else:
            self._enter(_Job(arrival, found, len(line)))

    def _enter(self, job: _Job) -> None:
        query = job.query
        wrong = None
        if query.action not in ACTIONS:
            known = ", ".join([*ACTIONS, "cancel"])
            wrong = QueryError("bad-query", f"there is no such action; known are {known}", "action")
        elif query.id in self._open:
            wrong = QueryError("bad-query", "a query with this id is still waiting", "id")
        if wrong is not None:
            self._write(query.id, "error", json.dumps(wrong.as_data()))
            return
        with self._changed:
            while self._heap and (
                len(self._open) >= MAX_WAITING or self._bytes + job.size > MAX_WAITING_BYTES
            ):
                self._changed.wait()
            self._open[query.id] = job
            self._bytes += job.size
            self._push(job)
            self._changed.notify_all()

    def _push(self, job: _Job) -> None:
        # No two arrivals are equal, so that jobs themselves are never compared.
        heapq.heappush(self._heap, (-job.query.priority, job.arrival, job))

    def _cancel(self, query: Query) -> None:
        """Cancel a query, several, or all; those that have an answer already are left out."""
        try:
            query.allow("of")
            of = query.fields.get("of")
            asked = of if isinstance(of, list) else list(self._open) if of is None else [of]
            ids = [each for each in asked if isinstance(each, str) or type(each) is int]
            ended = [each for each in dict.fromkeys(ids) if self._finish(each)]
        except QueryError as error:
            self._write(query.id, "error", json.dumps(error.as_data()))
            return
        for each in ended:
            self._write(each, "error", '{"code": "cancelled", "message": "cancelled as asked"}')
        self._write(query.id, "result", json.dumps({"cancelled": ended}))

    def _next(self) -> _Job | None:
        """Return the most urgent job, or None once all are done and no more can come."""
        with self._changed:
            while True:
                while self._heap:
                    *_, job = heapq.heappop(self._heap)
                    if self._open.get(job.query.id) is job:
                        return job
                if self._ended:
                    return None
                self._changed.wait()

    def _step(self, job: _Job) -> None:
        """Do the next piece of a job, and put it back unless it is done."""
        query = job.query
        try:
            if job.work is None:
                job.pause = (
                    query.number("progress", 0.0, MAX_PAUSE, 0.0) if "progress" in query else None
                )
                job.told = monotonic()
                job.work = ACTIONS[query.action](query)
            done, total = next(job.work)
        except StopIteration as end:
            kind, text = "result", str(end.value)
        except QueryError as error:
            kind, text = "error", json.dumps(error.as_data())
        except Exception as error:
            # Whatever went wrong with one query, the others get their answers.
            what = {"code": "internal", "message": f"{type(error).__name__}: {error}"}
            kind, text = "error", json.dumps(what)
        else:
            if job.pause is not None and monotonic() - job.told >= job.pause and done < total:
                job.told = monotonic()
                self._write(query.id, "progress", json.dumps({"done": done, "total": total}), job)
            with self._changed:
                self._push(job)
            return
        if self._finish(query.id, job):
            self._write(query.id, kind, text)

    def _finish(self, name: Id, job: _Job | None = None) -> bool:
        """Return True if the query still had no answer; the caller then writes it."""
        with self._changed:
            found = self._open.get(name)
            if found is None or (job is not None and found is not job):
                return False
            del self._open[name]
            self._bytes -= found.size
            self._changed.notify_all()
            return True

    def _write(self, name: Id | None, kind: str, text: str, job: _Job | None = None) -> None:
        """Write one line; with a job, only while it has no answer yet."""
        line = f'{{"id": {json.dumps(name)}, "{kind}": {text}}}\n'.encode()
        with self._changed:
            if job is None or self._open.get(job.query.id) is job:
                self._target.write(line)
                self._target.flush()


def _too_long() -> QueryError:
    return QueryError("bad-query", f"a line has at most {MAX_LINE:,} bytes; send less at once")


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """Yield the lines that are not empty; of one that is too long, only the beginning."""
    while line := source.readline(MAX_LINE + 1):
        rest = line
        while len(rest) > MAX_LINE and not rest.endswith(b"\n"):
            rest = source.readline(MAX_LINE + 1)
        if line.strip():
            yield line
