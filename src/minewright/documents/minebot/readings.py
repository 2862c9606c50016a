"""Eight readings of MineBot, judged by claims of the text to which none of them was fitted.

What a contradiction is, how far an assumption is followed and whether a marked cell may be guessed
are left open by the text. The default reading was chosen to fit the 5.6% of experiment one.
Experiments two and three were not used to choose, so they can tell the readings apart.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

from minewright.documents.charts import Curve, draw_curves
from minewright.documents.claims import Claim, Finding, NotTestable, judge, read_as
from minewright.documents.estimates import Estimate, difference, listed
from minewright.documents.minebot import PAPER, density, shape
from minewright.documents.minebot.boards import HEIGHT, MINES, Grid, grid_arms, grid_of
from minewright.documents.minebot.expert import EXPERT, THEIRS
from minewright.documents.site import verdicts
from minewright.documents.study import Picture, Study
from minewright.documents.work import Arm, Experiment, Played, Request, play
from minewright.lab.page import Block, Heading, Paragraph, Table

NAME: Final = "minebot-readings"
GAMES: Final = {"quick": 60, "paper": 1000}
BOARD_GAMES: Final = {"quick": 4, "paper": 40}


def _strategy(contradiction: str, visits: str, guess: str) -> str:
    if (contradiction, visits, guess) == ("many", "once", "unknown"):
        return "minebot"
    return f"minebot:contradiction={contradiction},visits={visits},guess={guess}"


READINGS: Final = {
    f"{contradiction}/{visits}/{guess}": _strategy(contradiction, visits, guess)
    for contradiction, visits, guess in product(
        ("many", "both"), ("once", "all"), ("unknown", "non-open")
    )
}
DEFAULT: Final = "many/once/unknown"
JUDGES: Final[tuple[Claim[Grid], ...]] = (*density.CLAIMS, *shape.CLAIMS)


@dataclass(frozen=True, slots=True)
class Data:
    """Every reading's games on expert boards, and on boards of all widths and numbers of mines."""

    expert: Played
    grids: Mapping[str, Grid]


def _expert(reading: str) -> Arm:
    return Arm(READINGS[reading], EXPERT, "any")


def play_boards(request: Request) -> Mapping[str, Grid]:
    """Play all readings on the boards of experiments two and three, or find them played."""
    boards = Experiment(
        "readings-boards",
        tuple(arm for one in READINGS.values() for arm in grid_arms(one).values()),
        BOARD_GAMES[request.scale],
        request.seed,
    )
    played = play(request, f"{NAME}/boards", boards)
    return {reading: grid_of(played, one) for reading, one in READINGS.items()}


def measure(request: Request) -> Data:
    """Play all readings, or continue."""
    expert = Experiment(
        "readings-expert", tuple(map(_expert, READINGS)), GAMES[request.scale], request.seed
    )
    return Data(play(request, NAME, expert), play_boards(request))


def _of(reading: str) -> Callable[[Data], Grid]:
    return lambda data: data.grids[reading]


def _less_theirs(data: Data) -> list[Estimate]:
    theirs = THEIRS.estimate("")
    return [
        difference(
            f"{reading} ({data.expert.share(_expert(reading)).value:.1%}):",
            data.expert.won("", _expert(reading)),
            theirs,
        )
        for reading in READINGS
    ]


CLAIMS: Final[tuple[Claim[Data], ...]] = (
    Claim(
        "five-point-six",
        "MineBot wins 5.6% of 500 expert boards.",
        "Experiment One, Results",
        "Each reading's share of games won on expert boards, less theirs.",
        _less_theirs,
        NotTestable("The default reading was chosen because it fits this figure."),
        reading="all eight",
    ),
    *(read_as(reading, claim, _of(reading)) for claim in JUDGES for reading in READINGS),
)


def _verdicts(data: Data) -> dict[str, list[Finding]]:
    return {
        reading: [judge(claim, grid) for claim in JUDGES] for reading, grid in data.grids.items()
    }


def _count(findings: Sequence[Finding], verdict: str) -> int:
    return sum(one.verdict == verdict for one in findings)


def favoured(found: Mapping[str, Sequence[Finding]]) -> list[str]:
    """Return the readings that the fewest claims contradict; of these, the best supported."""
    ranks = {
        reading: (_count(own, "differs"), -_count(own, "agrees")) for reading, own in found.items()
    }
    best = min(ranks.values())
    return [reading for reading, rank in ranks.items() if rank == best]


def _favour(found: Mapping[str, Sequence[Finding]]) -> str:
    best = favoured(found)
    if len(best) > len(found) / 2:
        return "These games do not tell the readings apart."
    told = (
        f"The evidence favours {listed(best)}: of {len(JUDGES)} claims {verdicts(found[best[0]])}."
    )
    if best == [DEFAULT]:
        return f"{told} It is the default."
    if DEFAULT in best:
        return f"{told} The default is among them."
    return f"{told} Under the default, {DEFAULT}, {verdicts(found[DEFAULT])}."


def _more(data: Data) -> list[Block]:
    found = _verdicts(data)
    marks = {"agrees": "agrees", "differs": "differs", "undecided": "?"}
    rows = [
        (
            reading,
            str(data.expert.share(_expert(reading))),
            *(marks[one.verdict] for one in own),
            f"{_count(own, 'agrees')}",
            f"{_count(own, 'differs')}",
        )
        for reading, own in found.items()
    ]
    head = (
        "reading",
        "expert, no verdict",
        *(claim.id for claim in JUDGES),
        "agree",
        "differ",
    )
    return [
        Heading("Which reading the evidence favours"),
        Paragraph(
            f"{_favour(found)} A reading is favoured if the fewest claims of experiments two and "
            "three differ, and then if the most agree. A question mark stands for undecided."
        ),
        Table(head, rows),
        Paragraph(
            "A reading names what a contradiction is (many: too many mines; both: also too few "
            "cells for them), how an assumption is followed (once: each location once; all: until "
            "nothing is new) and where it guesses (unknown: unmarked cells; non-open: marked ones "
            "too)."
        ),
    ]


def _draw(data: Data, path: Path) -> None:
    draw_curves(
        path,
        "Win rate of eight readings of MineBot against the number of mines",
        "mines on 480 cells, boards 6 to 21 wide",
        "win rate, %",
        [
            Curve(reading, MINES, [one.rate for one in density.levels(grid)])
            for reading, grid in data.grids.items()
        ],
    )


def _about(request: Request) -> list[str]:
    return [
        f"Eight readings of {PAPER}: {request.count(GAMES):,} games on expert boards and "
        f"{request.count(BOARD_GAMES)} on each of the boards of experiments two and three (seed "
        f"{request.seed}, start rule any). The claims of experiments two and three judge them by "
        "the same rules as on their own pages, where the default reading is counted.",
        HEIGHT,
    ]


STUDY: Final = Study(
    NAME,
    "MineBot: eight readings of the text",
    PAPER,
    "MineBot: eight readings of the text",
    _about,
    measure,
    CLAIMS,
    [Picture("readings", "Win rate of eight readings against the number of mines", _draw)],
    lambda data: {"table.csv": data.expert.table_csv()},
    _more,
)
