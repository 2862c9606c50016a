"""Tables 1 to 3 of Postolaki and Rahman: methods of constraint propagation on three boards.

One run serves all three tables, so that the same games stand behind them. The text says that the
first cell opened "will never hit a mine", and shows an immediate loss in figure 9, which is of the
program that was given up: the start rule is `safe`. All methods begin in a corner, as it advises.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from minewright.documents.charts import Bars, draw_bars
from minewright.documents.parts import (
    SAME_RULE,
    Interval,
    all_of,
    listed,
    table_csv,
    write_pages,
)
from minewright.documents.played import Played, play
from minewright.documents.reproduce import Outcome, Request
from minewright.lab.experiment import Arm, Experiment
from minewright.lab.files import write_whole
from minewright.lab.page import (
    Block,
    Figure,
    Finding,
    Findings,
    Heading,
    Page,
    Paragraph,
    Table,
    Verdict,
)
from minewright.lab.statistics import wilson

PAPER: Final = "Postolaki and Rahman, Final Report"
GAMES: Final = {"quick": 150, "paper": 4000}
TRIALS: Final = 75
TIMEOUT: Final = 10.0
"""Seconds of the processor: the text has none; its longest mean that is no time-out is 7.3."""

LEVELS: Final = {"Easy": "8x8x9", "Intermediate": "16x16x40", "Advanced": "24x24x99"}
METHODS: Final = {
    "csp": "CSP Strategy",
    "forward-checking": "Forward Checking",
    "gac": "GAC",
    "fringe": "Fringe",
}
OURS: Final = (*METHODS, "ac3")

Theirs = Mapping[str, tuple[float | None, ...]]

WIN_RATE: Final[Theirs] = {
    "csp": (0.81, 0.78, 0.71),
    "forward-checking": (0.72, 0.65, 0.61),
    "gac": (0.79, 0.78, 0.75),
    "fringe": (0.73, 0.30, 0.0),
}
CLEARED: Final[Theirs] = {
    "csp": (0.89, 0.85, 0.86),
    "forward-checking": (0.78, 0.71, 0.52),
    "gac": (0.81, 0.82, 0.83),
    "fringe": (0.99, 0.31, 0.07),
}
SECONDS: Final[Theirs] = {
    "csp": (0.001, 0.10, 0.15),
    "forward-checking": (3.21, 4.1, 5.3),
    "gac": (0.009, 0.05, 0.06),
    "fringe": (5.0, 7.3, None),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure of a table: theirs, ours and its 95% interval."""

    method: str
    board: str
    theirs: float | None
    ours: float
    interval: Interval
    verdict: Verdict | None
    """On theirs, where it can be judged; all twelve together with 90%."""


Judged = tuple[float, Interval, Verdict | None]


def arm(method: str, board: str) -> Arm:
    """Give the arm of a method on a board."""
    return Arm(method, board, "safe")


def play_all(request: Request) -> Played:
    """Play the games behind the three tables, or find them played."""
    experiment = Experiment(
        "report-tables",
        tuple(arm(method, board) for board in LEVELS.values() for method in OURS),
        GAMES[request.scale],
        request.seed,
        TIMEOUT,
    )
    directory, run = play(request, "report-run", experiment)
    write_whole(directory / "games.csv", run.rows().write_csv())
    return Played(run)


def size(request: Request) -> str:
    """Say how much was played, and how."""
    return (
        f"{GAMES[request.scale]:,} games a method and board (seed {request.seed}; the report "
        f"played {TRIALS}), the same minefields for all methods, start rule safe, first move in a "
        "corner: the report says that the first cell is never mined, and shows an immediate loss "
        "only of the program it gave up. A game that takes more than "
        f"{TIMEOUT:.0f} seconds of the processor is lost."
    )


def theirs_and_ours(method: str, theirs: Theirs, cells: Sequence[Cell], form: str) -> Finding:
    """Set a method's figures beside each other."""
    published = listed("time-out" if one is None else f"{one:{form}}" for one in theirs[method])
    own = [cell for cell in cells if cell.method == method]
    ours = listed(f"{cell.ours:{form}}" for cell in own)
    verdicts = {level: cell.verdict for level, cell in zip(LEVELS, own, strict=True)}
    apart = [level for level, verdict in verdicts.items() if verdict == "differs"]
    told = f"; beyond chance on {listed(apart)}" if apart else "; chance can explain what differs"
    return Finding(
        f"{METHODS[method]}: {published}.",
        f"{ours}{told}.",
        all_of(verdict for verdict in verdicts.values() if verdict),
    )


