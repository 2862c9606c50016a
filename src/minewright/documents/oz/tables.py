"""Tables 1 and 2, figures 1 to 3 and the evaluation of Collet's Oz Minesweeper.

Figure 3's position is lost. What it shows, how many solutions either solver computes, is counted on
many positions instead: those of games where the propagators have nothing more to say, for that is
where the text's player pushes the solver's button.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import median, quantiles
from typing import Final, NamedTuple

from minewright.board import Board
from minewright.documents import estimates, work
from minewright.documents.charts import draw_histogram
from minewright.documents.claims import Claim, above, below, exactly, within
from minewright.documents.estimates import Estimate, Share, exact, percent, times
from minewright.documents.oz import PAPER, figures
from minewright.documents.study import Picture, Study
from minewright.documents.work import Piece, Request, Row, table_csv
from minewright.game import Game
from minewright.inference import analyze
from minewright.lab.page import Block, Heading, Paragraph, Table
from minewright.position import MAX_NUMBER, Position
from minewright.strategies import Recipe, own_numbers, play
from minewright.strategies.oz import solutions_needed
from minewright.strategies.play import Watch
from minewright.strategies.strategy import Turn

NAME: Final = "oz-tables"
GAMES: Final = {"quick": 300, "paper": 5000}
PIECE: Final = 10
BOARDS: Final = ("10x10x20", "9x9x10", "16x16x40", "30x16x99")
"""The board of figures 1 and 2, and the usual ones."""

PROPAGATORS: Final = "oz:engines=zero+simple+set"
FIGURE_3: Final = (246, 6)
SAVING: Final = FIGURE_3[0] / FIGURE_3[1]


class Stuck(NamedTuple):
    """A position where the propagators are silent."""

    binary: int
    """Solutions the binary solver computes; -1 for more than it can find."""
    sets: int
    """Solutions the set solver computes."""
    safe: int
    """Cells that are certainly safe all the same."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What the games of one board have shown."""

    board: str
    found: int
    """Safe cells that the propagators found."""
    stuck: tuple[tuple[int, Stuck], ...]
    """The positions where they were silent, each with its game."""

    def savings(self, least: int = 0) -> list[float]:
        """Return how many times as many solutions the binary solver needs, by position.

        Only positions with at least `least` solutions in sets count.
        """
        return [
            one.binary / one.sets for _, one in self.stuck if one.binary > 0 and one.sets >= least
        ]


@dataclass(frozen=True, slots=True)
class Data:
    """The counts of every board, and the seed of their games."""

    boards: Sequence[Counted]
    seed: int = 0


