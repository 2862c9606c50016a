"""How good a game was: 3BV, the fewest clicks that clear a board, and how much of it was done."""

from collections.abc import Container

from minewright.position import MAX_NUMBER
from minewright.topology import Topology


def bbbv(topology: Topology, truth: bytes, opened: Container[int] | None = None) -> int:
    """Return the fewest clicks that clear a board: one per patch of 0s, one per number beside no 0.

    With `opened`, count only the patches and numbers that are open.
    """
    near = topology.graph.neighbours
    reached = bytearray(len(truth))
    clicks = 0
    for start, number in enumerate(truth):
        if number or reached[start]:
            continue
        clicks += opened is None or start in opened
        reached[start] = 1
        patch = [start]
        while patch:
            for cell in near(patch.pop()):
                if not reached[cell]:
                    reached[cell] = 1
                    if truth[cell] == 0:
                        patch.append(cell)
    return clicks + sum(
        not reached[cell] and 0 < number <= MAX_NUMBER and (opened is None or cell in opened)
        for cell, number in enumerate(truth)
    )
