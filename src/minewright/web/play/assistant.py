"""Questions about a running game: hints in three steps, the best move, the whole solution.

Asking one counts as help, and the game then does not count for best times. Questions are therefore
POST requests: no link and no prefetch asks them by mistake.
"""

from collections.abc import Container, Iterator
from typing import Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from minewright.assistant import Deduction, guess, mark_is_wrong, may_guess, next_step
from minewright.deduction.hint import around, helpful
from minewright.game import GameError
from minewright.inference import Analysis, BudgetExceeded, analyze
from minewright.noguess import DailyGame
from minewright.position import MAX_NUMBER
from minewright.web.play.live import Live
from minewright.web.play.models import MoveMade, SolveAsked, Solved, SwitchAsked
from minewright.web.play.routes import Mine
from minewright.web.server.bounds import Queued
from minewright.web.server.refusals import PROBLEMS
from minewright.web.shared.advice import Advice, advise
from minewright.web.shared.deadline import Deadline
from minewright.web.shared.models import Asked, Cell, Chance, inside
from minewright.web.shared.steps import MAX_STEPS, Lead, StepView, lead
from minewright.web.shared.words import percent

router = APIRouter(prefix="/api/games/{game}", tags=["assistant"], responses=PROBLEMS)


class HintAsked(Asked):
    """How much to tell: 1 where to look, 2 also the clues, 3 also what follows."""

    level: Literal[1, 2, 3] = 1


class BestAsked(Asked):
    """How exact the best move has to be."""

    approximate: bool = Field(default=False, description="Sample if exact is too hard.")


class Hint(BaseModel):
    """A hint; what its level does not tell is null."""

    level: int = 3
    certain: bool = Field(default=False, description="If not, the hint is about a guess.")
    region: list[Cell]
    clues: list[Cell] | None = []
    safe: list[Cell] | None = []
    mined: list[Cell] | None = []
    cell: Cell | None = Field(default=None, description="Where to guess, if nothing is certain.")
    sentence: str | None


class YesOrNo(BaseModel):
    """Yes or no, and nothing else is given away."""

    answer: bool


class Best(BaseModel):
    """The best move, and why."""

    cell: Cell
    risk: Chance
    numbers: list[Chance] = Field(description="The chance of showing 0, 1, 2…")
    leads: list[Lead]
    sentence: str
    next: str | None = Field(description="What the likeliest numbers of a guess would lead to.")
    approximate: bool


class Steps(BaseModel):
    """The explained solution of the current position."""

    steps: list[StepView] = Field(description="As far as they lead to safe cells.")
    mines: list[Cell] = Field(description="Mines that are certain too, but open nothing.")
    complete: bool = Field(description="Whether everything certain was found in time.")


class _Asking:
    """A question about a game: its position, and the time to answer."""

    def __init__(self, request: Request, live: Live) -> None:
        self.budget = Deadline(request).budget
        with live.held():
            if live.game.over:
                raise GameError("the game is over: there is nothing to ask")
            self.position = live.game.position
            self.ready = live.game.state == "ready"
            self.start = live.game.start
            self.first = live.game.first if isinstance(live.game, DailyGame) else None
            live.used_help(request.app.state.store)

    def steps(self) -> Iterator[Deduction]:
        """Yield deductions one after the other, as long as there is time."""
        position = self.position
        while (step := next_step(position, budget=self.budget())) is not None:
            yield step
            position = step.after

    def beginning(self) -> str:
        """Return what to say before anything is open."""
        if self.first is not None:
            return f"Nothing is open yet: start at {self.position.topology.describe(self.first)}."
        if self.start == "safe":
            return "Nothing is open yet, and your first click is never a mine: start anywhere."
        if self.start == "open":
            return (
                "Nothing is open yet, and your first click and all cells around it are safe: "
                "start anywhere."
            )
        mines, size = self.position.mines, self.position.topology.size
        return f"Nothing is open yet: every cell has the same chance of a mine, {mines} in {size}."


@router.put("/assistant")
def switch(request: Request, live: Mine, asked: SwitchAsked, _: Queued) -> MoveMade:
    """Switch parts of the assistant on and off; the autoplayer plays as soon as it is on."""
    with live.held():
        return live.switch(asked, request.app.state.store)


@router.post("/solve")
def solve(request: Request, live: Mine, asked: SolveAsked, _: Queued) -> Solved:
    """Run one of Collet's solvers: what is certain, or else the chances."""
    with live.held():
        return live.solve(asked, request.app.state.store)


@router.post("/hint")
def hint(request: Request, live: Mine, asked: HintAsked, _: Queued) -> Hint:
    """Return a hint: where to look, the clues that matter, or what follows and why."""
    asking = _Asking(request, live)
    with live.held():
        known = live.known_mines
    told = _hint(asking, known)
    if asked.level == 3:
        live.told.update(told.mined or ())
    else:
        less = {"safe": None, "mined": None, "cell": None, "sentence": None}
        told = told.model_copy(update=less if asked.level == 2 else less | {"clues": None})
    return told.model_copy(update={"level": asked.level})


