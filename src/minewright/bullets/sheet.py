"""One puzzle on one sheet of paper, and the words on it.

`minewright.render.sheet` decides how it looks.
"""

from dataclasses import dataclass
from datetime import date
from typing import Final

from minewright.bullets.printed import MAKER, TITLE, BookError, PrintedPuzzle, checked_title
from minewright.bullets.puzzle import Puzzle, PuzzleError
from minewright.messages import counted

_AROUND: Final = {
    "moore": "that touch it, even at a corner",
    "neumann": "that share an edge with it",
    "hex": "that touch it",
    "torus": "that touch it, even at a corner; opposite edges of the grid meet",
    "knight": "that a chess knight can jump to from it",
    "box": "that touch it, even at a corner, and also in the layers next to it",
}


@dataclass(frozen=True)
class Sheet:
    """A puzzle to print, with a title and perhaps its day."""

    entry: PrintedPuzzle
    title: str = TITLE
    day: date | None = None
    imprint: str = MAKER

    @classmethod
    def of(cls, puzzle: Puzzle, title: str = TITLE, day: date | None = None) -> "Sheet":
        """Return the sheet of a puzzle.

        Raise BookError unless it has exactly one solution, or if the title cannot be printed.
        """
        title = checked_title(title)
        try:
            return cls(PrintedPuzzle(1, puzzle, puzzle.difficulty), title, day)
        except PuzzleError as error:
            raise BookError(str(error)) from None

    @property
    def subtitle(self) -> str:
        """Return the day if it has one, otherwise the size."""
        if self.day is None:
            return " by ".join(map(str, self.entry.puzzle.topology.shape))
        return f"{self.day:%A} {self.day.day} {self.day:%B} {self.day.year}"

    @property
    def rules(self) -> tuple[str, str]:
        """Return the rules in two lines."""
        return rules(self.entry.puzzle)


def rules(puzzle: Puzzle) -> tuple[str, str]:
    """Return the rules of a puzzle in two lines."""
    topology = puzzle.topology
    around = _AROUND.get(topology.name)
    cells = "cells around it" if around is None else f"cells {around}"
    return (
        f"Find {counted(puzzle.bullets, 'bullet')} in the white cells. There is one solution, and"
        " no guessing is needed.",
        f"A number says how many bullets are in the {cells}.",
    )
