"""What goes over the wire about games and the assistant."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from minewright.game import MoveKind, StartRule, State
from minewright.web.play.modes import ORDINARY
from minewright.web.shared.models import Asked, Cell, Chance, Code, Seed

KnownMoves = Annotated[
    int | None,
    Field(
        ge=0,
        description="How many moves the page knows of. If there were others before this one, "
        "the answer gives all cells as changes.",
    ),
]


class Switches(Asked):
    """Which parts of the assistant are on."""

    zero: bool = Field(default=False, description="Zero propagator: around a 0 all is safe.")
    simple: bool = Field(default=False, description="Simple propagators: one number at a time.")
    set: bool = Field(default=False, description="Set propagators: numbers share what they know.")
    autoplay: bool = Field(default=False, description="Autoplayer: opens what is safe.")
    solvers: bool = Field(default=False, description="Solvers: every certain cell.")
    probabilities: bool = Field(default=False, description="Chances of a mine everywhere.")
    approximate: bool = Field(default=False, description="Sample where exact is too hard.")

    @property
    def any(self) -> bool:
        """Whether anything is on that tells or does something."""
        return any(
            (self.zero, self.simple, self.set, self.autoplay, self.solvers, self.probabilities)
        )


class SwitchAsked(Switches):
    """Which parts are to be on."""

    known: KnownMoves = None

    @property
    def switches(self) -> Switches:
        """The switches alone."""
        return Switches(**self.model_dump(exclude={"known"}))


class Help(BaseModel):
    """What the parts of the assistant that are on know of the position."""

    safe: list[Cell] = []
    mined: list[Cell] = []
    chances: dict[Cell, Chance] | None = None
    approximate: bool = Field(default=False, description="Whether chances were sampled.")
    too_hard: str | None = Field(default=None, description="What took too long, if anything.")


class End(BaseModel):
    """The truth, once a game is over for good, and what the player made of it."""

    truth: list[Code]
    mined: list[Cell]
    exploded: list[Cell]
    bbbv: int = Field(description="3BV: the fewest clicks that open the whole board.")
    solved: int = Field(description="How much of the 3BV was done.")
    clicks: int
    efficiency: float | None = Field(description="3BV done for each click; null without clicks.")
    seconds: float
    helped: bool = Field(description="Whether the assistant, a hint or undo was used.")
    seeded: bool = Field(
        description="Whether the player knew the seed before the end: it makes no record."
    )
    interrupted: bool = Field(
        description="Whether the clock stood still for a while: it makes no best time."
    )


class NewGame(Asked):
    """A game to begin."""

    mode: str = Field(default=ORDINARY, max_length=40)
    board: str = Field(max_length=60, examples=["30x16x99", "expert"])
    topology: str = Field(default="moore", max_length=40)
    start: StartRule = "safe"
    seed: Seed | None = Field(default=None, description="Any if absent.")
    undo: bool = Field(default=False, description="Whether moves may be taken back.")
    assistant: Switches = Switches()


class ClockAsked(Asked):
    """A word on the clock of a game that runs.

    A page says every few seconds that it is there, and once more before it goes.
    """

    runs: bool = Field(description="Whether somebody is there; else it stands until the next word.")


class ClockView(BaseModel):
    """What the clock of a game shows."""

    seconds: float = Field(description="How long the game has been played.")
    paused: bool = Field(description="Whether it stands though the game is not over.")


class GameProgress(ClockView):
    """How a game stands."""

    state: State
    mines_left: int = Field(description="Mines less marks; below 0 if there are too many marks.")
    moves: int
    seed: int | None = Field(description="Null while the player may not know it.")
    help: Help
    end: End | None = Field(description="Null, too, after a loss that may still be taken back.")


class GameView(GameProgress):
    """A game as its player sees it: no minefield while it runs."""

    id: str
    mode: str
    board: str
    topology: str
    shape: list[int]
    mines: int
    start: StartRule
    undo: bool
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
        description="Whether it is over for good: a loss that may be taken back is not."
    )
    moves: int
    made: float = Field(description="When it was made, in seconds since 1970.")
    helped: bool
    seeded: bool


class MoveAsked(Asked):
    """A move; only giving up and undo have no cell.

    After a loss that may be taken back, giving up shows the mines.
    """

    kind: MoveKind | Literal["undo"]
    cell: Cell | None = None
    known: KnownMoves = None


class MoveMade(GameProgress):
    """What a move changed, and how the game stands now."""

    changes: list[tuple[Cell, Code]] = Field(
        description="Cells that show something new; all, if the page did not know every move."
    )
