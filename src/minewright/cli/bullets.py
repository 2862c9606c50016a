"""`minewright bullets`: making, solving, grading and printing the paper-and-pencil puzzle."""

import os
import sys
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial
from math import isfinite
from pathlib import Path
from threading import Lock, Timer
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from minewright.cli.streams import (
    BEYOND_BUDGET,
    INCONSISTENT,
    INTERRUPTED,
    CommandError,
    complain,
    interruptible,
    read,
    unbroken,
    write,
)

if TYPE_CHECKING:
    from rich.progress import Progress

    from minewright.bullets import Energy, Grade, Puzzle, Report
    from minewright.bullets.maker import Wishes

PATIENCE: Final = 2.0
"""After so many seconds a bar shows how far the work is."""

group = typer.Typer(
    name="bullets",
    help="The paper-and-pencil puzzle of Neller and Tran: make, solve, grade and print it.",
    no_args_is_help=True,
)

PuzzleFile = Annotated[
    str,
    typer.Argument(metavar="FILE", help="Puzzles as text or JSON; - for standard input."),
]
Number = Annotated[int | None, typer.Option(metavar="K", help="Which puzzle of the file, from 1.")]
Form = Literal["pretty", "text", "json"]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
PaperSize = Annotated[Literal["a4", "letter"], typer.Option(help="What it is printed on.")]


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
    size: Annotated[
        str, typer.Option(metavar="N|WxH", help="The side of a square, or both.")
    ] = "7",
    bullets: Annotated[
        int | None,
        typer.Option(metavar="B", help="How many bullets; three cells of ten if not said."),
    ] = None,
    count: Annotated[int, typer.Option(metavar="C", help="How many puzzles.")] = 1,
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed, the same puzzles.")] = 0,
    index: Annotated[int, typer.Option(metavar="I", help="The first puzzle of the seed.")] = 0,
    iterations: Annotated[
        int,
        typer.Option(metavar="I", help="How often a bullet is moved in search of a better one."),
    ] = 500,
    samples: Annotated[
        int, typer.Option(metavar="K", help="How many clue sets are tried for an arrangement.")
    ] = 3,
    restarts: Annotated[
        int, typer.Option(metavar="R", help="How many searches the best puzzle is taken from.")
    ] = 1,
    anneal: Annotated[
        str | None,
        typer.Option(metavar="HOT,COLD", help="Simulated annealing between these temperatures."),
    ] = None,
    energy: Annotated[
        str | None,
        typer.Option(
            metavar="A0,A1,A2[,B0,B1,B2]",
            help="Weights: A of n0, n1 and n2, B of their squares. Less energy is better;"
            " the paper's is 0,-1.5,-3,0,0,1.",
        ),
    ] = None,
    difficulty: Annotated[
        Literal["easy", "medium", "hard"] | None, typer.Option(help="How hard it shall be.")
    ] = None,
    symmetry: Annotated[
        Literal["none", "rotation", "mirror"], typer.Option(help="Of the pattern of clues.")
    ] = "none",
    clues: Annotated[
        str | None, typer.Option(metavar="MIN-MAX", help="How many clues it may have.")
    ] = None,
    topology: Topology = "moore",
    workers: Annotated[
        int | None, typer.Option(metavar="W", help="How many threads; one a core if not said.")
    ] = None,
    solution: Annotated[bool, typer.Option("--solution", help="Show the solution too.")] = False,
    text: Annotated[
        bool, typer.Option("--text", help="Print only the puzzles, as `solve` reads them.")
    ] = False,
    json: AsJson = False,
    svg: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Also draw the puzzle; several as FILE-1, FILE-2..."),
    ] = None,
    pdf: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Also set it on a sheet to print, with its solution."),
    ] = None,
    paper: PaperSize = "a4",
) -> int:
    """Make puzzles with exactly one solution and no clue too many."""
    if text and json:
        raise CommandError("--text and --json are two forms of one answer: give one of them")
    from minewright.bullets import PuzzleError, make_many

    if pdf is not None:
        _need_pdf()
    wishes: Wishes = {
        "iterations": iterations,
        "samples": samples,
        "seed": seed,
        "restarts": restarts,
        "symmetry": symmetry,
        "difficulty": difficulty,
    }
    if anneal is not None:
        hot, cold = _numbers("--anneal", anneal, "HOT,COLD, such as 3,0.3", (2,))
        wishes["anneal"] = (hot, cold)
    if energy is not None:
        wishes["energy"] = _energy(energy)
    if clues is not None:
        wishes["clues"] = _bounds(clues)
    if workers is None:
        workers = max(1, min(count, os.cpu_count() or 1))
    form: Form = "text" if text else "json" if json else "pretty"
    answer = _Answer(count, form, solution, _Files(count, svg, pdf, paper))
    try:
        puzzles = make_many(
            count, _shape(size), bullets, topology=topology, index=index, workers=workers, **wishes
        )
        with _Bar("making puzzles", count) as bar:
            for puzzle in puzzles:
                bar.step(partial(answer.add, puzzle))
    except PuzzleError as error:
        if not answer.made:
            raise CommandError(str(error)) from None
        answer.end()
        raise CommandError(f"{answer.tally}: {error}", INCONSISTENT) from None
    except KeyboardInterrupt:
        answer.end()
        complain(f"interrupted: {answer.tally}", INTERRUPTED)
        if workers > 1:
            # Searches under way hear nothing: leave them behind with the process.
            os._exit(INTERRUPTED)
        return INTERRUPTED
    answer.end()
    return 0


