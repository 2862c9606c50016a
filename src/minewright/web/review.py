"""Review of a finished game: the risk of every move, the least there was, and what was missed.

Every risk is that of exact inference on what the player saw before the move. A long game on a
large board is not worked out in one question: each goes on where the last one ended, and until
all is done the moves that are lie evenly over the game.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import prod
from threading import Lock
from time import monotonic
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, HTTPException, Path, Request
from pydantic import BaseModel, Field

from minewright._kernel import COVERED, MAX_NUMBER, SAFE
from minewright.board import counted
from minewright.deduction import guess, next_step
from minewright.game import Game, GameError, Move, MoveKind, StartRule, State
from minewright.inference import Analysis, Budget, BudgetExceeded, analyze
from minewright.position import Position
from minewright.render import percent
from minewright.web.bounds import Turn, in_short
from minewright.web.games import Mine
from minewright.web.models import PROBLEMS, Cell, Chance, Code
from minewright.web.play import Live
from minewright.web.settings import Settings
from minewright.web.store import Stroke

router = APIRouter(prefix="/api/games/{game}/review", tags=["review"], responses=PROBLEMS)

MOVE_SECONDS: Final = 0.4
"""How long one move is thought about before it is called too hard."""
SAVE_EVERY: Final = 64
MOST_REVIEWS: Final = 32
"""So many are kept in memory: one of a large board takes megabytes."""
SLIGHT: Final = 1e-9
"""Chances that differ by less are the same."""


class ReviewedMove(BaseModel):
    """A move, and what it risked; risks are null for marks and for what is not worked out."""

    number: int = Field(description="From 1.")
    kind: MoveKind
    cell: Cell | None
    auto: bool = Field(description="Whether the autoplayer made it.")
    at: float = Field(description="Seconds from the first opening.")
    changes: list[tuple[Cell, Code]]
    risk: Chance | None = None
    least: Chance | None = Field(default=None, description="The least risk there was.")
    missed: int | None = Field(
        default=None, description="How many safe cells there were, if the move was not safe."
    )
    survival: Chance | None = Field(
        default=None, description="The chance of having come so far, this move survived."
    )
    approximate: bool = Field(default=False, description="Whether its risk was sampled.")
    too_hard: bool = False


class ReviewView(BaseModel):
    """A finished game, move by move."""

    id: str
    board: str
    topology: str
    shape: list[int]
    mines: int
    start: StartRule
    seed: int
    state: State
    seconds: float
    truth: list[Code]
    exploded: list[Cell]
    moves: list[ReviewedMove]
    luck: Chance = Field(description="The chance of surviving the moves that were survived.")
    careful: Chance = Field(
        description="The same, had each of these moves taken the least risk there was."
    )
    decided: int | None = Field(description="The move that decided the game, if one did.")
    costliest: int | None = Field(description="The move with the most risk that was not needed.")
    missed: int = Field(description="Moves that took a risk though a safe cell was there.")
    guesses: int = Field(description="Moves that took a risk.")
    done: int = Field(description="Of the moves that open cells, how many are worked out.")
    openings: int = Field(description="How many moves open cells.")
    complete: bool = Field(description="Else ask again: the work goes on.")
    verdict: str


class MoveDetail(BaseModel):
    """What was to be known before a move."""

    number: int
    chances: list[Chance | None]
    safe: list[Cell]
    mined: list[Cell]
    best: Cell | None
    clues: list[Cell] = Field(description="Those of the sentence.")
    sentence: str
    approximate: bool


class _Risk(NamedTuple):
    """What is worked out of one move; no risk if that was too hard."""

    risk: float | None = None
    least: float | None = None
    safe: int = 0
    approximate: bool = False


class _Review:
    """The work on one finished game; whoever does some of it holds its lock."""

    def __init__(self, game: Game, strokes: Sequence[Stroke]) -> None:
        self.lock = Lock()
        self.strokes = tuple(strokes)
        self.start = game.start
        self.changes: list[list[tuple[int, int]]] = []
        """What each move changed on the board."""
        self._saved: list[bytes] = []
        """The board now and then, so that no position is played from the beginning."""
        again = game.again()
        self._first = again.position
        for at, move in enumerate(game.moves):
            if at % SAVE_EVERY == 0:
                self._saved.append(again.position.cells)
            self.changes.append(_make(again, move))
        self.risks: dict[int, _Risk] = {}
        openings = [at for at, stroke in enumerate(strokes) if stroke.kind in ("open", "chord")]
        self.openings = len(openings)
        self.waiting = _spread(openings)
        self.waiting.reverse()

    def position(self, at: int) -> Position:
        """Give what the player saw before a move."""
        saved = at // SAVE_EVERY
        cells = bytearray(self._saved[saved])
        for changes in self.changes[saved * SAVE_EVERY : at]:
            for cell, code in changes:
                cells[cell] = code
        return Position(self._first.topology, bytes(cells), self._first.mines)

    def work(self, seconds: float, states: int) -> None:
        """Work out moves until all are, or time is over."""
        end = monotonic() + seconds
        # The last move may end late: with what is left of the time it might look too hard.
        budget = Budget(states, MOVE_SECONDS)
        while self.waiting and monotonic() < end:
            at = self.waiting[-1]
            self.risks[at] = self._assess(at, budget)
            self.waiting.pop()

    def _assess(self, at: int, budget: Budget) -> _Risk:
        position = self.position(at)
        if self.ready(position) and self.start != "any":
            return _Risk(risk=0.0, least=0.0)
        targets = self.targets(at, position)
        try:
            analysis = analyze(position, approximate=True, budget=budget)
            risk = _risk(analysis, targets, budget)
        except BudgetExceeded:
            return _Risk()
        chances = [chance for chance in analysis.chances if chance is not None]
        return _Risk(
            risk=risk,
            # A chord risks what its cells do together; no single cell has to be worse.
            least=min(_inside(min(chances)), risk),
            safe=len(analysis.safe),
            approximate=analysis.approximate,
        )

    @staticmethod
    def ready(position: Position) -> bool:
        """Whether nothing is open yet."""
        return not any(code <= MAX_NUMBER for code in position.cells)

    def targets(self, at: int, position: Position) -> tuple[int, ...]:
        """Give the cells that a move opens itself, without what a 0 opens."""
        stroke = self.strokes[at]
        assert stroke.cell is not None
        if stroke.kind == "open":
            return (stroke.cell,)
        near = position.topology.neighbours(stroke.cell)
        return tuple(cell for cell in near if position[cell] == COVERED)


class _Shelf:
    """The reviews asked for last; any other is begun anew when it is asked for."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._reviews: OrderedDict[str, _Review] = OrderedDict()

    def find(self, live: Live) -> _Review:
        """Give the review of a finished game, as far as it has come."""
        with live.lock:
            if not live.game.over:
                raise GameError("the game is not over yet: its review comes when it is")
            game, strokes = live.game, tuple(live.strokes)
        with self._lock:
            found = self._reviews.get(live.id)
        # A lost game that was taken back and ended anew is another one.
        if found is None or found.strokes != strokes:
            found = _Review(game, strokes)
        with self._lock:
            self._reviews[live.id] = found
            self._reviews.move_to_end(live.id)
            if len(self._reviews) > self._most:
                self._reviews.popitem(last=False)
        return found


