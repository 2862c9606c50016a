"""Figures 1 to 3 of Neller and Tran, of our own puzzle and position: theirs are lost."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from minewright import bullets
from minewright.bullets.puzzle import Puzzle
from minewright.documents.charts import drawing
from minewright.inference import analyze
from minewright.position import COVERED, MARKED, Position

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIDE, BULLETS = 7, 16
GUESS: Final = Position.parse(
    """8x8x10
0001FF21
0001222F
11000011
F2110000
12F21000
013F3110
002F4F31
00113F##
"""
)
"""Either cell in the lower right corner may hold the last mine: a guess is necessary."""


@cache
def puzzle() -> Puzzle:
    """Make a puzzle of figure 1's size."""
    return bullets.make(SIDE, BULLETS, seed=1)


def draw_puzzle(path: Path) -> None:
    """Draw the puzzle: its clues, and how many bullets are hidden."""
    _draw(path, SIDE, SIDE, {cell: str(number) for cell, number in puzzle().clues})


def draw_solution(path: Path) -> None:
    """Draw its solution: circles for bullets, slashes for the other hidden cells."""
    clues = {cell: str(number) for cell, number in puzzle().clues}
    mined = analyze(puzzle().position).mined
    rest = {cell: "O" if cell in mined else "/" for cell in range(SIDE**2) if cell not in clues}
    _draw(path, SIDE, SIDE, clues | rest)


def draw_guess(path: Path) -> None:
    """Draw the position where a guess is necessary."""
    signs = {COVERED: "#", MARKED: "F", 0: ""}
    shown = {cell: signs.get(code, str(code)) for cell, code in enumerate(GUESS.cells)}
    _draw(path, 8, 8, shown)


def _draw(path: Path, width: int, height: int, signs: Mapping[int, str]) -> None:
    """Draw a grid: numbers as they are, O for a circle, / for a slash, # for a covered cell."""
    with drawing(path, (3, 3 * height / width)) as (axes,):
        axes.set(xlim=(-0.02, width + 0.02), ylim=(height + 0.02, -0.02), aspect="equal")
        axes.axis("off")
        for cell in range(width * height):
            _cell(axes, cell % width, cell // width, signs.get(cell, ""))


def _cell(axes: "Axes", x: int, y: int, sign: str) -> None:
    from matplotlib.patches import Circle, Rectangle

    face = "#c8c8c8" if sign in ("#", "F") else "white"
    axes.add_patch(Rectangle((x, y), 1, 1, facecolor=face, edgecolor="#222222"))
    if sign == "O":
        axes.add_patch(Circle((x + 0.5, y + 0.5), 0.33, fill=False, edgecolor="#222222"))
    elif sign == "/":
        axes.plot([x + 0.2, x + 0.8], [y + 0.8, y + 0.2], color="#222222", linewidth=1)
    elif sign != "#":
        axes.text(x + 0.5, y + 0.52, sign, ha="center", va="center", fontsize=12)
