"""What the writers of replays share: the presses that make a game's moves, and its limits."""

from collections.abc import Container, Iterator
from typing import Final

from minewright.clicks import bbbv
from minewright.formats.model import Action, FormatError, Press, Replay
from minewright.messages import write_sides
from minewright.position import MINED

SQUARE: Final = 16
"""The side of a cell, in pixels."""
PROGRAM: Final = "Minewright"
_BUTTONS: Final[dict[str, tuple[Action, ...]]] = {
    "open": ("left down", "left up"),
    "mark": ("right down", "right up"),
    "chord": ("left down", "right down", "left up", "right up"),
}


def presses(replay: Replay, known: Container[Action]) -> tuple[Press, ...]:
    """Return what the mouse did: as recorded, or else as few presses as make the moves.

    `known` are the actions that the format has; a game with others is written the simple way.
    """
    if replay.presses and all(press.action in known for press in replay.presses):
        return replay.presses
    return tuple(simple(replay))


def simple(replay: Replay) -> Iterator[Press]:
    """Yield as few presses as make the moves."""
    width = replay.topology.shape[0]
    for made in replay.moves:
        assert made.move.cell is not None, "nobody gives up in a replay"
        row, column = divmod(made.move.cell, width)
        for action in _BUTTONS[made.move.kind]:
            yield Press(made.seconds, action, column, row)


def pixels(press: Press, replay: Replay) -> tuple[int, int]:
    """Return where a press is, in pixels from the top left corner of the board.

    A place beside the board becomes the first beyond its lower right corner.
    """
    width, height = replay.topology.shape
    if 0 <= press.column < width and 0 <= press.row < height:
        return press.column * SQUARE + SQUARE // 2, press.row * SQUARE + SQUARE // 2
    return width * SQUARE, height * SQUARE


def check(
    replay: Replay, name: str, columns: int = 255, rows: int = 255, mines: int = 0xFFFF
) -> None:
    """Raise FormatError unless a format can hold this board and this many mines."""
    sides = replay.topology.shape
    if replay.topology.name != "moore" or sides[0] > columns or sides[1] > rows:
        raise FormatError(
            f"{name} holds squares in at most {columns} columns and {rows} rows, not"
            f" {write_sides(sides)} {replay.topology.name}"
        )
    if not 0 < len(replay.mined) <= mines:
        raise FormatError(f"{name} holds 1 to {mines:,} mines, not {len(replay.mined):,}")


def begun(replay: Replay, name: str) -> int:
    """Return which move is the first opening. Raise FormatError if there is none."""
    for number, made in enumerate(replay.moves):
        if made.move.kind == "open":
            return number
    raise FormatError(f"{name} holds a game that has begun; open a cell first, or write mbf")


def duration(replay: Replay, name: str, longest: float) -> float:
    """Return the time of the last move, at least 0. Raise FormatError if the game is too long.

    The mouse may go on after the last move that had an effect.
    """
    times = [made.seconds for made in replay.moves] + [press.seconds for press in replay.presses]
    if max(times, default=0.0) > longest:
        raise FormatError(f"{name} holds games of at most {longest:,.0f} seconds")
    return max(replay.seconds, 0.0)


def measure(replay: Replay) -> int:
    """Return the 3BV of the board, which most files record."""
    return bbbv(replay.topology, replay.truth)


def won(replay: Replay) -> bool:
    """Return True if the game was cleared."""
    # A game ends in one of two ways, and only a lost one shows a mine.
    return replay.ended and MINED not in replay.position(len(replay.moves)).cells


def places(replay: Replay, first: int = 0) -> list[tuple[int, int]]:
    """Return the column and row of each mine, counted from `first`."""
    width = replay.topology.shape[0]
    found = [divmod(cell, width) for cell in sorted(replay.mined)]
    return [(column + first, row + first) for row, column in found]


def packed(replay: Replay) -> bytes:
    """Return one bit per cell, set for a mine."""
    bits = bytearray((replay.topology.size + 7) // 8)
    for cell in replay.mined:
        bits[cell // 8] |= 0x80 >> cell % 8
    return bytes(bits)


def name_bytes(name: str, most: int = 255) -> bytes:
    """Return a player's name in UTF-8, cut between two letters if it is too long."""
    return name.encode()[:most].decode(errors="ignore").encode()