@group.command()
def solve(
    file: PuzzleFile,
    grading: Annotated[
        Literal["paper", "refined"],
        typer.Option(help="Types 0, 1 and 2, or the number of clues needed."),
    ] = "paper",
    number: Number = None,
    json: AsJson = False,
    svg: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also draw the steps as a strip.")
    ] = None,
) -> int:
    """Solve a puzzle step by step, as a person would, and say why."""
    puzzle = _one(_read_puzzles(file), file, number)
    from minewright.bullets import solve as solve_puzzle

    def work() -> int:
        report = puzzle.validate()
        if not report.unique:
            write(_in_json(puzzle.as_data() | _verdict(report)) if json else _refusal(report))
            return INCONSISTENT
        found = solve_puzzle(puzzle, grading)
        if svg is not None:
            _write_file("--svg", svg, found.strip_svg().encode())
        if json:
            write(_in_json(found.as_data() | _verdict(report)))
            return 0
        from minewright.render.grid import puzzle_text, steps_text
        from minewright.render.terminal import Screen

        screen = Screen.of(sys.stdout)
        write(
            f"{puzzle_text(puzzle, screen)}\n{steps_text(found.steps, screen)}\n"
            f"{puzzle_text(puzzle, screen, puzzle.solution)}{_rated(found.grade)}\n"
        )
        return 0

    return _bounded(work)


@group.command()
def grade(file: PuzzleFile, number: Number = None, json: AsJson = False) -> int:
    """Say how good and how hard puzzles are, and whether solution and clues are as they should."""
    puzzles = _read_puzzles(file)
    if number is not None:
        puzzles = [_one(puzzles, file, number)]

    def work() -> int:
        reports = [puzzle.validate() for puzzle in puzzles]
        graded = [_graded(report) for report in reports]
        if json:
            write(_in_json({"puzzles": graded}))
        else:
            write("\n".join(map(_grade_text, reports)))
        return 0 if all(report.unique for report in reports) else INCONSISTENT

    return _bounded(work)


