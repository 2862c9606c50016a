"""The list of the runs in the lab directory."""

from pathlib import Path
from time import time
from typing import Final, Literal

from fastapi import HTTPException
from pydantic import BaseModel, Field

from minewright.lab.run import DEFINITION, PROGRESS
from minewright.web.lab import runfiles

MAX_RUNS: Final = 200
"""How many runs are listed: the latest."""
QUIET: Final = 30.0
"""Seconds without news after which a run counts as stopped."""

RunState = Literal["complete", "playing", "stopped", "broken"]


class RunLine(BaseModel):
    """A run in the list."""

    name: str = Field(description="Its directory.")
    title: str
    state: RunState
    games: int = 0
    played: int = 0
    per_second: float | None = Field(default=None, description="Games per second, last reported.")
    heard: float = Field(description="When it last wrote something, in seconds since 1970.")
    problem: str | None = Field(default=None, description="What is wrong with it, if it is broken.")


class Runs(BaseModel):
    """The runs in the lab directory, those in progress first, then the latest."""

    directory: str
    runs: list[RunLine]
    more: int = Field(description="How many are not listed.")


def list_runs(lab: Path) -> Runs:
    """Return the runs in a directory."""
    lines = [line(name, directory) for name, directory in _directories(lab).items()]
    lines.sort(key=lambda line: (line.state != "playing", -line.heard, line.name))
    return Runs(
        directory=lab.resolve().name, runs=lines[:MAX_RUNS], more=max(0, len(lines) - MAX_RUNS)
    )


def find(lab: Path, name: str) -> Path:
    """Return the directory of a run, which is always one of those listed; raise 404 otherwise."""
    try:
        return _directories(lab)[name]
    except KeyError:
        raise HTTPException(404, "there is no such run in the lab directory") from None


def line(name: str, directory: Path) -> RunLine:
    """Return the state of a run."""
    heard = _heard(directory)
    try:
        experiment, last = runfiles.experiment(directory), runfiles.progress(directory)
    except HTTPException as error:
        return RunLine(name=name, title=name, state="broken", heard=heard, problem=error.detail)
    total = experiment.games * len(experiment.arms)
    played = min(last.played, total)
    over = played == total or last.decided
    return RunLine(
        name=name,
        title=experiment.name,
        state="complete" if over else "playing" if abs(time() - heard) < QUIET else "stopped",
        games=total,
        played=played,
        per_second=last.games_per_second,
        heard=heard,
    )


def _directories(lab: Path) -> dict[str, Path]:
    """Return the directories with an experiment: the lab itself, or those directly inside it."""
    found = {}
    try:
        for directory in (lab.resolve(), *sorted(lab.iterdir())):
            try:
                if (directory / DEFINITION).is_file():
                    found[directory.name or "lab"] = directory
            except OSError:
                continue  # we may not look into it
    except OSError:
        pass  # the directory may come later
    # A name with unprintable characters cannot be asked for.
    return {name: path for name, path in found.items() if name.isprintable()}


def _heard(directory: Path) -> float:
    """Return when a run last wrote; the definition counts only until there is progress.

    Taking the later of the two would be wrong if the clock is set back during a run: the definition
    would then be the later one until the clock has caught up.
    """
    for name in (PROGRESS, DEFINITION):
        try:
            return (directory / name).stat().st_mtime
        except OSError:
            continue
    return 0.0
