"""What reproductions share: words, fair comparisons of theirs and ours, and files."""

from collections.abc import Iterable, Sequence
from csv import writer
from io import StringIO
from pathlib import Path

from minewright.lab.page import Page
from minewright.lab.site import INDEX
from minewright.lab.statistics import CONFIDENCE
from minewright.lab.store import write_whole


def listed(words: Iterable[str]) -> str:
    """Join words as a sentence does."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def level(comparisons: int) -> float:
    """Give the confidence of each of so many comparisons, so that all together have 90%."""
    return 1 - (1 - CONFIDENCE) / comparisons


def table_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table as CSV."""
    text = StringIO()
    out = writer(text, lineterminator="\n")
    out.writerow(head)
    out.writerows(rows)
    return text.getvalue()


def write_pages(directory: Path, page: Page) -> Path:
    """Write the page as Markdown and as HTML, which links to the page of all; give the latter."""
    write_whole(directory / "page.md", page.markdown())
    write_whole(directory / INDEX, page.html(above=f"../{INDEX}"))
    return directory / INDEX
