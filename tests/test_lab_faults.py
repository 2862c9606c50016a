"""Disks, clocks and files that fail a run: nothing is lost, nothing counts twice."""

import errno
import io
import json
import os
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, cycle
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest
from lab_runs import same, whole

from minewright.cli import main
from minewright.lab import run as lab_run
from minewright.lab import store
from minewright.lab.experiment import Experiment
from minewright.lab.files import StoreError, locked, read_small, write_whole
from minewright.lab.pieces import Piece, claim, complete
from minewright.lab.run import Run
from minewright.work.executors import Here
from minewright.work.progress import Quiet

DEFINITION = 'strategies = ["single-point"]\nboards = ["9x9x10", "8x8x14"]\ngames = 3\nseed = 5\n'
EXPERIMENT = Experiment.from_toml(DEFINITION, "x")


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every task in a shard of its own."""
    monkeypatch.setattr(store, "SHARD_ROWS", 1)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    return whole(play(tmp_path_factory.mktemp("run") / "undisturbed"))


@pytest.fixture
def definition(tmp_path: Path) -> Path:
    path = tmp_path / "x.toml"
    path.write_text(DEFINITION, encoding="utf-8")
    return path


def play(directory: Path, experiment: Experiment = EXPERIMENT) -> Run:
    run = Run.create(directory, experiment)
    run.play(Here)
    return run


def refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """Call the lab with something that it cannot do; return the one line that says so."""
    capsys.readouterr()
    assert main(["lab", *map(str, arguments)]) == 2
    output, complaints = capsys.readouterr()
    assert (output, complaints.count("\n")) == ("", 1)
    return complaints


# The disk


class Killed(BaseException):
    """The process is gone; nothing more of it reaches the disk."""


def break_disk(after: int, error: BaseException, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let `after` changes of the disk through; all later ones fail, and are listed."""
    failed: list[str] = []
    steps = iter(range(after))

    def mortal(change: Callable[..., object], name: str) -> Callable[..., object]:
        def changed(*arguments: object, **options: object) -> object:
            if next(steps, None) is None:
                failed.append(name)
                raise error
            return change(*arguments, **options)

        return changed

    real: Callable[..., object] = io.open
    opening = mortal(real, "open")

    def opened(file: object, mode: str = "r", *more: object, **options: object) -> object:
        return (opening if "w" in mode else real)(file, mode, *more, **options)

    for name in ("fsync", "mkdir", "rename", "replace", "unlink"):
        monkeypatch.setattr(os, name, mortal(getattr(os, name), name))
    monkeypatch.setattr(io, "open", opened)
    # The process that continues is another one.
    monkeypatch.setattr(os, "getpid", lambda: -1)
    return failed


