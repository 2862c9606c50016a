"""What both experiments of Neller and Tran share: puzzles of a kind, made and kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Final, NamedTuple

from minewright import _kernel
from minewright.bullets.grade import PAPER as TASTE
from minewright.documents import work
from minewright.documents.work import Piece, Request, Row, table_csv
from minewright.inference import Budget
from minewright.lab.statistics import Mean
from minewright.topology import get

SIDES: Final = (4, 5, 6, 7)
PUZZLES: Final = {"quick": 25, "paper": 1000}
ITERATIONS: Final = 500
PIECE: Final = 50
# Far beyond what any of these grids needs. A limit in seconds would make results depend on speed.
STATES: Final = 10**15


@dataclass(frozen=True, slots=True)
class Point:
    """Puzzles of one kind: the grid, and how they are searched for."""

    side: int
    bullets: int
    samples: int
    iterations: int

    @property
    def density(self) -> float:
        """The share of cells with a bullet."""
        return self.bullets / self.side**2

    @property
    def name(self) -> str:
        """A name for files."""
        return f"{self.side}x{self.side}x{self.bullets}-{self.samples}-{self.iterations}"

    @property
    def effort(self) -> float:
        """What one puzzle costs, roughly; only the estimated time left depends on it."""
        sparse = (0.05 + self.density) * (1 - self.density) ** 3
        return self.samples * self.iterations * self.side**4 * sparse

    def stream(self, index: int) -> int:
        """Return the random stream of one puzzle: a longer search continues a shorter one."""
        return ((self.side * 100 + self.bullets) * 100 + self.samples) * 10**6 + index


class Made(NamedTuple):
    """One puzzle: its stream, its grade, its clues and its energy."""

    stream: int
    n0: int
    n1: int
    n2: int
    clues: int
    energy: float


def make(point: Point, seed: int, stream: int, *, seconds: float = inf) -> Made:
    """Make one puzzle."""
    puzzle = _kernel.bullets_make(
        get("moore", (point.side, point.side)).graph,
        _kernel.BulletsWish(point.bullets, point.iterations, point.samples),
        _kernel.Polynomial(TASTE.linear, TASTE.square),
        seed,
        stream,
        Budget(STATES, seconds),
    )
    # With all safe cells as clues only the bullets are hidden, so there always is a puzzle.
    assert puzzle is not None
    _, clues, n0, n1, n2, energy = puzzle
    return Made(stream, n0, n1, n2, len(clues), energy)


def _row(point: Point, seed: int, number: int) -> Row:
    return make(point, seed, point.stream(number))


Results = Mapping[Point, Sequence[Made]]


def run_points(name: str, points: Mapping[Point, int], request: Request) -> Results:
    """Make the given number of puzzles of each kind, or continue."""
    kinds = [
        Piece(point.name, range(puzzles), point.effort, partial(_row, point, request.seed))
        for point, puzzles in points.items()
    ]
    made = work.make(request, name, kinds, PIECE)
    return {point: list(map(_made, rows)) for point, rows in zip(points, made, strict=True)}


def _made(row: Row) -> Made:
    stream, n0, n1, n2, clues, energy = row
    return Made(int(stream), int(n0), int(n1), int(n2), int(clues), energy)


def energy(made: Sequence[Made]) -> Mean:
    """Return the mean energy of some puzzles."""
    return Mean.of([puzzle.energy for puzzle in made])


def size(request: Request) -> str:
    """Say how much was made."""
    puzzles = request.count(PUZZLES)
    note = "" if request.scale == "paper" else ", a quick look: the paper made 1000"
    return f"{puzzles} puzzles of {ITERATIONS} iterations per point (seed {request.seed}){note}."


INTERVALS: Final = (
    "± gives half the width of the 90% confidence interval, which the paper draws. table.csv has "
    "these figures, puzzles.csv every puzzle; seed and stream make each one again."
)


def tables(made: Results) -> Mapping[str, str]:
    """Return the mean energies and every puzzle as CSV."""
    table: list[Sequence[object]] = []
    puzzles: list[Sequence[object]] = []
    for point, row in made.items():
        start = (point.side, point.bullets, point.samples, point.iterations)
        mean = energy(row)
        table.append((*start, f"{point.density:.4f}", len(row), mean.value, mean.half))
        puzzles += ((*start, *puzzle) for puzzle in row)
    head = ("side", "bullets", "samples", "iterations")
    summed = (*head, "density", "puzzles", "mean_energy", "half_width_90")
    return {
        "table.csv": table_csv(summed, table),
        "puzzles.csv": table_csv((*head, *Made._fields), puzzles),
    }
