"""What the server tells about a finished game."""

from pydantic import BaseModel, Field

from minewright.game import MoveKind, StartRule, State
from minewright.ledger import Fault
from minewright.web.shared.models import Cell, Chance, Code


class JudgedMove(BaseModel):
    """What a move did to the chance to win; null where that was too hard to estimate."""

    before: Chance | None
    after: Chance | None
    fault: Fault
    given: Chance | None = Field(description="How much of the chance to win it gave away.")
    luck: float | None = Field(description="How much luck gave, or took if negative.")
    best: Cell | None = Field(description="A better cell, if it gave something away.")


class LedgerView(BaseModel):
    """Where the chance to win went: the end is the start, less what was given away, plus luck."""

    start: Chance | None
    missed_proofs: float
    bad_guesses: float
    luck: float
    end: Chance | None
    hard: int = Field(description="Moves that could not be judged.")
    judged: int = Field(description="How many of the opening moves are judged.")
    sentence: str


class ReviewedMove(BaseModel):
    """A move and its risk; risks are null for marks, and until they are worked out."""

    number: int = Field(description="From 1.")
    kind: MoveKind
    cell: Cell | None
    auto: bool = Field(description="Whether the autoplayer made it.")
    at: float = Field(description="Seconds of play from the first opening.")
    changes: list[tuple[Cell, Code]]
    risk: Chance | None = None
    least: Chance | None = Field(default=None, description="The smallest risk of any cell.")
    missed: int | None = Field(
        default=None, description="How many cells were safe, if the move was not."
    )
    survival: Chance | None = Field(
        default=None, description="The chance of surviving up to and including this move."
    )
    approximate: bool = Field(default=False, description="Whether its risk was sampled.")
    too_hard: bool = False
    judged: JudgedMove | None = Field(
        default=None, description="What it did to the chance to win, if it opened something."
    )


class ReviewView(BaseModel):
    """A finished game, move by move."""

    id: str
    mode: str
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
        description="The same, had each of these moves taken the smallest risk."
    )
    decided: int | None = Field(description="The move that decided the game, if one did.")
    costliest: int | None = Field(description="The move with the largest avoidable risk.")
    missed: int = Field(description="Moves that took a risk although a cell was safe.")
    guesses: int = Field(description="Moves that took a risk.")
    done: int = Field(description="How many of the opening moves are worked out.")
    openings: int = Field(description="How many moves open cells.")
    ledger: LedgerView
    complete: bool = Field(description="If not, ask again: the work goes on.")
    verdict: str
    chance: str = Field(description="How likely it was to get this far, in a sentence.")


class MissedStep(BaseModel):
    """A step of the proof that a game needs no guess, which the player could have made."""

    number: int = Field(description="From 1.")
    steps: int = Field(description="How many steps the proof has.")
    clues: list[Cell]
    total: bool = Field(description="Whether it needs the number of mines.")
    safe: list[Cell]


class MoveDetail(BaseModel):
    """What could be known before a move."""

    number: int
    chances: list[Chance | None]
    safe: list[Cell]
    mined: list[Cell]
    best: Cell | None
    clues: list[Cell] = Field(description="Those of the sentence.")
    sentence: str
    missed: MissedStep | None = Field(
        description="In a no-guess game: the first step that was possible and not made."
    )
    approximate: bool
