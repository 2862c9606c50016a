"""How the bullets commands show puzzles: as text, as data and as pictures."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from minewright.cli.streams import BEYOND_BUDGET, CommandError, in_json, write, write_file

if TYPE_CHECKING:
    from minewright.bullets import Puzzle, Report

Form = Literal["pretty", "text", "json"]


@dataclass(frozen=True, slots=True)
class Files:
    """The files that puzzles are drawn to; the files of several puzzles are numbered."""

    count: int
    svg: str | None
    pdf: str | None
    paper: Literal["a4", "letter"]
    solution: bool = False
    """Whether pictures show the solution."""

    def draw(self, puzzle: "Puzzle", number: int) -> None:
        """Draw a puzzle to every requested file."""
        if self.svg is not None:
            from minewright.render.steps import puzzle_svg

            drawn = puzzle_svg(puzzle, solved=self.solution).encode()
            write_file("--svg", self._name(self.svg, number), drawn)
        if self.pdf is not None:
            from minewright.bullets.printed import BookError
            from minewright.bullets.sheet import Sheet
            from minewright.inference import BudgetExceeded
            from minewright.render.printing import sheet_pdf

            try:
                drawing = sheet_pdf(Sheet.of(puzzle), self.paper)
            except BookError as error:
                raise CommandError(f"--pdf: {error}") from None
            except BudgetExceeded as error:
                raise CommandError(f"--pdf: {error}", BEYOND_BUDGET) from None
            write_file("--pdf", self._name(self.pdf, number), drawing)

    def _name(self, file: str, number: int) -> str:
        path = Path(file)
        return str(path.with_stem(f"{path.stem}-{number}")) if self.count > 1 else file


class Answer:
    """The puzzles made so far. They are shown at once, or at the end as one JSON object."""

    def __init__(self, count: int, form: Form, solution: bool, files: Files) -> None:
        self.count = count
        self.form = form
        self.solution = solution
        self.files = files
        self.made: list[Puzzle] = []

    @property
    def tally(self) -> str:
        """How many puzzles have been made."""
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
        """Show the puzzles kept for the end."""
        if self.form == "json" and self.made:
            from minewright.engine.answers import puzzle_data

            write(in_json({"puzzles": [puzzle_data(puzzle) for puzzle in self.made]}))

    def _pretty(self, puzzle: "Puzzle") -> str:
        from minewright.render.grid import puzzle_text
        from minewright.render.terminal import Screen

        screen = Screen.of(sys.stdout)
        head = f"Puzzle {len(self.made):,} of {self.count:,}: " if self.count > 1 else ""
        text = f"{head}{described(puzzle)}\n{puzzle_text(puzzle, screen)}"
        if self.solution:
            text += f"Solution\n{puzzle_text(puzzle, screen, puzzle.solution)}"
        end = "\n" if len(self.made) < self.count else ""
        return f"{text}{rated(puzzle)}\n{link(puzzle)}{end}"


def described(puzzle: "Puzzle") -> str:
    """Return a one-line description: size, topology, number of bullets and clues."""
    from minewright.messages import counted, write_sides

    name = "" if puzzle.topology.name == "moore" else f" {puzzle.topology.name}"
    counts = f"{counted(puzzle.bullets, 'bullet')}, {counted(len(puzzle.clues), 'clue')}"
    return f"{write_sides(puzzle.topology.shape)}{name}, {counts}"


def rated(puzzle: "Puzzle") -> str:
    """Return the grade in words: its three numbers, the energy and the difficulty."""
    from minewright.inference import BudgetExceeded
    from minewright.messages import counted

    grade = puzzle.grade()
    try:
        difficulty = f"difficulty {puzzle.effort.workload}, {puzzle.difficulty}"
    except BudgetExceeded:
        # The puzzle was made; only to judge the steps of a large one may be too much work.
        difficulty = "difficulty unknown: the puzzle is too large"
    return (
        f"{counted(grade.n0, 'step')} by one clue, {grade.n1:,} by several,"
        f" {counted(grade.n2, 'bullet')} by the total; energy {grade.energy:g};"
        f" {difficulty}"
    )


def link(puzzle: "Puzzle") -> str:
    """Return a line with the link, if there is one, and the bullet count it cannot carry."""
    if puzzle.topology.name != "moore":
        return ""
    from minewright.messages import counted

    if not puzzle.needs_total:
        return f"{puzzle.link}\n"
    return f"{puzzle.link} (the link does not say: {counted(puzzle.bullets, 'bullet')})\n"


def grade_text(report: "Report") -> str:
    """Return how good and how hard a puzzle is, or why it is not a proper puzzle."""
    puzzle = report.puzzle
    lines = [described(puzzle)]
    if report.unique:
        lines += [rated(puzzle), *_steps(puzzle), report.why]
        return "".join(f"{line}\n" for line in lines) + link(puzzle)
    return f"{lines[0]}\n{refusal(report)}"


def _steps(puzzle: "Puzzle") -> list[str]:
    """Return a line with the steps by the clues they need; none if the puzzle is too large."""
    from minewright.inference import BudgetExceeded

    try:
        return [str(puzzle.effort)]
    except BudgetExceeded:
        return []


def refusal(report: "Report") -> str:
    """Return why this is not a proper puzzle, with two solutions if it has several."""
    from minewright.render.grid import puzzle_text
    from minewright.render.terminal import Screen

    screen = Screen.of(sys.stdout)
    boards = [puzzle_text(report.puzzle, screen, bullets) for bullets in report.solutions]
    return "\n".join([f"{report.why[0].upper()}{report.why[1:]}.\n", *boards])


def graded(report: "Report") -> dict[str, object]:
    """Return a verdict in the form that `grade --json` prints."""
    if not report.unique:
        return report.puzzle.as_data() | verdict(report)
    from minewright.bullets import solve as solve_puzzle
    from minewright.engine.answers import puzzle_data

    types = solve_puzzle(report.puzzle, "refined").types
    refined = {str(type_): count for type_, count in types.items()}
    return puzzle_data(report.puzzle) | {"refined": refined} | verdict(report)


def verdict(report: "Report") -> dict[str, object]:
    """Return as data the number of solutions, the evidence, and the superfluous clues."""
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
