"""Safety: the measure of strength that takes the luck out of a game."""

from dataclasses import asdict
from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from test_cli import run

import minewright as mw
from minewright.board import Board
from minewright.game import Game, StartRule
from minewright.lab.arm import Arm
from minewright.lab.games import play_games
from minewright.lab.simulate import SimulationError
from minewright.strategies import Recipe, own_numbers, play
from minewright.topology import Moore

GAMES = 20_000


def true_share(board: Board, strategy: str, start: StartRule) -> float:
    """Return the share won of all minefields that the start rule allows from the first corner."""
    topology = Moore(board.shape)
    cells = range(start == "safe", board.size)
    wins = [
        play(
            Game.from_minefield(topology, mined, start), Recipe(strategy).player(own_numbers(0))
        ).won
        for mined in combinations(cells, board.mines)
    ]
    return sum(wins) / len(wins)


@pytest.mark.parametrize(("board", "start"), [("3x3x2", "any"), ("4x3x4", "safe")])
def test_the_mean_safety_is_the_share_of_games_won(board: str, start: StartRule) -> None:
    size = Board.parse(board)
    rows = play_games(Arm("exact", board, start), 1, 0, GAMES, measure="safety")
    error = rows["safety"].std() / sqrt(GAMES)
    truth = true_share(size, "exact", start)
    assert abs(rows["safety"].mean() - truth) < 4 * error
    won = rows["outcome"] == 0
    assert rows["safety"].std() < 0.6 * won.std()


def test_a_measured_game_is_entered_as_it_was_lost() -> None:
    arm = Arm("pseq", "8x8x12", "any")
    plain, measured = (play_games(arm, 3, 0, 400, measure=way) for way in ("wins", "safety"))
    assert np.array_equal(plain["signature"], measured["signature"])
    assert 0 < (plain["outcome"] == 1).sum() < 400
    assert np.isnan(plain["safety"]).all()
    assert ((measured["safety"] > 0) & (measured["safety"] <= 52 / 64)).all()


def test_a_simulation_gives_the_same_safety_for_any_number_of_workers() -> None:
    board = Board.parse("8x8x10")
    one, two = (
        mw.simulate(board, "pseq", 600, 5, measure="safety", workers=workers) for workers in (1, 2)
    )
    assert (one.measured, one.safety_sum, one.safety_squares) == (
        600,
        two.safety_sum,
        two.safety_squares,
    )
    assert one.safety is not None
    assert one.safety_ci95 is not None
    assert one.safety_ci95[0] < one.safety < one.safety_ci95[1]
    assert one.worth is not None
    assert one.worth > 2
    without = mw.simulate(board, "pseq", 600, 5)
    assert asdict(without)["wins"] == one.wins
    assert (without.safety, without.safety_ci95, without.worth) == (None, None, None)


def test_the_command_prints_the_safety_and_refuses_players_outside_the_kernel() -> None:
    asked = ("simulate", "--board", "8x8x10", "--games", "50", "--measure", "safety")
    assert "a game tells as much as" in run(*asked, "--strategy", "pseq").out
    refused = run(*asked, "--strategy", "single-point")
    assert refused.code == 2
    assert "safety is measured by the kernel's players" in refused.err
    with pytest.raises(SimulationError, match="choose a native strategy"):
        mw.simulate(mw.BEGINNER, "pseq", 10, measure="safety", guesser="random")
