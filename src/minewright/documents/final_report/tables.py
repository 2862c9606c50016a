"""What tables 1 to 3 of the Final Report share: the games, the printed figures, and the page.

One run serves all three tables, so that the same games stand behind them. The text says that the
first cell opened "will never hit a mine", and shows an immediate loss in figure 9, which is of the
program that was given up: the start rule that counts is `safe`. No single rule fits all its tables,
so `open` and `any` are played too. All methods begin in a corner, as it advises.

"The sum constraint was only employed when there were less than 20 squares" is read as the mine
total. Read as the sum around a number, which is what the report calls so elsewhere, it gives
another fringe, which is played too.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

from minewright.documents.charts import Bars, draw_bars
from minewright.documents.claims import Claim
from minewright.documents.estimates import Estimate, Share
from minewright.documents.work import Arm, Experiment, Played, Request, keep, play, table_csv
from minewright.game import StartRule
from minewright.lab.page import Block, Heading, Paragraph, Table

GAMES: Final = {"quick": 150, "paper": 4000}
TRIALS: Final = 75
TIMEOUT: Final = 10.0
"""Processor seconds. The text gives no limit; its longest mean that is not a time-out is 7.3."""

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
D = TypeVar("D")

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


STARTS: Final[tuple[StartRule, ...]] = ("safe", "open", "any")
FEW_SUMS: Final = "fringe:sums=numbers"
READING_GAMES: Final = {"quick": 50, "paper": 1000}
"""Games per method and board under the start rules that do not count, and of the other fringe."""


def arm(method: str, board: str, start: StartRule = "safe") -> Arm:
    """Return a method on a board."""
    return Arm(method, board, start)


def printed(table: Printed) -> Iterator[tuple[str, str, Arm, float]]:
    """Yield every printed figure: a name for it, who and where in words, the arm, the figure."""
    for method, figures in table.items():
        for (level, board), figure in zip(LEVELS.items(), figures, strict=True):
            if figure is not None:
                words = f"{METHODS[method]} on {level}"
                yield f"{method}-{level.lower()}", words, arm(method, board), figure


def other_readings(one: Arm) -> Iterator[tuple[str, Arm]]:
    """Yield the readings in which a method is played besides the one that counts."""
    yield from ((f"start {start}", replace(one, start=start)) for start in STARTS[1:])
    if one.strategy == "fringe":
        for start in STARTS:
            few = replace(one, strategy=FEW_SUMS, start=start)
            yield f"sums around numbers, start {start}", few


Make = Callable[[str, str, Arm, float], Claim[D]]


def printed_claims(table: Printed, make: Make[D]) -> Iterator[Claim[D]]:
    """Yield the claim of every printed figure, then the same under the other readings."""
    for name, words, one, figure in printed(table):
        yield make(name, words, one, figure)
    for name, words, one, figure in printed(table):
        for reading, other in other_readings(one):
            claim = make(name, words, other, figure)
            yield replace(claim, id=f"{claim.id}: {reading}", reading=reading)


def play_all(request: Request) -> Played:
    """Play the games behind the three tables, or find them played."""
    counting = tuple(arm(method, board) for board in LEVELS.values() for method in OURS)
    experiment = Experiment("report-tables", counting, GAMES[request.scale], request.seed, TIMEOUT)
    others = Experiment(
        "report-readings",
        tuple(
            other for one in counting if one.strategy in METHODS for _, other in other_readings(one)
        ),
        READING_GAMES[request.scale],
        request.seed,
        TIMEOUT,
    )
    played = play(request, "report-run", experiment, others)
    keep(request.out / "report-run" / "games.csv", played.games_csv())
    return played


def size(request: Request) -> str:
    """Say how much was played, and how."""
    return (
        f"{request.count(GAMES):,} games per method and board (seed {request.seed}; the report "
        f"played {TRIALS}), the same minefields for all methods, start rule safe, first move in a "
        "corner: the report says that the first cell is never mined, and shows an immediate loss "
        "only of the program it gave up. Beside it stand the rules open and any "
        f"({request.count(READING_GAMES):,} games each), since no single one fits its tables. A "
        "game that takes more than "
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
        """Show theirs and ours side by side, ours under each start rule."""
        rows = []
        for level, board, method, theirs, _ in self._rows(played):
            missing = "time-out" if method in METHODS else "-"
            rows.append(
                (
                    f"{level} {board}",
                    METHODS.get(method, "AC-3 (not tested by them)"),
                    missing if theirs is None else f"{theirs:{self.form}}",
                    *(self._told(played, arm(method, board, start)) for start in STARTS),
                )
            )
            if method == "fringe":
                few = (self._told(played, arm(FEW_SUMS, board, start)) for start in STARTS)
                rows.append((f"{level} {board}", "Fringe, sums around numbers", "", *few))
        head = ("board", "method", "theirs", *(f"start {start} (95%)" for start in STARTS))
        return [
            Heading(self.heading),
            Table(head, rows),
            Paragraph(
                "The rule safe counts. table.csv has its figures, report-run/games.csv every game."
            ),
        ]

    def _told(self, played: Played, one: Arm) -> str:
        if one not in played.results:
            return "-"
        ours = self.ours(played, one)
        low, high = ours.ends(0.95)
        return f"{ours.value:{self.form}} ({low:{self.form}} to {high:{self.form}})"


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
