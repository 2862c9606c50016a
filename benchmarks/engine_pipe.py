"""Measures how many expert positions per second `minewright engine` answers through a pipe.

    python benchmarks/engine_pipe.py                # batches of 1, 32 and 256 positions per query
    python benchmarks/engine_pipe.py --rounds 50

The positions are those of whole games, one per move, so that easy and hard ones occur as in play.
This program writes and reads in a process of its own. What counts is the engine's processor time,
including its start, because the machine may be busy; wall-clock time is shown beside it.
"""

import json
import os
import subprocess
import sys
from statistics import mean, stdev
from threading import Thread
from time import perf_counter
from typing import IO, Annotated, NamedTuple

import typer

import minewright as mw


class Run(NamedTuple):
    """Positions per second, by the engine's processor time and by the clock."""

    processor: float
    clock: float


def positions(count: int, seed: int) -> list[str]:
    """Return positions of expert games in which the safest cell is opened next."""
    found: list[str] = []
    stream = 0
    while len(found) < count:
        game = mw.Game(mw.EXPERT, "open", seed, stream=stream)
        stream += 1
        game.open(3 * 30 + 3)
        while not game.over and len(found) < count:
            found.append(str(game.position))
            known = mw.analyze(game.position)
            for cell in known.safe or (known.best,):
                if cell is not None and not game.over:
                    game.open(cell)
    return found


def measure(texts: list[str], batch: int, rounds: int, fields: list[str] | None) -> Run:
    """Send all positions `rounds` times, and read all answers."""
    extra: dict[str, object] = {} if fields is None else {"fields": fields}
    lines = [
        json.dumps({"id": n, "action": "analyze", "positions": texts[n : n + batch]} | extra)
        for n in range(0, len(texts), batch)
    ]
    data = "".join(f"{line}\n" for line in lines).encode()
    command = [sys.executable, "-m", "minewright", "engine"]
    before = os.times()
    begun = perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        answers = 0
        # An id may be used again only after its answer, so a round waits for the one before.
        for _ in range(rounds):
            writer = Thread(target=_send, args=(engine.stdin, data))
            writer.start()
            for _ in lines:
                answers += engine.stdout.readline().count(b'"consistent": true')
            writer.join()
        engine.stdin.close()
        engine.wait()
    seconds = perf_counter() - begun
    after = os.times()
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    assert answers == len(texts) * rounds, f"{answers} answers to {len(texts) * rounds} positions"
    return Run(answers / used, answers / seconds)


def _send(pipe: IO[bytes], data: bytes) -> None:
    pipe.write(data)
    pipe.flush()


def main(
    count: Annotated[int, typer.Option(help="How many different positions.")] = 2048,
    rounds: Annotated[int, typer.Option(help="How often each is sent.")] = 10,
    repeats: Annotated[int, typer.Option(help="How often each measurement is made.")] = 5,
    seed: int = 1,
) -> None:
    """Measure, one line per size of batch and choice of fields."""
    texts = positions(count, seed)
    print(f"{count:,} positions of expert games, each sent {rounds} times; {repeats} runs")
    short = ["consistent", "safe", "best"]
    for batch in (1, 32, 256):
        for name, fields in (("all fields", None), ("safe and best", short)):
            runs = [measure(texts, batch, rounds, fields) for _ in range(repeats)]
            told = "  ".join(
                f"{mean(found):,.0f} ± {2 * stdev(found) / len(found) ** 0.5:,.0f}"
                for found in zip(*runs, strict=True)
            )
            print(f"{batch:4} per query, {name:13}  {told}  (per processor second, per second)")


if __name__ == "__main__":
    typer.run(main)
