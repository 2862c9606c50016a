"""`minewright optimal`: best play on a small board, exactly."""

from typing import Annotated, Literal

import typer

from minewright.cli.bars import watched
from minewright.cli.streams import BEYOND_BUDGET, CommandError, in_json, write


def optimal(
    board: Annotated[
        str, typer.Option(metavar="B", help="The board, such as 4x4x4.", show_default=False)
    ],
    start: Annotated[
        Literal["any", "safe", "open"],
        typer.Option(
            help="The first opening may hit a mine (any), never does (safe), or has no mine next "
            "to it either (open)."
        ),
    ] = "any",
    topology: Annotated[
        str, typer.Option(metavar="NAME", help="Which cells touch; see `minewright topologies`.")
    ] = "moore",
    budget_seconds: Annotated[
        float, typer.Option(metavar="S", help="The time limit, in seconds.")
    ] = 3600.0,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Solve a small board: how often best play wins, exactly, from every first cell."""
    from minewright.board import Board, BoardError
    from minewright.champion import SOLVING, ChampionError
    from minewright.champion import optimal as solve
    from minewright.inference import Budget, BudgetExceeded
    from minewright.topology import TopologyError

    if not budget_seconds > 0:
        raise CommandError(f"--budget-seconds must be more than 0, not {budget_seconds:g}")
    try:
        size = Board.parse(board)
        budget = Budget(SOLVING.states, min(budget_seconds, 1e9))
        with watched(f"Solving {size}") as bar:
            bar.begin(0, 0)
            found = solve(size, start, topology, budget=budget)
    except (BoardError, TopologyError, ChampionError) as error:
        raise CommandError(str(error)) from None
    except BudgetExceeded as error:
        raise CommandError(f"{error} (--budget-seconds)", BEYOND_BUDGET) from None
    shape = found.topology
    if json:
        moves = [
            {
                "cell": shape.coordinates(move.cell),
                "won": move.won,
                "minefields": move.minefields,
                "share": float(move.share),
            }
            for move in found.first_moves
        ]
        write(
            in_json(
                {"board": str(size), "start": start, "topology": shape.name, "first_moves": moves}
            )
        )
        return 0
    write(f"{size} {shape.name}, start {start}: best play from each first cell, up to symmetry\n")
    for move in found.first_moves:
        share = f"{move.won:,} of {move.minefields:,}"
        write(f"{float(move.share):9.4%}  {share:<24}{shape.describe(move.cell)}\n")
    return 0
