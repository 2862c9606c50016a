"""How "so many of these cells are mined" becomes clauses for a SAT solver.

A literal is a whole number, negative for "not", as in DIMACS; a clause is a list of literals, at
least one of which holds. `fresh` gives variables nobody uses yet.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Final

Clauses = Iterator[list[int]]
Fresh = Callable[[], int]

MOST_COMBINATIONS: Final = comb(8, 4)
"""As many as the 8 neighbours of the text's squares have at most.

Beyond them its encoding gives way to the compact one: the 26 neighbours of a box have ten million.
"""


def spelt_out(cells: int, mines: int, encoding: str) -> bool:
    """Say whether a number of so many cells is to be written as all its combinations."""
    return encoding == "paper" and 0 <= mines <= cells and comb(cells, mines) <= MOST_COMBINATIONS


def every_combination(literals: Sequence[int], mines: int, fresh: Fresh) -> Clauses:
    """Write the text's disjunction of conjunctions, one for each n-choose-k combination.

    Clauses are the other way round, so each combination gets a variable that stands for it: it
    implies all that the combination says, and one of these variables holds.
    """
    chosen = []
    for mined in combinations(literals, mines):
        name = fresh()
        chosen.append(name)
        for literal in literals:
            yield [-name, literal if literal in mined else -literal]
    yield chosen


def counter(literals: Sequence[int], least: int, most: int, fresh: Fresh) -> Clauses:
    """Write "from `least` to `most` of these" compactly, as a sequential counter.

    A variable for each literal and each count says whether at least so many hold up to there.
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
            # So many and one more are reached either before or by this literal.
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
