r"""Neller and Tran's Bullets puzzle: clues, hidden cells, and the number of bullets.

It is written like a position: a number is a clue, `#` is a hidden cell, and the first line gives
the number of bullets. Cells are numbered left to right, top to bottom.

>>> puzzle = Puzzle.parse("3x3x2\n1##\n##2\n###")
>>> puzzle.validate().unique
False
>>> sorted(Puzzle.parse("3x3x2\n02#\n###\n#1#").solution)
[2, 5]
"""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeGuard

from minewright import _kernel
from minewright._kernel import TooHard
from minewright.bullets.grade import Grade
from minewright.deduction.effort import Effort, Level
from minewright.drawing import Drawn
from minewright.errors import MinewrightError
from minewright.inference import (
    DEFAULT_BUDGET,
    Budget,
    BudgetExceeded,
    Clash,
    analyze,
    enumerate_solutions,
)
from minewright.messages import counted, why_not_json, write_sides
from minewright.position import COVERED, MAX_NUMBER, Position, PositionError
from minewright.topology import Topology, TopologyError, get

MAX_CELLS: Final = 1024
"""The most cells of a puzzle."""

_LINK: Final = "https://puzz.link/p?mines"
_RUN: Final = 20
"""The most hidden cells that one letter of a link stands for."""


class PuzzleError(MinewrightError, ValueError):
    """An impossible puzzle, or one that does not have exactly one solution, in one line."""


