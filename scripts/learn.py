"""Trains the network of the strategy `neural`, with exact chances as its teacher.

Usage: scripts/learn.py --minutes 40 --out weights.npz     (needs `pip install minewright[learn]`)

Games are played in the vector environment, which gives the exact chance of a mine in every covered
cell. The network learns to predict these from what is visible. Each position is used once, so there
is nothing to overfit. The longer the training, the better the network.
"""

import argparse
from pathlib import Path
from time import process_time

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from minewright.gym import MinesweeperVectorEnv
from minewright.strategies.neural.network import PLANES, Network, planes, save

# Small boards have the most numbers per cell, and the densities of all three levels.
BOARDS = ("9x9x10", "10x10x16", "10x10x20", "16x16x40", "30x16x99")
LANES = {"9x9x10": 48, "10x10x16": 48, "10x10x20": 48, "16x16x40": 16, "30x16x99": 8}
FAR = 0.05  # the weight of a cell that touches no number


class Teacher:
    """Games on one board, played by a perfect reasoner, position by position."""

    def __init__(self, board: str, seed: int) -> None:
        lanes = LANES[board]
        self.env = MinesweeperVectorEnv(
            lanes, board, start="open", exact=True, autoreset="same-step"
        )
        self.random = np.random.default_rng(seed)
        self.seen, self.info = self.env.reset(seed=seed)
        for _ in range(20):  # until the games are no longer in step with each other
            self.move()

    @property
    def chances(self) -> NDArray[np.float64]:
        """The exact chance of a mine in every cell."""
        return np.asarray(self.info["chances"], np.float64)

    def move(self) -> None:
        """Open one of the safest cells in every game."""
        chances = np.where(self.seen < 0, self.chances, 9.0)
        chances += self.random.random(chances.shape) * 1e-3
        moves = chances.reshape(len(chances), -1).argmin(1)
        self.seen, _, _, _, self.info = self.env.step(moves)

    def lesson(self) -> tuple[Tensor, Tensor, Tensor]:
        """Return what is seen, the chances to predict, and how much each cell counts."""
        self.move()
        seen, chances = self.seen, self.chances
        known = (seen < 0) & np.isfinite(chances) & (seen >= 0).any((1, 2), keepdims=True)
        weight = np.where(touched(seen), 1.0, FAR) * known
        inputs = planes(seen, self.env.rules.board.mines).transpose(0, 3, 1, 2)
        goal = np.where(known, chances, 0.0)
        return as_tensor(inputs), as_tensor(goal), as_tensor(weight)


def as_tensor(values: NDArray[np.float64]) -> Tensor:
    """Return an array as a PyTorch tensor."""
    return torch.from_numpy(values.astype(np.float32))


def touched(seen: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return the cells next to an open one."""
    opened = np.pad(seen >= 0, ((0, 0), (1, 1), (1, 1)))
    height, width = seen.shape[1:]
    found = np.zeros(seen.shape, np.bool_)
    for row in range(3):
        for column in range(3):
            found |= opened[:, row : row + height, column : column + width]
    return found


class Learner:
    """The network as PyTorch trains it: the same layers as `Network` has, kept as matrices."""

    def __init__(self, channels: int, depth: int) -> None:
        sizes = [(9 * PLANES, channels)] + [(9 * channels, channels)] * depth + [(channels, 1)]
        scale = [(2.0 / size[0] / max(depth, 1)) ** 0.5 for size in sizes]
        self.matrices: list[Tensor] = [
            nn.Parameter(torch.randn(size) * each) for size, each in zip(sizes, scale, strict=True)
        ]
        self.biases: list[Tensor] = [nn.Parameter(torch.zeros(size[1])) for size in sizes]

    def __call__(self, inputs: Tensor) -> Tensor:
        """Return the log odds of a mine in every cell of a batch of boards."""
        state = self.convolve(inputs, 0)
        for layer in range(1, len(self.matrices) - 1):
            state = state + self.convolve(torch.relu(state), layer)
        logits: Tensor = torch.relu(state).movedim(1, -1) @ self.matrices[-1] + self.biases[-1]
        return logits[..., 0]

    def convolve(self, state: Tensor, layer: int) -> Tensor:
        """Apply a layer to the 3x3 cells around each cell."""
        matrix = self.matrices[layer]
        kernel = matrix.reshape(3, 3, -1, matrix.shape[1]).permute(3, 2, 0, 1)
        return functional.conv2d(state, kernel, self.biases[layer], padding=1)

    def take(self, network: Network) -> None:
        """Begin with the weights of a network of the same size."""
        pairs = zip(self.matrices, self.biases, strict=True)
        for (matrix, bias), (new, new_bias) in zip(pairs, network.layers, strict=True):
            matrix.data.copy_(torch.from_numpy(new))
            bias.data.copy_(torch.from_numpy(new_bias))

    def layers(self) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """Return the weights as `save` takes them."""
        pairs = zip(self.matrices, self.biases, strict=True)
        return [(m.detach().double().numpy(), b.detach().double().numpy()) for m, b in pairs]


def train(given: argparse.Namespace) -> None:
    """Train for some minutes; the steps shrink towards the end."""
    minutes, rate, out = given.minutes, given.rate, given.out
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)
    learner = Learner(given.channels, given.depth)
    if given.resume is not None:
        learner.take(Network.load(given.resume))
    hidden = learner.matrices[1:-1]
    others = [learner.matrices[0], learner.matrices[-1], *learner.biases]
    optimizers = [
        torch.optim.Muon(hidden, lr=rate, weight_decay=0.01, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(others, lr=rate, betas=(0.9, 0.98)),
    ]
    teachers = [Teacher(board, 1000 * given.seed + i) for i, board in enumerate(BOARDS)]
    # Processor time, so that a busy machine delays the network but does not weaken it.
    began, lessons, positions, loss_sum = process_time(), 0, 0, 0.0
    while (spent := (process_time() - began) / 60 / minutes) < 1:
        for optimizer in optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate * min(1.0, (lessons + 1) / 100) * (1 - spent)
            optimizer.zero_grad()
        inputs, goal, weight = teachers[lessons % len(teachers)].lesson()
        logits = learner(inputs)
        losses = functional.binary_cross_entropy_with_logits(logits, goal, reduction="none")
        best = functional.binary_cross_entropy(goal, goal, reduction="none")
        loss = ((losses - best) * weight).sum() / weight.sum()
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
        lessons, positions, loss_sum = lessons + 1, positions + len(inputs), loss_sum + loss.item()
        if lessons % 200 == 0:
            print(
                f"{spent:.0%} lessons {lessons:,} positions {positions:,} "
                f"loss {loss_sum / 200:.5f} processor {process_time():.0f} s",
                flush=True,
            )
            loss_sum = 0.0
            save(learner.layers(), out)
    save(learner.layers(), out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=40.0, help="of processor time")
    parser.add_argument("--channels", type=int, default=24)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--rate", type=float, default=0.004)
    parser.add_argument("--out", type=Path, default=Path("weights.npz"))
    parser.add_argument("--seed", type=int, default=1, help="of the games and the first weights")
    parser.add_argument("--resume", type=Path, help="weights to begin with")
    train(parser.parse_args())
