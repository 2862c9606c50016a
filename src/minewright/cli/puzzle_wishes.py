"""What the bullets commands read: files of puzzles, sizes, energies, bounds."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING

from minewright.cli.streams import BEYOND_BUDGET, INCONSISTENT, CommandError, read

if TYPE_CHECKING:
    from minewright.bullets import Energy, Puzzle
    from minewright.deduction.wishes import Difficulty, Weights
    from minewright.inference import Budget
    from minewright.topology import Topology


def bounded(work: Callable[[], int]) -> int:
    """Run work that may exceed its budget."""
    from minewright.bullets import PuzzleError
    from minewright.inference import BudgetExceeded

    try:
        return work()
    except PuzzleError as error:
        raise CommandError(str(error), INCONSISTENT) from None
    except BudgetExceeded as error:
        raise CommandError(str(error), BEYOND_BUDGET) from None


def puzzles_in(file: str) -> "list[Puzzle]":
    """Read any number of puzzles, as text or JSON."""
    from minewright.bullets import PuzzleError
    from minewright.bullets.files import read_puzzles
    from minewright.position import PositionError

    name = "standard input" if file == "-" else file
    data = read(file, name)
    try:
        if b"\0" in data:
            raise PuzzleError("this is not text; give puzzles as text or JSON, in UTF-8")
        return read_puzzles(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CommandError(f"{name}: line {line}: this is not UTF-8; save it as UTF-8") from None
    except (PositionError, PuzzleError) as error:
        raise CommandError(f"{name}: {error}") from None


def chosen(puzzles: "list[Puzzle]", file: str, number: int | None) -> "Puzzle":
    """Return the puzzle that --number selects, or the only one."""
    from minewright.messages import counted

    name = "standard input" if file == "-" else file
    if number is None:
        if len(puzzles) > 1:
            raise CommandError(f"{name}: there are {len(puzzles):,} puzzles; choose with --number")
        return puzzles[0]
    if not 1 <= number <= len(puzzles):
        raise CommandError(f"--number {number}: {name} has {counted(len(puzzles), 'puzzle')}")
    return puzzles[number - 1]


def shape_of(size: str) -> tuple[int, ...]:
    """Read --size: the side of a square, or all sides."""
    from minewright.board import MAX_SIDES
    from minewright.messages import read_number

    sides = [read_number(field) for field in size.lower().split("x", MAX_SIDES)]
    shape = tuple(side for side in sides if side is not None)
    if len(shape) < len(sides):
        raise CommandError(f"--size: expected a size such as 7 or 9x6, found {size!r}")
    return shape * 2 if len(shape) == 1 else shape


def numbers_of(option: str, text: str, form: str, counts: Collection[int]) -> list[float]:
    """Read comma-separated numbers; how many there are must be in `counts`."""
    try:
        found = [float(field) for field in text.split(",")]
    except ValueError:
        found = []
    if len(found) not in counts or not all(map(isfinite, found)):
        raise CommandError(f"{option}: expected {form}, found {text!r}")
    return found


@contextmanager
def _told(option: str) -> Iterator[None]:
    """Let a value that is refused be refused as this option's."""
    try:
        yield
    except ValueError as error:
        raise CommandError(f"{option}: {error}") from None


def energy_of(text: str) -> "Energy":
    """Read --energy."""
    from minewright.bullets import Energy

    form = "3 or 6 numbers, such as 0,-1.5,-3,0,0,1"
    weights = [*numbers_of("--energy", text, form, (3, 6)), 0.0, 0.0, 0.0]
    a0, a1, a2, b0, b1, b2 = weights[:6]
    with _told("--energy"):
        return Energy((a0, a1, a2), (b0, b1, b2))


def difficulty_of(text: str) -> "Difficulty":
    """Read --difficulty: a level or a number."""
    from minewright.deduction.wishes import read_difficulty

    with _told("--difficulty"):
        return read_difficulty(text)


def weights_of(option: str, text: str) -> "Weights":
    """Read weights for steps that need one clue, two, and so on."""
    from minewright.deduction.wishes import Weights

    form = "numbers such as 0,-1,-4"
    with _told(option):
        return Weights(tuple(numbers_of(option, text, form, range(1, 100))))


def budget_of(seconds: float) -> "Budget":
    """Read --budget-seconds: the time for one puzzle."""
    from minewright.bullets.maker import MAKE_BUDGET
    from minewright.inference import Budget

    if not seconds > 0:
        raise CommandError(f"--budget-seconds must be more than 0, not {seconds:g}")
    return Budget(MAKE_BUDGET.states, min(seconds, 1e9))


def bounds_of(text: str) -> tuple[int, int]:
    """Read --clues: the fewest and the most."""
    from minewright.messages import read_number

    fewest, _, most = text.partition("-")
    bounds = read_number(fewest), read_number(most or fewest)
    if bounds[0] is None or bounds[1] is None:
        raise CommandError(f"--clues: expected MIN-MAX, such as 10-14, found {text!r}")
    return bounds[0], bounds[1]


def require_pdf() -> None:
    """Raise CommandError if PDF files cannot be written."""
    from minewright.bullets.printed import BookError
    from minewright.render.printing import need_pdf

    try:
        need_pdf()
    except BookError as error:
        raise CommandError(str(error)) from None


def cell_of(option: str, written: str, topology: "Topology") -> int:
    """Return the cell that an option names by its coordinates."""
    from minewright.topology import TopologyError

    parts = written.split(",")
    if not all(part.strip().isdecimal() and part.isascii() for part in parts):
        raise CommandError(f"{option} is ROW,COL, two numbers from 0, not {written!r}")
    try:
        return topology.cell(*map(int, parts))
    except TopologyError as error:
        raise CommandError(f"{option}: {error}") from None
