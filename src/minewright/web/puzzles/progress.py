"""Progress with a puzzle: a text written by the page, in which the server reads four fields.

`done` says that the puzzle was solved, now or before; `changes` counts what was drawn since the
puzzle was begun, in whatever window. `page` names the page that made the last change, and `base` is
the number of changes that this page knew the server to have.
"""

import json
from typing import NamedTuple, TypeGuard


class Progress(NamedTuple):
    """What the server reads of a kept text."""

    done: bool
    changes: int | None = None
    base: int | None = None
    page: str | None = None

    @classmethod
    def read(cls, kept: str) -> "Progress":
        """Return the progress that a text tells of; a text of another kind tells of none."""
        try:
            found = json.loads(kept)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            return cls(done=False)
        changes, base, page = (found.get(name) for name in ("changes", "base", "page"))
        return cls(
            done=bool(found.get("done", found.get("solved"))),
            changes=changes if _counts(changes) else None,
            base=base if _counts(base) else None,
            page=page if isinstance(page, str) else None,
        )


def _counts(number: object) -> TypeGuard[int]:
    """Return True for a number that the page takes for a count."""
    return isinstance(number, int) and 0 <= number < 2**53


def done(kept: str) -> bool:
    """Return True if the puzzle was solved, now or before."""
    return Progress.read(kept).done


def overtaken(kept: str, new: str) -> bool:
    """Return True if the new text comes from an outdated window or was late on its way.

    Then the kept one knows of a solution that the new one does not, or has more changes: more than
    the new one if the same page made both, otherwise more than the new one was based on. A text
    that does not count its changes is taken for new.
    """
    old, late = Progress.read(kept), Progress.read(new)
    if old.done and not late.done:
        return True
    if old.changes is None or late.changes is None:
        return False
    if late.base is None or late.page == old.page:
        return late.changes < old.changes
    return late.base < old.changes
