"""Progress with a puzzle: a text written by the page, in which the server reads one field."""

import json


def done(kept: str) -> bool:
    """Return True if the puzzle was solved, now or before."""
    try:
        found = json.loads(kept)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and bool(found.get("done", found.get("solved")))


def overtaken(kept: str, new: str) -> bool:
    """Return True if the kept text knows of a solution and the new one does not.

    The new one then comes from an outdated window, which must not undo the solution.
    """
    return done(kept) and not done(new)
