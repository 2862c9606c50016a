"""Table 2 and figure 11 of the Final Report: how much of the board is cleared."""

from functools import partial
from math import hypot
from typing import Final

from minewright.board import Board
from minewright.documents.claims import Claim, ahead, below, near
from minewright.documents.estimates import Estimate, Interval, mean, points
from minewright.documents.final_report import PAPER
from minewright.documents.final_report.tables import (
    ADVANCED,
    CHANGED,
    CLEARED,
    EASY,
    METHODS,
    TRIALS,
    Shown,
    arm,
    play_all,
    printed_claims,
    size,
)
from minewright.documents.study import Picture, Study
from minewright.documents.work import Arm, Played, Request
from minewright.lab.page import Block, Heading, Paragraph
from minewright.lab.statistics import Mean, normal

NAME: Final = "report-cleared"


def measure(request: Request) -> Played:
    """Play the games of the tables, or find them played."""
    return play_all(request)


def _shares(played: Played, one: Arm) -> list[float]:
    board = Board.parse(one.board)
    return [cells / (board.size - board.mines) for cells in played.values(one, "cleared")]


def _cleared(played: Played, one: Arm) -> Estimate:
    return mean("", _shares(played, one))


SHOWN: Final = Shown(
    CLEARED,
    _cleared,
    "Mean share of safe cells opened: theirs (75 games), ours with 95% intervals",
    "cleared",
    "Table 2",
    ".3f",
)


def _less_theirs(played: Played, one: Arm, figure: float) -> Estimate:
    """Estimate ours less theirs; their games are taken to spread as ours do."""
    ours = Mean.of(_shares(played, one))
    off = ours.value - figure
    theirs = ours.error * (played.results[one].games / TRIALS) ** 0.5

    return Estimate(
        f"ours {ours.value:.3f}:",
        off,
        partial(_around, off, hypot(ours.error, theirs)),
        points,
        at_best=partial(_around, off, theirs),
    )


def _around(value: float, error: float, confidence: float) -> Interval:
    reach = normal(confidence) * error
    return value - reach, value + reach


def _printed_claim(name: str, words: str, one: Arm, figure: float) -> Claim[Played]:
    return Claim(
        f"cleared-{name}",
        f"{words} clears {figure:.2f} of the board.",
        "table 2, figure 11",
        f"Our mean share of safe cells opened less theirs of {TRIALS} games, whose spread the "
        "report does not give and which are taken to spread as ours do.",
        lambda played: [_less_theirs(played, one, figure)],
        near(figure),
        changed=CHANGED,
    )


def _fringe_ahead(played: Played) -> list[Estimate]:
    fringe = _shares(played, arm("fringe", EASY))
    return [
        mean(
            f"{METHODS[other]}:",
            [one - two for one, two in zip(fringe, _shares(played, arm(other, EASY)), strict=True)],
            points,
        )
        for other in ("csp", "forward-checking", "gac")
    ]


def _cleared_less_won(played: Played) -> list[Estimate]:
    one = arm("forward-checking", ADVANCED)
    safe = Board.parse(ADVANCED).size - Board.parse(ADVANCED).mines
    cleared = played.values(one, "cleared")
    return [mean("", [cells / safe - (cells == safe) for cells in cleared], points)]


CLAIMS: Final[tuple[Claim[Played], ...]] = (
    *printed_claims(CLEARED, _printed_claim),
    Claim(
        "fringe-clears-most",
        "Fringe has the highest board clearing rate on Easy.",
        "section 4.3",
        "The share of safe cells that fringe opens on Easy, less each other method's, game by "
        "game.",
        _fringe_ahead,
        ahead(),
    ),
    Claim(
        "clears-less-than-it-wins",
        "Forward checking clears less on Advanced (0.52) than it wins (0.61).",
        "tables 1 and 2 together",
        "The share of safe cells that forward checking opens on Advanced, less its share of games "
        "won. It cannot be below 0, since a won game opens all of them.",
        _cleared_less_won,
        below(0.0, points),
        inferred=True,
        changed="That forward checking clears less than it wins was called different without "
        "looking at the games until version 0.2.",
    ),
)


def _about(request: Request) -> list[str]:
    return [
        f"Table 2 and figure 11 of {PAPER}: the share of safe cells that are open at the end, 1 in "
        f"a won game. {size(request)}"
    ]


def _more(played: Played) -> list[Block]:
    return [
        Heading("Why they differ"),
        Paragraph(
            "The report's table does not fit its own win rates. A won game clears all safe cells, "
            "so no method can clear less than it wins, as forward checking does on Advanced (0.52 "
            "cleared, 0.61 won). If the proportion is meant of all cells, mines included, a won "
            "game on Easy clears 0.86, on Intermediate 0.84 and on Advanced 0.83 of them, and no "
            "method can reach the 0.89, 0.85, 0.86 of CSP Strategy or fringe's 0.99. Fringe's 0.99 "
            "on Easy would need its lost games, 27 in 100, to have ended with 96% of the board "
            "open."
        ),
        *SHOWN.blocks(played),
    ]


STUDY: Final = Study(
    NAME,
    "Share of the board that five methods clear (table 2)",
    PAPER,
    "The Final Report: the board cleared",
    _about,
    measure,
    CLAIMS,
    [
        Picture(
            "figure11", "Share cleared by the methods on three boards, theirs and ours", SHOWN.draw
        )
    ],
    lambda played: {"table.csv": SHOWN.csv(played)},
    _more,
)
