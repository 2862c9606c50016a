"""How hard boards are: the figures, the files they come from, and the command."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minewright as mw
from minewright import Board, Game, Position, noguess
from minewright.bullets import make, solve
from minewright.cli import bars, main
from minewright.cli.rate import _one
from minewright.deduction import next_step
from minewright.deduction.effort import Effort
from minewright.deduction.opening import Opening, Step, is_open, open_by_steps, truth_of
from minewright.formats import FormatError, Replay
from minewright.position import COVERED, MINED
from minewright.rating import Rating, Summary, rate, rate_boards, rate_position
from minewright.rating import rating as one_rating
from minewright.rating.files import read_rateables
from minewright.rating.rating import rate_minefield
from minewright.rating.summary import draw
from minewright.strategies.strategy import Random
from minewright.topology import Topology, get


def slow_steps(topology: Topology, mined: frozenset[int], first: int, total: bool) -> list[Step]:
    """Return the steps that open a board, found one by one on a real game."""
    game = Game.from_minefield(topology, mined)
    game.open(first)
    known: dict[int, int] = {}
    steps = []
    while not game.over:
        position = game.position if total else game.position.with_mines(None)
        found = next_step(position.with_cells(known))
        if found is None:
            break
        steps.append(Step(found.clues, found.total, found.safe, found.mined))
        for cell in found.safe:
            game.open(cell)
        known |= dict.fromkeys(found.mined, MINED)
    return steps


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["moore", "neumann", "hex", "torus", "knight"]), st.data())
def test_a_board_opened_at_once_takes_the_same_steps_as_one_by_one(
    name: str, data: st.DataObject
) -> None:
    topology = get(name, (7, 6))
    mined = frozenset(data.draw(st.sets(st.integers(1, 41), max_size=14)))
    total = data.draw(st.booleans())
    truth, covered = truth_of(topology, mined), bytes((COVERED,)) * topology.size
    opening = open_by_steps(topology, truth, covered, [0], total=total)
    assert list(opening.steps) == slow_steps(topology, mined, 0, total)
    game = Game.from_minefield(topology, mined)
    game.open(0)
    for step in opening.steps:
        for cell in step.safe:
            game.open(cell)
    assert is_open(truth, opening.cells) == game.over


def test_the_workload_is_the_sum_of_the_clues_beyond_the_first() -> None:
    effort = Effort.of([1, 2, 2, 5, 1, 1])
    assert (effort.steps, effort.hardest, effort.workload) == (6, 5, 0 + 1 + 1 + 4 + 0 + 0)
    assert effort.by_clues == {1: 3, 2: 2, 5: 1}
    assert str(effort) == "6 steps: 3 need 1 clue, 2 need 2, 1 needs 5"
    assert str(Effort.of([2])) == "1 step: 1 needs 2 clues"
    assert [Effort.of(needs).level for needs in ([], [1, 0], [1, 2], [2, 3], [9])] == [
        *("easy", "easy", "medium", "hard", "hard"),
    ]


def test_a_board_without_guesses_is_rated_by_its_proof() -> None:
    for seed in range(10):
        made = noguess.make("12x10x24", seed=seed)
        rated = rate(made)
        assert rated.effort == made.proof.effort
        assert rated.difficulty == made.difficulty == made.proof.workload
        assert (rated.guesses, rated.chance, rated.won) == (0, 1.0, True)
        assert rated.first == made.topology.coordinates(made.first)


def test_a_puzzle_is_rated_on_the_same_scale() -> None:
    puzzle = make(6, seed=1)
    needs = [step.deduction.order + step.deduction.total for step in solve(puzzle, "refined").steps]
    rated = rate(puzzle)
    assert rated.workload == rated.difficulty == sum(need - 1 for need in needs)
    assert rated.effort.hardest == max(needs)
    assert (rated.bbbv, rated.openings, rated.guesses) == (None, None, 0)


def test_a_guess_is_counted_with_its_chance_and_forgiven() -> None:
    # The last two cells of the row are alike: one of them is mined, whatever else is open.
    topology = get("moore", (4, 2))
    for mine in (3, 7):
        rated = rate(Replay(topology, frozenset([mine])), first=0)
        assert (rated.guesses, rated.chance, rated.difficulty, rated.level) == (1, 0.5, None, None)
    both = [rate(Replay(topology, frozenset([mine])), first=0).won for mine in (3, 7)]
    assert sorted(both) == [False, True]
    with pytest.raises(ValueError, match="is mined"):
        rate(Replay(topology, frozenset([3])), first=3)


def test_one_guess_that_hits_is_enough_to_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    # The first guess hits a mine and is forgiven; the others are safe.
    guesses = iter((5, 4, 12))
    monkeypatch.setattr(one_rating._Chooser, "choose", lambda *_: (next(guesses), 0.5))
    found = rate_minefield(get("moore", (13, 1)), {2, 5, 9}, 0)
    assert (found.guesses, found.won, found.chance) == (3, False, 0.125)


def test_clicks_are_those_of_a_board_counted_by_hand() -> None:
    # Two openings, at both ends, and three numbers between the mines that touch no 0.
    text = "9x3x6\n002!4!200\n003!6!300\n002!4!200"
    (field,) = read_rateables(text.encode())
    assert isinstance(field, Replay)
    rated = rate(field)
    assert (rated.openings, rated.bbbv) == (2, 2 + 3)


def test_the_share_won_is_that_of_the_player() -> None:
    summary = Summary(tuple(rate_boards(Board.parse("8x8x10"), 150, seed=4, guesser="pseq")))
    played = mw.simulate(Board.parse("8x8x10"), "pseq", 3000, 4, start="open")
    _, low, high = summary.won
    assert low < played.win_rate < high
    found = summary.mean("chance")
    assert found is not None
    mean, half = found
    assert half is not None
    assert abs(mean - played.win_rate) < 2 * half


def test_minefields_that_fit_a_position_are_equally_likely() -> None:
    position = Position.parse("5x3x4\n1##1#\n#####\n#2###")
    every = mw.enumerate_solutions(position, 10_000)
    random = Random(5, 0)
    draws = 12 * len(every)
    drawn = Counter(draw(position, random) for _ in range(draws))
    assert set(drawn) <= set(every)
    chi_square = sum((drawn[field] - 12) ** 2 / 12 for field in every)
    freedom = len(every) - 1
    assert abs(chi_square - freedom) < 4 * (2 * freedom) ** 0.5


def test_a_position_is_rated_on_all_minefields_that_fit_if_they_are_few() -> None:
    position = Position.parse("3x2x1\n#1#\n###")
    summary = rate_position(position)
    assert len(summary.ratings) == 5
    # Nothing is left to chance, so there is no interval.
    exact = summary.mean("chance")
    assert exact is not None
    assert exact[0] == pytest.approx(0.64)
    assert exact[1] is None
    assert summary.won == (0.6, 0.6, 0.6)
    drawn = rate_position(position, samples=4).mean("chance")
    assert drawn is not None
    assert drawn[1] is not None
    with pytest.raises(ValueError, match="no minefield fits"):
        rate_position(Position.parse("3x1x2\n#1#"))


def test_a_cell_known_to_be_safe_needs_no_guess() -> None:
    (rated,) = rate_position(Position.parse("2x1x1\n-#")).ratings
    assert (rated.guesses, rated.chance) == (0, 1.0)
    # What it shows settles the rest, wherever the mine is.
    shown = rate_position(Position.parse("4x1x1\n##-#")).ratings
    assert [one.guesses for one in shown] == [0, 0, 0]


def test_the_text_tells_whether_one_guess_or_more_can_hit_a_mine() -> None:
    one = Rating("4x4x4", "moore", (0, 0), 1, 1, Effort.of([]), guesses=1, chance=0.5, won=False)
    assert "1 guess under best play, safe with a chance of 50.0%; it hits a mine" in _one(one)
    assert "; at least one of them hits a mine" in _one(replace(one, guesses=3))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, list[dict[str, object]]]:
    assert main(["rate", *arguments, "--json"]) == 0
    found: dict[str, list[dict[str, object]]] = json.loads(capsys.readouterr().out)
    return found


def test_the_command_rates_every_kind_of_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    assert main(["noguess", "make", "--board", "9x9x12", "--count", "4", "--json"]) == 0
    boards = capsys.readouterr().out
    file.write_text(boards)
    rated = run(capsys, str(file))["ratings"]
    told = json.loads(boards)["boards"]
    assert [one["difficulty"] for one in rated] == [one["difficulty"] for one in told]
    assert [one["first"] for one in rated] == [one["first"] for one in told]

    made = noguess.make("9x9x12", seed=7)
    file.write_text(made.proof.json())
    assert run(capsys, str(file))["ratings"][0]["workload"] == made.difficulty

    puzzle = make(5, seed=2)
    for text, more in ((puzzle.to_json(), ()), (str(puzzle), ("--puzzles",))):
        file.write_text(text)
        assert run(capsys, str(file), *more)["ratings"][0]["workload"] == rate(puzzle).workload

    game = made.game()
    game.open(made.first)
    game.give_up()
    file.write_text(str(game.show()))
    shown = run(capsys, str(file), "--first", ",".join(map(str, rate(made).first or ())))
    assert shown["ratings"][0]["difficulty"] == made.difficulty

    file.write_text("3x1x1\n#1#\n")
    assert len(run(capsys, str(file))["ratings"]) == 2
    replay = Path(__file__).parent / "formats" / "expert.rmv"
    rated = run(capsys, str(replay))["ratings"]
    assert rated[0]["first"] == [0, 12]
    # Minewright's own JSON is no puzzle, although it begins as one does.
    assert main(["convert", str(replay), str(file), "--to", "json"]) == 0
    assert run(capsys, str(file))["ratings"] == rated
    assert len(run(capsys, "--board", "9x9x10", "--count", "5")["ratings"]) == 5
    assert main(["rate", "--board", "9x9x10", "--count", "5"]) == 0
    assert "5 boards; means with 95% intervals" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"boards": 3}', "expected a list"),
        ('{"boards": [{"board": "3x3x1"}]}', "board 1: mines: expected a list"),
        ('{"boards": [{"board": "3x3x1", "mines": [[0, null]]}]}', "expected a list of coord"),
        ('{"boards": [{"board": 3, "mines": []}]}', "board 1: board: expected a word"),
        ('{"boards": [[]]}', "board 1: expected a JSON object"),
        (
            '{"boards": [{"board": "3x3x1", "mines": [[0, 0]], "first": [0, 0]}]}',
            "begins at a mine",
        ),
        (
            '{"boards": [{"board": "3x3x1", "mines": [[9, 0]], "first": [0, 0]}]}',
            "not on the board",
        ),
        (
            '{"steps": [], "mines": [1, 1], "first": 0, "topology": "moore", "shape": [3, 3]}',
            "twice",
        ),
        ('{"steps": [], "mines": "x"}', "topology: expected a word"),
        ('{"steps": [], "mines": [], "topology": "moore", "shape": "x"}', "shape: expected a list"),
        ('{"steps": [], "mines": [], "topology": "moore", "shape": [1, 1]}', "first: expected"),
        ("[1]", "puzzle 1"),
        ("nonsense", "expected a cell"),
        ('{"boards": []}', "nothing to rate"),
    ],
)
def test_a_file_that_holds_nothing_to_rate_is_one_line(
    text: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text(text)
    assert main(["rate", str(file)]) == 2
    output, complaint = capsys.readouterr()
    assert (output, complaint.count("\n")) == ("", 1)
    assert why in complaint
    assert "Error(" not in complaint


def test_the_seconds_of_a_budget_are_for_the_whole_board(monkeypatch: pytest.MonkeyPatch) -> None:
    # Each reading of the clock moves it on by a second.
    seconds = iter(range(100))
    monkeypatch.setattr(one_rating, "monotonic", lambda: float(next(seconds)))
    topology = get("moore", (3, 40))
    mined = range(0, topology.size, 5)
    left: list[float] = []

    def opened(
        topology: Topology, truth: bytes, cells: bytes, opens: Iterable[int], *, budget: mw.Budget
    ) -> Opening:
        left.append(budget.seconds)
        return open_by_steps(topology, truth, cells, opens, budget=mw.Budget(budget.states))

    monkeypatch.setattr(one_rating, "open_by_steps", opened)
    with pytest.raises(mw.BudgetExceeded, match="not rated within 4 seconds"):
        rate_minefield(topology, mined, 1, budget=mw.Budget(10**6, 4.0))
    # Every step gets what those before it have left.
    assert len(left) > 1
    assert left == sorted(set(left), reverse=True)


def test_boards_beyond_those_that_are_rated_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minewright.rating.files.MAX_BOARDS", 1)
    board = {"board": "2x1x1", "first": [0, 0], "mines": [[0, 1]]}
    assert len(read_rateables(json.dumps({"boards": [board]}).encode())) == 1
    with pytest.raises(FormatError, match="a list of at most 1 boards"):
        read_rateables(json.dumps({"boards": [board] * 2}).encode())


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "either a FILE or --board"),
        (["--board", "9x9x10", "file"], "either a FILE or --board"),
        (["--board", "9x9x10", "--guesser", "x"], "no guesser"),
        (["--board", "9x9x10", "--first", "9,0"], "not on the board"),
        (["--board", "9x9x80"], "leaves room for"),
        (["--board", "9x9x10", "--topology", "x"], "topology"),
    ],
)
def test_a_wish_that_cannot_be_is_one_line(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rate", *arguments]) == 2
    output, complaint = capsys.readouterr()
    assert (output, complaint.count("\n")) == ("", 1)
    assert why in complaint


def test_a_position_has_begun_already(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.write_text("3x1x1\n1##\n")
    assert main(["rate", str(file), "--first", "0,0"]) == 2
    assert "--first: a position has begun" in capsys.readouterr().err


def test_a_minefield_with_a_wrong_number_is_not_one() -> None:
    (found,) = read_rateables(b"3x1x1\n!10")
    assert isinstance(found, Replay)
    (wrong,) = read_rateables(b"3x1x1\n!11")
    assert isinstance(wrong, Position)
    with pytest.raises(FormatError):
        read_rateables(b"\x89PNG")


def test_options_that_a_file_makes_idle_and_boards_without_a_safe_cell_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "position"
    file.write_text("3x1x1\n#1#\n")
    for words, why in (
        ([str(file), "--topology", "hex"], "--topology works only with --board"),
        (["--board", "3x3x9", "--start", "any"], "every cell is mined"),
        (["--board", "5x5x3", "--first", "1"], "--first: expected (row, column), found 1 coord"),
    ):
        assert main(["rate", *words]) == 2
        assert why in capsys.readouterr().err


def stop_after(monkeypatch: pytest.MonkeyPatch, boards: int) -> None:
    """Interrupt the command when it has rated `boards` boards; 0 means before the first."""
    if boards == 0:

        def stop(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(one_rating, "truth_of", stop)
        return
    rated: list[float] = []

    def advance(_: bars.Bar, effort: float) -> None:
        rated.append(effort)
        if len(rated) == boards:
            raise KeyboardInterrupt

    monkeypatch.setattr(bars.Bar, "advance", advance)


def test_an_interrupt_shows_the_ratings_so_far(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = run(capsys, "--board", "9x9x10", "--count", "3")
    asked = ["rate", "--board", "9x9x10", "--count", "100000"]
    told = "minewright: stopped after 3 of 100,000 boards\n"
    stop_after(monkeypatch, 3)
    assert main([*asked, "--json"]) == 130
    output, complaint = capsys.readouterr()
    assert (json.loads(output), complaint) == (whole, told)
    assert json.loads(output)["summary"]["boards"] == 3
    stop_after(monkeypatch, 3)
    assert main(asked) == 130
    output, complaint = capsys.readouterr()
    assert output.startswith("3 boards; means with 95% intervals\n")
    assert complaint == told
    stop_after(monkeypatch, 0)
    assert main([*asked, "--json"]) == 130
    assert capsys.readouterr() == ("", "minewright: stopped after 0 of 100,000 boards\n")


def test_an_interrupt_shows_the_ratings_so_far_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("\n\n".join(str(make(4, 5, iterations=5, index=index)) for index in range(3)))
    whole = run(capsys, str(file), "--puzzles")
    stop_after(monkeypatch, 2)
    assert main(["rate", str(file), "--puzzles", "--json"]) == 130
    output, complaint = capsys.readouterr()
    assert json.loads(output)["ratings"] == whole["ratings"][:2]
    assert complaint == "minewright: stopped after 2 of 3 boards\n"


def test_an_interrupt_shows_the_minefields_of_a_position_only_if_they_are_a_fair_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("5x5x4\n1####\n#####\n#####\n#####\n#####\n")
    drawn = run(capsys, str(file), "--samples", "5")["ratings"]
    stop_after(monkeypatch, 2)
    assert main(["rate", str(file), "--samples", "5", "--json"]) == 130
    output, complaint = capsys.readouterr()
    found = json.loads(output)
    assert found["ratings"] == drawn[:2]
    low, high = found["summary"]["won_ci95"]
    assert low < high
    assert complaint == "minewright: stopped after 2 of 5 minefields\n"
    # These two are all that fit, and come in order.
    file.write_text("3x1x1\n#1#\n")
    stop_after(monkeypatch, 1)
    assert main(["rate", str(file), "--json"]) == 130
    output, complaint = capsys.readouterr()
    assert output == ""
    assert (
        "stopped after 1 of 2 minefields; the first ones alone would not be a fair sample"
        in complaint
    )
