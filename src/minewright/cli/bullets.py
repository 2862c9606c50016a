"""`minewright bullets`: make, solve, grade and print the paper-and-pencil puzzle."""

import os
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from minewright.cli.bars import watched
from minewright.cli.puzzle_answers import (
    Answer,
    Files,
    Form,
    grade_text,
    graded,
    rated,
    refusal,
    verdict,
)
from minewright.cli.puzzle_wishes import (
    bounded,
    bounds_of,
    budget_of,
    chosen,
    difficulty_of,
    energy_of,
    numbers_of,
    puzzles_in,
    require_pdf,
    shape_of,
    weights_of,
)
from minewright.cli.seeds import seed_of
from minewright.cli.streams import (
    BEYOND_BUDGET,
    INCONSISTENT,
    INTERRUPTED,
    CommandError,
    complain,
    file_of,
    in_json,
    whole_file,
    write,
    write_file,
)
from minewright.cli.unused import refuse

if TYPE_CHECKING:
    from minewright.bullets import Puzzle
    from minewright.bullets.maker import Wishes

group = typer.Typer(
    name="bullets",
    help="The paper-and-pencil puzzle of Neller and Tran: make, solve, grade and print it.",
)

PuzzleFile = Annotated[
    str,
    typer.Argument(metavar="FILE", help="Puzzles as text or JSON; - for standard input."),
]
Number = Annotated[
    int | None, typer.Option(metavar="K", help="Which puzzle of the file, counting from 1.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Seconds = Annotated[
    float, typer.Option(metavar="S", help="The time limit for each puzzle, in seconds.")
]
PaperSize = Annotated[Literal["a4", "letter"], typer.Option(help="The paper size.")]


def _known_topologies() -> list[str]:
    from minewright.topology import topologies

    return list(topologies())


Topology = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Which cells touch; see `minewright topologies`.",
        autocompletion=_known_topologies,
    ),
]


