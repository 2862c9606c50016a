"""Runs that are killed, starved and interrupted: nothing is lost, nothing counts twice."""

import errno
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from minewright.cli import main
from minewright.lab import executors
from minewright.lab import run as lab_run
from minewright.lab.executors import Here
from minewright.lab.experiment import Experiment
from minewright.lab.run import LOCK, Run
from minewright.lab.store import write_whole

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks into /proc")

EXPERIMENT = """
strategies = ["single-point", {strategy = "single-point", guesser = "safest"}]
boards = ["9x9x10", "8x8x14"]
games = 300
seed = 5
"""
GAMES = 4 * 300

# The command as it is, but rows are kept more often, and it halts when the first of them are.
COMMAND = """
import os, signal, sys
from minewright.lab import run
run.SHARD_SECONDS = 0.1
keep = run._Keeper.keep
def keep_and_halt(self):
    run._Keeper.keep = keep
    keep(self)
    os.kill(os.getpid(), signal.SIGSTOP)
if "run" in sys.argv:
    run._Keeper.keep = keep_and_halt
from minewright.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    run = Run.create(
        tmp_path_factory.mktemp("run") / "whole", Experiment.from_toml(EXPERIMENT, "x")
    )
    run.play(Here, ahead=1)
    rows = run.rows()
    assert rows.height == GAMES
    return rows


@pytest.fixture
def definition(tmp_path: Path) -> Path:
    path = tmp_path / "x.toml"
    path.write_text(EXPERIMENT, encoding="utf-8")
    return path


def same(found: pl.DataFrame, wanted: pl.DataFrame) -> None:
    """Compare all but the one column that no two runs share."""
    assert_frame_equal(found.drop("cpu_seconds"), wanted.drop("cpu_seconds"))


def resume(directory: Path) -> pl.DataFrame:
    """Go on with a run to its end."""
    run = Run.open(directory)
    run.play(Here, ahead=1)
    return whole(run)


def whole(run: Run) -> pl.DataFrame:
    """Give the rows of a run that is over, and see that it left nothing half done."""
    assert run.complete
    assert {path.name for path in run.directory.rglob(".*")} == {LOCK}
    return run.rows()


@contextmanager
def started(*arguments: str | Path, code: str = COMMAND) -> Iterator[subprocess.Popen[str]]:
    """Start a command in a session of its own, so that a signal can go to all of it."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_until(what: Callable[[], object], seconds: float = 60.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.01)
    return False


def halted(process: subprocess.Popen[str]) -> bool:
    stat = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8")
    return stat.rpartition(")")[2].split()[0] == "T"


def gone(workers: list[int]) -> bool:
    return not any(map(is_worker, workers))


def children(process: int) -> list[int]:
    text = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8")
    return [int(child) for child in text.split()]


def is_worker(process: int) -> bool:
    try:
        return b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


class Killed(BaseException):
    """The process is gone; nothing it would still do reaches the disk."""