def measure(request: Request) -> Data:
    """Play the games of all boards, or continue."""
    games = GAMES[request.scale]
    pieces = [
        Piece(
            f"{board}-{first}",
            min(PIECE, games - first),
            PIECE * Board.parse(board).mines,
            partial(_row, board, request.seed, first),
        )
        for board in BOARDS
        for first in range(0, games, PIECE)
    ]
    done = work.make(request, NAME, pieces)
    each = -(-games // PIECE)
    counted = []
    for at, board in enumerate(BOARDS):
        rows = [row for piece in done[at * each : (at + 1) * each] for row in piece]
        stuck = tuple(
            (game, Stuck(*map(int, row[place : place + 3])))
            for game, row in enumerate(rows)
            for place in range(1, len(row), 3)
        )
        counted.append(Counted(board, sum(int(row[0]) for row in rows), stuck))
    return Data(counted, request.seed)


def _row(board: str, seed: int, first: int, number: int) -> Row:
    """Play a game: the safe cells found, then three numbers for each position without any."""
    found = 0
    stuck: list[int] = []

    def look(position: Position, turn: Turn) -> None:
        nonlocal found
        if turn.guess is None:
            found += sum(len(finding.safe) for finding in turn.findings)
        elif any(code <= MAX_NUMBER for code in position.cells):
            needed = solutions_needed(position)
            assert needed["sets"] is not None
            safe = len(analyze(position, trust_marks=True).safe)
            stuck.extend((needed["binary"] or -1, needed["sets"], safe))

    watch_game(board, seed, first + number, look)
    return found, *stuck


def watch_game(board: str, seed: int, stream: int, look: Watch) -> None:
    """Play a game by propagators, and show each turn to `look`."""
    game = Game(Board.parse(board), "safe", seed, stream=stream)
    recipe = Recipe(PROPAGATORS, "safest", "corner")
    play(game, recipe.player(own_numbers(seed, stream)), watch=look)


def _typical(data: Data) -> list[Estimate]:
    return [estimates.median("", [one for board in data.boards for one in board.savings()])]


def _as_in_figure_3(data: Data) -> list[Estimate]:
    savings = data.boards[0].savings()
    return [Share(sum(one >= SAVING for one in savings), len(savings)).estimate("")]


def _by_propagators(data: Data) -> list[Estimate]:
    return [
        Share(one.found, one.found + sum(stuck.safe for _, stuck in one.stuck)).estimate(one.board)
        for one in data.boards
    ]


def _by_solver(data: Data) -> list[Estimate]:
    return [
        Share(sum(stuck.safe > 0 for _, stuck in one.stuck), len(one.stuck)).estimate(one.board)
        for one in data.boards
        if one.stuck
    ]


def _computed(
    name: str, says: str, where: str, how: str, value: Callable[[], float], printed: float
) -> Claim[Data]:
    """Return the claim of a figure that the text computes and that must be met exactly."""
    return Claim(name, says, where, how, lambda _: [exact("", value())], exactly(printed))


CLAIMS: Final[tuple[Claim[Data], ...]] = (
    _computed(
        "table-1",
        "The binary solver has nine solutions, s1 to s3 of class size C(89, 17), s4 to s9 of "
        "C(89, 16).",
        "table 1",
        "Entries of the table that come out otherwise here.",
        figures.wrong_in_table_1,
        0,
    ),
    _computed(
        "table-2",
        "The set solver has two solutions, which leave 17 and 16 mines to the other 89 cells.",
        "table 2",
        "Entries of the table that come out otherwise here.",
        figures.wrong_in_table_2,
        0,
    ),
    *(
        _computed(
            f"minefields-{name or 'all'}",
            f"{printed:.3e} minefields fit figure 2{of}.",
            "section 3.3",
            "Minefields counted by the set solver, to four digits.",
            partial(figures.minefields, name),
            printed,
        )
        for name, of, printed in (
            (None, "", 3.333e18),
            (12, " and mine (1, 2)", 1.059e18),
            (69, " and mine (6, 9)", 6.247e17),
        )
    ),
    *(
        _computed(
            f"chance-{name}",
            f"The chance of a mine at ({name // 10}, {name % 10}) in figure 2 is {printed}.",
            where,
            "The chance computed by the set solver, to three places.",
            partial(figures.rounded_chance, name),
            printed,
        )
        for name, where, printed in (
            (12, "section 3.3", 0.318),
            (69, "section 3.3", 0.187),
            (41, "section 3.4", 0.159),
        )
    ),
    _computed(
        "simple-propagators",
        "In figure 1 simple propagators find (4, 2) mined, (4, 1) and (5, 2) safe, and no more.",
        "section 3.1",
        "Cells that only the text or only our simple propagators conclude.",
        partial(figures.wrong_in_figure_1, "simple", figures.SIMPLE),
        0,
    ),
    _computed(
        "set-propagators",
        "In figure 1 set propagators add (3, 6) and (2, 6) mined, (4, 6), (5, 6) and (1, 6) safe.",
        "section 3.2",
        "Cells that only the text or only our set propagators conclude.",
        partial(figures.wrong_in_figure_1, "set", figures.SETS),
        0,
    ),
    _computed(
        "set-variables",
        "A constraint of 8 cells gives 255 set variables.",
        "section 4.3",
        "The sets of 8 cells that are not empty: arithmetic, not a measurement.",
        lambda: 2**8 - 1,
        255,
    ),
    _computed(
        "equations",
        "A constraint of 8 cells gives 4140 equations.",
        "section 4.3",
        "The partitions of 8 cells: arithmetic, not a measurement.",
        partial(figures.partitions, 8),
        4140,
    ),
    Claim(
        "order-of-magnitude",
        "The efficiency of the set solver is typically one order of magnitude faster.",
        "section 3.4",
        "The median, over all positions, of the binary solver's solutions over the set solver's. "
        "Solutions stand for the time, which is not measured.",
        _typical,
        within(sqrt(10), sqrt(1000), times, "one order of magnitude"),
    ),
    Claim(
        "figure-3",
        "Positions that save as much as figure 3's (6 solutions instead of 246) are not rare.",
        "section 3.4, figure 3",
        f"The share of positions on {BOARDS[0]} with at least 41 times as many solutions for the "
        "binary solver. The board is that of figures 1 and 2; the text does not tell figure 3's.",
        _as_in_figure_3,
        above(0.05, percent, "not rare"),
        inferred=True,
        changed="Figure 3: before games had been seen, any of the boards was enough. Until version "
        "0.2 it counted as the text's own claim and could not differ.",
    ),
    Claim(
        "usually-most",
        "The set propagators usually find most of the safe moves.",
        "section 5",
        "Safe cells found by propagators, of those and all that exact inference proves where they "
        "are silent.",
        _by_propagators,
        above(0.5, percent, "most"),
    ),
    Claim(
        "rarely-new-moves",
        "The solver rarely finds new moves.",
        "section 5",
        "The share of positions where the propagators are silent and a cell is certainly safe.",
        _by_solver,
        below(0.2, percent, "rarely"),
    ),
)


def _about(request: Request) -> list[str]:
    return [
        f"Tables 1 and 2 and figures 1 to 3 of {PAPER}. {GAMES[request.scale]:,} games per board "
        f"(seed {request.seed}, start rule safe, first move in a corner) are played by the zero, "
        "simple and set propagators, with a guess at the safest cell where these are silent. Every "
        "such position, with its known mines marked as in figure 3, is given to both solvers."
    ]


def _draw(data: Data, path: Path) -> None:
    draw_histogram(
        path,
        "Solutions the binary solver computes for each of the set solver's",
        "binary / set solutions of a position (logarithmic)",
        [(one.board, one.savings()) for one in data.boards],
        mark=(SAVING, "figure 3: 246 / 6 = 41"),
    )


def _tables(data: Data) -> dict[str, str]:
    rows = ((one.board, game, *stuck) for one in data.boards for game, stuck in one.stuck)
    return {"positions.csv": table_csv(("board", "game", *Stuck._fields), rows)}


def _more(data: Data) -> list[Block]:
    return [
        Heading("The saving on many positions"),
        _savings_table(data.boards),
        Paragraph(
            "A position early in a game saves little: a 1 in the corner has one solution in sets "
            "and three in cells. The last columns show positions with at least six solutions in "
            "sets, as in figure 3: there the binary solver needs far more. Solutions of separate "
            "components multiply for both solvers, since the text counts them so. The solvers here "
            "solve components apart, and add."
        ),
        *_like_figure_3(data),
        Heading("Table 1"),
        figures.shown_table_1(),
        Heading("Table 2"),
        figures.shown_table_2(),
        Paragraph("positions.csv has every position's counts."),
    ]


def _savings_table(counted: Sequence[Counted]) -> Table:
    rows = []
    for one in counted:
        savings, many = one.savings(), one.savings(FIGURE_3[1])
        tenths = quantiles(savings, n=10)
        rows.append(
            (
                one.board,
                f"{len(one.stuck):,}",
                f"{tenths[0]:.1f}",
                f"{median(savings):.1f}",
                f"{tenths[-1]:.1f}",
                f"{max(savings):,.0f}",
                f"{sum(stuck.binary < 0 for _, stuck in one.stuck)}",
                f"{len(many):,}",
                f"{median(many):.1f}" if many else "-",
            )
        )
    head = (
        "board",
        "positions",
        "lowest tenth up to",
        "median",
        "highest tenth from",
        "most",
        "too many for the binary solver",
        "positions with 6 set solutions or more",
        "their median",
    )
    return Table(head, rows)


def _like_figure_3(data: Data) -> list[Block]:
    """Show the position on the assumed board that comes nearest to figure 3's two counts."""
    binary, sets = FIGURE_3
    first = data.boards[0]
    near = [(abs(one.binary - binary), game, one) for game, one in first.stuck if one.sets == sets]
    if not near:
        return []
    _, game, nearest = min(near)
    shown: list[Position] = []

    def look(position: Position, turn: Turn) -> None:
        if turn.guess is not None and any(code <= MAX_NUMBER for code in position.cells):
            needed = solutions_needed(position)
            if (needed["binary"], needed["sets"]) == nearest[:2]:
                shown.append(position)

    watch_game(first.board, data.seed, game, look)
    _, *lines = str(shown[0]).splitlines()
    return [
        Paragraph(
            f"Figure 3's position is lost. This one of game {game} on {first.board} comes nearest: "
            f"{sets} solutions in sets, {nearest.binary} in cells (theirs had {binary})."
        ),
        Table([str(at + 1) for at in range(len(lines[0]))], [list(line) for line in lines]),
    ]


STUDY: Final = Study(
    NAME,
    "Solutions, chances and the set solver's saving (tables 1 and 2, figure 3)",
    PAPER,
    "Oz Minesweeper: solutions and their saving",
    _about,
    measure,
    CLAIMS,
    [Picture("saving", "How many times more solutions the binary solver computes", _draw)],
    _tables,
    _more,
)
