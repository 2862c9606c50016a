"""Experiment three of MineBot: difficulty against the shape of the board."""

from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Final

from minewright.documents.charts import Curve, draw_curves
from minewright.documents.claims import Claim, above, ahead, within
from minewright.documents.estimates import Estimate, Interval, listed, percent, points, rate
from minewright.documents.minebot import PAPER
from minewright.documents.minebot.boards import (
    HEIGHT,
    MINES,
    WIDE,
    WIDTHS,
    Grid,
    Point,
    Rate,
    by_game,
    found,
    height,
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

NAME: Final = "minebot-shape"
SEEN: Final = 0.02
"""A rise that is certainly smaller than this does not count as a rise."""
SHOWN: Final = (10, 30, 50, 70, 90, 110)


def measure(request: Request) -> Grid:
    """Play the games, or find them played."""
    return play_grid(request)


def _points(grid: Grid, *widths: int) -> list[Point]:
    return [grid[width, mines] for width in widths for mines in MINES if mines]


def _won(grid: Grid, *widths: int) -> tuple[float, ...]:
    return by_game(_points(grid, *widths), won)


def _apart(grid: Grid) -> list[Estimate]:
    found = []
    for width in WIDE:
        others = (other for other in WIDE if other != width)
        difference = less(_won(grid, width), _won(grid, *others))
        found.append(rate(f"width {width}:", difference, points))
    return found


def _drop(grid: Grid) -> list[Estimate]:
    wide, narrowest = _won(grid, *WIDE), _won(grid, 2)
    drops = [
        rate(f"width {width}:", less(wide, _won(grid, width)), points) for width in (5, 4, 3, 2)
    ]
    return [*drops, rate("twice width 2:", less(wide, narrowest, 2.0), points)]


def _rises(grid: Grid) -> list[Estimate]:
    """Estimate the share of numbers of mines for which both rates rise from width 2 to 1."""
    pairs = list(zip(_points(grid, 1), _points(grid, 2), strict=True))

    def ends(confidence: float) -> Interval:
        surely = possibly = 0
        for one, two in pairs:
            rises = [
                rate("", less(metric(one), metric(two)), points).ends(confidence)
                for metric in (won, found)
            ]
            surely += all(low > 0 for low, _ in rises)
            possibly += all(high > SEEN for _, high in rises)
        return surely / len(pairs), possibly / len(pairs)

    higher = sum(
        all(sum(metric(one)) > sum(metric(two)) for metric in (won, found)) for one, two in pairs
    )
    return [Estimate("", higher / len(pairs), ends, percent)]


CLAIMS: Final[tuple[Claim[Grid], ...]] = (
    Claim(
        "no-variation",
        "There is almost no significant variation in the win rate until the board is 5 wide or "
        "narrower.",
        "Experiment Three, Results",
        "The win rate of each width from 6 to 21, all numbers of mines together, less that of the "
        "other fifteen.",
        _apart,
        within(-0.05, 0.05, points, "almost none"),
    ),
    Claim(
        "plummet",
        "At 5 wide and less the win rate plummets.",
        "Experiment Three, Results",
        "The win rate of all boards 6 to 21 wide, less that of each narrower width, and less twice "
        "that of width 2.",
        _drop,
        ahead("plummets"),
    ),
    none_won(
        "width-two",
        "On boards of width 2 the win rate is 0% in all cases but the one without mines.",
        "Experiment Three, Results",
        lambda grid: [point.share for point in _points(grid, 2)],
    ),
    Claim(
        "width-one",
        "In many configurations the win and average found rate increase again at width 1.",
        "Experiment Three, Results",
        "The share of numbers of mines for which both rates are higher at width 1 than at width 2, "
        "each by its own interval; a rise that is surely under 2 points is none.",
        _rises,
        above(1 / 3, percent, "many"),
        changed="Width 1: before games had been seen, either rate was enough, by its mean.",
    ),
)


def _about(request: Request) -> list[str]:
    return [
        f"Experiment three and illustration 2 of {PAPER}, from the games of experiment two. "
        f"{size(request)}",
        HEIGHT,
    ]


def _draw(what: str, metric: Rate, grid: Grid, path: Path) -> None:
    games = len(grid[WIDTHS[0], MINES[0]].won)
    draw_curves(
        path,
        f"{what} against the width of the board ({games} games per point)",
        "width (the height is 480 / width)",
        "rate, %",
        [
            Curve(f"{mines} mines", WIDTHS, [fmean(metric(grid[width, mines])) for width in WIDTHS])
            for mines in SHOWN
        ],
    )


def _wider(grid: Grid) -> str:
    """Say where boards from 12 wide on are won more often than those 6 to 11 wide."""
    confidence = 1 - 0.05 / len(SHOWN)
    told, rises = [], []
    for mines in SHOWN:
        far, near = (
            by_game([grid[width, mines] for width in WIDE if (width >= 12) == wide], won)
            for wide in (True, False)
        )
        more = rate("", less(far, near), points)
        told.append(f"{more.told(confidence)} with {mines}")
        if more.ends(confidence)[0] > 0:
            rises.append(str(mines))
    beyond = f"with {listed(rises)} mines" if rises else "with none of these numbers of mines"
    return (
        f"Boards 12 to 21 wide are won more often than those 6 to 11 wide by {listed(told)} mines; "
        f"beyond chance {beyond}."
    )


def _more(grid: Grid) -> list[Block]:
    return [
        Heading("Why narrow boards are hard"),
        Paragraph(
            "On a board of width 2 both cells of a row have the same neighbours except for each "
            "other, so a row with one mine looks like its mirror image from all other rows: every "
            "such mine costs an even guess. On a board of width 1 a mine shows on both sides, and "
            "what lies behind it is reached only by a guess, which is safe as often as cells are; "
            "with few mines that is far better than even. From 3 on, chains of mines cut the board "
            "into sections, as the text says; the denser the mines, the wider the boards that they "
            f"can cut. {_wider(grid)}"
        ),
        Paragraph(
            "Boards of exactly 480 cells have their mines in the same cells, counted row by row, "
            "and the same first guess: their lines go up and down together."
        ),
        Heading("By width, all numbers of mines above 0"),
        Table(
            ("board", "won (95% interval)", "mines found (95% interval)"),
            [
                (
                    f"{width}x{height(width)}",
                    shown(_won(grid, width)),
                    shown(by_game(_points(grid, width), found)),
                )
                for width in WIDTHS
            ],
        ),
        Paragraph(
            "table.csv has every number of mines; every game is in the shards of minebot-run/run "
            "(Parquet)."
        ),
    ]


STUDY: Final = Study(
    NAME,
    "MineBot: difficulty against the shape of the board",
    PAPER,
    "MineBot, experiment three: the shape of the board",
    _about,
    measure,
    CLAIMS,
    [
        Picture(
            "illustration2",
            "Win rate against width for several numbers of mines",
            partial(_draw, "Win rate", won),
        ),
        Picture(
            "found",
            "Average found rate against width for several numbers of mines",
            partial(_draw, "Average found rate", found),
        ),
    ],
    tables,
    _more,
)
