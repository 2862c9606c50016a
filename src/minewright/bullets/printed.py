"""What a book and a sheet of paper share: paper sizes, a numbered puzzle and a title."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, get_args

from minewright.bullets.grade import Difficulty
from minewright.bullets.puzzle import Puzzle
from minewright.bullets.solution import SolutionStep, solve
from minewright.errors import MinewrightError
from minewright.position import MINED, SAFE, Position

Paper = Literal["a4", "letter"]
PAPERS: Final[tuple[Paper, ...]] = get_args(Paper)

TITLE: Final = "Bullets"
MAKER: Final = "Made with Minewright"
MAX_TITLE: Final = 100


class BookError(MinewrightError, ValueError):
    """A book or sheet that cannot be made; the message is one line that says what to fix."""


@dataclass(frozen=True)
class PrintedPuzzle:
    """A puzzle on paper, with its number in the book, counting from 1."""

    number: int
    puzzle: Puzzle
    difficulty: Difficulty

    @property
    def link(self) -> str | None:
        """The address where the puzzle can be solved online, if there is one."""
        return self.puzzle.link if self.puzzle.topology.name == "moore" else None

    @cached_property
    def hint(self) -> str:
        """Where to begin, and where to look when stuck: the clues of two steps."""
        steps = solve(self.puzzle, "refined").steps
        if not steps:
            return "There is nothing to solve."
        hardest = max(steps, key=lambda step: len(step.clues))
        words = f"Begin with {self._clues(steps[0])}." if steps[0].clues else "Count the bullets."
        if len(hardest.clues) > 1 and hardest is not steps[0]:
            words += f" When stuck, compare {self._clues(hardest)}."
        return words

    def _clues(self, step: SolutionStep) -> str:
        numbers, describe = dict(self.puzzle.clues), self.puzzle.topology.describe
        names = [f"the {numbers[cell]} in {describe(cell)}" for cell in step.clues]
        return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))

    @property
    def solved(self) -> Position:
        """The position with every bullet found and every other cell known to be empty."""
        position, bullets = self.puzzle.position, self.puzzle.solution
        return position.with_cells(
            {cell: MINED if cell in bullets else SAFE for cell in position.covered}
        )


def checked_title(text: str) -> str:
    """Return a title as one line, or raise BookError if it cannot be printed.

    The fonts that every PDF reader has contain Latin letters only.
    """
    text = " ".join(text.split())
    if not 1 <= len(text) <= MAX_TITLE:
        raise BookError(f"a title has 1 to {MAX_TITLE} characters, not {len(text):,}")
    for character in text:
        if not character.isprintable() or ord(character) > 0xFF:
            raise BookError(f"a title can have Latin letters only, not {character!a}")
    return text
