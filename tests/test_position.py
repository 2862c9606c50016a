import copy
import math
import pickle
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minewright.board import EXPERT, Board
from minewright.position import COVERED, MARKED, MINED, SAFE, Position, PositionError
from minewright.topology import Net, get

few = settings(deadline=None, max_examples=50)
many = settings(deadline=None, max_examples=200)

TEXT = """\
5x4x4
01#F#
123##
##-!#
.?H*2
"""

COUNTED = "3x3x1\n1##\n###\n###"


@st.composite
def positions(draw: st.DrawFn) -> Position:
    name = draw(st.sampled_from(("moore", "neumann", "hex", "torus", "knight", "box")))
    sides = draw(st.integers(2, 4)) if name == "box" else 2
    shape = tuple(draw(st.lists(st.integers(1, 7 - sides), min_size=sides, max_size=sides)))
    topology = get(name, shape)
    special = st.sampled_from((COVERED, MARKED, SAFE, MINED))
    cells = bytes(
        draw(special | st.integers(0, len(topology.neighbours(cell))))
        for cell in range(topology.size)
    )
    known = cells.count(MINED)
    room = known + cells.count(COVERED) + cells.count(MARKED)
    return Position(topology, cells, draw(st.none() | st.integers(known, room)))


# Reading


def test_every_sign_of_the_text_is_read_and_written_back_in_one_spelling() -> None:
    position = Position.parse(TEXT)
    assert position.shape == (5, 4)
    assert position.mines == 4
    rows = [
        [0, 1, COVERED, MARKED, COVERED],
        [1, 2, 3, COVERED, COVERED],
        [COVERED, COVERED, SAFE, MINED, COVERED],
        [0, COVERED, COVERED, MARKED, 2],
    ]
    assert [list(position.cells[start : start + 5]) for start in (0, 5, 10, 15)] == rows
    assert str(position) == "5x4x4\n01#F#\n123##\n##-!#\n0##F2"


@given(positions())
@few
def test_what_is_printed_parses_back_equal(position: Position) -> None:
    again = Position.parse(str(position))
    assert again == position
    assert hash(again) == hash(position)
    assert str(again) == str(position)
    assert pickle.loads(pickle.dumps(position)) == position


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(COUNTED.replace("\n", "\r\n") + "\r\n", id="windows line ends"),
        pytest.param(COUNTED.replace("\n", "\r"), id="old line ends"),
        pytest.param("\ufeff" + COUNTED, id="byte order mark"),
        pytest.param(COUNTED.replace("\n", "   \n") + "  ", id="trailing blanks"),
        pytest.param(f"\n\n{COUNTED}\n \n\n", id="blank lines around"),
        pytest.param(COUNTED.replace("3x3x1", "3x3x1\n"), id="blank line under the header"),
        pytest.param(COUNTED.replace("3x3x1", "3X3x01 moore"), id="wordy header"),
        pytest.param(COUNTED.replace("1##", "(1)##"), id="number in parentheses"),
    ],
)
def test_small_differences_of_files_do_not_matter(text: str) -> None:
    assert Position.parse(text) == Position.parse(COUNTED)


def test_without_a_header_the_rows_tell_the_shape_and_the_caller_the_rest() -> None:
    rows = COUNTED.partition("\n")[2]
    assert Position.parse(rows, mines=1) == Position.parse(COUNTED)
    assert Position.parse(rows).mines is None
    assert Position.parse(rows) == Position.parse(COUNTED.replace("x1", "x?"))
    assert Position.parse(rows, topology="hex").topology is get("hex", (3, 3))
    # A number in parentheses is one cell.
    assert Position.parse("(1)#\n#(2)").shape == (2, 2)
    assert Position.parse(COUNTED.replace("x1", "x?"), mines=2).mines == 2
    assert Position.parse(COUNTED, mines=1, topology="torus").topology is get("torus", (3, 3))


def test_a_box_has_a_blank_line_between_its_layers() -> None:
    text = "2x2x2x1 box\n##\n##\n\n##\n#7"
    position = Position.parse(text)
    assert position.topology is get("box", (2, 2, 2))
    assert str(position) == text
    rows = text.partition("\n")[2]
    assert Position.parse(rows, mines=1, topology="box") == position
    assert Position.parse("##\n##", topology="box").shape == (2, 2)


def test_numbers_above_nine_stand_in_parentheses() -> None:
    cells = bytes((COVERED,)) * 13 + bytes((26,)) + bytes((COVERED,)) * 13
    position = Position(get("box", (3, 3, 3)), cells)
    assert "#(26)#" in str(position)
    assert Position.parse(str(position)) == position


