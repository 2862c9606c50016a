"""A puzzle on a text screen: a ruled grid of clues, bullets and empty cells."""

from collections.abc import Collection, Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from minewright.render.terminal import DIM, Cell, Run, Screen, paint, picture
from minewright.topology import Lattice, Topology

if TYPE_CHECKING:
    from minewright.bullets import Puzzle, SolutionStep

_CLUE: Final = "bold"
_BULLET: Final = "bold #d2452a"
_EMPTY: Final = DIM
_RULES: Final = (("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"), ("─", "│"))
_ASCII: Final = (("+", "+", "+"), ("+", "+", "+"), ("+", "+", "+"), ("-", "|"))


def puzzle_text(puzzle: "Puzzle", screen: Screen, bullets: Collection[int] | None = None) -> str:
    """Draw a puzzle, or, given its bullets, the solution."""
    numbers = dict(puzzle.clues)
    cells = []
    for cell in range(puzzle.topology.size):
        if cell in numbers:
            cells.append(Cell(str(numbers[cell]), _CLUE))
        elif bullets is None:
            cells.append(Cell(" ", ""))
        elif cell in bullets:
            cells.append(Cell("●" if screen.signs else "O", _BULLET))
        else:
            cells.append(Cell("/", _EMPTY))
    return paint(_grid(puzzle.topology, cells, screen), screen)


def steps_text(steps: Sequence["SolutionStep"], screen: Screen) -> str:
    """Write steps one after another, wrapped to the width of the screen."""
    return paint(
        [line for number, step in enumerate(steps, 1) for line in _step(number, step, screen)],
        screen,
    )


def _grid(topology: Topology, cells: Sequence[Cell], screen: Screen) -> list[list[Run]]:
    shape = topology.shape
    size = max(len(cell.text) for cell in cells) + 2
    straight = all(topology.place(row * shape[0])[1] == 0 for row in range(shape[-1]))
    wide = screen.columns is not None and shape[0] * (size + 1) >= screen.columns
    if len(shape) != 2 or not straight or wide or not isinstance(topology, Lattice):
        # These do not fit a ruled grid, so a dot marks a cell to be filled in.
        dots = [Cell(".", DIM) if cell.text == " " else cell for cell in cells]
        return picture(topology, dots, screen)
    top, between, bottom, (across, down) = _RULES if screen.signs else _ASCII

    def ruled(ends: tuple[str, ...]) -> list[Run]:
        left, middle, right = ends
        return [(left + middle.join([across * size] * shape[0]) + right, DIM)]

    lines: list[list[Run]] = []
    for start in range(0, topology.size, shape[0]):
        lines.append(ruled(between if start else top))
        row: list[Run] = [(down, DIM)]
        for cell in cells[start : start + shape[0]]:
            row += [(cell.text.center(size), cell.style), (down, DIM)]
        lines.append(row)
    return [*lines, ruled(bottom)]


def _step(number: int, step: "SolutionStep", screen: Screen) -> Iterator[list[Run]]:
    start, kind = f"{number:>3}. ", f"(type {step.type}) "
    if screen.columns is None:
        yield [(start, DIM), (kind, "bold"), (step.sentence, "")]
        return
    taken = " " * len(start + kind)
    first, *others = wrap(
        step.sentence,
        max(screen.columns - 1, 40),
        initial_indent=taken,
        subsequent_indent=" " * len(start),
        break_on_hyphens=False,
    )
    yield [(start, DIM), (kind, "bold"), (first[len(taken) :], "")]
    yield from ([(line, "")] for line in others)
