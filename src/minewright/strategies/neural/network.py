"""The network of the learned player: what it sees, and how it computes, with numpy alone.

It is a small residual network of 3x3 convolutions, so one set of weights serves boards of every
size. Its input is what is visible; its output is one number per cell, the higher the likelier a
mine.

Every value is a multiple of a power of two and small enough for a double to hold all sums of them
exactly. The order of additions therefore does not matter, and every machine computes the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WEIGHTS: Final = Path(__file__).with_name("weights.npz")
PLANES: Final = 11
"""On the board; covered; shows 1, 2, … 8; and, in covered cells, the density of mines there."""
UNIT: Final = 2.0**-10
"""Weights and activations are multiples of this."""
REACH: Final = 64.0
"""No activation is larger."""


@dataclass(frozen=True)
class Network:
    """A stem, residual layers and a head; each layer is a matrix and a bias.

    A matrix takes the 3x3 cells around a cell, in reading order, and their channels.
    """

    layers: tuple[tuple["NDArray[np.float64]", "NDArray[np.float64]"], ...]

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> "Network":
        """Read the weights, kept as whole multiples of the unit."""
        import numpy as np

        with np.load(path) as kept:
            count = len(kept.files) // 2
            parts = [
                (kept[f"matrix{i}"].astype(np.float64), kept[f"bias{i}"].astype(np.float64))
                for i in range(count)
            ]
        return cls(tuple((matrix * UNIT, bias * UNIT) for matrix, bias in parts))

    def __call__(self, seen: "NDArray[np.int8]", mines: int) -> "NDArray[np.float64]":
        """Return the log odds of a mine in every cell of a board of rows and columns."""
        import numpy as np

        (stem, stem_bias), *hidden, (head, head_bias) = self.layers
        state = _round(_around(_round(planes(seen[None], mines)[0])) @ stem + stem_bias)
        for matrix, bias in hidden:
            state = _round(state + _around(np.maximum(state, 0)) @ matrix + bias)
        return (np.maximum(state, 0) @ head + head_bias)[..., 0]


@cache
def network() -> Network:
    """Return the network that comes with the package."""
    return Network.load()


def planes(seen: "NDArray[np.int8]", mines: int) -> "NDArray[np.float64]":
    """Return the input for a batch of boards: numbers, or something negative in covered cells."""
    import numpy as np

    covered = seen < 0
    found = np.zeros((*seen.shape, PLANES))
    found[..., 0] = 1
    found[..., 1] = covered
    for number in range(1, 9):
        found[..., 1 + number] = seen == number
    left = np.maximum(covered.sum((1, 2), keepdims=True), 1)
    found[..., 10] = covered * (mines / left)
    return found


def save(layers: Sequence[tuple["NDArray[np.float64]", "NDArray[np.float64]"]], path: Path) -> None:
    """Write a network's weights, rounded to the unit."""
    import numpy as np

    kept = {}
    for i, (matrix, bias) in enumerate(layers):
        kept[f"matrix{i}"] = np.rint(matrix / UNIT).astype(np.int16)
        kept[f"bias{i}"] = np.rint(bias / UNIT).astype(np.int16)
    np.savez_compressed(path, allow_pickle=False, **kept)


def _round(values: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return the nearest activations."""
    import numpy as np

    return np.clip(np.rint(values / UNIT) * UNIT, -REACH, REACH)


def _around(values: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return, for each cell, the values of the 3x3 cells around it; 0 beyond the edges."""
    import numpy as np

    height, width, _ = values.shape
    padded = np.pad(values, ((1, 1), (1, 1), (0, 0)))
    shifted = [
        padded[row : row + height, column : column + width]
        for row in range(3)
        for column in range(3)
    ]
    return np.concatenate(shifted, axis=-1)
