"""The loop that gets tasks done, whoever does them."""

from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice, takewhile
from types import TracebackType
from typing import Final, Generic, TypeVar

from minewright.work.executors import OpenWorkers, Workers
from minewright.work.losses import WorkersLost
from minewright.work.progress import Progress, Quiet
from minewright.work.tasks import Task

T = TypeVar("T")

MAX_DEATHS: Final = 3
"""How many times in a row workers may die without finishing a task."""
PATIENCE: Final = 0.5
"""Seconds of one wait: some systems notice an interrupt only between two waits."""


@dataclass(slots=True, eq=False)
class _Job(Generic[T]):
    """A task under way; it has no future before it is submitted, nor after its worker is lost."""

    task: Task[T]
    future: Future[T] | None = None

    def forget_loss(self) -> None:
        """Have the task submitted again, unless it was finished before its worker was lost."""
        future = self.future
        if future is not None and (
            not future.done() or future.cancelled() or future.exception() is not None
        ):
            self.future = None


class Crew:
    """Workers that are replaced when they are lost.

    Use it in a `with` statement. Leaving that by an exception, such as an interrupt, ends the
    workers in the middle of their tasks.
    """

    def __init__(self, open_workers: OpenWorkers) -> None:
        self._open_workers = open_workers
        self._stack = ExitStack()
        self._workers: Workers | None = None

    def __enter__(self) -> "Crew":
        self._workers = self._stack.enter_context(self._open_workers())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._workers = None
        self._stack.__exit__(kind, error, trace)

    def perform(
        self,
        tasks: Iterable[Task[T]],
        progress: Progress | None = None,
        *,
        in_order: bool = False,
    ) -> Iterator[tuple[Task[T], T]]:
        """Yield each task with its result, as they come or in the order of the tasks.

        Tasks are taken from the iterable only as workers become free, so it may depend on the
        results so far. A lost worker costs the tasks it had: they are done again. Raise
        WorkersLost if workers keep dying, and whatever a task raises.
        """
        told = progress or Quiet()
        waiting = iter(tasks)
        jobs: list[_Job[T]] = []
        deaths, finished = 0, False
        while True:
            try:
                for job in self._unsubmitted(jobs, waiting):
                    job.future = self.workers.submit(job.task.function, *job.task.arguments)
                if not jobs:
                    return
                ended = _wait(jobs, in_order)
                if not ended:
                    told.advance(0.0)
                for job, future in ended:
                    result = future.result()
                    jobs.remove(job)
                    finished = True
                    yield job.task, result
                    told.advance(job.task.effort)
            except BrokenExecutor as error:
                for job in jobs:
                    job.forget_loss()
                finished = finished or any(job.future for job in jobs)
                deaths = 0 if finished else deaths + 1
                if deaths >= MAX_DEATHS:
                    raise WorkersLost from None
                finished = False
                self.__exit__(type(error), error, error.__traceback__)
                self.__enter__()

    @property
    def workers(self) -> Workers:
        """The workers at the moment; lost ones are replaced."""
        assert self._workers is not None, "a crew works only inside its `with` statement"
        return self._workers

    def _unsubmitted(self, jobs: list[_Job[T]], waiting: Iterator[Task[T]]) -> list[_Job[T]]:
        """Add as many jobs as the workers have room for; return all that must be submitted."""
        room = max(0, self.workers.ahead - len(jobs))
        jobs += map(_Job, islice(waiting, room))
        return [job for job in jobs if job.future is None]


def _wait(jobs: list[_Job[T]], in_order: bool) -> list[tuple[_Job[T], Future[T]]]:
    """Wait a moment, and return the jobs that have ended; in order, only those at the front."""
    under_way = [(job, job.future) for job in jobs if job.future is not None]
    awaited = under_way[:1] if in_order else under_way
    wait([future for _, future in awaited], timeout=PATIENCE, return_when=FIRST_COMPLETED)
    if in_order:
        return list(takewhile(lambda pair: pair[1].done(), under_way))
    return [pair for pair in under_way if pair[1].done()]