_SHELF: Final = _Shelf(MOST_REVIEWS)


@router.get("")
def review(request: Request, live: Mine, _: Turn) -> ReviewView:
    """Review a finished game of mine; while it is not complete, asking again goes on with it."""
    settings: Settings = request.app.state.settings
    work = _SHELF.find(live)
    with work.lock:
        work.work(settings.seconds, settings.states)
        moves = _moves(work)
    with live.lock:
        view = live.view()
    end = view.end
    assert end is not None
    known = [move for move in moves if move.risk is not None]
    survived = [move for move in known if view.state != "lost" or move.number < len(moves)]
    guesses = [move for move in known if move.risk]
    needless = [move for move in guesses if _needless(move) > SLIGHT]
    decided = len(moves) if view.state == "lost" else None
    if view.state == "won" and guesses:
        decided = max(guesses, key=lambda move: move.risk or 0.0).number
    return ReviewView(
        id=view.id,
        board=view.board,
        topology=view.topology,
        shape=view.shape,
        mines=view.mines,
        start=view.start,
        seed=view.seed,
        state=view.state,
        seconds=end.seconds,
        truth=end.truth,
        exploded=end.exploded,
        moves=moves,
        luck=_inside(prod(1 - (move.risk or 0.0) for move in survived)),
        careful=_inside(prod(1 - (move.least or 0.0) for move in survived)),
        decided=decided,
        costliest=max(needless, key=_needless).number if needless else None,
        missed=sum(bool(move.missed) for move in guesses),
        guesses=len(guesses),
        done=work.openings - len(work.waiting),
        openings=work.openings,
        complete=not work.waiting,
        verdict=_verdict(view.state, moves, decided, len(guesses)),
    )


