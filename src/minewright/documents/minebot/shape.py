"""Experiment three of MineBot: difficulty against the shape of the board."""

from collections.abc import Sequence
from statistics import correlation, fmean
from typing import Final

from minewright.documents.charts import Curve, draw_curves
from minewright.documents.minebot.boards import (
    GAMES,
    HEIGHT,
    MINES,
    NONE_RULE,
    PAPER,
    WIDE,
    WIDTHS,
    Grid,
    Point,
    by_game,
    directory_of,
    ends,
    found,
    games_won,
    height,
    none_seen,
    play_grid,
    shown,
    size,
    won,
    write,
)
from minewright.documents.parts import Interval, all_of, judged, level, listed, points
from minewright.documents.reproduce import Outcome, Request, register
from minewright.lab.page import Figure, Finding, Findings, Heading, Page, Paragraph, Table, Verdict
from minewright.lab.statistics import CONFIDENCE, wilson

SEEN: Final = 0.02
"""A rise that is surely smaller is none."""
SHOWN: Final = (10, 30, 50, 70, 90, 110)


@register("minebot-shape", "MineBot: difficulty against the shape of the board", PAPER)
def shape(request: Request) -> Outcome:
    """Reproduce experiment three and illustration 2."""
    grid = play_grid(request)
    directory = directory_of(request, "minebot-shape")
    findings = (
        _no_variation(grid),
        _plummet(grid),
        _width_two(grid),
        _width_one(grid),
    )
    for name, what, rate in (
        ("illustration2", "Win rate", won),
        ("found", "Average found rate", found),
    ):
        draw_curves(
            directory / name,
            f"{what} against the width of the board ({GAMES[request.scale]} games a point)",
            "width (the height is 480 / width)",
            "rate, %",
            [
                Curve(
                    f"{mines} mines", WIDTHS, [fmean(rate(grid[width, mines])) for width in WIDTHS]
                )
                for mines in SHOWN
            ],
        )
    page = Page(
        "MineBot, experiment three: the shape of the board",
        [
            Paragraph(
                f"Experiment three and illustration 2 of {PAPER}, from the games of experiment "
                f"two. {size(request)}"
            ),
            Paragraph(HEIGHT),
            Figure("illustration2.svg", "Win rate against width for several numbers of mines"),
            Figure("found.svg", "Average found rate against width for several numbers of mines"),
            Heading("Theirs and ours"),
            Findings(findings),
            Paragraph(
                "A width's rate is that of all its games with mines. Widths are alike if each is "
                "within 5 points of the others together; the rate plummets if each width from 2 "
                "to 5 wins less than the wider ones and width 2 less than half as much; many "
                "configurations are a third of them, with both rates higher beyond chance (each "
                "by its own 90% interval; a rise that is surely under 2 points is none; before "
                "games had been seen, either rate was enough, by its mean). "
                f"{NONE_RULE} Intervals of a claim together hold with 90% confidence: it "
                "agrees if all lie where it says, differs if one lies outside, and is "
                "undecided between."
            ),
            Heading("Why narrow boards are hard"),
            Paragraph(
                "On a board of width 2 both cells of a row have the same neighbours but for each "
                "other, so a row with one mine looks like its mirror image from all other rows: "
                "every such mine costs an even guess. On a board of width 1 a mine shows on both "
                "sides, and what lies behind it is reached only by a guess, which is safe as "
                "often as cells are; with few mines that is far better than even. From 3 on, "
                "chains of mines cut the board in sections, as the text says; the denser the "
                f"mines, the wider the boards that they can cut. {_wider(grid)}"
            ),
            Paragraph(
                "Boards of exactly 480 cells have their mines in the same cells, counted row by "
                "row, and the first guess too: their lines go up and down together."
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
                "table.csv has every number of mines; every game is in the shards of "
                "minebot-run/run (Parquet)."
            ),
        ],
    )
    return Outcome(write(request, "minebot-shape", page, grid), findings, page.figure)


def _points(grid: Grid, *widths: int) -> list[Point]:
    return [grid[width, mines] for width in widths for mines in MINES if mines]


def _won(grid: Grid, *widths: int) -> tuple[float, ...]:
    return by_game(_points(grid, *widths), won)


