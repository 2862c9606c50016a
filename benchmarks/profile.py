"""Compares every figure of a profile with ms_toollib's, on the same files.

    python benchmarks/profile.py                    # the tests' replays, and 40 games made here
    python benchmarks/profile.py games/*.evf        # others
    python benchmarks/profile.py --peers-python .peers/bin/python

Pluck is compared only for games that were won: for a lost one, ms_toollib gives the largest number
there is.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from math import isclose
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

import minewright as mw
from minewright.formats import Replay, TimedMove, read, write
from minewright.profile import make

SAMPLES = Path(__file__).resolve().parents[1] / "tests" / "formats"
KINDS = ("rmv", "evf", "avf", "mvf")
BOARDS = ("8x8x10", "16x16x40", "30x16x99", "12x9x15")
FIGURES = {
    "seconds": "rtime",
    "bbbv": "bbbv",
    "solved": "bbbv_solved",
    "clicks": "cl",
    "effective": "ce",
    "zini": "zini",
    "hzini": "hzini",
    "rate": "bbbv_s",
    "ioe": "ioe",
    "corr": "corr",
    "thrp": "thrp",
    "rqp": "rqp",
    "qg": "qg",
    "stnb": "stnb",
    "pluck": "pluck",
}
"""Our names, and ms_toollib's."""

# It runs in a process of its own, which a damaged file may crash.
PEER = """
import json, sys
import ms_toollib
path = sys.argv[1]
video = getattr(ms_toollib, path.rsplit(".", 1)[1].capitalize() + "Video")(path)
video.parse()
video.analyse()
video.analyse_for_features(["pluck"])
video.current_time = 1e9
print(json.dumps({name: getattr(video, name) for name in sys.argv[2:]}))
"""


def played(board: str, seed: int) -> Replay:
    """Play a game as people do: with marks, chords, and risks that were not needed."""
    random = Random(seed)
    game = mw.Game(mw.Board.parse(board), "open", seed)
    game.open(random.randrange(game.topology.size))
    times = [0.0]
    while not game.over:
        known = mw.analyze(game.position)
        cells = range(game.topology.size)
        opened = [cell for cell in cells if game.position[cell] <= mw.MAX_NUMBER]
        unmarked = [cell for cell in known.mined if game.position[cell] == mw.COVERED]
        covered = [cell for cell in cells if game.position[cell] == mw.COVERED]
        wish = random.random()
        before = len(game.moves)
        if wish < 0.3 and unmarked:
            game.mark(random.choice(unmarked))
        elif wish < 0.6:
            next((c for c in random.sample(opened, len(opened)) if game.chord(c)), None)
        elif wish < 0.63:
            game.open(random.choice(covered))
        if len(game.moves) == before:
            best = random.choice(known.safe) if known.safe else known.best
            assert best is not None
            game.open(best)
        times += [round(times[-1] + random.uniform(0.05, 0.9), 2)] * (len(game.moves) - before)
    moves = zip(times, game.moves, strict=True)
    return Replay(game.topology, game.minefield, tuple(TimedMove(*made) for made in moves), True)


def made(place: Path) -> Iterator[Path]:
    """Write games in every format that ms_toollib reads."""
    for seed in range(40):
        path = place / f"{seed:02}-{BOARDS[seed % 4]}.{KINDS[seed // 4 % 4]}"
        path.write_bytes(write(played(BOARDS[seed % 4], seed), path.name))
        yield path


def differences(path: Path, python: str) -> list[str]:
    """Return the figures that differ."""
    command = [python, "-c", PEER, str(path.resolve()), *FIGURES.values()]
    with TemporaryDirectory() as away:
        run = subprocess.run(command, cwd=away, capture_output=True, text=True)
    if run.returncode:
        return ["ms_toollib does not read it"]
    theirs = json.loads(run.stdout)
    replay = read(path).replay
    assert replay is not None
    (entry,) = make([(path.name, replay)]).entries
    found = entry.as_data(names=False)
    wrong = []
    for name, their in FIGURES.items():
        mine, other = found[name], theirs[their]
        if name == "pluck" and entry.lost:
            continue
        # Where ms_toollib says 0 because a figure has no meaning, we say nothing.
        mine = 0.0 if mine is None else mine
        assert isinstance(mine, int | float)
        if not isclose(mine, other, rel_tol=1e-9, abs_tol=1e-9):
            wrong.append(f"{name} {mine} instead of {other}")
    return wrong


def main(
    files: Annotated[list[Path] | None, typer.Argument()] = None,
    peers_python: Annotated[str, typer.Option(help="Where ms_toollib is.")] = sys.executable,
) -> None:
    """Compare, and print what differs."""
    with TemporaryDirectory() as place:
        samples = sorted(path for path in SAMPLES.iterdir() if path.suffix[1:] in KINDS)
        paths = files or [*samples, *made(Path(place))]
        equal = 0
        for path in paths:
            wrong = differences(path, peers_python)
            equal += not wrong
            if wrong:
                print(f"{path.name}: {'; '.join(wrong)}", flush=True)
    print(f"{equal} of {len(paths)} games: all {len(FIGURES)} figures are equal")


if __name__ == "__main__":
    typer.run(main)
