"""Tables 1 and 2, figure 1 and the saving of figure 3 of Collet's Oz Minesweeper.

Figure 3's position is lost. What it shows, how many solutions either solver computes, is counted on
many positions instead: those of games where the propagators have nothing more to say, for that is
where the text's player pushes the solver's button.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib.metadata import version
from math import comb, log10, sqrt
from statistics import median, quantiles
from typing import Final, NamedTuple

from minewright.board import Board
from minewright.documents.charts import draw_histogram
from minewright.documents.parts import (
    Interval,
    Share,
    judged,
    level,
    listed,
    table_csv,
    write_pages,
)
from minewright.documents.reproduce import Outcome, Request, register
from minewright.game import Game
from minewright.inference import analyze
from minewright.lab import plots
from minewright.lab.page import Block, Figure, Finding, Findings, Heading, Page, Paragraph, Table
from minewright.lab.statistics import CONFIDENCE, normal, wilson
from minewright.position import MAX_NUMBER, Position
from minewright.strategies import Recipe, own_numbers, play
from minewright.strategies.oz import Assistant, solutions_needed
from minewright.strategies.oz import table as solutions_table
from minewright.strategies.play import Watch
from minewright.strategies.strategy import Turn

PAPER: Final = "Collet, Playing the Minesweeper with Constraints"
NAME: Final = "oz-tables"
GAMES: Final = {"quick": 300, "paper": 5000}
PIECE: Final = 10
BOARDS: Final = ("10x10x20", "9x9x10", "16x16x40", "30x16x99")
"""The board of figures 1 and 2, and the usual ones."""

PROPAGATORS: Final = "oz:engines=zero+simple+set"
FIGURE_3: Final = (246, 6)

FIGURE_1: Final = (
    """10x10x20
00001#####
00002#####
11102#####
##101#####
##322#####
"""
    + 5 * (10 * "#" + "\n")
)
FIGURE_2: Final = (
    """10x10x20
1#########
1#########
13########
"""
    + 7 * (10 * "#" + "\n")
)

# Table 1 by its rows; a name is the text's index, row and column from 1.
TABLE_1: Final[Mapping[int, str]] = {
    12: "000111111",
    22: "111000000",
    23: "011011011",
    33: "101101101",
    41: "000000111",
    42: "000111000",
    43: "110110110",
}
TABLE_2: Final[Mapping[tuple[int, ...], tuple[int, int]]] = {
    (12,): (0, 1),
    (22,): (1, 0),
    (41, 42): (0, 1),
    (23, 33, 43): (2, 2),
}


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
    """Safe cells that propagators found."""
    stuck: tuple[tuple[int, Stuck], ...]
    """The positions where they were silent, each with its game."""

    @property
    def savings(self) -> list[float]:
        """How many times as many solutions the binary solver needs, position by position."""
        return [one.binary / one.sets for _, one in self.stuck if one.binary > 0]


@register(NAME, "Solutions, chances and the set solver's saving (tables 1 and 2, figure 3)", PAPER)
def oz_tables(request: Request) -> Outcome:
    """Reproduce tables 1 and 2, figure 1, and figure 3's saving on many positions."""
    plots.require_matplotlib()
    directory = request.out / NAME
    claim(
        directory,
        {
            "reproduction": NAME,
            "scale": request.scale,
            "seed": request.seed,
            "version": version("minewright"),
        },
    )
    counted = _play(request)
    savings = [(one.board, one.savings) for one in counted]
    draw_histogram(
        directory / "saving",
        "Solutions the binary solver computes for each of the set solver's",
        "binary / set solutions of a position (logarithmic)",
        savings,
        mark=(FIGURE_3[0] / FIGURE_3[1], "figure 3: 246 / 6 = 41"),
    )
    findings = (
        _table_1(),
        _table_2(),
        *_figures(),
        _simple(),
        _sets(),
        _partitions(),
        _typical(counted),
        snapshot(counted),
        _usually(counted),
        _rarely(counted),
    )
    page = Page(
        "Oz Minesweeper: solutions and their saving",
        [
            Paragraph(
                f"Tables 1 and 2 and figures 1 to 3 of {PAPER}. {GAMES[request.scale]:,} games a "
                f"board (seed {request.seed}, start rule safe, first move in a corner) are played "
                "by the zero, simple and set propagators, and guessed at the safest cell where "
                "these are silent. Every such position, with its known mines marked as in figure "
                "3, is given to both solvers."
            ),
            Figure("saving.svg", "How many times more solutions the binary solver computes"),
            Heading("Theirs and ours"),
            Findings(findings),
            Paragraph(
                "What the text computes must be met to its last digit. One order of magnitude is "
                "what is nearer to 10 than to 1 and to 100, so the median saving must lie between "
                "3.2 and 31.6; figure 3 agrees if at least a twentieth of the positions of its "
                f"board, {BOARDS[0]}, save as much, and is else undecided, as it is one position "
                "(before games had been seen, any of the boards was enough); "
                "rarely is at most a fifth, most is more than half. Shares and medians have 90% "
                "intervals: a claim agrees if the whole interval lies where it says, differs if "
                "none of it does, and is undecided between."
            ),
            Heading("The saving on many positions"),
            _savings_table(counted),
            Paragraph(
                "A position early in a game saves little: a 1 in the corner has one solution in "
                "sets and three in cells. Where the set solver has at least six solutions, as in "
                "figure 3, the binary solver needs the more, the last columns show. Solutions of "
                "separate components multiply, for both solvers: so the text counts them. The "
                "solvers here solve components apart, and add."
            ),
            *_like_figure_3(request, counted),
            Heading("Table 1"),
            _shown_table_1(),
            Heading("Table 2"),
            _shown_table_2(),
            Paragraph("positions.csv has every position's counts."),
        ],
    )
    rows = ((one.board, game, *stuck) for one in counted for game, stuck in one.stuck)
    write_whole(directory / "positions.csv", table_csv(("board", "game", *Stuck._fields), rows))
    return Outcome(write_pages(directory, page), findings, page.figure)


