"""Pictures of positions on a screen and on a page."""

import io
import re
from xml.etree import ElementTree

import pytest

from minewright import Analysis, Board, Game, Position, analyze
from minewright.render import svg
from minewright.render.svg import position_svg
from minewright.render.terminal import NUMBERS, Screen, count, report
from minewright.topology import Net, get, topologies

SMALL = Position.parse("5x3x4\n#####\n#212#\n####F")
SPACE = "{http://www.w3.org/2000/svg}"


def under_way(name: str) -> Analysis:
    sides = topologies()[name].sides
    board = Board((5, 4, 3), 8) if 3 in sides else Board((9, 7), 12)
    game = Game(board, "open", 3, name)
    game.open(game.topology.size // 2)
    return analyze(game.position)


def shapes(picture: str, kind: str) -> list[list[tuple[float, float]]]:
    """Return the corners of each shape of a class."""
    path = ElementTree.fromstring(picture).find(f"{SPACE}path[@class='{kind}']")
    if path is None:
        return []
    return [
        [(float(x), float(y)) for x, y in re.findall(r"([-\d.]+) ([-\d.]+)", shape)]
        for shape in path.attrib["d"].split("M")[1:]
    ]


def height(shape: list[tuple[float, float]]) -> float:
    return max(y for _, y in shape) - min(y for _, y in shape)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, as the web accessibility guidelines define it."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


# On a screen


def test_a_screen_without_colour_shows_everything_in_letters() -> None:
    shown = report(SMALL, analyze(SMALL), Screen())
    assert (
        shown
        == """\
   1  2  3  4  5
1  50 25>✓  25 50
2  50 2  1  2  50
3  50 25 ✓  25F50

 ✓  safe    ✱  mined    05  50  95  % chance of a mine   > best   F marked

position    5x3 moore, 4 mines, 12 of 15 covered
consistent  yes
solutions   36
safe        2: row 1, column 3; row 3, column 3
mined       no cell is certain
best        row 1, column 3: no risk
"""
    )


@pytest.mark.parametrize("name", topologies())
def test_colour_adds_nothing_but_colour(name: str) -> None:
    analysis = under_way(name)
    plain = report(analysis.position, analysis, Screen())
    coloured = report(analysis.position, analysis, Screen(colour=True))
    assert "\x1b[" in coloured
    stripped = re.sub(r"\x1b\[[\d;]*m", "", coloured)
    assert [line.rstrip() for line in stripped.splitlines()] == plain.splitlines()


def test_a_hexagon_stands_half_a_cell_beside_those_below_it() -> None:
    position = Position.parse("3x2x1 hex\n1##\n0##")
    first, second = report(position, analyze(position), Screen()).splitlines()[1:3]
    assert second.index(".") - first.index("1", 2) == 2


def test_clues_that_clash_are_marked_and_named() -> None:
    position = Position.parse("4x1x1\n1##1")
    shown = report(position, analyze(position), Screen())
    assert "1 !1  #  # !1\n" in shown
    assert (
        "consistent  no: the 1 at row 1, column 1, the 1 at row 1, column 4 and the total" in shown
    )


def test_an_unknown_total_is_said() -> None:
    position = Position.parse("1##")
    shown = report(position, analyze(position), Screen())
    assert "an unknown number of mines" in shown
    assert "mine count unknown: every count is considered" in shown


def test_a_screen_that_knows_ascii_only_gets_ascii_only() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert report(SMALL, analyze(SMALL), Screen.of(stream)).isascii()


@pytest.mark.parametrize("columns", [16, 12, 8, 7])
def test_a_picture_never_runs_over_the_edge_of_the_screen(columns: int) -> None:
    for colour in (False, True):
        shown = report(SMALL, analyze(SMALL), Screen(colour=colour, columns=columns))
        board = re.sub(r"\x1b\[[\d;]*m", "", shown).splitlines()[:4]
        assert all(len(line) <= columns for line in board)
        # One column per cell leaves no room for percentages, and half of one would mislead.
        assert columns > 8 or [line.split()[1] for line in board[1:]] == ["##✓##", "#212#", "##✓##"]


def test_a_screen_too_narrow_for_any_picture_says_what_to_do() -> None:
    shown = report(SMALL, analyze(SMALL), Screen(columns=6))
    assert "needs 7 columns, but this terminal has 6; use --svg FILE" in shown


def test_a_count_is_written_in_full_or_by_its_size() -> None:
    for number, text in (
        (0, "0"),
        (10**18 - 1, "999,999,999,999,999,999"),
        (10**18, "1.000e18 (19 digits)"),
        (3_333_499_999 * 10**9, "3.333e18 (19 digits)"),
        (10**23 - 1, "1.000e23 (23 digits)"),
        (12346 * 10**9000, "1.235e9004 (9,005 digits)"),
    ):
        assert count(number) == text


# On a page


@pytest.mark.parametrize("name", topologies())
def test_a_page_gets_one_well_formed_picture_that_needs_nothing_else(name: str) -> None:
    analysis = under_way(name)
    picture = position_svg(analysis.position, analysis)
    root = ElementTree.fromstring(picture)
    assert root.find(f"{SPACE}title") is not None
    assert root.find(f"{SPACE}desc") is not None
    assert re.findall(r"https?://[^\"]*|href|url\(|@import|<script", picture) == [SPACE.strip("{}")]
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    tiles = [
        shape for kind in ("open", "covered", "safe", "mined") for shape in shapes(picture, kind)
    ]
    assert len(tiles) == analysis.position.topology.size
    assert all(0 <= x <= width and 0 <= y <= height for shape in tiles for x, y in shape)


def test_a_covered_cell_is_filled_as_high_as_its_chance_of_a_mine() -> None:
    position = Position.parse("4x1x1\n####")
    picture = position_svg(position, analyze(position))
    tile, level = shapes(picture, "covered")[0], shapes(picture, "level")[0]
    assert height(level) / height(tile) == pytest.approx(0.25, abs=0.01)
    assert max(y for _, y in level) == max(y for _, y in tile)


def test_safe_and_mined_cells_are_told_apart_by_shape() -> None:
    position = Position.parse("5x1x2\n1#2#F")
    analysis = analyze(position)
    picture = position_svg(position, analysis)
    assert len(shapes(picture, "tick")) == len(analysis.safe) == 1
    assert len(shapes(picture, "ink")) == len(analysis.mined) == 2
    assert len(shapes(picture, "flag")) == 1


def test_without_an_analysis_nothing_is_said_of_covered_cells() -> None:
    picture = position_svg(SMALL)
    assert len(shapes(picture, "covered")) == 12
    assert not any(shapes(picture, kind) for kind in ("level", "safe", "mined", "highlight"))
    assert SMALL._repr_svg_() == picture


def test_highlighted_cells_are_outlined() -> None:
    picture = position_svg(SMALL, highlight=[6, 7])
    assert shapes(picture, "highlight") == shapes(picture, "open")[:2]


def test_a_net_shows_its_links() -> None:
    net = Net([[1, 2], [0], [0]], [(1, 1), (3, 1), (1, 3)])
    assert len(shapes(position_svg(Position(net, b"\x01\xff\xff", 1)), "link")) == 2


def test_numbers_stand_out_from_an_open_cell() -> None:
    for shade in (0, 1):
        for number in svg.NUMBERS:
            assert contrast(number[shade], svg.OPEN[shade]) >= 4.5
    for colour in NUMBERS[1:]:
        assert contrast(colour, "#e4e4e4") >= 4.5


def test_the_picture_of_a_large_board_stays_small() -> None:
    position = Position(get("moore", (100, 100)), b"\xff" * 10_000, 2000)
    assert len(position_svg(position, percentages=False)) < 1_000_000
