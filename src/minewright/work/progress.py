"""Progress: how those who work tell those who wait."""

from typing import Protocol


class Progress(Protocol):
    """Someone who wants to know how far the work is, in units of effort."""

    def begin(self, effort: float, done: float) -> None:
        """Note the whole effort, and how much of it an earlier run has done."""

    def advance(self, effort: float) -> None:
        """Note that more is done; an effort of 0 only says that the work goes on."""

    def note(self, words: str) -> None:
        """Note what the work has shown so far, in a few words."""


class Quiet:
    """Progress that nobody watches."""

    def begin(self, effort: float, done: float) -> None:
        """Do nothing."""

    def advance(self, effort: float) -> None:
        """Do nothing."""

    def note(self, words: str) -> None:
        """Do nothing."""
