"""An inference engine: it asks the field and the constraints, and tells the field."""

from abc import ABC, abstractmethod
from typing import ClassVar

from minewright.strategies.oz.collector import Collector
from minewright.strategies.oz.field import SymbolicField


class Engine(ABC):
    """An engine that can be switched on and off at any time.

    It remembers how far it has worked, so that it can catch up on what happened while it was off
    (Collet's `WaitEnabled`).
    """

    name: ClassVar[str]
    at_once: ClassVar[bool] = True
    """Whether it tells everything it can find when it works, not only the first news."""

    def __init__(self, field: SymbolicField, collector: Collector) -> None:
        self.field = field
        self.collector = collector

    @abstractmethod
    def work(self) -> bool:
        """Tell the field what follows; return True if there was news.

        Raise Contradiction if no minefield agrees with the field.
        """
