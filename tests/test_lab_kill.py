"""Runs whose processes are killed or interrupted: nothing is lost, nothing counts twice."""

import asyncio
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple, Never, cast

import polars as pl
import pytest
from lab_runs import same, whole
from processes import CHILDREN, HANG, wait_until
from processes import started as started_command

from minewright.cli import main
from minewright.lab.experiment import Experiment
from minewright.lab.run import Run
from minewright.work import cluster
from minewright.work.cluster import Cluster
from minewright.work.executors import Here, processes

pytestmark = pytest.mark.skipif(not CHILDREN.exists(), reason="looks into /proc")

EXPERIMENT = """
strategies = ["single-point", {strategy = "single-point", guesser = "safest"}]
boards = ["9x9x10", "8x8x14"]
games = 200
seed = 5
"""
GAMES = 4 * 200

# The command itself, with some changes. It hears interrupts even if the tests were started where
# these are ignored. It waits for a cluster as long as that takes to start. It writes its first task
# at once, and then halts. And it never reports its progress, however long it takes.
COMMAND = f"""
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
from minewright.lab import store
from minewright.work import cluster
cluster.ANSWER_SECONDS = {HANG}
store.SHARD_SECONDS = 0.0
flush = store.Store.flush
def flush_and_halt(self):
    store.SHARD_SECONDS = 5.0
    store.Store.flush = flush
    flush(self)
    os.kill(os.getpid(), signal.SIGSTOP)
store.Store.flush = flush_and_halt
from minewright.cli import bars, main
bars.LINE_SECONDS = 1e9
sys.exit(main(sys.argv[1:]))
"""
# After the halt, it soon notices that a cluster is gone.
HALT = "    os.kill(os.getpid(), signal.SIGSTOP)\n"
HASTY = COMMAND.replace(HALT, f"    cluster.ANSWER_SECONDS = 0.2\n{HALT}")
assert HASTY != COMMAND


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    run = Run.create(
        tmp_path_factory.mktemp("run") / "whole", Experiment.from_toml(EXPERIMENT, "x")
    )
    run.play(Here)
    rows = run.rows()
    assert rows.height == GAMES
    return rows


@pytest.fixture
def definition(tmp_path: Path) -> Path:
    path = tmp_path / "x.toml"
    path.write_text(EXPERIMENT, encoding="utf-8")
    return path


def resume(directory: Path) -> pl.DataFrame:
    """Continue a stopped run to its end, by the command."""
    assert 0 < Run.open(directory).rows().height < GAMES
    assert main(["lab", "resume", str(directory), "--workers", "1"]) == 0
    return whole(Run.open(directory))


def started(
    *arguments: str | Path, code: str = COMMAND
) -> AbstractContextManager[subprocess.Popen[str]]:
    """Start Python code in a session of its own, so that a signal can reach all of it."""
    return started_command([sys.executable, "-c", code, *arguments])


def wait_until_halted(process: subprocess.Popen[str]) -> None:
    """Wait until a command has kept its first task."""

    def halted() -> bool:
        assert process.poll() is None, process.communicate()
        stat = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8")
        return stat.rpartition(")")[2].split()[0] == "T"

    assert wait_until(halted)


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


def test_a_run_that_is_killed_takes_its_workers_along_and_is_resumed_by_the_command(
    definition: Path, tmp_path: Path, undisturbed: pl.DataFrame
) -> None:
    out = tmp_path / "out"
    with started("lab", "run", definition, "--out", out, "--workers", "2") as process:
        wait_until_halted(process)
        workers = list(filter(is_worker, children(process.pid)))
        assert len(workers) == 2
        process.kill()
        # Before the whole session is ended.
        assert wait_until(partial(gone, workers))
    same(resume(out), undisturbed)


def test_a_run_goes_on_when_one_of_its_workers_is_killed(
    definition: Path, tmp_path: Path, undisturbed: pl.DataFrame
) -> None:
    out = tmp_path / "out"
    with started("lab", "run", definition, "--out", out, "--workers", "2") as process:
        wait_until_halted(process)
        victim = next(filter(is_worker, children(process.pid)))
        os.kill(victim, signal.SIGKILL)
        process.send_signal(signal.SIGCONT)
        _, complaints = process.communicate(timeout=HANG)
    assert (process.returncode, complaints) == (0, "")
    same(whole(Run.open(out)), undisturbed)


@pytest.mark.parametrize(
    ("name", "workers_too"),
    [("SIGINT", True), ("SIGTERM", False), ("SIGHUP", False)],
    ids=["Ctrl-C", "a request to end", "a closed terminal"],
)
def test_an_interrupt_ends_a_run_in_one_line_and_it_goes_on(
    name: str,
    workers_too: bool,
    definition: Path,
    tmp_path: Path,
    undisturbed: pl.DataFrame,
) -> None:
    out = tmp_path / "out"
    with started("lab", "run", definition, "--out", out, "--workers", "2") as process:
        wait_until_halted(process)
        (os.killpg if workers_too else os.kill)(process.pid, signal.Signals[name])
        process.send_signal(signal.SIGCONT)
        output, complaints = process.communicate(timeout=HANG)
    assert (process.returncode, output, complaints.count("\n")) == (130, "", 1), complaints
    assert f"lab resume {out}" in complaints
    same(resume(out), undisturbed)


