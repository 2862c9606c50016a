"""Shards that are broken, copied, foreign or senseless count for nothing, and are played again."""

import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from lab_runs import SMALL, edit, same
from processes import HANG

from minewright.lab import store
from minewright.lab.run import Run
from minewright.work.executors import Here


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a finished run; however slow the machine is, its rows go into a single shard."""
    monkeypatch.setattr(store, "SHARD_SECONDS", HANG)
    run = Run.create(tmp_path / "run", SMALL)
    run.play(Here)
    return run


def test_a_shard_that_the_disk_broke_is_played_again_and_never_counts(run: Run) -> None:
    wanted = run.rows()
    (shard,) = run.shards()
    shard.write_bytes(shard.read_bytes()[:1000])
    assert run.rows().height == 0
    assert not run.complete
    run.play(Here)
    same(run.rows(), wanted)
    assert len(run.shards()) == 1


def test_a_shard_that_was_copied_or_is_foreign_counts_for_nothing(run: Run) -> None:
    before = run.rows()
    shard = run.shards()[0]
    shutil.copy(shard, shard.with_name("000777.parquet"))
    pl.DataFrame({"a": [1]}).write_parquet(shard.with_name("000778.parquet"))
    assert run.rows().equals(before)
    assert run.complete


@pytest.mark.parametrize(
    ("column", "value"),
    [("arm", None), ("stream", None), ("outcome", None), ("outcome", "drawn"), ("stream", 0)],
    ids=["no-player", "no-game", "no-outcome", "another-outcome", "one-game-twice"],
)
def test_a_shard_whose_rows_make_no_sense_is_damaged(run: Run, column: str, value: object) -> None:
    before = run.rows()
    (shard,) = run.shards()

    def spoil(rows: pl.DataFrame) -> pl.DataFrame:
        values = rows[column].to_list()
        return rows.with_columns(pl.Series(column, [values[0], value, *values[2:]]))

    edit(shard, spoil)
    assert len(run.damaged()) == 1
    assert run.rows().is_empty()
    run.play(Here)
    same(run.rows(), before)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda rows: rows.head(-3),
        lambda rows: rows.with_columns(task=rows["task"].replace({1: 0})),
        lambda rows: rows.with_columns(task=1 - rows["task"].cast(pl.Int64)),
    ],
    ids=["rows-missing", "two-batches-as-one", "batches-swapped"],
)
def test_a_batch_that_lacks_games_or_has_others_is_played_again(
    run: Run, spoil: Callable[[pl.DataFrame], pl.DataFrame]
) -> None:
    before = run.rows()
    (shard,) = run.shards()
    edit(shard, spoil)
    run = Run.open(run.directory)
    run.play(Here)
    same(run.rows(), before)
    assert run.complete
