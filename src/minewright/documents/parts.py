"""What reproductions share: words, fair comparisons of theirs and ours, and files."""

from collections.abc import Iterable, Sequence
from csv import writer
from dataclasses import dataclass
from importlib.metadata import version
from io import StringIO
from math import hypot, inf
from pathlib import Path
from platform import machine, python_version, system
from typing import Final

from minewright.documents.site import INDEX
from minewright.lab.page import Page, Paragraph, Verdict
from minewright.lab.statistics import CONFIDENCE, Mean, normal, wilson


def listed(words: Iterable[str]) -> str:
    """Join words as a sentence does."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def level(comparisons: int, together: float = CONFIDENCE) -> float:
    """Give the confidence of each of so many comparisons, so that all together have 90%."""
    return 1 - (1 - together) / comparisons


Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    count: int
    total: int

    @property
    def value(self) -> float:
        """The share itself."""
        return self.count / self.total

    def less(self, other: "Share", confidence: float) -> Interval:
        """Give the interval of this share less another's, of other games (Newcombe's)."""
        (low, high), (other_low, other_high) = (
            wilson(one.count, one.total, confidence) for one in (self, other)
        )
        middle = self.value - other.value
        return (
            middle - hypot(self.value - low, other_high - other.value),
            middle + hypot(high - self.value, other.value - other_low),
        )

    def __str__(self) -> str:
        """Write it with its 95% interval."""
        low, high = wilson(self.count, self.total, 0.95)
        return f"{self.value:.1%} ({low:.1%} to {high:.1%})"


def interval(mean: Mean, confidence: float) -> Interval:
    """Give the interval of a mean; for many values, as the normal law has it."""
    reach = normal(confidence) * mean.error
    return mean.value - reach, mean.value + reach


def judged(seen: Interval, least: float, most: float = inf) -> Verdict:
    """Judge a claim that something lies in a range: it does, it does not, or it may."""
    low, high = seen
    if least <= low and high <= most:
        return "agrees"
    return "differs" if high < least or most < low else "undecided"


SAME: Final = 0.1
"""So near to a printed share ours must surely be to agree with it."""


def same(apart: Interval) -> Verdict:
    """Judge a printed share by the interval of ours less theirs.

    An interval that holds 0 agrees only if it is narrow: too few games agree with everything.
    """
    low, high = apart
    if not low <= 0 <= high:
        return "differs"
    return judged(apart, -SAME, SAME)


SAME_RULE: Final = (
    "A printed share differs if the interval of ours less theirs excludes 0; it agrees only if "
    f"that interval lies within ±{100 * SAME:.0f} points; else it is undecided. (Before games "
    "had been seen, an interval that holds 0 was enough to agree.)"
)


def all_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Judge a claim that holds only if several do."""
    seen = set(verdicts)
    return "differs" if "differs" in seen else "undecided" if "undecided" in seen else "agrees"


def any_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Judge a claim that holds if one of several does."""
    seen = set(verdicts)
    return "agrees" if "agrees" in seen else "undecided" if "undecided" in seen else "differs"


def points(difference: float, seen: Interval) -> str:
    """Write a difference of shares in percentage points, with its interval."""
    low, high = (100 * end for end in seen)
    return f"{100 * difference:+.1f} points ({low:+.1f} to {high:+.1f})"


def table_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table as CSV."""
    text = StringIO()
    out = writer(text, lineterminator="\n")
    out.writerow(head)
    out.writerows(rows)
    return text.getvalue()


def _made_by(name: str) -> str:
    return (
        f"minewright reproduce {name}: this page was written by Minewright "
        f"{version('minewright')}, Python {python_version()}, on {system()} {machine()}."
    )


def write_pages(directory: Path, page: Page) -> Path:
    """Write the page as Markdown and as HTML, which links to the page of all; give the latter.

    Both end with what they were made by.
    """
    page = Page(page.title, [*page.blocks, Paragraph(_made_by(directory.name))])
    write_whole(directory / "page.md", page.markdown())
    write_whole(directory / INDEX, page.html(above=f"../{INDEX}"))
    return directory / INDEX
