"""Exact counts and chances, in integers and fractions, without any floats.

The kernel counts the minefields of a component modulo several primes. The Chinese remainder theorem
turns these residues into the counts. The components and the rest are then joined under the mine
total as in the kernel (src/kernel/join.cpp), but with Python's integers.
"""

import decimal
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import comb, isqrt

from minewright._kernel import Exact

Polynomial = list[int]
# Called with the seconds that the next step will take. Raises if fewer are left.
Check = Callable[[float], None]


def count(exact: Exact, check: Check) -> int:
    """Return the number of minefields that fit."""
    if not exact.consistent:
        return 0
    parts = [_integers(part.primes, part.ways) for part in exact.parts]
    if exact.mines_left < 0:
        return _product_of([2 ** len(exact.rest), *map(sum, parts)], check)
    slack = exact.mines_left - sum(part.low for part in exact.parts)
    ways = _tree(parts, check)[-1].ways if parts else [1]
    rest = list(_rest_ways(len(exact.rest), slack, len(ways), check))
    return sum(a * b for a, b in zip(ways, rest, strict=True))


def fractions(exact: Exact, size: int, check: Check) -> tuple[Fraction | None, ...]:
    """Return the chance of a mine in each covered cell of a consistent position; None elsewhere."""
    result: list[Fraction | None] = [None] * size
    for cells, value in ((exact.safe, 0), (exact.mined, 1)):
        for cell in cells:
            result[cell] = Fraction(value)
    parts = [_integers(part.primes, part.ways) for part in exact.parts]
    if exact.mines_left < 0:
        weights = [[1] * len(ways) for ways in parts]
        rest = Fraction(1, 2)
    else:
        weights, rest = _weights(parts, exact, check)
    for part, ways, weight in zip(exact.parts, parts, weights, strict=True):
        total = sum(a * b for a, b in zip(ways, weight, strict=True))
        for box, cells in enumerate(part.boxes):
            check(0.0)
            mined = _integers(part.primes, [residues[box] for residues in part.mined])
            share = Fraction(sum(a * b for a, b in zip(mined, weight, strict=True)), total)
            for cell in cells:
                result[cell] = share / len(cells)
    for cell in exact.rest:
        result[cell] = rest
    return tuple(result)


def write(number: int) -> str:
    """Return the digits of a number of any length: `str` is slow for long ones and has a limit."""
    with decimal.localcontext() as context:
        context.prec, context.Emax = decimal.MAX_PREC, decimal.MAX_EMAX

        def convert(part: int, bits: int) -> decimal.Decimal:
            if bits < 4096:
                return decimal.Decimal(part)
            half = bits // 2
            high, low = part >> half, part & (1 << half) - 1
            return convert(high, bits - half) * decimal.Decimal(2) ** half + convert(low, half)

        return f"{convert(number, number.bit_length()):f}"


def _integers(primes: Sequence[int], residues: Sequence[Sequence[int]]) -> list[int]:
    """Return the integers with these residues, given one row of residues per prime."""
    values, modulus = list(residues[0]), primes[0]
    for prime, row in zip(primes[1:], residues[1:], strict=True):
        inverse = pow(modulus, -1, prime)
        steps = [(r - value) * inverse % prime for r, value in zip(row, values, strict=True)]
        # The kernel uses one prime more than necessary, so the last one must change nothing.
        if prime == primes[-1] and any(steps):
            raise ArithmeticError("the kernel's residues contradict each other; please report this")
        values = [value + modulus * step for value, step in zip(values, steps, strict=True)]
        modulus *= prime
    return values


class _Node:
    """Some parts together: `ways[i]` counts the ways with `i` mines above their minimum."""

    def __init__(self, ways: Polynomial, parts: "tuple[_Node, _Node] | None" = None) -> None:
        self.ways = ways
        self.parts = parts
        self.weight: Polynomial = []


def _tree(parts: list[Polynomial], check: Check) -> list[_Node]:
    """Return a tree of pairwise products: the given polynomials first, the root last."""
    level = [_Node(ways) for ways in parts]
    nodes = list(level)
    while len(level) > 1:
        above = [
            _Node(_product(a.ways, b.ways, check), (a, b))
            for a, b in zip(level[::2], level[1::2], strict=False)
        ]
        nodes += above
        level = above + level[len(above) * 2 :]
    return nodes


