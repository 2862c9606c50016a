"""The first move (Final Report, section 3.1, after Tu et al.): corner, edge, centre or anywhere.

The report takes over a claim that holds under a start rule, and does not name the rule. Here it is
`safe`; beside it stands `open`, under which the first opening always is a 0.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from math import comb
from pathlib import Path
from typing import Final

from minewright.board import Board
from minewright.documents.charts import draw_differences
from minewright.documents.claims import Claim, ahead, computed, exactly, within
from minewright.documents.estimates import Estimate, Share, difference, exact, percent
from minewright.documents.final_report import PAPER
from minewright.documents.final_report.tables import LEVELS
from minewright.documents.study import Picture, Study
from minewright.documents.work import Arm, Experiment, Played, Request, play
from minewright.game import StartRule
from minewright.inference import analyze
from minewright.lab.page import Block, Heading, Paragraph, Table
from minewright.position import Position

NAME: Final = "report-firstmove"
GAMES: Final = {"quick": 300, "paper": 5000}
NATIVE_GAMES: Final = {"quick": 4000, "paper": 100_000}
BOARDS: Final = ("9x9x10", "16x16x40")
NATIVE_BOARDS: Final = (*BOARDS, "30x16x99")
OTHERS: Final = ("edge", "centre")
STARTS: Final[tuple[StartRule, ...]] = ("safe", "open")
THEIRS: Final = {3: 0.091, 2: 0.125, 1: 0.125}
"""Chances on the report's board, 9x9x10, by the number in its corner: of cells not beside it."""


@dataclass(frozen=True, slots=True)
class Data:
    """The games of both players."""

    csp: Played
    exact: Played


def measure(request: Request) -> Data:
    """Play every first move with both players, or continue."""
    by_csp = Experiment.grid(
        "first-move-csp",
        strategies=["csp"],
        boards=BOARDS,
        first_moves=["corner", *OTHERS, "random"],
        games=GAMES[request.scale],
        seed=request.seed,
    )
    by_exact = Experiment.grid(
        "first-move-exact",
        strategies=["exact"],
        boards=NATIVE_BOARDS,
        starts=STARTS,
        first_moves=["corner", *OTHERS],
        games=NATIVE_GAMES[request.scale],
        seed=request.seed,
    )
    return Data(play(request, NAME, by_csp), play(request, f"{NAME}/exact", by_exact))


def _arm(strategy: str, board: str, first: str, start: StartRule = "safe") -> Arm:
    return Arm(strategy, board, start, first=first)


def _corner_ahead(
    played: Played, strategy: str, board: str, other: str, start: StartRule
) -> Estimate:
    corner = _arm(strategy, board, "corner", start)
    return played.lead(f"{board}, less {other}:", corner, _arm(strategy, board, other, start))


def _by_csp(data: Data) -> list[Estimate]:
    return [
        _corner_ahead(data.csp, "csp", board, other, "safe")
        for board in BOARDS
        for other in (*OTHERS, "random")
    ]


def _by_exact(start: StartRule, data: Data) -> list[Estimate]:
    return [
        _corner_ahead(data.exact, "exact", board, other, start)
        for board in NATIVE_BOARDS
        for other in OTHERS
    ]


def _dead_at_once(played: Played, arm: Arm) -> Share:
    """Return the share of games that are lost with nothing open but the first cell."""
    lost = played.values(arm, "cleared", won=False)
    return Share(lost.count(1.0), played.results[arm].games)


def _second_move(data: Data) -> list[Estimate]:
    found = []
    for board in NATIVE_BOARDS:
        corner, *others = (
            _dead_at_once(data.exact, _arm("exact", board, first)) for first in ("corner", *OTHERS)
        )
        found += [
            difference(
                f"{board}, {name} {share.value:.1%} less corner {corner.value:.1%}:",
                share.estimate(""),
                corner.estimate(""),
            )
            for name, share in zip(OTHERS, others, strict=True)
        ]
    return found


def chances(number: int) -> tuple[Fraction, Fraction]:
    """Compute the chances beside a number in the corner of 9x9x10, and elsewhere."""
    rows = [str(number) + 8 * "#"] + 8 * [9 * "#"]
    found = analyze(Position.parse("\n".join(["9x9x10", *rows]))).fractions
    beside, elsewhere = found[1], found[-1]
    assert beside is not None
    assert elsewhere is not None
    return beside, elsewhere


@cache
def _around_one() -> Fraction:
    """Compute the chance of a cell beside a 1 in the centre of 9x9x10."""
    rows = 4 * [9 * "#"] + ["####1####"] + 4 * [9 * "#"]
    found = analyze(Position.parse("\n".join(["9x9x10", *rows]))).fractions[30]
    assert found is not None
    return found


def _elsewhere(number: int, _: Data) -> list[Estimate]:
    chance = chances(number)[1]
    return [exact(f"{chance} =", round(float(chance), 3))]


