"""Plots like those of the papers, by matplotlib, which is imported only when one is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from minewright.errors import MinewrightError
from minewright.lab.files import write_whole
from minewright.lab.statistics import Mean

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Colour-blind readers can tell these colours apart (Okabe and Ito); the markers differ too.
COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
MARKERS: Final = ("o", "s", "^", "D", "v", "P")


class PlotError(MinewrightError, ValueError):
    """A plot that cannot be drawn, in one line."""


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a plot: its name, and a mean at each place."""

    label: str
    places: Sequence[float]
    means: Sequence[Mean]


def require_matplotlib() -> None:
    """Raise PlotError if there is nothing to draw with; to be called before long work."""
    if find_spec("matplotlib") is None:
        raise PlotError(
            "plots need matplotlib, which is not installed; pip install 'minewright[lab]'"
        )


def draw(
    path: Path,
    title: str,
    across: str,
    up: str,
    series: Sequence[Series],
    *,
    intervals: Literal["bars", "bands"],
) -> None:
    """Draw lines with their confidence intervals, as PNG and as SVG beside it."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    # The same rows give the same bytes.
    with rc_context({"svg.hashsalt": "minewright", "font.size": 11}):
        figure = Figure(figsize=(8, 5.5), layout="constrained")
        axes = figure.add_subplot()
        for line, colour, marker in zip(series, COLOURS, MARKERS, strict=False):
            values = [mean.value for mean in line.means]
            halves = [mean.half for mean in line.means]
            if intervals == "bars":
                axes.errorbar(
                    line.places,
                    values,
                    yerr=halves,
                    label=line.label,
                    color=colour,
                    marker=marker,
                    markersize=5,
                    capsize=3,
                )
            else:
                low = [value - half for value, half in zip(values, halves, strict=True)]
                high = [value + half for value, half in zip(values, halves, strict=True)]
                axes.plot(
                    line.places,
                    values,
                    label=line.label,
                    color=colour,
                    marker=marker,
                    markersize=4,
                    linewidth=1.2,
                )
                axes.fill_between(line.places, low, high, color=colour, alpha=0.25, linewidth=0)
        if intervals == "bars":
            axes.set_xticks(series[0].places)
        axes.set(title=title, xlabel=across, ylabel=up)
        axes.grid(alpha=0.3)
        # Below the axes, because inside them it would cover a curve.
        figure.legend(loc="outside lower center", ncols=len(series), frameon=False)
        _save(figure, path)


def draw_shares(
    path: Path, title: str, shares: Sequence[tuple[str, float, tuple[float, float]]]
) -> None:
    """Draw shares as dots with their intervals, one per line, as PNG and as SVG beside it."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    # Names are drawn as they are written: a dollar sign does not begin a formula.
    with rc_context({"svg.hashsalt": "minewright", "font.size": 10, "text.parse_math": False}):
        figure = Figure(figsize=(8, 1.2 + 0.5 * len(shares)), layout="constrained")
        axes = figure.add_subplot()
        for at, (_, share, (low, high)) in enumerate(shares):
            axes.errorbar(
                100 * share,
                at,
                xerr=[[100 * max(0.0, share - low)], [100 * max(0.0, high - share)]],
                color=COLOURS[0],
                marker="o",
                markersize=5,
                capsize=3,
            )
        axes.set_yticks(range(len(shares)), [label for label, _, _ in shares])
        axes.set_ylim(len(shares) - 0.5, -0.5)
        axes.set(title=title, xlabel="games won, % (95% intervals)")
        axes.grid(alpha=0.3, axis="x")
        _save(figure, path)


def _save(figure: "Figure", path: Path) -> None:
    for kind, metadata in (("png", {"Software": None}), ("svg", {"Date": None})):
        content = BytesIO()
        figure.savefig(content, format=kind, dpi=150, metadata=metadata)
        write_whole(path.with_suffix(f".{kind}"), content.getvalue())
