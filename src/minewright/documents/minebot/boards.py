"""MineBot's three experiments: expert boards, numbers of mines, shapes of the board.

Experiments two and three share their games: boards of width 1 to 21 with 0 to 150 mines in steps
of 5. The text does not say how high they are. It speaks of the shape "while maintaining the same
number of mines", of "a fixed board size", and finds that the width makes no difference from 6 on;
with a fixed height a narrower board would be denser, and that would make all the difference. So the
area is fixed, and a width of 21 must be about square, or wider shapes would be missing: 480 cells,
the expert board's, whose shapes up to the square have widths of 1 to 21. The height is 480 / width,
rounded: 475 to 486 cells. The start rule is `any`: "if a player opens a location that contains a
mine then the game is over", and the first guess is counted among the failures.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from statistics import fmean
from typing import Final

from minewright.board import Board
from minewright.documents.parts import Interval, Share, level, table_csv, write_pages
from minewright.documents.played import Played, play
from minewright.documents.reproduce import Request
from minewright.lab.experiment import Arm, Experiment
from minewright.lab.files import write_whole
from minewright.lab.page import Page, Verdict
from minewright.lab.statistics import CONFIDENCE, Mean, wilson

PAPER: Final = "MineBot"
CELLS: Final = 480
WIDTHS: Final = tuple(range(1, 22))
WIDE: Final = tuple(range(6, 22))
"""The widths between which the text sees no difference."""
MINES: Final = tuple(range(0, 151, 5))
TRIALS: Final = 100
GAMES: Final = {"quick": 16, "paper": 200}


def height(width: int) -> int:
    """Give the height of the board of a width."""
    return round(CELLS / width)


@dataclass(frozen=True, slots=True)
class Point:
    """What came of the games of one width and number of mines, game by game."""

    width: int
    mines: int
    won: tuple[float, ...]
    """1 for a game that was won, 0 for another."""
    found: tuple[float, ...]
    """The share of mines found: 1 where there are none."""

    @property
    def share(self) -> Share:
        """The share of games won."""
        return Share(round(sum(self.won)), len(self.won))


Grid = Mapping[tuple[int, int], Point]


def play_grid(request: Request) -> Grid:
    """Play the games of experiments two and three, or find them played."""
    arms = {
        Arm("minebot", f"{width}x{height(width)}x{mines}", "any"): (width, mines)
        for width in WIDTHS
        for mines in MINES
    }
    experiment = Experiment("minebot-boards", tuple(arms), GAMES[request.scale], request.seed)
    _, run = play(request, "minebot-run", experiment)
    played = Played(run)
    grid = {}
    for arm, (width, mines) in arms.items():
        safe = Board.parse(arm.board).size - mines
        # A game is won when all safe cells are open, and goes no further.
        won = tuple(float(cleared == safe) for cleared in played.values(arm, "cleared"))
        found = tuple(marks / mines if mines else 1.0 for marks in played.values(arm, "found"))
        grid[width, mines] = Point(width, mines, won, found)
    return grid


def by_game(points: Iterable[Point], rate: Callable[[Point], Sequence[float]]) -> tuple[float, ...]:
    """Give the mean rate of some boards in each game.

    The games of one number share their random numbers on all boards: mines of a sparser board are
    mines of a denser one, and the first guess is of the same cell. They are one observation.
    """
    return tuple(fmean(own) for own in zip(*map(rate, points), strict=True))


def won(point: Point) -> Sequence[float]:
    """Give which games were won."""
    return point.won


def found(point: Point) -> Sequence[float]:
    """Give which share of the mines was found in each game."""
    return point.found


def ends(values: Sequence[float], confidence: float) -> Interval:
    """Give the interval of a mean over games."""
    mean = Mean.of(values, confidence)
    return mean.value - mean.half, mean.value + mean.half


def shown(values: Sequence[float]) -> str:
    """Write the mean of shares with its 95% interval."""
    return "{:.1%} ({:.1%} to {:.1%})".format(fmean(values), *clipped(values))


def clipped(values: Sequence[float]) -> Interval:
    """Give the 95% interval of a mean of shares, which are neither below 0 nor above 1.

    Where all games are alike their spread says nothing, and Wilson's bound is taken.
    """
    if len(set(values)) == 1 and values[0] in (0.0, 1.0):
        return wilson(round(sum(values)), len(values), 0.95)
    low, high = ends(values, 0.95)
    return max(0.0, low), min(1.0, high)


def none_seen(shares: Sequence[Share]) -> Verdict:
    """Judge a claim of no win at all by how likely the text's trials are to show none here.

    It differs if that is unlikely even at the least rates that chance allows, board by board. It
    agrees if it is likely even at the highest rate that chance allows for all boards together.
    """
    least = [wilson(share.count, share.total, level(len(shares)))[0] for share in shares]
    if _chance_of_none(least) < 1 - CONFIDENCE:
        return "differs"
    count, total = sum(one.count for one in shares), sum(one.total for one in shares)
    most = _chance_of_none([wilson(count, total)[1]] * len(shares))
    return "agrees" if most >= 1 - CONFIDENCE else "undecided"


NONE_RULE: Final = (
    "No win at all agrees if the text's trials would show none in one case of ten or more even at "
    "the upper end of the interval of the rate here (of all boards together), and differs if they "
    "would not even at the lower ends of all boards. (Before games had been seen, the rate itself "
    "was enough to agree.)"
)


def _chance_of_none(rates: Iterable[float]) -> float:
    return prod((1 - rate) ** TRIALS for rate in rates)


def games_won(shares: Sequence[Share]) -> str:
    """Say how many games of all were won."""
    count, total = sum(one.count for one in shares), sum(one.total for one in shares)
    return f"{count:,} of {total:,} games {'is' if count == 1 else 'are'} won"


def size(request: Request) -> str:
    """Say how much was played, and on what."""
    return (
        f"{GAMES[request.scale]} games of minebot for each of {len(WIDTHS)} widths and "
        f"{len(MINES)} numbers of mines (seed {request.seed}; the text played {TRIALS}), start "
        "rule any. Games of one number share their random numbers on all boards, which makes "
        "comparisons sharper; intervals are taken over game numbers, not over single games."
    )


HEIGHT: Final = (
    "The text does not say how high its boards are. The area must be fixed: it keeps the number "
    "of mines while the shape changes, and sees no difference between widths from 6 on, where "
    "with a fixed height a narrower board would be denser. Widths of 1 to 21 are all shapes up to "
    "the square of 480 cells, the expert board's, so the height here is 480 / width, rounded."
)


def write(request: Request, name: str, page: Page, grid: Grid) -> Path:
    """Write the page and the rates of every board; give the page."""
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
    write_whole(request.out / name / "table.csv", table_csv(head, rows))
    return write_pages(request.out / name, page)


def directory_of(request: Request, name: str) -> Path:
    """Make the directory of a reproduction whose games lie in another."""
    directory = request.out / name
    directory.mkdir(parents=True, exist_ok=True)
    return directory
