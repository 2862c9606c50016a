"""Files of other programs: a position, or a replay with all its positions."""

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
"""The most bytes of a file once unpacked; text replays are the largest."""


IMAGES: Final = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"BM")
"""How images begin: somebody may well drop a screenshot on the page."""


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
def file(
    request: Request,
    _: Queued,
    data: Annotated[bytes, Body(media_type="application/octet-stream")] = b"",
    name: Annotated[str, Query(max_length=300, description="The file's name, if any.")] = "",
    content_encoding: Annotated[str, Header(description="gzip, or nothing.")] = "",
) -> FileAnswer:
    """Read a file saved by another program."""
    deadline = Deadline(request)
    try:
        content = _unpack(data, content_encoding.lower())
        if content.startswith(IMAGES):
            raise FormatError("this looks like an image, not a game file")
        loaded = read(content, name, bounds=deadline.bounds())
    except FormatError as error:
        raise HTTPException(422, str(error)) from None
    check_size((loaded.replay or loaded.position).topology.shape, deadline.settings.max_cells)
    return _show_replay(loaded, loaded.replay) if loaded.replay else _show(loaded)


def _unpack(data: bytes, packed: str) -> bytes:
    """Return the bytes of a file, unpacked if it was sent as gzip."""
    if not data:
        raise FormatError("the file is empty")
    if packed in ("", "identity"):
        return data
    if packed != "gzip":
        raise FormatError(f"{quote(packed)} is not supported; send the file as gzip or as it is")
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        found = unpacker.decompress(data, MAX_BYTES)
    except zlib.error:
        raise FormatError("this is not gzip; send the file as it is") from None
    if unpacker.unconsumed_tail:
        raise FormatError(f"the file has more than {MAX_BYTES:,} bytes, too many for a game")
    if not unpacker.eof:
        raise FormatError("the file was cut off: it ends too early")
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
