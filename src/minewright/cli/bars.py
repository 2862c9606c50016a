"""Progress bars on standard error, shown only on a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING, Final

from minewright.cli.streams import unbroken

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from minewright.lab.store import Progress as Watcher

PATIENCE: Final = 2.0
"""Seconds before a patient bar appears."""


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
    """Yield a progress bar with the time left on a terminal, and a silent one elsewhere.

    With a unit, the bar also shows how many units are done per second.
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
        """The recent speed, in units per second."""

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


class PatientBar:
    """A progress bar that appears, on a terminal, only if the work takes a while."""

    def __init__(self, name: str, total: int) -> None:
        self._name = name
        self._total = total if total > 1 else None
        self._done = 0
        self._progress: Progress | None = None
        self._lock = Lock()
        self._timer = Timer(PATIENCE, self._show)
        self._timer.daemon = True

    def __enter__(self) -> "PatientBar":
        if sys.stderr is not None and sys.stderr.isatty():
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            if self._progress is not None:
                self._progress.stop()

    def step(self, show: Callable[[], None]) -> None:
        """Print something out of the bar's way and count it as one step."""
        with self._lock:
            if self._progress is not None:
                self._progress.stop()
            with unbroken():
                show()
                self._done += 1
            if self._progress is not None:
                self._progress.update(self._progress.task_ids[0], completed=self._done)
                self._progress.start()

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import Progress

        with self._lock:
            self._progress = Progress(console=Console(stderr=True), transient=True)
            self._progress.add_task(self._name, total=self._total, completed=self._done)
            self._progress.start()
