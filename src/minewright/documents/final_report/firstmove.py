"""The first move (Final Report, section 3.1, after Tu et al.): corner, edge, centre or anywhere.

The report takes over a claim that holds under a start rule, and does not name the rule. Here it is
`safe`; beside it stands `open`, under which the first opening always is a 0.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from minewright.documents.charts import draw_differences
from minewright.documents.final_report.tables import PAPER
from minewright.documents.parts import Share, all_of, judged, level, listed, points
from minewright.documents.played import Played, play, write_page
from minewright.documents.reproduce import Outcome, Request, register
from minewright.game import StartRule
from minewright.inference import analyze
from minewright.lab.experiment import Arm, Experiment
from minewright.lab.page import Figure, Finding, Findings, Heading, Page, Paragraph, Table, Verdict
from minewright.lab.statistics import Paired
from minewright.position import Position

NAME: Final = "report-firstmove"
GAMES: Final = {"quick": 300, "paper": 5000}
NATIVE_GAMES: Final = {"quick": 4000, "paper": 100_000}
BOARDS: Final = ("9x9x10", "16x16x40")
NATIVE_BOARDS: Final = (*BOARDS, "30x16x99")
OTHERS: Final = ("edge", "centre")
STARTS: Final[tuple[StartRule, ...]] = ("safe", "open")

# The report's board, 9x9x10, with its corner open: what is said of the cells not beside it.
THEIRS: Final = {3: 0.091, 2: 0.125, 1: 0.125}


def _arm(strategy: str, board: str, first: str, start: StartRule = "safe") -> Arm:
    return Arm(strategy, board, start, first=first)


@register(NAME, "The first move: corner, edge or centre (section 3.1)", PAPER)
def first_move(request: Request) -> Outcome:
    """Reproduce the claim of section 3.1, and the chances after the first move in section 4.1."""
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
    directory, run = play(request, NAME, by_csp)
    _, native_run = play(request, f"{NAME}/exact", by_exact)
    csp, exact = Played(run), Played(native_run)
    findings = (
        _corner_best(csp, "csp", BOARDS, (*OTHERS, "random")),
        _corner_best(exact, "exact", NATIVE_BOARDS, OTHERS),
        _second_move(exact),
        _rule_open(exact),
        *_chances(),
    )
    differences = [
        (f"{board}, {start}: less {other}", _compared(exact, "exact", board, other, start, 0.95))
        for start in STARTS
        for board in NATIVE_BOARDS
        for other in OTHERS
    ]
    draw_differences(
        directory / "firstmove",
        "Corner first against edge and centre first (exact)",
        "games won with corner less the other, percentage points (95% intervals)",
        [(label, pair.difference, pair.interval) for label, pair in differences],
    )
    page = Page(
        "The Final Report: the first move",
        [
            Paragraph(
                f"Section 3.1 of {PAPER}: the first move in a corner is said to win most, after "
                "Tu et al. 2017. "
                f"{GAMES[request.scale]:,} games of csp and {NATIVE_GAMES[request.scale]:,} of "
                f"exact for each first move, board and start rule (seed {request.seed}), the same "
                "minefields for all but for what the start rule clears."
            ),
            Figure("firstmove.svg", "Corner less edge and centre, with intervals"),
            Heading("Theirs and ours"),
            Findings(findings),
            Paragraph(
                "A claim is judged by the paired differences, game by game: it agrees if every "
                "interval lies above 0, differs if one lies below, and is undecided between; the "
                "intervals of a claim together hold with 90% confidence."
            ),
            Heading("Why"),
            Paragraph(
                "Under the rule safe only the cell itself is sure not to be mined, and a corner, "
                "which has three neighbours, shows a 0 and opens a region most often. Under the "
                "rule open every first cell shows a 0, so that advantage is gone, and a cell "
                "with eight neighbours opens the larger region. The report does not name the "
                "rule its advice depends on."
            ),
            Heading("Games won"),
            Table(
                (
                    "player",
                    "board",
                    "start",
                    "first move",
                    "games won (95%)",
                    "corner less this (95%)",
                ),
                [*_rows(csp), *_rows(exact)],
            ),
            Paragraph(
                "Brackets hold 95% intervals. table.csv and games.csv are of csp; every game of "
                "exact is in the shards of exact/run (Parquet)."
            ),
        ],
    )
    return Outcome(write_page(directory, page, run), findings, page.figure)


def _compared(
    played: Played, strategy: str, board: str, other: str, start: StartRule, confidence: float
) -> Paired:
    corner = _arm(strategy, board, "corner", start)
    return played.paired(corner, _arm(strategy, board, other, start), confidence)


def _judged(
    played: Played,
    strategy: str,
    boards: Sequence[str],
    others: Sequence[str],
    start: StartRule,
) -> tuple[Verdict, str]:
    verdicts: list[Verdict] = []
    told = []
    confidence = level(len(boards) * len(others))
    for board in boards:
        differences = []
        for other in others:
            pair = _compared(played, strategy, board, other, start, confidence)
            verdicts.append(judged(pair.interval, 0.0))
            differences.append(points(pair.difference, pair.interval))
        told.append(f"on {board} {listed(differences)}")
    return all_of(verdicts), f"Corner less {' and less '.join(others)}: {'; '.join(told)}."


def _corner_best(
    played: Played, strategy: str, boards: Sequence[str], others: Sequence[str]
) -> Finding:
    verdict, told = _judged(played, strategy, boards, others, "safe")
    return Finding(
        f"Beginning in a corner wins more than beginning with {' or '.join(others)} "
        f"({strategy}, start safe).",
        told,
        verdict,
    )


def _rule_open(played: Played) -> Finding:
    verdict, told = _judged(played, "exact", NATIVE_BOARDS, OTHERS, "open")
    return Finding(
        "The same holds if the first opening always is a 0 (start open), as the report binds its "
        "advice to no rule.",
        told,
        verdict,
        inferred=True,
    )


def _second_move(played: Played) -> Finding:
    verdicts: list[Verdict] = []
    told = []
    for board in NATIVE_BOARDS:
        dead = {
            first: _dead_at_once(played, _arm("exact", board, first))
            for first in ("corner", *OTHERS)
        }
        for other in OTHERS:
            verdicts.append(judged(dead[other].less(dead["corner"], level(6)), 0.0))
        shares = listed(f"{share.value:.1%} ({first})" for first, share in dead.items())
        told.append(f"on {board} {shares}")
    return Finding(
        "Not beginning in a corner increases the chance of death in the second move.",
        f"exact ends with one cell open {'; '.join(told)}.",
        all_of(verdicts),
    )


def _dead_at_once(played: Played, arm: Arm) -> Share:
    """Give the share of games that are lost with nothing open but the first cell."""
    lost = played.values(arm, "cleared", won=False)
    return Share(lost.count(1.0), played.results[arm].games)


def _chances() -> list[Finding]:
    found = []
    for number, theirs in THEIRS.items():
        beside, elsewhere = _after(number)
        agree = f"{float(elsewhere):.3f}" == f"{theirs:.3f}"
        found.append(
            Finding(
                f"After a {number} in the corner of 9x9x10 the cells not beside it hold a mine "
                f"with chance {theirs}.",
                f"{elsewhere.numerator}/{elsewhere.denominator} = {float(elsewhere):.3f}; beside "
                f"it {float(beside):.3f}.",
                "agrees" if agree else "differs",
            )
        )
    return found


def _after(number: int) -> tuple[Fraction, Fraction]:
    """Give the chances beside a number in the corner of 9x9x10, and elsewhere."""
    rows = [str(number) + 8 * "#"] + 8 * [9 * "#"]
    position = Position.parse("\n".join(["9x9x10", *rows]))
    chances = analyze(position).fractions
    beside, elsewhere = chances[1], chances[-1]
    assert beside is not None
    assert elsewhere is not None
    return beside, elsewhere


def _rows(played: Played) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for arm in played.results:
        corner = _arm(arm.strategy, arm.board, "corner", arm.start)
        pair = played.paired(corner, arm, 0.95)
        less = "" if arm == corner else points(pair.difference, pair.interval)
        rows.append((arm.strategy, arm.board, arm.start, arm.first, str(played.share(arm)), less))
    return rows