def die(after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let so many changes of the disk through: from the next one on it is out of reach."""
    steps = iter(range(after))

    def mortal(change: Callable[..., object]) -> Callable[..., object]:
        def changed(*arguments: object, **options: object) -> object:
            if next(steps, None) is None:
                raise Killed
            return change(*arguments, **options)

        return changed

    real: Callable[..., object] = io.open
    opening = mortal(real)

    def opened(file: object, mode: str = "r", *more: object, **options: object) -> object:
        return (opening if "w" in mode else real)(file, mode, *more, **options)

    for name in ("fsync", "mkdir", "rename", "replace", "unlink"):
        monkeypatch.setattr(os, name, mortal(getattr(os, name)))
    monkeypatch.setattr(io, "open", opened)
    # Whoever goes on is another process.
    monkeypatch.setattr(os, "getpid", lambda: -1)


def test_a_run_that_dies_at_any_change_of_the_disk_loses_and_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = 'strategies = ["single-point"]\nboards = ["9x9x10", "8x8x14"]\ngames = 3'
    experiment = Experiment.from_toml(text, "x")
    monkeypatch.setattr(lab_run, "SHARD_ROWS", 1)

    def play(directory: Path) -> Run:
        run = Run.create(directory, experiment)
        run.play(Here, ahead=1)
        return run

    undisturbed = whole(play(tmp_path / "undisturbed"))
    for steps in count():
        deaths = 0
        # What is left by one death must be borne by the next.
        for _ in range(2):
            with monkeypatch.context() as mortality:
                die(steps, mortality)
                try:
                    play(tmp_path / str(steps))
                except Killed:
                    deaths += 1
        same(whole(play(tmp_path / str(steps))), undisturbed)
        if not deaths:
            break
    assert steps > 20


def test_a_run_that_is_killed_takes_its_workers_along_and_is_resumed_by_the_command(
    definition: Path, tmp_path: Path, undisturbed: pl.DataFrame
) -> None:
    out = tmp_path / "out"
    with started("lab", "run", definition, "--out", out, "--workers", "2") as process:
        assert wait_until(partial(halted, process))
        workers = list(filter(is_worker, children(process.pid)))
        process.kill()
    assert len(workers) == 2
    assert wait_until(partial(gone, workers)), "workers outlive their run"
    assert 0 < Run.open(out).rows().height < GAMES
    with started("lab", "resume", out, "--workers", "2") as process:
        _, complaints = process.communicate(timeout=60)
    assert (process.returncode, complaints) == (0, "")
    same(whole(Run.open(out)), undisturbed)


def test_a_run_goes_on_when_one_of_its_workers_is_killed(
    definition: Path, tmp_path: Path, undisturbed: pl.DataFrame
) -> None:
    out = tmp_path / "out"
    with started("lab", "run", definition, "--out", out, "--workers", "2") as process:
        assert wait_until(partial(halted, process))
        victim = next(filter(is_worker, children(process.pid)))
        os.kill(victim, signal.SIGKILL)
        process.send_signal(signal.SIGCONT)
        _, complaints = process.communicate(timeout=60)
    assert (process.returncode, complaints) == (0, "")
    same(Run.open(out).rows(), undisturbed)


def test_a_full_disk_is_one_line_and_the_run_goes_on_when_there_is_room(
    definition: Path,
    tmp_path: Path,
    undisturbed: pl.DataFrame,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def full(path: Path, content: str | bytes) -> None:
        if isinstance(content, bytes):  # rows, and not the small files
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write_whole(path, content)

    out = tmp_path / "out"
    with monkeypatch.context() as disk:
        disk.setattr(lab_run, "write_whole", full)
        assert main(["lab", "run", str(definition), "--out", str(out)]) == 2
    output, complaints = capsys.readouterr()
    assert (output, complaints.count("\n")) == ("", 1)
    assert "resume" in complaints
    same(resume(out), undisturbed)


def test_an_interrupt_ends_a_run_in_one_line_and_it_goes_on(
    definition: Path, tmp_path: Path, undisturbed: pl.DataFrame
) -> None:
    out = tmp_path / "out"
    with started("lab", "run", definition, "--out", out, "--workers", "2") as process:
        assert wait_until(partial(halted, process))
        # As Ctrl-C does: to the run and its workers.
        os.killpg(process.pid, signal.SIGINT)
        process.send_signal(signal.SIGCONT)
        output, complaints = process.communicate(timeout=60)
    assert (process.returncode, output, complaints.count("\n")) == (130, "", 1)
    assert f"lab resume {out}" in complaints
    assert 0 < Run.open(out).rows().height < GAMES
    same(resume(out), undisturbed)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """Start a Dask scheduler and two workers as processes: its address, and the workers."""
    place = tmp_path / "scheduler.json"
    where = ("--scheduler-file", place)
    scheduler = "import sys; from distributed.cli.dask_scheduler import main; main(sys.argv[1:])"
    worker = "import sys; from distributed.cli.dask_worker import main; main(sys.argv[1:])"
    own = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--local-directory", tmp_path)
    with ExitStack() as stack:
        begin = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        stack.enter_context(started(*begin, *where, code=scheduler))
        workers = [stack.enter_context(started(*own, *where, code=worker)) for _ in range(2)]
        assert wait_until(lambda: place.exists() and place.read_text(encoding="utf-8"))
        yield json.loads(place.read_text(encoding="utf-8"))["address"], workers


def test_a_cluster_gives_the_same_rows_even_if_one_of_its_workers_is_killed(
    definition: Path,
    tmp_path: Path,
    undisturbed: pl.DataFrame,
    cluster: tuple[str, list[subprocess.Popen[str]]],
) -> None:
    out = tmp_path / "out"
    address, workers = cluster
    with started("lab", "run", definition, "--out", out, "--dask", address) as process:
        assert wait_until(partial(halted, process))
        workers[0].kill()
        process.send_signal(signal.SIGCONT)
        _, complaints = process.communicate(timeout=60)
    assert (process.returncode, complaints) == (0, "")
    assert workers[1].poll() is None
    same(Run.open(out).rows(), undisturbed)


def test_a_cluster_that_nobody_runs_is_one_line(
    definition: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(executors, "ANSWER_SECONDS", 0.2)
    arguments = ["lab", "run", str(definition), "--out", str(tmp_path / "out")]
    assert main([*arguments, "--dask", "127.0.0.1:1"]) == 2
    output, complaints = capsys.readouterr()
    assert (output, complaints.count("\n")) == ("", 1)
    assert "no Dask scheduler answers at 127.0.0.1:1" in complaints
