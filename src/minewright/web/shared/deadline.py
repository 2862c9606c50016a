"""The time there is to answer one question."""

from time import monotonic

from fastapi import Request

from minewright import formats
from minewright.inference import Budget, BudgetExceeded
from minewright.web.server.settings import Settings


class Deadline:
    """The time there is for one question, from now on."""

    def __init__(self, request: Request) -> None:
        self.settings: Settings = request.app.state.settings
        self._end = monotonic() + self.settings.seconds

    def budget(self, share: float = 1.0) -> Budget:
        """Return a share of the time left; raise BudgetExceeded if none is left."""
        left = self._end - monotonic()
        if left <= 0:
            raise BudgetExceeded("too hard: no answer was found in time")
        return Budget(self.settings.states, left * share)

    def bounds(self) -> formats.Bounds:
        """Return what reading a position or a file may cost."""
        return formats.Bounds(self.settings.max_cells, self._end - monotonic())
