"""Figure 4 of Collet's text, of our own parts: what asks, what tells, what is shared."""

from pathlib import Path
from typing import Final

from minewright.documents.charts import drawing

# Where each part stands, and whether it is shared data.
PLACES: Final[dict[str, tuple[float, float, bool]]] = {
    "user\ninterface": (1.0, 5.2, False),
    "game": (1.0, 2.6, False),
    "symbolic\nfield": (3.6, 3.9, True),
    "zero\npropagator": (6.6, 5.9, False),
    "constraint\ncollector": (6.6, 4.7, False),
    "symbolic\nconstraints": (9.6, 4.7, True),
    "simple\npropagators": (6.6, 3.5, False),
    "set\npropagators": (6.6, 2.3, False),
    "solvers:\nbinary, set": (9.6, 1.75, False),
    "autoplayer": (6.6, 1.2, False),
}
# By the places of the parts in the list above.
ARROWS: Final = (
    *((2, 0), (0, 1), (1, 2), (2, 3), (3, 2), (2, 4), (4, 5), (5, 6), (5, 7), (5, 8), (6, 2)),
    *((7, 2), (8, 2), (2, 9), (9, 1)),
)


def draw(path: Path) -> None:
    """Draw the parts of the assistant and what flows between them."""
    from matplotlib.patches import FancyArrowPatch, Rectangle

    parts = list(PLACES.values())
    with drawing(path, (9, 5)) as (axes,):
        axes.set(xlim=(0, 10.8), ylim=(0.6, 6.6))
        axes.axis("off")
        # Without what is in the dashed box, there is a game and no assistant.
        axes.add_patch(
            Rectangle((5.3, 0.75), 5.4, 5.75, fill=False, linestyle="--", edgecolor="#888888")
        )
        for begin, end in ARROWS:
            (x, y, _), (to_x, to_y, _) = parts[begin], parts[end]
            axes.add_patch(
                FancyArrowPatch(
                    (x, y),
                    (to_x, to_y),
                    arrowstyle="-|>",
                    mutation_scale=11,
                    shrinkA=28,
                    shrinkB=34,
                    color="#555555",
                    connectionstyle="arc3,rad=0.08",
                )
            )
        for name, (x, y, shared) in PLACES.items():
            axes.text(
                x,
                y,
                name,
                ha="center",
                va="center",
                fontsize=9,
                bbox={
                    "boxstyle": "round,pad=0.45" if shared else "square,pad=0.45",
                    "facecolor": "#fff3d6" if shared else "#e6eefc",
                    "edgecolor": "#333333",
                },
            )
