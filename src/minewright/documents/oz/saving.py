"""What the set solver saves, position by position, and the position nearest to figure 3's."""

from collections.abc import Sequence
from statistics import median, quantiles
from typing import Final

from minewright.documents.oz import figures
from minewright.documents.oz.stuck import Counted, Data, watch_game
from minewright.lab.page import Block, Heading, Paragraph, Table
from minewright.position import MAX_NUMBER, Position
from minewright.strategies.oz import solutions_needed
from minewright.strategies.strategy import Turn

FIGURE_3: Final = (246, 6)
SAVING: Final = FIGURE_3[0] / FIGURE_3[1]


def blocks(data: Data) -> list[Block]:
    """Show the saving, the nearest position, and both tables."""
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
                f"{median(one.speedups() or [0]):.1f}",
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
        "median of the time",
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
