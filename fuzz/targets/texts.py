"""Positions, boards and puzzles as people and links write them."""

from minewright.board import Board, BoardError
from minewright.bullets import Puzzle, PuzzleError
from minewright.bullets.files import read_puzzles
from minewright.position import Position, PositionError
from minewright.web.puzzles.codes import decode, encode
from targets.formats import OPTIONS, check_position
from targets.promises import Target, check_refusal, names_a_large_board


def check_place(error: PositionError) -> None:
    """Check that lines and columns count from 1."""
    assert error.line is None or error.line >= 1
    assert error.column is None or error.column >= 1


def position(data: bytes) -> None:
    """Read a position's text; the first byte chooses what is said beside it."""
    mines, topology = OPTIONS[(data[:1] or b"\0")[0] % len(OPTIONS)]
    text = data[1:].decode(errors="replace")
    if names_a_large_board(text):
        return
    try:
        found = Position.parse(text, mines, topology)
    except PositionError as error:
        check_refusal(error)
        check_place(error)
    else:
        check_position(found)


def board(data: bytes) -> None:
    """Read a board such as 30x16x99."""
    try:
        found = Board.parse(data.decode(errors="replace"))
    except BoardError as error:
        check_refusal(error)
    else:
        assert Board.parse(str(found)) == found


def puzzles(data: bytes) -> None:
    """Read a file of Bullets puzzles, as text or JSON."""
    text = data.decode(errors="replace")
    if names_a_large_board(text):
        return
    try:
        found = read_puzzles(text)
    except (PuzzleError, PositionError) as error:
        check_refusal(error)
        return
    for puzzle in found:
        assert Puzzle.parse(str(puzzle)) == puzzle
        assert Puzzle.from_json(puzzle.to_json()) == puzzle
    assert read_puzzles("\n\n".join(map(str, found))) == found


def puzzle_code(data: bytes) -> None:
    """Read the code of a puzzle, which is what a shared link holds."""
    try:
        found = decode(data.decode(errors="replace"))
    except PuzzleError as error:
        check_refusal(error)
    else:
        assert decode(encode(found)) == found


TARGETS: dict[str, Target] = {
    "position": position,
    "board": board,
    "puzzles": puzzles,
    "puzzle-code": puzzle_code,
}