def _weights(
    parts: list[Polynomial], exact: Exact, check: Check
) -> tuple[list[Polynomial], Fraction]:
    """Return the weight of every mine count of every part, and the chance of a mine in the rest."""
    slack = exact.mines_left - sum(part.low for part in exact.parts)
    nodes = _tree(parts, check) or [_Node([1])]
    top = nodes[-1]
    size = len(exact.rest)
    top.weight = list(_rest_ways(size, slack, len(top.ways), check))
    for node in reversed(nodes):
        if node.parts is not None:
            for child, other in (node.parts, node.parts[::-1]):
                # weight[extra] = sum over k of other.ways[k] * node.weight[extra + k]
                both = _product(other.ways[::-1], node.weight, check)
                child.weight = both[len(other.ways) - 1 :][: len(child.ways)]
    found = [a * b for a, b in zip(top.ways, top.weight, strict=True)]
    mined = sum(weight * (slack - extra) for extra, weight in enumerate(found))
    rest = Fraction(mined, sum(found) * size) if size else Fraction(0)
    return [node.weight for node in nodes[: len(parts)]], rest


def _rest_ways(size: int, slack: int, length: int, check: Check) -> Iterator[int]:
    """Yield the ways to mine the rest if the components hold 0, 1, … above their minimum."""
    ways = 0
    for left in range(slack, slack - length, -1):
        check(0.0)
        if not 0 <= left <= size:
            yield 0
            continue
        first = ways == 0
        # Each follows from the one before by a ratio; computing every binomial anew is too slow.
        ways = _binomial(size, left, check) if first else ways * (left + 1) // (size - left)
        yield ways


def _product(a: Polynomial, b: Polynomial, check: Check) -> Polynomial:
    """Return the product of two polynomials without negative coefficients."""
    length = len(a) + len(b) - 1
    if min(len(a), len(b)) < 4:
        check(0.0)
        result = [0] * length
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                result[i + j] += x * y
        return result
    # Kronecker substitution: multiply two large integers, with a slot per coefficient that is
    # wide enough for the result.
    bits = max(a).bit_length() + max(b).bit_length() + min(len(a), len(b)).bit_length()
    width = bits // 8 + 1
    check(_product_seconds(width * len(a), width * len(b)))
    packed = [
        int.from_bytes(b"".join(x.to_bytes(width, "little") for x in polynomial), "little")
        for polynomial in (a, b)
    ]
    digits = (packed[0] * packed[1]).to_bytes(width * length, "little")
    return [
        int.from_bytes(digits[start : start + width], "little")
        for start in range(0, width * length, width)
    ]


def _product_seconds(a: int, b: int) -> float:
    """Return how long Python takes to multiply integers of `a` and `b` bytes (Karatsuba)."""
    short, long = sorted((a / 4 + 1, b / 4 + 1))
    return float(1.5e-9 * short**1.585 * long / short)


def _product_of(factors: Iterable[int], check: Check) -> int:
    """Return the product of many integers, multiplied pairwise, which is far faster."""
    level = list(factors) or [1]
    while len(level) > 1:
        largest = max(factor.bit_length() for factor in level) // 8
        check(_product_seconds(largest, largest))
        level = [a * b for a, b in zip(level[::2], level[1::2], strict=False)] + (
            level[-1:] if len(level) % 2 else []
        )
    return level[0]


def _binomial(n: int, k: int, check: Check) -> int:
    """Return n over k, even where `math.comb` would take minutes."""
    if min(k, n - k) < 10_000:
        return comb(n, k)
    # Legendre's formula says how often each prime divides the three factorials.
    sieve = bytearray([1]) * (n + 1)
    sieve[:2] = b"\0\0"
    for i in range(2, isqrt(n) + 1):
        if sieve[i]:
            sieve[i * i :: i] = bytes(len(range(i * i, n + 1, i)))

    factors = []
    for prime in (i for i in range(2, n + 1) if sieve[i]):
        power, exponent = prime, 0
        while power <= n:
            exponent += n // power - k // power - (n - k) // power
            power *= prime
        if exponent:
            factors.append(prime**exponent)
    return _product_of(factors, check)
