"""`minewright rate`: how hard boards, games and puzzles are."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from minewright.cli.bars import watched
from minewright.cli.puzzle_wishes import cell_of
from minewright.cli.seeds import seed_of
from minewright.cli.streams import (
    BEYOND_BUDGET,
    INTERRUPTED,
    CommandError,
    complain,
    in_json,
    read,
    write,
)
from minewright.cli.unused import refuse

if TYPE_CHECKING:
    from minewright.board import Board
    from minewright.position import Position
    from minewright.rating import Rateable, Rating, Summary


def rate(
    context: typer.Context,
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="A minefield, a position, a replay, boards or a proof of `noguess make`, or"
            " Bullets puzzles; - for standard input.",
            show_default=False,
        ),
    ] = None,
    board: Annotated[
        str | None,
        typer.Option(metavar="B", help="Instead, rate ordinary boards, such as 30x16x99."),
    ] = None,
    count: Annotated[
        int, typer.Option(min=1, max=1_000_000, metavar="N", help="How many boards of --board.")
    ] = 1,
    seed: Annotated[
        int,
        typer.Option(parser=seed_of, metavar="S", help="The same seed gives the same boards."),
    ] = 0,
    topology: Annotated[
        str, typer.Option(metavar="NAME", help="Which cells of --board touch.")
    ] = "moore",
    start: Annotated[
        Literal["any", "safe", "open"], typer.Option(help="The start rule of --board.")
    ] = "open",
    first: Annotated[
        str | None,
        typer.Option(
            metavar="ROW,COL",
            help="Where to begin, from 0; by default where the game began, or near the middle.",
        ),
    ] = None,
    guesser: Annotated[
        str, typer.Option(metavar="NAME", help="Who guesses where nothing is certain.")
    ] = "champion",
    samples: Annotated[
        int,
        typer.Option(min=1, max=10_000, help="Minefields to rate that fit a position."),
    ] = 50,
    puzzles: Annotated[
        bool, typer.Option("--puzzles", help="Read a text as Bullets puzzles, not as a position.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Rate boards: 3BV, openings, steps by the clues they need, guesses, and the difficulty."""
    from minewright.board import Board, BoardError
    from minewright.game import GameError
    from minewright.inference import BudgetExceeded
    from minewright.position import Position
    from minewright.rating import Summary, rate_boards, rate_fitting
    from minewright.rating import rate as rate_one
    from minewright.strategies import StrategyError
    from minewright.topology import TopologyError

    if (file is None) == (board is None):
        raise CommandError("rate takes either a FILE or --board; give one of them")
    if file is not None:
        why = "works only with --board, not with a file"
        refuse(context, why, "count", "topology", "start")
    else:
        refuse(context, "works only with a file, not with --board", "samples", "puzzles")
    found: Iterator[Rating]
    unit, exhaustive = "boards", False
    try:
        if board is not None:
            wanted = Board.parse(board)
            cell = _cell(wanted, topology, first)
            total = count
            found = rate_boards(
                wanted, count, seed, topology=topology, start=start, first=cell, guesser=guesser
            )
        else:
            assert file is not None, "checked above"
            things = _read(file, puzzles)
            if len(things) == 1 and isinstance(things[0], Position):
                if first is not None:
                    raise CommandError("--first: a position has begun already; leave it out")
                unit = "minefields"
                found, total, exhaustive = rate_fitting(
                    things[0], samples=samples, guesser=guesser, seed=seed
                )
            else:
                refuse(context, "works only with a position; leave it out", "samples")
                boards = [thing for thing in things if not isinstance(thing, Position)]
                total = len(boards)
                found = (
                    rate_one(
                        thing,
                        first=None if first is None else cell_of("--first", first, thing.topology),
                        guesser=guesser,
                        seed=seed,
                    )
                    for thing in boards
                )
        ratings, stopped = _collect(found, total, unit)
    except (BoardError, TopologyError, GameError, StrategyError) as error:
        raise CommandError(str(error)) from None
    except BudgetExceeded as error:
        raise CommandError(str(error), BEYOND_BUDGET) from None
    except ValueError as error:
        raise CommandError(str(error)) from None
    so_far = f"stopped after {len(ratings):,} of {total:,} {unit}"
    if stopped and exhaustive:
        # They come in a fixed order, and a summary of all of them has no intervals.
        return complain(f"{so_far}; the first ones alone would not be a fair sample", INTERRUPTED)
    if ratings:
        what = f"{'all ' if exhaustive else ''}{len(ratings)} {unit}"
        fit = " that fit the position" if unit == "minefields" else ""
        _show(Summary(ratings, all=exhaustive), json, f"{what}{fit}")
    return complain(so_far, INTERRUPTED) if stopped else 0


