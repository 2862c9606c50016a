"""Where the cells of a board are drawn."""

from functools import lru_cache
from typing import Annotated, Self

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel

from minewright.board import MAX_SIDES, BoardError
from minewright.messages import quote, read_number
from minewright.topology import Topology, get
from minewright.web.server.bounds import check_size
from minewright.web.server.refusals import PROBLEMS
from minewright.web.shared.models import Cell

router = APIRouter(prefix="/api", tags=["meta"], responses=PROBLEMS)


class Touching(BaseModel):
    """Which cells touch: few distinct lists of steps, and which of them each cell has.

    A step is what to add to a cell's index. Most cells of a board share one list, so this is much
    shorter than a list of neighbours per cell.
    """

    steps: list[list[int]]
    of: list[int]

    @classmethod
    def on(cls, topology: Topology) -> Self:
        """Return which cells touch on a topology."""
        known: dict[tuple[int, ...], int] = {}
        of = [
            known.setdefault(tuple(near - cell for near in topology.neighbours(cell)), len(known))
            for cell in range(topology.size)
        ]
        return cls(steps=[list(steps) for steps in known], of=of)


class Layout(BaseModel):
    """Where to draw each cell, in units of one cell from the top left corner."""

    topology: str
    shape: list[int]
    size: int
    width: float
    height: float
    outline: list[tuple[float, float]]
    centres: list[tuple[float, float]]
    rows: list[list[Cell]]
    coordinates: list[list[int]]
    touching: Touching


@router.get("/layout")
def layout(
    request: Request,
    response: Response,
    shape: Annotated[str, Query(max_length=40, examples=["30x16"])],
    topology: Annotated[str, Query(max_length=40)] = "moore",
) -> Layout:
    """Return where the cells of a board are drawn, and their coordinates."""
    sides = tuple(map(read_number, shape.split("x", MAX_SIDES)))
    whole = tuple(side for side in sides if side is not None)
    if len(whole) < len(sides) or not 2 <= len(sides) <= MAX_SIDES:
        raise BoardError(f"expected a shape such as 30x16; found {quote(shape)}")
    check_size(whole, request.app.state.settings.max_cells)
    response.headers["Cache-Control"] = "private, max-age=3600"
    return draw(topology, whole)


@lru_cache(maxsize=16)
def draw(name: str, shape: tuple[int, ...]) -> Layout:
    """Return where the cells of this topology and shape are drawn.

    Raise TopologyError for an unknown name or an impossible shape.
    """
    topology = get(name, shape)
    cells = range(topology.size)
    width, height = topology.extent
    return Layout(
        topology=name,
        shape=list(shape),
        size=topology.size,
        width=width,
        height=height,
        outline=list(topology.outline),
        centres=list(map(topology.centre, cells)),
        rows=[list(line) for line in topology.lines() if line is not None],
        coordinates=[list(topology.coordinates(cell)) for cell in cells],
        touching=Touching.on(topology),
    )