@dataclass(frozen=True, slots=True)
class Told:
    """How a table of the report is told beside what was played here."""

    name: str
    title: str
    table: str
    """What the report calls it, and the unit if it needs one."""
    figure: str
    chart: str
    up: str
    """What the bars of the chart show."""
    caption: str
    form: str
    """How its figures are written."""
    shares: bool = False
    log: bool = False

    def write(
        self,
        request: Request,
        cells: Sequence[Cell],
        findings: tuple[Finding, ...],
        about: str,
        blocks: Sequence[Block],
    ) -> Outcome:
        """Draw the figure and write the page and its table; `blocks` follow the findings."""
        directory = request.out / self.name
        directory.mkdir(parents=True, exist_ok=True)
        draw(directory / self.figure, self.chart, self.up, cells, shares=self.shares, log=self.log)
        rows = (
            (cell.method, cell.board, cell.theirs, cell.ours, *cell.interval, cell.verdict)
            for cell in cells
        )
        head = ("method", "board", "theirs", "ours", "low", "high", "verdict")
        write_whole(directory / "table.csv", table_csv(head, rows))
        figure = Figure(f"{self.figure}.svg", self.caption)
        page: list[Block] = [
            Paragraph(f"{about} {size(request)}"),
            figure,
            Heading("Theirs and ours"),
            Findings(findings),
            *blocks,
            Heading(self.table),
            side_by_side(cells, self.form),
            Paragraph("table.csv has these figures, report-run/games.csv every game."),
        ]
        return Outcome(write_pages(directory, Page(self.title, page)), findings, figure)


def side_by_side(cells: Sequence[Cell], form: str) -> Table:
    """Make the table of theirs and ours."""
    names = {board: level for level, board in LEVELS.items()}
    return Table(
        ("board", "method", "theirs", "ours", "95% interval"),
        [
            (
                f"{names[cell.board]} {cell.board}",
                METHODS.get(cell.method, "AC-3 (not tested by them)"),
                _theirs(cell, form),
                f"{cell.ours:{form}}",
                f"{cell.interval[0]:{form}} to {cell.interval[1]:{form}}",
            )
            for cell in cells
        ],
    )


def _theirs(cell: Cell, form: str) -> str:
    if cell.theirs is None:
        return "time-out" if cell.method in METHODS else "-"
    return f"{cell.theirs:{form}}"


def draw(
    path: Path,
    title: str,
    up: str,
    cells: Sequence[Cell],
    *,
    shares: bool = False,
    log: bool = False,
) -> None:
    """Draw theirs and ours as groups of bars; theirs have intervals if they are shares of games."""
    bars = []
    for method in OURS:
        own = [cell for cell in cells if cell.method == method]
        name = METHODS.get(method, "AC-3")
        spread = [_spread(cell.theirs) if shares else None for cell in own]
        theirs = [cell.theirs for cell in own]
        bars.append(Bars(f"{name}, theirs", theirs, spread, "time-out"))
        bars.append(
            Bars(f"{name}, ours", [cell.ours for cell in own], [cell.interval for cell in own])
        )
    draw_bars(
        path, title, up, [f"{name}\n{board}" for name, board in LEVELS.items()], bars, log=log
    )


def _spread(theirs: float | None) -> Interval | None:
    """Give the 95% interval of a share of their games."""
    return None if theirs is None else wilson(round(theirs * TRIALS), TRIALS, 0.95)


def figures_of(theirs: Theirs, figure: Callable[[Arm, float | None], Judged]) -> list[Cell]:
    """Make a table: `figure` gives ours of an arm, its interval, and the verdict on theirs."""
    cells = []
    for at, board in enumerate(LEVELS.values()):
        for method in OURS:
            published = theirs[method][at] if method in theirs else None
            cells.append(Cell(method, board, published, *figure(arm(method, board), published)))
    return cells


RULE: Final = (
    f"{SAME_RULE} A method's row agrees if every board does, and differs if one does; the twelve "
    "comparisons of the table are made stricter, so that all together hold with 90% confidence. "
    f"With the report's {TRIALS} games most of them are too wide to agree, whatever is found here. "
)
