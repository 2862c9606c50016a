"""Progress on standard error: a bar on a terminal, a line now and then elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Final

from minewright.cli.streams import unbroken

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE: Final = 2.0
"""Seconds before the bar appears."""
LINE_SECONDS: Final = 60.0
"""Seconds between two lines where there is no terminal."""

Clock = Callable[[], float]


class Bar:
    """Shows the progress of long work, to people who wait and to people who read a log."""

    def __init__(self, name: str, unit: str = "", *, clock: Clock = monotonic) -> None:
        self._name = name
        self._unit = unit
        self._clock = clock
        self._began = self._due = clock()
        self._effort = self._done = self._before = 0.0
        self._words = ""
        self._shown: Progress | None = None

    def begin(self, effort: float, done: float) -> None:
        """Note the whole effort, 0 if it is not known yet, and how much an earlier run has done."""
        self._began = self._clock()
        self._due = self._began + LINE_SECONDS
        self._effort, self._done, self._before = effort, done, done
        if sys.stderr is not None and sys.stderr.isatty() and self._shown is None:
            self._shown = _rich_bar(self._name, self._unit, self._began + PATIENCE, self._clock)
            self._shown.start()
        self._update()

    def advance(self, effort: float) -> None:
        """Note that more is done."""
        self._done += effort
        self._update()
        if self._shown is None and self._clock() >= self._due:
            self._due = self._clock() + LINE_SECONDS
            if sys.stderr is not None:
                print(self._line(), file=sys.stderr, flush=True)

    def note(self, words: str) -> None:
        """Note what the work has shown so far."""
        self._words = words

    def show(self, answer: Callable[[], None]) -> None:
        """Print something out of the bar's way; an interrupt waits until that is done."""
        if self._shown is not None:
            self._shown.stop()
        with unbroken():
            answer()
        if self._shown is not None:
            self._shown.start()

    def close(self) -> None:
        """Remove the bar."""
        if self._shown is not None:
            self._shown.stop()

    def _update(self) -> None:
        if self._shown is not None:
            (task,) = self._shown.task_ids
            total = self._effort or None
            self._shown.update(task, total=total, completed=self._done, words=self._words)

    def _line(self) -> str:
        """Return how far the work is, and how long it may still take."""
        share = self._done / self._effort if self._effort else 1.0
        parts = [f"{share:.0%}"]
        if self._unit:
            parts.append(f"{self._done:,.0f} of {self._effort:,.0f} {self._unit}")
        if self._words:
            parts.append(self._words)
        own = self._done - self._before
        if own > 0:
            left = (self._effort - self._done) * (self._clock() - self._began) / own
            parts.append(f"about {_duration(left)} left")
        return f"{self._name}: {', '.join(parts)}"


@contextmanager
def watched(name: str, unit: str = "", *, clock: Clock = monotonic) -> Iterator[Bar]:
    """Yield a bar, and remove it at the end.

    With a `unit` such as "games", it also shows how many are done, and how many per second.
    """
    bar = Bar(name, unit, clock=clock)
    try:
        yield bar
    finally:
        bar.close()


def _duration(seconds: float) -> str:
    """Return a time to wait in the unit that suits it."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def _rich_bar(name: str, unit: str, appears: float, clock: Clock) -> "Progress":
    from rich.console import Console, Group, RenderableType
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

    class Rate(ProgressColumn):
        """The recent speed, in units per second."""

        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f} {unit}/s" if unit and task.speed else "")

    class Left(TimeRemainingColumn):
        """The time left; nothing, rather than a word on its own, if the end is not known."""

        def render(self, task: Task) -> Text:
            return Text("") if task.total is None else Text.assemble("left ", super().render(task))

    class Patient(Progress):
        """A bar that quick work never shows."""

        def get_renderable(self) -> RenderableType:
            return super().get_renderable() if clock() >= appears else Group()

    bar = Patient(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        Left(),
        Rate(),
        TextColumn("{task.fields[words]}"),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
        speed_estimate_period=120,
    )
    bar.add_task(name, total=None, words="")
    return bar
