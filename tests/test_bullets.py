"""Bullets puzzles: text, JSON, validation and links, against code without the kernel."""

import pickle
from xml.etree import ElementTree

import pytest
from bullets_puzzles import AMBIGUOUS, CLASHING, TEXT, TOPOLOGIES, outside
from hypothesis import given, settings
from hypothesis import strategies as st

from minewright import PositionError
from minewright.bullets import (
    Puzzle,
    PuzzleError,
    make,
)
from minewright.position import COVERED
from minewright.topology import get

# The puzzle


def test_the_text_is_read_and_written() -> None:
    puzzle = Puzzle.parse(TEXT)
    assert str(puzzle) == TEXT
    assert puzzle.bullets == 15
    assert dict(puzzle.clues)[14] == 0
    assert len(puzzle.hidden) == 49 - len(puzzle.clues)
    assert puzzle.position[0] == COVERED
    assert Puzzle.parse(str(puzzle)) == puzzle
    assert hash(Puzzle.parse(str(puzzle))) == hash(puzzle)
    assert repr(puzzle) == "<Puzzle 7x7x15 moore, 16 clues>"


@pytest.mark.parametrize("kind", TOPOLOGIES)
def test_json_and_text_give_the_puzzle_back_on_any_topology(kind: str) -> None:
    puzzle = make((5, 4), topology=kind, seed=3, iterations=5)
    assert Puzzle.from_json(puzzle.to_json()) == puzzle == Puzzle.parse(str(puzzle))
    assert pickle.loads(pickle.dumps(puzzle)) == puzzle
    ElementTree.fromstring(puzzle._repr_svg_())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3x3x9\n1##\n###\n###", "8 covered cells cannot hold 9 mines"),
        ("3x3x?\n1##\n###\n###", "number of bullets is missing"),
        ("1##\n###\n###", "number of bullets is missing"),
        ("3x3x2\n1#F\n###\n###", "row 1, column 3 is neither a clue nor hidden"),
        ("3x3x2\n1#-\n###\n###", "row 1, column 3 is neither"),
        ("3x3x2\n9##\n###\n###", "shows 9 but has 3 neighbours"),
        ("33x32x2\n" + "\n".join(["#" * 33] * 32), "at most 1,024 cells, not 1,056"),
        ("3x3x2\n1##\n###", "expected another row"),
        ("", "empty"),
    ],
)
def test_text_that_is_no_puzzle_says_why(text: str, words: str) -> None:
    with pytest.raises((PuzzleError, PositionError), match=words) as caught:
        Puzzle.parse(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "is an object"),
        ('{"shape": [3, 3], "clues": []}', "bullets"),
        ('{"shape": [3, 3], "bullets": true, "clues": []}', "bullets"),
        ('{"shape": "3x3", "bullets": 1, "clues": []}', "shape"),
        ('{"shape": [3, 3], "bullets": 1}', "needs clues"),
        ('{"shape": [3, 3], "bullets": 1, "clues": [[0, 0]]}', r"expected \(row, column\)"),
        ('{"shape": [3, 3], "bullets": 1, "clues": [[]]}', "each clue"),
        ('{"shape": [3, 3], "bullets": 1, "clues": [[0, 7, 1]]}', "column 7 is not on the board"),
        ('{"shape": [3, 3], "bullets": 1, "clues": [[0, 0, 1], [0, 0, 1]]}', "one per cell"),
        ('{"shape": [3, 3], "bullets": 1, "clues": [[0, 0, -1]]}', "not -1"),
        ('{"shape": [3, 3], "bullets": 1, "clues": [[0, 0, 4]]}', "shows 4"),
        ('{"shape": [3, 3], "bullets": -1, "clues": []}', "cannot hold -1"),
        ('{"shape": [999, 999], "bullets": 1, "clues": []}', "at most 1,024"),
        ('{"shape": [3, 3], "bullets": 1, "clues": [], "topology": "x"}', "no topology"),
    ],
)
def test_json_that_is_no_puzzle_says_why(data: str, words: str) -> None:
    with pytest.raises(PuzzleError, match=words) as caught:
        Puzzle.from_json(data)
    assert "\n" not in str(caught.value)


