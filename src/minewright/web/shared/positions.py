"""Positions over the wire: text or a drawing in, the position as it was understood out."""

from typing import Annotated, Final, Self

from pydantic import BaseModel, Field, model_validator

from minewright import formats
from minewright.position import Position, PositionError
from minewright.topology import get
from minewright.web.server.bounds import check_size
from minewright.web.shared.deadline import Deadline
from minewright.web.shared.models import Asked, Code

MAX_TEXT: Final = 100_000
MAX_MINES: Final = 1_000_000

Total = Annotated[int, Field(ge=0, le=MAX_MINES)]


class Drawn(Asked):
    """A position as a page draws it: a code per cell."""

    topology: str = Field(default="moore", max_length=40)
    shape: list[Annotated[int, Field(ge=1)]] = Field(min_length=2, max_length=4)
    mines: Total | None = Field(default=None, description="The mine total; null if unknown.")
    cells: list[Code]


class PositionAsked(Asked):
    """A position, as text or drawn, and how to analyse it."""

    text: str | None = Field(default=None, max_length=MAX_TEXT, examples=["3x2x1\n1##\n###"])
    mines: Total | None = Field(default=None, description="The mine total, if the text has none.")
    topology: str | None = Field(default=None, max_length=40)
    drawn: Drawn | None = Field(default=None, description="Instead of a text.")
    trust_marks: bool = Field(default=False, description="Whether to treat every mark as a mine.")
    approximate: bool = Field(default=False, description="Sample if an exact answer is too hard.")

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.text is None) == (self.drawn is None):
            raise ValueError("give the position either as text or drawn")
        return self


class PositionView(BaseModel):
    """A position as it was understood."""

    topology: str
    shape: list[int]
    mines: int | None
    cells: list[Code]
    text: str | None = Field(description="Null if no text can express it.")

    @classmethod
    def of(cls, position: Position) -> Self:
        """Return the view of a position."""
        return cls(
            topology=position.topology.name,
            shape=list(position.shape),
            mines=position.mines,
            cells=list(position.cells),
            text=str(position),
        )


def read(asked: PositionAsked, deadline: Deadline) -> Position:
    """Return the position asked about.

    Raise PositionError, TopologyError, or BoardError if it is too large.
    """
    most = deadline.settings.max_cells
    if asked.drawn is None:
        position = _read_text(asked, deadline.bounds())
        check_size(position.shape, most)
        return position
    shape = tuple(asked.drawn.shape)
    check_size(shape, most)
    topology = get(asked.drawn.topology, shape)
    return Position(topology, bytes(asked.drawn.cells), asked.drawn.mines)


def _read_text(asked: PositionAsked, bounds: formats.Bounds) -> Position:
    """Read a pasted text: a position, or a game ID, a link or a replay."""
    data = (asked.text or "").encode(errors="replace")
    try:
        loaded = formats.read(data, mines=asked.mines, topology=asked.topology, bounds=bounds)
        return loaded.position
    except formats.FormatError as error:
        if isinstance(error.__cause__, PositionError):
            # It knows the line and the column, so that the page can show the place.
            raise error.__cause__ from None
        raise PositionError(str(error)) from None
