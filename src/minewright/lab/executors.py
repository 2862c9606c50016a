"""Where work is done: in this process, in a pool of processes, or on a Dask cluster.

All are `concurrent.futures.Executor`s, so that nothing else in the lab knows which it is.
"""

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


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


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """Give a pool of processes; with one worker, this process itself."""
    if workers == 1:
        yield Here()
        return
    # An interrupt is for this process: the others would each add a traceback of their own.
    pool = ProcessPoolExecutor(
        workers,
        mp_context=get_context("spawn"),
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_IGN),
    )
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def dask(address: str, workers: int) -> Iterator[Executor]:
    """Give a Dask cluster: the one at this address, or for `local` one of this machine's own."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise ExecutorError("Dask is not installed; pip install 'minewright[dask]'") from None
    if address == "local":
        with (
            LocalCluster(
                n_workers=workers, threads_per_worker=1, dashboard_address=None
            ) as cluster,
            Client(cluster) as client,
            client.get_executor() as executor,
        ):
            yield executor
        return
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise ExecutorError(
            f"no Dask scheduler answers at {address} ({error}); start one with `dask scheduler`"
        ) from None
    with client, client.get_executor() as executor:
        yield executor
