"""Table 1 and figure 12 of the Final Report: games won."""

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final

from minewright.documents.claims import Claim, above, ahead, near, within
from minewright.documents.estimates import (
    Estimate,
    difference,
    less_printed,
    listed,
    none_chance,
    percent,
    points,
)
from minewright.documents.final_report import PAPER
from minewright.documents.final_report.tables import (
    CHANGED,
    FEW_SUMS,
    LEVELS,
    METHODS,
    TRIALS,
    WIN_RATE,
    Shown,
    arm,
    play_all,
    printed,
    printed_claims,
    size,
    their_share,
)
from minewright.documents.study import Picture, Study
from minewright.documents.work import Arm, Experiment, Played, Request, play
from minewright.game import StartRule
from minewright.lab.page import Block, Heading, Paragraph, Table

NAME: Final = "report-winrate"
YARDSTICK_STARTS: Final[tuple[StartRule, ...]] = ("safe", "open")
YARDSTICK_GAMES: Final = {"quick": 2000, "paper": 50_000}
OTHERS: Final = ("csp", "forward-checking", "gac")


@dataclass(frozen=True, slots=True)
class Data:
    """The games of the report's methods, and those of a stronger player."""

    played: Played
    strong: Played


def measure(request: Request) -> Data:
    """Play the methods and the yardstick, or continue."""
    played = play_all(request)
    yardstick = Experiment.grid(
        "report-yardstick",
        strategies=["pseq"],
        boards=list(LEVELS.values()),
        starts=YARDSTICK_STARTS,
        games=YARDSTICK_GAMES[request.scale],
        seed=request.seed,
    )
    return Data(played, play(request, NAME, yardstick))


SHOWN: Final = Shown(
    WIN_RATE,
    lambda played, one: played.won("", one),
    "Share of games won: theirs (75 games) and ours, with 95% intervals",
    "win rate",
    "Table 1",
    ".3f",
    shares=True,
)


def _printed_claim(name: str, words: str, one: Arm, figure: float) -> Claim[Data]:
    says, where = f"{words} wins {figure:.2f} of its games.", "table 1, figure 12"
    if figure == 0:
        return Claim(
            f"won-{name}",
            says,
            where,
            f"The chance that {TRIALS} games show no win at our rate.",
            lambda data: [none_chance("", [data.played.share(one)], TRIALS)],
            above(0.1, percent, "no win is no surprise"),
            changed=CHANGED,
        )
    return Claim(
        f"won-{name}",
        says,
        where,
        f"Our share of games won less theirs of {TRIALS}.",
        lambda data: [
            less_printed(
                f"ours {data.played.share(one).value:.3f}:",
                data.played.won("", one),
                their_share(figure).estimate(""),
            )
        ],
        near(figure),
        changed=CHANGED,
    )


def _ahead_of_forward_checking(data: Data) -> list[Estimate]:
    return [
        data.played.lead(
            f"{METHODS[better]} on {board}:", arm(better, board), arm("forward-checking", board)
        )
        for board in LEVELS.values()
        for better in ("csp", "gac")
    ]


def _csp_less_gac(data: Data) -> list[Estimate]:
    return [
        data.played.lead(f"{board}:", arm("csp", board), arm("gac", board))
        for board in LEVELS.values()
    ]


def _ahead_of_fringe(data: Data) -> list[Estimate]:
    return [
        data.played.lead(f"{METHODS[one]} on {board}:", arm(one, board), arm("fringe", board))
        for board in LEVELS.values()
        for one in OTHERS
    ]


def _falling(method: str, data: Data) -> list[Estimate]:
    return [
        difference(
            f"{easier} less {harder}:",
            data.played.won("", arm(method, easier)),
            data.played.won("", arm(method, harder)),
        )
        for easier, harder in pairwise(LEVELS.values())
    ]


