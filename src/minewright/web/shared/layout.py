"""Where the cells of a board are drawn, and what there is to choose from."""

from functools import lru_cache
from typing import Annotated, get_args

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel

from minewright import __version__
from minewright.board import MAX_SIDES, NAMED, BoardError
from minewright.game import StartRule
from minewright.messages import quote, read_number
from minewright.topology import get, topologies
from minewright.web.play.modes import MODES
from minewright.web.server.bounds import check_size
from minewright.web.shared.models import PROBLEMS, Cell

router = APIRouter(prefix="/api", tags=["meta"], responses=PROBLEMS)

STARTS: dict[StartRule, str] = {
    "any": "the first opening may explode",
    "safe": "the first opening never explodes",
    "open": "the first opening and all around it are free of mines",
}
assert set(STARTS) == set(get_args(StartRule))


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


class TopologyChoice(BaseModel):
    """A topology one may play on."""

    name: str
    summary: str
    sides: tuple[int, int]


class Preset(BaseModel):
    """A board that has a name."""

    name: str
    board: str


class Choice(BaseModel):
    """Something that has a name and a line on what it is."""

    name: str
    summary: str


class Limits(BaseModel):
    """What the server does not go beyond."""

    max_cells: int
    seconds: float


class Meta(BaseModel):
    """What there is to choose from for a game; /api/watch/players lists who can play."""

    version: str
    topologies: list[TopologyChoice]
    presets: list[Preset]
    starts: list[Choice]
    modes: list[Choice]
    limits: Limits


@router.get("/meta")
def meta(request: Request) -> Meta:
    """Give what there is to choose from for a game."""
    settings = request.app.state.settings
    return Meta(
        version=__version__,
        topologies=[
            TopologyChoice(name=name, summary=kind.summary, sides=(kind.sides[0], kind.sides[-1]))
            for name, kind in topologies().items()
        ],
        presets=[Preset(name=name, board=str(board)) for name, board in NAMED.items()],
        starts=[Choice(name=name, summary=summary) for name, summary in STARTS.items()],
        modes=[Choice(name=name, summary=mode.summary) for name, mode in MODES.items()],
        limits=Limits(max_cells=settings.max_cells, seconds=settings.seconds),
    )


@router.get("/layout")
def layout(
    request: Request,
    response: Response,
    shape: Annotated[str, Query(max_length=40, examples=["30x16"])],
    topology: Annotated[str, Query(max_length=40)] = "moore",
) -> Layout:
    """Say where the cells of a board are drawn, and how they are named."""
    sides = tuple(map(read_number, shape.split("x", MAX_SIDES)))
    whole = tuple(side for side in sides if side is not None)
    if len(whole) < len(sides) or not 2 <= len(sides) <= MAX_SIDES:
        raise BoardError(f"expected a shape as WIDTHxHEIGHT, such as 30x16; found {quote(shape)}")
    check_size(whole, request.app.state.settings.max_cells)
    response.headers["Cache-Control"] = "private, max-age=3600"
    return draw(topology, whole)


@lru_cache(maxsize=16)
def draw(name: str, shape: tuple[int, ...]) -> Layout:
    """Say where the cells of this topology and shape are drawn.

    Raises TopologyError for a name that is not registered or a shape it cannot have.
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
