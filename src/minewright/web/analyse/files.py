"""Files of other programs: a position, or a replay with all its positions."""

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from minewright.formats import FORMATS, Loaded, Replay
from minewright.game import MoveKind
from minewright.web.server.bounds import Queued
from minewright.web.server.refusals import PROBLEMS
from minewright.web.shared.deadline import Deadline
from minewright.web.shared.models import Cell, Code
from minewright.web.shared.positions import PositionView
from minewright.web.shared.uploads import Sent

router = APIRouter(prefix="/api/analyse", tags=["analyse"], responses=PROBLEMS)


class FormatView(BaseModel):
    """A supported file format."""

    name: str
    extensions: list[str]
    holds: str
    origin: str


class ReplayMove(BaseModel):
    """A move of a replay, and what it changed."""

    kind: MoveKind
    cell: Cell
    seconds: float
    changes: list[tuple[Cell, Code]]


class FileAnswer(BaseModel):
    """What was in a file; the position of a replay is that before its first move."""

    format: str
    program: str
    player: str
    position: PositionView
    moves: list[ReplayMove] = []
    last: int = Field(
        default=0,
        description="How many moves lead to the last position with something to decide.",
    )


@router.get("/formats")
def formats() -> list[FormatView]:
    """List the supported file formats."""
    return [
        FormatView(
            name=kind.name,
            extensions=list(kind.extensions),
            holds=kind.holds,
            origin=kind.origin,
        )
        for kind in FORMATS
    ]


@router.post("/file")
def file(request: Request, _: Queued, sent: Sent) -> FileAnswer:
    """Read a file saved by another program."""
    loaded = sent.read(Deadline(request))
    return _show_replay(loaded, loaded.replay) if loaded.replay else _show(loaded)


def _show(loaded: Loaded) -> FileAnswer:
    return FileAnswer(
        format=loaded.format.name,
        program="",
        player="",
        position=PositionView.of(loaded.position),
    )


def _show_replay(loaded: Loaded, replay: Replay) -> FileAnswer:
    moves = [
        ReplayMove(
            kind=made.move.kind, cell=made.move.cell or 0, seconds=made.seconds, changes=changes
        )
        for made, changes in zip(replay.moves, replay.changes(), strict=True)
    ]
    return FileAnswer(
        format=loaded.format.name,
        program=replay.program,
        player=replay.player,
        position=PositionView.of(replay.position(0)),
        moves=moves,
        last=replay.last,
    )
