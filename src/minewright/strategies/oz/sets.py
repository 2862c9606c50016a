"""The set propagators (section 3.2): what sums say about sets of cells.

For a constraint over `I`, Collet posts one propagator for every partition of `I` (4140 of them for
eight cells), over the 255 set variables of its subsets, which constraints share. Three observations
make that small without losing a conclusion.

- Cells of one box stand in the same constraints and are interchangeable, so only unions of boxes
  can carry news. A constraint of three boxes has seven set variables, whatever its size.
- The propagators of all partitions together say no more than three rules about disjoint subsets A
  and B of a constraint: low(A) + low(B) <= low(A + B), high(A + B) <= high(A) + high(B), and A and
  the rest of the constraint together hold all its mines.
- A set variable is created when a constraint with such a box appears, and is found again by its
  cells. What one constraint learns about it, the others know at once.

That nothing is lost is not proved but tested: `tests/test_oz.py` posts everything, as in the text,
and finds the same cells and the same ranges.
"""

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar, Final

from minewright.strategies.constraints import CellSet, Constraint, boxes_of, cells_of
from minewright.strategies.oz.collector import Collector
from minewright.strategies.oz.engine import Engine
from minewright.strategies.oz.field import Contradiction, SymbolicField
from minewright.strategies.oz.propagators import propagate_sums

MAX_PARTS: Final = 8
"""The most parts of a partition whose unions all get a set variable: 255 for eight cells."""


class SetVariable:
    """How many of these cells are mined: at least `low`, at most `high`."""

    __slots__ = ("cells", "high", "low", "users")

    def __init__(self, cells: CellSet) -> None:
        self.cells = cells
        self.low = 0
        self.high = cells.bit_count()
        self.users: dict[SetPropagator, None] = {}


class SetPropagator:
    """A constraint over set variables: all unions of the parts of one partition of its cells.

    `variables[mask]` is the union of the parts in the mask. The first one, the empty union, only
    serves for its range, 0 to 0.
    """

    __slots__ = ("clue", "mines", "parts", "variables", "waiting")

    def __init__(
        self, clue: int, mines: int, parts: tuple[CellSet, ...], variables: list[SetVariable]
    ) -> None:
        self.clue = clue
        self.mines = mines
        self.parts = parts
        self.variables = variables
        self.waiting = False

    def propagate(self) -> list[SetVariable]:
        """Narrow the ranges as far as this constraint can; return those that changed.

        Raise Contradiction if a range becomes empty.
        """
        variables, mines = self.variables, self.mines
        low = [variable.low for variable in variables]
        high = [variable.high for variable in variables]
        full = len(variables) - 1
        changing = True
        while changing:
            changing = False
            for mask, pairs in _splits(len(self.parts)):
                rest = full ^ mask
                least, most = mines - high[rest], mines - low[rest]
                for one, other in pairs:
                    if low[one] + low[other] > least:
                        least = low[one] + low[other]
                    if high[one] + high[other] < most:
                        most = high[one] + high[other]
                if least > low[mask]:
                    low[mask] = least
                    changing = True
                if most < high[mask]:
                    high[mask] = most
                    changing = True
                # Ranges that are empty would drive each other apart for ever.
                if low[mask] > high[mask]:
                    raise Contradiction("no number of mines fits a set of cells")
        changed = []
        for variable, least, most in zip(variables, low, high, strict=True):
            if least > variable.low or most < variable.high:
                variable.low, variable.high = least, most
                changed.append(variable)
        return changed


