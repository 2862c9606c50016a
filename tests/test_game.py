"""The game: fair minefields, the rules of opening, and what a player is told."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from time import process_time
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minewright._kernel import Minefield, Random
from minewright.board import BEGINNER, Board
from minewright.game import Game, GameError, Move, StartRule
from minewright.position import COVERED, MARKED, MINED, Position
from minewright.topology import Net, Topology, get

RECTANGLES = ["moore", "neumann", "hex", "torus", "knight"]


def laid(game: Game, first: int | None = None) -> frozenset[int]:
    """Return the minefield that a game gets when it begins at `first`."""
    if first is not None:
        game.open(first)
    if not game.over:
        game.give_up()
    return game.minefield


def on(text: str, start: StartRule = "any") -> Game:
    """Return a game on a picture of a minefield: `*` is a mine."""
    rows = text.split()
    topology = get("moore", (len(rows[0]), len(rows)))
    return Game.from_minefield(
        topology, [cell for cell, sign in enumerate("".join(rows)) if sign == "*"], start
    )


# Laying


@pytest.mark.parametrize(
    ("start", "first", "forbidden"),
    [
        ("any", 4, set()),
        ("safe", 4, {4}),
        ("open", 0, {0, 1, 3, 4}),
        ("open", 5, {1, 2, 4, 5, 7, 8}),
        ("any", None, set()),
        ("open", None, set()),
    ],
)
def test_every_minefield_that_the_start_rule_allows_is_equally_likely(
    start: StartRule, first: int | None, forbidden: set[int]
) -> None:
    allowed = {frozenset(cells) for cells in combinations(sorted(set(range(9)) - forbidden), 2)}
    each = 150
    seen = Counter(
        laid(Game(Board((3, 3), 2), start, seed=1, stream=stream), first)
        for stream in range(each * len(allowed))
    )
    assert set(seen) == allowed
    degrees = len(allowed) - 1
    chi_square = sum((count - each) ** 2 for count in seen.values()) / each
    assert chi_square < degrees + 4 * (2 * degrees) ** 0.5


@pytest.mark.parametrize(("start", "moved"), [("any", 0), ("safe", 1), ("open", 9)])
def test_players_who_begin_elsewhere_meet_nearly_the_same_mines(
    start: StartRule, moved: int
) -> None:
    differences = []
    for seed in range(50):
        one, other = (laid(Game(BEGINNER, start, seed), first) for first in (0, 40))
        assert len(one) == len(other) == 10
        differences.append(len(one - other))
    assert max(differences) <= moved


@pytest.mark.parametrize(
    ("start", "minefield"),
    [
        ("any", [1, 19, 22, 35, 40, 53, 59, 63, 67, 75]),
        ("safe", [1, 19, 22, 30, 35, 53, 59, 63, 67, 75]),
        ("open", [1, 19, 22, 35, 53, 58, 59, 63, 67, 75]),
    ],
)
def test_a_seed_means_the_same_minefield_for_ever(start: StartRule, minefield: list[int]) -> None:
    assert sorted(laid(Game(BEGINNER, start, seed=17), 40)) == minefield


def test_seeds_and_streams_give_different_minefields() -> None:
    fields = {laid(Game(BEGINNER, "any", s, stream=t)) for s in range(5) for t in range(5)}
    assert len(fields) == 25


@pytest.mark.parametrize("start", ["safe", "open"])
def test_the_first_opening_gets_what_the_start_rule_promises(start: StartRule) -> None:
    for seed in range(200):
        game = Game(Board((5, 5), 16), start, seed)
        game.open(12)
        assert game.position[12] == 0 if start == "open" else game.position[12] <= 8


def test_marks_before_the_first_opening_stay_and_tell_nothing() -> None:
    game = Game(BEGINNER, "safe", seed=3)
    game.mark(0)
    assert game.state == "ready"
    assert game.position[0] == MARKED
    plain = Game(BEGINNER, "safe", seed=3)
    assert laid(game, 40) == laid(plain, 40)
    assert game.position[0] == MARKED


# Playing


class Slow:
    """The rules again, as simply as they can be written."""

    def __init__(self, topology: Topology, mined: frozenset[int]) -> None:
        self.topology, self.mined = topology, mined
        self.open_cells: set[int] = set()
        self.marks: set[int] = set()

    def number(self, cell: int) -> int:
        return len(self.mined.intersection(self.topology.neighbours(cell)))

    def open(self, cell: int) -> set[int]:
        if cell in self.open_cells or cell in self.marks:
            return set()
        self.open_cells.add(cell)
        opened = {cell}
        if cell not in self.mined and self.number(cell) == 0:
            for other in self.topology.neighbours(cell):
                opened |= self.open(other)
        return opened

    def chord(self, cell: int) -> set[int]:
        near = self.topology.neighbours(cell)
        if len(self.marks.intersection(near)) != self.number(cell):
            return set()
        return set().union(*(self.open(other) for other in near))

    def code(self, cell: int) -> int:
        if cell in self.marks:
            return MARKED
        if cell not in self.open_cells:
            return COVERED
        return MINED if cell in self.mined else self.number(cell)

    def state(self) -> str:
        if self.open_cells & self.mined:
            return "lost"
        if len(self.open_cells) == self.topology.size - len(self.mined):
            return "won"
        return "playing" if self.open_cells else "ready"


@st.composite
def minefields(draw: st.DrawFn) -> tuple[Topology, frozenset[int]]:
    side = st.integers(1, 6)
    name = draw(st.sampled_from([*RECTANGLES, "box"]))
    shape = (3, draw(side), 3) if name == "box" else (draw(side), draw(side))
    topology = get(name, shape)
    cells = st.integers(0, topology.size - 1)
    return topology, draw(st.frozensets(cells, max_size=topology.size // 3))


@given(minefields(), st.lists(st.tuples(st.integers(0, 3), st.integers(0, 999)), max_size=60))
@settings(max_examples=150, deadline=None)
def test_a_game_follows_the_slow_rules_move_by_move_and_replays(
    minefield: tuple[Topology, frozenset[int]], tries: list[tuple[int, int]]
) -> None:
    topology, mined = minefield
    game, slow = Game.from_minefield(topology, mined), Slow(topology, mined)
    for kind, choice in tries:
        if game.over:
            break
        cell = choice % topology.size
        code = slow.code(cell)
        if (code == COVERED and kind == 0) or code == MARKED:
            slow.marks ^= {cell}
            assert game.mark(cell) == (cell in slow.marks)
        elif code == COVERED:
            opened = game.open(cell)
            assert opened[0] == cell
            assert len(opened) == len(set(opened))
            assert set(opened) == slow.open(cell)
        else:
            assert game.open(cell) == ()
            assert set(game.chord(cell)) == slow.chord(cell)
        assert game.state == slow.state()
        assert list(game.position.cells) == [slow.code(c) for c in range(topology.size)]
        assert game.covered_safe == topology.size - len(mined | slow.open_cells)
    replayed = game.again(game.moves)
    assert replayed.position == game.position
    assert replayed.moves == game.moves
    assert replayed.state == game.state


def test_a_million_cells_of_zeros_open_at_once() -> None:
    topology = get("moore", (1000, 1000))
    game = Game.from_minefield(topology, [999_999])
    began = process_time()
    opened = game.open(0)
    assert process_time() - began < 0.7
    assert len(opened) == 999_999
    assert game.state == "won"


def test_a_chord_opens_the_unmarked_neighbours_when_the_marks_fit() -> None:
    game = on("*... .... ....")
    game.open(5)
    assert game.chord(5) == ()
    game.mark(0)
    assert set(game.chord(5)) == {1, 2, 3, 4, 6, 7, 8, 9, 10, 11}
    assert game.state == "won"
    assert game.moves == (Move("open", 5), Move("mark", 0), Move("chord", 5))


def test_a_chord_on_wrong_marks_explodes_and_shows_every_mine_it_hit() -> None:
    game = on("**. ...")
    game.open(4)
    game.mark(3)
    game.mark(5)
    assert {0, 1} <= set(game.chord(4))
    assert game.state == "lost"
    assert [cell for cell in range(6) if game.position[cell] == MINED] == [0, 1]


def test_a_chord_with_too_many_marks_opens_nothing() -> None:
    game = on("*.. ...")
    game.open(4)
    game.mark(0)
    game.mark(1)
    assert game.chord(4) == ()
    assert len(game.moves) == 3


def test_a_cascade_leaves_marked_cells_covered() -> None:
    game = on("... ... ..*")
    game.mark(1)
    game.open(0)
    assert game.position[1] == MARKED
    assert not game.over
    game.mark(1)
    game.open(1)
    assert game.state == "won"


def test_a_lost_game_shows_the_exploded_mine_and_then_the_truth() -> None:
    game = on("*.* ...")
    assert game.open(0) == (0,)
    assert game.state == "lost"
    assert str(game.position) == "3x2x2\n!##\n###"
    assert str(game.show()) == "3x2x2\n!2!\n121"
    assert game.minefield == {0, 2}


def test_a_won_game_has_every_safe_cell_open_and_its_mines_covered() -> None:
    game = Game(BEGINNER, "open", seed=5)
    game.open(40)
    truth = game.again()
    truth.open(40)
    truth.give_up()
    for cell in set(range(81)) - truth.minefield:
        game.open(cell)
    assert game.state == "won"
    assert {c for c in range(81) if game.position[c] == COVERED} == game.minefield
    assert game.covered_safe == 0
    with pytest.raises(GameError, match="the game is won"):
        game.open(min(game.minefield))


def test_giving_up_ends_the_game_and_shows_it() -> None:
    game = Game(BEGINNER, "safe", seed=2, stream=3)
    before = game.position
    game.give_up()
    assert game.state == "given up"
    assert game.position == before
    assert len(game.minefield) == 10
    assert game.moves == (Move("give up"),)
    assert game.again(game.moves).minefield == game.minefield
    assert isinstance(game.show(), Position)


def test_what_changes_nothing_is_no_move() -> None:
    game = on("*.. ...")
    game.open(1)
    assert game.open(1) == ()
    assert game.chord(1) == ()
    assert game.moves == (Move("open", 1),)


def test_the_minefield_is_hidden_until_the_end() -> None:
    game = on("*.. ...")
    game.open(1)
    with pytest.raises(GameError, match="hidden until the game is over"):
        _ = game.minefield
    with pytest.raises(GameError, match="hidden until the game is over"):
        game.show()


def test_boards_without_mines_and_without_safe_cells_are_played() -> None:
    empty = Game(Board((4, 4), 0), "any")
    assert len(empty.open(0)) == 16
    assert empty.state == "won"
    full = Game(Board((2, 2), 4), "any")
    assert full.state == "won"


def test_a_game_is_played_on_any_neighbour_lists() -> None:
    ring = Net([[4, 1], [0, 2], [1, 3], [2, 4], [3, 0]])
    game = Game.from_minefield(ring, [0])
    assert game.open(2) == (2, 1, 3, 4)
    assert game.state == "won"
    assert bytes(game.show().cells) == bytes([MINED, 1, 0, 0, 1])


def test_one_kernel_minefield_serves_game_after_game() -> None:
    graph = get("moore", BEGINNER.shape).graph
    used, fresh = Minefield(graph), Minefield(graph)
    for seed in range(20):
        used.mark(3)
        used.reset(10, "open", Random(seed))
        used.open(40)
    fresh.reset(10, "open", Random(19))
    fresh.open(40)
    assert (used.visible, used.truth) == (fresh.visible, fresh.truth)
    assert (used.covered_safe, used.opened_count) == (fresh.covered_safe, fresh.opened_count)


# Errors


def test_moves_against_the_rules_say_what_to_do() -> None:
    game = on("*.. ...")
    for cell in (-1, 6):
        with pytest.raises(GameError, match=rf"cell {cell} is outside the board.* 0 to 5"):
            game.open(cell)
    game.open(1)
    with pytest.raises(GameError, match="row 1, column 2 is open"):
        game.mark(1)
    with pytest.raises(GameError, match="row 1, column 1 is covered"):
        game.chord(0)
    game.mark(0)
    with pytest.raises(GameError, match="row 1, column 1 is marked; remove the mark"):
        game.open(0)
    game.give_up()
    for play in (game.open, game.mark, game.chord):
        with pytest.raises(GameError, match="the game is given up; again"):
            play(2)
    with pytest.raises(GameError, match="the game is given up"):
        game.give_up()
    with pytest.raises(GameError, match="'open' needs a cell"):
        game.again([Move("open")])


@pytest.mark.parametrize(
    ("mines", "start", "advice"),
    [
        (9, "safe", "room for at most 8.*'any'"),
        (9, "open", "'any'"),
        (6, "open", "room for at most 5.*'safe'"),
    ],
)
def test_a_start_rule_without_room_is_refused_at_once(
    mines: int, start: StartRule, advice: str
) -> None:
    with pytest.raises(GameError, match=advice):
        Game(Board((3, 3), mines), start)


def test_a_first_opening_without_room_is_refused_and_another_is_not() -> None:
    game = Game(Board((3, 3), 4), "open")
    with pytest.raises(GameError, match=r"row 2, column 2 and its 8 neighbours.*only 5 cells free"):
        game.open(4)
    assert game.state == "ready"
    assert game.open(0)
    assert game.position[0] == 0


def test_a_given_minefield_begins_only_where_its_start_rule_allows() -> None:
    refused: list[tuple[StartRule, int]] = [("safe", 0), ("open", 0), ("open", 1)]
    for start, cell in refused:
        game = on("*... ....", start)
        with pytest.raises(GameError, match="begin elsewhere or use the start rule 'any'"):
            game.open(cell)
    assert on("*... ....", "safe").open(1) == (1,)
    assert on("*... ....", "open").open(3)


def test_settings_that_mean_nothing_are_refused() -> None:
    topology = get("moore", (3, 3))
    with pytest.raises(GameError, match="start rule is 'any', 'safe' or 'open', not 'luck'"):
        Game(BEGINNER, cast(StartRule, "luck"))
    for wrong in (-1, 1.0, True, None, "1"):
        complaint = rf"is a whole number from 0 to 2\^64-1, not {wrong!r}"
        with pytest.raises(GameError, match=f"^a seed {complaint}"):
            Game(BEGINNER, seed=cast(int, wrong))
        with pytest.raises(GameError, match=f"^a stream {complaint}"):
            Game(BEGINNER, stream=cast(int, wrong))
    with pytest.raises(GameError, match=r"not a number that long$"):
        Game(BEGINNER, seed=10**5000)
    with pytest.raises(GameError, match="cell 9 is outside the board"):
        Game.from_minefield(topology, [0, 9])
    with pytest.raises(GameError, match="does not fit the topology"):
        Game(BEGINNER, topology=topology)


def test_the_kernel_checks_what_it_is_given_and_stays_as_it_was() -> None:
    field = Minefield(get("moore", (3, 3)).graph)
    field.reset_to([8])
    field.open(0)
    before = field.visible
    with pytest.raises(ValueError, match="named twice"):
        field.reset_to([1, 2, 1])
    with pytest.raises(ValueError, match="no cell 9"):
        field.reset_to([9])
    with pytest.raises(ValueError, match="room for 5 mines, not 6"):
        field.reset(6, "open", Random(0))
    with pytest.raises(ValueError, match="any, safe or open, not 'luck'"):
        field.reset(1, "luck", Random(0))
    with pytest.raises(IndexError):
        field.open(9)
    assert field.visible == before
    field.reset(5, "open", Random(0))
    with pytest.raises(ValueError, match="does not allow cell 4 to be opened first"):
        field.open(4)
