"""Turning and mirroring: symmetric patterns of clues, and puzzles that are the same turned."""

from typing import Final, Literal, get_args

from minewright.bullets.puzzle import Puzzle
from minewright.topology import Topology

Symmetry = Literal["none", "rotation", "mirror"]
SYMMETRIES: Final[tuple[Symmetry, ...]] = get_args(Symmetry)


def orbits(topology: Topology, symmetry: Symmetry) -> list[list[int]]:
    """Return the groups of cells that are clues together or not at all; none without symmetry."""
    if symmetry == "none":
        return []
    width, last = topology.shape[0], topology.size - 1

    def image(cell: int) -> int:
        return last - cell if symmetry == "rotation" else cell - cell % width * 2 + width - 1

    return [sorted({cell, image(cell)}) for cell in range(topology.size) if cell <= image(cell)]


def turns_of(topology: Topology) -> list[list[int]]:
    """Return the ways to turn and mirror a board that keep neighbours neighbours."""
    maps = [list(range(topology.size))]
    if len(topology.shape) == 2:
        width, height = topology.shape
        rows = [maps[0][start : start + width] for start in range(0, topology.size, width)]
        flipped = [rows[::flip] for flip in (1, -1)]
        boards = [[row[::flip] for row in board] for board in flipped for flip in (1, -1)]
        if width == height:
            boards += [list(map(list, zip(*board, strict=True))) for board in boards]
        maps = [[cell for row in board for cell in row] for board in boards]
    near = [frozenset(topology.neighbours(cell)) for cell in range(topology.size)]
    return [
        turn
        for turn in maps
        if all(near[turn[cell]] == {turn[other] for other in near[cell]} for cell in maps[0])
    ]


def key_of(puzzle: Puzzle, turns: list[list[int]]) -> tuple[tuple[int, int], ...]:
    """Return a key that is equal for puzzles that differ only by turning or mirroring."""
    return min(
        tuple(sorted((turn[cell], number) for cell, number in puzzle.clues)) for turn in turns
    )
