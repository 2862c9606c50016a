"""A pool of processes that can be ended at once, and that ends with this one."""

import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Lock, Thread
from typing import Final, ParamSpec, TypeVar

from minewright.work.losses import NoWorkers

P = ParamSpec("P")
T = TypeVar("T")

TASKS_PER_PROCESS: Final = 8
"""How many tasks each process has waiting: while a slow one is awaited in order, others go on."""


class Pool(ProcessPoolExecutor):
    """A pool that knows its processes, and keeps interrupts away from them."""

    _starting: Final = Lock()
    """Held while a pool starts processes, so that two pools never claim each other's."""

    def __init__(self, workers: int, *, copied: bool, apart: bool = False) -> None:
        context = get_context(None if copied else "spawn")
        super().__init__(workers, mp_context=context, initializer=_begin_worker)
        self.ahead = TASKS_PER_PROCESS * workers
        self._apart = apart
        self._started: set[BaseProcess] = set()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have a call made; a process that this starts never hears an interrupt.

        Raise NoWorkers if the system refuses to start one.
        """
        with self._starting, _interrupts_held():
            before = set(active_children())
            try:
                return super().submit(fn, *args, **kwargs)
            except OSError as error:
                # Nobody else ends those that did start before the system refused another.
                for process in set(active_children()) - before:
                    process.kill()
                    process.join()
                raise NoWorkers(error, apart=self._apart) from None
            finally:
                self._started |= set(active_children()) - before

    def terminate(self) -> None:
        """End the processes, whatever they are doing."""
        for process in self._started:
            process.terminate()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    if sys.platform == "win32":
        yield
    else:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker() -> None:
    """Leave interrupts to the parent, and end when it asks or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    """End with the parent: if it is killed, nobody else ends this process."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        signal.raise_signal(signal.SIGTERM)