@group.command()
def book(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE]...", help="Puzzles as text or JSON; new ones if none."),
    ] = None,
    out: Annotated[str, typer.Option(metavar="FILE", help="The PDF to write.")] = "bullets.pdf",
    paper: PaperSize = "a4",
    title: Annotated[str, typer.Option(metavar="TEXT", help="On the cover.")] = "Bullets",
    count: Annotated[
        int | None, typer.Option(metavar="C", help="How many puzzles.", show_default="24")
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(metavar="N|WxH", help="The side of a square, or both.", show_default="7"),
    ] = None,
    bullets: Annotated[
        int | None,
        typer.Option(metavar="B", help="How many bullets; three cells of ten if not said."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="S", help="The same seed, the same puzzles.", show_default="0"),
    ] = None,
    topology: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Which cells touch; see `minewright topologies`.",
            autocompletion=_known_topologies,
            show_default="moore",
        ),
    ] = None,
) -> int:
    """Print puzzles by rising difficulty, with rules, a worked example and the solutions."""
    from minewright.bullets import PuzzleError
    from minewright.bullets.book import Book, BookError, checked_title, imprint, rising
    from minewright.inference import BudgetExceeded

    wishes = {"count": count, "size": size, "bullets": bullets, "seed": seed, "topology": topology}
    given = [name for name, wish in wishes.items() if wish is not None]
    if files and given:
        raise CommandError(f"--{given[0]} is for new puzzles: leave it out, or the files")
    if not Path(out).absolute().parent.is_dir():
        raise CommandError(f"--out {out}: there is no such directory to write to")
    # What is wrong shows before the work, not after it.
    _need_pdf()
    puzzles: list[Puzzle] = []
    try:
        title = checked_title(title)
        if files:
            puzzles += (puzzle for file in files for puzzle in _read_puzzles(file))
            bound = interruptible(lambda: Book.bind(puzzles, title))
        else:
            count, seed = 24 if count is None else count, seed or 0
            shape = _shape("7" if size is None else size)
            new = rising(count, shape, bullets, topology=topology or "moore", seed=seed)
            with _Bar("making puzzles", count) as bar:
                for puzzle in new:
                    bar.step(partial(puzzles.append, puzzle))
            bound = Book.bind(puzzles, title, imprint(seed))
        drawing = bound.pdf(paper)
    except (BookError, PuzzleError) as error:
        raise CommandError(str(error)) from None
    except BudgetExceeded as error:
        raise CommandError(str(error), BEYOND_BUDGET) from None
    _write_file("--out", out, drawing)
    write(f"{out}: {bound.subtitle}\n")
    return 0


@dataclass(frozen=True, slots=True)
class _Files:
    """The files a puzzle is drawn in beside what is printed; several get numbers."""

    count: int
    svg: str | None
    pdf: str | None
    paper: Literal["a4", "letter"]

    def draw(self, puzzle: "Puzzle", number: int) -> None:
        """Draw a puzzle in all that are wanted."""
        if self.svg is not None:
            _write_file("--svg", self._name(self.svg, number), puzzle._repr_svg_().encode())
        if self.pdf is not None:
            from minewright.bullets.book import BookError
            from minewright.bullets.sheet import Sheet

            try:
                drawing = Sheet.of(puzzle).pdf(self.paper)
            except BookError as error:
                raise CommandError(f"--pdf: {error}") from None
            _write_file("--pdf", self._name(self.pdf, number), drawing)

    def _name(self, file: str, number: int) -> str:
        path = Path(file)
        return str(path.with_stem(f"{path.stem}-{number}")) if self.count > 1 else file


class _Answer:
    """The puzzles made so far, shown at once, or at the end where they make one object."""

    def __init__(self, count: int, form: Form, solution: bool, files: _Files) -> None:
        self.count = count
        self.form = form
        self.solution = solution
        self.files = files
        self.made: list[Puzzle] = []

    @property
    def tally(self) -> str:
        """How many there are."""
        return f"{len(self.made):,} of {self.count:,} puzzles made"

    def add(self, puzzle: "Puzzle") -> None:
        """Show a puzzle, or keep it for the end."""
        self.made.append(puzzle)
        self.files.draw(puzzle, len(self.made))
        if self.form == "text":
            blank = "\n" if len(self.made) > 1 else ""
            write(f"{blank}{puzzle}\n")
        elif self.form == "pretty":
            write(self._pretty(puzzle))

    def end(self) -> None:
        """Show what was kept."""
        if self.form == "json" and self.made:
            write(_in_json({"puzzles": [_made_data(puzzle) for puzzle in self.made]}))

    def _pretty(self, puzzle: "Puzzle") -> str:
        from minewright.render.grid import puzzle_text
        from minewright.render.terminal import Screen

        screen = Screen.of(sys.stdout)
        head = f"Puzzle {len(self.made):,} of {self.count:,}: " if self.count > 1 else ""
        text = f"{head}{_described(puzzle)}\n{puzzle_text(puzzle, screen)}"
        if self.solution:
            text += f"Solution\n{puzzle_text(puzzle, screen, puzzle.solution)}"
        end = "\n" if len(self.made) < self.count else ""
        return f"{text}{_rated(puzzle.grade())}\n{_link(puzzle)}{end}"