@group.command()
def make(
    context: typer.Context,
    size: Annotated[
        str, typer.Option(metavar="N|WxH", help="The side of a square, or width and height.")
    ] = "7",
    bullets: Annotated[
        int | None,
        typer.Option(metavar="B", help="The number of bullets; by default three per ten cells."),
    ] = None,
    count: Annotated[int, typer.Option(metavar="C", help="The number of puzzles.")] = 1,
    seed: Annotated[
        int, typer.Option(parser=seed_of, metavar="S", help="The same seed gives the same puzzles.")
    ] = 0,
    index: Annotated[
        int, typer.Option(metavar="I", help="Which puzzle of the seed to begin with.")
    ] = 0,
    iterations: Annotated[
        int,
        typer.Option(metavar="I", help="How often to move a bullet in search of a better puzzle."),
    ] = 500,
    samples: Annotated[
        int, typer.Option(metavar="K", help="How many clue sets to try per arrangement.")
    ] = 3,
    restarts: Annotated[
        int, typer.Option(metavar="R", help="How many searches to run; the best puzzle is kept.")
    ] = 1,
    anneal: Annotated[
        str | None,
        typer.Option(metavar="HOT,COLD", help="Use simulated annealing at these temperatures."),
    ] = None,
    energy: Annotated[
        str | None,
        typer.Option(
            metavar="A0,A1,A2[,B0,B1,B2]",
            help="Weights of n0, n1 and n2 (A) and of their squares (B). Lower energy is better;"
            " the paper's weights are 0,-1.5,-3,0,0,1.",
        ),
    ] = None,
    difficulty: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL",
            help="easy, medium or hard: one clue at a time, two at once, three or more. Or a"
            " number: see `minewright rate`.",
        ),
    ] = None,
    refined: Annotated[
        str | None,
        typer.Option(
            metavar="W1,W2,...",
            help="Weights to add to the energy for each step that needs one clue, two, and so on.",
        ),
    ] = None,
    total: Annotated[
        bool, typer.Option(help="Whether the number of bullets may be needed to solve it.")
    ] = True,
    symmetry: Annotated[
        Literal["none", "rotation", "mirror"],
        typer.Option(help="The symmetry of the clue pattern."),
    ] = "none",
    clues: Annotated[
        str | None, typer.Option(metavar="MIN-MAX", help="The fewest and the most clues.")
    ] = None,
    topology: Topology = "moore",
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, max=256, metavar="W", help="The number of processes; by default one per core."
        ),
    ] = None,
    solution: Annotated[bool, typer.Option("--solution", help="Show the solution too.")] = False,
    text: Annotated[
        bool, typer.Option("--text", help="Print only the puzzles, as `solve` reads them.")
    ] = False,
    json: AsJson = False,
    svg: Annotated[
        str | None,
        typer.Option(
            parser=file_of,
            metavar="FILE",
            help="Also draw the puzzle; several go to FILE-1, FILE-2...",
        ),
    ] = None,
    pdf: Annotated[
        str | None,
        typer.Option(
            parser=file_of, metavar="FILE", help="Also make a sheet to print, with the solution."
        ),
    ] = None,
    paper: PaperSize = "a4",
    budget_seconds: Seconds = 600.0,
) -> int:
    """Make puzzles with exactly one solution and no superfluous clue."""
    if text and json:
        raise CommandError("--text and --json exclude each other; give only one of them")
    if text and svg is None:
        refuse(context, "does not go with --text, which prints the puzzles only", "solution")
    from minewright.bullets import PuzzleError, make_many
    from minewright.inference import BudgetExceeded
    from minewright.work.losses import WorkersLost

    if pdf is not None:
        require_pdf()
    else:
        refuse(context, "works only with --pdf; leave it out", "paper")
    wishes: Wishes = {
        "iterations": iterations,
        "samples": samples,
        "seed": seed,
        "restarts": restarts,
        "symmetry": symmetry,
        "total": total,
        "budget": budget_of(budget_seconds),
    }
    if difficulty is not None:
        wishes["difficulty"] = difficulty_of(difficulty)
    if refined is not None:
        wishes["refined"] = weights_of("--refined", refined)
    if anneal is not None:
        hot, cold = numbers_of("--anneal", anneal, "HOT,COLD, such as 3,0.3", (2,))
        wishes["anneal"] = (hot, cold)
    if energy is not None:
        wishes["energy"] = energy_of(energy)
    if clues is not None:
        wishes["clues"] = bounds_of(clues)
    if workers is None:
        workers = max(1, min(count, os.cpu_count() or 1))
    form: Form = "text" if text else "json" if json else "pretty"
    answer = Answer(count, form, solution, Files(count, svg, pdf, paper, solution))
    try:
        with (
            watched("making puzzles", "puzzles") as bar,
            closing(
                make_many(
                    count,
                    shape_of(size),
                    bullets,
                    topology=topology,
                    index=index,
                    workers=workers,
                    progress=bar,
                    **wishes,
                )
            ) as puzzles,
        ):
            for puzzle in puzzles:
                bar.show(partial(answer.add, puzzle))
    except PuzzleError as error:
        if not answer.made:
            raise CommandError(str(error)) from None
        answer.end()
        raise CommandError(f"{answer.tally}: {error}", INCONSISTENT) from None
    except BudgetExceeded as error:
        made = f"{answer.tally}: " if answer.made else ""
        answer.end()
        raise CommandError(f"{made}{error} (--budget-seconds)", BEYOND_BUDGET) from None
    except KeyboardInterrupt:
        answer.end()
        return complain(f"interrupted: {answer.tally}", INTERRUPTED)
    except WorkersLost as error:
        answer.end()
        raise CommandError(f"{answer.tally}: {error}", BEYOND_BUDGET) from None
    answer.end()
    return 0


@group.command()
def solve(
    file: PuzzleFile,
    grading: Annotated[
        Literal["paper", "refined"],
        typer.Option(help="Grade steps by type (0, 1, 2) or by the number of clues they need."),
    ] = "paper",
    number: Number = None,
    json: AsJson = False,
    svg: Annotated[
        str | None,
        typer.Option(parser=file_of, metavar="FILE", help="Also draw the steps as a strip."),
    ] = None,
) -> int:
    """Solve a puzzle step by step, as a person would, and explain each step."""
    puzzle = chosen(puzzles_in(file), file, number)
    from minewright.bullets import solve as solve_puzzle

    def work() -> int:
        report = puzzle.validate()
        if not report.unique:
            write(in_json(puzzle.as_data() | verdict(report)) if json else refusal(report))
            return INCONSISTENT
        found = solve_puzzle(puzzle, grading)
        if svg is not None:
            from minewright.render.steps import solution_svg

            write_file("--svg", svg, solution_svg(found).encode())
        if json:
            write(in_json(found.as_data() | verdict(report)))
            return 0
        from minewright.render.grid import puzzle_text, steps_text
        from minewright.render.terminal import Screen

        screen = Screen.of(sys.stdout)
        write(
            f"{puzzle_text(puzzle, screen)}\n{steps_text(found.steps, screen)}\n"
            f"{puzzle_text(puzzle, screen, puzzle.solution)}{rated(puzzle)}\n"
        )
        return 0

    return bounded(work)


