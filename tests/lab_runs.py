"""What the tests of the lab share: a small run, and what must hold after it was disturbed."""

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from processes import HANG

from minewright.lab import store
from minewright.lab.experiment import Experiment
from minewright.lab.files import LOCK
from minewright.lab.run import Run
from minewright.work.executors import Here

SMALL = Experiment.grid(
    "small", strategies=["single-point", "random"], boards=["8x8x10", "5x5x3"], games=120, seed=4
)


def played(directory: Path, experiment: Experiment) -> Run:
    """Play a run to its end, into a single shard, however long that takes."""
    run = Run.create(directory, experiment)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "SHARD_SECONDS", HANG)
        run.play(Here)
    return run


def same(found: pl.DataFrame, wanted: pl.DataFrame) -> None:
    """Compare all columns except the one that differs from run to run."""
    assert_frame_equal(found.drop("cpu_seconds"), wanted.drop("cpu_seconds"))


def whole(run: Run) -> pl.DataFrame:
    """Return the rows of a finished run, and check that it left nothing half done."""
    assert run.complete
    assert {path.name for path in run.directory.rglob(".*")} == {LOCK}
    return run.rows()


def edit(shard: Path, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    """Change the rows of a shard; without the checksum in its name, it is believed."""
    rows = change(pl.read_parquet(shard))
    shard.unlink()
    rows.write_parquet(shard.with_name(f"{shard.name[:6]}.parquet"))
