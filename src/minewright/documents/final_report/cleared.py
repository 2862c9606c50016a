"""Table 2 and figure 11 of the Final Report: how much of the board is cleared."""

from collections.abc import Sequence

from minewright.board import Board
from minewright.documents.final_report.tables import (
    CLEARED,
    LEVELS,
    METHODS,
    PAPER,
    RULE,
    TRIALS,
    WIN_RATE,
    Cell,
    Judged,
    Told,
    arm,
    figures_of,
    play_all,
    theirs_and_ours,
)
from minewright.documents.parts import (
    all_of,
    interval,
    judged,
    level,
    listed,
    same,
)
from minewright.documents.played import Played
from minewright.documents.reproduce import Outcome, Request, register
from minewright.lab.experiment import Arm
from minewright.lab.page import (
    Finding,
    Heading,
    Paragraph,
    Verdict,
)
from minewright.lab.statistics import Mean


@register("report-cleared", "Share of the board that five methods clear (table 2)", PAPER)
def cleared(request: Request) -> Outcome:
    """Reproduce table 2 and figure 11."""
    played = play_all(request)
    cells = cleared_cells(played)
    findings = (
        *(theirs_and_ours(method, CLEARED, cells, ".2f") for method in METHODS),
        _fringe_clears_most(played),
        _possible(cells),
    )
    told = Told(
        "report-cleared",
        "The Final Report: the board cleared",
        "Table 2",
        "figure11",
        "Mean share of safe cells opened: theirs (75 games), ours with 95% intervals",
        "cleared",
        "Share cleared by the methods on three boards, theirs and ours",
        ".3f",
    )
    return told.write(
        request,
        cells,
        findings,
        f"Table 2 and figure 11 of {PAPER}: the share of safe cells that are open at the end, 1 in "
        "a won game.",
        [
            Paragraph(
                f"{RULE}The report gives no spread; its games are taken to spread as ours do."
            ),
            Heading("Why they differ"),
            Paragraph(
                "The report's table does not fit its own win rates. A won game clears all safe "
                "cells, so no method can clear less than it wins, as forward checking does on "
                "Advanced (0.52 cleared, 0.61 won). If the proportion is meant of all cells, "
                "mines included, a won game on Easy clears 0.86, on Intermediate 0.84 and on "
                "Advanced 0.83 of them, and no method can reach the 0.89, 0.85, 0.86 of CSP "
                "Strategy or fringe's 0.99. Fringe's 0.99 on Easy would need its lost games, 27 "
                "in 100, to have ended with 96% of the board open."
            ),
        ],
    )


def cleared_cells(played: Played) -> list[Cell]:
    """Give table 2."""

    def figure(of: Arm, theirs: float | None) -> Judged:
        ours = _cleared(played, of)
        verdict = None
        if theirs is not None:
            games = played.results[of].games
            apart = Mean(ours.value - theirs, ours.error * (1 + games / TRIALS) ** 0.5, 0.0)
            verdict = same(interval(apart, level(12)))
        return ours.value, interval(ours, 0.95), verdict

    return figures_of(CLEARED, figure)


def _cleared(played: Played, of: Arm) -> Mean:
    board = Board.parse(of.board)
    safe = board.size - board.mines
    return Mean.of([cells / safe for cells in played.values(of, "cleared")])


def _fringe_clears_most(played: Played) -> Finding:
    board = LEVELS["Easy"]
    verdicts: list[Verdict] = []
    told = []
    for other in ("csp", "forward-checking", "gac"):
        more = played.less(arm("fringe", board), arm(other, board), "cleared")
        verdicts.append(judged(interval(more, level(3)), 0.0))
        told.append(f"{_cleared(played, arm(other, board)).value:.3f} ({METHODS[other]})")
    return Finding(
        "Fringe has the highest board clearing rate on Easy.",
        f"It clears {_cleared(played, arm('fringe', board)).value:.3f} there, the others "
        f"{listed(told)}.",
        all_of(verdicts),
    )


def _possible(cells: Sequence[Cell]) -> Finding:
    below = [
        f"{METHODS[method]} on {name}"
        for method, shares in CLEARED.items()
        for name, won, open_ in zip(LEVELS, WIN_RATE[method], shares, strict=True)
        if won is not None and open_ is not None and open_ < won
    ]
    return Finding(
        f"Tables 1 and 2 together: {listed(below)} clears less (0.52) than it wins (0.61).",
        "That cannot be: a won game clears everything. Here every method clears more than it wins.",
        "differs",
        inferred=True,
    )
