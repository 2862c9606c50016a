"""The champion at the level deep: guesses judged by playing on."""

import json

import numpy as np
import pytest
from test_cli import run

import minewright as mw
from minewright import _kernel
from minewright.board import Board
from minewright.champion import best_move
from minewright.inference import Budget, BudgetExceeded, analyze
from minewright.position import Position

# Two parts of the front are each worth one coin toss. The less risky one leads nowhere; the other
# opens the way to the rest of the board. Only games played to the end show this.
STUCK = """30x16x99
00000000001222#1001#101#######
11111100002##2221012322#######
1#22#111102#311#1002##22######
12#2111#211110112224#6#2######
01110013#20011212##4###3######
11100113#3212#3#23#445########
1#2222#33#2#22#32223##########
112##22#3232222#11#23#########
112221223#11#33222212#########
2#31002#31113##11#102#########
2##3113#31113#5221213#########
13#3#12#21#24#4#102#4#########
011211111112##42202##3########
110000000002332#10123334######
#22221100001#11110001#2#######
12##2#10000111000000112#######
"""
PLENTY = Budget(10**12, 600.0)


def safeties(position: Position, cells: list[int], games: int) -> list[np.ndarray]:
    """Return the safeties of games after each cell; the kernel used other games to choose."""
    assert position.mines is not None
    match = _kernel.Match(position.mines, "any", "champion:fast", 0, 12345, PLENTY, safety=True)
    graph = position.topology.graph
    return [p.safety for p in _kernel.play_on(graph, match, bytes(position.cells), cells, 0, games)]


def test_playing_on_finds_what_looking_ahead_does_not_see() -> None:
    position = Position.parse(STUCK)
    usual = best_move(position, budget=PLENTY)
    deep = best_move(position, level="deep", budget=PLENTY)
    assert usual.games == 0 < deep.games
    assert deep.cell != usual.cell
    better, worse = safeties(position, [deep.cell, usual.cell], 1500)
    difference = better - worse
    assert difference.mean() > 4 * difference.std() / np.sqrt(1500)
    # What it says about its choice agrees with what other games say.
    error = better.std() * np.sqrt(1 / 1500 + 1 / deep.games)
    assert abs(better.mean() - deep.win) < 4 * error
    assert deep.lower <= deep.win <= deep.upper
    assert f"judging by {deep.games:,} games played out." in deep.sentence
    assert [option.win for option in deep.options] == sorted(
        (option.win for option in deep.options), reverse=True
    )


def test_a_game_at_the_level_deep_makes_the_moves_that_best_move_names() -> None:
    board = Board.parse("9x9x16")
    guesses = judged = 0
    for stream in (1, 2):
        game = mw.Game(board, start="safe", seed=3, stream=stream)
        match = _kernel.Match(16, "safe", "champion:deep", 0, 3, PLENTY, record=True)
        [moves] = _kernel.play_games(game.topology.graph, match, stream, 1).moves
        for cell, guess in moves:
            if guess:
                move = best_move(game.position, level="deep", budget=PLENTY)
                assert move.cell == cell
                guesses += 1
                judged += move.games > 0
            game.open(cell)
    assert guesses > judged > 0


def test_a_cell_that_is_asked_for_is_tried_too() -> None:
    position = Position.parse(STUCK)
    analysis = analyze(position)
    poor = max(position.covered, key=lambda cell: (analysis.chances[cell] or 0) % 1)
    given_away = mw.regret(position, poor, level="deep", budget=PLENTY)
    best, other = safeties(position, [given_away.best, poor], 400)
    error = (best - other).std() / np.sqrt(400) / best.mean()
    assert abs(given_away.share - (1 - other.mean() / best.mean())) < 5 * error + 0.03


def test_time_that_runs_out_while_games_are_played_on_is_told() -> None:
    with pytest.raises(BudgetExceeded):
        best_move(Position.parse(STUCK), level="deep", budget=Budget(seconds=0.05))


def test_more_states_are_more_games_and_too_few_for_a_round_leave_the_choice_as_it_was() -> None:
    position = Position.parse("9x9x8\n1########\n" + "#########\n" * 8)
    usual = best_move(position, budget=PLENTY)
    moves = [
        best_move(position, level="deep", budget=Budget(states, 600.0))
        for states in (10**10, 10**6, *range(280_000, 10_000, -27_150))
    ]
    games = [move.games for move in moves]
    assert games == sorted(games, reverse=True)
    assert games[0] > games[-1] == 0
    assert 0 < min(filter(None, games)) < games[0]
    assert moves[-1].cell == usual.cell


def test_a_cell_that_is_all_but_certainly_mined_is_judged_without_games() -> None:
    marks = "F" * 5
    middle = [f"#{marks[2:]}#", "F7F7F", "FF#FF", "F7F7F", f"#{marks[2:]}#"]
    rows = ["#" * 30] * 10 + [f"{'#' * 10}{row}{'#' * 15}" for row in middle] + ["#" * 30] * 15
    mines = sum(row.count("F") for row in rows) + 5
    position = Position.parse(f"30x30x{mines}\n" + "\n".join(rows)).with_marks_mined()
    cell = 12 * 30 + 12  # the one mine that the four numbers lack, unless all four lie apart
    assert 0 < 1 - (analyze(position).chances[cell] or 0) < 1e-6
    # Drawing a minefield without it would take millions of tries for each game.
    assert mw.regret(position, cell, level="deep", budget=PLENTY).share > 0.99


def test_games_are_not_given_up_for_the_games_that_were_tried() -> None:
    graph = mw.topology.get("moore", (9, 9)).graph
    match = _kernel.Match(16, "safe", "champion:deep", 0, 3, Budget(10**6, 600.0), safety=True)
    games = _kernel.play_games(graph, match, 0, 6)
    assert not games.gave_up.any()
    assert (games.safety > 0).all()


def test_solve_asks_the_champion_at_a_level() -> None:
    board = b"8x2x5\n#1#####1\n########\n"
    told = json.loads(run("solve", "-", "--level", "deep", "--json", given=board).out)
    assert told["champion"]["games"] == 0  # it is proved
    assert run("solve", "-", "--level", "wide", given=board).code == 2
    # A wish that cannot be met is reported; without a wish, the exact answer stands alone.
    unknown = b"#1#####1\n########\n"
    assert run("solve", "-", given=unknown).code == 0
    assert "--mines" in run("solve", "-", "--level", "deep", given=unknown).err
    hurried = run("solve", "-", "--level", "deep", "--budget-seconds", "0.05", given=STUCK.encode())
    assert (hurried.code, hurried.out) == (3, "")
    assert run("solve", "-", "--level", "deep", "--explain", given=board).code == 2
    # Where nothing is left to guess, nothing is missing.
    for over in (b"2x1x1\n1#\n", b"2x1x0\n00\n"):
        assert (run("solve", "-", "--level", "deep", given=over).code) == 0
    wide = f"120x120x4800\n{'#' * 120}\n".encode() + b"#1" * 60 + b"\n" + (b"#" * 120 + b"\n") * 118
    sampled = ("--approximate", "--budget-states", "300")
    assert run("solve", "-", *sampled, given=wide).code == 0
    refused = run("solve", "-", "--level", "fast", *sampled, given=wide)
    assert (refused.code, refused.out) == (3, "")
    assert "only sampled" in refused.err
