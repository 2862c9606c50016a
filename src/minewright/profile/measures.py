"""What players measure a game by; `docs/profile.md` defines each of these.

They are computed as ms_toollib computes them, so that the figures can be compared.
"""

from dataclasses import asdict, dataclass
from math import pow, sqrt
from typing import Final

from minewright.clicks import bbbv, zini
from minewright.formats import Replay
from minewright.position import MARKED, MINED

STNB: Final = {(8, 8, 10): 36.0, (16, 16, 40): 162.0, (30, 16, 99): 435.0}
"""The factor of STNB by width, height and mines; other boards have none."""


@dataclass(frozen=True, slots=True)
class Measures:
    """A game in figures. What a file does not tell, or what has no meaning, is None."""

    won: bool
    seconds: float
    bbbv: int
    """3BV: the fewest left clicks that clear the board."""
    solved: int
    """How much of the 3BV was cleared."""
    clicks: int | None
    """All clicks, those without effect included; a chord is one."""
    effective: int
    """Clicks that helped: cells opened, chords that opened some, and each mine's first mark."""
    zini: int
    hzini: int
    factor: float | None
    """The factor of STNB, for the three standard boards."""

    @property
    def rate(self) -> float | None:
        """3BV/s: 3BV cleared per second."""
        return self.solved / self.seconds if self.seconds else None

    @property
    def ioe(self) -> float | None:
        """IOE, the index of efficiency: 3BV cleared per click."""
        return self.solved / self.clicks if self.clicks else None

    @property
    def corr(self) -> float | None:
        """Corr, correctness: the share of clicks that were effective."""
        return self.effective / self.clicks if self.clicks else None

    @property
    def thrp(self) -> float | None:
        """Thrp, throughput: 3BV cleared per effective click."""
        return self.solved / self.effective if self.effective else None

    @property
    def rqp(self) -> float | None:
        """RQP: seconds squared per 3BV cleared."""
        return self.seconds**2 / self.solved if self.solved else None

    @property
    def qg(self) -> float | None:
        """QG: seconds to the power of 1.7 per 3BV cleared."""
        return pow(self.seconds, 1.7) / self.solved if self.solved else None

    @property
    def stnb(self) -> float | None:
        """STNB: 3BV over QG's time, made equal for the standard boards by their factor."""
        if self.factor is None or not self.seconds or not self.bbbv:
            return None
        share = self.solved / self.bbbv
        return self.factor * self.solved / pow(self.seconds, 1.7) * sqrt(share)

    def as_data(self) -> dict[str, object]:
        """Return all figures as JSON data."""
        found = asdict(self)
        del found["factor"]
        return found | {name: getattr(self, name) for name in RATIOS}


RATIOS: Final = ("rate", "ioe", "corr", "thrp", "rqp", "qg", "stnb")


def measure(replay: Replay) -> Measures:
    """Return the figures of a game."""
    topology, truth = replay.topology, replay.truth
    opened: set[int] = set()
    marked: set[int] = set()
    effective = 0
    for made, changes in zip(replay.moves, replay.changes(), strict=True):
        if made.move.kind == "mark":
            # A mine's mark counts once, however often it is put there.
            new = [cell for cell, code in changes if code == MARKED and truth[cell] == MINED]
            effective += any(cell not in marked for cell in new)
            marked.update(new)
            continue
        shown = {cell for cell, code in changes if code != MINED}
        effective += made.move.kind == "chord" or len(shown) == len(changes)
        opened |= shown
    exploded = replay.ended and len(opened) + len(replay.mined) < topology.size
    size = (*topology.shape, len(replay.mined)) if topology.name == "moore" else ()
    return Measures(
        won=replay.ended and not exploded,
        seconds=max(replay.seconds, 0.0),
        bbbv=bbbv(topology, truth),
        solved=bbbv(topology, truth, opened),
        clicks=None if replay.clicks is None else sum(replay.clicks),
        effective=effective,
        zini=zini(topology, truth),
        hzini=zini(topology, truth, human=True),
        factor=STNB.get(size) if len(size) == 3 else None,
    )