# Positions of games


def _play(request: Request) -> list[Counted]:
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
    done = complete(request.out / NAME, pieces, request.workers, request.progress)
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
    return counted


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
    """Play a game by propagators, and show each turn."""
    game = Game(Board.parse(board), "safe", seed, stream=stream)
    recipe = Recipe(PROPAGATORS, "safest", "corner")
    play(game, recipe.player(own_numbers(seed, stream)), watch=look)


def _middle(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Give the interval of a median, by the ranks that the binomial law allows."""
    ordered = sorted(values)
    reach = normal(confidence) * sqrt(len(ordered)) / 2
    low = max(0, round(len(ordered) / 2 - reach) - 1)
    high = min(len(ordered) - 1, round(len(ordered) / 2 + reach))
    return ordered[low], ordered[high]


# What the text computes


def _at(position: Position, *names: int) -> tuple[int, ...]:
    return tuple(position.topology.cell(name // 10 - 1, name % 10 - 1) for name in names)


def _rows_1() -> dict[int, str]:
    position = Position.parse(FIGURE_2)
    found = solutions_table(position, "binary")
    column = {cells[0]: at for at, cells in enumerate(found.variables)}
    return {
        name: "".join(str(values[column[cell]]) for values in found.solutions)
        for name in TABLE_1
        for cell in _at(position, name)
    }


def _table_1() -> Finding:
    found = solutions_table(Position.parse(FIGURE_2), "binary")
    same = _rows_1() == TABLE_1 and found.sizes == (comb(89, 17),) * 3 + (comb(89, 16),) * 6
    return Finding(
        "Table 1: the binary solver has nine solutions, s1 to s3 of class size C(89, 17), s4 to s9 "
        "of C(89, 16).",
        f"{len(found.solutions)} solutions, {'the same in the same order' if same else 'others'}.",
        "agrees" if same else "differs",
    )


def _table_2() -> Finding:
    position = Position.parse(FIGURE_2)
    found = solutions_table(position, "sets")
    columns = {_at(position, *names): values for names, values in TABLE_2.items()}
    rows = dict(zip(found.variables, zip(*found.solutions, strict=True), strict=True))
    same = rows == columns and found.rest_mines == (17, 16)
    same &= found.sizes == (3 * comb(89, 17), 6 * comb(89, 16))
    return Finding(
        "Table 2: the set solver has two solutions, which leave 17 and 16 mines to the other 89 "
        "cells.",
        f"{len(found.solutions)} solutions, {'the same in the same order' if same else 'others'}.",
        "agrees" if same else "differs",
    )


def _figures() -> list[Finding]:
    position = Position.parse(FIGURE_2)
    found = solutions_table(position, "sets")
    cells = _at(position, 12, 69, 41)
    chances = [found.chances[cell] for cell in cells]
    parts = (Fraction(1), *chances[:2])
    numbers = [f"{float(found.minefields * share):.3e}" for share in parts]
    shares = [f"{float(chance):.3f}" for chance in chances]
    return [
        Finding(
            "3.333e+18 minefields in all, of which 1.059e+18 mine (1, 2) and 6.247e+17 mine "
            "(6, 9).",
            f"{listed(numbers)}.",
            "agrees" if numbers == ["3.333e+18", "1.059e+18", "6.247e+17"] else "differs",
        ),
        Finding(
            "The chance of a mine is 0.318 at (1, 2), 0.187 at (6, 9) and 0.159 at (4, 1).",
            f"{listed(shares)}.",
            "agrees" if shares == ["0.318", "0.187", "0.159"] else "differs",
        ),
    ]


def _known(engine: str) -> tuple[set[int], set[int]]:
    position = Position.parse(FIGURE_1)
    assistant = Assistant(position.topology, position.mines, (engine,))
    assistant.tell(position)
    assistant.settle()
    known = assistant.known()
    return set(known.safe), set(known.mined)


def _told(engine: str) -> str:
    topology = Position.parse(FIGURE_1).topology
    safe, mined = _known(engine)
    names = [
        listed(
            f"({cell // topology.shape[0] + 1}, {cell % topology.shape[0] + 1})" for cell in some
        )
        for some in (sorted(safe), sorted(mined))
    ]
    return f"Safe: {names[0]}; mined: {names[1]}."


def _simple() -> Finding:
    position = Position.parse(FIGURE_1)
    same = _known("simple") == (set(_at(position, 41, 52)), set(_at(position, 42)))
    return Finding(
        "Figure 1: simple propagators find (4, 2) mined, (4, 1) and (5, 2) safe, and no more.",
        _told("simple"),
        "agrees" if same else "differs",
    )


def _sets() -> Finding:
    position = Position.parse(FIGURE_1)
    safe, mined = set(_at(position, 16, 41, 46, 52, 56)), set(_at(position, 26, 36, 42))
    return Finding(
        "Figure 1: set propagators add (3, 6) and (2, 6) mined, (4, 6), (5, 6) and (1, 6) safe.",
        _told("set"),
        "agrees" if _known("set") == (safe, mined) else "differs",
    )


def _partitions() -> Finding:
    # Bell's triangle: each row begins with the last of the row above.
    row = [1]
    for _ in range(7):
        grown = [row[-1]]
        for value in row:
            grown.append(grown[-1] + value)
        row = grown
    sets = 2**8 - 1
    return Finding(
        "A constraint of 8 cells has 255 set variables and 4140 equations.",
        f"{sets} sets that are not empty, {row[-1]} partitions.",
        "agrees" if (sets, row[-1]) == (255, 4140) else "differs",
    )


# What it observed


def _typical(counted: Sequence[Counted]) -> Finding:
    savings = [saving for one in counted for saving in one.savings]
    many = [
        stuck.binary / stuck.sets
        for one in counted
        for _, stuck in one.stuck
        if stuck.sets >= FIGURE_3[1] and stuck.binary > 0
    ]
    low, high = _middle(savings)
    mean = 10 ** (sum(log10(saving) for saving in savings) / len(savings))
    return Finding(
        "The set solver is typically one order of magnitude more efficient than the binary one.",
        f"The median saving is {median(savings):.1f} times ({low:.1f} to {high:.1f}) over "
        f"{len(savings):,} positions, the geometric mean {mean:.1f}; where the set solver has at "
        f"least {FIGURE_3[1]} solutions the median is {median(many or savings):.1f}.",
        judged((low, high), sqrt(10), sqrt(1000)),
    )


def snapshot(counted: Sequence[Counted]) -> Finding:
    """Compare figure 3's saving with those on its board."""
    saving = FIGURE_3[0] / FIGURE_3[1]
    told, seen = [], {}
    for one in counted:
        share = Share(sum(other >= saving for other in one.savings), len(one.savings))
        seen[one.board] = wilson(share.count, share.total)
        told.append(f"{share.value:.1%} of positions on {one.board}")
    return Finding(
        "Figure 3: 6 solutions where the binary solver would compute 246, 41 times as many.",
        f"So much or more is saved in {listed(told)}.",
        # One position may be a rare one: that denies nothing.
        "agrees" if seen[BOARDS[0]][0] >= 0.05 else "undecided",
    )


def _usually(counted: Sequence[Counted]) -> Finding:
    told, seen = [], []
    for one in counted:
        missed = sum(stuck.safe for _, stuck in one.stuck)
        seen.append(Share(one.found, one.found + missed))
        told.append(f"{seen[-1].value:.2%} on {one.board}")
    low = min(wilson(share.count, share.total, level(len(seen)))[0] for share in seen)
    high = min(wilson(share.count, share.total, level(len(seen)))[1] for share in seen)
    return Finding(
        "The set propagators usually find most of the safe moves.",
        f"Of all safe cells that were to be found they find {listed(told)}.",
        judged((low, high), 0.5),
    )


def _rarely(counted: Sequence[Counted]) -> Finding:
    told, seen = [], []
    for one in counted:
        more = sum(stuck.safe > 0 for _, stuck in one.stuck)
        seen.append(Share(more, len(one.stuck)))
        told.append(f"{seen[-1].value:.1%} on {one.board}")
    ends = [wilson(share.count, share.total, level(len(seen))) for share in seen]
    worst = max(ends, key=lambda interval: interval[1])
    return Finding(
        "The solver rarely finds new moves.",
        f"Where the propagators are silent it finds a safe cell in {listed(told)} of positions.",
        judged(worst, 0.0, 0.2),
    )


# What the page shows


def _savings_table(counted: Sequence[Counted]) -> Table:
    rows = []
    for one in counted:
        savings = one.savings
        tenths = quantiles(savings, n=10)
        many = [
            stuck.binary / stuck.sets
            for _, stuck in one.stuck
            if stuck.sets >= FIGURE_3[1] and stuck.binary > 0
        ]
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
    return Table(
        (
            "board",
            "positions",
            "lowest tenth up to",
            "median",
            "highest tenth from",
            "most",
            "too many for the binary solver",
            "positions with 6 set solutions or more",
            "their median",
        ),
        rows,
    )


def _like_figure_3(request: Request, counted: Sequence[Counted]) -> list[Block]:
    """Show the position that comes nearest to figure 3's two counts, on its board."""
    binary, sets = FIGURE_3
    near = [
        (abs(one.binary - binary), game, one) for game, one in counted[0].stuck if one.sets == sets
    ]
    if not near:
        return []
    _, game, nearest = min(near)
    shown: list[Position] = []

    def look(position: Position, turn: Turn) -> None:
        if turn.guess is not None and any(code <= MAX_NUMBER for code in position.cells):
            needed = solutions_needed(position)
            if (needed["binary"], needed["sets"]) == nearest[:2]:
                shown.append(position)

    watch_game(counted[0].board, request.seed, game, look)
    _, *lines = str(shown[0]).splitlines()
    return [
        Paragraph(
            f"Figure 3's position is lost. This one of game {game} on {counted[0].board} comes "
            f"nearest: {sets} solutions in sets, {nearest.binary} in cells (theirs had {binary})."
        ),
        Table([str(at + 1) for at in range(len(lines[0]))], [list(line) for line in lines]),
    ]


def _shown_table_1() -> Table:
    found = solutions_table(Position.parse(FIGURE_2), "binary")
    sizes = [f"C(89, {mines})" for mines in found.rest_mines]
    rows = [(f"x{name}", *values) for name, values in _rows_1().items()]
    head = ["solution", *(f"s{at + 1}" for at in range(len(found.solutions)))]
    return Table(head, [*rows, ("class size", *sizes)])


def _shown_table_2() -> Table:
    found = solutions_table(Position.parse(FIGURE_2), "sets")
    width = Board.parse(BOARDS[0]).shape[0]
    rows = []
    for at, cells in enumerate(found.variables):
        names = ", ".join(f"{cell // width + 1}{cell % width + 1}" for cell in cells)
        rows.append((f"x{{{names}}}", *(str(values[at]) for values in found.solutions)))
    return Table(
        ("solution", "s1", "s2"),
        [
            *rows,
            ("xR", *map(str, found.rest_mines)),
            ("class size", *(f"{size:.4e}" for size in found.sizes)),
        ],
    )
