"""Charts of the documents: grouped bars, curves, dots with intervals, histograms and maps.

Each is kept as PNG and as SVG beside it. The same figures give the same bytes.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from minewright.documents.estimates import Interval, Share
from minewright.documents.work import keep
from minewright.lab.plots import COLOURS, MARKERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GROUP_WIDTH: Final = 0.8
"""The width of all bars of one group together."""


@contextmanager
def drawing(
    path: Path, size: tuple[float, float], rows: int = 1, columns: int = 1
) -> Iterator[list["Axes"]]:
    """Yield axes to draw on, row by row; keep them as PNG and as SVG afterwards."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    # The salt makes the names inside an SVG the same every time.
    with rc_context({"svg.hashsalt": "minewright", "font.size": 10}):
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(rows, columns, squeeze=False)
        yield list(grid.flat)
        for kind, metadata in (("png", {"Software": None}), ("svg", {"Date": None})):
            content = BytesIO()
            figure.savefig(content, format=kind, dpi=150, metadata=metadata)
            keep(path.with_suffix(f".{kind}"), content.getvalue())


@dataclass(frozen=True, slots=True)
class Bars:
    """The bars of one colour: a value for each group, with its interval if it has one.

    None stands for a missing bar, and `missing` says why it is missing.
    """

    label: str
    values: Sequence[float | None]
    intervals: Sequence[Interval | None]
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """A line with a band around it; a quiet one is thin and grey, without band or name."""

    label: str
    places: Sequence[float]
    values: Sequence[float]
    intervals: Sequence[Interval] = ()
    quiet: bool = False
    dashed: bool = False


@contextmanager
def canvas(path: Path, title: str, across: str, up: str) -> "Iterator[Axes]":
    """Yield axes to draw on, with title and grid; keep them afterwards."""
    with drawing(path, (8, 5.5)) as (axes,):
        axes.set(title=title, xlabel=across, ylabel=up)
        axes.grid(alpha=0.3)
        axes.set_axisbelow(True)
        yield axes


