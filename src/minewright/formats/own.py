r"""Minewright's own JSON: everything that a position or a replay holds, on any topology.

{"minewright": "position", "text": "3x2x1\n1##\n###"}
{"minewright": "replay", "topology": "moore", "shape": [9, 9], "mines": [[0, 4], …],
 "moves": [[1.25, "open", [4, 3]], …], "ended": true, "player": "", "program": ""}
"""

import json
from codecs import BOM_UTF8
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from minewright.formats.bounds import Bounds
from minewright.formats.model import Clicks, FormatError, Recorder, Replay
from minewright.messages import why_not_json
from minewright.position import Position, PositionError
from minewright.topology import Topology, TopologyError, get

_BEGIN: Final = b'{"minewright"'
_LONGEST: Final = 1e12
"""The most seconds that a time can be: more than any game takes."""
_DIGITS: Final = 6
"""Decimals of a second that are kept. Speeds could not be computed from much smaller times."""
T = TypeVar("T")


def matches(data: bytes) -> bool:
    """Return True if this is such an object."""
    begin = data.removeprefix(BOM_UTF8).lstrip()[:400]
    return b"".join(begin.split()).startswith(_BEGIN)


def read(data: bytes, bounds: Bounds) -> Position | Replay:
    """Read a position or a replay."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"this is not JSON: {why_not_json(error)}") from None
    if not isinstance(found, dict):
        raise FormatError("expected a JSON object, found something else")
    match found.get("minewright"):
        case "position":
            bounds.check_text(data)
            position = _position(found)
            bounds.check_sides(position.shape, "text")
            return position
        case "replay":
            return _replay(found, bounds)
    raise FormatError('expected {"minewright": "position", …} or "replay"')


def _position(found: dict[str, object]) -> Position:
    try:
        return Position.parse(_field(found, "text", str))
    except PositionError as error:
        raise FormatError(str(error), "text") from error


def _replay(found: dict[str, object], bounds: Bounds) -> Replay:
    topology = _topology(found, bounds)
    mined = frozenset(_cell(topology, place, "mines") for place in _field(found, "mines", list))
    if len(mined) != len(_field(found, "mines", list)):
        raise FormatError("two mines in one cell", "mines")
    recorder = Recorder(topology, mined)
    act: dict[object, Callable[[float, int], None]] = {
        "open": recorder.open,
        "mark": recorder.mark,
        "chord": recorder.chord,
    }
    for move in bounds.each(_field(found, "moves", list)):
        if not (isinstance(move, list) and len(move) == 3 and isinstance(move[1], str)):
            raise FormatError('expected moves such as [1.25, "open", [4, 3]]', "moves")
        seconds, kind, place = move
        number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
        if kind not in act or not number or not abs(seconds) <= _LONGEST:
            raise FormatError('expected moves such as [1.25, "open", [4, 3]]', "moves")
        act[kind](round(float(seconds), _DIGITS), _cell(topology, place, "moves"))
    texts = {name: _field(found, name, str, "") for name in ("player", "program")}
    return replace(recorder.replay(**texts), clicks=_clicks(found))


def _topology(found: dict[str, object], bounds: Bounds) -> Topology:
    shape = _field(found, "shape", list)
    name = _field(found, "topology", str, "moore")
    if not all(type(side) is int for side in shape) or not 1 <= len(shape) <= 4:
        raise FormatError("expected the sides, such as [30, 16]", "shape")
    bounds.check_sides(tuple(shape), "shape")
    try:
        topology = get(name, tuple(shape))
        topology.neighbours(0)
    except (TopologyError, ValueError) as error:
        raise FormatError(str(error), "topology") from None
    return topology


def _cell(topology: Topology, place: object, field: str) -> int:
    if not isinstance(place, list) or not all(type(at) is int for at in place):
        raise FormatError("expected cells such as [row, column], from 0", field)
    try:
        return topology.cell(*place)
    except TopologyError as error:
        raise FormatError(str(error), field) from None


def _clicks(found: dict[str, object]) -> Clicks | None:
    clicks = found.get("clicks")
    if clicks is None:
        return None
    if not isinstance(clicks, list) or len(clicks) != 3 or not all(map(_is_count, clicks)):
        raise FormatError("expected three numbers from 0: left, right, chords", "clicks")
    return Clicks(*clicks)


def _is_count(found: object) -> bool:
    return type(found) is int and found >= 0


def _field(found: dict[str, object], name: str, kind: type[T], default: T | None = None) -> T:
    value = found.get(name, default)
    if not isinstance(value, kind):
        what = "a text" if kind is str else "a list"
        raise FormatError(f"expected {what}, found {json.dumps(value)[:40]}", name)
    return value


def write_position(position: Position) -> bytes:
    """Return a position as JSON."""
    return _written({"minewright": "position", "text": str(position)})


def write_replay(replay: Replay) -> bytes:
    """Return a replay as JSON. Raise FormatError for a net, which only a program can make."""
    topology = replay.topology
    if topology.name == "net":
        raise FormatError("a replay on a net cannot be written: it has no name for its cells")
    place = topology.coordinates
    moves = [
        [made.seconds, made.move.kind, place(made.move.cell)]
        for made in replay.moves
        if made.move.cell is not None
    ]
    data: dict[str, object] = {
        "minewright": "replay",
        "topology": topology.name,
        "shape": topology.shape,
        "mines": [place(cell) for cell in sorted(replay.mined)],
        "moves": moves,
        "ended": replay.ended,
        "player": replay.player,
        "program": replay.program,
    }
    return _written(data if replay.clicks is None else data | {"clicks": replay.clicks})


def _written(data: dict[str, object]) -> bytes:
    return (json.dumps(data, ensure_ascii=False) + "\n").encode()
