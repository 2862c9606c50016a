"""Review of a finished game: the risk of every move, the smallest possible, and what was missed."""

from collections.abc import Sequence
from math import prod
from time import monotonic
from typing import Annotated, Final

from fastapi import APIRouter, HTTPException, Path, Request

from minewright.deduction import guess, next_step
from minewright.game import State
from minewright.inference import Analysis, Budget, BudgetExceeded, analyze
from minewright.ledger import Entry, Sums, tell
from minewright.messages import counted
from minewright.modes import UNFIXED
from minewright.position import MAX_NUMBER, Position
from minewright.web.play.routes import Mine
from minewright.web.review.models import (
    JudgedMove,
    LedgerView,
    MissedStep,
    MoveDetail,
    ReviewedMove,
    ReviewView,
)
from minewright.web.review.risks import Review, Shelf
from minewright.web.server.bounds import Queued, in_short
from minewright.web.server.refusals import PROBLEMS
from minewright.web.server.settings import Settings
from minewright.web.shared.models import inside
from minewright.web.shared.words import percent

router = APIRouter(prefix="/api/games/{game}/review", tags=["review"], responses=PROBLEMS)

SLIGHT: Final = 1e-9
"""Chances that differ by less count as equal."""

ELSEWHERE: Final = {
    "fair": "This is the chance in an ordinary game; in a fair one, whoever misses no proof wins.",
    "kind": "This is the chance in an ordinary game; a kind one forgives forced guesses.",
    "safe-bet": "This is the chance in an ordinary game; here, risks cost score instead.",
}
"""Why the chance to win is that of another game."""


@router.get("")
def review(request: Request, live: Mine, _: Queued) -> ReviewView:
    """Review one of my finished games; while it is incomplete, asking again continues the work."""
    settings: Settings = request.app.state.settings
    shelf: Shelf = request.app.state.shelf
    work = shelf.find(live)
    with work.lock:
        work.work(settings.seconds, settings.states)
        moves, sums, judged = _moves(work), work.ledger.sums, len(work.ledger.entries)
    with live.held():
        view = live.view()
    # Only a game that is over for good has a review, so it does not change any more.
    end, seed = view.end, view.seed
    assert end is not None
    assert seed is not None
    known = [move for move in moves if move.risk is not None]
    survived = [move for move in known if view.state != "lost" or move.number < len(moves)]
    guesses = [move for move in known if move.risk]
    needless = [move for move in guesses if _needless(move) > SLIGHT]
    decided = len(moves) if view.state == "lost" else None
    if view.state == "won" and guesses:
        decided = max(guesses, key=lambda move: move.risk or 0.0).number
    luck = inside(prod(1 - (move.risk or 0.0) for move in survived))
    careful = inside(prod(1 - (move.least or 0.0) for move in survived))
    return ReviewView(
        id=view.id,
        mode=view.mode,
        board=view.board,
        topology=view.topology,
        shape=view.shape,
        mines=view.mines,
        start=view.start,
        seed=seed,
        state=view.state,
        seconds=end.seconds,
        truth=end.truth,
        exploded=end.exploded,
        moves=moves,
        luck=luck,
        careful=careful,
        decided=decided,
        costliest=max(needless, key=_needless).number if needless else None,
        missed=sum(bool(move.missed) for move in guesses),
        guesses=len(guesses),
        done=work.openings - len(work.waiting),
        openings=work.openings,
        ledger=_ledger(sums, judged, view.mode, free=view.start != "any"),
        complete=work.complete,
        verdict=_verdict(view.state, moves, decided, len(guesses)),
        chance=_chance(survived, luck, careful, view.mode) + _left_out(moves),
    )


@router.get("/{number}")
def detail(
    request: Request, live: Mine, number: Annotated[int, Path(ge=1, le=1_000_000)], _: Queued
) -> MoveDetail:
    """Return what could be known before a move: every chance, what was certain, and why."""
    settings: Settings = request.app.state.settings
    shelf: Shelf = request.app.state.shelf
    work = shelf.find(live)
    if number > len(work.strokes):
        raise HTTPException(404, f"the game has {counted(len(work.strokes), 'move')}")
    position = work.position(number - 1)
    end = monotonic() + settings.seconds
    half = Budget(settings.states, settings.seconds / 2)
    analysis = analyze(position, approximate=True, budget=half)
    clues: tuple[int, ...] = ()
    if work.ready(position) and work.start != "any":
        sentence = "Nothing was open yet, and the first click is never a mine."
    else:
        try:
            clues, sentence = _why(analysis, end, settings.states)
        except BudgetExceeded as error:
            sentence = f"No explanation was found: {in_short(error)}."
    return MoveDetail(
        number=number,
        chances=[None if chance is None else inside(chance) for chance in analysis.chances],
        safe=list(analysis.safe),
        mined=list(analysis.mined),
        best=analysis.best,
        clues=list(clues),
        sentence=sentence,
        missed=_missed(work, number - 1, position),
        approximate=analysis.approximate,
    )


def _missed(work: Review, at: int, position: Position) -> MissedStep | None:
    """Return the step of the proof that a guess missed."""
    risk = work.risks.get(at)
    if work.proof is None or risk is None or not risk.risk:
        return None
    number = work.proof.at(position)
    if number is None:
        return None
    step = work.proof.steps[number]
    return MissedStep(
        number=number + 1,
        steps=len(work.proof.steps),
        clues=list(step.clues),
        total=step.total,
        safe=[cell for cell in step.safe if position[cell] > MAX_NUMBER],
    )