_PAIRED: Final = "Games won beginning in a corner less those beginning elsewhere, game by game:"
CLAIMS: Final[tuple[Claim[Data], ...]] = (
    Claim(
        "corner-csp",
        "Beginning with a corner cell wins more than beginning with other cells (csp).",
        "section 3.1",
        f"{_PAIRED} csp on 9x9x10 and 16x16x40, start safe.",
        _by_csp,
        ahead(),
    ),
    Claim(
        "corner-exact",
        "Beginning with a corner cell wins more than beginning with an edge or centre cell "
        "(exact).",
        "section 3.1",
        f"{_PAIRED} exact on 9x9x10, 16x16x40 and 30x16x99, start safe.",
        partial(_by_exact, "safe"),
        ahead(),
    ),
    Claim(
        "second-move",
        "Not beginning in a corner increases the probability of immediate death in the second "
        "move.",
        "section 3.1",
        "The share of games of exact that end with one cell open, start safe, less that of a "
        "beginning in a corner.",
        _second_move,
        ahead(),
    ),
    Claim(
        "corner-open",
        "The same holds if the first opening always is a 0 (start open), as the report binds its "
        "advice to no rule.",
        "section 3.1",
        f"{_PAIRED} exact, start open.",
        partial(_by_exact, "open"),
        ahead(),
        inferred=True,
    ),
    *(
        Claim(
            f"after-{number}",
            f"After a {number} in the corner of 9x9x10 the cells not beside it hold a mine with "
            f"chance {theirs}.",
            "section 4.1",
            "The exact chance of a cell far from the corner, to three places.",
            partial(_elsewhere, number),
            exactly(theirs),
        )
        for number, theirs in THEIRS.items()
    ),
    Claim(
        "central-one",
        "Around a single central cell that shows 1 each cell holds a mine with chance 0.125.",
        "section 3.2",
        "The exact chance beside a 1 in the centre of 9x9x10, to three places.",
        lambda _: [exact(f"{_around_one()} =", round(float(_around_one()), 3))],
        exactly(0.125),
    ),
    computed(
        "empty-board",
        "On an empty board of 9x9 with 10 mines each cell holds one with chance 0.1235.",
        "section 3",
        "10 / 81 to four places",
        round(10 / 81, 4),
        0.1235,
    ),
    computed(
        "first-click",
        "The probability of a mine in any cell at the first click will always be at 50 per cent.",
        "section 1",
        "10 / 81, as the report has it in section 3",
        round(10 / 81, 4),
        0.5,
    ),
    Claim(
        "density",
        "The density of mines was kept at roughly 15%.",
        "section 4.3",
        "Mines over cells of its three boards: arithmetic, nothing is played.",
        lambda _: [
            exact(f"{level}:", board.mines / board.size, percent)
            for level, board in ((name, Board.parse(one)) for name, one in LEVELS.items())
        ],
        within(0.135, 0.165, percent, "roughly 15%"),
        arithmetic=True,
    ),
    computed(
        "seventy-tuples",
        "A constraint requires storing up to 70 tuples.",
        "section 4.2",
        "The ways to choose 4 of 8 cells",
        comb(8, 4),
        70,
    ),
)


def _about(request: Request) -> list[str]:
    return [
        f"Section 3.1 of {PAPER}: the first move in a corner is said to win most, after Tu et al. "
        f"2017. {request.count(GAMES):,} games of csp and {request.count(NATIVE_GAMES):,} of exact "
        f"for each first move, board and start rule (seed {request.seed}), the same minefields for "
        "all except for what the start rule clears."
    ]


def _draw(data: Data, path: Path) -> None:
    leads = [
        (
            f"{board}, {start}: less {other}",
            _corner_ahead(data.exact, "exact", board, other, start),
        )
        for start in STARTS
        for board in NATIVE_BOARDS
        for other in OTHERS
    ]
    draw_differences(
        path,
        "Corner first against edge and centre first (exact)",
        "games won with corner less the other, percentage points (95% intervals)",
        [(label, lead.value, lead.ends(0.95)) for label, lead in leads],
    )


def _rows(played: Played) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for arm in played.results:
        corner = _arm(arm.strategy, arm.board, "corner", arm.start)
        less = "" if arm == corner else played.lead("", corner, arm).told(0.95)
        rows.append((arm.strategy, arm.board, arm.start, arm.first, str(played.share(arm)), less))
    return rows


def _more(data: Data) -> list[Block]:
    head = ("player", "board", "start", "first move", "games won (95%)", "corner less this (95%)")
    return [
        Heading("Why"),
        Paragraph(
            "Under the rule safe only the cell itself is sure not to be mined, and a corner, which "
            "has three neighbours, shows a 0 and opens a region most often. Under the rule open "
            "every first cell shows a 0, so that advantage is gone, and a cell with eight "
            "neighbours opens the larger region. The report does not name the rule its advice "
            "depends on."
        ),
        Heading("Games won"),
        Table(head, [*_rows(data.csp), *_rows(data.exact)]),
        Paragraph(
            "Brackets hold 95% intervals. table.csv and games.csv are of csp; every game of exact "
            "is in the shards of exact/run (Parquet)."
        ),
    ]


STUDY: Final = Study(
    NAME,
    "The first move: corner, edge or centre (section 3.1)",
    PAPER,
    "The Final Report: the first move",
    _about,
    measure,
    CLAIMS,
    [Picture("firstmove", "Corner less edge and centre, with intervals", _draw)],
    lambda data: {"table.csv": data.csp.table_csv(), "games.csv": data.csp.games_csv()},
    _more,
)
