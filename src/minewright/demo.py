"""`python -m minewright.demo`: an expert game in progress, solved and coloured."""

import os
import sys
from pathlib import Path
from shutil import which
from typing import TextIO

from minewright.board import EXPERT
from minewright.game import Game
from minewright.inference import Analysis, analyze
from minewright.render.terminal import Run, Screen, paint, report

SEED = 46
ROUNDS = 9
NEXT = (
    (r"printf '1##\n12#\n01#' | {} solve - --mines 2", "your own position: # covered, 0-8 open"),
    ("{} solve FILE --svg OUT.svg", "the answer as a picture"),
    ("{} topologies", "hexagons, a torus, knights, cubes"),
    ("{} --help", "everything else"),
)


def under_way() -> Analysis:
    """Play a fixed expert game for a few rounds, opening all safe cells in each."""
    game = Game(EXPERT, start="open", seed=SEED)
    game.open(game.topology.cell(8, 15))
    analysis = analyze(game.position)
    for _ in range(ROUNDS - 1):
        for cell in analysis.safe:
            game.open(cell)
        analysis = analyze(game.position)
    return analysis


def show(stream: TextIO) -> None:
    """Print the position, what is known about it, and what to try next."""
    screen = Screen.of(stream)
    analysis = under_way()
    heading: list[list[Run]] = [
        [("An expert game in progress, and what follows from it", "bold")],
        [],
    ]
    steps: list[list[Run]] = [[], [("What to try next", "bold")]]
    for command, words in NEXT:
        steps += [(f"  {command.format(_command())}", "cyan")], [(f"      {words}", "")]
    stream.write(paint(heading, screen))
    stream.write(report(analysis.position, analysis, screen))
    stream.write(paint(steps, screen))


def _command() -> str:
    """Return what to type for `minewright`: its path, unless the environment is activated."""
    beside = Path(sys.executable).with_name("minewright")
    return "minewright" if which("minewright") else os.path.relpath(beside)


if __name__ == "__main__":
    show(sys.stdout)
