"""What tables 1 to 3 of the Final Report share: the games, the printed figures, and the page.

One run serves all three tables, so that the same games stand behind them. The text says that the
first cell opened "will never hit a mine", and shows an immediate loss in figure 9, which is of the
program that was given up: the start rule is `safe`. All methods begin in a corner, as it advises.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from minewright.documents.charts import Bars, draw_bars
from minewright.documents.estimates import Estimate, Share
from minewright.documents.work import Arm, Experiment, Played, Request, keep, play, table_csv
from minewright.lab.page import Block, Heading, Paragraph, Table

GAMES: Final = {"quick": 150, "paper": 4000}
TRIALS: Final = 75
TIMEOUT: Final = 10.0
"""Seconds of the processor: the text has none; its longest mean that is no time-out is 7.3."""

LEVELS: Final = {"Easy": "8x8x9", "Intermediate": "16x16x40", "Advanced": "24x24x99"}
EASY, INTERMEDIATE, ADVANCED = LEVELS.values()
METHODS: Final = {
    "csp": "CSP Strategy",
    "forward-checking": "Forward Checking",
    "gac": "GAC",
    "fringe": "Fringe",
}
OURS: Final = (*METHODS, "ac3")

Printed = Mapping[str, tuple[float | None, ...]]

WIN_RATE: Final[Printed] = {
    "csp": (0.81, 0.78, 0.71),
    "forward-checking": (0.72, 0.65, 0.61),
    "gac": (0.79, 0.78, 0.75),
    "fringe": (0.73, 0.30, 0.0),
}
CLEARED: Final[Printed] = {
    "csp": (0.89, 0.85, 0.86),
    "forward-checking": (0.78, 0.71, 0.52),
    "gac": (0.81, 0.82, 0.83),
    "fringe": (0.99, 0.31, 0.07),
}
SECONDS: Final[Printed] = {
    "csp": (0.001, 0.10, 0.15),
    "forward-checking": (3.21, 4.1, 5.3),
    "gac": (0.009, 0.05, 0.06),
    "fringe": (5.0, 7.3, None),
}


def arm(method: str, board: str) -> Arm:
    """Return a method on a board."""
    return Arm(method, board, "safe")


def printed(table: Printed) -> Iterator[tuple[str, str, Arm, float]]:
    """Yield every printed figure: a name for it, who and where in words, the arm, the figure."""
    for method, figures in table.items():
        for (level, board), figure in zip(LEVELS.items(), figures, strict=True):
            if figure is not None:
                words = f"{METHODS[method]} on {level}"
                yield f"{method}-{level.lower()}", words, arm(method, board), figure


def play_all(request: Request) -> Played:
    """Play the games behind the three tables, or find them played."""
    experiment = Experiment(
        "report-tables",
        tuple(arm(method, board) for board in LEVELS.values() for method in OURS),
        GAMES[request.scale],
        request.seed,
        TIMEOUT,
    )
    played = play(request, "report-run", experiment)
    keep(request.out / "report-run" / "games.csv", played.games_csv())
    return played


def size(request: Request) -> str:
    """Say how much was played, and how."""
    return (
        f"{GAMES[request.scale]:,} games per method and board (seed {request.seed}; the report "
        f"played {TRIALS}), the same minefields for all methods, start rule safe, first move in a "
        "corner: the report says that the first cell is never mined, and shows an immediate loss "
        "only of the program it gave up. A game that takes more than "
        f"{TIMEOUT:.0f} seconds of the processor is lost. With the report's {TRIALS} games most "
        "intervals are too wide to agree, whatever is found here."
    )


Ours = Callable[[Played, Arm], Estimate]


@dataclass(frozen=True, slots=True)
class Shown:
    """How a table of the report is shown beside ours."""

    table: Printed
    ours: Ours
    title: str
    up: str
    """What the bars of the chart show."""
    heading: str
    form: str
    """How the figures are written."""
    shares: bool = False
    """Whether theirs are shares of games, which have an interval."""
    log: bool = False

    def theirs(self, method: str) -> tuple[float | None, ...]:
        """Return their figures of a method, None where they have none."""
        return self.table.get(method, (None,) * len(LEVELS))

    def draw(self, played: Played, path: Path) -> None:
        """Draw theirs and ours as groups of bars."""
        bars = []
        for method in OURS:
            theirs = self.theirs(method)
            ours = [self.ours(played, arm(method, board)) for board in LEVELS.values()]
            spread = [_spread(one) if self.shares else None for one in theirs]
            name = METHODS.get(method, "AC-3")
            bars.append(Bars(f"{name}, theirs", theirs, spread, "time-out"))
            values, intervals = [one.value for one in ours], [one.ends(0.95) for one in ours]
            bars.append(Bars(f"{name}, ours", values, intervals))
        groups = [f"{level}\n{board}" for level, board in LEVELS.items()]
        draw_bars(path, self.title, self.up, groups, bars, log=self.log)

    def _rows(self, played: Played) -> Iterator[tuple[str, str, str, float | None, Estimate]]:
        for at, (level, board) in enumerate(LEVELS.items()):
            for method in OURS:
                one = self.ours(played, arm(method, board))
                yield level, board, method, self.theirs(method)[at], one

    def csv(self, played: Played) -> str:
        """Write the table as CSV."""
        rows = (
            (method, board, theirs, ours.value, *ours.ends(0.95))
            for _, board, method, theirs, ours in self._rows(played)
        )
        return table_csv(("method", "board", "theirs", "ours", "low", "high"), rows)

    def blocks(self, played: Played) -> Sequence[Block]:
        """Show theirs and ours side by side."""
        rows = []
        for level, board, method, theirs, ours in self._rows(played):
            low, high = ours.ends(0.95)
            missing = "time-out" if method in METHODS else "-"
            rows.append(
                (
                    f"{level} {board}",
                    METHODS.get(method, "AC-3 (not tested by them)"),
                    missing if theirs is None else f"{theirs:{self.form}}",
                    f"{ours.value:{self.form}}",
                    f"{low:{self.form}} to {high:{self.form}}",
                )
            )
        return [
            Heading(self.heading),
            Table(("board", "method", "theirs", "ours", "95% interval"), rows),
            Paragraph("table.csv has these figures, report-run/games.csv every game."),
        ]


def _spread(theirs: float | None) -> tuple[float, float] | None:
    """Return the 95% interval of a share of their games."""
    return None if theirs is None else their_share(theirs).ends(0.95)


def their_share(figure: float) -> Share:
    """Return a printed share as one of their games."""
    return Share(round(figure * TRIALS), TRIALS)


CHANGED: Final = (
    "Until version 0.2 a printed share differed if the interval of ours less theirs excluded 0, "
    "and agreed within ±10 points whatever its size; a method's row was one claim. Now every "
    "printed figure is a claim, the tolerance fits its size, and the one rule holds; results had "
    "been seen."
)
