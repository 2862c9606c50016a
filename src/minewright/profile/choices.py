"""The choices of a game: what each opening risked, and what else there was."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

from minewright.deduction import explain
from minewright.formats import Replay
from minewright.inference import Analysis, Budget, BudgetExceeded, analyze, analyze_many
from minewright.position import COVERED, Position

BUDGET: Final = Budget(states=1_000_000, seconds=20.0)
"""What one move may cost: its states take far less time. The rest is sampled, or left out."""
SLIGHT: Final = 1e-9
"""Risks that differ by less count as equal."""
_AT_ONCE: Final = 64
"""How many positions are analysed with one call."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An opening or a chord after the first one, with its risk."""

    move: int
    """Its number in the game, from 1."""
    cell: int
    risk: float
    least: float
    """The smallest risk that any cell had."""
    safe: int
    """How many cells were certainly safe."""
    missed: str | None = None
    """The simplest step to a safe cell, if the move risked something although there was one."""

    @property
    def avoidable(self) -> float:
        """How much of the risk was not needed."""
        return max(self.risk - self.least, 0.0)


def choices(replay: Replay, budget: Budget = BUDGET) -> list[Choice]:
    """Return the choices of a game, without its first opening: nobody can know anything then."""
    return [choice for choice in weigh(replay, budget) if choice is not None]


def weigh(
    replay: Replay, budget: Budget = BUDGET, at_once: int = _AT_ONCE
) -> Iterator[Choice | None]:
    """Yield the choices of a game one by one, or None for one that is too hard to judge.

    Whoever has no time for a long game at once can stop anywhere, and continue later; the positions
    of `at_once` moves are analysed before the first of them comes.
    """
    questions = _questions(replay)
    while asked := list(islice(questions, at_once)):
        analyses = _analyses([question.position for question in asked], budget)
        for question, analysis in zip(asked, analyses, strict=True):
            yield None if analysis is None else _judge(question, analysis, budget)


class _Question(NamedTuple):
    """A move that opens something, what was seen before it, and what it opens."""

    move: int
    cell: int
    position: Position
    targets: list[int]


def _questions(replay: Replay) -> Iterator[_Question]:
    """Yield each move that opens something after the first."""
    cells = bytearray(replay.position(0).cells)
    near = replay.topology.neighbours
    begun = False
    for number, (made, changes) in enumerate(zip(replay.moves, replay.changes(), strict=True), 1):
        cell = made.move.cell
        assert cell is not None
        if made.move.kind != "mark":
            if begun:
                position = Position(replay.topology, bytes(cells), len(replay.mined))
                around = [cell] if made.move.kind == "open" else near(cell)
                targets = [c for c in around if cells[c] == COVERED]
                yield _Question(number, cell, position, targets)
            begun = True
        for changed, code in changes:
            cells[changed] = code


def _judge(question: _Question, analysis: Analysis, budget: Budget) -> Choice | None:
    try:
        risk = analysis.risk(question.targets)
    except BudgetExceeded:
        return None
    # A chord risks its cells together; every single cell may be riskier than that.
    least = min(analysis.least, risk)
    missed = None
    if risk > SLIGHT and analysis.safe:
        missed = _missed(question.position, budget)
    return Choice(question.move, question.cell, risk, least, len(analysis.safe), missed)


def _analyses(positions: list[Position], budget: Budget) -> Iterator[Analysis | None]:
    """Yield the analysis of each position, a sampled one if it is too hard, or else None."""
    while positions:
        try:
            yield from analyze_many(positions, budget=budget)
            return
        except BudgetExceeded as error:
            yield from error.done
            positions = positions[len(error.done) :]
        try:
            yield analyze(positions[0], approximate=True, budget=budget)
        except BudgetExceeded:
            yield None
        positions = positions[1:]


def _missed(position: Position, budget: Budget) -> str:
    """Return the name of the hardest step on the simplest way to a safe cell."""
    try:
        # Marks are opinions; steps are about covered cells.
        steps = []
        for step in explain(position, budget=budget):
            steps.append(step)
            if step.safe:
                break
    except BudgetExceeded:
        return "too hard to name"
    hardest = max(steps, key=lambda step: (step.kind, step.order))
    if hardest.pattern is not None:
        return hardest.pattern
    if hardest.kind == 0:
        return "one number"
    return "mine count" if hardest.kind == 2 else f"{hardest.order} numbers together"