def _why(analysis: Analysis, end: float, states: int) -> tuple[tuple[int, ...], str]:
    """Return the clues and the reason for a safe cell that is easy to see, or else for a guess."""

    def budget() -> Budget:
        return Budget(states, max(end - monotonic(), 0.01))

    position = analysis.position
    while analysis.safe and (step := next_step(position, budget=budget())) is not None:
        if step.safe:
            return step.clues, step.sentence
        position = step.after
    guessed = None if analysis.approximate else guess(analysis.position, budget=budget())
    return (), guessed.sentence if guessed else ""


def _moves(work: Review) -> list[ReviewedMove]:
    moves = []
    survival = 1.0
    judged = {entry.number: entry for entry in work.ledger.entries}
    for at, stroke in enumerate(work.strokes):
        found = work.risks.get(at)
        opens = stroke.kind in ("open", "chord")
        if opens and (found is None or found.risk is None):
            # A move that is not worked out is left out rather than taken to be safe.
            chance: float | None = None
        else:
            survival = survival * (1 - (found.risk or 0.0)) if found else survival
            chance = survival
        moves.append(
            ReviewedMove(
                number=at + 1,
                kind=stroke.kind,
                cell=stroke.cell,
                auto=stroke.auto,
                at=stroke.at,
                changes=work.changes[at],
                risk=found.risk if found else None,
                least=found.least if found else None,
                missed=found.safe if found and found.risk else None,
                survival=chance,
                approximate=found is not None and found.approximate,
                too_hard=found is not None and found.risk is None,
                judged=_judged(judged[at + 1]) if at + 1 in judged else None,
            )
        )
    return moves


def _judged(entry: Entry) -> JudgedMove:
    return JudgedMove(
        before=_inside(entry.before),
        after=_inside(entry.after),
        fault=entry.fault,
        given=_inside(entry.given),
        luck=entry.luck,
        best=entry.best,
    )


def _inside(chance: float | None) -> float | None:
    return None if chance is None else inside(chance)


def _ledger(sums: Sums, judged: int, mode: str, *, free: bool) -> LedgerView:
    sentence = tell(sums, free=free) if judged else ""
    return LedgerView(
        start=_inside(sums.start),
        missed_proofs=sums.missed_proofs,
        bad_guesses=sums.bad_guesses,
        luck=sums.luck,
        end=_inside(sums.end),
        hard=sums.hard,
        judged=judged,
        sentence=f"{sentence} {ELSEWHERE[mode]}" if judged and mode in ELSEWHERE else sentence,
    )


def _verdict(state: State, moves: Sequence[ReviewedMove], decided: int | None, guesses: int) -> str:
    """Return how the game went, in a sentence."""
    if not any(move.kind == "open" for move in moves):
        return "No cell was opened."
    if state == "given up":
        return f"Given up after {counted(len(moves) - 1, 'move')} and {counted(guesses, 'risk')}."
    if decided is None:
        return "Won without any risk: every move was certainly safe."
    move = moves[decided - 1]
    if move.risk is None:
        return f"{state.capitalize()} at move {decided}, a risk that was too hard to work out."
    if move.missed:
        instead = f"although {counted(move.missed, 'cell')} {_were(move.missed)} certainly safe"
    elif _needless(move) > SLIGHT:
        instead = f"when {percent(move.least or 0.0)} was possible"
    else:
        instead = "and no cell was safer"
    if state == "lost" and move.risk == 1.0:
        said = f"Lost at move {decided}: that cell was certainly a mine"
        if not move.missed:
            return f"{said}."
        return f"{said}, and {counted(move.missed, 'other')} {_were(move.missed)} certainly safe."
    if state == "lost":
        return f"Lost at move {decided}: a risk of {percent(move.risk)}, {instead}."
    risks = "one risk" if guesses == 1 else f"{guesses} risks, the largest"
    return f"Won with {risks} at move {decided}: {percent(move.risk)}, {instead}."


def _chance(survived: Sequence[ReviewedMove], luck: float, careful: float, mode: str) -> str:
    """Return how likely it was to survive the moves that were survived, in a sentence."""
    risks = sum(bool(move.risk) for move in survived)
    if not risks:
        return "No luck needed up to here."
    one = risks == 1
    surviving = f"urviving {'that risk' if one else f'those {risks} risks'}"
    said = f"S{surviving} was a {percent(luck)} shot"
    if mode in UNFIXED:
        # Here the minefield gives way, so the figures are those of another game.
        said = f"In an ordinary game, s{surviving} would have been a {percent(luck)} shot"
    if careful - luck > SLIGHT:
        return f"{said}; with the smallest risk each time it would have been {percent(careful)}."
    return f"{said}, and {'it could not' if one else 'none could'} have been smaller."


def _left_out(moves: Sequence[ReviewedMove]) -> str:
    """Return how many moves were too hard or only sampled, as sentences to append."""
    hard = sum(move.too_hard for move in moves)
    sampled = sum(move.approximate for move in moves)
    said = f" {counted(hard, 'move')} {_were(hard)} too hard to work out." if hard else ""
    if sampled:
        said += (
            f" {counted(sampled, 'risk')} {_were(sampled)} sampled, accurate to about a percent."
        )
    return said


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _needless(move: ReviewedMove) -> float:
    """Return how far the risk was above the smallest."""
    return (move.risk or 0.0) - (move.least or 0.0)
