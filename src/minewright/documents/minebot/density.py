"""Experiment two of MineBot: difficulty against the number of mines."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import exp, log
from pathlib import Path
from statistics import fmean
from typing import Final

from minewright.documents.charts import Curve, draw_curves, draw_map
from minewright.documents.claims import Claim, ahead, below, straight, within
from minewright.documents.estimates import Estimate, mean, percent, points, rate
from minewright.documents.minebot import PAPER
from minewright.documents.minebot.boards import (
    CELLS,
    HEIGHT,
    MINES,
    WIDE,
    WIDTHS,
    Grid,
    Rate,
    by_game,
    ends,
    found,
    less,
    none_won,
    play_grid,
    shown,
    size,
    tables,
    won,
)
from minewright.documents.study import Picture, Study
from minewright.documents.work import Request
from minewright.lab.page import Block, Heading, Paragraph, Table

NAME: Final = "minebot-density"


@dataclass(frozen=True, slots=True)
class Level:
    """All wide boards with one number of mines, game by game."""

    mines: int
    won: tuple[float, ...]
    found: tuple[float, ...]

    @property
    def rate(self) -> float:
        """The win rate."""
        return fmean(self.won)


def measure(request: Request) -> Grid:
    """Play the games, or find them played."""
    return play_grid(request)


def _line(grid: Grid, rate: Rate) -> dict[int, tuple[float, ...]]:
    """Return the rate of all wide boards together, game by game, for each number of mines."""
    return {mines: by_game([grid[width, mines] for width in WIDE], rate) for mines in MINES}


def levels(grid: Grid) -> list[Level]:
    """Return the wide boards, one number of mines at a time."""
    wins, finds = _line(grid, won), _line(grid, found)
    return [Level(mines, wins[mines], finds[mines]) for mines in MINES]


def residuals(places: Sequence[float], values: Sequence[float]) -> list[float]:
    """Return how far values lie above their straight line of least squares."""
    across, up = fmean(places), fmean(values)
    both = list(zip(places, values, strict=True))
    slope = sum((x - across) * (y - up) for x, y in both) / sum((x - across) ** 2 for x in places)
    return [y - up - slope * (x - across) for x, y in both]


def _off_the_line(metric: Rate, grid: Grid) -> list[Estimate]:
    own = {mines: one for mines, one in _line(grid, metric).items() if 30 <= mines <= 110}
    # The line of the mean rates is the mean of each game's own line.
    games = [residuals(list(own), rates) for rates in zip(*own.values(), strict=True)]
    off = zip(*games, strict=True)
    return [rate(f"{mines} mines:", one, points) for mines, one in zip(own, off, strict=True)]


def _steepest(grid: Grid) -> list[Estimate]:
    """Estimate the share of the whole fall that happens within 15 mines, wherever they begin."""
    line = _line(grid, won)
    whole = fmean(line[MINES[0]]) - fmean(line[MINES[-1]])
    return [
        mean(
            f"{begin} to {begin + 15} mines:",
            [fall / whole for fall in less(line[begin], line[begin + 15])],
            percent,
        )
        for begin in MINES
        if begin + 15 in line
    ]


def _flatter_ends(grid: Grid) -> list[Estimate]:
    """Estimate how many more points are lost per mine in the middle than at either end."""
    line = _line(grid, won)
    lead_in, steep, lead_out = (
        [fall / (end - begin) for fall in less(line[begin], line[end])]
        for begin, end in ((0, 30), (30, 110), (110, 150))
    )
    return [
        mean("steeper than from 0 to 30:", [100 * one for one in less(steep, lead_in)]),
        mean("steeper than from 110 to 150:", [100 * one for one in less(steep, lead_out)]),
    ]


def _gaps(grid: Grid) -> list[Estimate]:
    wins, finds = _line(grid, won), _line(grid, found)
    return [
        rate(f"{mines} mines:", less(finds[mines], wins[mines]), points) for mines in MINES if mines
    ]


_WIDE: Final = "all boards 6 to 21 wide together"
CLAIMS: Final[tuple[Claim[Grid], ...]] = (
    *(
        Claim(
            f"linear-{name}",
            f"The {what} decreases linearly between 30 and 110 mines.",
            "Experiment Two, Results",
            f"The {what} of {_WIDE}, less the straight line through the rates.",
            partial(_off_the_line, metric),
            straight(0.05),
        )
        for name, what, metric in (
            ("wins", "win rate", won),
            ("found", "average found rate", found),
        )
    ),
    Claim(
        "no-crystallization",
        "There is no evidence of a crystallization point, at which the wins suddenly drop off.",
        "Experiment Two, Conclusion",
        f"The share of the whole fall of the win rate within any 15 mines, a tenth of the range, "
        f"on {_WIDE}; an even fall from 30 to 110 mines has 19% there.",
        _steepest,
        below(1 / 3, percent, "no sudden drop"),
    ),
    Claim(
        "lead-in-and-out",
        "Between 0 and 30 mines there is a lead-in, between 110 and 150 a lead-out, where the win "
        "rate falls less steeply.",
        "Experiment Two, Results",
        f"Points lost per mine from 30 to 110 mines, less those at either end, on {_WIDE}.",
        _flatter_ends,
        ahead(),
    ),
    none_won(
        "none-at-150",
        "With 150 mines the win rate is a consistent 0% for all board shapes.",
        "Experiment Two, Method",
        lambda grid: [grid[width, MINES[-1]].share for width in WIDTHS],
    ),
    Claim(
        "same-fashion",
        "The average found rate declines in exactly the same fashion.",
        "Experiment Two, Conclusion",
        f"The average found rate less the win rate, on {_WIDE}.",
        _gaps,
        within(-0.1, 0.1, points, "the same fashion"),
    ),
)


def _about(request: Request) -> list[str]:
    return [f"Experiment two and illustration 1 of {PAPER}. {size(request)}", HEIGHT]


def curve(mines: float, middle: float, scale: float) -> float:
    """Return the value of a falling logistic curve."""
    return 1 / (1 + exp((mines - middle) / scale))


def logistic(line: Sequence[Level]) -> tuple[float, float]:
    """Fit a logistic curve by its likelihood; return its middle and its scale."""

    def likelihood(pair: tuple[float, float]) -> float:
        total = 0.0
        for one in line:
            chance = min(max(curve(one.mines, *pair), 1e-9), 1 - 1e-9)
            total += one.rate * log(chance) + (1 - one.rate) * log(1 - chance)
        return total

    # The likelihood has one peak: walk there in ever smaller steps.
    best = (75.0, 15.0)
    step = 8.0
    while step >= 0.125:
        middle, scale = best
        around = ((middle + x * step, scale + y * step) for x in (-1, 0, 1) for y in (-1, 0, 1))
        better = max((pair for pair in around if pair[1] > 0), key=likelihood)
        step, best = (step / 2 if better == best else step), better
    return best


def _draw_rates(grid: Grid, path: Path) -> None:
    line = levels(grid)
    middle, scale = logistic(line)
    draw_curves(
        path,
        "Win rate and average found rate against the number of mines",
        "mines on 480 cells (grey: win rates of single widths from 6 to 21)",
        "rate, %",
        [
            *(
                Curve("", MINES, [grid[width, mines].share.value for mines in MINES], quiet=True)
                for width in WIDE
            ),
            Curve(
                "win rate, boards 6 to 21 wide",
                MINES,
                [one.rate for one in line],
                [ends(one.won) for one in line],
            ),
            Curve(
                "average found rate",
                MINES,
                [fmean(one.found) for one in line],
                [ends(one.found) for one in line],
            ),
            Curve(
                "logistic curve of the win rate",
                MINES,
                [curve(mines, middle, scale) for mines in MINES],
                dashed=True,
            ),
        ],
    )


def _draw_map(grid: Grid, path: Path) -> None:
    draw_map(
        path,
        "Games won by width and number of mines, %",
        "mines",
        "width",
        MINES,
        WIDTHS,
        [[100 * grid[width, mines].share.value for mines in MINES] for width in WIDTHS],
    )


def _more(grid: Grid) -> list[Block]:
    line = levels(grid)
    middle, scale = logistic(line)
    misfit = max(abs(one.rate - curve(one.mines, middle, scale)) for one in line)
    return [
        Heading("The shape of the fall"),
        Paragraph(
            f"The win rate follows an S: a logistic curve with its middle at {middle:.0f} mines "
            f"({middle / CELLS:.1%} of the cells) that falls from 90% to 10% within "
            f"{2 * log(9) * scale:.0f} mines. It is dashed in the figure and misses no rate by "
            f"more than {100 * misfit:.1f} points. The found rate lies above the win rate because "
            "a lost game has found some mines too. Whether the fall sharpens as boards grow is "
            "asked by the reproduction called phase."
        ),
        Heading("All wide boards together"),
        Table(
            ("mines", "density", "won (95% interval)", "mines found (95% interval)"),
            [
                (str(one.mines), f"{one.mines / CELLS:.1%}", shown(one.won), shown(one.found))
                for one in line
            ],
        ),
        Paragraph(
            "table.csv has every width; every game is in the shards of minebot-run/run (Parquet)."
        ),
    ]


STUDY: Final = Study(
    NAME,
    "MineBot: difficulty against the number of mines",
    PAPER,
    "MineBot, experiment two: the number of mines",
    _about,
    measure,
    CLAIMS,
    [
        Picture(
            "illustration1", "Win rate and found rate against the number of mines", _draw_rates
        ),
        Picture("map", "Games won by width and number of mines", _draw_map),
    ],
    tables,
    _more,
)
