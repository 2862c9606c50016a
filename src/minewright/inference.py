r"""Exact inference: what is certain in a position, and how likely everything else is.

>>> from minewright.position import MARKED, MAX_NUMBER, MINED, SAFE, Position
>>> analysis = analyze(Position.parse("3x3x2\n1##\n12#\n01#"))
>>> analysis.solutions, analysis.safe, analysis.mined
(2, (2,), (1,))
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import isfinite, prod
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, TypeVar, TypeVarTuple

from minewright import _kernel, exact
from minewright._kernel import Graph, Inference, TooHard, WalksDisagree
from minewright.board import MAX_SEED
from minewright.drawing import Drawn
from minewright.errors import MinewrightError
from minewright.messages import counted, whole_within
from minewright.position import MARKED, MAX_NUMBER, MINED, SAFE, Position, PositionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Answer = TypeVar("Answer")
Extra = TypeVarTuple("Extra")


@dataclass(frozen=True, slots=True)
class Budget:
    """How much one question may cost: pairs of states tried, and seconds.

    The states decide what is answered, and do so in the same way on every machine. The seconds only
    stop what takes too long: BudgetExceeded is raised then.
    """

    states: int = 20_000_000
    seconds: float = 10.0

    def __post_init__(self) -> None:
        if not (isinstance(self.states, int) and 1 <= self.states < 2**63 and self.seconds > 0):
            raise ValueError(
                "a budget needs a whole number of states, at least 1, and more than 0 seconds, "
                f"not {self.states} states and {self.seconds} seconds"
            )


DEFAULT_BUDGET = Budget()


class BudgetExceeded(MinewrightError, RuntimeError):
    """A position was too hard for its budget; `component` holds the cells of the hard part."""

    def __init__(
        self, message: str, component: Sequence[int] = (), states: int = 0, seconds: float = 0.0
    ) -> None:
        super().__init__(message)
        self.component = tuple(component)
        self.states = states
        self.seconds = seconds
        self.done: list[Analysis] = []

    @classmethod
    def of(
        cls,
        describe: Callable[[int], str],
        component: Sequence[int],
        states: int,
        seconds: float,
    ) -> "BudgetExceeded":
        """Return the error that names the hard component, or none if the whole took too long."""
        if not component:
            return cls("too long: the work did not finish within the budget; allow a larger one")
        return cls(
            f"too hard: the component of {len(component)} cells from {describe(component[0])} "
            f"was given up after {states:,} states and {seconds:.1f} seconds; "
            "allow a larger budget, or ask for an approximate answer",
            component,
            states,
            seconds,
        )


@dataclass(frozen=True, slots=True)
class Clash:
    """Clues that no minefield satisfies together, though without any one of them some would.

    If the budget ends the search for them early, there may be more than needed. `total` says
    whether the mine total belongs to the clash.
    """

    clues: tuple[int, ...]
    total: bool

    def describe(self, position: Position, mine: str = "mine") -> str:
        """Return a clause that says which clues clash; `mine` is what the mines are called."""
        topology = position.topology
        parts = [f"the {position[cell]} at {topology.describe(cell)}" for cell in self.clues]
        if self.total:
            parts.append(f"the total of {counted(position.mines or 0, mine)}")
        if len(parts) == 1:
            return f"{parts[0]} cannot be satisfied"
        return f"{', '.join(parts[:-1])} and {parts[-1]} cannot all hold"


# A tuple, because one is made for every position, and nothing else is made as quickly.
class _Question(NamedTuple):
    """A position as the kernel reads it, and the budget for each call."""

    position: Position
    cells: bytes
    mines: int
    trust_marks: bool
    budget: Budget

    def put(
        self,
        ask: Callable[[Graph, bytes, int, bool, *Extra, Budget], Answer],
        *extra: *Extra,
    ) -> Answer:
        """Ask a function of the kernel. Raise BudgetExceeded if the question is too hard."""
        position, cells, mines, trust_marks, budget = self
        graph = position.topology.graph
        try:
            return ask(graph, cells, mines, trust_marks, *extra, budget)
        except WalksDisagree as error:
            raise _untrusted(position, *error.args) from None
        except TooHard as error:
            raise BudgetExceeded.of(position.topology.describe, *error.args) from None


def _untrusted(
    position: Position, component: Sequence[int], states: int, seconds: float
) -> BudgetExceeded:
    """Return the error for random walks that disagree: their answer cannot be trusted."""
    return BudgetExceeded(
        f"too hard: the random walks over the component of {len(component)} cells from "
        f"{position.topology.describe(component[0])} do not agree after {states:,} states, so "
        "no sampled chance can be trusted; allow more states",
        component,
        states,
        seconds,
    )


class _Clock:
    """Stops work in Python when the seconds of its budget have run out, or are about to."""

    def __init__(self, budget: Budget) -> None:
        self._end = monotonic() + budget.seconds

    def left(self) -> float:
        """Return how many seconds are left."""
        return self._end - monotonic()

    def __call__(self, seconds: float = 0.0) -> None:
        """Raise BudgetExceeded if fewer than `seconds` are left."""
        if self.left() < seconds:
            raise BudgetExceeded(
                "too long: the exact count did not finish within the budget; allow more seconds"
            )


class _Recorded(NamedTuple):
    """What the kernel found, as plain data: what a copied or pickled analysis holds."""

    consistent: bool
    in_range: bool
    approximate: bool
    states: int
    best: int
    safe: list[int]
    mined: list[int]
    chances: list[float | None]
    probability: "NDArray[np.float64]"
    standard_error: "NDArray[np.float64]"

    @classmethod
    def of(cls, found: "Inference | _Recorded") -> "_Recorded":
        """Return the same as plain data."""
        return cls(*(getattr(found, name) for name in cls._fields))


class Analysis(Drawn):
    """What follows from a position. Everything costly is computed on first use."""

    __slots__ = ("__dict__", "_inference", "_probability", "_question", "position")

    def __init__(self, question: _Question, inference: Inference | _Recorded) -> None:
        self.position = question.position
        self._question = question
        self._inference = inference
        self._probability: NDArray[np.float64] | None = None

    @property
    def consistent(self) -> bool:
        """Whether any minefield fits this position."""
        return self._inference.consistent

    @cached_property
    def safe(self) -> tuple[int, ...]:
        """All covered cells that hold no mine in any minefield that fits."""
        return tuple(self._inference.safe)

    @cached_property
    def mined(self) -> tuple[int, ...]:
        """All covered cells that hold a mine in every minefield that fits."""
        return tuple(self._inference.mined)

    @property
    def best(self) -> int | None:
        """The safest covered cell, or None if all are mined. Ties go to the first.

        Chances are compared as `probability` has them, rounded to floats.
        """
        if self._inference.consistent and not self._inference.in_range:
            chances = [
                (p, cell) for cell, p in enumerate(self.fractions) if p is not None and p < 1
            ]
            return min(chances)[1] if chances else None
        best = self._inference.best
        return None if best < 0 else best

    @property
    def least(self) -> float:
        """The smallest chance of a mine that any covered cell has; 0 if none is covered."""
        return max(min((chance for chance in self.chances if chance is not None), default=0.0), 0.0)

    @property
    def probability(self) -> "NDArray[np.float64]":
        """The chance of a mine in each covered cell, within 1e-12; NaN elsewhere."""
        # Not a cached property: before Python 3.12 those take a lock, which costs more than this.
        if self._probability is None:
            if self._inference.consistent and not self._inference.in_range:
                # The counts are beyond the range of doubles, so use integers.
                import numpy as np

                chances = [np.nan if p is None else float(p) for p in self.fractions]
                self._probability = np.array(chances)
            else:
                self._probability = self._inference.probability
        return self._probability

    @cached_property
    def chances(self) -> tuple[float | None, ...]:
        """The same as `probability`, as plain Python numbers; None where a cell is not covered.

        This does not load numpy, which would take longer than most answers.
        """
        if self._inference.consistent and not self._inference.in_range:
            return tuple(None if p is None else float(p) for p in self.fractions)
        return tuple(self._inference.chances)

    def chances_json(self) -> str:
        """Return `chances` as JSON: rows of numbers, null where a cell is not covered.

        This is many times as fast as writing the numbers one by one: few of them differ.
        """
        found, shape = self._inference, self.position.shape
        if isinstance(found, Inference) and found.in_range and len(shape) == 2:
            return found.rows_json(shape[0])
        from json import dumps

        return dumps(self.position.topology.nested(self.chances))

    @property
    def approximate(self) -> bool:
        """Whether some chances were sampled because the position was too hard."""
        return self._inference.approximate

    @property
    def states(self) -> int:
        """How many pairs of states were tried."""
        return self._inference.states

    @cached_property
    def standard_error(self) -> "NDArray[np.float64] | None":
        """The standard error of each chance if some were sampled; None for an exact answer."""
        return self._inference.standard_error if self.approximate else None

    @cached_property
    def solutions(self) -> int:
        """The exact number of minefields that fit."""
        check = _Clock(self._question.budget)
        return exact.count(self._exact(marginals=False), check)

    def count(self) -> int | None:
        """Return `solutions`, or None if the answer was sampled or counting exceeds the budget."""
        try:
            return None if self.approximate else self.solutions
        except BudgetExceeded:
            return None

    @cached_property
    def fractions(self) -> tuple[Fraction | None, ...]:
        """The chance of a mine in each covered cell as an exact fraction; None elsewhere."""
        size = self.position.topology.size
        if not self.consistent:
            return (None,) * size
        check = _Clock(self._question.budget)
        found = list(exact.fractions(self._exact(marginals=True), size, check))
        for cell in self.mined:
            found[cell] = Fraction(1)  # trusted marks were not counted
        return tuple(found)

    def numbers(self, cell: int) -> tuple[float, ...]:
        """Return the chances that a covered cell would show 0, 1, 2, … if it were opened.

        They add up to the chance that the cell holds no mine.
        """
        if self.position[cell] <= MAX_NUMBER or self.position[cell] in (SAFE, MINED):
            where = self.position.topology.describe(cell)
            raise ValueError(f"{where} is not covered; ask about a covered cell")
        degree = len(self.position.topology.neighbours(cell))
        if not self.consistent or self.probability[cell] == 1.0:
            return (0.0,) * (degree + 1)
        q = self._question
        numbers = q.put(_kernel.numbers, cell)
        if not all(map(isfinite, numbers)):
            # Doubles cannot hold the numbers, so count the minefields for each number exactly.
            shown = [
                analyze(
                    replace(q.position, cells=q.cells).with_cells({cell: number}),
                    trust_marks=q.trust_marks,
                    use_total=q.mines >= 0,
                    budget=q.budget,
                ).solutions
                for number in range(degree + 1)
            ]
            return tuple(float(Fraction(count, self.solutions)) for count in shown)
        safe = 1.0 - float(self.probability[cell])
        return tuple(safe * p for p in numbers)

    def risk(self, cells: Iterable[int]) -> float:
        """Return the chance that at least one of some covered cells holds a mine.

        If the answer was sampled, the cells are taken as independent of each other.
        """
        unsure = [cell for cell in cells if self.chances[cell]]
        chances = [self.chances[cell] or 0.0 for cell in unsure]
        if len(unsure) <= 1:
            return min(max(sum(chances), 0.0), 1.0)
        if self.approximate:
            return min(max(1 - prod(1 - chance for chance in chances), 0.0), 1.0)
        if set(unsure).intersection(self.mined):
            return 1.0
        try:
            free_position = self.position.with_cells(dict.fromkeys(unsure, SAFE))
        except PositionError:
            return 1.0  # the mines would not fit elsewhere
        free = analyze(
            free_position,
            trust_marks=self._question.trust_marks,
            use_total=self._question.mines >= 0,
            budget=self._question.budget,
        )
        return float(1 - Fraction(free.solutions, self.solutions)) if free.consistent else 1.0

    @cached_property
    def clash(self) -> Clash | None:
        """The smallest set of clashing clues that was found; None for a consistent position."""
        return None if self.consistent else _find_clash(self._question)

    def _exact(self, marginals: bool) -> _kernel.Exact:
        return self._question.put(_kernel.exact, marginals)

    def __reduce__(self) -> tuple[object, ...]:
        # Copy what was found, because finding it again could take long; and keep what was
        # computed from it since.
        found = _Recorded.of(self._inference)
        return type(self), (self._question, found), dict(vars(self)) or None

    def __repr__(self) -> str:
        if not self.consistent:
            return "<Analysis: inconsistent>"
        return f"<Analysis: {len(self.safe)} safe, {len(self.mined)} mined, best {self.best}>"


def analyze(
    position: Position,
    *,
    trust_marks: bool = False,
    clues: Iterable[int] | None = None,
    use_total: bool = True,
    approximate: bool = False,
    seed: int = 0,
    budget: Budget = DEFAULT_BUDGET,
) -> Analysis:
    """Analyze a position exactly. Raise BudgetExceeded if that is too hard.

    With `clues`, only the numbers of these cells are used. `use_total=False` ignores the mine
    total, and `trust_marks` treats the player's marks as facts. With `approximate`, components that
    are too hard for the budget's states are sampled. Their chances have a standard error, and a
    cell is still called safe or mined only if that is proved. The same seed and states give the
    same sample on every machine. If the random walks disagree, no answer can be trusted and
    BudgetExceeded is raised.
    """
    seed = whole_within("a seed", seed, 0, MAX_SEED, ValueError)
    question = _ask(position, trust_marks, clues, use_total, budget)
    if approximate:
        return Analysis(question, question.put(_kernel.approximate, seed))
    return Analysis(question, question.put(_kernel.infer))


def analyze_many(
    positions: Iterable[Position],
    *,
    trust_marks: bool = False,
    use_total: bool = True,
    budget: Budget = DEFAULT_BUDGET,
) -> list[Analysis]:
    """Analyze many positions, with one kernel call per run of positions on the same topology.

    The budget is for each position. If one exceeds it, the BudgetExceeded that is raised holds the
    analyses before it in `done`.
    """
    questions = [_ask(position, trust_marks, None, use_total, budget) for position in positions]
    found: list[Analysis] = []
    first = 0
    while first < len(questions):
        topology = questions[first].position.topology
        end = first + 1
        while end < len(questions) and questions[end].position.topology is topology:
            end += 1
        batch = questions[first:end]
        inferences, error = _kernel.infer_many(
            topology.graph,
            [question.cells for question in batch],
            [question.mines for question in batch],
            trust_marks,
            budget,
        )
        found += map(Analysis, batch, inferences)
        if error is not None:
            beyond = BudgetExceeded.of(topology.describe, *error)
            beyond.done = found
            raise beyond
        first = end
    return found


def enumerate_solutions(
    position: Position,
    limit: int,
    *,
    trust_marks: bool = False,
    use_total: bool = True,
    budget: Budget = DEFAULT_BUDGET,
) -> list[frozenset[int]]:
    """Return up to `limit` minefields that fit, each as the set of its mined cells."""
    if limit < 0:
        raise ValueError(f"a limit is at least 0, not {limit}")
    question = _ask(position, trust_marks, None, use_total, budget)
    known = {MINED, MARKED} if trust_marks else {MINED}
    given = [cell for cell, code in enumerate(position.cells) if code in known]
    found = question.put(_kernel.enumerate, limit)
    return [frozenset(mined).union(given) for mined in found]


def random_solution(
    position: Position, seed: int, stream: int = 0, *, budget: Budget = DEFAULT_BUDGET
) -> frozenset[int]:
    r"""Return one of the minefields that fit, all equally likely, as the set of its mined cells.

    They are equally likely as far as doubles can tell. The same seed and stream give the same
    minefield. The mine total must be known. Raise ValueError if it is not, or if no minefield fits,
    and BudgetExceeded if that is too hard.

    >>> len(random_solution(Position.parse("3x3x2\n1##\n12#\n01#"), seed=1))
    2
    """
    found = _ask(position, False, None, True, budget).put(_kernel.draw, seed, stream)
    if found is None:
        raise ValueError("no minefield fits this position")
    return frozenset(found).union(cell for cell, code in enumerate(position.cells) if code == MINED)


def is_unique(position: Position, *, budget: Budget = DEFAULT_BUDGET) -> bool:
    """Return True if exactly one minefield fits this position."""
    # There is exactly one if and only if every covered cell is certain.
    inference = analyze(position, budget=budget)
    certain = len(inference.safe) + len(inference.mined)
    return inference.consistent and certain == len(position.covered)


def _ask(
    position: Position,
    trust_marks: bool,
    clues: Iterable[int] | None,
    use_total: bool,
    budget: Budget,
) -> _Question:
    cells = position.cells if clues is None else _only(position.cells, clues)
    mines = position.mines if use_total and position.mines is not None else -1
    return _Question(position, cells, mines, trust_marks, budget)


# Turns every number into a cell that is only known to be safe.
_FORGET = bytes(SAFE if code <= MAX_NUMBER else code for code in range(256))


def _only(cells: bytes, clues: Iterable[int]) -> bytes:
    """Return the codes without any number except those of `clues`."""
    rest = bytearray(cells.translate(_FORGET))
    for clue in clues:
        if not 0 <= clue < len(cells):
            raise ValueError(f"there is no cell {clue}; the cells are 0 to {len(cells) - 1}")
        rest[clue] = cells[clue]
    return bytes(rest)


def _find_clash(question: _Question) -> Clash:
    graph = question.position.topology.graph
    numbers = [cell for cell, code in enumerate(question.cells) if code <= MAX_NUMBER]

    clock = _Clock(question.budget)

    def clashing(clues: Sequence[int], mines: int) -> bool:
        cells = _only(question.cells, clues)
        seconds = max(clock.left(), 1e-3)
        try:
            return not _kernel.consistent(
                graph, cells, mines, question.trust_marks, Budget(question.budget.states, seconds)
            )
        except TooHard:
            return False  # not shown to clash, so more clues are kept

    total = question.mines >= 0 and not clashing(numbers, -1)
    mines = question.mines if total else -1

    def smallest(given: list[int], suspects: list[int], grown: bool) -> list[int]:
        """Return the suspects needed for a clash (Junker's QuickXplain)."""
        if grown and clashing(given, mines):
            return []
        # When the time is over, keep all suspects that are left.
        if len(suspects) == 1 or clock.left() < 0:
            return suspects
        half = len(suspects) // 2
        first, second = suspects[:half], suspects[half:]
        from_second = smallest(given + first, second, bool(first))
        from_first = smallest(given + from_second, first, bool(from_second))
        return from_first + from_second

    found = [] if not numbers or clashing([], mines) else smallest([], numbers, False)
    return Clash(tuple(sorted(found)), total)
