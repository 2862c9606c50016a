"""Experiment two of MineBot: difficulty against the number of mines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from pathlib import Path
from statistics import fmean
from typing import Final

from minewright.documents.charts import Curve, draw_curves, draw_map
from minewright.documents.minebot.boards import (
    CELLS,
    HEIGHT,
    MINES,
    NONE_RULE,
    PAPER,
    WIDE,
    WIDTHS,
    Grid,
    by_game,
    clipped,
    directory_of,
    ends,
    found,
    games_won,
    none_seen,
    play_grid,
    shown,
    size,
    won,
    write,
)
from minewright.documents.parts import all_of, judged, level
from minewright.documents.reproduce import Outcome, Request, register
from minewright.lab.page import Figure, Finding, Findings, Heading, Page, Paragraph, Table, Verdict


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


def levels(grid: Grid) -> list[Level]:
    """Give the wide boards, a number of mines at a time."""
    return [
        Level(
            mines,
            by_game([grid[width, mines] for width in WIDE], won),
            by_game([grid[width, mines] for width in WIDE], found),
        )
        for mines in MINES
    ]


CRYSTAL: Final[Mapping[Verdict, str]] = {
    "agrees": "The fall is spread over a wide range of densities: there is no such point.",
    "differs": "More than a third of the fall happens within 15 mines: there is such a point.",
    "undecided": "Too few games were played to tell whether there is such a point.",
}


@register("minebot-density", "MineBot: difficulty against the number of mines", PAPER)
def density(request: Request) -> Outcome:
    """Reproduce experiment two and illustration 1."""
    grid = play_grid(request)
    directory = directory_of(request, "minebot-density")
    line = levels(grid)
    middle, scale = logistic(line)
    findings = (
        _linear(line),
        no_crystal(line),
        _leads(line),
        _none_left(grid),
        _same_fashion(line),
    )
    _draw(directory, grid, line, middle, scale)
    page = Page(
        "MineBot, experiment two: the number of mines",
        [
            Paragraph(f"Experiment two and illustration 1 of {PAPER}. {size(request)}"),
            Paragraph(HEIGHT),
            Figure("illustration1.svg", "Win rate and found rate against the number of mines"),
            Heading("Theirs and ours"),
            Findings(findings),
            Paragraph(
                "The rates are those of all boards 6 to 21 wide together, which the text calls "
                "alike. A fall is linear if every rate from 30 to 110 mines lies within 5 points "
                "of the straight line through them. A crystallization point is where more than a "
                "third of the whole fall happens within 15 mines, a tenth of the range; an even "
                "fall from 30 to 110 mines has a fifth there. Two curves fall in the same fashion "
                f"if they are nowhere more than 10 points apart. {NONE_RULE} "
                "Intervals of a claim together hold with 90% confidence: it agrees if all lie "
                "where it says, differs if one lies outside, and is undecided between."
            ),
            Heading("Is there a crystallization point?"),
            Paragraph(
                f"The win rate follows an S: a logistic curve with its middle at {middle:.0f} "
                f"mines ({middle / CELLS:.1%} of the cells) that falls from 90% to 10% within "
                f"{2 * log(9) * scale:.0f} mines; it is dashed in the figure and misses no rate by "
                f"more than {100 * _misfit(line, middle, scale):.1f} points. "
                f"{CRYSTAL[findings[1].verdict]} Whether the fall sharpens as boards grow is "
                "asked by the reproduction called phase."
            ),
            Figure("map.svg", "Games won by width and number of mines"),
            Heading("All wide boards together"),
            Table(
                ("mines", "density", "won (95% interval)", "mines found (95% interval)"),
                [
                    (str(one.mines), f"{one.mines / CELLS:.1%}", shown(one.won), shown(one.found))
                    for one in line
                ],
            ),
            Paragraph(
                "table.csv has every width; every game is in the shards of minebot-run/run "
                "(Parquet)."
            ),
        ],
    )
    return Outcome(write(request, "minebot-density", page, grid), findings, page.figure)


def _draw(directory: Path, grid: Grid, line: Sequence[Level], middle: float, scale: float) -> None:
    draw_map(
        directory / "map",
        "Games won by width and number of mines, %",
        "mines",
        "width",
        MINES,
        WIDTHS,
        [[100 * grid[width, mines].share.value for mines in MINES] for width in WIDTHS],
    )
    draw_curves(
        directory / "illustration1",
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
                [clipped(one.won) for one in line],
            ),
            Curve(
                "average found rate",
                MINES,
                [fmean(one.found) for one in line],
                [clipped(one.found) for one in line],
            ),
            Curve(
                "logistic curve of the win rate",
                MINES,
                [_curve(mines, middle, scale) for mines in MINES],
                dashed=True,
            ),
        ],
    )


def _curve(mines: float, middle: float, scale: float) -> float:
    return 1 / (1 + exp((mines - middle) / scale))


def logistic(line: Sequence[Level]) -> tuple[float, float]:
    """Fit a logistic curve by its likelihood; give its middle and its scale."""

    def likelihood(pair: tuple[float, float]) -> float:
        total = 0.0
        for one in line:
            chance = min(max(_curve(one.mines, *pair), 1e-9), 1 - 1e-9)
            total += one.rate * log(chance) + (1 - one.rate) * log(1 - chance)
        return total

    # It has one peak: walk there, in ever smaller steps.
    best = (75.0, 15.0)
    step = 8.0
    while step >= 0.125:
        middle, scale = best
        around = ((middle + x * step, scale + y * step) for x in (-1, 0, 1) for y in (-1, 0, 1))
        better = max((pair for pair in around if pair[1] > 0), key=likelihood)
        step, best = (step / 2 if better == best else step), better
    return best


def _misfit(line: Sequence[Level], middle: float, scale: float) -> float:
    return max(abs(one.rate - _curve(one.mines, middle, scale)) for one in line)


def _linear(line: Sequence[Level]) -> Finding:
    own = [one for one in line if 30 <= one.mines <= 110]
    # How far each game's rates lie from each game's own line; their means lie so from the mean's.
    games = [residuals([one.mines for one in own], rates) for rates in zip(*_won(own), strict=True)]
    off = list(zip(*games, strict=True))
    worst = max(map(fmean, off), key=abs)
    return Finding(
        "The win rate falls linearly between 30 and 110 mines.",
        f"From {own[0].rate:.1%} to {own[-1].rate:.1%}; the rate furthest from a straight line "
        f"lies {100 * abs(worst):.1f} points {'above' if worst > 0 else 'below'} it.",
        all_of(judged(ends(one, level(len(off))), -0.05, 0.05) for one in off),
    )


def _won(line: Sequence[Level]) -> list[tuple[float, ...]]:
    return [one.won for one in line]


def residuals(places: Sequence[float], values: Sequence[float]) -> list[float]:
    """Give how far values lie above their straight line of least squares."""
    across, up = fmean(places), fmean(values)
    both = list(zip(places, values, strict=True))
    slope = sum((x - across) * (y - up) for x, y in both) / sum((x - across) ** 2 for x in places)
    return [y - up - slope * (x - across) for x, y in both]


def no_crystal(line: Sequence[Level]) -> Finding:
    """Judge whether the fall is nowhere sudden."""
    whole = line[0].rate - line[-1].rate
    at = {one.mines: one for one in line}
    falls = {
        one.mines: [
            (before - after) / whole
            for before, after in zip(one.won, at[one.mines + 15].won, strict=True)
        ]
        for one in line
        if one.mines + 15 in at
    }
    begin = max(falls, key=lambda mines: fmean(falls[mines]))
    return Finding(
        "There is no crystallization point, at which the wins suddenly drop off.",
        f"The steepest 15 mines, {begin} to {begin + 15}, take {fmean(falls[begin]):.0%} of the "
        "whole fall.",
        all_of(judged(ends(fall, level(len(falls))), -inf, 1 / 3) for fall in falls.values()),
    )


def _leads(line: Sequence[Level]) -> Finding:
    at = {one.mines: one.won for one in line}
    lead_in, steep, lead_out = (
        [(before - after) / (end - begin) for before, after in zip(at[begin], at[end], strict=True)]
        for begin, end in ((0, 30), (30, 110), (110, 150))
    )
    verdicts: list[Verdict] = [
        judged(ends([one - two for one, two in zip(steep, flat, strict=True)], level(2)), 0.0)
        for flat in (lead_in, lead_out)
    ]
    return Finding(
        "Between 0 and 30 and between 110 and 150 mines it falls less steeply.",
        f"Points lost a mine: {100 * fmean(lead_in):.2f} from 0 to 30, {100 * fmean(steep):.2f} "
        f"from 30 to 110, {100 * fmean(lead_out):.2f} from 110 to 150.",
        all_of(verdicts),
    )


def _none_left(grid: Grid) -> Finding:
    own = [grid[width, MINES[-1]].share for width in WIDTHS]
    return Finding(
        "With 150 mines the win rate is 0% for all shapes.",
        f"{games_won(own)}.",
        none_seen(own),
    )


def _same_fashion(line: Sequence[Level]) -> Finding:
    gaps = {
        one.mines: [marks - wins for marks, wins in zip(one.found, one.won, strict=True)]
        for one in line
        if one.mines
    }
    most = max(gaps, key=lambda mines: fmean(gaps[mines]))
    return Finding(
        "The average found rate declines in exactly the same fashion.",
        f"It is furthest above the win rate at {most} mines, by {100 * fmean(gaps[most]):.0f} "
        "points, because a lost game has found some mines too; with 150 mines it is "
        f"{fmean(line[-1].found):.1%}, the win rate {line[-1].rate:.1%}.",
        all_of(judged(ends(gap, level(len(gaps))), -0.1, 0.1) for gap in gaps.values()),
    )