def test_a_run_that_dies_at_any_change_of_the_disk_loses_and_doubles_nothing(
    tmp_path: Path, undisturbed: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    for steps in count():
        deaths = 0
        # The second death must cope with what the first has left.
        for _ in range(2):
            with monkeypatch.context() as mortality:
                break_disk(steps, Killed(), mortality)
                try:
                    play(tmp_path / str(steps))
                except Killed:
                    deaths += 1
        same(whole(play(tmp_path / str(steps))), undisturbed)
        if not deaths:
            break
    assert steps > 20


def test_a_disk_that_is_full_from_any_change_on_is_told_with_the_file_and_loses_nothing(
    tmp_path: Path, undisturbed: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    for steps in count():
        out = tmp_path / str(steps)
        with monkeypatch.context() as disk:
            # A write fails without naming the file.
            failed = break_disk(steps, OSError(errno.ENOSPC, "full"), disk)
            told = str(out)
            try:
                play(out)
            except OSError as error:
                told = str(error.filename)
            # Other changes name their file themselves.
            assert failed[:1] != ["fsync"] or str(out) in told
        same(whole(play(out)), undisturbed)
        if not failed:
            break
    assert steps > 20


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT])
def test_a_disk_that_cannot_be_written_is_one_line_and_can_still_be_looked_at(
    number: int,
    definition: Path,
    tmp_path: Path,
    undisturbed: pl.DataFrame,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "out"
    Run.create(out, EXPERIMENT)
    commands: Sequence[Sequence[str | Path]] = (["resume", out], ["run", definition, "--out", out])
    for after, arguments in enumerate(commands):
        with monkeypatch.context() as disk:
            break_disk(after, OSError(number, os.strerror(number)), disk)
            told = refused(capsys, *arguments, "--workers", "1")
            assert os.strerror(number) in told
            assert "what is done is kept" in told
            assert main(["lab", "status", str(out)]) == 0
            assert main(["lab", "report", str(out)]) == 0
    same(whole(play(out)), undisturbed)


def test_a_disk_that_is_full_before_a_run_exists_promises_nothing_to_resume(
    definition: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "out"
    break_disk(0, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), monkeypatch)
    told = refused(capsys, "run", definition, "--out", out, "--workers", "1")
    assert os.strerror(errno.ENOSPC) in told
    assert "kept" not in told


def test_rows_that_cannot_be_read_now_are_neither_lost_nor_played_again(
    tmp_path: Path,
    undisturbed: pl.DataFrame,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "out"
    shards = play(out).shards()
    read = Path.read_bytes

    def forbidden(path: Path) -> bytes:
        if path in shards:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return read(path)

    with monkeypatch.context() as rights:
        rights.setattr(Path, "read_bytes", forbidden)
        for command in ("status", "report", "resume"):
            assert os.strerror(errno.EACCES) in refused(capsys, command, out)
    assert Run.open(out).shards() == shards
    same(whole(Run.open(out)), undisturbed)


def test_a_shard_that_is_damaged_is_left_out_and_that_is_said(
    tmp_path: Path, undisturbed: pl.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    first, *_ = play(out).shards()
    first.write_bytes(first.read_bytes()[:-1] + b"?")
    for command in ("status", "report"):
        capsys.readouterr()
        assert main(["lab", command, str(out)]) == 0
        told = capsys.readouterr().err
        assert f"1 file is damaged or foreign and was left out: {first}" in told
        assert f"lab resume {out}" in told
    same(whole(play(out)), undisturbed)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_pipe_in_a_run_directory_holds_nobody_up(
    tmp_path: Path, undisturbed: pl.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    play(out)
    os.mkfifo(out / "shards" / "000009.parquet")
    assert main(["lab", "status", str(out)]) == 0
    same(whole(play(out)), undisturbed)
    (out / ".lock").unlink()
    os.mkfifo(out / ".lock")
    assert ".lock is not a file" in refused(capsys, "resume", out)


def test_a_run_that_lost_its_empty_directory_of_shards_is_played(
    tmp_path: Path, undisturbed: pl.DataFrame
) -> None:
    out = tmp_path / "out"
    Run.create(out, EXPERIMENT)
    (out / "shards").rmdir()
    same(whole(play(out)), undisturbed)


def test_a_definition_without_end_is_refused_and_one_with_a_mark_of_its_encoding_is_read(
    definition: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if Path("/dev/zero").exists():
        endless = tmp_path / "endless.toml"
        endless.symlink_to("/dev/zero")
        assert "is larger than" in refused(capsys, "run", endless)
    definition.write_bytes(b"\xef\xbb\xbf" + definition.read_bytes())
    assert Experiment.load(definition) == EXPERIMENT
    definition.write_bytes(b"\xff\xfe")
    assert "this is not UTF-8" in refused(capsys, "run", definition)


def test_a_file_is_on_the_disk_before_it_takes_the_place_of_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_text("old", encoding="utf-8")
    done: list[tuple[str, str]] = []

    def watch(name: str) -> None:
        change = getattr(os, name)

        def changed(*given: object) -> None:
            done.append((name, path.read_text("utf-8")))
            change(*given)

        monkeypatch.setattr(os, name, changed)

    for name in ("fsync", "replace"):
        watch(name)
    write_whole(path, "new")
    # A machine that stops at any moment leaves either the old file or the new one, never half of
    # it.
    assert done == [("fsync", "old"), ("replace", "old")]
    assert path.read_text("utf-8") == "new"


def test_a_file_too_large_to_describe_a_run_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minewright.lab.files.MAX_BYTES", 10)
    path = tmp_path / "experiment.json"
    path.write_bytes(b"x" * 10)
    assert len(read_small(path)) == 10
    path.write_bytes(b"x" * 11)
    with pytest.raises(StoreError, match="is larger than"):
        read_small(path)


def test_a_directory_that_is_removed_meanwhile_is_one_line(
    definition: Path,
    tmp_path: Path,
    undisturbed: pl.DataFrame,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "out"
    command: Sequence[str | Path] = ["run", definition, "--out", out, "--workers", "1"]
    flush = lab_run._GameStore.flush

    def remove_and_flush(self: lab_run._GameStore) -> None:
        shutil.rmtree(out, ignore_errors=True)
        flush(self)

    with monkeypatch.context() as disk:
        disk.setattr(lab_run._GameStore, "flush", remove_and_flush)
        assert str(out) in refused(capsys, *command)
    assert not out.exists()
    assert main(["lab", *map(str, command)]) == 0
    same(whole(Run.open(out)), undisturbed)


# The clock


def test_a_clock_that_jumps_changes_neither_rows_nor_progress(
    tmp_path: Path, undisturbed: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    jumps = cycle([0.0, 2e9, 1.0, 4e9])
    monkeypatch.setattr(time, "time", lambda: next(jumps))
    monkeypatch.setattr(
        lab_run, "strftime", lambda form: time.strftime(form, time.gmtime(next(jumps)))
    )
    run = play(tmp_path / "run")
    same(whole(run), undisturbed)
    told = json.loads((run.directory / "progress.json").read_bytes())
    assert told["played"] == told["games"] == undisturbed.height
    assert told["games_per_second"] > 0


# The shards


def flip(shard: Path) -> None:
    data = bytearray(shard.read_bytes())
    data[len(data) // 3] ^= 4
    shard.write_bytes(data)


def shorten(shard: Path) -> None:
    shard.write_bytes(shard.read_bytes()[:-100])


def empty(shard: Path) -> None:
    shard.write_bytes(b"")


def replace_by_another_file(shard: Path) -> None:
    shard.write_bytes(b"\\documentclass{article}")


def lose(shard: Path) -> None:
    shard.unlink()


def copy(shard: Path) -> None:
    shutil.copy(shard, shard.with_name(shard.name.replace("000002", "000777")))


def copy_aside(shard: Path) -> None:
    shutil.copy(shard, shard.with_name("copy of " + shard.name))


def mix_in_another_seed(shard: Path) -> None:
    other = play(shard.parents[2] / "other", replace(EXPERIMENT, seed=6))
    shutil.copy(other.shards()[0], shard.with_name("000777.parquet"))


def mix_in_other_players(shard: Path) -> None:
    arms = tuple(replace(arm, guesser="safest") for arm in EXPERIMENT.arms)
    other = play(shard.parents[2] / "other", replace(EXPERIMENT, arms=arms))
    shutil.copy(other.shards()[0], shard.with_name("000000.parquet"))


def mix_in_more_games(shard: Path) -> None:
    other = play(shard.parents[2] / "other", replace(EXPERIMENT, games=4))
    shutil.copy(other.shards()[0], shard.with_name("000000.parquet"))


DAMAGES: Sequence[Callable[[Path], None]] = (
    flip,
    shorten,
    empty,
    replace_by_another_file,
    lose,
    copy,
    copy_aside,
    mix_in_another_seed,
    mix_in_other_players,
    mix_in_more_games,
)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_run_with_a_damaged_shard_plays_what_is_missing_and_counts_nothing_else(
    damage: Callable[[Path], None], tmp_path: Path, undisturbed: pl.DataFrame
) -> None:
    run = play(tmp_path / "run")
    damage(run.shards()[1])
    before = run.rows()
    kept = undisturbed.join(before, on=["arm", "stream"], how="semi", maintain_order="left")
    same(before, kept)
    assert run.complete == (before.height == undisturbed.height)
    run.play(Here)
    same(whole(run), undisturbed)


def test_no_byte_of_a_shard_changes_unnoticed(tmp_path: Path, undisturbed: pl.DataFrame) -> None:
    run = play(tmp_path / "run")
    shard = run.shards()[0]
    sound = shard.read_bytes()
    rest = undisturbed.height - pl.read_parquet(shard).height
    for at in range(0, len(sound), len(sound) // 50):
        shard.write_bytes(sound[:at] + bytes([sound[at] ^ 1]) + sound[at + 1 :])
        assert run.rows().height == rest
    shard.write_bytes(sound)
    same(run.rows(), undisturbed)


# Two processes


def test_a_second_process_in_a_run_directory_is_one_line_and_changes_nothing(
    definition: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    Run.create(out, EXPERIMENT)
    before = sorted(out.rglob("*"))
    with locked(out):
        commands: Sequence[Sequence[str | Path]] = (
            ["resume", out],
            ["run", definition, "--out", out],
        )
        for arguments in commands:
            told = refused(capsys, *arguments, "--workers", "1")
            assert f"{out} is being played by another process" in told
        assert main(["lab", "status", str(out)]) == 0
    assert sorted(path for path in out.rglob("*") if path.name != ".lock") == before


def make(number: int, row: int) -> tuple[float, ...]:
    return float(number), float(row)


PIECES = [Piece(str(number), range(2), 1.0, partial(make, number)) for number in range(2)]


def test_a_second_process_in_the_store_of_a_reproduction_is_one_line(tmp_path: Path) -> None:
    claim(tmp_path, {"reproduction": "x"})
    with locked(tmp_path), pytest.raises(StoreError, match="is being played by another process"):
        complete(tmp_path, PIECES, 1, Quiet())
    assert complete(tmp_path, PIECES, 1, Quiet()) == [[(0, 0), (0, 1)], [(1, 0), (1, 1)]]


class Pair(NamedTuple):
    """A row with names."""

    stream: int
    energy: float


def make_pair(row: int) -> tuple[float, ...]:
    return Pair(10**12 + row, -1.5)


def test_rows_that_have_names_are_kept_like_all_others(tmp_path: Path) -> None:
    claim(tmp_path, {"reproduction": "x"})
    named = [Piece("pairs", range(2), 1.0, make_pair)]
    assert complete(tmp_path, named, 1, Quiet()) == [[(10**12, -1.5), (10**12 + 1, -1.5)]]


def spoil(shard: Path) -> None:
    """Keep the file and its rows, but not the exact bytes that were written."""
    rows = pl.read_parquet(shard)
    shard.unlink()
    rows.head(1).write_parquet(shard.with_name("000001.parquet"))


def rename(shard: Path) -> None:
    """Make the rows those of another piece."""
    rows = pl.read_parquet(shard)
    shard.unlink()
    rows.with_columns(piece=pl.lit("7")).write_parquet(shard.with_name("000001.parquet"))


def repeat(shard: Path) -> None:
    """Have one of its rows twice, in place of another."""
    rows = pl.read_parquet(shard)
    shard.unlink()
    pl.concat([rows.head(1)] * 2).write_parquet(shard.with_name("000001.parquet"))


def blank(shard: Path) -> None:
    """Leave a number out of a row."""
    rows = pl.read_parquet(shard)
    shard.unlink()
    values = [[None, *row[1:]] for row in rows["values"]]
    rows = rows.with_columns(pl.Series("values", values, rows.schema["values"]))
    rows.write_parquet(shard.with_name("000001.parquet"))


@pytest.mark.parametrize(
    "damage", [*DAMAGES[:5], spoil, rename, repeat, blank], ids=lambda one: one.__name__
)
def test_a_piece_that_the_disk_broke_is_made_again(
    damage: Callable[[Path], None], tmp_path: Path
) -> None:
    claim(tmp_path, {"reproduction": "x"})
    wanted = complete(tmp_path, PIECES, 1, Quiet())
    first, _ = sorted((tmp_path / "shards").iterdir())
    damage(first)
    assert complete(tmp_path, PIECES, 1, Quiet()) == wanted
    again = [path for path in (tmp_path / "shards").iterdir() if path.suffix == ".parquet"]
    assert len(again) == 2
