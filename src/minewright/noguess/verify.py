"""An independent check of a no-guess proof.

It shares no code with what makes boards or finds steps. It lays out the board and counts the
numbers itself, and accepts a conclusion only if no way to place the mines contradicts it.
"""

import json
from collections.abc import Iterable
from itertools import product
from math import prod

from minewright.errors import MinewrightError

WORK = 1_000_000  # placements to try for one step before it counts as too hard to check
MOST = 250_000  # cells of a board

Cells = frozenset[int]


class ProofError(MinewrightError, ValueError):
    """What is wrong with a proof, and in which step."""


class UnreadableProofError(ProofError):
    """A file that holds no proof at all."""


def neighbourhoods(name: str, shape: tuple[int, ...]) -> list[Cells]:
    """Return which cells touch which; the first side of `shape` varies fastest."""
    cross: list[tuple[int, ...]] = [(0, -1), (-1, 0), (1, 0), (0, 1)]
    king = [step for step in product((-1, 0, 1), repeat=len(shape)) if any(step)]
    knight = [step for step in product((-2, -1, 1, 2), repeat=2) if sum(map(abs, step)) == 3]
    known = {"neumann": cross, "moore": king, "torus": king, "box": king, "knight": [*knight]}
    hexagons = [[*cross, (right, -1), (right, 1)] for right in (-1, 1)]  # for even and odd rows
    if name not in known and name != "hex":
        raise UnreadableProofError(f"there is no topology {name[:40]!r}")
    places = [cell[::-1] for cell in product(*(range(side) for side in reversed(shape)))]
    number = {place: cell for cell, place in enumerate(places)}

    def around(place: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
        for step in known.get(name) or hexagons[place[1] % 2]:
            moved = [at + by for at, by in zip(place, step, strict=True)]
            if name == "torus":
                moved = [at % side for at, side in zip(moved, shape, strict=True)]
            yield tuple(moved)

    return [
        frozenset(number[other] for other in around(place) if other in number) - {cell}
        for cell, place in enumerate(places)
    ]


def placeable(
    least: list[int], most: list[int], sums: list[tuple[list[int], int]], work: list[int]
) -> bool:
    """Return True if each group of cells can hold `least` to `most` mines with all sums right."""
    work[0] -= 1
    if work[0] < 0:
        return True  # Too hard to check: any placement may exist, and nothing is accepted.
    for groups, total in sums:
        if not sum(least[g] for g in groups) <= total <= sum(most[g] for g in groups):
            return False
    if not (free := [g for g in range(len(least)) if least[g] < most[g]]):
        return True
    # The sum with the fewest free groups is the first to show a contradiction.
    parts = [[g for g in groups if least[g] < most[g]] for groups, _ in sums]
    chosen = min(filter(None, parts), key=len, default=free)[0]
    return any(
        placeable(put(least, chosen, value), put(most, chosen, value), sums, work)
        for value in range(least[chosen], most[chosen] + 1)
    )


def put(values: list[int], at: int, value: int) -> list[int]:
    """Return the values with another one in this place."""
    return [*values[:at], value, *values[at + 1 :]]


def follows(sums: list[tuple[Cells, int]], safe: Cells, mined: Cells) -> bool:
    """Return True if no placement of mines has these sums and contradicts a conclusion."""
    groups: dict[tuple[bool, ...], set[int]] = {}
    for cell in frozenset[int]().union(*(cells for cells, _ in sums)):
        groups.setdefault(tuple(cell in cells for cells, _ in sums), set()).add(cell)
    if not safe | mined <= frozenset[int]().union(*groups.values()):
        return False
    known = [([g for g, key in enumerate(groups) if key[s]], n) for s, (_, n) in enumerate(sums)]
    most = [len(cells) for cells in groups.values()]
    least = [0] * len(most)
    work = [WORK]
    if not placeable(least, most, known, work):
        return False  # Clues that clash prove nothing.
    for g, cells in enumerate(groups.values()):
        if cells & safe and placeable(put(least, g, 1), most, known, work):
            return False
        if cells & mined and placeable(least, put(most, g, most[g] - 1), known, work):
            return False
    return True


def verify(text: str) -> int:
    """Check the proof in a file; return how many steps it has. Raise ProofError if it fails."""
    try:
        proof = json.loads(text)
        if not str(proof["format"]).startswith("minewright no-guess proof"):
            raise UnreadableProofError("this is not a no-guess proof")
        shape = tuple(map(int, proof["shape"]))
        mines, first = frozenset(map(int, proof["mines"])), int(proof["first"])
        steps = [
            (*(frozenset(map(int, step[key])) for key in ("clues", "safe", "mined")), step["total"])
            for step in proof["steps"]
        ]
        if not (2 <= len(shape) <= 4 and min(shape) > 0 and prod(shape) <= MOST):
            raise UnreadableProofError("the board has no sides, or too many cells")
        near = neighbourhoods(str(proof["topology"]), shape)
    except UnreadableProofError:
        raise
    except (ArithmeticError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UnreadableProofError(
            "this is no proof, or a damaged one; `minewright noguess make --proof FILE` writes one"
        ) from None
    board = frozenset(range(len(near)))
    if not mines <= board or first not in board - mines:
        raise ProofError("a mine is outside the board, or the first cell is no safe cell")
    number = {cell: len(near[cell] & mines) for cell in board - mines}
    opened: set[int] = set()
    flagged: set[int] = set()

    def open_all(cells: Iterable[int]) -> None:
        waiting = list(cells)
        while waiting:
            cell = waiting.pop()
            if cell not in opened:
                opened.add(cell)
                waiting += near[cell] if number[cell] == 0 else ()

    open_all([first])
    for at, (clues, safe, mined, total) in enumerate(steps, 1):
        unknown = board - opened - flagged
        if not clues <= opened:
            raise ProofError(f"step {at} uses a number that is not open yet")
        if not safe | mined or not safe | mined <= unknown:
            raise ProofError(f"step {at} concludes nothing, or what is known already")
        sums = [(near[clue] & unknown, number[clue] - len(near[clue] & flagged)) for clue in clues]
        if total is True:
            sums.append((unknown, len(mines) - len(flagged)))
        if not follows(sums, safe, mined):
            raise ProofError(f"step {at} concludes what does not follow, or is too hard to check")
        flagged |= mined
        open_all(safe)
    if left := len(board - mines - opened):
        raise ProofError(f"safe cells that are still covered after the last step: {left}")
    return len(steps)
