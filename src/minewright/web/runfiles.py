"""The files of a run, none of which has to be what it should be.

They are read, never run: an experiment may bring strategies of its own as Python, which only
`minewright lab` itself takes in. What is broken or foreign is said so and left alone.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import Final

from fastapi import HTTPException
from pydantic import BaseModel, Field, ValidationError

from minewright.board import Board, BoardError
from minewright.game import StartRule

DEFINITION: Final = "experiment.json"
ABOUT: Final = "about.json"
PROGRESS: Final = "progress.json"
MAX_JSON: Final = 8 << 20
"""Bytes of a file that are read."""


class ArmFile(BaseModel):
    """A player on a board, by its names."""

    strategy: str
    board: str
    start: StartRule
    topology: str = "moore"
    guesser: str = ""
    first: str = ""


class DuelFile(BaseModel):
    """Which two arms are compared, and when that ends."""

    first: int = Field(ge=0)
    second: int = Field(ge=0)
    share: float = Field(gt=0.5, lt=1)
    error: float = Field(gt=0, lt=0.5)
    round: int = Field(ge=1)


class ExperimentFile(BaseModel):
    """An experiment as it is written, without what it would run."""

    name: str
    arms: list[ArmFile] = Field(min_length=1, max_length=10_000)
    games: int = Field(ge=1, le=1_000_000_000)
    seed: int = Field(ge=0, lt=2**64)
    timeout: float | None = None
    duel: DuelFile | None = None


class ProgressFile(BaseModel):
    """How far a run says it is."""

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
    """Give the answer that a run cannot be shown."""
    return HTTPException(422, f"this is no run that can be shown: {what}")


def experiment(directory: Path) -> ExperimentFile:
    """Read what a run is to play; raises HTTPException if it is no experiment."""
    path = directory / DEFINITION
    try:
        now = path.stat()
    except OSError as error:
        raise broken(f"{path.name} cannot be read ({error.strerror})") from None
    return _experiment(path, now.st_mtime_ns, now.st_size)


def progress(directory: Path) -> ProgressFile:
    """Read how far a run is; raises HTTPException if it says what cannot be."""
    try:
        return ProgressFile.model_validate(_json(directory / PROGRESS))
    except ValidationError:
        raise HTTPException(422, f"{PROGRESS} is not what `minewright lab` writes") from None


def about(directory: Path) -> About:
    """Read where and when a run began."""
    try:
        return About.model_validate(_json(directory / ABOUT))
    except ValidationError:
        return About()


@lru_cache(maxsize=256)
def _experiment(path: Path, *_: int) -> ExperimentFile:
    try:
        file = ExperimentFile.model_validate_json(_read(path))
        for board in {arm.board for arm in file.arms}:
            Board.parse(board)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or path.name
        raise broken(f"{where}: {first['msg']}") from None
    except BoardError as error:
        raise broken(str(error)) from None
    if file.duel and max(file.duel.first, file.duel.second) >= len(file.arms):
        raise broken("its duel is between arms that it does not have")
    return file


def _read(path: Path) -> bytes:
    """Read a file that is not too large."""
    try:
        if not path.is_file():
            raise broken(f"{path.name} is not there")
        with path.open("rb") as file:
            data = file.read(MAX_JSON + 1)
    except OSError as error:
        raise broken(f"{path.name} cannot be read ({error.strerror})") from None
    if len(data) > MAX_JSON:
        raise broken(f"{path.name} is too large")
    return data


def _json(path: Path) -> object:
    """Read a file that a run can do without."""
    try:
        return json.loads(_read(path))
    except (HTTPException, ValueError, RecursionError):
        return {}
