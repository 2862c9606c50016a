"""What is raised when workers cannot go on, or cannot even begin."""

from minewright.errors import MinewrightError


class WorkersLost(MinewrightError, RuntimeError):
    """The workers died again and again, and nothing was finished in between."""

    def __init__(
        self, why: str = "the workers keep dying (killed, or out of memory); try fewer workers"
    ) -> None:
        super().__init__(why)


class NoWorkers(WorkersLost):
    """Worker processes cannot be started on this machine."""

    def __init__(self, error: OSError, *, apart: bool = False) -> None:
        # A single worker needs no process, unless it must be `apart`.
        advice = "this strategy cannot play without them" if apart else "use one worker"
        super().__init__(
            f"worker processes cannot be started on this machine ({error.strerror}; "
            f"they need a /dev/shm, and a few open files each); {advice}"
        )
