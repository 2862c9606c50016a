"""What an inference engine is: it asks the field and the constraints, and tells the field."""

from abc import ABC, abstractmethod
from typing import ClassVar

from minewright.strategies.oz.collector import Collector
from minewright.strategies.oz.field import SymbolicField


class Engine(ABC):
    """An engine that can be switched on and off at any time.

    It remembers how far it has worked, so that what happens while it is off (Collet's
    `WaitEnabled`) is worked on when it is on again.
    """

    name: ClassVar[str]
    at_once: ClassVar[bool] = True
    """Whether it tells all it can when it works, not only the first news."""

    def __init__(self, field: SymbolicField, collector: Collector) -> None:
        self.field = field
        self.collector = collector

    @abstractmethod
    def work(self) -> bool:
        """Tell the field what follows; says whether there was news.

        Raises Contradiction if no minefield agrees with the field.
        """
