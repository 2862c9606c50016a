"""Making Bullets puzzles: Neller and Tran's hill descent on an energy, and more.

The search itself runs in the kernel. The same seed gives the same puzzles on every machine and
for any number of workers.
"""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from pickle import PicklingError, dumps
from time import monotonic
from typing import Final, TypedDict, Unpack

from minewright import _kernel
from minewright.board import MAX_SEED
from minewright.bullets.grade import (
    PAPER,
    Energy,
    EnergyFunction,
    Grade,
    Targeted,
)
from minewright.bullets.puzzle import MAX_CELLS, Puzzle, PuzzleError
from minewright.bullets.symmetry import SYMMETRIES, Symmetry, key_of, orbits, turns_of
from minewright.deduction.effort import Effort, Level
from minewright.deduction.wishes import OFF, Difficulty, StepEnergy, Target, finite_energy
from minewright.inference import Budget, BudgetExceeded
from minewright.messages import counted, whole_within
from minewright.topology import Topology, TopologyError, get
from minewright.work.progress import Progress, Quiet

MAKE_BUDGET: Final = Budget(states=100_000_000_000, seconds=600.0)
"""The work of one search, and the time for one puzzle."""

_ATTEMPTS: Final = 20
"""How many searches to try before giving up on a wish."""
_STREAMS: Final = 2**32
"""Random streams are numbered by puzzle, plus this number for each further attempt."""
_ABSURD: Final = 2**32 - 1


class Wishes(TypedDict, total=False):
    """What can be wished of a puzzle; `make` explains each wish."""

    iterations: int
    samples: int
    seed: int
    energy: EnergyFunction
    restarts: int
    anneal: tuple[float, float] | None
    symmetry: Symmetry
    difficulty: Difficulty | None
    refined: StepEnergy | None
    total: bool
    clues: tuple[int, int] | None
    budget: Budget


def make(
    size: int | tuple[int, ...] = 7,
    bullets: int | None = None,
    *,
    topology: str | Topology = "moore",
    index: int = 0,
    **wishes: Unpack[Wishes],
) -> Puzzle:
    """Make a puzzle of low energy with exactly one solution and no superfluous clue.

    `size` is the side of a square, or (width, height). By default three cells in ten hold
    `bullets`, which the paper found best: 15 on 7x7. The search starts from a random arrangement
    of bullets. It moves one bullet at a time, `iterations` times (500), and undoes a move that
    raises the energy. For each arrangement it tries `samples` random minimal sets of clues (3).
    `index` is the number of the puzzle among those of the same `seed` (0). Further wishes:

    `energy`      a weighted Energy, or any function of n0, n1 and n2 (PAPER)
    `restarts`    the number of descents; the best puzzle of all of them is kept (1)
    `anneal`      (hot, cold): simulated annealing between these temperatures (None)
    `symmetry`    of the clue pattern: "none", "rotation" by half a turn, or "mirror" from left
                  to right. With a symmetry, no pair of clues can be hidden
    `difficulty`  "easy" if one clue at a time is enough, "medium" if some step needs two at once,
                  "hard" if some step needs three or more; or a number, the sum over all steps of
                  the clues beyond the first (None: whatever the energy prefers)
    `refined`     a function of the steps by the clues they need, such as Weights, to add to the
                  energy (None)
    `total`       False for puzzles that have one solution even without the number of bullets (True)
    `clues`       (fewest, most) clues (None: as many as needed)
    `budget`      its states are the work of one search: the best puzzle found by then is taken.
                  Its seconds are the time for the puzzle; they never decide which one is made

    Raise PuzzleError for a wish that makes no sense, or that no puzzle found fulfils, and
    BudgetExceeded if the time is up.

    >>> make(size=4, bullets=5, seed=1)
    <Puzzle 4x4x5 moore, ... clues>
    """
    search = _Search.of(size, bullets, topology, wishes)
    return search.puzzle(_first(index))


def make_many(
    count: int,
    size: int | tuple[int, ...] = 7,
    bullets: int | None = None,
    *,
    topology: str | Topology = "moore",
    index: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
    **wishes: Unpack[Wishes],
) -> Generator[Puzzle, None, None]:
    """Yield puzzles one after another, no two the same, not even when turned or mirrored.

    The wishes are those of `make`; `index` is the number of the first puzzle. The puzzles do not
    depend on the number of `workers`, which are processes. An `energy` that cannot be pickled,
    such as a lambda, keeps all the work in this one. `progress` is told how many are made.
    """
    count = whole_within("the number of puzzles", count, 1, None, PuzzleError)
    workers = whole_within("the number of workers", workers, 1, None, PuzzleError)
    search = _Search.of(size, bullets, topology, wishes)
    indices = range(_first(index), _first(index + count - 1) + 1)
    return search.different(indices, min(workers, count), progress or Quiet())


