"""Drills over the wire: which form is due, whether the answer is right, and the pattern book."""

import secrets
from time import time
from typing import Final

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, Field

from minewright.messages import counted
from minewright.patterns import Form, book
from minewright.patterns.drills import Drill, is_right
from minewright.patterns.form import SYMMETRIES
from minewright.web.drills.missed import missed_forms
from minewright.web.people.cookies import Person
from minewright.web.people.store import Store
from minewright.web.play.routes import Mine
from minewright.web.review.risks import Shelf
from minewright.web.server.bounds import Queued
from minewright.web.server.refusals import PROBLEMS
from minewright.web.server.settings import Settings
from minewright.web.shared.models import Asked, Cell
from minewright.web.shared.positions import PositionView
from minewright.web.shared.steps import StepView

router = APIRouter(tags=["drills"], responses=PROBLEMS)

MAX_TEXT: Final = 2_000
"""The longest text of a form; even a long chain of clues is much shorter."""


class DrillAsked(BaseModel):
    """A form to solve."""

    form: str
    turn: int = Field(description="How the form is turned or mirrored.")
    position: PositionView
    hint: str
    missed: bool = Field(description="Whether it comes from one of my own games.")


class DrillsView(BaseModel):
    """What to do next, and how far I am."""

    next: DrillAsked | None = Field(description="Null if nothing is due.")
    due: int = Field(description="How many forms are due that were set before.")
    learned: int
    met: int = Field(description="How many forms were set at least once.")
    rests: float | None = Field(description="Seconds until the next form is due.")


class DrillAnswer(Asked):
    """An answer: the cells that follow."""

    form: str = Field(max_length=MAX_TEXT)
    turn: int = Field(ge=0, lt=len(SYMMETRIES))
    safe: list[Cell] = Field(max_length=200)
    mined: list[Cell] = Field(max_length=200)


class DrillJudged(BaseModel):
    """Whether the answer was right, and why."""

    right: bool
    name: str
    step: StepView
    rests: float = Field(description="Seconds until it is set again.")


class PatternView(BaseModel):
    """A pattern of the book."""

    name: str
    position: PositionView
    step: StepView
    steps: float = Field(description="How often it is met, per 100 games.")
    opened: float = Field(description="Cells that it opens, on average.")


class BookView(BaseModel):
    """The pattern book."""

    games: int
    boards: list[str]
    patterns: list[PatternView]


class MissedView(BaseModel):
    """What a game has added to my drills."""

    forms: int = Field(description="How many different forms were missed.")
    added: int = Field(description="How many of them are new.")


@router.get("/api/drills")
def drills(request: Request, person: Person) -> DrillsView:
    """Return the form that is due, my own missed ones first, then the next of the book."""
    store: Store = request.app.state.store
    kept, now = store.drills(person), time()
    due = [(missed, drill) for drill, missed in kept if drill.due <= now]
    waiting = [drill.due for drill, _ in kept if drill.due > now]
    known = {drill.text for drill, _ in kept}
    chosen: tuple[str, bool] | None = None
    if due:
        missed, drill = min(due, key=lambda one: (not one[0], one[1].due, one[1].text))
        chosen = drill.text, missed
    else:
        fresh = (one.text for one in book().patterns if one.text not in known)
        text = next(fresh, None)
        chosen = None if text is None else (text, False)
    return DrillsView(
        next=None if chosen is None else _asked(*chosen),
        due=len(due),
        learned=sum(drill.learned for drill, _ in kept),
        met=len(kept),
        rests=min(waiting) - now if waiting and chosen is None else None,
    )


@router.post("/api/drills")
def answer(request: Request, person: Person, given: DrillAnswer) -> DrillJudged:
    """Judge an answer; a form that was solved rests longer each time, and others come soon."""
    store: Store = request.app.state.store
    kept = {drill.text: drill for drill, _ in store.drills(person)}
    names = {one.text: one.name for one in book().patterns}
    if given.form not in kept and given.form not in names:
        raise HTTPException(404, "there is no such drill; ask for the next one")
    form = Form(given.form).turned(given.turn)
    right = is_right(form, given.safe, given.mined)
    now = time()
    drill = kept.get(given.form, Drill(given.form)).answered(right, now)
    store.keep_drills(person, [drill])
    return DrillJudged(
        right=right,
        name=names.get(given.form) or form.step.pattern or counted(form.clues, "clue"),
        step=StepView.of(form.step),
        rests=drill.due - now,
    )


@router.get("/api/patterns")
def patterns() -> BookView:
    """Return the pattern book, the most frequent patterns first."""
    known = book()
    return BookView(
        games=known.games,
        boards=list(known.boards),
        patterns=[
            PatternView(
                name=one.name,
                position=PositionView.of(one.form.position),
                step=StepView.of(one.form.step),
                steps=100 * one.steps / known.games,
                opened=one.opened / one.steps,
            )
            for one in known.patterns
        ],
    )


@router.post("/api/games/{game}/review/drills")
def missed(request: Request, live: Mine, person: Person, _: Queued) -> MissedView:
    """Add the steps that I missed in a finished game to my drills."""
    settings: Settings = request.app.state.settings
    shelf: Shelf = request.app.state.shelf
    work = shelf.find(live)
    with work.lock:
        if work.waiting:
            raise HTTPException(409, "the review is not complete yet; ask for it first")
        forms = missed_forms(work, settings.seconds, settings.states)
    store: Store = request.app.state.store
    return MissedView(forms=len(forms), added=store.add_missed(person, forms))


def _asked(text: str, missed: bool) -> DrillAsked:
    turn = secrets.randbelow(len(SYMMETRIES))
    form = Form(text).turned(turn)
    parts = [
        counted(len(cells), noun)
        for cells, noun in ((form.step.safe, "safe cell"), (form.step.mined, "mine"))
        if cells
    ]
    return DrillAsked(
        form=text,
        turn=turn,
        position=PositionView.of(form.position),
        hint=f"There {_is(form)} {' and '.join(parts)} to find.",
        missed=missed,
    )


def _is(form: Form) -> str:
    return "is" if len(form.step.cells) == 1 else "are"
