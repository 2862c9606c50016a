"""The games that experiments two and three of MineBot share.

They are played on boards of width 1 to 21 with 0 to 150 mines in steps of 5. The start rule is
`any`: "if a player opens a location that contains a mine then the game is over", and the first
guess is counted among the failures. HEIGHT says why the boards are as high as they are.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from minewright.board import Board
from minewright.documents import estimates
from minewright.documents.claims import Claim, above
from minewright.documents.estimates import Interval, Share, percent
from minewright.documents.work import Arm, Experiment, Played, Request, play, table_csv

CELLS: Final = 480
WIDTHS: Final = tuple(range(1, 22))
WIDE: Final = tuple(range(6, 22))
"""The widths between which the text sees no difference."""
MINES: Final = tuple(range(0, 151, 5))
TRIALS: Final = 100
GAMES: Final = {"quick": 16, "paper": 200}


def height(width: int) -> int:
    """Return the height of the board of a width."""
    return round(CELLS / width)


@dataclass(frozen=True, slots=True)
class Point:
    """The games of one width and number of mines, one value per game."""

    width: int
    mines: int
    won: tuple[float, ...]
    """1 for a game that was won, 0 for any other."""
    found: tuple[float, ...]
    """The share of mines found: 1 where there are none."""

    @property
    def share(self) -> Share:
        """The share of games won."""
        return Share(round(sum(self.won)), len(self.won))


Grid = Mapping[tuple[int, int], Point]


def grid_arms(strategy: str) -> dict[tuple[int, int], Arm]:
    """Return a strategy on every board, by width and number of mines."""
    return {
        (width, mines): Arm(strategy, f"{width}x{height(width)}x{mines}", "any")
        for width in WIDTHS
        for mines in MINES
    }


def grid_of(played: Played, strategy: str) -> Grid:
    """Return what a strategy did on every board."""
    grid = {}
    for (width, mines), arm in grid_arms(strategy).items():
        safe = Board.parse(arm.board).size - mines
        # A game is won when all safe cells are open, and goes no further.
        won = tuple(float(cleared == safe) for cleared in played.values(arm, "cleared"))
        found = tuple(marks / mines if mines else 1.0 for marks in played.values(arm, "found"))
        grid[width, mines] = Point(width, mines, won, found)
    return grid


def play_grid(request: Request) -> Grid:
    """Play the games of experiments two and three, or find them played."""
    arms = tuple(grid_arms("minebot").values())
    experiment = Experiment("minebot-boards", arms, GAMES[request.scale], request.seed)
    return grid_of(play(request, "minebot-run", experiment), "minebot")


Rate = Callable[[Point], Sequence[float]]


def by_game(points: Iterable[Point], rate: Rate) -> tuple[float, ...]:
    """Return the mean rate of some boards in each game.

    The games of one number share their random numbers on all boards: the mines of a sparser board
    are mines of a denser one, and the first guess is the same cell. They are one observation.
    """
    return tuple(fmean(own) for own in zip(*map(rate, points), strict=True))


def won(point: Point) -> Sequence[float]:
    """Return which games were won."""
    return point.won


def found(point: Point) -> Sequence[float]:
    """Return which share of the mines was found in each game."""
    return point.found


def less(one: Sequence[float], other: Sequence[float], weight: float = 1.0) -> list[float]:
    """Return the difference of two rates game by game, the second taken `weight` times."""
    return [first - weight * second for first, second in zip(one, other, strict=True)]


def ends(values: Sequence[float]) -> Interval:
    """Return the 95% interval of a mean of shares."""
    return estimates.rate("", values).ends(0.95)


def shown(values: Sequence[float]) -> str:
    """Write the mean of shares with its 95% interval."""
    return "{:.1%} ({:.1%} to {:.1%})".format(fmean(values), *ends(values))


def none_won(
    name: str, says: str, where: str, boards: Callable[[Grid], Sequence[Share]]
) -> Claim[Grid]:
    """Return the claim that no game was won on some boards."""
    return Claim(
        name,
        says,
        where,
        f"The chance that {TRIALS} games on each of these boards, as the text played, show no win "
        "at the rates of ours: the lower end takes the highest rate that chance allows for all "
        "boards together, the upper end the lowest rates board by board.",
        lambda grid: [estimates.none_chance("", boards(grid), TRIALS)],
        above(0.1, percent, "no win is no surprise"),
        changed="No win at all: before games had been seen, the rate itself was enough to agree.",
    )


def size(request: Request) -> str:
    """Say how much was played, and on what."""
    return (
        f"{request.count(GAMES)} games of minebot for each of {len(WIDTHS)} widths and "
        f"{len(MINES)} numbers of mines (seed {request.seed}; the text played {TRIALS}), start "
        "rule any. Games of one number share their random numbers on all boards, which makes "
        "comparisons sharper; intervals are taken over game numbers, not over single games."
    )


HEIGHT: Final = (
    "The text does not say how high its boards are. The area must be fixed: the text keeps the "
    "number of mines while the shape changes, and sees no difference between widths from 6 on, "
    "whereas with a fixed height a narrower board would be denser. Widths of 1 to 21 are all "
    "shapes up to the square of 480 cells, the expert board's, so the height here is 480 / width, "
    "rounded."
)


def tables(grid: Grid) -> dict[str, str]:
    """Return the rates of every board as CSV."""
    rows = (
        (
            point.width,
            height(point.width),
            point.mines,
            point.share.total,
            point.share.count,
            point.share.value,
            fmean(point.found),
        )
        for point in grid.values()
    )
    head = ("width", "height", "mines", "games", "wins", "win_rate", "found_rate")
    return {"table.csv": table_csv(head, rows)}
