"""Work on a Dask cluster, whose workers may come and go."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from minewright.errors import MinewrightError
from minewright.work.executors import Workers

if TYPE_CHECKING:
    from distributed import Client

P = ParamSpec("P")
T = TypeVar("T")

ANSWER_SECONDS: Final = 5.0
"""How long a cluster may take to answer."""
SIZE_SECONDS: Final = 5.0
"""How long a cluster's size is remembered before it is asked for again."""
TASKS_PER_THREAD: Final = 3
"""How many tasks each thread of a cluster has waiting, so that it is never idle."""


class ClusterError(MinewrightError, ValueError):
    """A cluster that cannot be reached, or Dask that is not installed, in one line."""


class Cluster(Executor):
    """A cluster as an executor."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._loop: asyncio.AbstractEventLoop = client.sync(_own_loop)
        self._ahead = 0
        self._asked = -SIZE_SECONDS

    @property
    def ahead(self) -> int:
        """How many tasks keep all its threads busy."""
        if monotonic() - self._asked >= SIZE_SECONDS:
            self._asked = monotonic()
            with suppress(OSError):
                threads = sum(self._client.nthreads().values())
                self._ahead = TASKS_PER_THREAD * max(1, threads)
        return max(1, self._ahead)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have a worker make a call, and another worker if that one is lost."""
        return asyncio.run_coroutine_threadsafe(self._answer(fn, *args, **kwargs), self._loop)

    async def _answer(self, fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return a worker's answer. Raise BrokenExecutor if the cluster has lost the task.

        Awaiting the cluster's future returns the answer or raises; its status is never read.
        `Client.get_executor` reads it after the answer has come: if the worker dies in between,
        the status is "lost" again, and the answer is unpacked as if it were an error.
        """
        from distributed import CancelledError, KilledWorker

        try:
            # Not pure: two equal calls are two tasks.
            answer: T = await self._client.submit(fn, *args, pure=False, **kwargs)
        except Exception as error:
            # Tasks are never cancelled here: the scheduler has lost this one, or is lost itself.
            lost = isinstance(error, KilledWorker | CancelledError | OSError)
            if lost or self._client.status != "running":
                raise BrokenExecutor(f"the cluster has lost a task ({error})") from None
            raise
        return answer


async def _own_loop() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


@contextmanager
def dask(address: str, workers: int) -> Iterator[Workers]:
    """Open the Dask cluster at an address, or for `local` start one on this machine."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise ClusterError("Dask is not installed; pip install 'minewright[dask]'") from None
    # The caller reports what goes wrong, in one line.
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
        raise ClusterError(
            f"no Dask scheduler answers at {address} ({error}); start one with `dask scheduler`"
        ) from None
    with client, Cluster(client) as executor:
        yield executor