def _hint(asking: _Asking, told: Container[int]) -> Hint:
    """Return all that can be told and that the player does not know yet."""
    position = asking.position
    if asking.ready:
        region = list(position.covered) if asking.first is None else [asking.first]
        return Hint(region=region, cell=asking.first, sentence=asking.beginning())
    # Without a safe cell, steps lead to nothing but mines, and there may be many of them.
    safe = analyze(position, budget=asking.budget()).safe
    step = helpful(position, asking.steps(), told) if safe else None
    if step is not None:
        return Hint(
            certain=True,
            region=around(position, step.clues) or list(position.covered),
            clues=list(step.clues),
            safe=list(step.safe),
            mined=list(step.mined),
            sentence=step.sentence,
        )
    guessed = guess(position, budget=asking.budget())
    if guessed is None:
        raise GameError("every covered cell is known: open the ones without flags")
    near = position.topology.neighbours
    clues = {clue for cell in guessed.cells for clue in near(cell) if position[clue] <= MAX_NUMBER}
    return Hint(
        region=list(guessed.cells),
        clues=sorted(clues),
        cell=guessed.cell,
        sentence=guessed.sentence,
    )


@router.post("/may-guess")
def ask_guess(request: Request, live: Mine, _: Queued) -> YesOrNo:
    """Say whether a guess is needed, because no covered cell is certainly safe."""
    asking = _Asking(request, live)
    if asking.ready and asking.start != "any":
        # The first opening is not a guess: the start rule makes it safe anywhere.
        return YesOrNo(answer=False)
    return YesOrNo(answer=may_guess(asking.position, budget=asking.budget()))


@router.post("/mark-is-wrong")
def ask_marks(request: Request, live: Mine, _: Queued) -> YesOrNo:
    """Say whether any mark is provably wrong, but not which."""
    asking = _Asking(request, live)
    return YesOrNo(answer=mark_is_wrong(asking.position, budget=asking.budget()))


@router.post("/best")
def best(request: Request, live: Mine, asked: BestAsked, _: Queued) -> Best:
    """Return the best move and why: its risk, the numbers it could show, what they would settle."""
    asking = _Asking(request, live)
    position = asking.position
    analysis = analyze(position, approximate=asked.approximate, budget=asking.budget())
    cell, risk, sentence, after = _choose(asking, analysis)
    numbers: tuple[float, ...] = ()
    leads: list[Lead] = []
    if asking.ready and asking.start == "open":
        risk, numbers = 0.0, (1.0,)
    elif not analysis.approximate:
        numbers = analysis.numbers(cell)
        if not asking.ready:
            leads = list(lead(position, cell, numbers, asking.budget))
        elif asking.start == "safe":
            # The first cell is never a mine: these are the chances given that.
            risk, numbers = 0.0, tuple(chance / (1.0 - risk) for chance in numbers)
    return Best(
        cell=cell,
        risk=risk,
        numbers=list(map(inside, numbers)),
        leads=leads,
        sentence=sentence,
        next=after,
        approximate=analysis.approximate,
    )


def _choose(asking: _Asking, analysis: Analysis) -> Advice:
    """Return a safe cell that is easy to see, or else the champion's guess, and why."""
    cell = analysis.best
    if cell is None:
        raise GameError("every covered cell is a mine: there is nothing to open")
    risk = analysis.chances[cell] or 0.0
    if asking.ready:
        return Advice(cell if asking.first is None else asking.first, risk, asking.beginning())
    if analysis.safe:
        for step in asking.steps():
            if step.safe:
                return Advice(step.safe[0], 0.0, step.sentence)
    if analysis.approximate:
        where = asking.position.topology.describe(cell)
        said = f"Judging by samples, {where} is the safest cell: a risk of about {percent(risk)}."
        return Advice(cell, risk, said)
    return advise(asking.position, asking.budget) or Advice(cell, risk, "This cell is safe.")


@router.post("/steps")
def steps(request: Request, live: Mine, _: Queued) -> Steps:
    """Explain everything that is certain now, step by step."""
    asking = _Asking(request, live)
    found: list[Deduction] = []
    complete = False
    try:
        for step in asking.steps():
            if len(found) == MAX_STEPS:
                break
            found.append(step)
        else:
            complete = True
    except BudgetExceeded:
        if not found:
            raise
    # Once every safe cell is found, more mines are no help.
    useful = max((at for at, step in enumerate(found, 1) if step.safe), default=0)
    return Steps(
        steps=[StepView.of(step) for step in found[:useful]],
        mines=[cell for step in found[useful:] for cell in step.mined],
        complete=complete,
    )
