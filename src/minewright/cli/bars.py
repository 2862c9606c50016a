"""A bar on standard error for work that takes a while, if somebody looks."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from minewright.lab.store import Progress as Watcher


class _Bar:
    """A bar on standard error."""

    def __init__(self, bar: "Progress", task: "TaskID") -> None:
        self._bar = bar
        self._task = task

    def begin(self, effort: float, done: float) -> None:
        self._bar.update(self._task, total=effort, completed=done)

    def advance(self, effort: float) -> None:
        self._bar.advance(self._task, effort)


@contextmanager
def watched(name: str, unit: str = "") -> Iterator["Watcher"]:
    """Give a bar with the time left if somebody looks, else nothing that shows.

    If the work is counted in units that mean something, it also shows how many a second are done.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        Task,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    from minewright.lab.store import Quiet

    class _Rate(ProgressColumn):
        """How many units a second, lately."""

        def __init__(self, unit: str) -> None:
            super().__init__()
            self._unit = unit

        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f} {self._unit}/s" if task.speed else "")

    if not sys.stderr.isatty():
        yield Quiet()
        return
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        *([_Rate(unit)] if unit else []),
        console=Console(stderr=True),
        transient=True,
        speed_estimate_period=120,
    ) as bar:
        yield _Bar(bar, bar.add_task(name, total=None))
