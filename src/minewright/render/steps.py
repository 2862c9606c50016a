"""Deductions as SVG, on any topology: one step, or a whole solution as a strip of boards.

Each board is shown after its step, as in figure 4 of Neller and Tran. The clues used are outlined
and the cells that follow are hatched, so that they can be told apart without colour. A tick means
safe, a drawn mine means mined. What was known before stays plain. Bullets puzzles look as on paper:
a circle is a bullet, a slash an empty cell, as in figures 1 and 2.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from minewright.messages import counted, write_sides
from minewright.position import MARKED, MAX_NUMBER, MINED, SAFE, Position
from minewright.render.svg import CELL, MARGIN, Picture, framed, page, short, write
from minewright.topology import Point, Topology

if TYPE_CHECKING:
    from minewright.bullets import Puzzle, Solution
    from minewright.deduction.step import Deduction

MAX_CELLS: Final = 40_000
"""The most cells of a strip, counting all its boards."""

_SENTENCE: Final = 10
"""The least width of a step's picture, in cells: its sentence needs room."""
_STRIP: Final = 64
"""The default width of a strip, in cells."""
_SCALE: Final = 0.5
_GAP: Final = 1.7
"""The space before a board of a strip, in cells, for the type of its step."""
_HEAD: Final = 1.0
"""The space above a board of a strip, in cells."""


def step_svg(step: "Deduction", *, caption: bool = True) -> str:
    """Draw the board after a step, with its sentence below if `caption` is true."""
    below = step.sentence if caption else ""
    return framed(step_board(step.after, step), _name(step), step.sentence, below, _SENTENCE)


def strip_svg(
    position: Position,
    steps: Sequence["Deduction"],
    columns: int | None = None,
    *,
    left_out: int = 0,
    paper: bool = False,
) -> str:
    """Draw a solution as a strip of boards: the position, then the board after each step.

    Each board is labelled with the type of its step. `columns` is the number of boards per row.
    At most `most_steps` are drawn. The strip says how many are missing, including those that the
    caller has `left_out`. With `paper`, boards look like puzzles on paper.
    """
    if columns is not None and columns < 1:
        raise ValueError(f"a strip has at least 1 column, not {columns}")
    drawn = steps[: most_steps(position.topology)]
    missing = left_out + len(steps) - len(drawn)
    width, height = position.topology.extent
    across, down = width + _GAP, height + _HEAD
    boards = 1 + len(drawn)
    if columns is None:
        # As few rows as the width allows, all about equally long.
        rows = -(-boards // max(1, int(_STRIP / across)))
        columns = -(-boards // rows)
    size = (
        (min(columns, boards) * across + MARGIN) * CELL,
        (-(-boards // columns) * down + (2 if missing else 1) * MARGIN) * CELL,
    )
    content: list[str] = []
    for at, step in enumerate((None, *drawn)):
        row, column = divmod(at, columns)
        corner = ((column * across + _GAP) * CELL, (row * down + _HEAD) * CELL)
        content += _member(position, step, at, corner, paper)
    if missing:
        note = f"{counted(missing, 'more step')}, not drawn"
        content.append(write(_GAP * CELL, size[1] - MARGIN * CELL, note, "label note"))
    kinds = ", ".join(
        f"{count} of type {kind}"
        for kind in (0, 1, 2)
        if (count := sum(step.kind == kind for step in drawn))
    )
    game = "Bullets" if paper else "Minesweeper"
    title = f"{game} solution, {write_sides(position.shape)} cells"
    description = f"{counted(len(drawn), 'step')}{f': {kinds}' if kinds else ''}."
    if missing:
        description += f" {note}."
    return page(title, description, size, content, _SCALE)


def solution_svg(solution: "Solution", columns: int | None = None) -> str:
    """Draw a puzzle and the board after each step of its solution, like figure 4 of the paper.

    Each board is labelled with the paper's type of its step, whatever the grading.
    """
    steps = [step.deduction for step in solution.steps]
    return strip_svg(solution.puzzle.position, steps, columns, paper=True)


def puzzle_svg(puzzle: "Puzzle", *, solved: bool = False) -> str:
    """Draw a puzzle as in figure 1 of the paper, or solved as in figure 2, with its count."""
    topology, bullets = puzzle.topology, puzzle.solution if solved else frozenset[int]()
    known = {cell: MINED if cell in bullets else SAFE for cell in puzzle.hidden} if solved else {}
    board = step_board(puzzle.position.with_cells(known), paper=True)
    count = counted(puzzle.bullets, "bullet")
    sides = " by ".join(map(str, topology.shape))
    name = "" if topology.name == "moore" else f"; {topology.name}: {topology.summary}"
    title = f"Bullets {'solution' if solved else 'puzzle'}, {sides} cells, {count}"
    return framed(board, title, f"{counted(len(puzzle.clues), 'clue')}.", f"{count}{name}")


def most_steps(topology: Topology) -> int:
    """Return how many steps a strip can draw after the position."""
    return max(0, MAX_CELLS // topology.size - 1)


def _member(
    position: Position, step: "Deduction | None", at: int, corner: Point, paper: bool
) -> Iterator[str]:
    """Yield one board of a strip, with its number above and the type of its step before it."""
    x, y = corner
    yield f'<g transform="translate({short(x - MARGIN * CELL)} {short(y - MARGIN * CELL)})">'
    if step is None:
        yield from step_board(position, paper=paper).body()
    else:
        yield f"<title>{escape(f'{_name(step)}. {step.sentence}')}</title>"
        yield from step_board(step.after, step, paper=paper).body()
    yield "</g>"
    width, height = position.topology.extent
    yield write(
        x + width * CELL / 2, y - 0.25 * CELL, f"step {at}" if at else "start", "label step"
    )
    if step is not None:
        yield write(x - _GAP / 2 * CELL, y + (height / 2 + 0.29) * CELL, str(step.kind), "kind ink")


def step_board(
    position: Position, step: "Deduction | None" = None, *, paper: bool = False
) -> Picture:
    """Draw the board of a step, or a position without one, perhaps as a puzzle on paper."""
    picture = Picture(position.topology)
    clues = frozenset(step.clues if step else ())
    deduced = frozenset(step.cells if step else ())
    for cell, code in enumerate(position.cells):
        if paper:
            picture.tile("paper", cell)
        if cell in deduced:
            picture.tile("deduced", cell)
            if not paper:  # Slashes would be lost among the lines; the tint stands out from white.
                picture.hatch(cell)
        elif cell in clues:
            picture.tile("clue", cell)
            picture.tile("used", cell)
        elif not paper:
            picture.tile("open" if code <= MAX_NUMBER or code == SAFE else "covered", cell)
        if code <= MAX_NUMBER:
            (picture.clue if paper else picture.number)(cell, code)
        elif code == MINED:
            (picture.bullet if paper else picture.mine)(cell)
        elif paper and code == SAFE:
            picture.slash(cell)
        elif code == MARKED:
            picture.flag(cell, small=False)
        elif code == SAFE:
            (picture.tick if cell in deduced else picture.dash)(cell)
    return picture


def _name(step: "Deduction") -> str:
    pattern = f", {step.pattern}" if step.pattern else ""
    total = " and the mine total" if step.total else ""
    return f"Deduction of type {step.kind}{pattern}: {counted(step.order, 'clue')}{total}"
