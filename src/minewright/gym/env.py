"""One game at a time: a Gymnasium environment around `Game`."""

from typing import SupportsInt

import gymnasium
import numpy as np
from numpy.typing import NDArray

from minewright.board import BEGINNER, Board
from minewright.game import StartRule
from minewright.gym.picture import picture
from minewright.gym.rules import (
    COVERED,
    METADATA,
    GymError,
    Reward,
    Rules,
    check_render_mode,
)
from minewright.gym.truth import truths
from minewright.modes import ORDINARY
from minewright.topology import Topology

Info = dict[str, object]


class MinesweeperEnv(gymnasium.Env[NDArray[np.int8], SupportsInt]):
    """Minesweeper, played by opening cells.

    An observation holds each open cell's number, -1 for a covered cell and -4 for an exploded mine,
    in rows and columns. An action is a cell, counted row by row. A game that was seeded with `s` is
    `Game(board, start, seed=s)`; later games without a seed of their own are streams 1, 2, … of
    it.
    """

    metadata = METADATA

    def __init__(
        self,
        board: Board | str = BEGINNER,
        *,
        topology: str | Topology = "moore",
        start: StartRule = "safe",
        mode: str = ORDINARY,
        reward: Reward | None = None,
        exact: bool = False,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        self.rules = Rules.of(board, topology, start, mode, reward)
        self.exact = exact
        self.render_mode = render_mode
        self.observation_space = self.rules.observations()
        self.action_space = self.rules.actions()
        self._seed: int | None = None
        self._next = 0
        self._begin()

    def _begin(self) -> None:
        if self._seed is None:
            self._seed = int(self.np_random.integers(2**63))
        self.game = self.rules.game(self._seed, self._next)
        self._next += 1
        self._look()

    def _look(self) -> None:
        """Read the position, once per change of it."""
        position = self.game.position
        self._seen = np.frombuffer(position.cells, np.int8)
        ready = self.game.state == "ready"
        self._mask = (self._seen == COVERED).astype(np.int8)
        if ready:
            self._mask &= self.rules.first_mask
        self._truth = truths([position], self.rules.start)[0] if self.exact else None

    def reset(
        self, *, seed: int | None = None, options: Info | None = None
    ) -> tuple[NDArray[np.int8], Info]:
        """Begin the next game, or the first game of a seed."""
        super().reset(seed=seed)
        if seed is not None:
            self._seed, self._next = seed, 0
        self._begin()
        return self._observation(), self._info()

    def step(self, action: SupportsInt) -> tuple[NDArray[np.int8], float, bool, bool, Info]:
        """Open a cell; a move that the mask does not allow changes nothing."""
        if self.game.over:
            raise GymError("the game is over; call reset()")
        cell = int(action)
        if not (0 <= cell < self._mask.size and self._mask[cell]):
            return self._observation(), self.rules.reward.useless, False, False, self._info()
        regret = 0.0 if self._truth is None else self._truth.regret(cell)
        opened = len(self.game.open(cell))
        self._look()
        return (
            self._observation(),
            self._reward(opened),
            self.game.over,
            False,
            self._info(regret),
        )

    def _reward(self, opened: int) -> float:
        reward, board = self.rules.reward, self.rules.board
        if self.game.state == "lost":
            return reward.loss
        share = reward.progress / (board.size - board.mines) * opened
        return share + (reward.win if self.game.state == "won" else 0.0)

    def _observation(self) -> NDArray[np.int8]:
        return self._seen.reshape(self.rules.shape).copy()

    def _info(self, regret: float = 0.0) -> Info:
        info: Info = {"action_mask": self._mask.copy(), "won": self.game.state == "won"}
        if self._truth is not None:
            info["chances"] = self._truth.chances.reshape(self.rules.shape).copy()
            info["safe"] = self._truth.safe.reshape(self.rules.shape).copy()
            info["regret"] = regret
        return info

    def render(self) -> NDArray[np.uint8] | str | None:
        """Return a picture as an array of colours, or the position as text."""
        if self.render_mode == "ansi":
            return str(self.game.position)
        if self.render_mode == "rgb_array":
            return picture(self.game.show() if self.game.over else self.game.position)
        return None
