"""Strategies: what holds for every one of them."""

import re
from collections.abc import Mapping
from functools import cache

import pytest

from minewright import Board, Game, Position, analyze
from minewright._kernel import Random
from minewright.game import StartRule
from minewright.lab.arm import Arm
from minewright.lab.conclusions import coverage, positions, unproved
from minewright.strategies import (
    Conclusion,
    Deducer,
    Finding,
    Kind,
    Recipe,
    StrategyError,
    Turn,
    describe,
    first_moves,
    guessers,
    play,
    strategies,
    title,
)
from minewright.strategies.champion import Champion
from minewright.strategies.guessing import RandomGuesser, local_chances
from minewright.strategies.play import own_numbers
from minewright.strategies.registry import FirstMoveKind, GuesserKind
from minewright.strategies.strategy import NOTHING, Strategy

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
    assert kind.origin
    assert kind.summary
    assert kind.complete in ("no", "numbers", "yes")
    assert kind.guesser.partition(":")[0] in guessers()
    assert kind.first in first_moves()
    for option in kind.options.values():
        assert option.problem(option.default) is None


@pytest.mark.parametrize("known", [strategies(), guessers(), first_moves()])
def test_people_read_titles_that_tell_all_apart(
    known: Mapping[str, Kind] | Mapping[str, GuesserKind] | Mapping[str, FirstMoveKind],
) -> None:
    titles = [kind.title for kind in known.values()]
    assert len(set(titles)) == len(titles)
    assert all(title[0].isupper() and ":" not in title for title in titles)


def test_a_title_is_made_of_the_name_and_followed_by_options() -> None:
    assert describe("single-point").title == "Single point"
    assert title("max-exists:engine=minisat,total=yes", strategies()) == (
        "Max Exists (engine=minisat, total=yes)"
    )
    assert title("nobody:at=home", strategies()) == "nobody:at=home"
    arm = Arm("single-point", "9x9x10", guesser="safest", first="corner")
    assert arm.title == "Single point + Safest cell, first move Corner"


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


FORCED = Position.parse("3x2x1\n#10\n#10")


@cache
def sample() -> list[Position]:
    return [position for position, _ in positions(60, 3)]


@pytest.mark.parametrize("name", [name for name in ALL if describe(name).complete != "no"])
def test_a_complete_strategy_finds_every_certain_cell(name: str) -> None:
    total = describe(name).complete == "yes"
    found = coverage(
        Recipe(name), sample()[: 20 if engine_is_slow(name) else None], use_total=total
    )
    assert found.wrong == 0
    assert found.everything >= found.positions - found.gave_up
    assert found.gave_up <= found.positions // 5


@pytest.mark.parametrize("name", ALL)
def test_the_same_position_and_numbers_give_the_same_turn(name: str) -> None:
    for position in (sample()[0], FORCED):
        turns = [Recipe(name).player(Random(5)).turn(position) for _ in range(2)]
        assert turns[0] is not None
        assert turns[0] == turns[1]


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


# Contradictions and wrong marks, which a strategy may meet and must survive.
IMPOSSIBLE = ["6x1x0\n0001#0", "3x3x1\n###\n#3#\n###", "3x2x2\n2##\n#F#", "4x1x1\nF1##"]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("guesser", ["", "safest", "pseq", "best-neighbour", "local"])
def test_a_position_that_cannot_be_is_met_without_stumbling(name: str, guesser: str) -> None:
    for text in IMPOSSIBLE:
        turn = Recipe(name, guesser).player(Random(1)).turn(Position.parse(text))
        assert turn is not None
        opened = [move.cell for move in turn.moves if move.kind == "open"]
        marked = [move.cell for move in turn.moves if move.kind == "mark"]
        assert set(opened).isdisjoint(marked)
        assert opened or marked


class Torn(Deducer):
    """Calls the first covered cell both safe and mined."""

    def conclude(self, position: Position) -> Conclusion:
        cell = position.covered[0]
        return Conclusion((Finding((cell,), (), "safe"), Finding((), (cell,), "mined")))


def test_a_cell_called_both_safe_and_mined_is_neither_opened_nor_marked() -> None:
    player = Strategy("torn", Torn(), RandomGuesser(), Recipe("exact").first_move(), Random(1))
    turn = player.turn(Position.parse("3x1x1\n#1#"))
    assert turn is not None
    assert turn.findings == ()
    assert turn.guess is not None


@pytest.mark.parametrize("name", ALL)
def test_a_wrong_mark_is_believed_and_the_game_goes_on_to_an_end(name: str) -> None:
    game = Game(Board.parse("9x9x10"), "open", 3)
    game.open(40)
    game.mark(analyze(game.position).safe[0])
    record = play(game, Recipe(name).player(own_numbers(3)))
    assert game.over
    assert record.blunder


@pytest.mark.parametrize("name", ALL)
def test_what_is_known_to_be_safe_is_opened_first(name: str) -> None:
    position = Position.parse("4x2x3\n1-##\n####")
    turn = Recipe(name).player(Random(1)).turn(position)
    assert turn is not None
    assert [str(move) for move in turn.moves] == ["open 1"]


def test_a_board_too_large_for_sets_is_refused_in_one_line() -> None:
    game = Game(Board.parse("300x300x9000"), "safe", 1)
    game.open(0)
    with pytest.raises(StrategyError, match="up to 40,000 cells"):
        Recipe("single-point").player(Random(1)).turn(game.position)


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
        ("csp:nodes=999999999999999999999", "", "", "a whole number from 1 to 1,000,000,000"),
        ("csp:nodes=0", "", "", "a whole number from 1 to 1,000,000,000"),
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


@pytest.mark.parametrize("row", ["#2#1#", "#1#2#"])
def test_a_local_chance_is_the_largest_that_any_number_gives(row: str) -> None:
    assert local_chances(Position.parse(f"5x1x?\n{row}"))[2] == 1.0


def test_the_champion_takes_its_marks_for_mines_when_it_guesses() -> None:
    marked = Position.parse("3x3x2\nF##\n#2#\n###")
    known = marked.with_marks_mined()
    choice, expected = (
        Champion("usual").choose(position, known.covered, NOTHING, Random(1))
        for position in (marked, known)
    )
    assert choice == expected
    assert "14.3%" in choice.reason


RULES: list[tuple[str, StartRule]] = [("2x1x0", "safe"), ("2x1x0", "any"), ("2x1x1", "any")]


def test_a_guess_counts_unless_the_start_rule_makes_it_safe() -> None:
    records = [
        play(Game(Board.parse(written), start, 1), Recipe("random").player(Random(1)))
        for written, start in RULES
    ]
    assert [record.guesses for record in records] == [0, 0, 1]


def test_a_game_that_takes_too_long_is_timed_out_and_lost() -> None:
    game = Game(Board.parse("9x9x10"), "safe", 1)
    record = play(game, Recipe("exact").player(Random(1)), seconds=-1.0)
    assert record.timed_out
    assert not record.won
    assert game.state == "given up"