def test_a_net_is_read_with_its_topology_given() -> None:
    star = Net([[1, 2, 3], [0], [0], [0]])
    position = Position(star, bytes((3, COVERED, COVERED, COVERED)), 3)
    assert str(position) == "4x3 net\n3###"
    assert Position.parse(str(position), topology=star) == position
    assert Position.parse("3###", mines=3, topology=star) == position
    with pytest.raises(PositionError, match=r"line 1, column 5: there is no topology 'net'"):
        Position.parse(str(position))
    with pytest.raises(PositionError, match="cell 1 shows 2 but has 1 neighbour;"):
        Position.parse("#2##", topology=star)


@pytest.mark.parametrize(
    ("text", "line", "column", "complaint"),
    [
        ("", 1, None, "the text is empty"),
        (" \n\r\n ", 1, None, "the text is empty"),
        ("##\n#a", 2, 2, "expected a cell .*, found 'a'"),
        ("##\n#\t", 2, 2, "found a tab; remove it"),
        ("##\n #", 2, 1, "found a blank; remove it"),
        ("#٣", 1, 2, r"found '٣' \(U\+0663\)"),
        ("#\x00", 1, 2, r"found U\+0000"),
        ("#\ud800", 1, 2, r"found U\+D800"),
        ("3x1x1\n###\v", 2, 4, r"found U\+000B"),
        ("##\n#\n##", 2, 2, "expected a row of 2 cells for 2x., found 1"),
        ("##\n###", 2, 3, "expected a row of 2 cells for 2x., found 3"),
        ("##\n(1)(1)#", 2, 7, "expected a row of 2 cells for 2x., found 3"),
        # As many cells as the header says, but not in rows of its width.
        ("3x2x1\n##\n####", 2, 3, "expected a row of 3 cells for 3x2, found 2"),
        ("3x2x1\n####\n##", 2, 4, "expected a row of 3 cells for 3x2, found 4"),
        ("3x2x1\n\n######", 3, 4, "expected a row of 3 cells for 3x2, found 6"),
        ("3x2x1\n######\n", 2, 4, "expected a row of 3 cells for 3x2, found 6"),
        ("##\n\n##", 2, None, "expected a row, found a blank line"),
        ("#(\n", 1, 2, r"expected a number of at most 251 .*, found '\('"),
        ("#(12", 1, 2, r"found '\(12'"),
        ("#()", 1, 2, r"found '\(\)'"),
        ("#(252)", 1, 2, r"found '\(252\)'"),
        ("#(٣)", 1, 2, r"found '\(٣\)'"),
        # Numbers that are too large, and totals
        ("4#", 1, 1, "row 1, column 1 shows 4 but has 1 neighbour;"),
        ("3x3x?\n###\n###\n##(4)", 4, 3, "row 3, column 3 shows 4 but has 3 neighbours"),
        ("\n3x3x?\n(0)(0)9\n###\n###", 3, 7, "row 1, column 3 shows 9 but has 3 neighbours"),
        ("3x2x? neumann\n###\n#4#", 3, 2, "write at most 3, or name another topology"),
        ("3x1x4\n###", 1, 5, "3 covered cells cannot hold 4 mines"),
        ("3x1x1\n000", 1, 5, "0 covered cells cannot hold 1 mine;"),
        ("3x1x1\n!!#", 1, 5, "the mine total is 1, but 2 known mines can be seen"),
        # Headers
        ("3x1\n###", 1, 1, "expected WIDTHxHEIGHTxMINES for moore"),
        ("2x2x2x1\n##\n##\n\n##\n##", 1, 1, "name the topology, as in 4x4x4x9 box"),
        ("1x1x1x1x1x1x1\n#", 1, 11, "expected a number in a header .*, found '1x1'"),
        ("3xx4\n###", 1, 3, "expected a number in a header .*, found none"),
        ("?x1x?\n#", 1, 1, r"found '\?'"),
        ("3x-1x1\n###", 1, 3, "found '-1'"),
        ("3x1x1\thex\n###", 1, 6, "found a tab; write a blank"),
        ("3x1x1 hexx\n###", 1, 7, "no topology 'hexx'; choose from moore, neumann, hex"),
        ("0x1x1\n#", 1, 1, "every side of a board must be at least 1"),
        ("3x2x1\n###", 3, None, "expected another row for 3x2, found the end .* after 1"),
        ("3x2x1", 2, None, "expected another row for 3x2, found the end of the text after 0"),
        (
            "3x1x1\n###\n###",
            3,
            None,
            "expected the end of the text after 1 row .*, found another line",
        ),
        ("2x1x2x1 box\n##\n##", 3, None, "expected a blank line before the next layer"),
    ],
)
def test_a_mistake_in_the_text_is_named_with_line_and_column(
    text: str, line: int, column: int | None, complaint: str
) -> None:
    with pytest.raises(PositionError, match=complaint) as caught:
        Position.parse(text)
    error = caught.value
    assert (error.line, error.column) == (line, column)
    where = f"line {line}: " if column is None else f"line {line}, column {column}: "
    assert str(error).startswith(where)
    assert len(str(error).splitlines()) == 1
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_header_and_a_caller_that_disagree_are_told_so() -> None:
    with pytest.raises(
        PositionError, match=r"line 1, column 5: the header says 1 mine, but you said 2 mines"
    ):
        Position.parse(COUNTED, mines=2)
    with pytest.raises(PositionError, match="the header says 0 mines, but you said 1 mine"):
        Position.parse("2x1x0\n##", mines=1)
    with pytest.raises(PositionError, match=r"line 1, column 7: the header says 'hex', .* 'box'"):
        Position.parse(COUNTED.replace("x1", "x1 hex"), topology="box")
    with pytest.raises(PositionError, match="line 1, column 1: the given topology has 4x4 cells"):
        Position.parse(COUNTED, topology=get("moore", (4, 4)))
    with pytest.raises(PositionError, match=r"^there is no topology 'moor'"):
        Position.parse("###", topology="moor")
    with pytest.raises(PositionError, match=r"^3 covered cells cannot hold 4 mines"):
        Position.parse("###", mines=4)
    with pytest.raises(PositionError, match=r"^the mine total must be 0 or more"):
        Position.parse("###", mines=-1)


