"""What the Final Report says of simpler strategies, and what it wished to try next.

Studholme's Single-Point and Equation strategies, the degree heuristic, forward checking fused with
the Equation strategy, and fringe constraints in CSP Strategy. The report names the simpler
strategies and does not say how they guess: here all go by the least chance that a single number
gives, and begin in a corner.
"""

from pathlib import Path
from typing import Final

from minewright.documents.charts import Dots, draw_dots
from minewright.documents.claims import (
    Claim,
    Measure,
    NotTestable,
    above,
    ahead,
    at_least_times,
    within,
)
from minewright.documents.estimates import Estimate, mean, points, times
from minewright.documents.final_report import PAPER
from minewright.documents.final_report.tables import ADVANCED, EASY, LEVELS, TIMEOUT
from minewright.documents.study import Picture, Study
from minewright.documents.work import Arm, Experiment, Played, Request, play
from minewright.lab.page import Block, Heading, Paragraph, Table

NAME: Final = "report-simpler"
GAMES: Final = {"quick": 80, "paper": 1500}
SIMPLER: Final = {"single-point": "Single-Point", "equation": "Equation"}
SLOW: Final = {"forward-checking": "forward checking", "fringe": "fringe", "gac": "GAC"}
ORDERED, FUSED = ":order=constrained", ":simplify=yes"
# With the usual budget, a search in either order soon gives up, whatever it would have cost.
LONG: Final = "fringe:nodes=2000000"


def _arm(strategy: str, board: str = ADVANCED) -> Arm:
    if strategy in SIMPLER:
        return Arm(strategy, board, guesser="local", first="corner")
    return Arm(strategy, board)


CAST: Final = {
    **{_arm(one, board): words for board in LEVELS.values() for one, words in SIMPLER.items()},
    **{_arm("csp", board): "CSP Strategy" for board in LEVELS.values()},
    **{
        _arm(f"{method}{option}"): f"{name}{words}"
        for method, name in SLOW.items()
        for option, words in (
            ("", ""),
            (ORDERED, ", most constrained first"),
            (FUSED, ", after the Equation strategy"),
        )
    },
    _arm(LONG): "fringe, 100 times the budget",
    _arm(f"{LONG},order=constrained"): "fringe, 100 times the budget, most constrained first",
}


HYBRID: Final = "csp-fringe"
HYBRIDS: Final = {
    _arm(HYBRID, board): "CSP Strategy with fringe constraints" for board in LEVELS.values()
}


def measure(request: Request) -> Played:
    """Play all of them, or continue."""
    games = GAMES[request.scale]
    # The hybrid is an experiment of its own, so that runs from before it existed can still be used.
    own = [
        Experiment(name, tuple(arms), games, request.seed, TIMEOUT)
        for name, arms in ((NAME, CAST), ("hybrid", HYBRIDS))
    ]
    return play(request, NAME, *own)


def _behind(strategy: str) -> Measure[Played]:
    def measured(played: Played) -> list[Estimate]:
        return [
            played.lead(f"{level}:", _arm("csp", board), _arm(strategy, board))
            for level, board in LEVELS.items()
        ]

    return measured


def _ordered(played: Played) -> list[Estimate]:
    ordered = _arm(f"{LONG},order=constrained")
    return [played.ratio("", _arm(LONG), ordered, "cpu_seconds")]


def _fused(played: Played) -> list[Estimate]:
    one = "forward-checking"
    return [played.ratio("", _arm(one), _arm(f"{one}{FUSED}"), "cpu_seconds")]


def _hybrid(played: Played) -> list[Estimate]:
    return [played.lead("", _arm(HYBRID, EASY), _arm("csp", EASY))]


def _seconds(played: Played) -> list[Estimate]:
    return [
        mean(f"{words} on {level}, s:", played.values(_arm(one, board), "cpu_seconds"))
        for one, words in SIMPLER.items()
        for level, board in LEVELS.items()
    ]


CLAIMS: Final[tuple[Claim[Played], ...]] = (
    *(
        Claim(
            f"behind-{strategy}",
            f"The {words} strategy performs across the board at around 10% less capacity than CSP "
            "Strategy.",
            "section 4.3",
            "Games won by CSP Strategy less those it wins, game by game, on each board.",
            _behind(strategy),
            within(0.05, 0.15, points, "around 10%"),
        )
        for strategy, words in SIMPLER.items()
    ),
    Claim(
        "their-seconds",
        "The Single-Point and Equation strategies take around 2-3 seconds on all levels.",
        "section 4.3",
        "Mean processor time of a game.",
        _seconds,
        NotTestable("Seconds of another machine and another program cannot be compared."),
    ),
    Claim(
        "degree-heuristic",
        "The degree heuristic could drastically improve runtime.",
        "section 5",
        "Processor time of a game of fringe on Advanced in the given order over that with the most "
        "constrained cell first, with a budget of 2,000,000 values per turn.",
        _ordered,
        at_least_times(2, "drastically"),
        changed="The degree heuristic was first timed with the usual budget of 20,000 values, "
        "which ends most searches of the given order: 1.2 times (0.9 to 1.6) in 80 games had been "
        "seen.",
    ),
    Claim(
        "fused",
        "Fused with the Equation strategy, forward checking could become faster.",
        "section 4.3",
        "Processor time of a game of forward checking on Advanced over that with the Equation "
        "strategy first.",
        _fused,
        above(1, times, "faster"),
    ),
    Claim(
        "fringe-with-csp",
        "Fringe constraints, applied to CSP Strategy, are worth a look for smaller games.",
        "section 5",
        "Games won on Easy by CSP Strategy with fringe constraints less those it wins without "
        "them, game by game.",
        _hybrid,
        ahead("worth it: it wins more"),
        inferred=True,
    ),
)


def _about(request: Request) -> list[str]:
    return [
        f"What {PAPER} says of simpler strategies, and what it wished to try next. "
        f"{request.count(GAMES):,} games per player and board (seed {request.seed}), start rule "
        "safe, the same minefields for all."
    ]


def _draw(played: Played, path: Path) -> None:
    names = {"csp": "CSP Strategy", **SIMPLER}
    draw_dots(
        path,
        "CSP Strategy and two simpler strategies",
        [f"{level}\n{board}" for level, board in LEVELS.items()],
        [
            Dots(words, [played.share(_arm(one, board)) for board in LEVELS.values()])
            for one, words in names.items()
        ],
    )


def _more(played: Played) -> list[Block]:
    rows = [
        (
            words,
            one.board,
            str(played.share(one)),
            f"{1000 * played.results[one].cpu_seconds:.3g}",
            str(played.results[one].gave_up),
            str(played.results[one].timeouts),
        )
        for one, words in (CAST | HYBRIDS).items()
    ]
    head = ("method", "board", "won (95% interval)", "ms per game", "turns given up", "time-outs")
    return [
        Heading("All players"),
        Table(head, rows),
        Paragraph(
            "A turn is given up when its search reaches its budget, usually of 20,000 values. With "
            "the most constrained cell first a search fails earlier."
        ),
    ]


STUDY: Final = Study(
    NAME,
    "Simpler strategies, the degree heuristic and hybrids (sections 4.3 and 5)",
    PAPER,
    "The Final Report: simpler strategies and its wishes",
    _about,
    measure,
    CLAIMS,
    [Picture("simpler", "Games won by CSP Strategy and two simpler strategies", _draw)],
    lambda played: {"table.csv": played.table_csv()},
    _more,
)
