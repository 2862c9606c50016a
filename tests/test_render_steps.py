"""Pictures of steps: which clues, what follows, and a whole solution as a strip."""

import re
from xml.etree import ElementTree

import pytest
from test_render import SPACE, contrast, shapes

from minewright import Board, Game, Position
from minewright.deduction import Deduction, explain
from minewright.render import svg
from minewright.render.steps import MAX_CELLS, most_steps, step_svg, strip_svg
from minewright.topology import Net, topologies

# Some cells are known from earlier steps; the two clues give a safe and a mined cell.
POSITION = Position.parse("7x3x6\n-!--###\n2#3-###\n###-##F")
STEP = Deduction(POSITION, 1, (7, 9), (14,), (16,))


def at(picture: str, kind: str) -> list[tuple[int, int]]:
    """Return row and column of each shape of a class, from the top left of its cell."""
    found = []
    for shape in shapes(picture, kind):
        x, y = (sum(side) / len(side) / svg.CELL - svg.MARGIN for side in zip(*shape, strict=True))
        found.append((int(y), int(x)))
    return found


def test_a_step_shows_its_clues_outlined_and_what_follows_hatched() -> None:
    picture = step_svg(STEP)
    assert at(picture, "clue") == at(picture, "used") == [(1, 0), (1, 2)]
    assert at(picture, "deduced") == [(2, 0), (2, 2)]
    assert set(at(picture, "hatch")) == {(2, 0), (2, 2)}
    assert at(picture, "tick") == [(2, 0)]
    assert at(picture, "ink") == [(0, 1), (2, 2)]


def test_what_was_known_before_stays_plain() -> None:
    picture = step_svg(STEP)
    assert at(picture, "open") == [(0, 0), (0, 2), (0, 3), (1, 3), (2, 3)]
    assert (0, 1) in at(picture, "covered")
    assert len(shapes(picture, "flag")) == 1
    assert not shapes(picture, "mined")


@pytest.mark.parametrize("caption", [True, False])
def test_the_sentence_describes_the_picture_and_stands_below_if_wanted(caption: bool) -> None:
    root = ElementTree.fromstring(step_svg(STEP, caption=caption))
    assert root.findtext(f"{SPACE}desc") == STEP.sentence
    lines = [text.text or "" for text in root.findall(f"{SPACE}text")]
    assert " ".join(lines) == (STEP.sentence if caption else "")


@pytest.mark.parametrize("shade", [0, 1], ids=["light", "dark"])
def test_signs_stand_out_from_their_shades(shade: int) -> None:
    for number in svg.NUMBERS[1:]:
        assert contrast(number[shade], svg.CLUE[shade]) >= 4.5
    assert contrast(("#14171c", "#ffffff")[shade], svg.DEDUCED[shade]) >= 7


def check_page(picture: str) -> ElementTree.Element:
    """Check that a page gets one well-formed picture that needs nothing else."""
    assert re.findall(r"https?://[^\"]*|href|url\(|@import|<script|id=", picture) == [
        SPACE.strip("{}")
    ]
    return ElementTree.fromstring(picture)


@pytest.mark.parametrize("name", topologies())
def test_every_topology_has_steps_and_strips(name: str) -> None:
    board = Board((4, 3, 3), 5) if 3 in topologies()[name].sides else Board((6, 5), 6)
    game = Game(board, "open", 3, name)
    game.open(game.topology.size // 2)
    position = game.position
    steps = list(explain(position))
    assert steps
    for step in steps:
        picture = step_svg(step)
        _, _, width, height = map(float, check_page(picture).attrib["viewBox"].split())
        kinds = ("open", "covered", "clue", "deduced")
        tiles = [shape for kind in kinds for shape in shapes(picture, kind)]
        assert len(tiles) == position.topology.size
        assert all(0 <= x <= width and 0 <= y <= height for shape in tiles for x, y in shape)
        assert len(shapes(picture, "tick")) == len(step.safe)
    boards = check_page(strip_svg(position, steps)).findall(f"{SPACE}g")
    assert len(boards) == 1 + len(steps)


def test_a_net_has_steps_too() -> None:
    net = Net([[1, 2], [0], [0]], [(1, 1), (3, 1), (1, 3)])
    (step,) = explain(Position(net, b"\x02\xff\xff", None))
    assert len(shapes(step_svg(step), "link")) == 2
    assert len(shapes(step_svg(step), "deduced")) == 2


# Strips


def labels(picture: str, kind: str) -> list[str]:
    found = ElementTree.fromstring(picture).findall(f"{SPACE}text[@class='{kind}']")
    return [text.text or "" for text in found]


def test_a_strip_starts_with_the_position_and_puts_the_type_before_each_board() -> None:
    position = Position.parse("5x5x5\n0002#\n0003#\n1213#\n#####\n#####")
    steps = list(explain(position))
    assert {step.kind for step in steps} == {0, 1, 2}
    picture = strip_svg(position, steps)
    assert labels(picture, "kind ink") == [str(step.kind) for step in steps]
    assert labels(picture, "label step")[:3] == ["start", "step 1", "step 2"]
    start, *boards = ElementTree.fromstring(picture).findall(f"{SPACE}g")
    assert start.find(f"{SPACE}path[@class='deduced']") is None
    for board, step in zip(boards, steps, strict=True):
        assert board.find(f"{SPACE}path[@class='deduced']") is not None
        assert step.sentence in (board.findtext(f"{SPACE}title") or "")


@pytest.mark.parametrize(("columns", "rows"), [(1, 8), (3, 3), (8, 1), (99, 1), (None, 2)])
def test_a_strip_is_wrapped_into_rows(columns: int | None, rows: int) -> None:
    root = ElementTree.fromstring(strip_svg(POSITION, [STEP] * 7, columns))
    lines = [group.attrib["transform"].split()[1] for group in root.findall(f"{SPACE}g")]
    assert len(set(lines)) == rows
    if columns is None:
        assert lines.count(lines[0]) == lines.count(lines[-1]) == 4


def test_a_strip_without_columns_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1 column, not 0"):
        strip_svg(POSITION, [], 0)


def test_a_strip_draws_so_many_cells_and_says_how_many_steps_are_missing() -> None:
    position = Position.parse("100x100x2000\n0" + "#" * 99 + ("\n" + "#" * 100) * 99)
    step = Deduction(position, 0, (0,), (1, 100, 101), ())
    most = most_steps(position.topology)
    assert (most + 1) * position.topology.size <= MAX_CELLS
    picture = strip_svg(position, [step] * (most + 2), left_out=5)
    assert len(ElementTree.fromstring(picture).findall(f"{SPACE}g")) == most + 1
    assert labels(picture, "label note") == ["7 more steps, not drawn"]
    assert len(picture) < 2_000_000
    assert not labels(strip_svg(POSITION, [STEP]), "label note")
