"""`minewright patterns`: the pattern book, and collecting one."""

from typing import TYPE_CHECKING, Annotated

import typer

from minewright.cli.bars import watched
from minewright.cli.seeds import seed_of
from minewright.cli.streams import (
    BEYOND_BUDGET,
    INTERRUPTED,
    CommandError,
    complain,
    file_of,
    in_json,
    whole_file,
    write,
    write_file,
)

if TYPE_CHECKING:
    from minewright.patterns import Book

group = typer.Typer(
    name="patterns",
    help="The patterns that games are made of, most frequent first.",
)


@group.command("list")
def show(
    count: Annotated[int, typer.Option(min=1, metavar="N", help="How many patterns.")] = 12,
    svg: Annotated[
        str | None,
        typer.Option(parser=file_of, metavar="FILE", help="Draw them instead, into a file."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show the most frequent patterns, each with its reason."""
    from minewright.patterns import book

    known = book()
    if svg is not None:
        from minewright.render.patterns import book_svg

        write_file("--svg", svg, book_svg(known, count).encode())
    if as_json:
        write(in_json(_data(known, count)))
    elif svg is None:
        write(_text(known, count))


@group.command()
def collect(
    out: Annotated[
        str,
        typer.Option(parser=file_of, metavar="FILE", help="Where to write the book, as JSON."),
    ],
    games: Annotated[
        int, typer.Option(min=1, max=10_000_000, metavar="N", help="Games on each board.")
    ] = 10_000,
    seed: Annotated[
        int,
        typer.Option(parser=seed_of, metavar="S", help="The same seed gives the same games."),
    ] = 1,
    boards: Annotated[
        str, typer.Option(metavar="B,B,…", help="The boards, separated by commas.")
    ] = "9x9x10,16x16x40,30x16x99",
    most: Annotated[int, typer.Option(min=1, metavar="N", help="How many patterns to keep.")] = 60,
    workers: Annotated[int, typer.Option(min=1, max=256, metavar="N", help="Processes.")] = 1,
) -> int:
    """Play games by the simplest steps, and write the book of their patterns."""
    from minewright.board import Board, BoardError
    from minewright.game import GameError
    from minewright.inference import BudgetExceeded
    from minewright.patterns.collect import Stopped, collect
    from minewright.topology import TopologyError

    names = [name.strip() for name in boards.split(",")]
    stopped = False
    try:
        for name in names:
            Board.parse(name)
        # Open the file first: games can take hours, and it may not be writable.
        with whole_file("--out", out) as target, watched("patterns", "games") as progress:
            try:
                made = collect(names, games, seed, workers=workers, most=most, progress=progress)
            except Stopped as stop:
                if stop.book is None:
                    raise CommandError(
                        f"stopped too early for a book; {out} was not written", INTERRUPTED
                    ) from None
                made, stopped = stop.book, True
            target.write(made.json().encode())
    except (BoardError, GameError, TopologyError) as error:
        raise CommandError(f"--boards: {error}") from None
    except BudgetExceeded as error:
        raise CommandError(str(error), BEYOND_BUDGET) from None
    if stopped:
        total = len(names) * games
        told = f"stopped after {made.games:,} of {total:,} games; {out} is the book of these"
        return complain(told, INTERRUPTED)
    return 0


def _data(known: "Book", count: int) -> dict[str, object]:
    return {
        "games": known.games,
        "boards": list(known.boards),
        "seed": known.seed,
        "steps": known.steps,
        "patterns": [
            {
                "text": one.text,
                "name": one.name,
                "clues": one.form.clues,
                "per_100_games": round(100 * one.steps / known.games, 2),
                "share_of_games": round(one.games / known.games, 4),
                "opened": round(one.opened / one.steps, 2),
                "mined": round(one.mined / one.steps, 2),
                "sentence": one.form.step.sentence,
            }
            for one in known.patterns[:count]
        ],
    }


def _text(known: "Book", count: int) -> str:
    parts = []
    for number, one in enumerate(known.patterns[:count], 1):
        rate = f"{100 * one.steps / known.games:,.1f} per 100 games"
        opened = f"opens {one.opened / one.steps:.1f} cells on average"
        board = "\n".join(f"    {row}" for row in one.text.split("\n"))
        parts.append(f"{number}. {one.name}: {rate}, {opened}\n{board}\n{one.form.step}\n")
    return "\n".join(parts)
