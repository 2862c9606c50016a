"""The slow reference: every minefield of a small position, tried one by one.

A minefield is an integer with one bit per hidden cell, set if the cell is mined. All minefields are
built cell by cell, with and without a mine, and dropped as soon as one clue is wrong. The rest are
counted. This is deliberately simple: the kernel must agree with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from random import Random

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from minewright import topology as topologies
from minewright.position import COVERED, MARKED, MAX_NUMBER, MINED, SAFE, Position
from minewright.topology import Topology

Fields = NDArray[np.uint32]

TOPOLOGIES = ("moore", "neumann", "hex", "torus", "knight", "box")

# A field is 32 bits wide, and this many fields still fit into memory.
MAX_HIDDEN = 32
MAX_FIELDS = 1 << 25
# The random positions stay far below that: a millisecond each.
WORK = 1 << 16

_ONES = np.array([value.bit_count() for value in range(1 << 16)], dtype=np.uint8)


class TooLargeError(ValueError):
    """A position with too many minefields to try them all."""


def _ones(fields: Fields) -> NDArray[np.uint8]:
    """Count the mines of each field."""
    count: NDArray[np.uint8] = _ONES[fields & 0xFFFF] + _ONES[fields >> 16]
    return count


@dataclass(frozen=True)
class Reference:
    """The minefields of a position, and everything that can be counted on them."""

    position: Position
    hidden: tuple[int, ...]
    fields: Fields

    @property
    def consistent(self) -> bool:
        return self.solutions > 0

    @property
    def solutions(self) -> int:
        return len(self.fields)

    @property
    def fractions(self) -> tuple[Fraction | None, ...]:
        """The mine probability of every covered cell; None elsewhere or without a minefield."""
        answer: list[Fraction | None] = [None] * len(self.position.cells)
        if self.consistent:
            for cell in covered(self.position):
                answer[cell] = Fraction(self._mined_in(cell), self.solutions)
        return tuple(answer)

    @property
    def safe(self) -> tuple[int, ...]:
        """The covered cells that no minefield mines."""
        return tuple(cell for cell, value in enumerate(self.fractions) if value == 0)

    @property
    def mined(self) -> tuple[int, ...]:
        """The covered cells that every minefield mines."""
        return tuple(cell for cell, value in enumerate(self.fractions) if value == 1)

    def numbers(self, cell: int) -> tuple[Fraction, ...]:
        """P(the cell is safe and shows n) for n from 0 to the number of its neighbours."""
        neighbours = self.position.topology.neighbours(cell)
        safe = self.fields[(self.fields & _bits(self.hidden, [cell])) == 0]
        shown = _ones(safe & _bits(self.hidden, neighbours))
        counts = np.bincount(shown, minlength=len(neighbours) + 1)
        return tuple(Fraction(int(count), self.solutions) for count in counts)

    def minefields(self) -> list[frozenset[int]]:
        """Every consistent minefield as its set of mined cells."""
        return [
            frozenset(cell for bit, cell in enumerate(self.hidden) if field >> bit & 1)
            for field in self.fields.tolist()
        ]

    def _mined_in(self, cell: int) -> int:
        return int(np.count_nonzero(self.fields & _bits(self.hidden, [cell])))


def covered(position: Position) -> tuple[int, ...]:
    """Return the cells that may or may not be mined."""
    return tuple(c for c, code in enumerate(position.cells) if code in (COVERED, MARKED))


def reference(
    position: Position,
    *,
    trust_marks: bool = False,
    clues: Sequence[int] | None = None,
    use_total: bool = True,
) -> Reference:
    """Try every minefield of a position; `clues` are the cells whose numbers count."""
    codes, neighbours = position.cells, position.topology.neighbours
    hidden = tuple(c for c, code in enumerate(codes) if code in (COVERED, MARKED, MINED))
    if len(hidden) > MAX_HIDDEN:
        raise TooLargeError(f"{len(hidden)} hidden cells; the reference takes {MAX_HIDDEN}")
    facts = (MINED, MARKED) if trust_marks else (MINED,)
    known = [cell for cell in hidden if codes[cell] in facts]
    free = [cell for cell in hidden if codes[cell] not in facts]
    total = position.mines if use_total else None
    numbered = [cell for cell, code in enumerate(codes) if code <= MAX_NUMBER]
    used = [cell for cell in numbered if clues is None or cell in clues]

    fields = np.array([_bits(hidden, known)], dtype=np.uint32)

    def place(cell: int) -> None:
        nonlocal fields
        if 2 * len(fields) > MAX_FIELDS:
            raise TooLargeError(f"more than {MAX_FIELDS} minefields")
        free.remove(cell)
        fields = np.concatenate([fields, fields | _bits(hidden, [cell])])
        if total is not None:
            mines = _ones(fields)
            fields = fields[(mines <= total) & (mines + len(free) >= total)]

    for clue in used:
        for cell in neighbours(clue):
            if cell in free:
                place(cell)
        fields = fields[_ones(fields & _bits(hidden, neighbours(clue))) == codes[clue]]
    for cell in tuple(free):
        place(cell)
    if total is not None:
        fields = fields[_ones(fields) == total]
    return Reference(position, hidden, fields)


def _bits(hidden: Sequence[int], cells: Iterable[int]) -> np.uint32:
    return np.uint32(sum(1 << hidden.index(cell) for cell in cells if cell in hidden))


def random_position(
    random: Random,
    names: Sequence[str] = TOPOLOGIES,
    *,
    side: int = 5,
    perturbed: bool | None = None,
) -> Position:
    """Draw a small position: cells of a random minefield opened, then perhaps spoilt.

    An unspoilt position has at least one minefield, the one it was made from. A spoilt one has
    wrong numbers or a wrong total, and usually none. No side is longer than `side`, or 3 in a box.
    """
    topology = _random_topology(random, random.choice(names), side)
    size = topology.size
    density = random.choice((0.0, 0.1, 0.2, 0.2, 0.3, 0.3, 0.4, 0.4, 0.5, 0.6, 1.0))
    mined = {cell for cell in range(size) if random.random() < density}
    known = random.random() < 0.7
    codes = [COVERED] * size
    # With at most half the cells open, many minefields meet many clues.
    wanted = int(size * random.choice((0.6, 0.6, 0.6, 1.0)) * random.random())
    order = random.sample(range(size), size)
    for step, cell in enumerate(2 * order):
        enough = step >= wanted
        if enough and _work(codes, mined, known) <= WORK:
            break
        if codes[cell] != COVERED:
            continue
        if cell in mined:
            codes[cell] = MINED if enough or random.random() < 0.1 else COVERED
        elif random.random() < 0.1:
            codes[cell] = SAFE
        else:
            codes[cell] = sum(n in mined for n in topology.neighbours(cell))
    for cell in range(size):
        if codes[cell] == COVERED and random.random() < 0.1:
            codes[cell] = MARKED
    total = len(mined)
    if random.random() < 0.3 if perturbed is None else perturbed:
        total = _spoil(random, topology, codes, total)
    return Position(topology, bytes(codes), total if known else None)


def positions(
    names: Sequence[str] = TOPOLOGIES, *, side: int = 5, perturbed: bool | None = None
) -> st.SearchStrategy[Position]:
    """Draw the same positions through hypothesis, so that it can shrink a failing one."""
    return st.randoms(use_true_random=False).map(
        lambda random: random_position(random, names, side=side, perturbed=perturbed)
    )


def _random_topology(random: Random, name: str, side: int) -> Topology:
    sides, longest = (3, min(side, 3)) if name == "box" else (2, side)
    # The largest of three draws: long sides are more interesting, short ones are special cases.
    shape = (max(random.randint(1, longest) for _ in range(3)) for _ in range(sides))
    return topologies.get(name, tuple(shape))


def _work(codes: Sequence[int], mined: set[int], known: bool) -> int:
    """Return a bound on the number of minefields to try."""
    hidden = [cell for cell, code in enumerate(codes) if code == COVERED]
    return comb(len(hidden), sum(c in mined for c in hidden)) if known else 1 << len(hidden)


def _spoil(random: Random, topology: Topology, codes: list[int], total: int) -> int:
    """Change one or two numbers, or the total, by one; return the new total."""
    numbered = [cell for cell, code in enumerate(codes) if code <= MAX_NUMBER]
    for cell in random.sample(numbered, min(len(numbered), random.randint(1, 2))):
        degree = len(topology.neighbours(cell))
        codes[cell] = min(degree, max(0, codes[cell] + random.choice((-1, 1))))
    possible = sum(code in (COVERED, MARKED, MINED) for code in codes)
    if not numbered or random.random() < 0.3:
        total += random.choice((-1, 1))
    return min(possible, max(codes.count(MINED), total))
