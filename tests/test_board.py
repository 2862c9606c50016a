import math
import re

import numpy as np
import pytest

from minewright.board import BEGINNER, EXPERT, INTERMEDIATE, MAX_CELLS, Board, BoardError
from minewright.topology import TopologyError, get


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("30x16x99", EXPERT),
        ("30X16X99", EXPERT),
        (" Expert \n", EXPERT),
        ("INTERMEDIATE", INTERMEDIATE),
        ("beginner", BEGINNER),
        ("1x1x0", Board((1, 1), 0)),
        ("3x2x6", Board((3, 2), 6)),
        ("4x5x6x7", Board((4, 5, 6), 7)),
        ("2000x2000x4000000", Board((2000, 2000), MAX_CELLS)),
    ],
)
def test_a_board_is_read_by_sizes_or_name_and_prints_as_sizes(text: str, board: Board) -> None:
    assert Board.parse(text) == board
    assert Board.parse(str(board)) == board


def test_the_classic_boards_have_the_classic_sizes() -> None:
    boards = [str(board) for board in (BEGINNER, INTERMEDIATE, EXPERT)]
    assert boards == ["9x9x10", "16x16x40", "30x16x99"]
    assert (EXPERT.width, EXPERT.height, EXPERT.size) == (30, 16, 480)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected WIDTHxHEIGHTxMINES"),
        ("9x9", "found '9x9'"),
        ("9x9x", "found '9x9x'"),
        ("9x9x-1", "found '9x9x-1'"),
        ("9x9x1_0", "found '9x9x1_0'"),
        ("9x٩x10", "found '9x٩x10'"),
        ("2x2x2x2x2x2", "found '2x2x2x2x2x2'"),
        pytest.param("x" * 100_000, "(100,000 characters)", id="long"),
        ("0x9x0", "every side of a board must be at least 1"),
        ("9x9x82", "81 cells cannot hold 82 mines"),
        pytest.param("9x9x" + "9" * 100_000, "cannot hold a trillion or more mines", id="mines"),
        ("2000x2001x5", "at most 4,000,000 cells"),
        pytest.param("9" * 100_000 + "x9x5", "at most 4,000,000 cells", id="huge"),
    ],
)
def test_what_is_no_board_gets_one_line_that_says_so(text: str, complaint: str) -> None:
    with pytest.raises(BoardError) as caught:
        Board.parse(text)
    message = str(caught.value)
    assert complaint in message
    assert len(message.splitlines()) == 1
    assert len(message) < 200


@pytest.mark.parametrize(
    "sizes",
    [((), 0), ((9,), 0), ((1,) * 5, 0), ((9, 9), -1), ((9, -9), 0), ((9, 9), 82)],
)
def test_a_board_made_by_hand_is_checked_too(sizes: tuple[tuple[int, ...], int]) -> None:
    with pytest.raises(BoardError):
        Board(*sizes)


@pytest.mark.parametrize("wrong", [1.5, 1.0, math.nan, math.inf, True, "1", None])
def test_sides_and_mines_are_whole_numbers(wrong: object) -> None:
    found = re.escape(repr(wrong))
    with pytest.raises(BoardError, match=f"^the number of mines must be a whole .* not {found}$"):
        Board((9, 9), wrong)  # type: ignore[arg-type]
    with pytest.raises(BoardError, match=f"^every side of a board must be a .* not {found}$"):
        Board((9, wrong), 0)  # type: ignore[arg-type]
    # Not even if there is a board whose side equals it.
    assert get("moore", (9, 1)).shape == (9, 1)
    with pytest.raises(TopologyError, match="whole number"):
        get("moore", (9, wrong))  # type: ignore[arg-type]


def test_numbers_of_numpy_become_ordinary_ones() -> None:
    board = Board((np.uint8(200), np.int64(9)), np.uint8(10))  # type: ignore[arg-type]
    assert repr(board) == "Board(shape=(200, 9), mines=10)"
    made = get("moore", (np.int64(19), np.int64(3)))  # type: ignore[arg-type]
    assert repr(made.shape) == "(19, 3)"


def test_a_board_is_given_as_itself_or_as_text() -> None:
    assert Board.of("Expert") is Board.of(EXPERT) is EXPERT
    assert Board.of("9x9x10") == BEGINNER
    for wrong in (None, (9, 9, 10)):
        with pytest.raises(
            BoardError, match=r"^expected a Board or text such as '30x16x99', found"
        ):
            Board.of(wrong)  # type: ignore[arg-type]


def test_numbers_too_long_to_print_are_refused_as_any_others() -> None:
    with pytest.raises(BoardError, match="too large"):
        Board((10**5000, 9), 0)
    with pytest.raises(BoardError, match="cannot hold a trillion or more mines"):
        Board((9, 9), 10**5000)
