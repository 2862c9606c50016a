"""Strategies at play: a game turn by turn, with reasons, and with the risk of each guess."""

import secrets
from collections.abc import AsyncIterator, Mapping
from importlib.util import find_spec
from itertools import chain as chain_from
from itertools import repeat
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, HTTPException, Request
from pydantic import BaseModel, Field

from minewright.board import Board
from minewright.game import Game, GameError, StartRule
from minewright.lab.arm import Arm
from minewright.position import MINED
from minewright.strategies import Option, Record, first_moves, guessers, strategies
from minewright.strategies.play import act, begin
from minewright.web.server import bounds
from minewright.web.server.refusals import PROBLEMS
from minewright.web.server.settings import Settings
from minewright.web.shared.models import RANDOM_SEEDS, Asked, Cell, Chance, Code, Seed
from minewright.web.watch.players import Failed, PlayedTurn, perform

router = APIRouter(prefix="/api/watch", tags=["watch"], responses=PROBLEMS)

PATIENCE: Final = 4
"""The time that a whole game may take, as a multiple of the time for one question."""


AT_ONCE: Final = 4
"""Players at work at the same time, at most two of them for one person; others wait."""


class OptionView(BaseModel):
    """An option of a strategy or a guesser: one of the choices, or a whole number."""

    name: str
    default: str
    choices: list[str]
    many: bool = Field(description="Whether several choices may be joined by +.")
    summary: str


class PlayerView(BaseModel):
    """A strategy or a guesser that can play here."""

    name: str
    title: str = Field(description="What people call it.")
    origin: str
    summary: str
    options: list[OptionView]
    guesser: str | None = Field(default=None, description="A strategy's own guesser.")
    first: str | None = Field(default=None, description="A strategy's own first move.")
    native: bool = False


class FirstMoveView(BaseModel):
    """A first move."""

    name: str
    title: str = Field(description="What people call it.")
    summary: str


class Players(BaseModel):
    """The strategies that can play here; those not installed are left out."""

    strategies: list[PlayerView]
    guessers: list[PlayerView]
    first_moves: list[FirstMoveView]


class WatchAsked(Asked):
    """A game, and who plays it."""

    board: str = Field(max_length=60, examples=["30x16x99", "expert"])
    topology: str = Field(default="moore", max_length=40)
    start: StartRule = "safe"
    seed: Seed | None = Field(default=None, description="Random if absent.")
    strategy: str = Field(max_length=200, examples=["exact", "oz:engines=zero+simple"])
    guesser: str = Field(default="", max_length=200, description="The strategy's own if empty.")
    first: str = Field(default="", max_length=40, description="The strategy's own if empty.")


class SceneView(BaseModel):
    """One step on the way to a finding, and the cells it is about, as an assumption has them."""

    words: str
    clues: list[Cell]
    safe: list[Cell]
    mined: list[Cell]


class FindingView(BaseModel):
    """Cells called safe, cells called mines, and why."""

    safe: list[Cell]
    mined: list[Cell]
    reason: str
    chain: list[SceneView] = Field(description="How it was found; empty if the reason says it.")


class GuessView(BaseModel):
    """A guess, and what exact inference says about it."""

    cell: Cell
    reason: str
    risk: Chance | None = Field(description="The exact chance of a mine; null if too hard.")
    least: Chance | None = Field(description="The smallest such chance on the board.")
    missed: list[Cell] = Field(description="Cells that were certainly safe.")


class TurnView(BaseModel):
    """One turn: findings or a guess, and what it changed."""

    findings: list[FindingView]
    guess: GuessView | None
    changes: list[tuple[Cell, Code]]
    gave_up: bool = Field(description="Whether the strategy's budget ran out.")
    seconds: float = Field(description="How long the strategy thought.")


class WatchedOutcome(BaseModel):
    """How a game ended."""

    how: Literal["won", "lost", "stuck", "unfinished"] = Field(
        description="stuck: its own marks left no move."
    )
    why: str | None = Field(description="Why it was not finished, if so.")
    cleared: int = Field(description="Safe cells opened.")
    safe: int = Field(description="Safe cells there are.")
    guesses: int
    blunder: bool = Field(description="Whether it was sure of something wrong.")
    seconds: float = Field(description="How long the strategy thought.")
    truth: list[Code] | None = Field(description="The minefield; null if it is unfinished.")
    exploded: list[Cell]


class Watched(BaseModel):
    """A game played by a strategy."""

    board: str
    topology: str
    shape: list[int]
    mines: int
    start: StartRule
    seed: int
    title: str = Field(description="The player as people call it.")
    strategy: str
    guesser: str
    first: str
    turns: list[TurnView]
    outcome: WatchedOutcome


