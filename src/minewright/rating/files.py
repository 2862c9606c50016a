"""Files with something to rate: boards, proofs, puzzles, replays, minefields and positions."""

import json
from typing import Final

from minewright.bullets.files import read_puzzles
from minewright.bullets.puzzle import PuzzleError
from minewright.deduction.opening import truth_of
from minewright.formats import FormatError, Replay
from minewright.formats import read as read_format
from minewright.position import COVERED, MARKED, MINED, Position, PositionError
from minewright.rating.rating import Rateable
from minewright.topology import Topology, TopologyError, get

MAX_BOARDS: Final = 100_000


def read_rateables(
    data: bytes, name: str = "", *, puzzles: bool = False
) -> list[Rateable | Position]:
    """Read what a file holds.

    JSON holds the boards of `noguess make`, a proof, or Bullets puzzles; text with `puzzles` holds
    such puzzles too. Everything else is a file of a known format. A position without a covered
    cell, with all its mines marked, is a minefield. Raise FormatError if it cannot be read.
    """
    try:
        if puzzles or data.lstrip()[:1] in (b"{", b"["):
            text = data.decode("utf-8-sig")
            found = None if puzzles else _boards(text)
            return [*(read_puzzles(text) if found is None else found)]
    except (UnicodeDecodeError, PuzzleError, PositionError, TopologyError) as error:
        raise FormatError(str(error)) from None
    content = read_format(data, name).content
    if isinstance(content, Position):
        return [_minefield(content) or content]
    return [content]


def _boards(text: str) -> list[Rateable] | None:
    """Return the boards of `noguess make --json`, or of a proof; None if it holds neither."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None  # puzzles may stand one after another
    if not isinstance(document, dict):
        return None
    if "boards" in document:
        boards = document["boards"]
        if not isinstance(boards, list) or len(boards) > MAX_BOARDS:
            raise FormatError(f"boards: expected a list of at most {MAX_BOARDS:,} boards")
        return [_board(one, f"board {number}") for number, one in enumerate(boards, 1)]
    if "steps" in document and "mines" in document:
        try:
            topology = get(str(document["topology"]), tuple(map(int, document["shape"])))
            cells = [int(cell) for cell in document["mines"]]
            return [_begun(topology, cells, int(document["first"]), "the proof")]
        except (ValueError, KeyError, TypeError) as error:
            raise FormatError(f"this is not a proof of `noguess make` ({error!r})") from None
    return None


def _board(data: object, what: str) -> Rateable:
    """Return a board as `noguess make --json` writes it."""
    try:
        if not isinstance(data, dict):
            raise TypeError("not an object")
        sides = str(data["board"]).split("x")[:-1]
        topology = get(str(data.get("topology", "moore")), tuple(map(int, sides)))
        cells = [topology.cell(*map(int, place)) for place in data["mines"]]
        first = topology.cell(*map(int, data["first"]))
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(f"{what} is not one of `noguess make` ({error!r})") from None
    return _begun(topology, cells, first, what)


def _begun(topology: Topology, mined: list[int], first: int, what: str) -> Rateable:
    """Return a board that begins at a cell, as a replay of that one move."""
    from minewright.formats import TimedMove
    from minewright.game import Move

    if len(set(mined)) < len(mined) or not all(0 <= c < topology.size for c in [first, *mined]):
        raise FormatError(f"{what} names a cell twice, or one outside the board")
    if first in mined:
        raise FormatError(f"{what} begins at a mine")
    return Replay(topology, frozenset(mined), (TimedMove(0.0, Move("open", first)),))


def _minefield(position: Position) -> Replay | None:
    """Return the minefield that a position shows in full, if it does."""
    cells = position.cells
    if COVERED in cells:
        return None
    mined = frozenset(c for c, code in enumerate(cells) if code in (MARKED, MINED))
    truth = truth_of(position.topology, mined)
    agrees = all(code in (MARKED, MINED) or code == truth[c] for c, code in enumerate(cells))
    return Replay(position.topology, mined) if agrees and len(mined) < len(cells) else None
