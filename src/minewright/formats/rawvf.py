"""RawVF: replays as text; the replays of all other programs can be converted to it.

Width: 8            and such lines about the game
Board:              then the rows, * for a mine
Events:             then one line per event:
0.05 lc 2 1 (17 5)  seconds, button, column and row from 1 (not always there), pixels
"""

import re
from typing import Final

from minewright.formats.bounds import Bounds
from minewright.formats.model import Action, FormatError, Replay
from minewright.formats.mouse import Hand
from minewright.formats.writing import PROGRAM, check, duration, measure, pixels, presses
from minewright.messages import counted, quote, read_number

_ACTIONS: Final[dict[str, Action]] = {
    "mv": "move",
    "lc": "left down",
    "lr": "left up",
    "rc": "right down",
    "rr": "right up",
    "mc": "middle down",
    "mr": "middle up",
    "sc": "shift down",
}
_EVENT: Final = re.compile(
    r"(-?\d{1,6}(?:\.\d{1,6})?)\s+([a-z]{2})(?:\s+(\d{1,5})\s+(\d{1,5}))?"
    r"(?:\s+\(\s*(-?\d{1,6})\s+(-?\d{1,6})\s*\))?\s*",
    re.IGNORECASE,
)


def matches(data: bytes) -> bool:
    """Return True if this is RawVF: lines about a game, then a board, then events."""
    lines = data.lower()
    return b"\nboard:" in lines and b"\nevents:" in lines


def read(data: bytes, bounds: Bounds) -> Replay:
    """Read a replay."""
    lines = data.decode("utf-8-sig", "replace").splitlines()
    facts: dict[str, str] = {}
    at = 0
    for line in bounds.each(lines):
        if line.strip().lower() == "board:":
            break
        key, _, value = line.partition(":")
        facts[key.strip().lower()] = value.strip()
        at += 1
    width, height = (_side(facts, key) for key in ("width", "height"))
    topology = bounds.topology(width, height, "the lines about the game")
    rows = lines[at + 1 : at + 1 + height]
    mined: set[int] = set()
    for number, row in enumerate(rows):
        row = row.strip()
        if len(row) != width or row.strip("0*."):
            raise FormatError(
                f"expected {counted(width, 'cell')}, each 0 or *, found {quote(row)}",
                f"line {at + 2 + number}",
            )
        mined.update(number * width + column for column, sign in enumerate(row) if sign == "*")
    at += 1 + height
    while at < len(lines) and not lines[at].strip():
        at += 1
    if len(rows) < height or at == len(lines) or lines[at].strip().lower() != "events:":
        raise FormatError(
            f"expected Events: after {counted(height, 'row')}, found something else",
            f"line {min(at, len(lines) - 1) + 1}",
        )
    square = read_number(facts.get("squaresize", facts.get("square_size", "16"))) or 16
    questions = facts.get("marks", "").lower() == "on"
    hand = Hand(topology, frozenset(mined), questions, square)
    for number, line in bounds.each(enumerate(lines[at + 1 :], at + 2)):
        _play(hand, line, number)
    return hand.replay(facts.get("player", ""), facts.get("program", ""))


def _side(facts: dict[str, str], key: str) -> int:
    side = read_number(facts.get(key, ""))
    if side is None:
        raise FormatError(f"expected a line such as '{key.capitalize()}: 30', found none")
    return side


def _play(hand: Hand, line: str, number: int) -> None:
    """Play one event; lines about what was seen rather than done are skipped."""
    event = _EVENT.match(line.strip())
    if event is None or event[2].lower() not in _ACTIONS:
        return
    action = _ACTIONS[event[2].lower()]
    seconds = max(0.0, float(event[1]))
    if event[3] is not None:
        hand.at(seconds, action, int(event[3]) - 1, int(event[4]) - 1)
    elif event[5] is not None:
        hand.act(seconds, action, int(event[5]), int(event[6]))
    else:
        raise FormatError(
            f"expected a place such as 2 1 (17 5), found {quote(line)}", f"line {number}"
        )


_WRITTEN: Final = {action: button for button, action in _ACTIONS.items()}
_LEVELS: Final = {
    (8, 8, 10): "Beginner",
    (16, 16, 40): "Intermediate",
    (30, 16, 99): "Expert",
}
_LONGEST: Final = 999_999.0


def write(replay: Replay) -> bytes:
    """Return a game as RawVF. Raise FormatError if the format cannot hold it."""
    check(replay, "RawVF", columns=60_000, rows=60_000)
    seconds = duration(replay, "RawVF", _LONGEST)
    width, height = replay.topology.shape
    lines = ["RawVF_Version: Rev6", f"Program: {replay.program or PROGRAM}"]
    lines += [f"Player: {replay.player}"] if replay.player else []
    lines += [
        f"Level: {_LEVELS.get((width, height, len(replay.mined)), 'Custom')}",
        f"Width: {width}",
        f"Height: {height}",
        f"Mines: {len(replay.mined)}",
        "Marks: Off",
        f"Time: {seconds:.3f}",
        f"BBBV: {measure(replay)}",
        "Board:",
    ]
    for row in range(height):
        lines.append("".join("0*"[row * width + column in replay.mined] for column in range(width)))
    lines.append("Events:")
    for press in presses(replay, _WRITTEN):
        x, y = pixels(press, replay)
        place = f"{press.column + 1} {press.row + 1} " if x < 16 * width else ""
        lines.append(f"{max(press.seconds, 0.0):.3f} {_WRITTEN[press.action]} {place}({x} {y})")
    return "\n".join([*lines, ""]).encode()
