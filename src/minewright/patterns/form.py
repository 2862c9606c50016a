"""The form of a step: its clues and their covered cells, the same however they lie on the board."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from minewright.deduction import Deduction, next_step
from minewright.position import MINED, Position

Place = tuple[int, int]

SYMMETRIES: Final[tuple[Callable[[int, int], Place], ...]] = (
    lambda row, column: (row, column),
    lambda row, column: (row, -column),
    lambda row, column: (-row, column),
    lambda row, column: (-row, -column),
    lambda row, column: (column, row),
    lambda row, column: (column, -row),
    lambda row, column: (-column, row),
    lambda row, column: (-column, -row),
)
"""The ways to turn and mirror a rectangle."""

SATISFIED: Final = "!1#"
FORCED: Final = "-1#"
"""The forms of all steps with one clue: it has all its mines, or needs all its cells."""


@dataclass(frozen=True)
class Form:
    """A little position in which one step follows from all the clues.

    Each clue shows the mines it still needs, so that known mines do not count. All other cells
    are known to be safe. Forms that differ by turns, mirrors and shifts are one form.
    """

    text: str

    @cached_property
    def position(self) -> Position:
        """The form as a position; the total is unknown."""
        rows = self.text.split("\n")
        return Position.parse(f"{len(rows[0])}x{len(rows)}x?\n{self.text}")

    @cached_property
    def step(self) -> Deduction:
        """The step that the form is about."""
        found = next_step(self.position)
        assert found is not None, f"nothing follows from {self.text!r}"
        return found

    @property
    def clues(self) -> int:
        """The number of clues it takes."""
        return self.step.order

    def turned(self, symmetry: int) -> "Form":
        """Return the same form turned or mirrored, as one of eight."""
        places = {
            (row, column): sign
            for row, line in enumerate(self.text.split("\n"))
            for column, sign in enumerate(line)
        }
        return Form("\n".join(_lay(places, SYMMETRIES[symmetry])))

    def __str__(self) -> str:
        return self.text


def form_of(step: Deduction) -> Form | None:
    """Return the form of a step; None if it needs the mine total, or the board is no rectangle."""
    topology = step.position.topology
    if topology.name != "moore" or step.total:
        return None
    if step.order == 1:
        return Form(SATISFIED if step.safe else FORCED)
    position = step.position
    covered = frozenset(position.covered)
    places: dict[Place, str] = {}
    for clue in step.clues:
        row, column = topology.coordinates(clue)
        near = topology.neighbours(clue)
        left = position[clue] - sum(position[cell] == MINED for cell in near)
        places[row, column] = str(left)
        for cell in covered.intersection(near):
            row, column = topology.coordinates(cell)
            places[row, column] = "#"
    # Wide forms come before tall ones, because they are easier to show.
    flattest: list[str] = min([_lay(places, turn) for turn in SYMMETRIES], key=_flat)
    return Form("\n".join(flattest))


def _lay(places: Mapping[Place, str], turn: Callable[[int, int], Place]) -> list[str]:
    """Turn the places, and return them as rows of text with nothing around them."""
    turned = {turn(row, column): sign for (row, column), sign in places.items()}
    top, left = (min(place[axis] for place in turned) for axis in (0, 1))
    bottom, right = (max(place[axis] for place in turned) for axis in (0, 1))
    return [
        "".join(turned.get((row, column), "-") for column in range(left, right + 1))
        for row in range(top, bottom + 1)
    ]


def _flat(rows: list[str]) -> tuple[int, list[str]]:
    return len(rows), rows
