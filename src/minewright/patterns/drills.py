"""Drills: forms set again, spaced in time, sooner after a failure."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from minewright.patterns.form import Form

MINUTE: Final = 60.0
DAY: Final = 86_400.0
PAUSES: Final = (10 * MINUTE, DAY, 3 * DAY, 7 * DAY, 21 * DAY, 60 * DAY)
"""How long a form rests after it was solved once, twice, and so on in a row."""
AGAIN: Final = MINUTE
"""How long it rests after a failure."""


@dataclass(frozen=True, slots=True)
class Drill:
    """A form as one person knows it: solved `stage` times in a row, and due at a time."""

    text: str
    stage: int = 0
    due: float = 0.0

    def answered(self, right: bool, now: float) -> "Drill":
        """Return the drill after an answer: a failure starts it over."""
        if not right:
            return Drill(self.text, 0, now + AGAIN)
        return Drill(self.text, self.stage + 1, now + PAUSES[min(self.stage, len(PAUSES) - 1)])

    @property
    def learned(self) -> bool:
        """Whether it was solved often enough in a row to rest for a week or longer."""
        return self.stage >= PAUSES.index(7 * DAY) + 1


def is_right(form: Form, safe: Collection[int], mined: Collection[int]) -> bool:
    """Return True if these are all cells that follow, and no others."""
    return set(safe) == set(form.step.safe) and set(mined) == set(form.step.mined)
