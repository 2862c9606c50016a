"""The games: exact on boards of many densities, sizes and topologies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from minewright.documents.estimates import Share
from minewright.documents.work import Arm, Experiment, Played, Request, play
from minewright.lab.statistics import Mean
from minewright.messages import write_sides

GAMES: Final = {"quick": 200, "paper": 2000}
PERCENTS: Final = {
    "quick": [2.5 * step for step in range(2, 19)],
    "paper": [float(percent) for percent in range(1, 46)],
}


@dataclass(frozen=True, slots=True)
class Field:
    """A kind of board, but for its mines."""

    shape: tuple[int, ...]
    topology: str = "moore"

    def arm(self, percent: float) -> Arm:
        """Return the player on this board with a density of mines."""
        mines = max(1, round(prod(self.shape) * percent / 100))
        return Arm("exact", f"{write_sides(self.shape)}x{mines}", "open", self.topology)

    def __str__(self) -> str:
        return f"{self.topology} {write_sides(self.shape)}"


BEGINNER, INTERMEDIATE, EXPERT = Field((9, 9)), Field((16, 16)), Field((30, 16))
SIZES: Final = (BEGINNER, INTERMEDIATE, EXPERT, Field((30, 30)))
TOPOLOGIES: Final = (
    INTERMEDIATE,
    Field((16, 16), "torus"),
    Field((16, 16), "hex"),
    Field((16, 16), "neumann"),
    Field((16, 16), "knight"),
    Field((5, 5, 4), "box"),
)
USUAL: Final = (BEGINNER, INTERMEDIATE, EXPERT)
FIELDS: Final = tuple(dict.fromkeys(SIZES + TOPOLOGIES))


@dataclass(frozen=True, slots=True)
class Spot:
    """All games on one kind of board with one density of mines."""

    density: float
    won: Share
    free: Share
    """Won without a guess."""
    guesses: Mean
    seconds: Mean
    a_cell: float
    """Seconds of the processor per opened cell."""
    a_cell_error: float
    """Its standard error, as a share of it."""


Curve = Sequence[Spot]
Curves = Mapping[Field, Curve]


@dataclass(frozen=True, slots=True)
class Data:
    """A curve for each kind of board, and the figures of every point as CSV."""

    curves: Curves
    table: str = ""


NAME: Final = "phase"


def measure(request: Request) -> Data:
    """Play exact on boards of many densities, sizes and topologies, or continue."""
    arms = {
        field: list(dict.fromkeys(field.arm(percent) for percent in PERCENTS[request.scale]))
        for field in FIELDS
    }
    experiment = Experiment(
        NAME,
        tuple(arm for own in arms.values() for arm in own),
        GAMES[request.scale],
        request.seed,
    )
    played = play(request, NAME, experiment)
    curves = {
        field: [_spot(played, arm, prod(field.shape)) for arm in own] for field, own in arms.items()
    }
    return Data(curves, played.table_csv())


def _spot(played: Played, arm: Arm, cells: int) -> Spot:
    guesses, won = played.values(arm, "guesses"), played.values(arm, "guesses", won=True)
    spent, opened = played.values(arm, "cpu_seconds"), played.values(arm, "cleared")
    a_cell = sum(spent) / sum(opened)
    # The error of a ratio of two means, from what the ratio leaves unexplained in each game.
    left = Mean.of([cost - a_cell * some for cost, some in zip(spent, opened, strict=True)])
    return Spot(
        int(arm.board.rpartition("x")[2]) / cells,
        played.share(arm),
        Share(won.count(0), len(guesses)),
        Mean.of(guesses, 0.95),
        Mean.of(spent, 0.95),
        a_cell,
        left.error * len(spent) / sum(spent),
    )
