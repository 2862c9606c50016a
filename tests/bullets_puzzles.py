"""Puzzles that several tests of Bullets share."""

from collections.abc import Iterator

import bullets_reference as reference

from minewright.bullets import Puzzle, make

# Like figure 4 of the paper: steps of all three types.
TEXT = "7x7x15\n#3##22#\n#######\n0##443#\n###4###\n#1#4##2\n#324##1\n######1"
AMBIGUOUS = "3x3x2\n1##\n##2\n###"
CLASHING = "3x3x2\n3##\n##1\n###"
TOPOLOGIES = ("moore", "neumann", "hex", "torus", "knight", "box")


def outside(puzzle: Puzzle) -> reference.Puzzle:
    """Return the puzzle in the form that the reference uses."""
    width, height = puzzle.topology.shape
    return reference.Puzzle(width, height, dict(puzzle.clues), puzzle.bullets)


def made() -> Iterator[Puzzle]:
    """Yield puzzles of all sizes and densities, some of them rectangles."""
    for index in range(40):
        size = (4 + index % 4, 4 + index // 4 % 4)
        cells = size[0] * size[1]
        yield make(size, 1 + cells * (1 + index % 7) // 12, seed=5, index=index, iterations=20)
