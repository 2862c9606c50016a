"""Where work is done: in this process, in a pool of processes, or on a Dask cluster.

All are `concurrent.futures.Executor`s, so that nothing else in the lab knows which it is. A worker
that is lost shows as a `BrokenExecutor`, unless the executor itself found another one for its work.
"""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from threading import Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from minewright.errors import MinewrightError

if TYPE_CHECKING:
    from distributed import Client

P = ParamSpec("P")
T = TypeVar("T")

# How many seconds a cluster has to answer.
ANSWER_SECONDS: Final = 5.0
# How many seconds a cluster's size is believed.
SIZE_SECONDS: Final = 5.0
# How many tasks a thread of a cluster has waiting, so that it never waits for one itself.
TASKS_A_THREAD: Final = 3


class ExecutorError(MinewrightError, ValueError):
    """A cluster that cannot be reached, or a part that is not installed, in one line."""


class Here(Executor):
    """Does the work at once, in this process."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Do it, and give a future that is done."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class _Pool(ProcessPoolExecutor):
    """Starts its processes so that an interrupt is for this one alone, and knows them."""

    _starting: Final = Lock()
    """Held while a pool starts processes, so that two pools never take each other's for theirs."""

    def __init__(self, workers: int, context: BaseContext) -> None:
        super().__init__(workers, mp_context=context, initializer=_begin_worker)
        self._started: set[BaseProcess] = set()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have it done; a process that this starts is deaf to interrupts from its first moment."""
        with self._starting, _interrupts_held():
            before = set(active_children())
            future = super().submit(fn, *args, **kwargs)
            self._started |= set(active_children()) - before
        return future

    def terminate(self) -> None:
        """End its processes, whatever they are doing."""
        for process in self._started:
            process.terminate()


@contextmanager
def processes(workers: int, *, apart: bool = False, copied: bool = False) -> Iterator[Executor]:
    """Give a pool of processes; with one worker this process itself, unless it is to be `apart`.

    With `copied` they start as the system does it by default: where that is by copying this
    process, they know the strategies that were registered in it.
    """
    if workers == 1 and not apart:
        yield Here()
        return
    pool = _Pool(workers, get_context(None if copied else "spawn"))
    try:
        yield pool
    except BaseException:
        # A worker may be in the midst of a long game, which nobody waits for any more.
        pool.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


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
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    """End with the parent: if that is killed nobody else ends this process."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Cluster(Executor):
    """Does the work on a Dask cluster, whose workers may come and go."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._loop: asyncio.AbstractEventLoop = client.sync(_own_loop)
        self._ahead = 0
        self._asked = -SIZE_SECONDS

    @property
    def ahead(self) -> int:
        """How many tasks keep all of it busy."""
        if monotonic() - self._asked >= SIZE_SECONDS:
            self._asked = monotonic()
            with suppress(OSError):
                threads = sum(self._client.nthreads().values())
                self._ahead = TASKS_A_THREAD * max(1, threads)
        return max(1, self._ahead)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have it done by some worker, and by another one if that is lost."""
        return asyncio.run_coroutine_threadsafe(self._answer(fn, *args, **kwargs), self._loop)

    async def _answer(self, fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what a worker answers; raises BrokenExecutor if the cluster has lost the task.

        Awaiting the cluster's future either gives the answer or raises. Nothing here asks for the
        future's status. `Client.get_executor` asks after it has the answer: if the worker dies in
        between, the status is "lost" again, and the answer is unpacked as if it were an error.
        """
        from distributed import CancelledError, KilledWorker

        try:
            # Not pure: two equal pieces of work are two pieces of work.
            answer: T = await self._client.submit(fn, *args, pure=False, **kwargs)
        except Exception as error:
            # Nobody here cancels a task: the scheduler has lost it, or is lost itself.
            lost = isinstance(error, KilledWorker | CancelledError | OSError)
            if lost or self._client.status != "running":
                raise BrokenExecutor(f"the cluster has lost a task ({error})") from None
            raise
        return answer


async def _own_loop() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


@contextmanager
def dask(address: str, workers: int) -> Iterator[Executor]:
    """Give a Dask cluster: the one at this address, or for `local` one of this machine's own."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise ExecutorError("Dask is not installed; pip install 'minewright[dask]'") from None
    # What goes wrong is told by the lab, in one line.
    for name in tuple(logging.root.manager.loggerDict):
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    if address == "local":
        with (
            LocalCluster(
                n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0"
            ) as cluster,
            Client(cluster) as client,
            Cluster(client) as executor,
        ):
            yield executor
        return
    try:
        client = Client(address, timeout=ANSWER_SECONDS)
    except (OSError, ValueError) as error:
        raise ExecutorError(
            f"no Dask scheduler answers at {address} ({error}); start one with `dask scheduler`"
        ) from None
    with client, Cluster(client) as executor:
        yield executor
