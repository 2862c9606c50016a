"""Where work is done: in this process, in a pool of processes, or on a Dask cluster.

All are `concurrent.futures.Executor`s, so that nothing else in the lab knows which it is. A worker
that is lost shows as a `BrokenExecutor`, unless the executor itself found another one for its work.
"""

import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

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


class ExecutorError(ValueError):
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
    """Starts its processes so that an interrupt is for this one alone."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have it done; a process that this starts is deaf to interrupts from its first moment."""
        with _interrupts_held():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def processes(workers: int, *, apart: bool = False, copied: bool = False) -> Iterator[Executor]:
    """Give a pool of processes; with one worker this process itself, unless it is to be `apart`.

    With `copied` they start as the system does it by default: where that is by copying this
    process, they know the strategies that were registered in it.
    """
    if workers == 1 and not apart:
        yield Here()
        return
    context = get_context(None if copied else "spawn")
    pool = _Pool(workers, mp_context=context, initializer=_begin_worker)
    try:
        yield pool
    except BaseException:
        # A worker may be in the midst of a long game, which nobody waits for any more.
        for process in tuple((pool._processes or {}).values()):
            process.terminate()
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
        # Not pure: two equal pieces of work are two pieces of work.
        self._client = client
        self._executor: Executor = client.get_executor(pure=False)
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
        from distributed import KilledWorker

        future: Future[T] = Future()

        def pass_on(done: Future[T]) -> None:
            # Cancelled by nobody here: the cluster has lost it, or is lost itself.
            if done.cancelled():
                future.set_exception(BrokenExecutor("the cluster has lost a task"))
            elif isinstance(error := done.exception(), KilledWorker | OSError):
                future.set_exception(BrokenExecutor(str(error)))
            elif error is not None:
                future.set_exception(error)
            else:
                future.set_result(done.result())

        self._executor.submit(fn, *args, **kwargs).add_done_callback(pass_on)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Forget what is not done yet."""
        with suppress(OSError):
            self._executor.shutdown(wait=False)


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
                n_workers=workers, threads_per_worker=1, dashboard_address=None
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
