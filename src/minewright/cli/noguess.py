"""`minewright noguess` and `minewright verify`: boards without guesses, and their proofs."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from minewright.cli.puzzle_wishes import cell_of, difficulty_of, weights_of
from minewright.cli.seeds import seed_of
from minewright.cli.streams import (
    BEYOND_BUDGET,
    INCONSISTENT,
    INTERRUPTED,
    CommandError,
    complain,
    file_of,
    in_json,
    read,
    write,
    write_file,
)
from minewright.cli.unused import refuse

if TYPE_CHECKING:
    from minewright.noguess import NoGuessBoard

group = typer.Typer(
    name="noguess",
    help="Boards that need no guess: reasoning alone opens everything.",
)


@group.command()
def make(
    context: typer.Context,
    board: Annotated[
        str,
        typer.Option(
            metavar="B", help="The board, such as 30x16x99, beginner, intermediate or expert."
        ),
    ] = "expert",
    first: Annotated[
        str | None,
        typer.Option(metavar="ROW,COL", help="Where to begin, from 0; by default in the middle."),
    ] = None,
    count: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many boards.")] = 1,
    seed: Annotated[
        int,
        typer.Option(parser=seed_of, metavar="S", help="The same seed gives the same boards."),
    ] = 0,
    topology: Annotated[
        str, typer.Option(metavar="NAME", help="Which cells touch; see `minewright topologies`.")
    ] = "moore",
    start: Annotated[
        Literal["open", "safe"], typer.Option(help="What the first cell shows: a 0, or any number.")
    ] = "open",
    clues: Annotated[
        int | None,
        typer.Option(min=1, metavar="K", help="The most clues per step; by default any number."),
    ] = None,
    total: Annotated[
        bool, typer.Option(help="Whether the number of mines may be needed; it counts as a clue.")
    ] = True,
    way: Annotated[
        Literal["repaired", "uniform"],
        typer.Option(help="Move mines where reasoning is stuck, or draw until one is found."),
    ] = "repaired",
    difficulty: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL", help="easy, medium, hard, or a number; see `minewright rate`."
        ),
    ] = None,
    energy: Annotated[
        str | None,
        typer.Option(
            metavar="W1,W2,…",
            help="The cost of a step that needs one clue, two, …; a low total is searched for.",
        ),
    ] = None,
    iterations: Annotated[
        int,
        typer.Option(
            min=0,
            max=10_000_000,
            metavar="N",
            help="How many changes to try for --difficulty or --energy.",
        ),
    ] = 1000,
    proof: Annotated[
        str | None,
        typer.Option(
            parser=file_of,
            metavar="FILE",
            help="Write the proof of a single board, for `verify`.",
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.001, help="The most seconds to spend on one board.")
    ] = 60.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Make boards on which no guess is needed, each with the proof of it."""
    from minewright import noguess
    from minewright.board import Board, BoardError
    from minewright.engine.answers import board_data
    from minewright.inference import Budget, BudgetExceeded
    from minewright.topology import TopologyError, get

    if not seconds > 0:
        raise CommandError(f"--seconds must be more than 0, not {seconds:g}")
    if difficulty is None and energy is None:
        refuse(context, "works only with --difficulty or --energy; leave it out", "iterations")
    if way == "uniform":
        refuse(context, "does not go with --way uniform; leave it out", "iterations")
    if proof is not None and count > 1:
        raise CommandError("--proof writes the proof of one board; use it without --count")
    try:
        wanted = Board.parse(board)
        where = get(topology, wanted.shape)
        cell = None if first is None else cell_of("--first", first, where)
    except (BoardError, TopologyError) as error:
        raise CommandError(str(error)) from None
    wish = None if difficulty is None else difficulty_of(difficulty)
    taste = None if energy is None else weights_of("--energy", energy)
    made: list[dict[str, object]] = []

    def end(code: int = 0) -> int:
        if as_json:
            write(in_json({"boards": made}))
        return code

    for stream in range(count):
        try:
            one = noguess.make(
                wanted,
                first=cell,
                seed=seed,
                stream=stream,
                topology=where,
                start=start,
                clues=clues,
                total=total,
                way=way,
                difficulty=wish,
                energy=taste,
                iterations=iterations,
                budget=Budget(noguess.BUDGET.states, seconds),
            )
            text, data = _text(one), board_data(one)
        except (noguess.NoGuessError, BudgetExceeded) as error:
            return end(complain(str(error), BEYOND_BUDGET))
        except ValueError as error:
            raise CommandError(str(error)) from None
        except KeyboardInterrupt:
            return end(complain("interrupted", INTERRUPTED))
        if proof is not None:
            write_file("--proof", proof, f"{one.proof.json()}\n".encode())
        if as_json:
            made.append(data)
        else:
            write(f"{text}\n")
    return end()


def verify(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A proof, from `noguess make --proof`; or -.")
    ],
) -> int:
    """Check the proof that a board needs no guess, independently of what made it."""
    from minewright.noguess import ProofError, UnreadableProofError
    from minewright.noguess import verify as check

    name = "standard input" if file == "-" else file
    try:
        steps = check(read(file, name).decode(errors="replace"))
    except UnreadableProofError as error:
        raise CommandError(f"{name}: {error}") from None
    except ProofError as error:
        return complain(f"{name}: not proved: {error}", INCONSISTENT)
    write(f"proved: {steps} steps open every safe cell, and none is a guess\n")
    return 0


def _text(made: "NoGuessBoard") -> str:
    """Return the board with its mines, and what it takes to open it."""
    game = made.game()
    game.open(made.first)
    if not game.over:
        game.give_up()
    return (
        f"{game.show()}\n"
        f"Begin at {made.topology.describe(made.first)}. Difficulty {made.difficulty}; "
        f"{made.proof.effort}."
    )