def test_a_bullet_is_no_clue() -> None:
    with pytest.raises(PuzzleError, match="row 1, column 2 holds a bullet and cannot be a clue"):
        Puzzle.from_solution(get("moore", (3, 3)), {1}, {0, 1})
    with pytest.raises(PuzzleError, match="no cell 9"):
        Puzzle.from_solution(get("moore", (3, 3)), {9}, {0})


def test_an_arrangement_is_never_taken_for_the_solution_unless_it_is_the_only_one() -> None:
    puzzle = Puzzle.from_solution(get("moore", (3, 3)), {2, 4}, {0})
    assert not puzzle.unique
    with pytest.raises(PuzzleError, match="solutions"):
        puzzle.solution  # noqa: B018


# Validation


def test_an_ambiguous_puzzle_shows_two_solutions() -> None:
    report = Puzzle.parse(AMBIGUOUS).validate()
    assert not report.unique
    assert not report.minimal
    assert report.count == len(outside(Puzzle.parse(AMBIGUOUS)).solutions(100)) == 6
    one, other = report.solutions
    assert one != other
    for bullets_ in report.solutions:
        clues = [cell for cell, _ in report.puzzle.clues]
        assert Puzzle.from_solution(report.puzzle.topology, bullets_, clues) == report.puzzle
    assert "6 solutions" in report.why


def test_a_contradictory_puzzle_names_the_clues_that_clash() -> None:
    report = Puzzle.parse(CLASHING).validate()
    assert (report.count, report.solutions) == (0, ())
    assert report.clash is not None
    assert report.clash.clues == (0, 5)
    assert "no solution: the 3 at row 1, column 1 and the 1 at row 2, column 3" in report.why


def test_every_needed_clue_has_a_rival_that_proves_it() -> None:
    puzzle = make(7, 15, seed=8)
    report = puzzle.validate()
    assert report.minimal
    assert [cell for cell, _ in puzzle.clues] == sorted(report.rivals)
    for clue, rival in report.rivals.items():
        assert rival != puzzle.solution
        assert len(rival) == puzzle.bullets
        for cell, number in puzzle.clues:
            fits = cell not in rival and number == len(rival.intersection(near(puzzle, cell)))
            assert fits == (cell != clue)


def near(puzzle: Puzzle, cell: int) -> tuple[int, ...]:
    return puzzle.topology.neighbours(cell)


def test_a_spare_clue_is_named() -> None:
    puzzle = make(5, 7, seed=2)
    spare = min(set(puzzle.hidden) - puzzle.solution)
    clues = {cell for cell, _ in puzzle.clues} | {spare}
    report = Puzzle.from_solution(puzzle.topology, puzzle.solution, clues).validate()
    assert report.unique
    assert not report.minimal
    assert spare in report.spare
    assert puzzle.topology.describe(spare) in report.why
    assert report.puzzle.without(spare) == puzzle


# The link


def decoded(link: str) -> tuple[int, int, dict[int, int]]:
    """Read a link as the editor does: 0-f is a number, g-z are 1 to 20 hidden cells."""
    prefix, _, body = link.partition("?")
    assert prefix == "https://puzz.link/p"
    kind, width, height, cells = body.split("/")
    assert kind == "mines"
    clues, at = {}, 0
    for sign in cells:
        value = int(sign, 36)
        if value < 16:
            clues[at] = value
        at += 1 if value < 16 else value - 15
    assert at == int(width) * int(height)
    return int(width), int(height), clues


def test_the_link_is_the_editors_own_for_a_puzzle_known_to_it() -> None:
    puzzle = Puzzle.parse("5x5x6\n#2###\n####1\n3####\n##13#\n0####")
    assert puzzle.link == "https://puzz.link/p?mines/5/5/g2m13l13g0j"


@given(st.integers(1, 30), st.integers(1, 30), st.data())
@settings(max_examples=50, deadline=None)
def test_the_link_holds_every_clue(width: int, height: int, data: st.DataObject) -> None:
    topology = get("moore", (width, height))
    cells = st.integers(0, topology.size - 1)
    clues = data.draw(st.sets(cells, max_size=12))
    others = data.draw(st.sets(cells, max_size=30)) - clues
    puzzle = Puzzle.from_solution(topology, others, clues)
    assert decoded(puzzle.link) == (width, height, dict(puzzle.clues))


def test_other_topologies_have_no_link() -> None:
    with pytest.raises(PuzzleError, match="hex"):
        make(4, topology="hex", iterations=0).link  # noqa: B018