def _collect(found: "Iterator[Rating]", count: int, unit: str) -> "tuple[tuple[Rating, ...], bool]":
    """Rate one after another, with a bar for those who wait.

    Return the ratings, and whether an interrupt ended this.
    """
    ratings = []
    stopped = False
    with watched("rate", unit) as bar:
        bar.begin(count, 0)
        try:
            for rating in found:
                ratings.append(rating)
                bar.advance(1)
        except KeyboardInterrupt:
            stopped = True
    return tuple(ratings), stopped


def _read(file: str, puzzles: bool) -> "list[Rateable | Position]":
    from minewright.formats import FormatError
    from minewright.rating.files import read_rateables

    name = "standard input" if file == "-" else file
    try:
        found = read_rateables(read(file, name), name, puzzles=puzzles)
    except FormatError as error:
        raise CommandError(f"{name}: {error}") from None
    if not found:
        raise CommandError(f"{name}: there is nothing to rate in it")
    return found


def _cell(board: "Board", topology: str, first: str | None) -> int | None:
    from minewright.topology import get

    return None if first is None else cell_of("--first", first, get(topology, board.shape))


def _show(summary: "Summary", json: bool, what: str) -> None:
    if json:
        ratings = [rating.as_data() for rating in summary.ratings]
        write(in_json({"ratings": ratings, "summary": summary.as_data()}))
    elif len(summary.ratings) == 1:
        write(_one(summary.ratings[0]))
    else:
        write(_many(summary, what))


def _one(rating: "Rating") -> str:
    """Return a rating in a few lines."""
    from minewright.board import Board
    from minewright.messages import counted
    from minewright.topology import get

    name = "" if rating.topology == "moore" else f" {rating.topology}"
    lines = [f"{rating.board}{name}"]
    if rating.first is not None:
        shape = Board.parse(rating.board).shape
        topology = get(rating.topology, shape)
        lines[0] += f", begun at {topology.describe(topology.cell(*rating.first))}"
    if rating.bbbv is not None and rating.openings is not None:
        lines.append(f"3BV {rating.bbbv}, {counted(rating.openings, 'opening')}")
    lines.append(f"{rating.effort}; workload {rating.workload}")
    if rating.guesses:
        who = "it" if rating.guesses == 1 else "at least one of them"
        hit = "" if rating.won else f"; {who} hits a mine"
        lines.append(
            f"{counted(rating.guesses, 'guess')} under best play, safe with a chance of"
            f" {rating.chance:.1%}{hit}"
        )
    else:
        lines.append(f"No guess needed. Difficulty {rating.difficulty}, {rating.level}")
    return "".join(f"{line}\n" for line in lines)


def _many(summary: "Summary", what: str) -> str:
    """Return a summary in a few lines."""
    from minewright.messages import counted

    names = {
        "bbbv": "3BV",
        "openings": "openings",
        "steps": "steps",
        "workload": "workload",
        "guesses": "guesses under best play",
        "chance": "chance that all guesses are safe",
        "difficulty": "difficulty of those without guesses",
    }
    lines = [f"{what}; means{'' if summary.all else ' with 95% intervals'}"]
    for figure, name in names.items():
        found = summary.mean(figure)
        if found is not None:
            mean, half = found
            reach = "" if half is None else f" ± {half:.3f}"
            lines.append(f"  {name:<36}{mean:9.3f}{reach}")
    share, low, high = summary.won
    lines += [
        f"  {'share won':<36}{share:9.1%}" + ("" if summary.all else f" ({low:.1%} to {high:.1%})"),
        f"  {'boards without guesses':<36}{summary.without_guesses:9,}",
        f"  {'hardest step':<36}"
        + ", ".join(
            f"{counted(clues, 'clue')}: {counted(boards, 'board')}"
            for clues, boards in summary.hardest.items()
        ),
    ]
    return "".join(f"{line}\n" for line in lines)
