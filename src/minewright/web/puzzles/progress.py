"""How far somebody is with a puzzle: a text of the page's, of which the server reads one thing."""

import json


def done(kept: str) -> bool:
    """Say whether the puzzle was solved, now or before."""
    try:
        found = json.loads(kept)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and bool(found.get("done", found.get("solved")))


def overtaken(kept: str, new: str) -> bool:
    """Say whether what is kept knows of a solution and the new text does not.

    Then that comes from a window that has not looked for a while: it must not unsolve the puzzle.
    """
    return done(kept) and not done(new)
