r"""The human-like solution of a Bullets puzzle, step by step, and its grading.

>>> from minewright.bullets.puzzle import Puzzle
>>> solution = solve(Puzzle.parse("3x3x2\n02#\n###\n#1#"))
>>> [(step.type, step.clues, step.bullets) for step in solution.steps]
[(0, (0,), ()), (0, (1,), (2, 5)), (0, (7,), ())]
"""

import json
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal, get_args

from minewright.bullets.grade import Grade
from minewright.bullets.puzzle import Puzzle, PuzzleError
from minewright.deduction import Deduction, next_step
from minewright.deduction.effort import Effort
from minewright.deduction.vocabulary import BULLETS
from minewright.drawing import Drawn
from minewright.inference import DEFAULT_BUDGET, Budget, analyze
from minewright.messages import counted
from minewright.position import MAX_NUMBER, Position

Grading = Literal["paper", "refined"]
GRADINGS: Final[tuple[Grading, ...]] = get_args(Grading)


@dataclass(frozen=True)
class SolutionStep:
    """One step: its type, and the deduction with its clues and conclusions."""

    type: int
    deduction: Deduction

    @property
    def clues(self) -> tuple[int, ...]:
        """The clues used; without any one of them the conclusion is lost."""
        return self.deduction.clues

    @property
    def empty(self) -> tuple[int, ...]:
        """The cells found to be empty."""
        return self.deduction.safe

    @property
    def bullets(self) -> tuple[int, ...]:
        """The cells found to hold a bullet."""
        return self.deduction.mined

    @cached_property
    def sentence(self) -> str:
        """The step in words."""
        return self.deduction.told(BULLETS)

    def as_data(self) -> dict[str, object]:
        """Return the step as JSON data, with cells as coordinates."""
        place = self.deduction.position.topology.coordinates
        return {
            "type": self.type,
            "clues": [place(cell) for cell in self.clues],
            "total": self.deduction.total,
            "empty": [place(cell) for cell in self.empty],
            "bullets": [place(cell) for cell in self.bullets],
            "sentence": self.sentence,
        }

    def __str__(self) -> str:
        return f"(type {self.type}) {self.sentence}"


@dataclass(frozen=True)
class Solution(Drawn):
    """The steps that solve a puzzle, in order."""

    puzzle: Puzzle
    grading: Grading
    steps: tuple[SolutionStep, ...]

    @property
    def n0(self) -> int:
        """The number of steps that need a single clue."""
        return sum(step.deduction.kind == 0 for step in self.steps)

    @property
    def n1(self) -> int:
        """The number of steps that need several clues, but not the number of bullets."""
        return sum(step.deduction.kind == 1 for step in self.steps)

    @property
    def n2(self) -> int:
        """How many bullets are found only with the help of the total."""
        return sum(len(step.bullets) for step in self.steps if step.deduction.total)

    @property
    def grade(self) -> Grade:
        """The three numbers of the paper."""
        return Grade(self.n0, self.n1, self.n2)

    @property
    def energy(self) -> float:
        """The energy, as in the paper."""
        return self.grade.energy

    @property
    def effort(self) -> Effort:
        """How many steps need how many clues; the number of bullets counts as one."""
        return Effort.of(step.deduction.order + step.deduction.total for step in self.steps)

    @property
    def types(self) -> dict[int, int]:
        """The number of steps of each type."""
        return dict(sorted(Counter(step.type for step in self.steps).items()))

    def __str__(self) -> str:
        digits = len(str(len(self.steps)))
        return "\n".join(f"{at:>{digits}}. {step}" for at, step in enumerate(self.steps, 1))

    def as_data(self) -> dict[str, object]:
        """Return the solution as JSON data."""
        place = self.puzzle.topology.coordinates
        return self.puzzle.as_data() | {
            "solution": [place(cell) for cell in sorted(self.puzzle.solution)],
            "grading": self.grading,
            "n0": self.n0,
            "n1": self.n1,
            "n2": self.n2,
            "energy": self.energy,
            "difficulty": self.puzzle.difficulty,
            "types": {str(type_): count for type_, count in self.types.items()},
            "steps": [step.as_data() for step in self.steps],
        }

    def to_json(self) -> str:
        """Return the solution as one JSON object."""
        return json.dumps(self.as_data())

    def __repr__(self) -> str:
        return f"<Solution in {counted(len(self.steps), 'step')}, {self.grade}>"


def solve(
    puzzle: Puzzle, grading: Grading = "paper", *, budget: Budget = DEFAULT_BUDGET
) -> Solution:
    """Solve a puzzle as a person would. Raise PuzzleError unless it has exactly one solution.

    `paper` uses Neller and Tran's types: 0 needs a single clue, 1 needs several, and 2 settles
    all that is left by the number of bullets. A step is taken only if there is none of a lower
    type. Type 1 takes the first cell that follows from all clues, drops clues one by one while
    the cell still follows, and concludes all that follows from those left.

    `refined` is what they call future work: the type is the number of clues needed, and the
    simplest step always comes first. A step that needs the number of bullets gets the number of
    all clues plus one.
    """
    if grading not in GRADINGS:
        raise PuzzleError(f"there is no grading {grading!r}; choose from {', '.join(GRADINGS)}")
    _ = puzzle.solution  # raises unless there is exactly one
    search: Final = "paper" if grading == "paper" else "simplest"
    position = puzzle.position
    steps: list[SolutionStep] = []
    while position.covered:
        # The step was found without the total, but belongs to the puzzle, which has one.
        found = next_step(position.with_mines(None), search, budget=budget)
        if found is None:
            step = _settle(position, budget)
            steps.append(SolutionStep(2 if grading == "paper" else len(puzzle.clues) + 1, step))
        else:
            step = replace(found, position=position)
            steps.append(SolutionStep(step.kind if grading == "paper" else step.order, step))
        position = step.after
    return Solution(puzzle, grading, tuple(steps))


def _settle(position: Position, budget: Budget) -> Deduction:
    """Conclude all that is left, from as few clues as the number of bullets allows."""
    unknown = frozenset(position.covered)
    clues = [
        cell
        for cell, code in enumerate(position.cells)
        if code <= MAX_NUMBER and unknown.intersection(position.topology.neighbours(cell))
    ]
    for clue in tuple(clues):
        fewer = [cell for cell in clues if cell != clue]
        analysis = analyze(position, clues=fewer, budget=budget)
        if len(analysis.safe) + len(analysis.mined) == len(unknown):
            clues = fewer
    analysis = analyze(position, clues=clues, budget=budget)
    return Deduction(position, 2, tuple(clues), analysis.safe, analysis.mined)
