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

    def __init__(self, error: OSError) -> None:
        super().__init__(
            f"worker processes cannot be started on this machine ({error.strerror}; "
            "they need a /dev/shm, and a few open files each); use one worker"
        )