def _less(one: Sequence[float], other: Sequence[float], weight: float = 1.0) -> list[float]:
    return [first - weight * second for first, second in zip(one, other, strict=True)]


def _wider(grid: Grid) -> str:
    """Say where boards from 12 wide on are won more often than those 6 to 11 wide."""
    told, rises = [], []
    for mines in SHOWN:
        far, near = (
            by_game([grid[width, mines] for width in WIDE if (width >= 12) == wide], won)
            for wide in (True, False)
        )
        more = _less(far, near)
        seen = ends(more, level(len(SHOWN), 0.95))
        told.append(f"{points(fmean(more), seen)} with {mines}")
        if seen[0] > 0:
            rises.append(str(mines))
    beyond = f"with {listed(rises)} mines" if rises else "with none of these numbers of mines"
    return (
        f"Boards 12 to 21 wide are won more often than those 6 to 11 wide by {listed(told)} mines; "
        f"beyond chance {beyond}."
    )


def _no_variation(grid: Grid) -> Finding:
    verdicts: list[Verdict] = []
    apart: dict[int, float] = {}
    for width in WIDE:
        others = (other for other in WIDE if other != width)
        difference = _less(_won(grid, width), _won(grid, *others))
        verdicts.append(judged(ends(difference, level(len(WIDE))), -0.05, 0.05))
        apart[width] = fmean(difference)
    most = max(apart, key=lambda width: abs(apart[width]))
    rates = [fmean(_won(grid, width)) for width in WIDE]
    linear = correlation(WIDE, rates) if len(set(rates)) > 1 else 0.0
    return Finding(
        "The shape makes almost no difference to the win rate until a board is 5 wide or "
        "narrower; the rate is not in proportion to the width.",
        f"From 6 to 21 the width furthest from the others is {most}, by {100 * apart[most]:+.1f} "
        f"points; width and win rate correlate by {linear:+.2f}.",
        all_of(verdicts),
    )


def _plummet(grid: Grid) -> Finding:
    wide = _won(grid, *WIDE)
    narrow = {width: _won(grid, width) for width in (5, 4, 3, 2)}
    strict = level(len(narrow) + 1)
    verdicts: list[Verdict] = [
        judged(ends(_less(wide, own), strict), 0.0) for own in narrow.values()
    ]
    verdicts.append(judged(ends(_less(wide, narrow[2], 2.0), strict), 0.0))
    told = listed(f"{fmean(own):.1%} ({width})" for width, own in narrow.items())
    return Finding(
        "At 5 wide and less the rates plummet.",
        f"Of all games with mines {fmean(wide):.1%} are won on wider boards, {told} on narrow "
        "ones.",
        all_of(verdicts),
    )


def _width_two(grid: Grid) -> Finding:
    own = [point.share for point in _points(grid, 2)]
    return Finding(
        "On boards of width 2 the win rate is 0% wherever there are mines.",
        f"{games_won(own)}; with 5 mines {grid[2, 5].share}.",
        none_seen(own),
    )


def _rise(one: Sequence[float], two: Sequence[float]) -> Interval:
    """Give the interval of a difference; without any, what so few games leave room for."""
    more = _less(one, two)
    return ends(more, CONFIDENCE) if any(more) else (0.0, wilson(0, len(more))[1])


def _width_one(grid: Grid) -> Finding:
    pairs = list(zip(_points(grid, 1), _points(grid, 2), strict=True))
    wins = sum(sum(one.won) > sum(two.won) for one, two in pairs)
    finds = sum(sum(one.found) > sum(two.found) for one, two in pairs)
    surely = possibly = 0
    for one, two in pairs:
        rises = [_rise(rate(one), rate(two)) for rate in (won, found)]
        surely += all(low > 0 for low, _ in rises)
        possibly += all(high > SEEN for _, high in rises)
    more = _less(_won(grid, 1), _won(grid, 2))
    return Finding(
        "In many configurations win and found rate increase again at width 1.",
        f"Of {len(pairs)} numbers of mines the win rate is higher at width 1 than at 2 for {wins}, "
        f"the found rate for {finds}; both beyond chance for {surely}, and for {possibly} chance "
        f"allows it. Over all, {points(fmean(more), ends(more, CONFIDENCE))} more games are won.",
        judged((surely / len(pairs), possibly / len(pairs)), 1 / 3),
    )
