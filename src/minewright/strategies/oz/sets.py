"""The set propagators (section 3.2): what sums say about sets of cells.

For a constraint over `I` Collet posts one propagator for every partition of `I`, 4140 of them for
eight cells, over the 255 set variables of its subsets, which constraints share. Three remarks make
that small without losing a conclusion.

- Cells of one box stand in the same constraints and nothing tells them apart, so only unions of
  boxes can carry news: a constraint of three boxes has seven set variables, whatever its size.
- The propagators of all partitions together say no more than three rules about a constraint's own
  subsets A and B, disjoint: low(A) + low(B) <= low(A + B), high(A + B) <= high(A) + high(B), and
  A and what is left of the constraint hold all its mines together.
- A set variable is created when a constraint with such a box appears, and found again by its
  cells: what one constraint learns of it the others know at once.

That nothing is lost is not proved here but tried: `tests/test_oz.py` posts everything, as the text
has it, and finds the same cells and the same ranges.
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
"""The cells around a cell: for a partition into so many parts all 255 set variables are created."""


class SetVariable:
    """How many of these cells are mined: at least `low`, at most `high`."""

    __slots__ = ("cells", "high", "low", "users")

    def __init__(self, cells: CellSet) -> None:
        self.cells = cells
        self.low = 0
        self.high = cells.bit_count()
        self.users: dict[SetPropagator, None] = {}


class SetPropagator:
    """A constraint over set variables: all the unions of the parts of one partition of its cells.

    `variables[mask]` is the union of the parts in the mask; the first one, of no part, is never
    looked at but for its range, 0 to 0.
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
        """Narrow the ranges as far as this constraint can; gives those that changed.

        Raises Contradiction if a range becomes empty.
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
        changed = []
        for variable, least, most in zip(variables, low, high, strict=True):
            if least > variable.low or most < variable.high:
                if least > most:
                    raise Contradiction("a set of cells has no number of mines left")
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
        """All that were ever needed: a range stays true, since mines do not move."""
        self._posted: dict[tuple[CellSet, ...], SetPropagator] = {}
        self._agenda: deque[SetPropagator] = deque()
        self._version = -1

    def work(self) -> bool:
        """Propagate until a cell is determined or nothing changes any more."""
        # The finest partition of each constraint says what a simple propagator says, and is cheap.
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
        """Post the propagators of constraints that are new, and take off those that are past."""
        constraints = self.collector.numbers()
        total = self.collector.total()
        if total is not None and 0 < total.cells.bit_count() <= MAX_PARTS:
            # Before, its partitions are more than can be counted; alone it says little anyway.
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
    """Give each constraint with a partition of its cells, usually into boxes.

    Two constraints over the same cells come once, unless they disagree. Where boxes are too many
    (cells of a `box` have 26 neighbours) there is a partition in two for every constraint that
    overlaps, and what more follows from three and more parts is not found.
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
    """Give every union of so many parts with all the ways to split it in two."""
    unions = range(1, 1 << parts)
    return tuple(
        (union, tuple((one, union ^ one) for one in unions if _is_half(one, union)))
        for union in unions
    )


def _is_half(one: int, union: int) -> bool:
    """Say whether `one` is a part of the union with its first member; the rest is the other."""
    return one < union and one & union == one and bool(one & union & -union)
