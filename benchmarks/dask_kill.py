"""Kill Dask workers again and again while experiments are played, and compare the rows.

    python benchmarks/dask_kill.py --kills 40

Each killed worker is replaced. Runs are played one after another until this many workers have been
killed, and each must give the rows of an undisturbed run. The moments are random and depend on the
machine: this is a search, not a test.
"""

import argparse
import asyncio
import logging
import multiprocessing
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Event, Thread

import polars as pl
from distributed import Client, LocalCluster, Worker

from minewright.lab.experiment import Experiment
from minewright.lab.run import Run
from minewright.work.cluster import Cluster
from minewright.work.executors import Here, OpenWorkers

EXPERIMENT = Experiment.grid(
    "kill", strategies=["single-point"], boards=["9x9x10", "8x8x14"], games=1000, seed=5
)
WORKERS = 3


def work(address: str) -> None:
    """Be a worker until killed."""
    logging.disable()

    async def serve() -> None:
        async with Worker(address, nthreads=1, dashboard=False) as worker:
            await worker.finished()

    asyncio.run(serve())


class Killer:
    """Kills one worker after another, at random moments, until it has had enough."""

    def __init__(self, client: Client, address: str, kills: int, seed: int) -> None:
        self._client = client
        self._address = address
        self._left = kills
        self._random = random.Random(seed)
        # They start quickly: each is a copy of a process that has imported everything.
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["distributed", "minewright.lab.run"])
        self._workers = [self._start() for _ in range(WORKERS)]
        client.wait_for_workers(WORKERS)
        self.enough = Event()

    def start(self) -> None:
        """Begin killing."""
        Thread(target=self._kill, daemon=True).start()

    def _start(self) -> BaseProcess:
        process = self._context.Process(target=work, args=(self._address,), daemon=True)
        process.start()
        return process

    def _kill(self) -> None:
        while self._left:
            time.sleep(self._random.uniform(0.02, 0.4))
            if len(self._client.nthreads()) == WORKERS:
                victim = self._workers.pop(self._random.randrange(WORKERS))
                victim.kill()
                victim.join()
                self._workers.append(self._start())
                self._left -= 1
        self.enough.set()


def main() -> None:
    """Play and kill; end with an error if a run fails or gives other rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as place,
        LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=logging.CRITICAL) as cluster,
        Client(cluster) as client,
    ):

        @contextmanager
        def open_cluster() -> Iterator[Cluster]:
            with Cluster(client) as executor:
                yield executor

        wanted = _play(Path(place) / "whole", Here)
        killer = Killer(client, cluster.scheduler_address, options.kills, options.seed)
        killer.start()
        runs = failures = 0
        while not killer.enough.is_set():
            runs += 1
            try:
                found = _play(Path(place) / str(runs), open_cluster)
            except Exception as error:
                print(f"run {runs}: {type(error).__name__}: {error}", flush=True)
                failures += 1
                continue
            failures += not found.equals(wanted)
        print(f"{options.kills} workers killed in {runs} runs: {failures} failed", flush=True)
    if failures:
        raise SystemExit(1)


def _play(directory: Path, workers: OpenWorkers) -> pl.DataFrame:
    run = Run.create(directory, EXPERIMENT)
    run.play(workers)
    return run.rows().drop("cpu_seconds")


if __name__ == "__main__":
    main()
