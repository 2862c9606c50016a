"""Positions that are hard to solve, made the same way by the tests and the benchmarks."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from minewright import topology
from minewright.position import COVERED, Position
from minewright.topology import Net, Topology


def scattered(
    shape: tuple[int, ...], mines: int, share: float, seed: int, name: str = "moore"
) -> Position:
    """Open a share of the safe cells at random, one by one and without cascades."""
    return _scattered(topology.get(name, shape), mines, share, seed)


def _scattered(board: Topology, mines: int, share: float, seed: int) -> Position:
    random = Random(seed)
    mined = set(random.sample(range(board.size), mines))
    safe = [cell for cell in range(board.size) if cell not in mined]
    return _opened(board, mined, random.sample(safe, int(share * len(safe))))


def lattice(name: str, shape: tuple[int, ...], density: float, seed: int) -> Position:
    """Open the cells whose coordinates are all odd; mine a share of the others.

    The numbers do not touch each other, and every other cell touches several of them. That makes a
    front as wide as the board.
    """
    board, random = topology.get(name, shape), Random(seed)
    opened = [cell for cell in range(board.size) if all(i % 2 for i in board.coordinates(cell))]
    others = sorted(set(range(board.size)).difference(opened))
    mined = set(random.sample(others, int(density * len(others))))
    return _opened(board, mined, opened)


def random_graph(size: int, degree: int, seed: int) -> Net:
    """Return a graph whose nodes have `degree` neighbours each, up to a few at the end."""
    random = Random(seed)
    near: list[set[int]] = [set() for _ in range(size)]
    open_nodes = list(range(size))
    while len(open_nodes) > degree:
        a, b = random.sample(open_nodes, 2)
        if b in near[a]:
            continue
        near[a].add(b)
        near[b].add(a)
        open_nodes = [node for node in open_nodes if len(near[node]) < degree]
    return Net([sorted(nodes) for nodes in near])


def _opened(board: Topology, mined: set[int], opened: list[int]) -> Position:
    cells = bytearray([COVERED]) * board.size
    for cell in opened:
        cells[cell] = sum(other in mined for other in board.neighbours(cell))
    return Position(board, bytes(cells), len(mined))


# Families of positions whose components are wider than a block of the walk, and yet can often be
# solved exactly: what a sampled answer is held against. Each makes a position from a seed.
FAMILIES: dict[str, Callable[[int], Position]] = {
    "box 5x5x5, 25% open": lambda seed: scattered((5, 5, 5), 37, 0.25, seed, "box"),
    "box 5x5x5, 20% mined": lambda seed: scattered((5, 5, 5), 25, 0.25, seed, "box"),
    "box 5x5x5, 40% mined": lambda seed: scattered((5, 5, 5), 50, 0.3, seed, "box"),
    "box 5x5x5, lattice": lambda seed: lattice("box", (5, 5, 5), 0.4, seed),
    "moore 21x21, lattice": lambda seed: lattice("moore", (21, 21), 0.2, seed),
    "moore 17x17, lattice": lambda seed: lattice("moore", (17, 17), 0.4, seed),
    "torus 12x12, lattice": lambda seed: lattice("torus", (12, 12), 0.4, seed),
    "torus 16x16, lattice": lambda seed: lattice("torus", (16, 16), 0.2, seed),
    "hex 23x23, lattice": lambda seed: lattice("hex", (23, 23), 0.4, seed),
    "knight 16x16, lattice": lambda seed: lattice("knight", (16, 16), 0.4, seed),
    "graph of 120, degree 10": lambda seed: _scattered(random_graph(120, 10, seed), 40, 0.3, seed),
}


def front(length: int, seed: int) -> Position:
    """Open every second cell of the middle row of three; mine a fifth of the others."""
    board, random = topology.get("moore", (length, 3)), Random(seed)
    opened = [board.cell(1, column) for column in range(0, length, 2)]
    others = sorted(set(range(board.size)).difference(opened))
    return _opened(board, set(random.sample(others, len(others) // 5)), opened)


def checkerboard(width: int, height: int, seed: int) -> Position:
    """Open every second cell of each row, as on a chessboard; mine two fifths of the others."""
    board, random = topology.get("moore", (width, height)), Random(seed)
    opened = [cell for cell in range(board.size) if sum(board.coordinates(cell)) % 2]
    others = sorted(set(range(board.size)).difference(opened))
    return _opened(board, set(random.sample(others, 2 * len(others) // 5)), opened)
