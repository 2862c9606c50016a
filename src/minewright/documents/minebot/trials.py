"""MineBot's outliers: whether more trials at closer steps smooth the data (Experiment Two, Method).

An outlier is a rate that lies more than 10 points off the mean of its two neighbours. Neighbouring
points take disjoint blocks of games, since games of one number share their random numbers on all
boards, which no run of the text did.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

from minewright.documents.charts import Curve, draw_curves
from minewright.documents.claims import Claim, above, within
from minewright.documents.estimates import Estimate, Share, difference, percent, points
from minewright.documents.minebot import PAPER
from minewright.documents.study import Picture, Study
from minewright.documents.work import Arm, Experiment, Played, Request, play, table_csv
from minewright.lab.page import Block, Heading, Paragraph, Table

NAME: Final = "minebot-trials"
WIDTH, HEIGHT = 16, 30
GAMES: Final = {"quick": 600, "paper": 800}
RANGE: Final = {"quick": (55, 75), "paper": (0, 100)}
FIRST: Final = (5, 50)
LAST: Final = (2, 200)
"""The steps in mines and the trials per configuration: at first, and after the last change."""
FAR: Final = 0.1

Rates = Mapping[int, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Data:
    """Which games were won, and the share of mines found in each, by the number of mines."""

    won: Rates
    found: Rates


def _arm(mines: int) -> Arm:
    return Arm("minebot", f"{WIDTH}x{HEIGHT}x{mines}", "any")


def measure(request: Request) -> Data:
    """Play the games of both steps, or continue."""
    low, high = RANGE[request.scale]
    numbers = [
        mines
        for mines in range(low, high + 1)
        if mines and any(mines % step == 0 for step, _ in (FIRST, LAST))
    ]
    experiment = Experiment(NAME, tuple(map(_arm, numbers)), GAMES[request.scale], request.seed)
    played = play(request, NAME, experiment)
    return Data(
        {mines: list(map(float, played.outcomes(_arm(mines), "won"))) for mines in numbers},
        {mines: [one / mines for one in _found(played, mines)] for mines in numbers},
    )


def _found(played: Played, mines: int) -> list[float]:
    return played.values(_arm(mines), "found")


def curve(rates: Rates, step: int, trials: int, turn: int) -> dict[int, float]:
    """Return one set of data: the rate of each number of mines, from a block of its own."""
    places = [mines for mines in rates if mines % step == 0]
    blocks = len(rates[places[0]]) // trials
    found = {}
    for at, mines in enumerate(places):
        begin = (at + turn) % blocks * trials
        found[mines] = fmean(rates[mines][begin : begin + trials])
    return found


def outliers(rates: Rates, step: int, trials: int) -> Share:
    """Return the share of points that are outliers, over all blocks.

    A point stands in three comparisons, so a third of them counts as independent.
    """
    turns = len(next(iter(rates.values()))) // trials
    far = total = 0
    for turn in range(turns):
        values = list(curve(rates, step, trials, turn).values())
        for before, own, after in zip(values, values[1:], values[2:], strict=False):
            far += abs(own - (before + after) / 2) > FAR
            total += 1
    return Share(round(far / 3), max(1, round(total / 3)))


def _many(data: Data) -> list[Estimate]:
    return [outliers(data.won, *FIRST).estimate("")]


def _improvement(data: Data) -> list[Estimate]:
    first, last = outliers(data.won, *FIRST), outliers(data.won, *LAST)
    return [
        difference(
            f"{first.value:.0%} of the points less {last.value:.0%}:",
            first.estimate(""),
            last.estimate(""),
        )
    ]


def _found_too(data: Data) -> list[Estimate]:
    return [outliers(data.found, *FIRST).estimate("")]


_METHOD: Final = "Experiment Two, Method"
_POINTS: Final = "points of the win rate that lie over 10 points off the mean of their neighbours"
CLAIMS: Final[tuple[Claim[Data], ...]] = (
    Claim(
        "many-outliers",
        "With 50 trials per configuration at 5 mine intervals the data contained many outliers.",
        _METHOD,
        f"The share of {_POINTS}, 50 trials each.",
        _many,
        above(0.1, percent, "many"),
    ),
    Claim(
        "no-improvement",
        "Even with 200 trials and intervals of 2 mines there was no significant improvement.",
        _METHOD,
        f"The share of {_POINTS}: with 50 trials at steps of 5 less with 200 trials at steps of 2.",
        _improvement,
        within(-0.05, 0.05, points, "no improvement"),
    ),
    Claim(
        "found-outliers",
        "The average found rate shows such inconsistencies too, so they do not come from the "
        "win rate as a metric.",
        _METHOD,
        "The share of points of the average found rate that lie over 10 points off the mean of "
        "their neighbours, 50 trials each.",
        _found_too,
        above(0.1, percent, "similar inconsistencies"),
        inferred=True,
    ),
)


def _about(request: Request) -> list[str]:
    low, high = RANGE[request.scale]
    return [
        f"The outliers of experiment two of {PAPER}, on {WIDTH}x{HEIGHT} with {low} to {high} "
        f"mines, {request.count(GAMES)} games per number of mines (seed {request.seed}, start "
        "rule any), cut into blocks of 50 and of 200 trials."
    ]


def _draw(data: Data, path: Path) -> None:
    draw_curves(
        path,
        "The win rate as the text could have seen it",
        f"mines on {WIDTH}x{HEIGHT}",
        "win rate, %",
        [
            Curve(f"{trials} trials, steps of {step}", list(own), list(own.values()))
            for step, trials in (FIRST, LAST)
            for own in [curve(data.won, step, trials, 0)]
        ],
    )


def _more(data: Data) -> list[Block]:
    rows = [
        (what, f"{trials} at steps of {step}", str(outliers(rates, step, trials)))
        for what, rates in (("win rate", data.won), ("average found rate", data.found))
        for step, trials in (FIRST, LAST)
    ]
    return [
        Heading("Outliers"),
        Table(("rate", "trials", "outliers (95% interval)"), rows),
        Paragraph(
            "Games that are independent scatter by the square root of p (1 - p) / n: by 7 points "
            "at a rate of 50% with 50 trials, by half of that with 200. Four times the trials must "
            "halve the scatter whatever the player. If they did not, the text's trials were not "
            "independent, or it looked at the shape of the curve and not at its scatter."
        ),
    ]


def _tables(data: Data) -> dict[str, str]:
    rows = (
        (mines, len(own), fmean(own), fmean(data.found[mines])) for mines, own in data.won.items()
    )
    return {"table.csv": table_csv(("mines", "games", "win_rate", "found_rate"), rows)}


STUDY: Final = Study(
    NAME,
    "MineBot: outliers, and whether more trials smooth them",
    PAPER,
    "MineBot, experiment two: outliers and trials",
    _about,
    measure,
    CLAIMS,
    [Picture("trials", "The win rate with 50 and with 200 trials per point", _draw)],
    _tables,
    _more,
)