@group.command()
def grade(file: PuzzleFile, number: Number = None, json: AsJson = False) -> int:
    """Grade puzzles: how good and how hard they are, and whether they are well-formed."""
    puzzles = puzzles_in(file)
    if number is not None:
        puzzles = [chosen(puzzles, file, number)]

    def work() -> int:
        reports = [puzzle.validate() for puzzle in puzzles]
        if json:
            write(in_json({"puzzles": [graded(report) for report in reports]}))
        else:
            write("\n".join(map(grade_text, reports)))
        return 0 if all(report.unique for report in reports) else INCONSISTENT

    return bounded(work)


@group.command()
def book(
    context: typer.Context,
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE]...", help="Puzzles as text or JSON; without files, new ones are made."
        ),
    ] = None,
    out: Annotated[
        str, typer.Option(parser=file_of, metavar="FILE", help="The PDF to write.")
    ] = "bullets.pdf",
    paper: PaperSize = "a4",
    title: Annotated[str, typer.Option(metavar="TEXT", help="The title on the cover.")] = "Bullets",
    count: Annotated[int, typer.Option(metavar="C", help="The number of puzzles.")] = 24,
    size: Annotated[
        str,
        typer.Option(
            metavar="N|WxH,...",
            help="The side of a square, or width and height; several are used in turn.",
        ),
    ] = "7",
    bullets: Annotated[
        int | None,
        typer.Option(metavar="B", help="The number of bullets; by default three per ten cells."),
    ] = None,
    symmetry: Annotated[
        Literal["none", "rotation", "mirror"],
        typer.Option(help="The symmetry of the clue patterns."),
    ] = "none",
    energy: Annotated[
        str | None,
        typer.Option(metavar="A0,A1,A2[,B0,B1,B2]", help="The energy, as in `bullets make`."),
    ] = None,
    total: Annotated[
        bool, typer.Option(help="Whether the number of bullets may be needed.")
    ] = True,
    seed: Annotated[
        int, typer.Option(parser=seed_of, metavar="S", help="The same seed gives the same puzzles.")
    ] = 0,
    topology: Topology = "moore",
    budget_seconds: Seconds = 600.0,
) -> int:
    """Print puzzles in order of difficulty, with rules, an example, hints and the solutions."""
    from minewright.bullets import PuzzleError
    from minewright.bullets.book import Book, imprint, rising
    from minewright.bullets.printed import BookError, checked_title
    from minewright.inference import BudgetExceeded
    from minewright.render.printing import book_pdf

    if files:
        new = ("count", "size", "bullets", "seed", "topology", "symmetry", "energy", "total")
        why = "is for new puzzles; leave out either it or the files"
        refuse(context, why, *new, "budget_seconds")
    if not Path(out).absolute().parent.is_dir():
        raise CommandError(f"--out {out}: the directory does not exist")
    # Find out what is wrong before the work, not after it.
    require_pdf()
    stopped, code = "", 0
    try:
        title = checked_title(title)
        with whole_file("--out", out) as target:
            if files:
                bound = Book.bind((one for file in files for one in puzzles_in(file)), title)
            else:
                shapes: list[int | tuple[int, ...]] = [*map(shape_of, size.split(","))]
                wishes: Wishes = {
                    "seed": seed,
                    "symmetry": symmetry,
                    "total": total,
                    "budget": budget_of(budget_seconds),
                }
                if energy is not None:
                    wishes["energy"] = energy_of(energy)
                made = rising(count, shapes, bullets, topology=topology, **wishes)
                puzzles, stopped, code = _made(made, count)
                if stopped and not puzzles:
                    raise CommandError(f"{stopped}; {out} was not written", code)
                bound = Book.bind(puzzles, title, imprint(seed))
            target.write(book_pdf(bound, paper))
    except (BookError, PuzzleError) as error:
        raise CommandError(str(error)) from None
    except BudgetExceeded as error:
        raise CommandError(str(error), BEYOND_BUDGET) from None
    write(f"{out}: {bound.subtitle}\n")
    return complain(stopped, code) if stopped else 0


def _made(new: "Iterator[Puzzle]", count: int) -> "tuple[list[Puzzle], str, int]":
    """Make the puzzles of a book, with a bar for those who wait.

    Return those that were made, and if something stopped the work, a line about it and its exit
    code.
    """
    from minewright.inference import BudgetExceeded

    puzzles: list[Puzzle] = []
    stopped, code = "", 0
    with watched("making puzzles", "puzzles") as bar:
        bar.begin(count, 0)
        try:
            for puzzle in new:
                puzzles.append(puzzle)
                bar.advance(1)
        except KeyboardInterrupt:
            stopped, code = f"stopped after {len(puzzles):,} of {count:,} puzzles", INTERRUPTED
        except BudgetExceeded as error:
            made = f"{len(puzzles):,} of {count:,} puzzles made: " if puzzles else ""
            stopped, code = f"{made}{error} (--budget-seconds)", BEYOND_BUDGET
    return puzzles, stopped, code
