"""Files with something to rate: boards, proofs, puzzles, replays, minefields and positions."""

import json
from codecs import BOM_UTF8
from collections.abc import Sequence
from typing import Final

from minewright.board import Board, BoardError
from minewright.bullets.files import read_puzzles
from minewright.bullets.puzzle import PuzzleError
from minewright.deduction.opening import truth_of
from minewright.formats import FormatError, Replay, own
from minewright.formats import read as read_format
from minewright.position import COVERED, MARKED, MINED, Position, PositionError
from minewright.rating.rating import Rateable
from minewright.topology import Topology, TopologyError, get

MAX_BOARDS: Final = 100_000


def read_rateables(
    data: bytes, name: str = "", *, puzzles: bool = False
) -> list[Rateable | Position]:
    """Read what a file holds.

    JSON holds the boards of `noguess make`, a proof, Bullets puzzles, or what `convert` wrote; text
    with `puzzles` holds such puzzles too. Everything else is a file of a known format. A position
    without a covered cell, with all its mines marked, is a minefield. Raise FormatError if it
    cannot be read.
    """
    try:
        if puzzles or (_is_json(data) and not own.matches(data)):
            text = data.decode("utf-8-sig")
            found = None if puzzles else _boards(text)
            return [*(read_puzzles(text) if found is None else found)]
    except UnicodeDecodeError:
        raise FormatError("this is not UTF-8; save the text as UTF-8") from None
    except (BoardError, PuzzleError, PositionError, TopologyError) as error:
        raise FormatError(str(error)) from None
    content = read_format(data, name).content
    if isinstance(content, Position):
        return [_minefield(content) or content]
    return [content]


def _is_json(data: bytes) -> bool:
    """Return True if a file begins as JSON does."""
    return data.removeprefix(BOM_UTF8).lstrip()[:1] in (b"{", b"[")


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
        topology = get(_word(document, "topology", "the proof"), _numbers(document, "shape"))
        first = document.get("first")
        if type(first) is not int:
            raise FormatError("the proof: first: expected the number of a cell")
        return [_begun(topology, _numbers(document, "mines"), first, "the proof")]
    return None


def _word(data: dict[str, object], name: str, what: str, default: str = "") -> str:
    """Return a word of a JSON object."""
    found = data.get(name, default)
    if not isinstance(found, str) or not found:
        raise FormatError(f"{what}: {name}: expected a word")
    return found


def _numbers(data: dict[str, object], name: str) -> tuple[int, ...]:
    """Return the whole numbers in a list of a proof."""
    found = data.get(name)
    if not isinstance(found, list) or not all(type(each) is int for each in found):
        raise FormatError(f"the proof: {name}: expected a list of whole numbers")
    return tuple(found)


def _place(written: object, topology: Topology, what: str) -> int:
    """Return the cell at some coordinates."""
    if not isinstance(written, list) or not all(type(each) is int for each in written):
        raise FormatError(f"{what}: expected a list of coordinates, such as [0, 3]")
    try:
        return topology.cell(*written)
    except ValueError as error:
        raise FormatError(f"{what}: {error}") from None


def _board(data: object, what: str) -> Rateable:
    """Return a board as `noguess make --json` writes it."""
    if not isinstance(data, dict):
        raise FormatError(f"{what}: expected a JSON object")
    board = Board.parse(_word(data, "board", what))
    topology = get(_word(data, "topology", what, "moore"), board.shape)
    mines = data.get("mines")
    if not isinstance(mines, list):
        raise FormatError(f"{what}: mines: expected a list of cells, such as [[0, 3], [2, 1]]")
    cells = [_place(place, topology, f"{what}: mines") for place in mines]
    return _begun(topology, cells, _place(data.get("first"), topology, f"{what}: first"), what)


def _begun(topology: Topology, mined: Sequence[int], first: int, what: str) -> Rateable:
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
