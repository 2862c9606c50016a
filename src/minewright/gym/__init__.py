"""Minesweeper for learning agents: a Gymnasium environment, and a vector environment in the kernel.

Importing this module registers both as `minewright/Minesweeper-v0`; the extra `gym` installs
Gymnasium.
"""

import gymnasium

from minewright.gym.env import MinesweeperEnv
from minewright.gym.rules import GymError, Reward
from minewright.gym.vector import MinesweeperVectorEnv

ID = "minewright/Minesweeper-v0"

if ID not in gymnasium.registry:
    gymnasium.register(
        ID,
        entry_point="minewright.gym:MinesweeperEnv",
        vector_entry_point="minewright.gym:MinesweeperVectorEnv",
        # The environment itself handles moves that are not allowed, and its tests check the rest.
        disable_env_checker=True,
    )

__all__ = ["ID", "GymError", "MinesweeperEnv", "MinesweeperVectorEnv", "Reward"]
