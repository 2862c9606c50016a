"""The curves as pictures: sizes on the left, topologies on the right."""

from collections.abc import Callable, Sequence
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING

from minewright.documents.charts import drawing
from minewright.documents.estimates import Share
from minewright.documents.phase.games import SIZES, TOPOLOGIES, Curves, Data, Spot
from minewright.lab.plots import COLOURS, MARKERS
from minewright.lab.statistics import Mean
from minewright.messages import write_sides

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Line = Callable[[Spot], tuple[float, float, float]]


def won(data: Data, path: Path) -> None:
    """Draw the share of games won."""
    with drawing(path, (10, 5), columns=2) as panels:
        _panels(panels, data.curves, "games won, %", lambda spot: _percent(spot.won))


def guesses(data: Data, path: Path) -> None:
    """Draw the games won without a guess, and the guesses per game."""
    with drawing(path, (10, 9.4), rows=2, columns=2) as panels:
        _panels(panels[:2], data.curves, "won without a guess, %", lambda spot: _percent(spot.free))
        _panels(panels[2:], data.curves, "guesses per game", lambda spot: _ends(spot.guesses))


def time(data: Data, path: Path) -> None:
    """Draw the time of the processor per game."""
    with drawing(path, (10, 5), columns=2) as panels:
        _panels(
            panels,
            data.curves,
            "ms of the processor per game",
            lambda spot: _factor(spot.seconds),
        )
        for axes in panels:
            axes.set_yscale("log")


def _panels(panels: Sequence["Axes"], curves: Curves, up: str, line: Line) -> None:
    """Draw a line for each field: sizes on the left, topologies on the right."""
    for axes, fields, title in zip(
        panels, (SIZES, TOPOLOGIES), ("sizes (moore)", "topologies"), strict=True
    ):
        for field, colour, marker in zip(fields, COLOURS, MARKERS, strict=False):
            densities = [100 * spot.density for spot in curves[field]]
            middle, low, high = zip(*(line(spot) for spot in curves[field]), strict=True)
            name = write_sides(field.shape) if fields is SIZES else str(field)
            axes.plot(
                densities,
                middle,
                label=name,
                color=colour,
                marker=marker,
                markersize=3,
                linewidth=1.2,
            )
            axes.fill_between(densities, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.axvline(20, color="#666666", linestyle="--", linewidth=1)
        axes.set(title=title, xlabel="density of mines, % (95% bands)", ylabel=up)
        axes.grid(alpha=0.3)
        # Below the axes: within them it would cover a curve.
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, frameon=False)


def _percent(share: Share) -> tuple[float, float, float]:
    low, high = share.ends(0.95)
    return 100 * share.value, 100 * low, 100 * high


def _ends(mean: Mean) -> tuple[float, float, float]:
    return mean.value, mean.value - mean.half, mean.value + mean.half


def _factor(mean: Mean) -> tuple[float, float, float]:
    """Return a mean of seconds in ms, with an interval of its logarithm, as the scale is."""
    reach = exp(mean.half / mean.value)
    return 1e3 * mean.value, 1e3 * mean.value / reach, 1e3 * mean.value * reach