def draw_bars(
    path: Path, title: str, up: str, groups: Sequence[str], bars: Sequence[Bars], *, log: bool
) -> None:
    """Draw groups of bars, theirs (hatched) and ours of one method side by side in one colour.

    Bars come in pairs, theirs before ours. The first of a pair may have no values.
    """
    width = GROUP_WIDTH / len(bars)
    with canvas(path, title, "", up) as axes:
        for at, one in enumerate(bars):
            theirs = at % 2 == 0
            if all(value is None for value in one.values):
                continue
            places, heights, low, high = [], [], [], []
            for group, (value, interval) in enumerate(zip(one.values, one.intervals, strict=True)):
                place = group - GROUP_WIDTH / 2 + (at + 0.5) * width
                if not value:
                    # A bar without height cannot be seen. Its figure stands above its interval.
                    axes.annotate(
                        one.missing if value is None else "0",
                        (place, interval[1] if interval else 0),
                        (0, 3),
                        xycoords="data" if interval else axes.get_xaxis_transform(),
                        textcoords="offset points",
                        ha="center",
                        va="bottom",
                        rotation=90 if value is None else 0,
                        fontsize=8,
                        color=COLOURS[at // 2 % len(COLOURS)],
                    )
                if value is None:
                    continue
                places.append(place)
                heights.append(value)
                low.append(max(0.0, value - interval[0]) if interval else 0.0)
                high.append(max(0.0, interval[1] - value) if interval else 0.0)
            axes.bar(
                places,
                heights,
                width * 0.95,
                label=one.label,
                color="white" if theirs else COLOURS[at // 2 % len(COLOURS)],
                edgecolor=COLOURS[at // 2 % len(COLOURS)],
                hatch="///" if theirs else None,
            )
            if any(one.intervals):
                axes.errorbar(
                    places, heights, yerr=[low, high], fmt="none", ecolor="#222222", capsize=2
                )
        axes.set_xticks(range(len(groups)), groups)
        axes.grid(visible=False, axis="x")
        if log:
            axes.set_yscale("log")
        axes.figure.legend(loc="outside lower center", ncols=5, fontsize=9)


def draw_curves(path: Path, title: str, across: str, up: str, curves: Sequence[Curve]) -> None:
    """Draw curves of shares in per cent."""
    named = 0
    with canvas(path, title, across, up) as axes:
        for curve in curves:
            values = [100 * value for value in curve.values]
            if curve.quiet:
                axes.plot(curve.places, values, color="#999999", linewidth=0.6, alpha=0.6)
                continue
            colour = COLOURS[named % len(COLOURS)]
            # When the colours repeat, a broken line tells the second use from the first.
            broken = curve.dashed or named >= len(COLOURS)
            axes.plot(
                curve.places,
                values,
                label=curve.label,
                color=colour,
                marker=None if curve.dashed else MARKERS[named % len(MARKERS)],
                markersize=4,
                linewidth=1.4,
                linestyle="--" if broken else "-",
            )
            if curve.intervals:
                low = [100 * interval[0] for interval in curve.intervals]
                high = [100 * interval[1] for interval in curve.intervals]
                axes.fill_between(curve.places, low, high, color=colour, alpha=0.2, linewidth=0)
            named += 1
        axes.set_ylim(-2, 102)
        axes.locator_params("x", integer=True)
        axes.figure.legend(loc="outside lower center", ncols=3, fontsize=9)


def draw_differences(
    path: Path, title: str, across: str, differences: Sequence[tuple[str, float, Interval]]
) -> None:
    """Draw differences of shares as dots with intervals around a line at 0, one per row."""
    with canvas(path, title, across, "") as axes:
        axes.axvline(0, color="#222222", linewidth=1)
        for at, (_, value, (low, high)) in enumerate(differences):
            axes.errorbar(
                100 * value,
                at,
                xerr=[[100 * (value - low)], [100 * (high - value)]],
                color=COLOURS[0] if low > 0 else COLOURS[1] if high < 0 else "#666666",
                marker="o" if low > 0 else "s" if high < 0 else "D",
                markersize=5,
                capsize=3,
            )
        axes.set_yticks(range(len(differences)), [label for label, _, _ in differences])
        axes.set_ylim(len(differences) - 0.5, -0.5)


def draw_histogram(
    path: Path,
    title: str,
    across: str,
    values: Sequence[tuple[str, Sequence[float]]],
    *,
    mark: tuple[float, str],
) -> None:
    """Draw how often values occur, on a logarithmic scale, and mark one value."""
    most = max(max(own) for _, own in values)
    edges = [1.0]
    while edges[-1] <= most:
        edges.append(edges[-1] * 10**0.2)
    with canvas(path, title, across, "share of positions, %") as axes:
        for (label, own), colour in zip(values, COLOURS, strict=False):
            axes.hist(
                own,
                edges,
                weights=[100 / len(own)] * len(own),
                histtype="step",
                linewidth=1.6,
                label=label,
                color=colour,
            )
        axes.axvline(mark[0], color="#222222", linestyle="--", linewidth=1, label=mark[1])
        axes.set_xscale("log")
        axes.legend()


def draw_map(
    path: Path,
    title: str,
    across: str,
    up: str,
    columns: Sequence[int],
    rows: Sequence[int],
    values: Sequence[Sequence[float]],
) -> None:
    """Draw a value for each pair of column and row as a shade; rows go upwards."""
    step = columns[1] - columns[0]
    with canvas(path, title, across, up) as axes:
        ends = (columns[0] - step / 2, columns[-1] + step / 2, rows[0] - 0.5, rows[-1] + 0.5)
        shades = axes.imshow(
            values, origin="lower", aspect="auto", extent=ends, cmap="viridis", vmin=0, vmax=100
        )
        axes.grid(visible=False)
        axes.locator_params("y", integer=True)
        axes.figure.colorbar(shades, ax=axes)


@dataclass(frozen=True, slots=True)
class Dots:
    """The shares of one source, one per group; None where it has none."""

    label: str
    shares: Sequence[Share | None]


def draw_dots(path: Path, title: str, groups: Sequence[str], sources: Sequence[Dots]) -> None:
    """Draw shares with their 95% intervals, group by group, one colour per source."""
    height = 1.6 + len(groups) * (0.15 + 0.17 * len(sources))
    with drawing(path, (8, height)) as (axes,):
        for number, source in enumerate(sources):
            apart = (number - (len(sources) - 1) / 2) * 0.8 / len(sources)
            seen = [(at, share) for at, share in enumerate(source.shares) if share is not None]
            ends = [share.ends(0.95) for _, share in seen]
            axes.errorbar(
                [100 * share.value for _, share in seen],
                [at + apart for at, _ in seen],
                xerr=[
                    [100 * (s.value - low) for (_, s), (low, _) in zip(seen, ends, strict=True)],
                    [100 * (high - s.value) for (_, s), (_, high) in zip(seen, ends, strict=True)],
                ],
                label=source.label,
                color=COLOURS[number],
                marker=MARKERS[number],
                markersize=4,
                capsize=2,
                linestyle="none",
            )
        axes.set_yticks(range(len(groups)), groups)
        axes.set_ylim(len(groups) - 0.5, -0.5)
        axes.set_xlim(0, 100)
        axes.set(title=title, xlabel="games won, % (95% intervals)")
        axes.grid(alpha=0.3, axis="x")
        axes.figure.legend(loc="outside lower center", ncols=len(sources), frameon=False)