@dataclass(frozen=True, slots=True)
class _Search:
    """A wish that has been checked."""

    topology: Topology
    bullets: int
    iterations: int = 500
    samples: int = 3
    seed: int = 0
    energy: EnergyFunction = PAPER
    restarts: int = 1
    anneal: tuple[float, float] | None = None
    symmetry: Symmetry = "none"
    difficulty: Difficulty | None = None
    refined: StepEnergy | None = None
    total: bool = True
    clues: tuple[int, int] | None = None
    budget: Budget = MAKE_BUDGET

    @classmethod
    def of(
        cls,
        size: int | tuple[int, ...],
        bullets: int | None,
        topology: str | Topology,
        wishes: Wishes,
    ) -> "_Search":
        where = _topology(size, topology)
        return cls(where, default_bullets(where.size) if bullets is None else bullets, **wishes)

    def __post_init__(self) -> None:
        size, bullets = self.topology.size, self.bullets
        if size < 2:
            raise PuzzleError("a puzzle has at least 2 cells: one for a bullet, one without")
        for what, number, least, most in (
            (f"the number of bullets in {counted(size, 'cell')}", bullets, 1, size - 1),
            ("the number of iterations", self.iterations, 0, _ABSURD),
            ("the number of samples", self.samples, 1, _ABSURD),
            ("the number of restarts", self.restarts, 1, _ABSURD),
            ("a seed", self.seed, 0, MAX_SEED),
        ):
            whole_within(what, number, least, most, PuzzleError)
        if self.symmetry not in SYMMETRIES:
            known = ", ".join(SYMMETRIES)
            raise PuzzleError(f"symmetry: there is no {self.symmetry!r}; choose from {known}")
        try:
            Target(self.difficulty or 0)
        except ValueError as error:
            raise PuzzleError(f"difficulty: {error}") from None
        # The shifted rows of a hexagonal board do not map onto each other.
        if self.symmetry != "none" and (
            len(self.topology.shape) < 2 or self.topology.name == "hex"
        ):
            raise PuzzleError(
                f"symmetry: {self.topology.name} boards cannot be turned or mirrored onto"
                " themselves; choose none"
            )
        if self.anneal is not None:
            hot, cold = self.anneal
            if not 0 < cold <= hot < float("inf"):
                raise PuzzleError(
                    f"anneal: {hot:g} to {cold:g} does not cool down; both must be more than 0,"
                    " the hotter one first"
                )
        if self.clues is not None:
            fewest, most = self.clues
            if not 0 <= fewest <= most:
                raise PuzzleError(f"clues: the fewest, {fewest}, are more than the most, {most}")
            if fewest > size - bullets:
                raise PuzzleError(
                    f"clues: {counted(size - bullets, 'cell')} without a bullet cannot hold"
                    f" {counted(fewest, 'clue')}"
                )

    def puzzle(self, index: int, fits: Callable[[Puzzle], bool] = lambda puzzle: True) -> Puzzle:
        """Make the puzzle with this number."""
        return self._attempt(index, fits)

    def different(
        self, indices: range, workers: int, progress: Progress
    ) -> Generator[Puzzle, None, None]:
        """Yield puzzles in order; a repeated one is replaced by another search."""
        seen: set[tuple[tuple[int, int], ...]] = set()
        turns = turns_of(self.topology)

        def is_new(puzzle: Puzzle) -> bool:
            return key_of(puzzle, turns) not in seen

        for index, first in self._in_order(indices, workers, progress):
            puzzle = first if is_new(first) else self._attempt(index, is_new)
            seen.add(key_of(puzzle, turns))
            yield puzzle

    def _in_order(
        self, indices: range, workers: int, progress: Progress
    ) -> Iterator[tuple[int, Puzzle]]:
        """Yield the puzzles with these numbers in order."""
        # This takes long to import, so import it only when needed.
        from minewright.work.crew import Crew
        from minewright.work.executors import processes
        from minewright.work.tasks import Task

        workers = workers if workers > 1 and self._can_travel() else 1
        tasks = (Task(index, 1, self.puzzle, (index,)) for index in indices)
        with Crew(partial(processes, workers, copied=True)) as crew:
            progress.begin(len(indices), 0)
            for task, puzzle in crew.perform(tasks, progress, in_order=True):
                yield task.number, puzzle

    def _can_travel(self) -> bool:
        """Return True if other processes can be told what to make."""
        try:
            dumps(self)
        except (AttributeError, PicklingError, TypeError):
            return False
        return True

    def _attempt(self, index: int, fits: Callable[[Puzzle], bool]) -> Puzzle:
        """Search until a puzzle fits, each time with different random numbers."""
        found: Puzzle | None = None
        began = monotonic()
        for attempt in range(_ATTEMPTS):
            left = self.budget.seconds - (monotonic() - began)
            found = self._search(index + attempt * _STREAMS, left) or found
            if found is None:
                continue
            if self._has_difficulty(found) and fits(found):
                return found
        raise PuzzleError(self._excuse(found))

    def _has_difficulty(self, puzzle: Puzzle) -> bool:
        return self.difficulty is None or Target(self.difficulty)(puzzle.effort) == 0

    def _taste(self, counts: list[int]) -> float:
        """Return what the steps by clues add to the energy."""
        effort = Effort(tuple(counts))
        off = 0.0 if self.difficulty is None else OFF * Target(self.difficulty)(effort)
        if self.refined is None:
            return off
        return off + finite_energy(self.refined(effort), effort, PuzzleError)

    def _excuse(self, found: Puzzle | None) -> str:
        searches = f"{_ATTEMPTS} searches"
        if found is None:
            wish = (
                f"with {self.clues[0]} to {self.clues[1]} clues"
                if self.clues is not None
                else "with one solution"
            )
            pattern = "" if self.symmetry == "none" else f" and clues in {self.symmetry} symmetry"
            return (
                f"{searches} found no puzzle {wish}{pattern}; change the number of bullets or"
                " clues, or allow more iterations"
            )
        if not self._has_difficulty(found):
            level = isinstance(self.difficulty, str)
            wish = (
                f"{self.difficulty} puzzle" if level else f"puzzle of difficulty {self.difficulty}"
            )
            return (
                f"{searches} found no {wish}; allow more iterations, or change the number of"
                " bullets"
            )
        return f"{searches} found nothing new: there are few such puzzles; ask for fewer"

    def _search(self, stream: int, seconds: float) -> Puzzle | None:
        late = "too long: the puzzle was not made in time; make it smaller, or allow more time"
        if seconds <= 0:
            raise BudgetExceeded(late)
        energy = self.energy
        hot, cold = self.anneal or (0.0, 0.0)
        fewest, most = self.clues or (0, self.topology.size)
        wish = _kernel.BulletsWish(
            self.bullets,
            self.iterations,
            self.samples,
            self.restarts,
            hot,
            cold,
            orbits(self.topology, self.symmetry),
            fewest,
            min(most, self.topology.size),
            self.total,
        )
        tasted = self.difficulty is not None or self.refined is not None
        try:
            found = _kernel.bullets_make(
                self.topology.graph,
                wish,
                _kernel.Polynomial(energy.linear, energy.square)
                if isinstance(energy, Energy)
                else partial(_finite, energy),
                self.seed,
                stream,
                replace(self.budget, seconds=seconds),
                self._taste if tasted else None,
                0.0 if self.refined is None else -inf,
            )
        except _kernel.TooHard:
            raise BudgetExceeded(late) from None
        if found is None:
            return None
        bullets, clues, n0, n1, n2, _ = found
        return Puzzle.from_solution(self.topology, bullets, clues, Grade(n0, n1, n2))


