"""Reads replays with Minewright and with ms_toollib, and compares mines and every position.

    python benchmarks/formats.py                    # the tests' files, and what we write of them
    python benchmarks/formats.py games/*.avf        # others
    python benchmarks/formats.py --peers-python .peers/bin/python

The last position is left out: at the end of a game each program shows the mines in its own way.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "tests" / "formats"
KINDS = ("rmv", "evf", "avf", "mvf")
# What ms_toollib puts into a cell: 0 to 8, 10 covered, 11 marked.
CODES = {255: 10, 254: 11}

# It runs in a process of its own, which a damaged file may crash.
PEER = """
import json, sys
import ms_toollib
path = sys.argv[1]
kind = path.rsplit(".", 1)[1]
video = getattr(ms_toollib, kind.capitalize() + "Video")(path)
video.parse()
video.analyse()
mines = [cell for cell, code in enumerate(sum(video.board, [])) if code == -1]
seen = []
for event in video.events:
    for board in (event.prior_game_board, event.next_game_board):
        cells = board and sum(board.game_board, [])
        if cells and (not seen or seen[-1] != cells):
            seen.append(cells)
print(json.dumps([mines, seen]))
"""


def ours(path: Path) -> tuple[list[int], list[list[int]]]:
    """Return the mines and all positions."""
    from minewright import formats

    replay = formats.read(path.read_bytes(), path.name).replay
    assert replay is not None, f"{path.name} holds no game"
    positions = (replay.position(moves) for moves in range(len(replay.moves) + 1))
    seen = [[CODES.get(code, code) for code in position.cells] for position in positions]
    return sorted(replay.mined), seen


def made(place: Path) -> Iterator[Path]:
    """Write the games of the tests in every format that ms_toollib reads."""
    from minewright import formats

    for path in sorted(SAMPLES.glob("*.rmv")):
        game = formats.read(path.read_bytes()).replay
        assert game is not None
        for kind in KINDS:
            file = place / f"{path.stem}-written.{kind}"
            file.write_bytes(formats.write(game, kind))
            yield file


def compare(path: Path, python: str) -> str:
    """Return how far the two readings agree."""
    command = [python, "-c", PEER, str(path.resolve())]
    with TemporaryDirectory() as away:
        # If it crashes, it leaves a log behind.
        run = subprocess.run(command, cwd=away, capture_output=True, text=True)
    if run.returncode:
        why = (run.stderr.strip().splitlines() or ["it crashed"])[-1]
        return f"ms_toollib does not read it ({why})"
    mines, seen = ours(path)
    their_mines, theirs = json.loads(run.stdout)
    if their_mines != mines:
        return "OTHER MINES"
    if theirs[: len(seen) - 1] != seen[:-1]:
        return "OTHER POSITIONS"
    return f"the same mines and {len(seen) - 1:,} positions"


def main(
    files: Annotated[list[Path] | None, typer.Argument()] = None,
    peers_python: Annotated[str, typer.Option(help="Where ms_toollib is.")] = sys.executable,
) -> None:
    """Compare, one line per file."""
    with TemporaryDirectory() as place:
        samples = sorted(path for path in SAMPLES.iterdir() if path.suffix[1:] in KINDS)
        for path in files or [*samples, *made(Path(place))]:
            print(f"{path.name:20} {compare(path, peers_python)}", flush=True)


if __name__ == "__main__":
    typer.run(main)
