"""Files that other programs saved: the position in one, or all positions of a replay."""

import zlib
from typing import Annotated, Final

from fastapi import APIRouter, Body, Header, HTTPException, Query, Request
from pydantic import BaseModel, Field

from minewright.formats import FORMATS, FormatError, Loaded, Replay, read
from minewright.game import MoveKind
from minewright.messages import quote
from minewright.web.server.bounds import Queued, check_size
from minewright.web.server.refusals import PROBLEMS
from minewright.web.shared.deadline import Deadline
from minewright.web.shared.models import Cell, Code
from minewright.web.shared.positions import PositionView

router = APIRouter(responses=PROBLEMS)

MAX_BYTES: Final = 4_000_000
"""What a file may be once it is unpacked; replays as text are the largest."""


class FormatView(BaseModel):
    """A kind of file that is read."""

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
    """What a file held. Of a replay the position is that before the first move."""

    format: str
    program: str
    player: str
    position: PositionView
    moves: list[ReplayMove] = []
    last: int = Field(
        default=0,
        description="After so many moves there was, for the last time, something to decide.",
    )


@router.get("/formats")
def formats() -> list[FormatView]:
    """List the files that are read."""
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
def file(
    request: Request,
    _: Queued,
    data: Annotated[bytes, Body(media_type="application/octet-stream")] = b"",
    name: Annotated[str, Query(max_length=300, description="The file's name, if any.")] = "",
    content_encoding: Annotated[str, Header(description="gzip, or nothing.")] = "",
) -> FileAnswer:
    """Read a file that another program saved."""
    deadline = Deadline(request)
    try:
        loaded = read(_unpack(data, content_encoding.lower()), name, bounds=deadline.bounds())
    except FormatError as error:
        raise HTTPException(422, str(error)) from None
    check_size((loaded.replay or loaded.position).topology.shape, deadline.settings.max_cells)
    return _show_replay(loaded, loaded.replay) if loaded.replay else _show(loaded)


def _unpack(data: bytes, packed: str) -> bytes:
    """Unpack what a page packed, and not more than a file may be."""
    if not data:
        raise FormatError("the file is empty")
    if packed in ("", "identity"):
        return data
    if packed != "gzip":
        raise FormatError(f"{quote(packed)} is not unpacked; send it as gzip or as it is")
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        found = unpacker.decompress(data, MAX_BYTES)
    except zlib.error:
        raise FormatError("this is not packed as gzip; send it as it is") from None
    if unpacker.unconsumed_tail:
        raise FormatError(f"more than {MAX_BYTES:,} bytes; no game is that long")
    if not unpacker.eof:
        raise FormatError("the file ends too early; it was cut off")
    return found


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
