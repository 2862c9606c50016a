"""What the store keeps, and what it counts, as rows."""

from typing import Literal, NamedTuple

from minewright.game import MoveKind, StartRule, State
from minewright.web.people.clock import Clock
from minewright.web.people.database import OVER

GameOutcome = Literal["won", "lost", "left"]


class Stroke(NamedTuple):
    """A move as it is kept: who made it, and when, in seconds and thousandths of play."""

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
    """Whether the player chose the seed or was told it, and so may know the minefield."""
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
    """Whether the mines of a lost game were shown: then nothing is taken back any more."""

    @property
    def settled(self) -> bool:
        """Whether it is over for good: a loss that may be taken back is not."""
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
        """Give the game with its clock set."""
        return self._replace(**clock._asdict())


class GameResult(NamedTuple):
    """How a game ended."""

    outcome: GameOutcome
    seconds: float
    bbbv: int | None


class PlayCounts(NamedTuple):
    """How many games somebody played; with help, or on a known seed, none is won, lost or left."""

    played: int
    helped: int
    won: int
    lost: int
    left: int


class BoardStats(NamedTuple):
    """How somebody does on one board; best and mean time are those of games played in one go."""

    mode: str
    board: str
    topology: str
    start: StartRule
    score: PlayCounts
    best: float | None
    mean: float | None
    efficiency: float | None