@router.get("/{number}")
def detail(
    request: Request, live: Mine, number: Annotated[int, Path(ge=1, le=1_000_000)], _: Turn
) -> MoveDetail:
    """Say what was to be known before a move: every chance, and what was certain, and why."""
    settings: Settings = request.app.state.settings
    work = _SHELF.find(live)
    if number > len(work.strokes):
        raise HTTPException(404, f"the game has {counted(len(work.strokes), 'move')}")
    position = work.position(number - 1)
    end = monotonic() + settings.seconds
    half = Budget(settings.states, settings.seconds / 2)
    analysis = analyze(position, approximate=True, budget=half)
    clues: tuple[int, ...] = ()
    if work.ready(position) and work.start != "any":
        sentence = "Nothing is open yet, and the first opening never explodes."
    else:
        try:
            clues, sentence = _why(analysis, end, settings.states)
        except BudgetExceeded as error:
            sentence = f"Why was not found: {in_short(error)}."
    return MoveDetail(
        number=number,
        chances=[None if chance is None else _inside(chance) for chance in analysis.chances],
        safe=list(analysis.safe),
        mined=list(analysis.mined),
        best=analysis.best,
        clues=list(clues),
        sentence=sentence,
        approximate=analysis.approximate,
    )


def _why(analysis: Analysis, end: float, states: int) -> tuple[tuple[int, ...], str]:
    """Explain a safe cell that is easy to see, or else where to guess."""

    def budget() -> Budget:
        return Budget(states, max(end - monotonic(), 0.01))

    position = analysis.position
    while analysis.safe and (step := next_step(position, budget=budget())) is not None:
        if step.safe:
            return step.clues, step.sentence
        position = step.after
    guessed = None if analysis.approximate else guess(analysis.position, budget=budget())
    return (), guessed.sentence if guessed else ""


def _make(game: Game, move: Move) -> list[tuple[int, int]]:
    """Make a move, and give the cells it changed with what they show now."""
    if move.cell is None:
        game.play([move])
        return []
    changed: tuple[int, ...] = (move.cell,)
    if move.kind == "open":
        changed = game.open(move.cell)
    elif move.kind == "chord":
        changed = game.chord(move.cell)
    else:
        game.mark(move.cell)
    cells = game.position.cells
    return [(cell, cells[cell]) for cell in sorted(changed)]


def _spread(numbers: Sequence[int]) -> list[int]:
    """Put numbers in an order whose every beginning lies evenly over them, the last first."""
    found = list(numbers[-1:])
    step = 1
    while step < len(numbers):
        step *= 2
    seen = set(found)
    while step >= 1:
        for at in range(0, len(numbers), step):
            if numbers[at] not in seen:
                seen.add(numbers[at])
                found.append(numbers[at])
        step //= 2
    return found


def _risk(analysis: Analysis, targets: Iterable[int], budget: Budget) -> float:
    """Give the chance that one at least of some covered cells is mined."""
    position = analysis.position
    unsure = [cell for cell in targets if analysis.chances[cell]]
    if len(unsure) <= 1:
        return _inside(analysis.chances[unsure[0]] or 0.0) if unsure else 0.0
    if analysis.approximate:
        return _inside(1 - prod(1 - (analysis.chances[cell] or 0.0) for cell in unsure))
    if set(unsure).intersection(analysis.mined):
        return 1.0
    free = position.with_cells(dict.fromkeys(unsure, SAFE))
    left = analyze(free, budget=budget)
    if not left.consistent:
        return 1.0
    return float(1 - Fraction(left.solutions, analysis.solutions))


def _moves(work: _Review) -> list[ReviewedMove]:
    moves = []
    survival = 1.0
    for at, stroke in enumerate(work.strokes):
        found = work.risks.get(at)
        opens = stroke.kind in ("open", "chord")
        if opens and (found is None or found.risk is None):
            # What is not worked out is left aside, not taken for safe.
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
            )
        )
    return moves


def _verdict(state: State, moves: Sequence[ReviewedMove], decided: int | None, guesses: int) -> str:
    """Say how the game went, in a sentence."""
    if not any(move.kind == "open" for move in moves):
        return "Nothing was opened."
    if state == "given up":
        return (
            f"Given up after {counted(len(moves) - 1, 'move')}, {counted(guesses, 'risk')} taken."
        )
    if decided is None:
        return "Won without any risk: every opening was certainly safe."
    move = moves[decided - 1]
    if move.risk is None:
        return f"{state.capitalize()} at move {decided}, whose risk was too hard to work out."
    what = f"a risk of {_percent(move.risk)}"
    if move.missed:
        instead = f"though {counted(move.missed, 'safe cell')} could have been opened"
    elif _needless(move) > SLIGHT:
        instead = f"where {_percent(move.least or 0.0)} was the least"
    else:
        instead = "and nothing was safer"
    if state == "lost":
        return f"Lost at move {decided}: it took {what}, {instead}."
    risks = "one risk" if guesses == 1 else f"{guesses} risks, the greatest"
    return f"Won with {risks} at move {decided}: {what}, {instead}."


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f}%" if chance in (0.0, 1.0) else f"{percent(chance)}%"


def _needless(move: ReviewedMove) -> float:
    """Give the risk beyond the least."""
    return (move.risk or 0.0) - (move.least or 0.0)


def _inside(chance: float) -> float:
    return min(max(chance, 0.0), 1.0)
