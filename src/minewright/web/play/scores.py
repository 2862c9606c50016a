"""How good a game was: 3BV, the fewest clicks that open a board, and what was done of it."""

from collections.abc import Container

from minewright.position import MAX_NUMBER
from minewright.topology import Topology


def bbbv(topology: Topology, truth: bytes, opened: Container[int] | None = None) -> int:
    """Count the clicks that open all safe cells: one a patch of 0s, one a number beside no 0.

    With `opened`, only those count whose work is done: the patch or the number is open.
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
