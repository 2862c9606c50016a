"""Boards without guesses: what they promise, and a checker that trusts nobody."""

import copy
import gc
import itertools
import json
import random
import sys
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import inf, nan
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from changed_proofs import changes

import minewright as mw
from minewright import Board, Game, noguess
from minewright.cli import main
from minewright.deduction.wishes import Difficulty, Weights
from minewright.game import StartRule
from minewright.noguess.proof import prove
from minewright.noguess.verify import follows, neighbourhoods
from minewright.topology import Topology, get

BOARDS = (
    ("9x9x10", "moore"),
    ("16x16x40", "moore"),
    ("30x16x99", "moore"),
    ("30x16x170", "moore"),
    ("10x8x16", "hex"),
    ("9x9x14", "torus"),
    ("9x9x12", "knight"),
    ("9x9x20", "neumann"),
    ("4x4x4x8", "box"),
    ("4x4x3x3x8", "box"),
)


def needs_no_guess(topology: Topology, mined: frozenset[int], first: int, total: bool) -> bool:
    """Play by exact inference: open what is certainly safe until nothing is."""
    game = Game.from_minefield(topology, mined)
    game.open(first)
    while not game.over:
        safe = mw.analyze(game.position, use_total=total).safe
        if not safe:
            return False
        for cell in safe:
            game.open(cell)
    return game.state == "won"


@pytest.mark.parametrize(("board", "topology"), BOARDS)
def test_exact_inference_opens_every_board_without_a_guess(board: str, topology: str) -> None:
    ways: tuple[noguess.Way, ...] = ("repaired", "uniform")
    for way in ways[: 1 if board == "30x16x170" else 2]:
        for seed in range(3):
            for total in (True, False):
                made = noguess.make(board, topology=topology, seed=seed, way=way, total=total)
                assert len(made.minefield) == Board.parse(board).mines
                assert needs_no_guess(made.topology, made.minefield, made.first, total)
                assert noguess.verify(made.proof.json()) == len(made.proof.steps)
                assert total or not any(step.total for step in made.proof.steps)


@pytest.mark.parametrize(
    ("board", "topology", "start", "total"),
    [
        ("5x5x10", "torus", "open", False),
        ("5x5x11", "torus", "safe", False),
        ("4x4x4x28", "box", "open", True),
        ("4x3x3x13", "box", "safe", True),
    ],
)
def test_a_crowded_board_needs_no_guess_after_all_its_repairs(
    board: str, topology: str, start: Literal["open", "safe"], total: bool
) -> None:
    # With so little room, a repair may change numbers that are already open and were needed
    # earlier. If boards were not tried again from the start, up to one in a hundred would need a
    # guess.
    size = Board.parse(board).size
    for seed in range(1000):
        first = seed % size
        made = noguess.make(
            board, first=first, seed=seed, topology=topology, start=start, total=total
        )
        assert needs_no_guess(made.topology, made.minefield, first, total)


def test_any_first_cell_and_either_start_can_be_asked_for() -> None:
    for first in range(0, 80, 9):
        opened = noguess.make("9x9x10", first=first, seed=first)
        assert opened.game().open(first) != (first,)
        kept = noguess.make("9x9x10", first=first, seed=first, start="safe")
        assert first not in kept.minefield
        assert needs_no_guess(kept.topology, kept.minefield, first, True)


@pytest.mark.parametrize("clues", [1, 2])
def test_no_step_needs_more_clues_than_allowed(clues: int) -> None:
    for seed in range(5):
        assert noguess.make("12x12x24", seed=seed, clues=clues).proof.hardest <= clues
        assert noguess.make("12x12x24", seed=seed, clues=clues, total=False).proof.hardest <= clues


@pytest.mark.parametrize(("board", "topology"), [("12x12x24", "moore"), ("9x8x14", "hex")])
@pytest.mark.parametrize("wanted", ["easy", "medium", "hard", 0, 5])
def test_a_board_has_the_difficulty_that_was_asked_for(
    board: str, topology: str, wanted: Difficulty
) -> None:
    for seed in range(2):
        made = noguess.make(board, topology=topology, seed=seed, difficulty=wanted)
        effort = made.proof.effort
        assert wanted in (effort.level, effort.workload)
        assert len(made.minefield) == Board.parse(board).mines
        assert needs_no_guess(made.topology, made.minefield, made.first, True)
        assert noguess.verify(made.proof.json()) == effort.steps


