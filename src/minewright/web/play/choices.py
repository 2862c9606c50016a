"""What there is to choose from for a game."""

from typing import get_args

from fastapi import APIRouter, Request
from pydantic import BaseModel

from minewright import __version__
from minewright.board import NAMED
from minewright.game import StartRule
from minewright.topology import topologies
from minewright.web.play.modes import MODES
from minewright.web.server.refusals import PROBLEMS

router = APIRouter(prefix="/api", tags=["meta"], responses=PROBLEMS)

STARTS: dict[StartRule, str] = {
    "any": "the first opening may explode",
    "safe": "the first opening never explodes",
    "open": "the first opening and all around it are free of mines",
}
assert set(STARTS) == set(get_args(StartRule))


class TopologyChoice(BaseModel):
    """A topology one may play on."""

    name: str
    summary: str
    sides: tuple[int, int]


class Preset(BaseModel):
    """A board that has a name."""

    name: str
    board: str


class NamedChoice(BaseModel):
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
    starts: list[NamedChoice]
    modes: list[NamedChoice]
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
        starts=[NamedChoice(name=name, summary=summary) for name, summary in STARTS.items()],
        modes=[NamedChoice(name=name, summary=mode.summary) for name, mode in MODES.items()],
        limits=Limits(max_cells=settings.max_cells, seconds=settings.seconds),
    )
