"""Runs that are killed, starved and interrupted: nothing is lost, nothing counts twice."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from random import Random

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from minewright.lab.executors import Here
from minewright.lab.experiment import Experiment
from minewright.lab.run import LOCK, Run

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks into /proc")

EXPERIMENT = """
strategies = ["single-point", {strategy = "single-point", guesser = "safest"}]
boards = ["9x9x10", "8x8x14"]
games = 700
seed = 5
"""
GAMES = 4 * 700

# The command as it is, but rows are kept much more often, so that there is something to lose.
COMMAND = """
import sys
from minewright.lab import run
run.SHARD_SECONDS = 0.1
from minewright.cli import main
sys.exit(main(sys.argv[1:]))
"""
STARVED = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (6000, resource.RLIM_INFINITY))
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
    """Go on with the real command, to the end."""
    command = [
        sys.executable,
        "-m",
        "minewright",
        "lab",
        "resume",
        str(directory),
        "--workers",
        "2",
    ]
    subprocess.run(command, check=True, capture_output=True)
    run = Run.open(directory)
    assert run.complete
    left = {path.name for path in directory.rglob(".*")}
    assert left == {LOCK}
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


def wait_until(what: Callable[[], object], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.01)
    return False


def shards(directory: Path) -> int:
    return len(list((directory / "shards").glob("*.parquet")))


def grown(directory: Path, before: int, process: subprocess.Popen[str]) -> bool:
    return shards(directory) > before or process.poll() is not None


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


def test_a_run_killed_again_and_again_at_random_moments_loses_and_doubles_nothing(
    definition: Path, tmp_path: Path, undisturbed: pl.DataFrame
) -> None:
    out = tmp_path / "out"
    random = Random(6)
    ends: list[int] = []
    # Of the moments some fall into the start of a run, some while it plays and writes.
    for playing in (False, True, True, False, True):
        before = shards(out)
        with started("lab", "run", definition, "--out", out, "--workers", "2") as process:
            if playing:
                assert wait_until(partial(grown, out, before, process))
                time.sleep(random.uniform(0.0, 0.15))
            else:
                time.sleep(random.uniform(0.1, 1.2))
            alive = process.poll() is None
            workers = list(filter(is_worker, children(process.pid))) if alive else []
            process.kill()
            _, complaints = process.communicate()
            # A run may be through before, but it fails by nothing but the kill.
            assert process.returncode in (-signal.SIGKILL, 0), complaints
            ends.append(process.returncode)
        assert wait_until(partial(gone, workers)), "workers outlive their run"
    assert ends.count(-signal.SIGKILL) >= 3
    assert 0 < Run.open(out).rows().height <= GAMES
    same(resume(out), undisturbed)


def test_a_run_goes_on_when_one_of_its_workers_is_killed(
    definition: Path, tmp_path: Path, undisturbed: pl.DataFrame
) -> None:
    out = tmp_path / "out"
    with started("lab", "run", definition, "--out", out, "--workers", "2") as process:
        assert wait_until(lambda: shards(out))
        victim = next(filter(is_worker, children(process.pid)))
        os.kill(victim, signal.SIGKILL)
        _, complaints = process.communicate(timeout=30)
    assert (process.returncode, complaints) == (0, "")
    same(Run.open(out).rows(), undisturbed)


def test_a_full_disk_is_one_line_and_the_run_goes_on_when_there_is_room(
    definition: Path, tmp_path: Path, undisturbed: pl.DataFrame
) -> None:
    out = tmp_path / "out"
    arguments = ("lab", "run", definition, "--out", out, "--workers", "2")
    # The limit is on the size of a file: all written rows fail, and the small files do not.
    with started(*arguments, code=STARVED + COMMAND) as process:
        output, complaints = process.communicate(timeout=30)
    assert (process.returncode, output, complaints.count("\n")) == (2, "", 1)
    assert "resume" in complaints
    same(resume(out), undisturbed)


def test_an_interrupt_ends_a_run_in_one_line_and_it_goes_on(
    definition: Path, tmp_path: Path, undisturbed: pl.DataFrame
) -> None:
    out = tmp_path / "out"
    with started("lab", "run", definition, "--out", out, "--workers", "2") as process:
        assert wait_until(lambda: shards(out))
        # As Ctrl-C does: to the run and its workers.
        os.killpg(process.pid, signal.SIGINT)
        output, complaints = process.communicate(timeout=10)
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
        assert wait_until(lambda: shards(out))
        workers[0].kill()
        assert process.poll() is None
        _, complaints = process.communicate(timeout=40)
    assert (process.returncode, complaints) == (0, "")
    assert workers[1].poll() is None
    same(Run.open(out).rows(), undisturbed)


def test_a_cluster_that_nobody_runs_is_one_line(definition: Path, tmp_path: Path) -> None:
    arguments = ("lab", "run", definition, "--out", tmp_path / "out", "--dask", "127.0.0.1:1")
    with started(*arguments) as process:
        output, complaints = process.communicate(timeout=40)
    assert (process.returncode, output, complaints.count("\n")) == (2, "", 1)
    assert "no Dask scheduler answers at 127.0.0.1:1" in complaints
