"""What the store keeps, and what it counts, as rows."""

from typing import Final, Literal, NamedTuple

from minewright.game import MoveKind, StartRule, State
from minewright.web.people.clock import Clock
from minewright.web.people.database import OVER

GameOutcome = Literal["won", "lost", "left"]

TEAM: Final = "minebot"
"""The mode in which MineBot plays and a person guesses for it; otherwise an ordinary game."""


class Stroke(NamedTuple):
    """A move as it is kept; `at` is in seconds of play, to the millisecond."""

    kind: MoveKind
    cell: int | None
    auto: bool
    """Whether the autoplayer made it."""
    at: float


class Row(NamedTuple):
    """A game as it is kept, without its moves."""

    id: str
    person: str
    mode: str
    board: str
    topology: str
    start: StartRule
    seed: int
    seeded: bool
    """Whether the player chose or was told the seed, and so may know the minefield."""
    undo: bool
    made: float
    switches: str
    ended: float | None = None
    state: State = "ready"
    clicks: int = 0
    helped: bool = False
    played: float = 0.0
    heard: float | None = None
    interrupted: bool = False
    shown: bool = False
    """Whether the mines of a lost game were shown: then undo is over."""

    @property
    def settled(self) -> bool:
        """Whether the game is over for good: a loss that may be undone is not."""
        return self.state in OVER and (self.state != "lost" or not self.undo or self.shown)

    @property
    def known_seed(self) -> int | None:
        """The seed, if the player may know it: the mines follow from it."""
        return self.seed if self.seeded or self.settled else None

    @property
    def clock(self) -> Clock:
        """The game's clock."""
        return Clock(self.played, self.heard, self.interrupted)

    def with_clock(self, clock: Clock) -> "Row":
        """Return the game with its clock set."""
        return self._replace(**clock._asdict())


class GameResult(NamedTuple):
    """How a game ended."""

    outcome: GameOutcome
    seconds: float
    bbbv: int | None
    score: float | None = None
    """Of a safe-bet game."""
    flags: int | None = None
    """How many times a cell was flagged or unflagged."""
    guesses: int | None = None
    """How many were made for MineBot, if the game counts in the common statistics of all people."""


class TeamCounts(NamedTuple):
    """How people and MineBot did on one board."""

    board: str
    start: StartRule
    games: int
    won: int
    guesses: int


class DayResult(NamedTuple):
    """How somebody did on a day's game."""

    outcome: GameOutcome
    seconds: float
    helped: bool
    """With help, or with the mines known."""
    in_time: bool
    """Whether it was finished before the day was over everywhere."""


class TableLine(NamedTuple):
    """A line in the table of a day."""

    person: str
    name: str
    seconds: float
    no_flags: bool


class PlayCounts(NamedTuple):
    """Games somebody played; won, lost and left exclude those with help or a known seed."""

    played: int
    helped: int
    won: int
    lost: int
    left: int


class BoardStats(NamedTuple):
    """How somebody does on one board; times are those of games played without a break."""

    mode: str
    board: str
    topology: str
    start: StartRule
    score: PlayCounts
    best: float | None
    mean: float | None
    efficiency: float | None
    mean_score: float | None
    """Of safe-bet games played to their end."""
