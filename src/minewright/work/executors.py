"""Where work is done: in this process or in a pool of processes; `cluster` adds Dask.

All are `concurrent.futures.Executor`s, so nothing else needs to know which one it has. A lost
worker shows as a `BrokenExecutor`, unless the executor found another one for its task.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, contextmanager
from typing import Final, ParamSpec, Protocol, TypeVar

from minewright.work.losses import NoWorkers

P = ParamSpec("P")
T = TypeVar("T")


class Workers(Protocol):
    """An executor that says how many tasks it needs at once."""

    @property
    def ahead(self) -> int:
        """How many tasks keep all workers busy."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have a call made, and return the future of its result."""


OpenWorkers = Callable[[], AbstractContextManager[Workers]]
"""Opens an executor; this is done again when its workers are lost."""


class Here(Executor):
    """Does the work at once, in this process."""

    ahead: Final = 1

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Make the call, and return a future that is done."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@contextmanager
def processes(workers: int, *, apart: bool = False, copied: bool = False) -> Iterator[Workers]:
    """Open a pool of processes; a single worker is this process, unless it must be `apart`.

    With `copied`, they start in the system's default way. Where that copies this process, they
    know everything that was registered in it, such as strategies. Raise NoWorkers if there can be
    no pool.
    """
    if workers == 1 and not apart:
        yield Here()
        return
    # This takes long to import, so import it only when needed.
    from minewright.work.pool import Pool

    try:
        pool = Pool(workers, apart=apart, copied=copied)
    except OSError as error:
        raise NoWorkers(error, apart=apart) from None
    try:
        # Copies are made now, before a progress bar starts a thread that would be copied too.
        pool.submit(int)
        yield pool
    except BaseException:
        # A worker may be in the middle of a long task that nobody waits for any more.
        pool.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