@dataclass(frozen=True)
class Puzzle(Drawn):
    """Clues on a board and the number of bullets in its hidden cells.

    `clues` holds pairs of a cell and its number, sorted by cell; all other cells are hidden. A
    Puzzle need not have exactly one solution: `validate` finds out. Raise PuzzleError for a
    puzzle that no arrangement of bullets could produce.
    """

    topology: Topology
    clues: tuple[tuple[int, int], ...]
    bullets: int
    # An arrangement that fits, if the maker knows one; it is tried before searching for others.
    _hint: frozenset[int] | None = field(default=None, compare=False, repr=False)
    # The grade, if the maker knows it: finding it takes about as long as finding the clues.
    _grade: Grade | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        size = self.topology.size
        if size > MAX_CELLS:
            raise PuzzleError(f"a puzzle has at most {MAX_CELLS:,} cells, not {size:,}")
        cells = [cell for cell, _ in self.clues]
        if cells != sorted(set(cells)):
            raise PuzzleError("the clues of a puzzle must be sorted by cell, one per cell")
        if cells and not 0 <= cells[0] <= cells[-1] < size:
            raise PuzzleError(f"a clue is outside the board: the cells are 0 to {size - 1}")
        hidden = size - len(cells)
        if not 0 <= self.bullets <= hidden:
            raise PuzzleError(
                f"{counted(hidden, 'hidden cell')} cannot hold {counted(self.bullets, 'bullet')};"
                " correct the number of bullets"
            )
        for _, number in self.clues:
            if not 0 <= number <= MAX_NUMBER:
                raise PuzzleError(f"a clue is 0 to {MAX_NUMBER}, not {number}")
        try:
            _ = self.position  # raises if a number is too large for its cell
        except PositionError as error:
            raise PuzzleError(str(error)) from None

    @classmethod
    def parse(cls, text: str) -> "Puzzle":
        """Read a puzzle from its text. Raise PositionError or PuzzleError if it is not one."""
        position = Position.parse(text)
        if position.mines is None:
            raise PuzzleError(
                "the number of bullets is missing; write it in the first line, as in 7x7x15"
            )
        for cell, code in enumerate(position.cells):
            if code > MAX_NUMBER and code != COVERED:
                raise PuzzleError(
                    f"{position.topology.describe(cell)} is neither a clue nor hidden;"
                    " write a number or #"
                )
        return cls(position.topology, _clues_of(position), position.mines)

    @classmethod
    def from_solution(
        cls,
        topology: Topology,
        bullets: Collection[int],
        clues: Collection[int],
        grade: Grade | None = None,
    ) -> "Puzzle":
        """Return the puzzle that shows some cells' numbers for an arrangement of bullets.

        A `grade` that is known already is not found again.
        """
        solution = frozenset(bullets)
        if solution.intersection(clues):
            cell = min(solution.intersection(clues))
            raise PuzzleError(f"{topology.describe(cell)} holds a bullet and cannot be a clue")
        for cell in solution:
            if not 0 <= cell < topology.size:
                raise PuzzleError(f"there is no cell {cell} for a bullet")
        numbers = tuple(
            (cell, sum(other in solution for other in topology.neighbours(cell)))
            for cell in sorted(set(clues))
        )
        return cls(topology, numbers, len(solution), solution, grade)

    @cached_property
    def position(self) -> Position:
        """The puzzle as a position: clues are open, hidden cells covered."""
        cells = bytearray((COVERED,)) * self.topology.size
        for cell, number in self.clues:
            cells[cell] = number
        return Position(self.topology, bytes(cells), self.bullets)

    @property
    def hidden(self) -> tuple[int, ...]:
        """The cells without a clue."""
        return self.position.covered

    @cached_property
    def solution(self) -> frozenset[int]:
        """The cells with a bullet. Raise PuzzleError unless exactly one arrangement fits."""
        cells = [cell for cell, _ in self.clues]
        if self._hint is not None and _surely_unique(self.topology, self._hint, cells):
            return self._hint
        found = enumerate_solutions(self.position, 2)
        if len(found) != 1:
            raise PuzzleError(self.validate().why)
        return found[0]

    def validate(self, *, budget: Budget = DEFAULT_BUDGET) -> "Report":
        """Report whether there is exactly one solution and whether every clue is needed."""
        analysis = analyze(self.position, budget=budget)
        shown = tuple(sorted(enumerate_solutions(self.position, 2, budget=budget), key=sorted))
        rivals: dict[int, frozenset[int]] = {}
        if len(shown) == 1:
            for cell, _ in self.clues:
                without = enumerate_solutions(self.without(cell).position, 2, budget=budget)
                others = [other for other in without if other != shown[0]]
                if others:
                    rivals[cell] = others[0]
        return Report(self, analysis.solutions, shown, rivals, analysis.clash)

    @property
    def unique(self) -> bool:
        """Whether there is exactly one solution."""
        return len(enumerate_solutions(self.position, 2)) == 1

    @property
    def minimal(self) -> bool:
        """Whether there is exactly one solution, and removing any clue would allow more."""
        return self.validate().minimal

    def without(self, clue: int) -> "Puzzle":
        """Return the puzzle with one clue hidden."""
        left = tuple(pair for pair in self.clues if pair[0] != clue)
        if len(left) == len(self.clues):
            raise PuzzleError(f"there is no clue at cell {clue}")
        return Puzzle(self.topology, left, self.bullets, self._hint)

    def grade(self, *, budget: Budget = DEFAULT_BUDGET) -> Grade:
        """Return the steps of the human-like solution, counted as in the paper."""
        if self._grade is not None:
            return self._grade
        bullets, clues = sorted(self.solution), [cell for cell, _ in self.clues]
        try:
            return Grade(*_kernel.bullets_grade(self.topology.graph, bullets, clues, budget))
        except TooHard as error:
            _, states, seconds = error.args
            describe = self.topology.describe
            raise BudgetExceeded.of(describe, self.hidden, states, seconds) from None

    @cached_property
    def effort(self) -> Effort:
        """How many steps need how many clues if the simplest one is always taken.

        The number of bullets counts as a clue. Raise PuzzleError unless there is one solution.
        """
        bullets, clues = sorted(self.solution), [cell for cell, _ in self.clues]
        graph = self.topology.graph
        try:
            return Effort(tuple(_kernel.bullets_effort(graph, bullets, clues, DEFAULT_BUDGET)))
        except TooHard as error:
            _, states, seconds = error.args
            describe = self.topology.describe
            raise BudgetExceeded.of(describe, self.hidden, states, seconds) from None

    @property
    def difficulty(self) -> Level:
        """How hard the puzzle is for a person, by its hardest step."""
        return self.effort.level

    @cached_property
    def needs_total(self) -> bool:
        """Whether the clues alone, without the number of bullets, leave several solutions."""
        return len(enumerate_solutions(self.position.with_mines(None), 2)) > 1

    @property
    def link(self) -> str:
        """The address that opens the puzzle in the editor puzz.link, as its type `mines`.

        That type has no number of bullets and accepts any arrangement that fits the clues, so a
        puzzle that `needs_total` must state the number beside the link. Raise PuzzleError if the
        topology is not `moore`.
        """
        if self.topology.name != "moore":
            raise PuzzleError(f"puzz.link has no puzzles on {self.topology.name}, only on moore")
        width, height = self.topology.shape
        return f"{_LINK}/{width}/{height}/{''.join(_encode(self.position))}"

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        sides = f"{write_sides(self.topology.shape)}x{self.bullets}"
        return f"<Puzzle {sides} {self.topology.name}, {counted(len(self.clues), 'clue')}>"

    def as_data(self) -> dict[str, object]:
        """Return the puzzle as JSON data, with clues as [row, column, number]."""
        place = self.topology.coordinates
        return {
            "topology": self.topology.name,
            "shape": list(self.topology.shape),
            "bullets": self.bullets,
            "clues": [[*place(cell), number] for cell, number in self.clues],
        }

    def to_json(self) -> str:
        """Return the puzzle as one JSON object."""
        return json.dumps(self.as_data())

    @classmethod
    def from_json(cls, text: str) -> "Puzzle":
        """Read a puzzle from JSON in the form of `to_json`, ignoring other members."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise PuzzleError(f"this is not JSON: {why_not_json(error)}") from None
        return cls.from_data(data)

    @classmethod
    def from_data(cls, data: object) -> "Puzzle":
        """Read a puzzle from data in the form of `as_data`. Raise PuzzleError if it is not one."""
        if not isinstance(data, dict):
            raise PuzzleError("a puzzle in JSON is an object with shape, bullets and clues")
        name, bullets = data.get("topology", "moore"), data.get("bullets")
        if not isinstance(name, str) or not _is_number(bullets):
            raise PuzzleError("in JSON, bullets must be a whole number and topology a name")
        shape = _numbers(data.get("shape"), "shape")
        try:
            topology = get(name, shape)
            if topology.size > MAX_CELLS:
                raise PuzzleError(f"a puzzle has at most {MAX_CELLS:,} cells")
            clues = data.get("clues")
            if not isinstance(clues, list):
                raise PuzzleError("a puzzle in JSON needs clues, a list of [row, column, number]")
            read = [_numbers(clue, "each clue") for clue in clues]
            pairs = sorted((topology.cell(*clue[:-1]), clue[-1]) for clue in read if clue)
        except TopologyError as error:
            raise PuzzleError(str(error)) from None
        return cls(topology, tuple(pairs), bullets)


@dataclass(frozen=True)
class Report:
    """What is true of a puzzle, with the evidence.

    `count` is the number of solutions, `solutions` the first two. `rivals` proves which clues are
    needed: it maps each of them to another arrangement, which fits once this clue is hidden.
    `clash` holds clues that no arrangement satisfies together.
    """

    puzzle: Puzzle
    count: int
    solutions: tuple[frozenset[int], ...]
    rivals: Mapping[int, frozenset[int]]
    clash: Clash | None

    @property
    def unique(self) -> bool:
        """Whether there is exactly one solution."""
        return self.count == 1

    @property
    def minimal(self) -> bool:
        """Whether there is exactly one solution, and removing any clue would allow more."""
        return self.unique and not self.spare

    @property
    def spare(self) -> tuple[int, ...]:
        """The superfluous clues: hiding any one of them keeps the solution unique."""
        if not self.unique:
            return ()
        return tuple(cell for cell, _ in self.puzzle.clues if cell not in self.rivals)

    @property
    def why(self) -> str:
        """One line that says what was found."""
        describe = self.puzzle.topology.describe
        if self.clash is not None:
            words = self.clash.describe(self.puzzle.position, "bullet")
            return f"the puzzle has no solution: {words}"
        if not self.unique:
            one, other = self.solutions
            differ = min(one ^ other)
            return (
                f"the puzzle has {counted(self.count, 'solution')}: {describe(differ)} may or may"
                " not hold a bullet; show more clues"
            )
        if self.spare:
            cells = " or ".join(describe(cell) for cell in self.spare)
            return f"the solution is unique even without the clue at {cells}"
        return "the solution is unique, and every clue is needed"


def _clues_of(position: Position) -> tuple[tuple[int, int], ...]:
    return tuple((cell, code) for cell, code in enumerate(position.cells) if code <= MAX_NUMBER)


def _surely_unique(topology: Topology, bullets: Collection[int], clues: Collection[int]) -> bool:
    """Return True if an arrangement can be shown to be unique without much work."""
    try:
        return _kernel.bullets_unique(topology.graph, sorted(bullets), list(clues), DEFAULT_BUDGET)
    except TooHard:
        return False


def _encode(position: Position) -> Iterator[str]:
    """Yield the cells for a link: a digit per clue, a letter from g on for 1 to 20 hidden cells."""
    run = 0
    for code in position.cells:
        if code <= MAX_NUMBER or run == _RUN:
            if run:
                yield chr(ord("f") + run)
            run = 0
        if code <= MAX_NUMBER:
            yield str(code)
        else:
            run += 1
    if run:
        yield chr(ord("f") + run)


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _numbers(value: object, what: str) -> tuple[int, ...]:
    if not isinstance(value, list) or not value or not all(map(_is_number, value)):
        raise PuzzleError(f"in JSON, {what} must be a list of whole numbers")
    return tuple(value)
