"""Solutions of several parts of a position, joined under the mine total.

A search enumerates the solutions of one component at a time. A solution of the whole takes one
from each component and lays the remaining mines in the rest; only the number of mines links them.
Certainty is decided on sets of mine counts, never on floats.
"""

from collections.abc import Sequence
from itertools import accumulate
from math import comb, prod
from typing import NamedTuple

from minewright._kernel import SumTally

Numbers = int
"""A set of mine counts: bit `n` stands for `n`."""


class Part(NamedTuple):
    """All solutions of a component, and the cells that each of its variables counts."""

    tally: SumTally
    cells: tuple[tuple[int, ...], ...]


class Joined(NamedTuple):
    """What the solutions of all parts say together."""

    consistent: bool
    safe: tuple[int, ...]
    mined: tuple[int, ...]
    chances: dict[int, float]
    """The chance of a mine in every cell of the parts and the rest."""
    solutions: int
    """The number of solutions of the whole: the product of all counts."""


def join(parts: Sequence[Part], rest: Sequence[int], mines: int | None) -> Joined:
    """Join parts and rest under a mine total.

    If the total is unknown (None), every minefield counts the same, whatever its number of mines.
    Raise ValueError if a tally is not complete: nothing may be concluded from it.
    """
    if not all(part.tally.complete for part in parts):
        raise ValueError("a tally is not complete: its search ran out of budget")
    solutions = prod(part.tally.count for part in parts)
    nothing = Joined(False, (), (), {}, solutions)
    if solutions == 0:
        return nothing
    ways = [[int(count) for count in part.tally.ways] for part in parts]
    # Mine counts of parts start at 0 here, so what each part needs at least is taken off the total.
    spare = None if mines is None else mines - sum(part.tally.low for part in parts)
    allowed, of_rest = _allowed(ways, len(rest), spare)
    if not of_rest:
        return nothing
    weights, rest_chance = _weights(ways, len(rest), spare)

    safe: list[int] = []
    mined: list[int] = []
    chances: dict[int, float] = {}
    for part, numbers, own, weight in zip(parts, allowed, ways, weights, strict=True):
        tally = part.tally
        here = [m for m in range(len(own)) if numbers >> m & 1]
        total = sum(own[m] * weight[m] for m in here)
        columns = zip(part.cells, tally.mined, tally.least, tally.most, strict=True)
        for cells, mines_of, least, most in columns:
            cap = len(cells)
            if all(most[m] == 0 for m in here):
                safe += cells
            elif all(least[m] == cap for m in here):
                mined += cells
            chance = sum(int(mines_of[m]) * weight[m] for m in here) / (total * max(1, cap))
            for cell in cells:
                chances[cell] = chance
    if of_rest == 1:
        safe += rest
    elif of_rest == 1 << len(rest):
        mined += rest
    for cell in rest:
        chances[cell] = rest_chance
    return Joined(True, tuple(sorted(safe)), tuple(sorted(mined)), chances, solutions)


def _allowed(
    ways: Sequence[list[int]], rest: int, spare: int | None
) -> tuple[list[Numbers], Numbers]:
    """Return the mine counts that each part, and the rest, can have in a solution of the whole."""
    can = [sum(1 << m for m, count in enumerate(own) if count) for own in ways]
    if spare is None:
        return can, _range(0, rest)
    before = list(accumulate(can, _add, initial=1))
    after = list(accumulate(reversed(can), _add, initial=1))[::-1]
    allowed = []
    for i, own in enumerate(can):
        others = _add(before[i], after[i + 1])
        fitting = 0
        for m in range(own.bit_length()):
            if own >> m & 1 and others & _range(spare - rest - m, spare - m):
                fitting |= 1 << m
        allowed.append(fitting)
    whole = before[-1] & _range(spare - rest, spare)
    return allowed, sum(1 << spare - m for m in range(whole.bit_length()) if whole >> m & 1)


def _add(some: Numbers, others: Numbers) -> Numbers:
    """Return all sums of one number from each set."""
    found, m = 0, 0
    while others:
        if others & 1:
            found |= some << m
        others >>= 1
        m += 1
    return found


def _range(low: int, high: int) -> Numbers:
    """Return the numbers from low to high, without those below 0."""
    return 0 if high < 0 else (1 << high + 1) - (1 << max(0, low))


def _weights(
    ways: Sequence[list[int]], rest: int, spare: int | None
) -> tuple[list[list[int]], float]:
    """Return the minefields of all other parts for each mine count of each part.

    Return also the chance of a mine in a cell of the rest.
    """
    if spare is None:
        return [[1] * len(own) for own in ways], 0.5
    before = list(accumulate(ways, _product, initial=[1]))
    after = list(accumulate(reversed(ways), _product, initial=[1]))[::-1]
    whole = before[-1]
    laid = _laid(rest, spare, len(whole))
    weights = []
    for i, own in enumerate(ways):
        others = _product(before[i], after[i + 1])
        weights.append(
            [sum(a * b for a, b in zip(others, laid[m:], strict=False)) for m in range(len(own))]
        )
    minefields = [a * b for a, b in zip(whole, laid, strict=True)]
    mines = sum(count * (spare - m) for m, count in enumerate(minefields))
    return weights, mines / (sum(minefields) * max(1, rest))


def _product(some: list[int], others: list[int]) -> list[int]:
    """Return the product of two polynomials."""
    found = [0] * (len(some) + len(others) - 1)
    for i, a in enumerate(some):
        for j, b in enumerate(others):
            found[i + j] += a * b
    return found


def _laid(rest: int, spare: int, length: int) -> list[int]:
    """Return `length` numbers: the ways to lay spare, spare - 1, … mines in the rest."""
    counts = [0] * length
    first = max(0, spare - rest)  # before it there are more mines than cells
    last = min(length - 1, spare)
    if first <= last:
        mines = spare - first
        count = comb(rest, mines)
        for m in range(first, last + 1):
            counts[m] = count
            count = count * mines // (rest - mines + 1)
            mines -= 1
    return counts
