"""Strategies: what holds for every one of them."""

import re

import pytest

from minewright import Board, Game, Position
from minewright._kernel import COVERED, Random
from minewright.game import StartRule
from minewright.lab.conclusions import conclude, positions, share, unproved
from minewright.strategies import (
    Recipe,
    StrategyError,
    Turn,
    describe,
    first_moves,
    guessers,
    play,
    strategies,
)
from minewright.strategies.play import own_numbers

ALL = sorted(strategies())
SOUND = [name for name in ALL if describe(name).sound]
GAMES: list[tuple[str, str, StartRule]] = [
    ("9x9x10", "moore", "safe"),
    ("7x7x14", "moore", "any"),
    ("6x6x5", "torus", "open"),
    ("7x7x9", "hex", "safe"),
    ("7x7x10", "neumann", "any"),
    ("7x7x8", "knight", "safe"),
    ("4x4x4x6", "box", "open"),
]


def new_game(board: str, topology: str, start: StartRule, stream: int) -> Game:
    return Game(Board.parse(board), start, 11, topology, stream=stream)


def engine_is_slow(name: str) -> bool:
    return bool(describe(name).needs)


@pytest.mark.parametrize("name", ALL)
def test_every_strategy_says_where_it_comes_from_and_what_to_expect(name: str) -> None:
    kind = describe(name)
    assert kind.name == name
    assert kind.origin
    assert kind.summary
    assert kind.complete in ("no", "numbers", "yes")
    assert kind.guesser.partition(":")[0] in guessers()
    assert kind.first in first_moves()
    for option in kind.options.values():
        assert option.problem(option.default) is None


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_strategy_acts_only_on_what_exact_inference_proves(name: str) -> None:
    wrong: list[tuple[str, tuple[int, ...]]] = []

    def watch(position: Position, turn: Turn) -> None:
        if cells := unproved(position, turn):
            wrong.append((str(position), cells))

    recipe = Recipe(name)
    for board, topology, start in GAMES:
        for stream in range(3 if engine_is_slow(name) else 12):
            game = new_game(board, topology, start, stream)
            record = play(game, recipe.player(own_numbers(11, stream)), watch=watch)
            assert not record.blunder
            assert not wrong


SAMPLE = [position for position, _ in positions(60, 3)]


@pytest.mark.parametrize("name", [name for name in ALL if describe(name).complete != "no"])
def test_a_complete_strategy_finds_every_certain_cell(name: str) -> None:
    total = describe(name).complete == "yes"
    found = share(Recipe(name), SAMPLE[: 20 if engine_is_slow(name) else None], use_total=total)
    assert found.wrong == 0
    assert found.everything >= found.positions - found.gave_up
    assert found.gave_up <= found.positions // 10


@pytest.mark.parametrize("name", ALL)
def test_the_same_position_and_numbers_give_the_same_turn(name: str) -> None:
    position = SAMPLE[0]
    turns = [Recipe(name).player(Random(5)).turn(position) for _ in range(2)]
    assert turns[0] is not None
    assert turns[0].moves == (turns[1] or turns[0]).moves


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("guesser", sorted(guessers()))
def test_any_deducer_plays_with_any_guesser(name: str, guesser: str) -> None:
    game = new_game("5x5x4", "moore", "safe", 1)
    record = play(game, Recipe(name, guesser).player(own_numbers(11, 1)))
    assert record.won == (game.state == "won")
    assert game.over


@pytest.mark.parametrize(
    ("name", "cell"), [("corner", 0), ("edge", 4), ("centre", 40), ("inside", 20)]
)
def test_a_first_move_begins_where_its_name_says(name: str, cell: int) -> None:
    covered = Position.covered_board(Board.parse("9x9x10"))
    turn = Recipe("random", first=name).player(Random(1)).turn(covered)
    assert turn is not None
    assert turn.guess is not None
    assert turn.guess.cell == cell


def test_pseq_begins_in_a_corner_or_inside_as_the_start_rule_asks() -> None:
    assert Recipe("pseq", start="safe").begins == "corner"
    assert Recipe("pseq", start="open").begins == "inside"
    assert Recipe("pseq", start="open", first="edge").begins == "edge"


def test_the_start_rule_moves_a_first_move_that_it_does_not_allow() -> None:
    game = Game(Board.parse("3x3x4"), "open", 1)
    play(game, Recipe("random", first="centre").player(Random(1)))
    assert game.moves[0].cell == 0


def test_asked_again_a_deducer_adds_to_what_it_found_and_never_takes_back() -> None:
    found = conclude(Recipe("single-point").deducer(), SAMPLE[0])
    assert found.safe.isdisjoint(found.mined)
    assert all(SAMPLE[0][cell] == COVERED for cell in found.safe | found.mined)


@pytest.mark.parametrize(
    ("written", "guesser", "first", "says"),
    [
        ("exakt", "", "", "did you mean exact"),
        ("", "", "", "there is no strategy ''"),
        ("exact:mood=good", "", "", "has no option 'mood'; it has none"),
        ("exact", "neighbor", "", "did you mean neighbour"),
        ("exact", "best-neighbour:reading=odd", "", "option reading is meant or literal"),
        ("exact", "best-neighbour:reading", "", "a value, as in option=value"),
        ("exact", "", "corners", "did you mean corner"),
    ],
)
def test_a_name_that_is_not_there_gets_one_line_that_helps(
    written: str, guesser: str, first: str, says: str
) -> None:
    with pytest.raises(StrategyError, match=re.escape(says)) as caught:
        Recipe(written, guesser, first)
    assert "\n" not in str(caught.value)


def test_kofford_s_ratio_is_lowest_as_meant_and_highest_as_written() -> None:
    # The 3 has 3 mines in 5 cells, the 1 below has 1 in 5: (number - mines) / covered.
    position = Position.parse("3x6x4\n###\n#3#\n###\n###\n#1#\n###", mines=4)
    meant = Recipe("random", "best-neighbour").player(Random(2)).turn(position)
    written = Recipe("random", "best-neighbour:reading=literal").player(Random(2)).turn(position)
    assert meant is not None
    assert meant.guess is not None
    assert meant.guess.cell >= 9
    assert written is not None
    assert written.guess is not None
    assert written.guess.cell < 9


def test_a_guess_counts_unless_the_start_rule_makes_it_safe() -> None:
    board = Board.parse("2x1x0")
    safe = play(Game(board, "safe", 1), Recipe("random").player(Random(1)))
    danger = play(Game(board, "any", 1), Recipe("random").player(Random(1)))
    assert (safe.guesses, danger.guesses) == (0, 1)


def test_a_game_that_takes_too_long_is_timed_out_and_lost() -> None:
    game = Game(Board.parse("9x9x10"), "safe", 1)
    record = play(game, Recipe("exact").player(Random(1)), seconds=-1.0)
    assert record.timed_out
    assert not record.won
    assert game.state == "given up"
