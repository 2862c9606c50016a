"""Experiments, and the files of a run directory. What they contain is never run."""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from fastapi import HTTPException

from minewright.lab.experiment import Experiment, ExperimentError
from minewright.lab.run import ABOUT, DEFINITION, PROGRESS, Run, RunError
from minewright.web.lab import runfiles
from targets.promises import Target, check_refusal, names_a_large_board

GOOD = {
    DEFINITION: Experiment.grid("small", strategies=["single-point"], boards=["5x4x3"], games=1)
    .written()
    .encode(),
    ABOUT: b'{"minewright": "0.1.0", "cores": 2}',
    PROGRESS: b'{"played": 1, "games_per_second": 2.5, "decided": false}',
}


def experiment(data: bytes) -> None:
    """Read an experiment in TOML."""
    text = data.decode(errors="replace")
    if names_a_large_board(text):
        return
    try:
        found = Experiment.from_toml(text, "name")
    except ExperimentError as error:
        check_refusal(error)
    else:
        assert Experiment.read(found.written()) == found


def run_directory(data: bytes) -> None:
    """Read a run whose directory holds one file of these bytes; the first byte says which."""
    name = tuple(GOOD)[(data[:1] or b"\0")[0] % len(GOOD)]
    body = data[1:]
    if names_a_large_board(body.decode(errors="replace")) or _holds_a_program(body):
        return
    with TemporaryDirectory() as made:
        directory = Path(made)
        for other, content in GOOD.items():
            (directory / other).write_bytes(body if other == name else content)
        try:
            found = Run.open(directory)
        except RunError as error:
            check_refusal(error)
        else:
            assert Experiment.read(found.experiment.written()) == found.experiment
        readers: tuple[Callable[[Path], object], ...] = (
            runfiles.experiment,
            runfiles.progress,
            runfiles.about,
        )
        for read in readers:
            assert _status(read, directory) in (200, 422)


def _status(read: Callable[[Path], object], directory: Path) -> int:
    """Return the status that the server would answer with."""
    try:
        read(directory)
    except HTTPException as error:
        return error.status_code
    return 200


def _holds_a_program(body: bytes) -> bool:
    """Tell whether this is an experiment with Python of its own: no input brings any."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and bool(found.get("source"))


TARGETS: dict[str, Target] = {"experiment": experiment, "run-directory": run_directory}