def test_an_energy_is_brought_down_and_annealing_finds_its_own_way() -> None:
    energy = noguess.Weights((0.0, -1.0, -3.0))
    plain = noguess.make("10x10x18", seed=2)
    better = noguess.make("10x10x18", seed=2, energy=energy, iterations=100)
    both = noguess.make("10x10x18", seed=2, energy=energy, iterations=100, difficulty="medium")
    warm = noguess.make("10x10x18", seed=2, energy=energy, iterations=100, anneal=(4.0, 0.2))
    assert energy(better.proof.effort) < energy(plain.proof.effort)
    assert both.proof.effort.level == "medium"
    assert warm.minefield != better.minefield
    for made in (better, both, warm):
        assert needs_no_guess(made.topology, made.minefield, made.first, True)


def test_a_uniform_board_of_a_difficulty_is_equally_likely_among_all_such() -> None:
    topology, first, mines, draws = get("moore", (4, 3)), 0, 3, 800
    every = [
        field
        for field in map(frozenset, combinations(range(1, topology.size), mines))
        if needs_no_guess(topology, field, first, True)
        and prove(topology, field, first).effort.level == "medium"
    ]
    drawn = Counter(
        noguess.make(
            "4x3x3",
            first=first,
            start="safe",
            way="uniform",
            seed=5,
            stream=stream,
            difficulty="medium",
        ).minefield
        for stream in range(draws)
    )
    assert set(drawn) == set(every)
    expected = draws / len(every)
    chi_square = sum((drawn[field] - expected) ** 2 / expected for field in every)
    freedom = len(every) - 1
    assert abs(chi_square - freedom) < 3 * (2 * freedom) ** 0.5


def test_a_wish_for_a_difficulty_that_cannot_be_is_refused() -> None:
    with pytest.raises(noguess.NoGuessError, match="of difficulty 500"):
        noguess.make("9x9x10", difficulty=500, budget=mw.Budget(20_000, 3600.0))
    with pytest.raises(ValueError, match="from 0 to 1,000,000, not -1"):
        noguess.make("9x9x10", difficulty=-1)
    with pytest.raises(ValueError, match="equally likely"):
        noguess.make("9x9x10", way="uniform", energy=noguess.Weights((1.0,)))


@pytest.mark.parametrize("value", [float("nan"), float("-inf"), "low"])
def test_an_energy_that_is_no_number_is_named(value: float) -> None:
    with pytest.raises(ValueError, match="is not finite"):
        noguess.make("9x9x10", energy=lambda effort: value)


def test_annealing_may_end_as_cold_as_a_number_can_be() -> None:
    energy = noguess.Weights((0.0, 1.0))
    cold = noguess.make("9x9x10", energy=energy, iterations=20, anneal=(1e308, 1e-320))
    assert energy(cold.proof.effort) >= 0


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("first", "the first cell is a whole number from 0 to 24"),
        ("seed", r"a seed is a whole number from 0 to 2\^64-1"),
        ("stream", "a stream is a whole number from 0 to 4,294,967,295"),
        ("clues", "the number of clues is a whole number of at least 1"),
        ("iterations", "the number of iterations is a whole number of at least 0"),
        ("difficulty", "a difficulty is a whole number from 0 to 1,000,000"),
    ],
)
def test_a_number_that_cannot_be_is_refused_at_once(name: str, numbers: str) -> None:
    for wrong in (-1, 1.5, 1.0, nan, inf, True):
        with pytest.raises(noguess.NoGuessError, match=f"^{numbers}, not {wrong}$"):
            noguess.make("5x5x3", **{name: wrong})  # type: ignore[arg-type]


def test_a_cell_a_seed_and_a_stream_beyond_the_last_are_refused() -> None:
    for name, beyond in (("first", 25), ("seed", 2**64), ("stream", 2**32)):
        with pytest.raises(noguess.NoGuessError, match=f"not {beyond:,}$"):
            noguess.make("5x5x3", **{name: beyond})  # type: ignore[arg-type]
    with pytest.raises(
        mw.GameError, match=r"^a stream is a .* to 4,294,967,295, not 4,294,967,296$"
    ):
        noguess.NoGuessGame("5x5x3", stream=2**32)