def make_by_share(size: int, seed: int, band: Level) -> Puzzle:
    """Make a puzzle by the older measure of difficulty. Daily puzzles of the past depend on it."""
    search = _Search.of(size, None, "moore", {"seed": seed, "energy": Targeted(PAPER, band)})
    return search.puzzle(0, lambda puzzle: puzzle.grade().band == band)


def _finite(energy: EnergyFunction, n0: int, n1: int, n2: int) -> float:
    """Call a function for an energy, and check that it can be compared."""
    return finite_energy(energy(n0, n1, n2), f"n0={n0}, n1={n1}, n2={n2}", PuzzleError)


def default_bullets(cells: int) -> int:
    """Return the number of bullets that suits a board: three per ten cells."""
    return max(1, round(0.3 * cells))


def _topology(size: int | tuple[int, ...], topology: str | Topology) -> Topology:
    if isinstance(topology, Topology):
        where = topology
    else:
        try:
            where = get(topology, (size, size) if isinstance(size, int) else size)
        except TopologyError as error:
            raise PuzzleError(str(error)) from None
    if where.size > MAX_CELLS:
        raise PuzzleError(f"a puzzle has at most {MAX_CELLS:,} cells, not {where.size:,}")
    return where


def _first(index: int) -> int:
    return whole_within("the number of a puzzle", index, 0, _STREAMS - 1, PuzzleError)
