"""Plots of reproductions: theirs beside ours, and curves with shaded intervals."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from minewright.documents.parts import Share
from minewright.lab.plots import COLOURS, MARKERS
from minewright.lab.statistics import wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@contextmanager
def drawing(
    path: Path, size: tuple[float, float], rows: int = 1, columns: int = 1
) -> Iterator[list["Axes"]]:
    """Give axes to draw on, row by row; afterwards they are kept as PNG and as SVG beside it."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    # The same rows give the same bytes.
    with rc_context({"svg.hashsalt": "minewright", "font.size": 10}):
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(rows, columns, squeeze=False)
        yield list(grid.flat)
        for kind, metadata in (("png", {"Software": None}), ("svg", {"Date": None})):
            content = BytesIO()
            figure.savefig(content, format=kind, dpi=150, metadata=metadata)
            write_whole(path.with_suffix(f".{kind}"), content.getvalue())


@dataclass(frozen=True, slots=True)
class Dots:
    """Shares of one source, one for each group; None where it has none."""

    label: str
    shares: Sequence[Share | None]


def draw_dots(path: Path, title: str, groups: Sequence[str], sources: Sequence[Dots]) -> None:
    """Draw shares with their 95% intervals, group by group, one colour a source."""
    height = 1.6 + len(groups) * (0.15 + 0.17 * len(sources))
    with drawing(path, (8, height)) as (axes,):
        for number, source in enumerate(sources):
            apart = (number - (len(sources) - 1) / 2) * 0.8 / len(sources)
            seen = [(at, share) for at, share in enumerate(source.shares) if share is not None]
            ends = [wilson(share.count, share.total, 0.95) for _, share in seen]
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