def stop(seconds: float) -> None:
    """Stop a pool of processes in the middle of a game that takes this many `seconds`."""
    with processes(2) as pool:
        pool.submit(os.getpid).result(HANG)
        game = pool.submit(time.sleep, seconds)
        assert wait_until(game.running)
        raise KeyboardInterrupt


def test_whoever_stops_a_pool_waits_for_no_game_and_ends_nobody_elses_process() -> None:
    neighbour = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(10 * HANG,))
    neighbour.start()
    with pytest.raises(KeyboardInterrupt):
        stop(10 * HANG)
    assert multiprocessing.active_children() == [neighbour]
    neighbour.kill()
    neighbour.join()


class Machines(NamedTuple):
    """A Dask cluster of processes."""

    address: str
    scheduler: subprocess.Popen[str]
    workers: list[subprocess.Popen[str]]


@contextmanager
def machines(place: Path, workers: int) -> Iterator[Machines]:
    """Start a Dask scheduler and its workers as processes."""
    where = ("--scheduler-file", place / "scheduler.json")
    serve = "import sys; from distributed.cli.dask_scheduler import main; main(sys.argv[1:])"
    work = "import sys; from distributed.cli.dask_worker import main; main(sys.argv[1:])"
    own = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--local-directory", place)
    with ExitStack() as stack:
        begin = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        scheduler = stack.enter_context(started(*begin, *where, code=serve))
        working = [stack.enter_context(started(*own, *where, code=work)) for _ in range(workers)]
        assert wait_until(lambda: where[1].exists() and where[1].read_text(encoding="utf-8"))
        address = json.loads(where[1].read_text(encoding="utf-8"))["address"]
        yield Machines(address, scheduler, working)


def test_a_cluster_gives_the_same_rows_even_if_one_of_its_workers_is_killed(
    definition: Path, tmp_path: Path, undisturbed: pl.DataFrame
) -> None:
    out = tmp_path / "out"
    with (
        machines(tmp_path, 2) as (address, _, workers),
        started("lab", "run", definition, "--out", out, "--dask", address) as process,
    ):
        # While it is halted it fetches no answers: those that the worker has ready die with it.
        wait_until_halted(process)
        workers[0].kill()
        process.send_signal(signal.SIGCONT)
        _, complaints = process.communicate(timeout=HANG)
        assert workers[1].poll() is None
    assert (process.returncode, complaints) == (0, "")
    same(whole(Run.open(out)), undisturbed)


def test_a_scheduler_that_is_killed_ends_the_run_in_one_line_and_it_goes_on(
    definition: Path, tmp_path: Path, undisturbed: pl.DataFrame
) -> None:
    out = tmp_path / "out"
    with (
        machines(tmp_path, 1) as (address, scheduler, _),
        started("lab", "run", definition, "--out", out, "--dask", address, code=HASTY) as process,
    ):
        wait_until_halted(process)
        scheduler.kill()
        process.send_signal(signal.SIGCONT)
        output, complaints = process.communicate(timeout=HANG)
    assert (process.returncode, output, complaints.count("\n")) == (2, "", 1)
    assert f"no Dask scheduler answers at {address}" in complaints
    assert f"what is done is kept, `minewright lab resume {out}` goes on" in complaints
    same(resume(out), undisturbed)


class Answer:
    """An answer of a worker, which is noted when it has arrived at the asker."""

    arrived = False

    def __reduce__(self) -> tuple[Callable[[], str], tuple[()]]:
        return arrive, ()


def arrive() -> str:
    Answer.arrived = True
    return "an answer"


def test_an_answer_whose_worker_is_lost_as_it_arrives_is_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from distributed import Client, Future, LocalCluster

    status: Callable[[Future[object]], str | None] = vars(Future)["status"].fget

    def lost_after_arrival(future: "Future[object]") -> str | None:
        return "lost" if Answer.arrived else status(future)

    monkeypatch.setattr(Answer, "arrived", False)
    monkeypatch.setattr(Future, "status", property(lost_after_arrival))
    with (
        LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            processes=False,
            protocol="tcp",
            dashboard_address="127.0.0.1:0",
        ) as cluster,
        Client(cluster) as client,
        Cluster(client) as executor,
    ):
        assert repr(executor.submit(Answer).result(HANG)) == "'an answer'"
    assert Answer.arrived


class FailingClient:
    """A client whose tasks fail with an error that says nothing about a loss."""

    def __init__(self, status: str) -> None:
        self.status = status

    def sync(self, function: object) -> None:
        """Return no event loop: the test awaits the answer in its own loop."""

    async def submit(self, *call: object, pure: bool) -> Never:
        """Fail."""
        raise ArithmeticError("it failed")


@pytest.mark.parametrize(
    ("status", "error"), [("running", ArithmeticError), ("closed", BrokenExecutor)]
)
def test_an_error_is_the_tasks_own_only_while_the_cluster_runs(
    status: str, error: type[Exception]
) -> None:
    from distributed import Client

    executor = Cluster(cast("Client", FailingClient(status)))
    with pytest.raises(error, match="it failed"):
        asyncio.run(executor._answer(int))


def test_a_cluster_that_nobody_runs_is_one_line(
    definition: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(cluster, "ANSWER_SECONDS", 0.2)
    arguments = ["lab", "run", str(definition), "--out", str(tmp_path / "out")]
    assert main([*arguments, "--dask", "127.0.0.1:1"]) == 2
    output, complaints = capsys.readouterr()
    assert (output, complaints.count("\n")) == ("", 1)
    assert "no Dask scheduler answers at 127.0.0.1:1" in complaints
