"""A book of Bullets puzzles: which ones, in which order, and every word in it.

`minewright.render.book` decides how it looks on paper.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Unpack

from minewright.bullets.example import worked_example
from minewright.bullets.grade import DIFFICULTIES
from minewright.bullets.maker import Wishes, make_many
from minewright.bullets.printed import MAKER, TITLE, BookError, PrintedPuzzle, checked_title
from minewright.bullets.puzzle import Puzzle, PuzzleError
from minewright.bullets.solution import Solution
from minewright.messages import counted

MAX_PUZZLES: Final = 1000

_NEAR: Final = {
    "moore": (
        "the cells that touch it along an edge or at a corner: eight inside the grid, five at its"
        " edge, three in a corner"
    ),
    "neumann": "the cells that share an edge with it, four at most",
    "hex": "the cells that touch it, six at most",
    "torus": (
        "the eight cells that touch it along an edge or at a corner; opposite edges of the grid"
        " meet, so a cell at one edge also touches cells at the other"
    ),
    "knight": "the cells that a chess knight can jump to from it, eight at most",
    "box": (
        "the cells that touch it along an edge or at a corner, in its own layer and in the layers"
        " next to it"
    ),
}
_HINTS: Final = (
    (
        "One clue",
        "Count the bullets that a number still needs, and the cells it has left for them. If it"
        " needs none, these cells are empty. If it needs as many as there are cells, each of them"
        " holds a bullet.",
    ),
    (
        "Several clues",
        "Compare numbers that share cells. If one number can have at most one bullet in the"
        " shared cells, the other needs the rest of its bullets elsewhere.",
    ),
    (
        "The total",
        "Near the end, count the bullets that are still to be found in the whole grid. Only this"
        " can settle cells that no number touches.",
    ),
    (
        "Difficulty",
        "In an easy puzzle, one clue at a time is enough. In a medium one, some step needs two"
        " clues at once, and in a hard one some step needs three or more. The number of bullets"
        " counts as a clue.",
    ),
)
_ONLINE: Final = (
    "Online",
    "The link below each puzzle opens it on puzz.link; at the back it stands in full, to be typed"
    " or scanned. That page does not show the number of bullets, so keep it in mind.",
)


@dataclass(frozen=True)
class Book:
    """Puzzles in order of difficulty, with rules and a worked example."""

    title: str
    entries: tuple[PrintedPuzzle, ...]
    example: Solution | None = None
    """The solution of a puzzle that is not in the book; None if no suitable one was found."""
    imprint: str = MAKER

    @classmethod
    def bind(cls, puzzles: Iterable[Puzzle], title: str = TITLE, imprint: str = MAKER) -> "Book":
        """Put puzzles in order of difficulty, and add the rules and an example.

        Raise BookError if there are no puzzles or too many, if two are the same, if one does not
        have exactly one solution or has no cell left to solve, or if the title cannot be printed.
        """
        title = checked_title(title)
        found: dict[Puzzle, int] = {}
        for number, puzzle in enumerate(puzzles, 1):
            if puzzle in found:
                raise BookError(
                    f"puzzle {number} is the same as puzzle {found[puzzle]}; take one out"
                )
            if number > MAX_PUZZLES:
                raise BookError(f"a book has at most {MAX_PUZZLES:,} puzzles; give fewer")
            try:
                _ = puzzle.solution  # raises unless there is exactly one
            except PuzzleError as error:
                raise BookError(f"puzzle {number}: {error}") from None
            if not puzzle.position.covered:
                raise BookError(f"puzzle {number}: every cell is open; there is nothing to solve")
            found[puzzle] = number
        if not found:
            raise BookError("a book needs at least 1 puzzle; give some")
        ordered = sorted(found, key=_difficulty)
        entries = tuple(
            PrintedPuzzle(number, puzzle, puzzle.difficulty)
            for number, puzzle in enumerate(ordered, 1)
        )
        return cls(title, entries, worked_example(ordered[0].topology.name), imprint)

    # What it says

    @cached_property
    def subtitle(self) -> str:
        """Return how many puzzles there are, how large and how hard they are."""
        shapes = {entry.puzzle.topology.shape for entry in self.entries}
        size = "".join(f" of {' by '.join(map(str, shape))} cells" for shape in shapes)
        first, last = self.entries[0].difficulty, self.entries[-1].difficulty
        return (
            f"{counted(len(self.entries), 'puzzle')}{size if len(shapes) == 1 else ''},"
            f" {first if first == last else f'from {first} to {last}'}"
        )

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """Return the rules, one paragraph each."""
        kinds = {entry.puzzle.topology.name: entry.puzzle.topology for entry in self.entries}
        near = {name: _NEAR.get(name, topology.summary) for name, topology in kinds.items()}
        around = f"These are {next(iter(near.values()))}."
        if len(near) > 1:
            around = "These are, {}.".format(
                "; ".join(f"in a grid marked {name}, {text}" for name, text in near.items())
            )
        return (
            "Every cell holds one bullet or none. A cell with a number holds none.",
            f"A number says how many bullets there are in the cells around it. {around}",
            "The number of bullets in the whole grid is printed above it. The small circles"
            " below help you keep count: tick one off when you find a bullet.",
            "Every puzzle has exactly one solution, and you can reach it without guessing.",
        )

    @cached_property
    def hints(self) -> tuple[tuple[str, str], ...]:
        """Return pieces of advice, each with its name."""
        return (*_HINTS, _ONLINE) if any(entry.link for entry in self.entries) else _HINTS


Size = int | tuple[int, ...]


def make_book(
    count: int = 24,
    size: Size | list[Size] = 7,
    bullets: int | None = None,
    *,
    topology: str = "moore",
    title: str = TITLE,
    **wishes: Unpack[Wishes],
) -> Book:
    """Make a book of new puzzles: a third easy, a third medium, a third hard.

    A list of sizes is used in turn. Other wishes are those of `make`, such as `seed`, `symmetry`,
    `energy` and `total`. Raise BookError or PuzzleError for a wish that cannot be fulfilled.
    """
    title = checked_title(title)
    puzzles = rising(count, size, bullets, topology=topology, **wishes)
    return Book.bind(puzzles, title, imprint(wishes.get("seed", 0)))


def rising(
    count: int,
    size: Size | list[Size] = 7,
    bullets: int | None = None,
    *,
    topology: str = "moore",
    **wishes: Unpack[Wishes],
) -> Iterator[Puzzle]:
    """Yield the puzzles of a book one after another, easy ones first, of each size in turn."""
    sizes = size if isinstance(size, list) else [size]
    if not sizes:
        raise BookError("a book needs at least one size of puzzles; give one")
    if not 1 <= count <= MAX_PUZZLES:
        raise BookError(f"a book has 1 to {MAX_PUZZLES:,} puzzles, not {count:,}")
    made = 0
    for left, difficulty in zip((3, 2, 1), DIFFICULTIES, strict=True):
        share = -(-(count - made) // left)
        wishes["difficulty"] = difficulty
        for at, one in enumerate(sizes):
            of_size = len(range(at, share, len(sizes)))
            if of_size:
                yield from make_many(of_size, one, bullets, topology=topology, index=made, **wishes)
            made += of_size


def imprint(seed: int) -> str:
    """Return the line on the cover that says how to make the puzzles again."""
    return f"{MAKER}, seed {seed}"


def _difficulty(puzzle: Puzzle) -> tuple[int, int, int]:
    """Return a sort key: the level, then the clues beyond the first, then the steps."""
    effort = puzzle.effort
    return DIFFICULTIES.index(effort.level), effort.workload, effort.steps