class Sets(Engine):
    """The set propagators."""

    name: ClassVar[str] = "set"
    at_once: ClassVar[bool] = False

    def __init__(self, field: SymbolicField, collector: Collector) -> None:
        super().__init__(field, collector)
        self.variables: dict[CellSet, SetVariable] = {}
        """All that were ever needed; a range stays true, since mines do not move."""
        self._posted: dict[tuple[CellSet, ...], SetPropagator] = {}
        self._agenda: deque[SetPropagator] = deque()
        self._version = -1

    def work(self) -> bool:
        """Propagate until a cell is determined or nothing changes."""
        # Simple propagators are cheap, and say the same as each constraint's finest partition.
        if propagate_sums(self):
            return True
        if self._version != self.field.version:
            self._post()
        while self._agenda:
            propagator = self._agenda.popleft()
            propagator.waiting = False
            changed = propagator.propagate()
            for variable in changed:
                for user in variable.users:
                    if user is not propagator:
                        self._wake(user)
            if self._tell(propagator, changed):
                return True
        return False

    def _tell(self, propagator: SetPropagator, changed: list[SetVariable]) -> bool:
        safe = mined = 0
        for variable in changed:
            if variable.high == 0:
                safe |= variable.cells
            elif variable.low == variable.cells.bit_count():
                mined |= variable.cells
        if not safe and not mined:
            return False
        return self.field.tell(self.name, propagator.clue, safe, mined)

    def _wake(self, propagator: SetPropagator) -> None:
        if not propagator.waiting:
            propagator.waiting = True
            self._agenda.append(propagator)

    def _post(self) -> None:
        """Post the propagators of new constraints, and remove those of old ones."""
        constraints = self.collector.numbers()
        total = self.collector.total()
        if total is not None and 0 < total.cells.bit_count() <= MAX_PARTS:
            # A larger total has far too many partitions, and it says little on its own anyway.
            constraints = [*constraints, total]
        posted: dict[tuple[CellSet, ...], SetPropagator] = {}
        for constraint, parts in partitions(constraints):
            old = posted.get(parts) or self._posted.pop(parts, None)
            if old is not None and old.mines != constraint.mines:
                raise Contradiction("two numbers disagree about the same cells")
            posted[parts] = old or self._make(constraint, parts)
        for past in self._posted.values():
            past.waiting = True
            for variable in past.variables:
                variable.users.pop(past, None)
        self._posted = posted
        self._agenda = deque(new for new in posted.values() if new.waiting)
        self._version = self.field.version

    def _make(self, constraint: Constraint, parts: tuple[CellSet, ...]) -> SetPropagator:
        unions = [0]
        for part in parts:
            unions += [part | union for union in unions]
        known = self.variables
        variables = []
        for union in unions:
            variable = known.get(union)
            if variable is None:
                variable = known[union] = SetVariable(union)
            variables.append(variable)
        propagator = SetPropagator(constraint.clue, constraint.mines, parts, variables)
        propagator.waiting = True
        for variable in variables:
            variable.users[propagator] = None
        return propagator


def partitions(
    constraints: Sequence[Constraint],
) -> list[tuple[Constraint, tuple[CellSet, ...]]]:
    """Yield each constraint with a partition of its cells, usually into boxes.

    Two constraints over the same cells come once, unless they disagree. If there are too many
    boxes (cells of a `box` have 26 neighbours), each overlapping constraint gives a partition into
    two parts, and what would follow from three or more parts is not found.
    """
    boxes = boxes_of(constraints)
    found: dict[tuple[tuple[CellSet, ...], int], Constraint] = {}
    for constraint in constraints:
        parts = tuple(dict.fromkeys(boxes[cell] for cell in cells_of(constraint.cells)))
        if len(parts) <= MAX_PARTS:
            found.setdefault((parts, constraint.mines), constraint)
            continue
        for other in constraints:
            inside = constraint.cells & other.cells
            if inside and inside != constraint.cells:
                halves = (inside, constraint.cells & ~inside)
                found.setdefault((halves, constraint.mines), constraint)
    return [(constraint, parts) for (parts, _), constraint in found.items()]


@lru_cache(maxsize=MAX_PARTS + 1)
def _splits(parts: int) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
    """Return every union of parts, with all the ways to split it in two."""
    unions = range(1, 1 << parts)
    return tuple(
        (union, tuple((one, union ^ one) for one in unions if _is_half(one, union)))
        for union in unions
    )


def _is_half(one: int, union: int) -> bool:
    """Return True if `one` is the half of a split that contains the union's first member."""
    return one < union and one & union == one and bool(one & union & -union)
