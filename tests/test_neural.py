"""The learned player: what it computes, and that it plays as well as it did when it was shipped."""

from pathlib import Path

import numpy as np
import pytest

import minewright as mw
from minewright.strategies.neural import predict
from minewright.strategies.neural.network import REACH, UNIT, WEIGHTS, Network, network, save


def seen(text: str) -> mw.Position:
    return mw.Position.parse(text)


def test_the_weights_are_small_and_written_as_they_are_read(tmp_path: Path) -> None:
    assert WEIGHTS.stat().st_size < 300_000
    copy = tmp_path / "weights.npz"
    save(network().layers, copy)
    for (matrix, bias), (other, other_bias) in zip(
        network().layers, Network.load(copy).layers, strict=True
    ):
        assert (matrix == other).all()
        assert (bias == other_bias).all()


def test_every_sum_is_exact_so_every_machine_computes_the_same() -> None:
    # The order of additions cannot matter if the largest possible sum, in the smallest units that
    # occur, is a whole number that a double holds.
    for matrix, bias in network().layers:
        reach = np.abs(matrix).sum(0) * REACH + np.abs(bias) + REACH
        assert reach.max() / UNIT**2 < 2**53
    game = mw.Game(mw.EXPERT, start="open", seed=1)
    game.open(100)
    codes = np.frombuffer(game.position.cells, np.int8).reshape(16, 30)
    odds = network()(codes, 99)
    assert (odds / UNIT**2 == np.rint(odds / UNIT**2)).all()


def test_it_has_learnt_what_a_number_says() -> None:
    # There is one mine, in one cell, and a 1 whose other cell is free.
    position = seen("5x3x1\n00000\n01110\n01#1#")
    chances = predict(position)
    assert chances[12] > 0.8
    assert chances[14] < 0.2


def test_it_wins_most_small_games() -> None:
    result = mw.simulate(mw.BEGINNER, "neural", games=40, seed=5, start="open")
    assert result.wins >= 30


def test_elsewhere_it_goes_by_single_numbers() -> None:
    game = mw.Game(mw.Board.parse("6x6x5"), start="open", seed=1, topology="hex")
    game.open(20)
    assert len(predict(game.position)) == 36


@pytest.mark.parametrize("size", [(1, 1), (2, 7), (40, 3)])
def test_boards_of_every_size_fit(size: tuple[int, int]) -> None:
    board = mw.Board(size, 1)
    chances = predict(mw.Position.covered_board(board))
    assert len(chances) == board.size
    assert all(0 < chance < 1 for chance in chances)
