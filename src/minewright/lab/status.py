"""How far a run is, for people and for programs."""

import json

from minewright.lab.files import read_small
from minewright.lab.run import PROGRESS, Run


def counts(run: Run) -> list[tuple[str, int]]:
    """Return each arm with the number of its games that have been played."""
    rows = run.rows()
    played = dict(rows.group_by("arm").len().iter_rows())
    return [(str(arm), played.get(at, 0)) for at, arm in enumerate(run.experiment.arms)]


def status_text(run: Run) -> str:
    """Return the status for a person."""
    games = run.experiment.games
    found = counts(run)
    wide = max(len(name) for name, _ in found)
    lines = [f"{name:<{wide}}  {played:>12,} of {games:,}" for name, played in found]
    done = sum(played for _, played in found)
    total = games * len(found)
    state = "complete" if run.complete else f"{done / total:.1%} played"
    return "\n".join([f"{run.experiment.name}: {state}", *lines]) + "\n"


def status_json(run: Run) -> str:
    """Return the status as one JSON object."""
    found = counts(run)
    try:
        last = json.loads(read_small(run.directory / PROGRESS))
        # Python reads Infinity, and 1e400 as the same; other programs refuse it.
        json.dumps(last, allow_nan=False)
    except (OSError, RecursionError, ValueError):
        last = None
    return (
        json.dumps(
            {
                "name": run.experiment.name,
                "complete": run.complete,
                "games": run.experiment.games * len(found),
                "played": sum(played for _, played in found),
                "arms": [{"arm": name, "played": played} for name, played in found],
                "last": last,
            }
        )
        + "\n"
    )
