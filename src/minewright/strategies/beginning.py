"""First moves: where to begin on a fully covered board (Final Report, section 3.1)."""

from functools import lru_cache
from typing import Final

from minewright.position import Position
from minewright.strategies.registry import FirstMoveKind, register
from minewright.strategies.strategy import Choice, FirstMove, Random
from minewright.topology import Topology

LARGE: Final = 400
"""On boards with at least this many cells, `inside` begins further in."""


class Corner(FirstMove):
    """A cell with the fewest neighbours: a corner, if the board has one."""

    def choose(self, position: Position, random: Random) -> Choice:
        """Choose the first such cell."""
        return Choice(_degrees(position.topology)[0], "the first move: fewest neighbours")


class Edge(FirstMove):
    """The middle of the first edge."""

    def choose(self, position: Position, random: Random) -> Choice:
        """Choose the cell in the middle of the first line."""
        return Choice((position.shape[0] - 1) // 2, "the first move: an edge")


class Centre(FirstMove):
    """The middle of the board."""

    def choose(self, position: Position, random: Random) -> Choice:
        """Choose the cell in the middle along every side."""
        middle = [(side - 1) // 2 for side in reversed(position.shape)]
        return Choice(position.topology.cell(*middle), "the first move: the centre")


class Inside(FirstMove):
    """A cell a little way from two edges, where openings tend to be large (Tu et al. 2017).

    Their program begins at the third cell from two edges, and on Expert at the fourth.
    """

    def choose(self, position: Position, random: Random) -> Choice:
        """Choose the third or fourth cell along every side, or the last on a shorter side."""
        steps = 3 if position.topology.size >= LARGE else 2
        inside = [min(steps, side - 1) for side in reversed(position.shape)]
        return Choice(position.topology.cell(*inside), "the first move: inside, near a corner")


class Anywhere(FirstMove):
    """A random cell."""

    def choose(self, position: Position, random: Random) -> Choice:
        """Choose any cell, all equally likely."""
        return Choice(random.below(position.topology.size), "the first move: any cell")


@lru_cache(maxsize=16)
def _degrees(topology: Topology) -> tuple[int, ...]:
    """Return the cells sorted by their number of neighbours, fewest first."""
    near = topology.graph.neighbours
    return tuple(sorted(range(topology.size), key=lambda cell: len(near(cell))))


register(FirstMoveKind("corner", "a cell with the fewest neighbours", Corner))
register(FirstMoveKind("edge", "the middle of the first edge", Edge))
register(FirstMoveKind("centre", "the middle of the board", Centre))
register(FirstMoveKind("inside", "third from two edges, fourth on boards like Expert", Inside))
register(FirstMoveKind("random", "any cell", Anywhere))
