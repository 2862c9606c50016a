"""Where the cells of a board are drawn."""

from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel

from minewright.board import MAX_SIDES, BoardError
from minewright.messages import quote, read_number
from minewright.topology import get
from minewright.web.server.bounds import check_size
from minewright.web.server.refusals import PROBLEMS
from minewright.web.shared.models import Cell

router = APIRouter(prefix="/api", tags=["meta"], responses=PROBLEMS)


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
    topology.graph  # noqa: B018  (some shapes are refused only when the neighbours are made)
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
    )