_PAIRED: Final = "Games won, game by game:"
CLAIMS: Final[tuple[Claim[Data], ...]] = (
    *printed_claims(WIN_RATE, _printed_claim),
    Claim(
        "little-below",
        "Forward checking's win rate is about 5-8% lower than CSP Strategy's and GAC's on each "
        "board (the report's own table has 9, 13 and 10 less than the one, 7, 13 and 14 less than "
        "the other).",
        "section 4.3",
        f"{_PAIRED} CSP Strategy and GAC, each less forward checking.",
        _ahead_of_forward_checking,
        within(0.045, 0.085, points, "5-8%"),
    ),
    Claim(
        "alike",
        "CSP Strategy and GAC have similar win rates (in the table at most 4 points apart).",
        "section 4.3",
        f"{_PAIRED} CSP Strategy less GAC.",
        _csp_less_gac,
        within(-0.045, 0.045, points, "at most 4 points"),
    ),
    Claim(
        "fringe-last",
        "Fringe performs the worst of all implementations.",
        "section 4.3",
        f"{_PAIRED} each other method less fringe, on each board.",
        _ahead_of_fringe,
        ahead(),
    ),
    *(
        Claim(
            f"falling-{method}",
            f"All implementations share decreased performance as the difficulty rises: {name}.",
            "section 4.3",
            "The share of games won on each board less that on the next harder one.",
            partial(_falling, method),
            ahead(),
        )
        for method, name in METHODS.items()
    ),
)


def _by_chances(played: Played) -> str:
    """Say where CSP Strategy wins more than GAC."""
    confidence = 1 - 0.05 / len(LEVELS)
    ahead_on = [
        name
        for name, board in LEVELS.items()
        if played.pair(arm("csp", board), arm("gac", board), confidence).interval[0] > 0
    ]
    return (
        f"That brings more wins beyond chance on {listed(ahead_on)}."
        if ahead_on
        else "On no board does that bring more wins than chance explains."
    )


def _above(strong: Played) -> str:
    """Say which printed win rates lie above the yardstick's under the rule safe."""
    found = [
        f"{words} ({figure:.2f})"
        for _, words, one, figure in printed(WIN_RATE)
        if figure > strong.share(Arm("pseq", one.board, "safe")).value
    ]
    return f"Printed rates above its own under the rule safe: {listed(found or ['none'])}."


def _few(data: Data) -> str:
    """Say what the other fringe wins."""
    won = (data.played.share(arm(FEW_SUMS, board)) for board in LEVELS.values())
    return listed(f"{share} on {name}" for share, name in zip(won, LEVELS, strict=True))


def _same_games(played: Played) -> str:
    pairs = [played.pair(arm("gac", board), arm("ac3", board)) for board in LEVELS.values()]
    apart = sum(pair.first_only + pair.second_only for pair in pairs)
    total = sum(pair.games for pair in pairs)
    return "the same games" if not apart else f"all but {apart} of {total:,} games the same"


def _more(data: Data) -> list[Block]:
    return [
        Heading("Why they differ"),
        Paragraph(
            "Forward checking, GAC and AC-3 prove the same, because a search that is carried to "
            "its end finds every certain cell whatever its propagation, and they guess alike; they "
            "part only where a search ends at its budget. So forward checking cannot fall behind "
            "GAC as far as the report has it. CSP Strategy goes by the exact chances where these "
            f"go by one number at a time. {_by_chances(data.played)} The report's fringe timed out "
            "on Advanced and, it says, immediately sets off mines on harder boards; ours stops its "
            "search at a budget, guesses, and goes on. Its guess is its weakness: it has no "
            "chances to go by. If the sums around numbers, and not the mine total, need fewer than "
            "20 squares, it is left without any constraint while more squares are in play, and "
            f"wins {_few(data)}."
        ),
        Paragraph(
            f"AC-3, which the authors planned and did not test, wins {_same_games(data.played)} as "
            "GAC: on sums it prunes as much. What it costs is on the page of run times."
        ),
        Heading("How much there is to win"),
        Table(
            ("board", *(f"pseq, start {start} (95% interval)" for start in YARDSTICK_STARTS)),
            [
                (
                    f"{name} {board}",
                    *(
                        str(data.strong.share(Arm("pseq", board, start)))
                        for start in YARDSTICK_STARTS
                    ),
                )
                for name, board in LEVELS.items()
            ],
        ),
        Paragraph(
            "pseq (Tu et al. 2017) is a stronger player than all of the report's. "
            f"{_above(data.strong)} Where the report is above it, {TRIALS} games were lucky, or "
            "its first opening was kinder: under the rule open the first cell is always a 0."
        ),
        *SHOWN.blocks(data.played),
    ]


STUDY: Final = Study(
    NAME,
    "Win rates of five methods on three boards (table 1)",
    PAPER,
    "The Final Report: win rates",
    lambda request: [f"Table 1 and figure 12 of {PAPER}. {size(request)}"],
    measure,
    CLAIMS,
    [
        Picture(
            "figure12",
            "Win rates of the methods on three boards, theirs and ours",
            lambda data, path: SHOWN.draw(data.played, path),
        )
    ],
    lambda data: {"table.csv": SHOWN.csv(data.played)},
    _more,
)