class _Bar:
    """A bar on standard error, if somebody looks and the work takes its time."""

    def __init__(self, name: str, total: int) -> None:
        self._name = name
        self._total = total if total > 1 else None
        self._done = 0
        self._progress: Progress | None = None
        self._lock = Lock()
        self._timer = Timer(PATIENCE, self._show)
        self._timer.daemon = True

    def __enter__(self) -> "_Bar":
        if sys.stderr is not None and sys.stderr.isatty():
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            if self._progress is not None:
                self._progress.stop()

    def step(self, show: Callable[[], None]) -> None:
        """Show something, out of the bar's way, and count it."""
        with self._lock:
            if self._progress is not None:
                self._progress.stop()
            with unbroken():
                show()
                self._done += 1
            if self._progress is not None:
                self._progress.update(self._progress.task_ids[0], completed=self._done)
                self._progress.start()

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import Progress

        with self._lock:
            self._progress = Progress(console=Console(stderr=True), transient=True)
            self._progress.add_task(self._name, total=self._total, completed=self._done)
            self._progress.start()


# What is shown


def _described(puzzle: "Puzzle") -> str:
    from minewright.board import counted, write_sides

    name = "" if puzzle.topology.name == "moore" else f" {puzzle.topology.name}"
    counts = f"{counted(puzzle.bullets, 'bullet')}, {counted(len(puzzle.clues), 'clue')}"
    return f"{write_sides(puzzle.topology.shape)}{name}, {counts}"


def _rated(grade: "Grade") -> str:
    """Say the grade in words: what the three numbers count, the energy, the difficulty."""
    from minewright.board import counted

    return (
        f"{counted(grade.n0, 'step')} by one clue, {grade.n1:,} by several,"
        f" {counted(grade.n2, 'bullet')} by the total; energy {grade.energy:g}, {grade.difficulty}"
    )


def _link(puzzle: "Puzzle") -> str:
    """Give the line with the link, if there is one, and what the link cannot say."""
    if puzzle.topology.name != "moore":
        return ""
    from minewright.board import counted

    return f"{puzzle.link} (tell people: {counted(puzzle.bullets, 'bullet')})\n"


def _grade_text(report: "Report") -> str:
    puzzle = report.puzzle
    lines = [_described(puzzle)]
    if report.unique:
        from minewright.bullets import solve as solve_puzzle

        refined = solve_puzzle(puzzle, "refined").types
        several = ", ".join(f"{count} of type {type_}" for type_, count in refined.items())
        lines += [_rated(puzzle.grade()), f"by the number of clues needed: {several}", report.why]
        return "".join(f"{line}\n" for line in lines) + _link(puzzle)
    return f"{lines[0]}\n{_refusal(report)}"


def _refusal(report: "Report") -> str:
    """Say why a puzzle is none, and show two solutions if there are several."""
    from minewright.render.grid import puzzle_text
    from minewright.render.terminal import Screen

    screen = Screen.of(sys.stdout)
    boards = [puzzle_text(report.puzzle, screen, bullets) for bullets in report.solutions]
    return "\n".join([f"{report.why[0].upper()}{report.why[1:]}.\n", *boards])


def _made_data(puzzle: "Puzzle") -> dict[str, object]:
    place = puzzle.topology.coordinates
    grade = puzzle.grade()
    return puzzle.as_data() | {
        "text": str(puzzle),
        "solution": [place(cell) for cell in sorted(puzzle.solution)],
        **grade._asdict(),
        "energy": grade.energy,
        "difficulty": grade.difficulty,
        "link": puzzle.link if puzzle.topology.name == "moore" else None,
    }


def _graded(report: "Report") -> dict[str, object]:
    if not report.unique:
        return report.puzzle.as_data() | _verdict(report)
    from minewright.bullets import solve as solve_puzzle

    types = solve_puzzle(report.puzzle, "refined").types
    refined = {str(type_): count for type_, count in types.items()}
    return _made_data(report.puzzle) | {"refined": refined} | _verdict(report)