def test_numbers_of_numpy_are_taken_as_ordinary_ones() -> None:
    made = noguess.make(
        "5x5x3",
        **dict.fromkeys(("first", "seed", "stream", "clues"), np.uint8(1)),  # type: ignore[arg-type]
    )
    assert made == noguess.make("5x5x3", first=1, seed=1, stream=1, clues=1)
    assert json.loads(made.proof.json())["first"] == 1


def test_a_topology_of_another_shape_is_refused() -> None:
    with pytest.raises(mw.GameError, match="5x5x3 does not fit the topology, whose shape is 4x4"):
        noguess.make("5x5x3", topology=get("moore", (4, 4)))


def test_every_board_that_qualifies_is_equally_likely() -> None:
    topology, first, mines = get("moore", (4, 3)), 0, 3
    fields = map(frozenset, combinations(range(1, topology.size), mines))
    every = [field for field in fields if needs_no_guess(topology, field, first, True)]
    games = 60 * len(every)
    drawn = Counter(
        noguess.make(
            "4x3x3", first=first, start="safe", way="uniform", seed=5, stream=stream
        ).minefield
        for stream in range(games)
    )
    assert set(drawn) == set(every)
    expected = games / len(every)
    chi_square = sum((drawn[field] - expected) ** 2 / expected for field in every)
    # Its mean is the number of boards less one, its deviation about the root of twice that.
    freedom = len(every) - 1
    assert abs(chi_square - freedom) < 3 * (2 * freedom) ** 0.5


def test_the_same_seed_gives_the_same_board() -> None:
    first = noguess.make("30x16x99", seed=11)
    assert noguess.make("30x16x99", seed=11) == first
    assert noguess.make("30x16x99", seed=11, stream=1).minefield != first.minefield


def test_a_budget_that_is_spent_is_said_and_no_board_is_given() -> None:
    with pytest.raises(noguess.NoGuessError, match="within the budget"):
        noguess.make("30x16x150", way="uniform", budget=mw.Budget(20, 60.0))
    # All the boards that take too many clues share the same budget, too.
    with pytest.raises(noguess.NoGuessError, match="within the budget"):
        noguess.make("30x16x120", clues=1, budget=mw.Budget(seconds=0.2))
    with pytest.raises(noguess.NoGuessError, match="within the budget"):
        noguess.make("16x16x60", clues=1, budget=mw.Budget(10_000, 3600.0))


def test_mines_that_leave_no_first_cell_free_are_refused_and_the_cell_is_named() -> None:
    told = "'open', a game that begins at row 5, column 5 has room for at most 72 mines, not 73"
    with pytest.raises(ValueError, match=f"{told}; use fewer mines or the start rule 'safe'$"):
        noguess.make("9x9x73")
    with pytest.raises(ValueError, match=r"'safe', .* at most 80 mines, not 81; use fewer mines$"):
        noguess.make("9x9x81", first=0, start="safe")
    # The start rule 'safe' has no room for them either.
    with pytest.raises(ValueError, match=r"'open', .* not 81; use fewer mines$"):
        noguess.make("9x9x81")


@pytest.mark.parametrize(
    ("shape", "name"),
    [((4, 5), n) for n in ("moore", "neumann", "hex", "torus", "knight")]
    + [((3, 4, 2), "box"), ((2, 3, 2, 2), "box")],
)
def test_the_checker_lays_out_the_same_boards(shape: tuple[int, ...], name: str) -> None:
    topology = get(name, shape)
    ours = [frozenset(topology.neighbours(cell)) for cell in range(topology.size)]
    assert neighbourhoods(name, shape) == ours


def written_proof(shape: list[int], mines: list[int], steps: list[object]) -> str:
    """Write a proof that begins in the first cell."""
    head = {"format": "minewright no-guess proof 1", "topology": "moore", "shape": shape}
    return json.dumps(head | {"mines": mines, "first": 0, "steps": steps})


