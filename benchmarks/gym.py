"""Steps per second of the vector environment, beside EnvPool's and Jumanji's, on one core.

Every side gets the same board (10x10x10: neither peer has any other), the same number of games at
once and the same kind of actions: drawn before the clock starts, uniform over the cells, open or
not. The sides take turns, round after round, each in a process of its own; the time is processor
time.

The games differ. Neither peer opens the cells around a 0, and in both an action on an open cell
ends the game; ours opens them, and such an action changes nothing. Laying mines costs more than
opening a cell, so games per second are printed beside steps per second.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from time import process_time

SIDE, MINES = 10, 10
Run = Callable[[int], tuple[float, int]]


def minewright(lanes: int, board: str) -> Run:
    import numpy as np

    from minewright.gym import MinesweeperVectorEnv

    env = MinesweeperVectorEnv(lanes, board, start="any", copy=False)
    size = env.rules.board.size
    random = np.random.default_rng(1)
    env.reset(seed=1)

    def run(steps: int) -> tuple[float, int]:
        moves = random.integers(0, size, (steps, lanes))
        ended = 0
        begin = process_time()
        for step in range(steps):
            ended += int(env.step(moves[step])[2].sum())
        return process_time() - begin, ended

    return run


def envpool(lanes: int, board: str) -> Run:
    import numpy as np

    made = import_module("envpool").make(
        "Minesweeper-v0", env_type="gymnasium", num_envs=lanes, num_threads=1, seed=1
    )
    random = np.random.default_rng(1)
    made.reset()

    def run(steps: int) -> tuple[float, int]:
        moves = random.integers(0, SIDE, (steps, lanes, 2), np.int32)
        ended = 0
        begin = process_time()
        for step in range(steps):
            _, _, over, cut, _ = made.step(moves[step])
            ended += int((over | cut).sum())
        return process_time() - begin, ended

    return run


def jumanji(lanes: int, board: str) -> Run:
    jax = import_module("jax")
    numpy = import_module("jax.numpy")
    wrappers = import_module("jumanji.wrappers")
    env = wrappers.AutoResetWrapper(import_module("jumanji").make("Minesweeper-v0"))
    keys = jax.random.split(jax.random.PRNGKey(1), lanes)
    state, _ = jax.jit(jax.vmap(env.reset))(keys)

    def drawn(number: int) -> object:
        return jax.random.randint(jax.random.PRNGKey(number), (64, lanes, 2), 0, SIDE)

    def steps_of(state: object, moves: object) -> tuple[object, object]:
        def once(state: object, move: object) -> tuple[object, object]:
            state, step = jax.vmap(env.step)(state, move)
            return state, step.last().sum()

        after, over = jax.lax.scan(once, state, moves)
        return after, over

    many = jax.jit(steps_of)

    rounds = 0
    jax.block_until_ready(many(state, drawn(0)))

    def run(steps: int) -> tuple[float, int]:
        nonlocal state, rounds
        rounds += 1
        moves = [drawn(rounds << 16 | part) for part in range(steps // 64)]
        jax.block_until_ready(moves)
        ended = 0
        begin = process_time()
        for some in moves:
            state, over = many(state, some)
            ended += int(numpy.sum(over))
        return process_time() - begin, ended

    return run


MAKERS: dict[str, Callable[[int, str], Run]] = {
    "minewright": minewright,
    "envpool": envpool,
    "jumanji": jumanji,
}


def work(name: str, lanes: int, board: str) -> None:
    """Answer each line, a number of steps, with the seconds it took and how many games ended."""
    run = MAKERS[name](lanes, board)
    run(64)
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(run(int(line))), flush=True)


class Side:
    """One of the programs, in a process of its own, on one core."""

    def __init__(self, name: str, python: str, lanes: int, board: str) -> None:
        self.name, self.lanes = name, lanes
        self.speeds: list[float] = []
        self.ended = self.steps = 0
        self.process = subprocess.Popen(
            [python, __file__, "--work", name, "--lanes", str(lanes), "--board", board],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false"},
        )
        self.there = self.answer() == "ready"

    def answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def measure(self, seconds: float) -> None:
        """Take as many steps as should fit into the time, by the speed so far."""
        assert self.process.stdin is not None
        speed = self.speeds[-1] if self.speeds else 100_000.0
        steps = max(64, int(speed * seconds / self.lanes) // 64 * 64)
        print(steps, file=self.process.stdin, flush=True)
        took, ended = json.loads(self.answer())
        self.speeds.append(steps * self.lanes / took)
        self.ended += ended
        self.steps += steps * self.lanes


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--lanes", type=int, default=1024, help="games at once")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.5, help="per side and round")
    parser.add_argument("--peers-python", default=sys.executable, help="where the peers live")
    parser.add_argument("--work", choices=MAKERS, help=argparse.SUPPRESS)
    parser.add_argument("--board", default=f"{SIDE}x{SIDE}x{MINES}", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(given.work, given.lanes, given.board)
        return
    wanted = [
        ("9x9x10", "minewright", sys.executable, "9x9x10"),
        ("30x16x99", "minewright", sys.executable, "30x16x99"),
        ("10x10x10", "minewright", sys.executable, "10x10x10"),
        ("10x10x10", "envpool", given.peers_python, "10x10x10"),
        ("10x10x10", "jumanji", given.peers_python, "10x10x10"),
    ]
    sides = [
        (label, Side(name, python, given.lanes, board)) for label, name, python, board in wanted
    ]
    sides = [(label, side) for label, side in sides if side.there]
    for _ in range(given.rounds):
        for _, side in sides:
            side.measure(given.seconds)
    same = [side for label, side in sides if label == "10x10x10"]
    best = max((statistics.median(side.speeds[1:]) for side in same[1:]), default=None)
    heads = ("board", "side", "steps/s", "lowest", "highest", "games/s")
    print("{:>9} {:>11} {:>12} {:>12} {:>12} {:>10}".format(*heads))
    for label, side in sides:
        speeds = side.speeds[1:]
        middle = statistics.median(speeds)
        print(
            f"{label:>9} {side.name:>11} {middle:>12,.0f} {min(speeds):>12,.0f} "
            f"{max(speeds):>12,.0f} {middle * side.ended / side.steps:>10,.0f}"
        )
    if best is not None:
        print(
            f"{statistics.median(same[0].speeds[1:]) / best:.1f} times the fastest peer on 10x10x10"
        )


if __name__ == "__main__":
    main()
