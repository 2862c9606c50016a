"""What there is to choose from for a game."""

from typing import get_args

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from minewright import __version__
from minewright.board import NAMED
from minewright.game import StartRule
from minewright.modes import MODES
from minewright.topology import topologies
from minewright.web.people.rows import TEAM
from minewright.web.play import partner
from minewright.web.server.refusals import PROBLEMS

router = APIRouter(prefix="/api", tags=["meta"], responses=PROBLEMS)

STARTS: dict[StartRule, str] = {
    "any": "your first click may be a mine",
    "safe": "your first click is never a mine",
    "open": "your first click and all cells around it are safe",
}
assert set(STARTS) == set(get_args(StartRule))


class TopologyChoice(BaseModel):
    """A topology to play on."""

    name: str
    summary: str
    sides: tuple[int, int]


class Preset(BaseModel):
    """A board with a name."""

    name: str
    board: str


class NamedChoice(BaseModel):
    """A choice: its name, and a line that explains it."""

    name: str
    summary: str


class ModeChoice(NamedChoice):
    """A mode of play; a level of it is chosen as `mode:level`."""

    levels: list[NamedChoice] = Field(description="Its difficulties, easiest first.")


class Limits(BaseModel):
    """The limits of the server."""

    max_cells: int
    seconds: float


class Meta(BaseModel):
    """What there is to choose from for a game; /api/watch/players lists the strategies."""

    version: str
    topologies: list[TopologyChoice]
    presets: list[Preset]
    starts: list[NamedChoice]
    modes: list[ModeChoice]
    table: bool = Field(description="Whether there is a table of the day.")
    limits: Limits


@router.get("/meta")
def meta(request: Request) -> Meta:
    """Return what there is to choose from for a game."""
    settings = request.app.state.settings
    return Meta(
        version=__version__,
        topologies=[
            TopologyChoice(name=name, summary=kind.summary, sides=(kind.sides[0], kind.sides[-1]))
            for name, kind in topologies().items()
        ],
        presets=[Preset(name=name, board=str(board)) for name, board in NAMED.items()],
        starts=[NamedChoice(name=name, summary=summary) for name, summary in STARTS.items()],
        modes=[
            ModeChoice(
                name=name,
                summary=mode.summary,
                levels=[
                    NamedChoice(name=level, summary=its.summary)
                    for level, its in mode.levels.items()
                ],
            )
            for name, mode in MODES.items()
            if mode.offered
        ]
        + [ModeChoice(name=TEAM, summary=partner.SUMMARY, levels=[])],
        table=settings.has_table,
        limits=Limits(max_cells=settings.max_cells, seconds=settings.seconds),
    )
