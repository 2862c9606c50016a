"""How "exactly k of these cells are mined" becomes clauses for a SAT solver.

A literal is an integer, negative for "not", as in DIMACS. A clause is a list of literals, at least
one of which holds. `fresh` returns variables that are not yet in use.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Final

Clauses = Iterator[list[int]]
Fresh = Callable[[], int]

MOST_COMBINATIONS: Final = comb(8, 4)
"""The most combinations that the 8 neighbours of the text's squares can have.

With more, the compact encoding is used instead: the 26 neighbours in a box have ten million.
"""


def spelt_out(cells: int, mines: int, encoding: str) -> bool:
    """Return True if a number with this many cells is written as all its combinations."""
    return encoding == "paper" and 0 <= mines <= cells and comb(cells, mines) <= MOST_COMBINATIONS


def every_combination(literals: Sequence[int], mines: int, fresh: Fresh) -> Clauses:
    """Return the text's disjunction of conjunctions, one per n-choose-k combination.

    Clauses are the other way round, so each combination gets a variable. It implies everything the
    combination says, and at least one of these variables holds.
    """
    chosen = []
    for mined in combinations(literals, mines):
        name = fresh()
        chosen.append(name)
        for literal in literals:
            yield [-name, literal if literal in mined else -literal]
    yield chosen


def counter(literals: Sequence[int], least: int, most: int, fresh: Fresh) -> Clauses:
    """Return "from `least` to `most` of these" compactly, as a sequential counter.

    There is a variable for each literal and each count: at least that many literals hold up to it.
    """
    if least > len(literals) or most < 0 or least > most:
        yield []
        return
    highest = min(most + 1, len(literals))
    reached: list[int] = []
    for index, literal in enumerate(literals):
        before = reached
        reached = [fresh() for _ in range(min(index + 1, highest))]
        for count, now in enumerate(reached):
            # The next count is reached either before or by this literal.
            fewer = [] if count == 0 else [before[count - 1]]
            yield [now, -literal, *(-name for name in fewer)]
            if count < len(before):
                yield [now, -before[count]]
                yield [-now, before[count], literal]
            else:
                yield [-now, literal]
            for name in fewer:
                yield [-now, name]
    if least > 0:
        yield [reached[least - 1]]
    if most < len(literals):
        yield [-reached[most]]