def _verdict(report: "Report") -> dict[str, object]:
    """Put in data how many solutions there are, with what shows it, and which clues are spare."""
    from minewright import exact

    def places(cells: Iterable[int]) -> list[tuple[int, ...]]:
        return [report.puzzle.topology.coordinates(cell) for cell in sorted(cells)]

    clash = report.clash
    return {
        "unique": report.unique,
        "minimal": report.minimal,
        "solutions": exact.write(report.count),
        "shown": [places(bullets) for bullets in report.solutions],
        "spare": places(report.spare),
        "clash": clash and {"clues": places(clash.clues), "total": clash.total},
        "why": report.why,
    }


def _in_json(data: dict[str, object]) -> str:
    from json import dumps

    return f"{dumps(data, allow_nan=False)}\n"


def _write_file(option: str, file: str, content: bytes) -> None:
    try:
        Path(file).write_bytes(content)
    except OSError as error:
        raise CommandError(f"{option} {file}: it cannot be written ({error.strerror})") from None


def _need_pdf() -> None:
    """Complain if no PDF can be written."""
    from minewright.bullets.book import BookError, need_pdf

    try:
        need_pdf()
    except BookError as error:
        raise CommandError(str(error)) from None


# What is read


def _bounded(work: Callable[[], int]) -> int:
    """Do work that may be too hard."""
    from minewright.bullets import PuzzleError
    from minewright.inference import BudgetExceeded

    try:
        return interruptible(work)
    except PuzzleError as error:
        raise CommandError(str(error), INCONSISTENT) from None
    except BudgetExceeded as error:
        raise CommandError(str(error), BEYOND_BUDGET) from None


def _read_puzzles(file: str) -> "list[Puzzle]":
    """Read any number of puzzles, as text or JSON."""
    from minewright.bullets import PuzzleError
    from minewright.bullets.book import read_puzzles
    from minewright.position import PositionError

    name = "standard input" if file == "-" else file
    data = read(file, name)
    try:
        if b"\0" in data:
            raise PuzzleError("this is no text; give puzzles as text or JSON, in UTF-8")
        found = read_puzzles(data.decode("utf-8-sig"))
        if not found:
            raise PuzzleError("there is no puzzle in it; give at least one")
        return found
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CommandError(f"{name}: line {line}: this is no UTF-8; save it as UTF-8") from None
    except (PositionError, PuzzleError) as error:
        raise CommandError(f"{name}: {error}") from None


def _one(puzzles: "list[Puzzle]", file: str, number: int | None) -> "Puzzle":
    if number is None:
        if len(puzzles) > 1:
            name = "standard input" if file == "-" else file
            raise CommandError(f"{name}: there are {len(puzzles):,} puzzles; choose by --number")
        return puzzles[0]
    if not 1 <= number <= len(puzzles):
        raise CommandError(f"--number: {number} is not in 1 to {len(puzzles):,}")
    return puzzles[number - 1]


def _shape(size: str) -> tuple[int, ...]:
    from minewright.board import MAX_SIDES, read_number

    sides = [read_number(field) for field in size.lower().split("x", MAX_SIDES)]
    shape = tuple(side for side in sides if side is not None)
    if len(shape) < len(sides):
        raise CommandError(f"--size: expected a number, or as in 9x6, found {size!r}")
    return shape * 2 if len(shape) == 1 else shape


def _numbers(option: str, text: str, form: str, counts: Collection[int]) -> list[float]:
    try:
        found = [float(field) for field in text.split(",")]
    except ValueError:
        found = []
    if len(found) not in counts or not all(map(isfinite, found)):
        raise CommandError(f"{option}: expected {form}, found {text!r}")
    return found


def _energy(text: str) -> "Energy":
    from minewright.bullets import Energy

    form = "3 or 6 numbers, such as 0,-1.5,-3,0,0,1"
    weights = [*_numbers("--energy", text, form, (3, 6)), 0.0, 0.0, 0.0]
    a0, a1, a2, b0, b1, b2 = weights[:6]
    return Energy((a0, a1, a2), (b0, b1, b2))


def _bounds(text: str) -> tuple[int, int]:
    from minewright.board import read_number

    fewest, _, most = text.partition("-")
    bounds = read_number(fewest), read_number(most or fewest)
    if bounds[0] is None or bounds[1] is None:
        raise CommandError(f"--clues: expected MIN-MAX, such as 10-14, found {text!r}")
    return bounds[0], bounds[1]
