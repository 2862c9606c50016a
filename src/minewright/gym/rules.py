"""What one environment and a vector of them have in common: rules, rewards and spaces."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, get_args

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from minewright import modes
from minewright.board import BEGINNER, Board
from minewright.errors import MinewrightError
from minewright.game import Game, StartRule
from minewright.messages import quote
from minewright.strategies import Random
from minewright.topology import Topology, get

COVERED: Final = -1
EXPLODED: Final = -4
"""The codes of a position as signed bytes: a number is itself."""
MOST_NEIGHBOURS: Final = 127


RENDER_MODES: Final = ("rgb_array", "ansi")
METADATA: Final[dict[str, object]] = {"render_modes": list(RENDER_MODES), "render_fps": 4}


class GymError(MinewrightError, ValueError):
    """An impossible argument of an environment, in one line."""


def check_render_mode(mode: str | None) -> None:
    """Raise GymError if an environment cannot be shown in this way."""
    if mode is not None and mode not in RENDER_MODES:
        raise GymError(f"a render mode is {' or '.join(RENDER_MODES)}, not {quote(str(mode))}")


class Reward(NamedTuple):
    """What moves are worth.

    `progress` is what all safe cells are worth together: each move earns the share it opens.
    `useless` is for a move that the mask does not allow, which changes nothing.
    """

    win: float = 1.0
    loss: float = 0.0
    progress: float = 0.0
    useless: float = 0.0


@dataclass(frozen=True)
class Rules:
    """The rules of an environment; raise an error if no game can be played by them."""

    board: Board
    topology: Topology
    start: StartRule
    mode: str
    reward: Reward

    @classmethod
    def of(
        cls,
        board: Board | str = BEGINNER,
        topology: str | Topology = "moore",
        start: StartRule = "safe",
        mode: str = modes.ORDINARY,
        reward: Reward | None = None,
    ) -> "Rules":
        """Return the rules for these arguments, as the environments take them."""
        if isinstance(board, str):
            board = Board.parse(board)
        if isinstance(topology, str):
            topology = get(topology, board.shape)
        if start not in get_args(StartRule):
            raise GymError(f"a start rule is any, safe or open, not {quote(str(start))}")
        if board.mines == board.size:
            raise GymError(f"{board} has no cell without a mine; use fewer mines")
        if topology.graph.max_degree > MOST_NEIGHBOURS:
            raise GymError(
                f"an observation holds numbers up to {MOST_NEIGHBOURS}, but {topology.name} "
                f"gives cells up to {topology.graph.max_degree} neighbours"
            )
        rules = cls(board, topology, start, mode, reward or Reward())
        rules.game(0, 0)  # refuses mines that do not fit, and modes that do not exist
        return rules

    def game(self, seed: int, stream: int) -> Game:
        """Begin a game of a seed, which has one per stream."""
        if self.mode == modes.ORDINARY:
            return Game(self.board, self.start, seed, self.topology, stream=stream)
        # The other modes have no streams: every further game has a seed of its own.
        own = seed if stream == 0 else Random(seed, stream).below(1 << 63)
        return modes.begin(self.mode, self.board, self.start, own, self.topology.name)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of an observation: rows and columns, with layers before them in a box."""
        return self.topology.shape[::-1]

    @cached_property
    def first_mask(self) -> NDArray[np.int8]:
        """Where a game may begin: the start rule `open` needs room for its free cells."""
        near = self.topology.graph.neighbours
        kept = {"any": 0, "safe": 1}.get(self.start)
        room = [
            self.board.size - (1 + len(near(cell)) if kept is None else kept)
            for cell in range(self.board.size)
        ]
        return (np.array(room) >= self.board.mines).astype(np.int8)

    def observations(self) -> "Box[np.int8]":
        """Return the space of observations."""
        return Box(EXPLODED, self.topology.graph.max_degree, self.shape, np.int8)

    def actions(self) -> Discrete:
        """Return the space of actions: a cell to open."""
        return Discrete(self.board.size)
