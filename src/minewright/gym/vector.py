"""Many games at a time: a Gymnasium vector environment that lives in the kernel."""

from collections.abc import Sequence
from typing import Literal, TypeVar, get_args

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from minewright._kernel import Batch
from minewright.board import BEGINNER, MAX_SEED, Board
from minewright.game import StartRule
from minewright.gym.picture import picture
from minewright.gym.rules import METADATA, GymError, Reward, Rules, check_render_mode
from minewright.gym.truth import Truth, truths
from minewright.messages import whole_within
from minewright.modes import ORDINARY
from minewright.position import Position
from minewright.topology import Topology

Info = dict[str, object]
Item = TypeVar("Item", bound=np.generic)
Autoreset = Literal["next-step", "same-step"]
"""When a lane whose game is over begins the next: in the step after it, or in the same one."""


class MinesweeperVectorEnv(VectorEnv[NDArray[np.int8], ArrayLike, NDArray[np.generic]]):
    """Many games side by side, each as `MinesweeperEnv` would play it.

    Lane i, seeded with `s + i`, plays the games of that seed one after another: what it meets does
    not depend on the number of lanes. With `copy=False` the arrays that `reset` and `step` return
    are the kernel's own and change with the next step.
    """

    def __init__(
        self,
        num_envs: int = 1,
        board: Board | str = BEGINNER,
        *,
        topology: str | Topology = "moore",
        start: StartRule = "safe",
        mode: str = ORDINARY,
        reward: Reward | None = None,
        exact: bool = False,
        autoreset: Autoreset = "next-step",
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        if num_envs < 1:
            raise GymError(f"a vector environment needs at least one lane, not {num_envs}")
        self.rules = Rules.of(board, topology, start, mode, reward)
        if mode != ORDINARY:
            raise GymError(
                f"the vector environment plays ordinary games only; for {mode} games use "
                'vectorization_mode="sync"'
            )
        if autoreset not in get_args(Autoreset):
            raise GymError(f"autoreset is next-step or same-step, not {autoreset!r}")
        check_render_mode(render_mode)
        self.num_envs = num_envs
        self.exact, self.copy, self.render_mode = exact, copy, render_mode
        self.same_step = autoreset == "same-step"
        announced = AutoresetMode.SAME_STEP if self.same_step else AutoresetMode.NEXT_STEP
        self.metadata = {**METADATA, "autoreset_mode": announced}
        self.single_observation_space = self.rules.observations()
        self.single_action_space = self.rules.actions()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._batch = batch = Batch(
            self.rules.topology.graph, num_envs, self.rules.board.mines, start, *self.rules.reward
        )
        # The arrays never move: they are fetched once.
        self._seen = batch.visible.reshape(num_envs, *self.rules.shape)
        self._mask, self._reward = batch.mask, batch.reward
        self._over, self._won = batch.over, batch.won
        self._never = np.zeros(num_envs, np.bool_)
        self._truths: list[Truth] = []
        self._seeded = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: Info | None = None,
    ) -> tuple[NDArray[np.int8], Info]:
        """Begin the next game in every lane, or the first game of the lanes' seeds."""
        if isinstance(seed, Sequence):
            given = [one for one in seed if one is not None]
            if len(given) != self.num_envs:
                raise GymError(f"{self.num_envs} lanes need as many seeds, not {len(given)}")
            self._batch.seed(_checked(given))
        else:
            if seed is not None:
                _checked([seed, seed + self.num_envs - 1])
            super().reset(seed=seed)
            if seed is not None or not self._seeded:
                begin = int(self.np_random.integers(2**62)) if seed is None else seed
                self._batch.seed([begin + lane for lane in range(self.num_envs)])
        self._seeded = True
        self._batch.begin_all()
        self._know()
        return self._given(self._seen), self._info(np.zeros(self.num_envs))

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Open one cell per lane; a lane whose game is over begins the next one instead."""
        moves = np.ascontiguousarray(actions, np.int64)
        regrets = self._regrets(moves)
        self._batch.step(moves)
        if not self.same_step or not self._over.any():
            self._know()
            return *self._outcome(), self._info(regrets)
        last = self._given(self._seen) if self.copy else self._seen.copy()
        over = self._over.copy()
        self._batch.begin_over()
        self._know()
        info = self._info(regrets)
        info["final_obs"], info["_final_obs"] = last, over
        return *self._outcome(), info

    def _outcome(
        self,
    ) -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        given = self._given
        return given(self._seen), given(self._reward), given(self._over), given(self._never)

    def _given(self, array: NDArray[Item]) -> NDArray[Item]:
        return array.copy() if self.copy else array

    def _info(self, regrets: NDArray[np.float64]) -> Info:
        info: Info = {"action_mask": self._given(self._mask), "won": self._given(self._won)}
        if self.exact:
            shape = (self.num_envs, *self.rules.shape)
            info["chances"] = np.stack([truth.chances for truth in self._truths]).reshape(shape)
            info["safe"] = np.stack([truth.safe for truth in self._truths]).reshape(shape)
            info["regret"] = regrets
        return info

    def _know(self) -> None:
        if self.exact:
            self._truths = truths(self.positions(), self.rules.start)

    def _regrets(self, moves: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return each move's regret; 0 where it is not played, or not allowed."""
        regrets = np.zeros(self.num_envs)
        for lane, truth in enumerate(self._truths):
            cell = int(moves[lane])
            playing = self.same_step or not self._over[lane]
            if playing and 0 <= cell < self.rules.board.size and self._mask[lane, cell]:
                regrets[lane] = truth.regret(cell)
        return regrets

    def positions(self) -> list[Position]:
        """Return the position of every lane."""
        topology, mines = self.rules.topology, self.rules.board.mines
        return [Position(topology, lane.tobytes(), mines) for lane in self._batch.visible]

    def render(self) -> tuple[NDArray[np.uint8] | str, ...] | None:
        """Return a picture or a text per lane."""
        if self.render_mode is None:
            return None
        draw = str if self.render_mode == "ansi" else picture
        return tuple(draw(position) for position in self.positions())


def _checked(seeds: list[int]) -> list[int]:
    """Return these seeds. Raise GymError if one is out of range."""
    return [whole_within("the seed of a lane", seed, 0, MAX_SEED, GymError) for seed in seeds]
