"""What goes over the wire about games and the assistant."""

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from minewright.game import MoveKind, StartRule, State
from minewright.modes import ORDINARY, Ruling
from minewright.web.shared.models import Asked, Cell, Chance, Code, Seed

KnownMoves = Annotated[
    int | None,
    Field(
        ge=0,
        description="How many moves the page knows. If there were others before this one, the "
        "answer lists all cells as changes.",
    ),
]


class Switches(Asked):
    """Which parts of the assistant are on."""

    obvious: bool = Field(default=False, description="What one glance at a number settles.")
    zero: bool = Field(default=False, description="Everything around a 0 is safe.")
    simple: bool = Field(default=False, description="What a single number settles.")
    set: bool = Field(default=False, description="What several numbers settle.")
    autoplay: bool = Field(default=False, description="Open the safe cells found.")
    solvers: bool = Field(default=False, description="Everything provable.")
    probabilities: bool = Field(default=False, description="The chance of a mine in every cell.")
    approximate: bool = Field(default=False, description="Sample if exact is too hard.")

    @property
    def any(self) -> bool:
        """Whether any part that helps is on."""
        parts = Switches.model_fields.keys() - {"approximate"}
        return any(getattr(self, part) for part in parts)


class SwitchAsked(Switches):
    """Which parts of the assistant to switch on."""

    known: KnownMoves = None

    @property
    def switches(self) -> Switches:
        """The switches alone."""
        return Switches(**self.model_dump(exclude={"known"}))


class Help(BaseModel):
    """What the assistant, as far as it is on, knows about the position."""

    safe: list[Cell] = []
    mined: list[Cell] = []
    chances: dict[Cell, Chance] | None = None
    approximate: bool = Field(default=False, description="Whether chances were sampled.")
    too_hard: str | None = Field(default=None, description="What was too hard, if anything.")


class End(BaseModel):
    """The minefield once a game is over for good, and how the player did."""

    truth: list[Code]
    mined: list[Cell]
    exploded: list[Cell]
    bbbv: int = Field(description="3BV: the fewest clicks that clear the board.")
    solved: int = Field(description="How much of the 3BV was cleared.")
    clicks: int
    flags: int = Field(description="How many times a cell was flagged or unflagged.")
    efficiency: float | None = Field(
        description="3BV cleared per click; null without clicks, or if the autoplayer made some."
    )
    score: Chance | None = Field(
        description="In a safe-bet game: the chance that all guesses were safe."
    )
    guesses: int | None = Field(
        description="Where MineBot plays: the openings made for it, the first included."
    )
    seconds: float
    helped: bool = Field(description="Whether the assistant, a hint or undo was used.")
    seeded: bool = Field(
        description="Whether the player knew the seed before the end, so that it sets no record."
    )
    interrupted: bool = Field(
        description="Whether the clock was stopped, so that it does not count for best times."
    )


class NewGame(Asked):
    """A game to begin."""

    mode: str = Field(default=ORDINARY, max_length=40)
    board: str = Field(max_length=60, examples=["30x16x99", "expert"])
    topology: str = Field(default="moore", max_length=40)
    start: StartRule = "safe"
    seed: Seed | None = Field(default=None, description="Random if absent.")
    undo: bool = Field(default=False, description="Whether moves may be undone.")
    assistant: Switches = Switches()


class DailyAsked(Asked):
    """The daily game to play."""

    day: date | None = Field(
        default=None, alias="date", strict=False, description="Today if absent."
    )
    assistant: Switches = Switches()


class ClockAsked(Asked):
    """A sign of life for the clock of a running game.

    A page sends one every few seconds, and once more before it closes.
    """

    runs: bool | None = Field(
        description="False begins a pause, true ends it. Null only says that somebody is there: a"
        " pause stays, for another page may have begun it."
    )


class ClockView(BaseModel):
    """The clock of a game."""

    seconds: float = Field(description="How long the game has been played.")
    paused: bool = Field(description="Whether the clock is stopped though the game is not over.")
    moves: int = Field(description="How many moves were made; a page that knows fewer is outdated.")
    state: State


class GameProgress(ClockView):
    """The state of a game."""

    mines_left: int = Field(description="Mines minus marks; below 0 if there are too many marks.")
    seed: int | None = Field(description="Null while the player may not know it.")
    help: Help
    ruling: Ruling | None = Field(
        description="What the mode made of the last opening, if that was a guess."
    )
    bet: Chance | None = Field(description="In a safe-bet game: how safe the last bet was.")
    score: Chance | None = Field(description="In a safe-bet game: how safe all bets were together.")
    end: End | None = Field(description="Null too after a loss that may still be undone.")


class GameView(GameProgress):
    """A game as its player sees it: without the minefield while it runs."""

    id: str
    mode: str
    board: str
    topology: str
    shape: list[int]
    mines: int
    start: StartRule
    undo: bool
    first: Cell | None = Field(description="Where the game has to begin; null: anywhere.")
    day: date | None = Field(description="Of a daily game.")
    cells: list[Code]
    assistant: Switches


class GameLine(BaseModel):
    """A game in a list of games."""

    id: str
    mode: str
    board: str
    topology: str
    start: StartRule
    seed: int | None = Field(description="Null while the player may not know it.")
    state: State
    settled: bool = Field(
        description="Whether it is over for good: a loss that may be undone is not."
    )
    moves: int
    made: float = Field(description="When it began, in seconds since 1970.")
    helped: bool
    seeded: bool


class MoveAsked(Asked):
    """A move; only giving up and undo have no cell.

    After a loss that may be undone, giving up shows the mines.
    """

    kind: MoveKind | Literal["undo"]
    cell: Cell | None = None
    known: KnownMoves = None
    packed: bool = Field(
        default=False, description="Whether the answer may list many changes as `packed`."
    )


class MoveMade(GameProgress):
    """What a move changed, and the state of the game now."""

    changes: list[tuple[Cell, Code]] = Field(
        description="Cells that show something new; all cells if the page missed a move."
    )
    packed: str | None = Field(
        default=None,
        description="In place of many changes, if the request allows it: all cells, one byte per"
        " cell, in Base64.",
    )


class SolveAsked(Asked):
    """Which of Collet's solvers to run."""

    kind: Literal["binary", "sets"] = "sets"
    known: KnownMoves = None


class Solved(MoveMade):
    """What a solver found; `help` has the chances if nothing was new."""

    news: bool = Field(description="Whether it found cells that nobody knew before.")
    solutions: dict[Literal["binary", "sets"], int | None] = Field(
        description="How many solutions each solver computes; null for too many."
    )
