"""The clicks that a board takes: its openings and its 3BV, and how much of them was done."""

from collections.abc import Container, Iterator

from minewright.position import MAX_NUMBER
from minewright.topology import Topology


def bbbv(topology: Topology, truth: bytes, opened: Container[int] | None = None) -> int:
    """Return the fewest clicks that clear a board: one per opening, one per number beside no 0.

    With `opened`, count only the openings and numbers that are open.
    """
    reached = bytearray(len(truth))
    clicks = sum(opened is None or start in opened for start in _openings(topology, truth, reached))
    return clicks + sum(
        not reached[cell] and 0 < number <= MAX_NUMBER and (opened is None or cell in opened)
        for cell, number in enumerate(truth)
    )


def openings(topology: Topology, truth: bytes) -> int:
    """Return how many connected patches of 0s a board has."""
    return sum(1 for _ in _openings(topology, truth, bytearray(len(truth))))


def _openings(topology: Topology, truth: bytes, reached: bytearray) -> Iterator[int]:
    """Yield the first cell of each patch of 0s; mark the patch and the numbers around it."""
    near = topology.graph.neighbours
    start = truth.find(0)
    while start >= 0:
        if not reached[start]:
            yield start
            reached[start] = 1
            patch = [start]
            while patch:
                for cell in near(patch.pop()):
                    if not reached[cell]:
                        reached[cell] = 1
                        if truth[cell] == 0:
                            patch.append(cell)
        start = truth.find(0, start + 1)
