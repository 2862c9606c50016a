"""The files of a run, any of which may be broken or foreign.

They are read as `minewright lab` reads them, which runs nothing. A broken or foreign file is
reported and left alone.
"""

import json
from functools import lru_cache
from pathlib import Path

from fastapi import HTTPException
from pydantic import BaseModel, Field, ValidationError

from minewright.lab.experiment import Experiment, ExperimentError
from minewright.lab.files import StoreError, read_small
from minewright.lab.run import ABOUT, DEFINITION, PROGRESS


class ProgressFile(BaseModel):
    """How far a run has come, by its own account."""

    played: int = Field(default=0, ge=0, le=2**63)
    games_per_second: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    decided: bool = False


class About(BaseModel):
    """Where and when a run began."""

    minewright: str = "?"
    python: str = "?"
    machine: str = "?"
    cores: int | None = None
    began: str = "?"


def broken(what: str) -> HTTPException:
    """Return the error for a run that cannot be shown."""
    return HTTPException(422, f"this run cannot be shown: {what}")


def experiment(directory: Path) -> Experiment:
    """Return what a run plays; raise HTTPException if it is not an experiment."""
    path = directory / DEFINITION
    try:
        now = path.stat()
    except OSError as error:
        raise broken(f"{path.name} cannot be read ({error.strerror})") from None
    return _experiment(path, now.st_mtime_ns, now.st_size)


def progress(directory: Path) -> ProgressFile:
    """Return how far a run has come; raise HTTPException if its progress makes no sense."""
    try:
        return ProgressFile.model_validate(_json(directory / PROGRESS))
    except ValidationError:
        raise HTTPException(422, f"{PROGRESS} is not what `minewright lab` writes") from None


def about(directory: Path) -> About:
    """Return where and when a run began."""
    try:
        return About.model_validate(_json(directory / ABOUT))
    except ValidationError:
        return About()


@lru_cache(maxsize=256)
def _experiment(path: Path, *_: int) -> Experiment:
    try:
        return Experiment.read(read_small(path))
    except OSError as error:
        raise broken(f"{path.name} cannot be read ({error.strerror})") from None
    except (ExperimentError, StoreError) as error:
        raise broken(str(error)) from None


def _json(path: Path) -> object:
    """Read a file that a run can do without."""
    try:
        return json.loads(read_small(path))
    except (OSError, RecursionError, ValueError):
        return {}
