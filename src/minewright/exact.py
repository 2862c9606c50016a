"""Exact counts from the kernel's residues: integers and fractions, no floats anywhere.

The kernel counts a component's minefields modulo a few primes; the Chinese remainder theorem
gives the counts back. Components and the rest then meet under the mine total as in the kernel
(src/kernel/join.cpp), here in Python's own integers.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb

from minewright._kernel import Exact

Polynomial = list[int]


def count(exact: Exact) -> int:
    """Return the number of consistent minefields."""
    if not exact.consistent:
        return 0
    parts = [_integers(part.primes, part.ways) for part in exact.parts]
    if exact.mines_left < 0:
        total: int = 2 ** len(exact.rest)
        for ways in parts:
            total *= sum(ways)
        return total
    slack = exact.mines_left - sum(part.low for part in exact.parts)
    ways = _tree(parts)[-1].ways if parts else [1]
    rest = _rest_ways(len(exact.rest), slack, len(ways))
    return sum(a * b for a, b in zip(ways, rest, strict=True))


def fractions(exact: Exact, size: int) -> tuple[Fraction | None, ...]:
    """Return the chance of a mine in every covered cell of a consistent position, else None."""
    result: list[Fraction | None] = [None] * size
    for cells, value in ((exact.safe, 0), (exact.mined, 1)):
        for cell in cells:
            result[cell] = Fraction(value)
    parts = [_integers(part.primes, part.ways) for part in exact.parts]
    if exact.mines_left < 0:
        weights = [[1] * len(ways) for ways in parts]
        rest = Fraction(1, 2)
    else:
        weights, rest = _weights(parts, exact)
    for part, ways, weight in zip(exact.parts, parts, weights, strict=True):
        total = sum(a * b for a, b in zip(ways, weight, strict=True))
        for box, cells in enumerate(part.boxes):
            mined = _integers(part.primes, [residues[box] for residues in part.mined])
            share = Fraction(sum(a * b for a, b in zip(mined, weight, strict=True)), total)
            for cell in cells:
                result[cell] = share / len(cells)
    for cell in exact.rest:
        result[cell] = rest
    return tuple(result)


def _integers(primes: Sequence[int], residues: Sequence[Sequence[int]]) -> list[int]:
    """Return the integers that have these residues, one row of residues a prime."""
    values, modulus = list(residues[0]), primes[0]
    for prime, row in zip(primes[1:], residues[1:], strict=True):
        inverse = pow(modulus, -1, prime)
        steps = [(r - value) * inverse % prime for r, value in zip(row, values, strict=True)]
        # The kernel sends one prime more than it needs: the last one must change nothing.
        if prime == primes[-1] and any(steps):
            raise ArithmeticError("the kernel's residues do not fit together: please report this")
        values = [value + modulus * step for value, step in zip(values, steps, strict=True)]
        modulus *= prime
    return values


class _Node:
    """Sums of some parts' extra mines: the ways for each, and the nodes it was made from."""

    def __init__(self, ways: Polynomial, left: "_Node | None", right: "_Node | None") -> None:
        self.ways = ways
        self.left = left
        self.right = right
        self.weight: Polynomial = []


def _tree(parts: list[Polynomial]) -> list[_Node]:
    """Fold the polynomials pairwise; leaves come first, the top last."""
    nodes = level = [_Node(ways, None, None) for ways in parts]
    nodes = list(nodes)
    while len(level) > 1:
        above = [
            _Node(_product(a.ways, b.ways), a, b)
            for a, b in zip(level[::2], level[1::2], strict=False)
        ]
        nodes += above
        level = above + level[len(above) * 2 :]
    return nodes


def _weights(parts: list[Polynomial], exact: Exact) -> tuple[list[Polynomial], Fraction]:
    """Weigh every mine count of every part, and the chance of a mine in the rest."""
    slack = exact.mines_left - sum(part.low for part in exact.parts)
    nodes = _tree(parts) or [_Node([1], None, None)]
    top = nodes[-1]
    size = len(exact.rest)
    top.weight = _rest_ways(size, slack, len(top.ways))
    for node in reversed(nodes):
        for child, other in ((node.left, node.right), (node.right, node.left)):
            if child is not None and other is not None:
                child.weight = [
                    sum(a * b for a, b in zip(other.ways, node.weight[extra:], strict=False))
                    for extra in range(len(child.ways))
                ]
    both = [a * b for a, b in zip(top.ways, top.weight, strict=True)]
    mined = sum(weight * (slack - extra) for extra, weight in enumerate(both))
    rest = Fraction(mined, sum(both) * size) if size else Fraction(0)
    return [node.weight for node in nodes[: len(parts)]], rest


def _rest_ways(size: int, slack: int, length: int) -> Polynomial:
    """Ways to mine the rest when the components hold 0, 1, … more than their fewest."""
    return list(_binomials(size, slack, length))


def _binomials(size: int, slack: int, length: int) -> Iterator[int]:
    ways = None
    for left in range(slack, slack - length, -1):
        if not 0 <= left <= size:
            yield 0
            continue
        # From one to the next by a ratio: a binomial from scratch each time would crawl.
        ways = comb(size, left) if ways is None else ways * (left + 1) // (size - left)
        yield ways


def _product(a: Polynomial, b: Polynomial) -> Polynomial:
    result = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b):
                result[i + j] += x * y
    return result
