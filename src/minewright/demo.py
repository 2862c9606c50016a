"""`python -m minewright.demo`: an expert game as far as reason goes, solved and coloured."""

import sys
from typing import TextIO

from minewright.board import EXPERT
from minewright.game import Game
from minewright.inference import Analysis, analyze
from minewright.render.terminal import Run, Screen, paint, report

SEED = 7


def stuck(seed: int = SEED) -> Analysis:
    """Play an expert game by certain moves alone, until nothing more is certain."""
    game = Game(EXPERT, start="open", seed=seed)
    game.open(game.topology.cell(8, 15))
    while not game.over:
        analysis = analyze(game.position)
        if not analysis.safe:
            break
        for cell in analysis.safe:
            game.open(cell)
    return analyze(game.position)


def show(stream: TextIO) -> None:
    """Print the position, what is known about it, and how to go on."""
    screen = Screen.of(stream)
    analysis = stuck()
    first = "An expert game, played as far as reason goes; from here on somebody has to guess."
    stream.write(paint([[(first, "bold")], []], screen))
    stream.write(report(analysis.position, analysis, screen))
    commands = (
        ("minewright solve FILE", "your own position: a line a row, # covered, 0-8 open"),
        ("minewright solve FILE --svg FILE", "the same as a picture"),
        ("minewright topologies", "hexagons, a torus, knights, cubes"),
        ("minewright --help", "everything else"),
    )
    steps: list[list[Run]] = [[], [("How to go on", "bold")]]
    steps += ([(f"  {command:<34}", "cyan"), (words, "")] for command, words in commands)
    stream.write(paint(steps, screen))


if __name__ == "__main__":
    show(sys.stdout)
