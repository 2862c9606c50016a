"""Analysis of any position: what is certain, how likely the rest is, and why."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, Field

from minewright import exact
from minewright.assistant import Deduction, guess, next_step, what_is_left
from minewright.inference import Analysis, BudgetExceeded, analyze
from minewright.position import Position, PositionError
from minewright.topology import get
from minewright.web.analyse import files
from minewright.web.server.bounds import Queued, in_short
from minewright.web.server.refusals import PROBLEMS
from minewright.web.shared.advice import advise
from minewright.web.shared.deadline import Deadline
from minewright.web.shared.models import Cell, Chance, inside
from minewright.web.shared.positions import Drawn, PositionAsked, PositionView, read
from minewright.web.shared.steps import MAX_STEPS, Lead, StepView, lead
from minewright.web.shared.words import percent

router = APIRouter(prefix="/api/analyse", tags=["analyse"], responses=PROBLEMS)
router.routes.extend(files.router.routes)

MAX_DIGITS: Final = 30
"""The most digits of a fraction worth showing."""


class CellAsked(PositionAsked):
    """One covered cell of a position."""

    cell: Cell
    leads: bool = Field(default=False, description="Also say what its numbers would lead to.")


class ClashView(BaseModel):
    """Clues that contradict each other."""

    clues: list[Cell]
    total: bool = Field(description="Whether the mine total is part of the contradiction.")
    sentence: str


class BestMove(BaseModel):
    """The best move, and why."""

    cell: Cell
    risk: Chance
    sentence: str
    next: str | None = Field(
        default=None, description="What the likeliest numbers of a guess would lead to."
    )


class PositionAnswer(BaseModel):
    """What follows from a position."""

    position: PositionView
    consistent: bool | None = Field(default=None, description="Null if it was too hard.")
    clash: ClashView | None = None
    safe: list[Cell] = []
    mined: list[Cell] = []
    chances: list[Chance | None] = Field(default=[], description="Null where a cell is open.")
    errors: list[float | None] | None = Field(
        default=None, description="The standard error of each chance that was sampled."
    )
    solutions: str | None = Field(
        default=None, description="How many minefields fit; null if they were not counted."
    )
    best: BestMove | None = None
    approximate: bool = False
    too_hard: str | None = None
    hard: list[Cell] = Field(default=[], description="The component that was too hard.")


class CellAnswer(BaseModel):
    """What one covered cell could be."""

    cell: Cell
    risk: Chance
    fraction: str | None = Field(description="The exact risk, unless it has too many digits.")
    numbers: list[Chance] = Field(description="The chance of showing 0, 1, 2…")
    leads: list[Lead] = Field(description="For as many numbers as there was time.")


class ExplainedSteps(BaseModel):
    """What is certain, step by step, and what is left after that.

    If time ran out, draw in what was concluded and ask again to continue from there.
    """

    steps: list[StepView]
    complete: bool = Field(description="Whether everything certain was found in time.")
    then: str = Field(description="What is left after the last step.")


@router.post("")
def analyse(request: Request, asked: PositionAsked, _: Queued) -> PositionAnswer:
    """Analyse a position: what is certain, every chance, the best move, or a contradiction."""
    deadline = Deadline(request)
    try:
        position = read(asked, deadline)
    except PositionError as error:
        if asked.drawn is None:
            raise
        return _impossible(asked.drawn, error)
    found = PositionAnswer(position=PositionView.of(position))
    try:
        analysis = _analyse(position, asked, deadline)
    except BudgetExceeded as error:
        found.too_hard = in_short(error)
        found.hard = list(error.component)
        return found
    found.consistent = analysis.consistent
    if analysis.clash is not None:
        sentence = analysis.clash.describe(position)
        found.clash = ClashView(
            clues=list(analysis.clash.clues),
            total=analysis.clash.total,
            sentence=f"{sentence[0].upper()}{sentence[1:]}.",
        )
        return found
    found.safe, found.mined = list(analysis.safe), list(analysis.mined)
    found.chances = [None if chance is None else inside(chance) for chance in analysis.chances]
    found.approximate = analysis.approximate
    if analysis.standard_error is not None:
        found.errors = [
            error if error > 0 else None for error in map(float, analysis.standard_error)
        ]
    count = analysis.count()
    found.solutions = None if count is None else exact.write(count)
    found.best = _best(analysis, _known(position, asked), deadline)
    return found


@router.post("/cell")
def cell(request: Request, asked: CellAsked, _: Queued) -> CellAnswer:
    """Return the risk of one covered cell, and the chance of each number."""
    deadline = Deadline(request)
    position = read(asked, deadline)
    if asked.cell not in position.covered:
        raise HTTPException(422, "this cell is open: ask about a covered one")
    analysis = _analyse(position, asked, deadline)
    chance = analysis.chances[asked.cell]
    if chance is None:
        raise HTTPException(422, "the clues contradict each other: no minefield fits")
    risk, known = inside(chance), _known(position, asked)
    exactly = None
    numbers: tuple[float, ...] = ()
    if not analysis.approximate:
        numbers = analysis.numbers(asked.cell)
        try:
            exactly = analysis.fractions[asked.cell]
        except BudgetExceeded:
            exactly = None
    # The number of bits bounds the digits, so that no long fraction has to be written out.
    short = exactly is not None and exactly.denominator.bit_length() < 3 * MAX_DIGITS
    return CellAnswer(
        cell=asked.cell,
        risk=risk,
        fraction=str(exactly) if short else None,
        numbers=[inside(chance) for chance in numbers],
        leads=list(lead(known, asked.cell, numbers, deadline.budget)) if asked.leads else [],
    )


@router.post("/steps")
def steps(request: Request, asked: PositionAsked, _: Queued) -> ExplainedSteps:
    """Explain everything that is certain, step by step."""
    deadline = Deadline(request)
    position = read(asked, deadline)
    # Even if the whole position is too hard, some steps may be easy.
    with suppress(BudgetExceeded):
        if not _analyse(position, asked, deadline).consistent:
            raise HTTPException(422, "the clues contradict each other: nothing follows from them")
    known = _known(position, asked)
    found: list[StepView] = []
    try:
        for step in _explain(known, deadline):
            if len(found) == MAX_STEPS:
                return ExplainedSteps(steps=found, complete=False, then="There are more steps.")
            found.append(StepView.of(step))
            known = step.after
    except BudgetExceeded:
        return ExplainedSteps(steps=found, complete=False, then="Time ran out: there may be more.")
    return ExplainedSteps(steps=found, complete=True, then=_then(known, deadline))


def _then(position: Position, deadline: Deadline) -> str:
    """Return what to do when nothing more is certain."""
    guessed = None
    with suppress(BudgetExceeded):
        guessed = guess(position, budget=deadline.budget())
    return what_is_left(position, guessed)


def _analyse(position: Position, asked: PositionAsked, deadline: Deadline) -> Analysis:
    # An exact answer is followed by counting and explaining; after sampling, little is left to do.
    budget = deadline.budget(0.9 if asked.approximate else 0.5)
    return analyze(
        position, trust_marks=asked.trust_marks, approximate=asked.approximate, budget=budget
    )


def _known(position: Position, asked: PositionAsked) -> Position:
    """Return a consistent position, with its marks as mines if they are trusted."""
    return position.with_marks_mined() if asked.trust_marks else position


def _explain(position: Position, deadline: Deadline) -> Iterator[Deduction]:
    while (step := next_step(position, budget=deadline.budget())) is not None:
        yield step
        position = step.after


def _best(analysis: Analysis, known: Position, deadline: Deadline) -> BestMove | None:
    """Return a safe cell that is easy to see, or else the champion's guess, and why."""
    choice = analysis.best
    if choice is None:
        return None
    risk = inside(analysis.chances[choice] or 0.0)
    where = known.topology.describe(choice)
    about = "about " if analysis.approximate else ""
    sentence = f"The safest cell is {where}, with a risk of {about}{percent(risk)}."
    if analysis.safe:
        sentence = f"{where[0].upper()}{where[1:]} is safe."
    try:
        if analysis.safe:
            for step in _explain(known, deadline):
                if step.safe:
                    return BestMove(cell=step.safe[0], risk=0.0, sentence=step.sentence)
        elif not analysis.approximate:
            found = advise(known, deadline.budget)
            if found is not None:
                cell, chance, said, after = found
                return BestMove(cell=cell, risk=inside(chance), sentence=said, next=after)
    except BudgetExceeded:
        pass
    return BestMove(cell=choice, risk=risk, sentence=sentence)


def _impossible(drawn: Drawn, error: PositionError) -> PositionAnswer:
    """Return the answer for a drawing with an impossible number or mine total."""
    if len(drawn.cells) != get(drawn.topology, tuple(drawn.shape)).size:
        raise error
    problem = error.problem
    return PositionAnswer(
        position=PositionView(
            topology=drawn.topology,
            shape=drawn.shape,
            mines=drawn.mines,
            cells=drawn.cells,
            text=None,
        ),
        consistent=False,
        clash=ClashView(
            clues=[] if error.cell is None else [error.cell],
            total=error.cell is None,
            sentence=f"{problem[0].upper()}{problem[1:]}.",
        ),
    )