@pytest.mark.parametrize("wrong", [1.0, 1.5, math.nan, math.inf, True, "1"])
def test_a_mine_total_is_a_whole_number(wrong: int) -> None:
    complaint = f"^the mine total must be a whole number, not {wrong!r}$"
    acts: list[Callable[[], object]] = [
        lambda: Position.parse("###", wrong),
        lambda: Position.parse("3x1x1\n###", wrong),
        lambda: Position.parse("###").with_mines(wrong),
    ]
    for act in acts:
        with pytest.raises(PositionError, match=complaint):
            act()


def test_a_mine_total_of_numpy_becomes_an_ordinary_number() -> None:
    position = Position.parse("###", np.uint8(1))  # type: ignore[arg-type]
    assert position == Position.parse("###", 1)
    assert type(position.mines) is int


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("99999999x99999999x5\n#", id="sides"),
        pytest.param("9" * 5000 + "x1x5\n#", id="digits of a side"),
        pytest.param("1x1x" + "9" * 5000 + "\n#", id="digits of the total"),
        pytest.param("1x" * 5000 + "1\n#", id="number of sides"),
        pytest.param("1x4000000x5\n" + "#\n" * 50, id="rows"),
        pytest.param("2000x2000x5 torus\n", id="no rows"),
        pytest.param("1x1x1x4000000x5 box\n#\n\n#", id="layers"),
        pytest.param("#" * 4_000_001, id="one row"),
        pytest.param("(" * 5000, id="parentheses"),
        pytest.param("(" + "1" * 5000 + ")", id="digits of a number"),
    ],
)
def test_absurd_sizes_are_refused_at_no_cost(text: str) -> None:
    tracemalloc.start()
    with pytest.raises(PositionError) as caught:
        Position.parse(text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 300_000 + 3 * len(text)
    assert len(str(caught.value)) < 250


def read(text: str, topology: str | None = None) -> Position | str:
    try:
        return Position.parse(text, topology=topology)
    except PositionError as error:
        return str(error)


# Nearly a position: its signs, its words, and things that look like them.
signs = st.text(st.sampled_from("0123456789.#H?F*-!()xX \n\r\t٣\ufeff\v"), max_size=40)
headers = st.from_regex(r"[1-4]x[1-4](x[1-3])?x([0-9]|\?)( (hex|box|torus|moor))?", fullmatch=True)
blocks = st.tuples(headers, st.text(st.sampled_from("0123##F\n"), max_size=20)).map("\n".join)


@given(
    st.one_of(
        st.text(),
        st.binary().map(lambda data: data.decode("utf-8", "surrogateescape")),
        st.binary().map(lambda data: data.decode("latin-1")),
        signs,
        blocks,
    ),
    st.sampled_from((None, "hex", "box")),
)
@many
def test_any_text_is_a_position_or_a_position_error(text: str, topology: str | None) -> None:
    outcome = read(text, topology)
    if isinstance(outcome, Position):
        assert Position.parse(str(outcome)) == outcome
    else:
        assert len(outcome.splitlines()) == 1
        assert outcome.encode()


@given(positions(), st.data(), st.text(max_size=3) | signs)
@many
def test_a_damaged_position_is_a_position_or_a_position_error(
    position: Position, data: st.DataObject, patch: str
) -> None:
    text = str(position)
    start = data.draw(st.integers(0, len(text)))
    end = start + data.draw(st.integers(0, 3))
    outcome = read(text[:start] + patch + text[end:])
    if isinstance(outcome, Position):
        assert Position.parse(str(outcome)) == outcome


@given(positions(), st.data(), st.sampled_from("aG٣\tx,)"))
@few
def test_a_wrong_sign_is_found_where_it_stands(
    position: Position, data: st.DataObject, sign: str
) -> None:
    lines = str(position).split("\n")
    at = data.draw(st.sampled_from([at for at, line in enumerate(lines) if at and line]))
    cells = re.findall(r"\(\d+\)|.", lines[at])
    before = "".join(cells[: data.draw(st.integers(0, len(cells) - 1))])
    lines[at] = before + sign + lines[at][len(before) :]
    with pytest.raises(PositionError, match="expected a cell") as caught:
        Position.parse("\n".join(lines))
    assert (caught.value.line, caught.value.column) == (at + 1, len(before) + 1)


def test_a_million_cells_are_read_and_printed() -> None:
    topology = get("moore", (1000, 1000))
    signs = (0, 1, 2, 3, COVERED, MARKED, SAFE, MINED)
    position = Position(topology, bytes(Random(1).choices(signs, k=topology.size)))
    assert Position.parse(str(position)) == position


# The object


def test_a_position_is_a_value_that_never_changes() -> None:
    position = Position.parse(COUNTED)
    assert {position: 1}[copy.deepcopy(position)] == 1
    for name in ("topology", "cells", "mines"):
        with pytest.raises(AttributeError):
            setattr(position, name, None)
    assert position != position.with_mines(2)
    assert position != Position.parse(COUNTED, topology="hex")
    assert repr(position) == "<Position 3x3x1 moore, 8 covered>"
    assert repr(position.with_mines(None)) == "<Position 3x3x? moore, 8 covered>"


def test_cells_are_read_one_by_one_and_covered_ones_together() -> None:
    position = Position.parse(TEXT)
    assert [position[cell] for cell in range(5)] == [0, 1, COVERED, MARKED, COVERED]
    assert position.covered == (2, 3, 4, 8, 9, 10, 11, 14, 16, 17, 18)
    for cell in (-1, 20):
        with pytest.raises(IndexError):
            position[cell]


def test_changes_make_a_new_position_and_are_checked() -> None:
    position = Position.parse(COUNTED)
    opened = position.with_cells({4: 8, 8: MARKED})
    assert str(opened) == "3x3x1\n1##\n#8#\n##F"
    assert opened.with_cells({}) == opened
    assert position.with_mines(8).mines == 8
    wrong: list[tuple[Callable[[], object], str]] = [
        (lambda: position.with_mines(9), "8 covered cells cannot hold 9 mines"),
        (lambda: position.with_cells({1: 6}), "row 1, column 2 shows 6 but has 5 neighbours"),
        (lambda: position.with_cells({9: 1}), "there is no cell 9"),
        (lambda: position.with_cells({-1: 1}), "there is no cell -1"),
        (lambda: position.with_cells({1: 256}), "cell 1 cannot hold 256"),
        (lambda: Position(position.topology, b"\x00"), "3x3 has 9 cells, not 1"),
    ]
    for act, complaint in wrong:
        with pytest.raises(PositionError, match=complaint) as caught:
            act()
        assert caught.value.line is None


def test_a_covered_board_shows_nothing_yet() -> None:
    position = Position.covered_board(EXPERT)
    assert (position.shape, position.mines) == ((30, 16), 99)
    assert len(position.covered) == 480
    box = Position.covered_board(Board((3, 3, 3), 27), "box")
    assert len(box.covered) == box.mines == 27


def test_all_mines_and_no_mines_are_positions() -> None:
    assert Position.parse("2x1x2\n##").mines == 2
    assert Position.parse("2x1x0\n##").mines == 0
    assert Position.parse("1x1x1\n!").covered == ()


def test_importing_positions_loads_nothing_heavy() -> None:
    code = "import sys, minewright.position; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "minewright" in loaded
    assert not loaded & {"numpy", "rich", "typer", "polars", "asyncio", "unicodedata"}
