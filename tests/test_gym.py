"""The environments for learning agents: Gymnasium's contract, and the kernel's games."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import minewright as mw
from minewright.board import Board
from minewright.game import StartRule
from minewright.gym import ID, GymError, MinesweeperEnv, MinesweeperVectorEnv, Reward
from minewright.gym.picture import CELL
from minewright.gym.rules import COVERED
from minewright.topology import get

STARTS: tuple[StartRule, ...] = ("any", "safe", "open")
REWARD = Reward(win=3.0, loss=-2.0, progress=1.0, useless=-0.5)


def allowed(info: dict[str, object]) -> NDArray[np.int8]:
    return np.asarray(info["action_mask"], np.int8)


@pytest.mark.parametrize(
    ("board", "topology", "start", "mode"),
    [
        ("beginner", "moore", "safe", "ordinary"),
        ("6x6x5", "hex", "any", "ordinary"),
        ("3x3x3x4", "box", "open", "ordinary"),
        ("8x8x10", "moore", "open", "no-guess"),
        ("5x5x5", "torus", "any", "fair"),
    ],
)
def test_gymnasium_finds_nothing_wrong(
    board: str, topology: str, start: StartRule, mode: str
) -> None:
    made = gymnasium.make(
        ID, board=board, topology=topology, start=start, mode=mode, exact=True, render_mode="ansi"
    )
    check_env(made.unwrapped)
    made.close()


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(["5x4x3", "6x6x8", "4x4x7"]),
    st.sampled_from(["moore", "hex", "torus"]),
    st.sampled_from(STARTS),
    st.integers(0, 2**40),
    st.integers(1, 5),
    st.integers(0, 2**32),
)
def test_every_lane_plays_the_games_of_its_seed_as_one_environment_does(
    board: str, topology: str, start: StartRule, seed: int, lanes: int, choices: int
) -> None:
    vector = MinesweeperVectorEnv(
        lanes, board, topology=topology, start=start, reward=REWARD, exact=True, copy=False
    )
    singles = [
        MinesweeperEnv(board, topology=topology, start=start, reward=REWARD, exact=True)
        for _ in range(lanes)
    ]
    random = np.random.default_rng(choices)
    seen, info = vector.reset(seed=seed)
    states = [env.reset(seed=seed + lane) for lane, env in enumerate(singles)]
    over = [False] * lanes
    for _ in range(25):
        for lane, (one, known) in enumerate(states):
            assert (seen[lane] == one).all()
            assert (allowed(info)[lane] == allowed(known)).all()
            for name in ("chances", "safe", "won", "regret"):
                np.testing.assert_array_equal(np.asarray(info[name])[lane], known[name])
        # Cells that are already open, and some that are not on the board, are tried as well.
        moves = random.integers(-1, vector.rules.board.size + 1, lanes)
        seen, reward, ended, cut, info = vector.step(moves)
        assert not cut.any()
        for lane, env in enumerate(singles):
            if over[lane]:
                states[lane] = env.reset()
                over[lane] = False
                expected = 0.0
            else:
                one, expected, over[lane], _, known = env.step(int(moves[lane]))
                states[lane] = one, known
            assert reward[lane] == pytest.approx(expected, abs=1e-12)
            assert ended[lane] == over[lane]


def test_the_environment_plays_the_game_of_its_seed_and_then_its_next_streams() -> None:
    env = MinesweeperEnv("9x9x10", start="open")
    env.reset(seed=7)
    for stream in range(3):
        seen, *_ = env.step(40)
        game = mw.Game(mw.BEGINNER, start="open", seed=7, stream=stream)
        game.open(40)
        assert seen.tobytes() == game.position.cells
        env.reset()


@pytest.mark.parametrize(
    ("board", "topology"),
    [("4x4x11", "moore"), ("5x4x14", "moore"), ("4x4x12", "neumann"), ("3x3x3x17", "box")],
)
def test_a_lane_begins_only_where_the_mines_fit_and_may_go_on_anywhere(
    board: str, topology: str
) -> None:
    rules = Board.parse(board)
    size, near = rules.size, get(topology, rules.shape).neighbours
    fits = np.array([size - 1 - len(near(cell)) >= rules.mines for cell in range(size)])
    assert 0 < fits.sum() < size
    # Each lane begins at a cell of its own.
    vector = MinesweeperVectorEnv(size, board, topology=topology, start="open", reward=REWARD)
    _, info = vector.reset(seed=3)
    assert (allowed(info) == fits).all()
    seen, reward, over, _, info = vector.step(np.arange(size))
    covered = seen.reshape(size, size) == COVERED
    assert ((reward == REWARD.useless) == ~fits).all()
    assert covered[~fits].all()
    assert (allowed(info)[~fits] == fits).all()
    assert (allowed(info)[fits] == covered[fits]).all()
    # A game that goes on may open cells where it could not have begun.
    lanes = np.flatnonzero(fits & ~over)
    moves = np.zeros(size, np.int64)
    moves[lanes] = [np.flatnonzero(covered[lane] & ~fits)[-1] for lane in lanes]
    seen, *_ = vector.step(moves)
    assert lanes.size > 0
    for lane in lanes:
        game = mw.Game(rules, "open", 3 + int(lane), topology)
        game.open(int(lane))
        assert game.open(int(moves[lane]))
        assert seen[lane].tobytes() == game.position.cells


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("seeds", [9, [70, 2, 9]])
def test_a_new_seed_begins_with_its_first_game_however_many_were_played_before(
    seeds: int | list[int], start: StartRule
) -> None:
    vector = MinesweeperVectorEnv(3, "6x6x5", start=start)
    vector.reset(seed=5)
    for _ in range(4):
        vector.step([0, 1, 2])
        vector.reset()
    own = [seeds, seeds + 1, seeds + 2] if isinstance(seeds, int) else seeds
    vector.reset(seed=seeds)
    for stream in range(3):
        seen, *_ = vector.step([14, 14, 14])
        for lane, seed in enumerate(own):
            game = mw.Game(Board.parse("6x6x5"), start, seed, stream=stream)
            game.open(14)
            assert seen[lane].tobytes() == game.position.cells
        vector.reset()


def test_lanes_do_not_depend_on_how_many_there_are() -> None:
    few, many = MinesweeperVectorEnv(2, "6x6x5"), MinesweeperVectorEnv(7, "6x6x5")
    seen, others = few.reset(seed=3)[0], many.reset(seed=3)[0]
    random = np.random.default_rng(0)
    for _ in range(60):
        moves = random.integers(0, 36, 7)
        assert (seen == others[:2]).all()
        seen, others = few.step(moves[:2])[0], many.step(moves)[0]


def test_a_lane_that_begins_anew_in_the_same_step_hands_over_its_last_position() -> None:
    env = MinesweeperVectorEnv(3, "3x3x8", start="safe", autoreset="same-step")
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    env.reset(seed=1)
    seen, reward, over, _, info = env.step([4, 4, 0])
    assert over.all()
    assert (reward == 1.0).all()
    assert (seen == -1).all()
    assert np.asarray(info["_final_obs"]).all()
    assert np.asarray(info["final_obs"])[:, 1, 1].tolist() == [8, 8, -1]


def test_arrays_are_the_kernels_own_only_if_asked_for() -> None:
    for copy in (True, False):
        env = MinesweeperVectorEnv(2, "5x5x3", copy=copy)
        before, _ = env.reset(seed=5)
        after, *_ = env.step([0, 24])
        assert np.shares_memory(before, after) != copy
        assert (before == -1).all() == copy
        with pytest.raises(ValueError, match="read-only"):
            MinesweeperVectorEnv(1, copy=False).reset()[0][0, 0, 0] = 1


def test_chances_are_exact_and_regret_is_the_risk_beyond_the_least() -> None:
    env = MinesweeperEnv("9x9x10", start="open", exact=True)
    seen, info = env.reset(seed=11)
    assert np.asarray(info["safe"]).all()
    while not env.game.over:
        # The riskiest cell that can be opened without hitting a mine.
        chances = np.where(seen < 0, np.asarray(info["chances"]), np.nan).ravel()
        cell = int(np.nanargmax(np.where(chances < 1, chances, np.nan)))
        expected = chances[cell] - np.nanmin(chances)
        seen, _, _, _, info = env.step(cell)
        assert info["regret"] == expected
        if env.game.over:
            break
        analysis = mw.analyze(mw.Position(env.rules.topology, seen.tobytes(), 10))
        assert (np.asarray(info["chances"]).ravel() == np.nan_to_num(analysis.probability)).all()
        assert tuple(np.flatnonzero(np.asarray(info["safe"]))) == analysis.safe


def test_the_vector_environment_is_made_by_name() -> None:
    vector = gymnasium.make_vec(ID, num_envs=3, board="16x16x40")
    assert isinstance(vector.unwrapped, MinesweeperVectorEnv)
    seen, _ = vector.reset(seed=1)
    assert seen.shape == (3, 16, 16)
    assert vector.observation_space.contains(seen)


@pytest.mark.parametrize("seed", [-1, 2**64 - 1, [1, -1], [1, 2**64]])
def test_a_seed_out_of_range_is_refused(seed: int | list[int]) -> None:
    vector = MinesweeperVectorEnv(2, "5x4x3")
    with pytest.raises(GymError, match=r"from 0 to 2\^64-1"):
        vector.reset(seed=seed)
    vector.reset(seed=2**64 - 2)


def test_pictures_show_every_cell_and_text_is_the_position() -> None:
    env = MinesweeperEnv("5x4x3", start="open", render_mode="rgb_array")
    env.reset(seed=2)
    env.step(0)
    picture = env.render()
    assert isinstance(picture, np.ndarray)
    assert picture.shape == (4 * CELL + 1, 5 * CELL + 1, 3)
    middles = picture[CELL // 8 :: CELL, CELL // 8 :: CELL]
    opened = np.frombuffer(env.game.position.cells, np.int8).reshape(4, 5) >= 0
    assert len({tuple(colour) for colour in middles[:4, :5][opened]}) == 1
    assert not (middles[:4, :5][opened][0] == middles[:4, :5][~opened]).all()
    texts = MinesweeperVectorEnv(2, "3x2x1", render_mode="ansi")
    texts.reset(seed=1)
    assert texts.render() == ("3x2x1\n###\n###",) * 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"board": "3x3x9"}, "no cell without a mine"),
        ({"mode": "mild"}, "no mode 'mild'"),
        ({"start": "sometimes"}, "start rule is any, safe or open"),
        ({"render_mode": "human"}, "render mode is rgb_array or ansi"),
    ],
)
def test_impossible_arguments_are_refused_in_one_line(
    arguments: dict[str, str], words: str
) -> None:
    for make in (MinesweeperEnv, MinesweeperVectorEnv):
        with pytest.raises((GymError, mw.GameError), match=words) as caught:
            make(**arguments)  # type: ignore[arg-type]
        assert "\n" not in str(caught.value)
    with pytest.raises(GymError, match="ordinary games only"):
        MinesweeperVectorEnv(2, mode="no-guess")
    with pytest.raises(mw.GameError, match="leaves room for"):
        MinesweeperEnv("3x3x6", start="open")