def test_what_is_too_hard_to_check_does_not_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    one_of_two = [(frozenset({0, 1}), 1)]
    # The work may end before, between or during the searches for a contradiction.
    for work in range(9):
        # By way of sys.modules, because the package has a function of the same name as the module.
        monkeypatch.setattr(sys.modules["minewright.noguess.verify"], "WORK", work)
        assert not follows(one_of_two, frozenset({0}), frozenset())
        assert not follows(one_of_two, frozenset(), frozenset({1}))


def test_a_number_that_is_still_covered_proves_nothing() -> None:
    step = {"clues": [2], "safe": [], "mined": [1], "total": False}
    with pytest.raises(noguess.ProofError, match="step 1 uses a number that is not open yet"):
        noguess.verify(written_proof([3, 1], [1], [step]))


def test_every_step_of_a_proof_concludes_something() -> None:
    step = {"clues": [], "safe": [], "mined": [], "total": False}
    with pytest.raises(noguess.ProofError, match="step 1 concludes nothing"):
        noguess.verify(written_proof([3, 1], [1], [step]))


def test_a_proof_on_a_board_of_any_size_is_not_laid_out() -> None:
    with pytest.raises(noguess.UnreadableProofError, match="too many cells"):
        noguess.verify(written_proof([501, 500], [], []))