@router.get("/players")
def players() -> Players:
    """List the strategies and guessers, with their options."""
    return Players(
        strategies=[
            PlayerView(
                name=kind.name,
                title=kind.title,
                origin=kind.origin,
                summary=kind.summary,
                options=_options(kind.options),
                guesser=kind.guesser,
                first=kind.first,
                native=bool(kind.native),
            )
            for kind in strategies().values()
            if all(map(find_spec, kind.needs))
        ],
        guessers=[
            PlayerView(
                name=kind.name,
                title=kind.title,
                origin=kind.origin,
                summary=kind.summary,
                options=_options(kind.options),
            )
            for kind in guessers().values()
        ],
        first_moves=[
            FirstMoveView(name=kind.name, title=kind.title, summary=kind.summary)
            for kind in first_moves().values()
        ],
    )


async def _turn_to_watch(request: Request) -> AsyncIterator[bounds.Gone]:
    async with bounds.queue(request, request.app.state.watch_gate) as gone:
        yield gone


TurnToWatch = Annotated[bounds.Gone, Depends(_turn_to_watch, scope="function")]
"""A queue of its own, so that slow strategies do not delay questions about games."""


@router.post("")
def watch(request: Request, asked: WatchAsked, gone: TurnToWatch) -> Watched:
    """Let a strategy play a game, as far as time allows."""
    settings: Settings = request.app.state.settings
    seed = secrets.randbelow(RANDOM_SEEDS) if asked.seed is None else asked.seed
    arm = _arm(asked, seed, settings)
    game = arm.game(seed, 0)
    turns: list[TurnView] = []
    guesses = 0
    last: Record | Failed = Failed("")
    for told in perform(arm, seed, settings.seconds * PATIENCE, gone):
        if isinstance(told, PlayedTurn):
            first = game.state == "ready"
            turns.append(_turn(game, told))
            risky = not first or (arm.start == "any" and game.mines > 0)
            guesses += told.guess is not None and risky
        else:
            last = told
    return Watched(
        board=arm.board,
        topology=game.topology.name,
        shape=list(game.topology.shape),
        mines=game.mines,
        start=arm.start,
        seed=seed,
        title=arm.title,
        strategy=arm.strategy,
        guesser=arm.chosen_guesser,
        first=arm.chosen_first,
        turns=turns,
        outcome=_outcome(game, last, guesses, sum(turn.seconds for turn in turns)),
    )


def _arm(asked: WatchAsked, seed: int, settings: Settings) -> Arm:
    board = Board.parse(asked.board)
    bounds.check_size(board.shape, settings.max_cells)
    arm = Arm(asked.strategy, str(board), asked.start, asked.topology, asked.guesser, asked.first)
    try:
        arm.check(seed, native=False)
    except GameError as error:
        raise HTTPException(422, str(error)) from None
    return arm


def _turn(game: Game, told: PlayedTurn) -> TurnView:
    """Make the moves of a turn, and return its view."""
    before = game.position.cells
    guess = told.guess
    if guess is None:
        act(game, told.turn)
    elif game.state == "ready":
        begin(game, guess.cell)
        began = game.moves[0].cell
        if began is not None and began != guess.cell:
            where = game.topology.describe(guess.cell)
            guess = guess._replace(cell=began, reason=f"the start rule does not allow {where}")
    else:
        game.open(guess.cell)
    after = game.position.cells
    return TurnView(
        findings=[
            FindingView(
                safe=list(safe),
                mined=list(mined),
                reason=reason,
                chain=[
                    SceneView(
                        words=scene.words,
                        clues=list(scene.clues),
                        safe=list(scene.safe),
                        mined=list(scene.mined),
                    )
                    for scene in chain
                ],
            )
            for (safe, mined, reason), chain in zip(
                told.findings, chain_from(told.chains, repeat(())), strict=False
            )
        ],
        guess=guess
        and GuessView(
            cell=guess.cell,
            reason=guess.reason,
            risk=told.risk,
            least=told.least,
            missed=list(told.missed),
        ),
        changes=[
            (cell, new)
            for cell, (old, new) in enumerate(zip(before, after, strict=True))
            if old != new
        ],
        gave_up=told.gave_up,
        seconds=told.seconds,
    )


def _outcome(game: Game, last: Record | Failed, guesses: int, seconds: float) -> WatchedOutcome:
    how: Literal["won", "lost", "stuck", "unfinished"] = "unfinished"
    why = None
    exploded = [cell for cell, code in enumerate(game.position.cells) if code == MINED]
    cleared = game.topology.size - game.mines - game.covered_safe
    if isinstance(last, Failed):
        why = last.why
    else:
        how = "won" if last.won else "lost" if exploded else "stuck"
        if not game.over:
            game.give_up()
    return WatchedOutcome(
        how=how,
        why=why,
        cleared=cleared,
        safe=game.topology.size - game.mines,
        guesses=guesses,
        blunder=isinstance(last, Record) and last.blunder,
        seconds=seconds,
        truth=list(game.show().cells) if game.over else None,
        exploded=exploded,
    )


def _options(options: Mapping[str, Option]) -> list[OptionView]:
    return [
        OptionView(
            name=name,
            default=option.default,
            choices=list(option.choices),
            many=option.many,
            summary=option.summary,
        )
        for name, option in options.items()
    ]
