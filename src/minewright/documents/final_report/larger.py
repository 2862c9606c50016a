"""The larger boards that the Final Report names, 32x32 to 64x64, by method."""

from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final

from minewright.documents.charts import Dots, draw_dots
from minewright.documents.claims import Claim, ahead
from minewright.documents.estimates import Estimate, difference
from minewright.documents.final_report import PAPER
from minewright.documents.final_report.tables import METHODS, TIMEOUT
from minewright.documents.study import Picture, Study
from minewright.documents.work import Arm, Experiment, Played, Request, play
from minewright.lab.page import Block, Heading, Table

NAME: Final = "report-larger"
GAMES: Final = {"quick": 12, "paper": 200}
BOARDS: Final = ("24x24x86", "32x32x154", "48x48x346", "64x64x614")
"""Their density, 15%; the first has the size of their largest board."""


def _arm(method: str, board: str) -> Arm:
    return Arm(method, board)


def measure(request: Request) -> Played:
    """Play every method on every board, or continue."""
    arms = tuple(_arm(method, board) for board in BOARDS for method in METHODS)
    return play(request, NAME, Experiment(NAME, arms, GAMES[request.scale], request.seed, TIMEOUT))


def _falling(method: str, played: Played) -> list[Estimate]:
    return [
        difference(
            f"{small} less {large}:",
            played.won("", _arm(method, small)),
            played.won("", _arm(method, large)),
        )
        for small, large in pairwise(BOARDS)
    ]


CLAIMS: Final[tuple[Claim[Played], ...]] = tuple(
    Claim(
        f"falling-{method}",
        f"Performance decreases further on larger boards, from 32x32 to 64x64: {name}.",
        "section 4.3",
        "The share of games won on each board less that on the next larger one, at 15% mines.",
        partial(_falling, method),
        ahead(),
        inferred=True,
    )
    for method, name in METHODS.items()
)


def _about(request: Request) -> list[str]:
    return [
        f"Boards that {PAPER} names and did not play, at its 15% of mines. "
        f"{request.count(GAMES)} games per method and board (seed {request.seed}), start rule "
        f"safe, first move in a corner; more than {TIMEOUT:.0f} seconds of the processor are a "
        "loss."
    ]


def _draw(played: Played, path: Path) -> None:
    draw_dots(
        path,
        "Games won on larger boards with 15% of mines",
        BOARDS,
        [
            Dots(name, [played.share(_arm(method, board)) for board in BOARDS])
            for method, name in METHODS.items()
        ],
    )


def _more(played: Played) -> list[Block]:
    rows = [
        (
            board,
            name,
            str(played.share(_arm(method, board))),
            f"{played.results[_arm(method, board)].cleared:.1%}",
            f"{played.results[_arm(method, board)].cpu_seconds:.3g}",
            str(played.results[_arm(method, board)].timeouts),
        )
        for board in BOARDS
        for method, name in METHODS.items()
    ]
    head = ("board", "method", "won (95% interval)", "cleared", "seconds per game", "time-outs")
    return [
        Heading("By method and board"),
        Table(head, rows),
    ]


STUDY: Final = Study(
    NAME,
    "Boards from 32x32 to 64x64 by method (section 4.3)",
    PAPER,
    "The Final Report: larger boards",
    _about,
    measure,
    CLAIMS,
    [Picture("larger", "Games won by each method on larger boards", _draw)],
    lambda played: {"table.csv": played.table_csv()},
    _more,
)