def test_a_proof_that_was_changed_is_refused() -> None:
    chance = random.Random(1)
    tried = 0
    for seed in range(5):
        made = noguess.make("10x10x22", seed=seed)
        for wrong in changes(made.proof, made.topology.size, chance):
            with pytest.raises(noguess.ProofError):
                noguess.verify(wrong.json())
            tried += 1
    assert tried > 400


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", "null", "\x00", "[" * 100_000),
        '{"format": "minewright no-guess proof 1"}',
        '{"format": "minewright no-guess proof 1", "shape": [Infinity, 3]}',
    ],
)
def test_what_is_no_proof_at_all_is_one_line(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "proof.json"
    file.write_text(text, encoding="utf-8")
    assert main(["verify", str(file)]) == 2
    output, complaint = capsys.readouterr()
    assert (output, complaint.count("\n")) == ("", 1)
    assert "Error(" not in complaint


def test_who_had_to_guess_is_shown_the_step_that_was_there() -> None:
    made = noguess.make("16x16x40", seed=3)
    game = made.game()
    game.open(made.first)
    for step in made.proof.steps[:20]:
        for cell in step.safe:
            game.open(cell)
    number = made.proof.at(game.position)
    assert number is not None
    step = made.proof.steps[number]
    assert all(game.position[clue] <= 8 for clue in step.clues)
    assert set(step.safe) <= set(mw.analyze(game.position).safe)


@pytest.mark.parametrize("start", ["open", "safe", "any"])
@pytest.mark.parametrize("board", ["9x9x10", "16x16x40", "30x16x99"])
def test_a_game_needs_no_guess_wherever_it_begins(board: str, start: StartRule) -> None:
    for seed in range(4):
        game = noguess.NoGuessGame(Board.parse(board), start, seed)
        first = random.Random(seed).randrange(game.topology.size)
        game.mark((first + 1) % game.topology.size)
        game.open(first)
        game.mark((first + 1) % game.topology.size)
        while not game.over:
            safe = mw.analyze(game.position).safe
            assert safe
            for cell in safe:
                game.open(cell)
        assert game.state == "won"
        new = noguess.NoGuessGame(Board.parse(board), start, seed)
        new.play(game.moves)
        for other in (game.again(game.moves), copy.deepcopy(game), new):
            assert type(other) is noguess.NoGuessGame
            assert other.minefield == game.minefield
            assert other.moves == game.moves


def test_a_game_is_played_again_without_making_its_minefield_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = noguess.NoGuessGame(Board.parse("9x9x10"), "open", 1)
    game.open(40)
    monkeypatch.delattr("minewright.noguess.game.make")
    for other in (game.again(game.moves), copy.deepcopy(game), game.again().again(game.moves)):
        assert other.position == game.position
    with pytest.raises(NameError):
        game.again().open(0)


def test_a_game_begun_anew_elsewhere_keeps_only_its_last_minefield() -> None:
    game: mw.Game = noguess.NoGuessGame(mw.EXPERT, "safe", 1)

    def wander(first: int) -> None:
        nonlocal game
        for cell in range(first, 480, 20):
            game.open(cell)
            game = game.again()

    wander(0)
    gc.collect()
    tracemalloc.start()
    wander(10)
    gc.collect()
    # What other threads of the test run allocate meanwhile does not count.
    own = tracemalloc.Filter(
        inclusive=True, filename_pattern=sys.modules[type(game).__module__].__file__ or ""
    )
    taken = tracemalloc.take_snapshot().filter_traces([own]).statistics("filename")
    tracemalloc.stop()
    # One takes some 500 bytes, all of them 24 times as much.
    assert sum(each.size for each in taken) < 2_000


def test_a_board_too_crowded_for_reasoning_is_refused_where_it_begins() -> None:
    game = noguess.NoGuessGame(Board.parse("9x9x80"), "safe", 1)
    assert game.open(40)
    with pytest.raises(mw.GameError, match="mines"):
        noguess.NoGuessGame(Board.parse("9x9x73"), "open", 1).open(40)


def test_the_commands_make_and_verify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["noguess", "make", "--board", "9x9x10", "--first", "2,3", "--seed", "4"]
    assert main([*arguments, "--count", "3", "--json"]) == 0
    boards = json.loads(capsys.readouterr().out)["boards"]
    assert len(boards) == 3
    for one in boards:
        assert one["first"] == [2, 3]
        assert len(one["mines"]) == 10
        assert one["difficulty"] == sum(
            max(len(step["clues"]) + step["total"] - 1, 0) for step in one["steps"]
        )
    file = tmp_path / "proof.json"
    assert main([*arguments, "--proof", str(file)]) == 0
    assert "Begin at row 3, column 4" in capsys.readouterr().out
    assert main(["verify", str(file)]) == 0
    assert "none is a guess" in capsys.readouterr().out
    file.write_text(file.read_text().replace('"total": false', '"total": false, "x": 1', 1))
    wrong = json.loads(file.read_text())
    wrong["steps"].pop()
    file.write_text(json.dumps(wrong))
    assert main(["verify", str(file)]) == 1
    assert "still covered" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--first", "9,0"], "not on the board"),
        (["--first", "x"], "ROW,COL"),
        (["--first", "1,2,3"], "coordinates"),
        (["--board", "9x9x80"], "begins at row 5, column 5 has room for at most 72 mines"),
        (["--board", "nothing"], "such as 30x16x99"),
        (["--count", "2", "--proof", "x"], "one board"),
        (["--seconds", "nan"], "--seconds must be more than 0, not nan"),
        (["--difficulty", "harder"], "easy, medium, hard or a number"),
        (["--difficulty", "9" * 5000], "from 0 to 1,000,000"),
        (["--energy", "x"], "numbers such as"),
        (["--energy", "0,1e308"], "--energy: a weight is from -1e+100 to 1e+100, not 1e+308"),
        (["--energy", "1", "--way", "uniform"], "equally likely"),
    ],
)
def test_a_wish_that_cannot_be_is_one_line(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["noguess", "make", "--board", "9x9x10", *arguments]) == 2
    output, complaint = capsys.readouterr()
    assert (output, complaint.count("\n")) == ("", 1)
    assert why in complaint


def test_time_that_runs_out_never_decides_which_board_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = itertools.count()
    monkeypatch.setattr("minewright.noguess.maker.monotonic", lambda: float(next(now)))
    energy = Weights((0.0, -1.0))
    with pytest.raises(noguess.NoGuessError, match="the time was over after 3 of 500 changes"):
        noguess.make("9x9x10", energy=energy, iterations=500, budget=mw.Budget(10**8, 5.0))


def test_boards_already_made_are_printed_when_the_next_is_interrupted_or_not_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    board = noguess.make("9x9x10")
    for error, code in ((KeyboardInterrupt(), 130), (noguess.NoGuessError("none"), 3)):
        made = iter([board, error])

        def make(*_: object, made: Iterator[object] = made, **__: object) -> object:
            one = next(made)
            if isinstance(one, BaseException):
                raise one
            return one

        monkeypatch.setattr(noguess, "make", make)
        assert main(["noguess", "make", "--count", "3", "--json"]) == code
        told = capsys.readouterr()
        assert len(json.loads(told.out)["boards"]) == 1
        assert told.err.count("\n") == 1
