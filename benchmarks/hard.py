"""Measures what hard positions cost in states, seconds and memory, or how soon they are refused.

Every position is analyzed in its own process with the default budget of states: exactly and, if
that is refused, approximately. The picture shows the exact cost against the width of the front:
what a position costs depends on that, and hardly on its length.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from minewright.inference import Budget, BudgetExceeded, analyze
from minewright.position import COVERED, MARKED, Position

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from hard_positions import checkerboard, front, lattice, scattered

from minewright.circuits import adders, wire

# Many seconds, so that only the states decide what is refused, however busy the machine is.
BUDGET = Budget(seconds=600.0)


@dataclass(frozen=True)
class Family:
    """Positions that grow with one number."""

    make: Callable[[int], Position]
    sizes: tuple[int, ...]
    size: str

    @property
    def sizes_told(self) -> str:
        return f"{self.size} {self.sizes[0]:,} to {self.sizes[-1]:,}"


FAMILIES = {
    "thin front": Family(lambda n: front(n, 1), (10, 100, 1000, 10_000), "length"),
    "wire": Family(wire, (10, 100, 1000), "pairs"),
    "half adders": Family(adders, (1, 10, 100, 1000), "gates"),
    "checkerboard": Family(lambda n: checkerboard(n, n, 1), (6, 8, 10, 12, 16, 24, 200), "width"),
    "lattice": Family(
        lambda n: lattice("moore", (n, n), 0.4, 1), (5, 7, 9, 11, 13, 15, 17, 21, 31, 201), "width"
    ),
    "lattice, 15 rows": Family(
        lambda n: lattice("moore", (n, 15), 0.4, 1), (15, 31, 101, 401), "width"
    ),
    "box": Family(
        lambda n: scattered((n, n, n), n**3 // 5, 0.25, 1, "box"), (3, 4, 5, 6, 7, 10), "width"
    ),
    "scattered": Family(
        lambda n: scattered((n, n), n * n * 3 // 20, 0.3, 1), (25, 50, 100, 200), "width"
    ),
}


@dataclass
class Cost:
    """What one answer cost."""

    family: str
    size: int
    asked: str
    answer: str
    states: int
    seconds: float
    megabytes: float
    front: int


def front_width(position: Position) -> int:
    """Return the most numbers that are open at once while a line sweeps over one component.

    A number is open from the first covered cell it touches to the last. The line sweeps along the
    axis that keeps the fewest numbers open.
    """
    topology = position.topology
    cells = range(topology.size)
    covered = {cell for cell in cells if position.cells[cell] in (COVERED, MARKED)}
    numbers = [
        touched
        for cell in cells
        if cell not in covered and (touched := covered.intersection(topology.neighbours(cell)))
    ]
    component = components(topology.size, numbers)

    def width(axis: int) -> int:
        def swept(cell: int) -> tuple[int, ...]:
            place = topology.coordinates(cell)
            return place[axis], *place

        at = {cell: time for time, cell in enumerate(sorted(covered, key=swept))}
        # A number opens before one that closes at the same cell.
        changes = sorted(
            change
            for touched in numbers
            for times in [[at[cell] for cell in touched]]
            for change in ((min(times), -1, min(touched)), (max(times), 1, min(touched)))
        )
        opened: Counter[int] = Counter()
        widest = 0
        for _, closing, cell in changes:
            opened[component[cell]] -= closing
            widest = max(widest, opened[component[cell]])
        return widest

    return min(width(axis) for axis in range(len(topology.coordinates(0))))


def components(size: int, numbers: list[set[int]]) -> list[int]:
    """Return, for each cell, the cell that names its component; a number links its cells."""
    leader = list(range(size))

    def lead(cell: int) -> int:
        while leader[cell] != cell:
            leader[cell] = cell = leader[leader[cell]]
        return cell

    for touched in numbers:
        first = lead(min(touched))
        for cell in touched:
            leader[lead(cell)] = first
    return [lead(cell) for cell in range(size)]


def ask(family: str, size: int, approximate: bool) -> Cost:
    """Analyze in this process, which should have done nothing else before."""
    position = FAMILIES[family].make(size)
    start = process_time()
    try:
        analysis = analyze(position, approximate=approximate, budget=BUDGET)
        # The kernel reports this with its answer.
        states = analysis.states
        answer = "sampled" if analysis.approximate else "exact"
    except BudgetExceeded as error:
        states = error.states
        answer = "refused"
    seconds = process_time() - start
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    asked = "approximate" if approximate else "exact"
    front = front_width(position)
    return Cost(family, size, asked, answer, states, seconds, kilobytes / 1024, front)


def draw(costs: list[Cost], path: Path) -> None:
    """Draw states, seconds and memory against the front's width; a refused answer is a cross."""
    import matplotlib.pyplot as plt

    plt.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "hard"}
    figure, axes = plt.subplots(1, 3, figsize=(12, 4.2), sharex=True)
    for axis, (title, value) in zip(
        axes,
        (
            ("pairs of states", lambda cost: max(cost.states, 1)),
            ("CPU seconds", lambda cost: max(cost.seconds, 1e-4)),
            ("peak memory (MB)", lambda cost: cost.megabytes),
        ),
        strict=True,
    ):
        for number, family in enumerate(FAMILIES):
            own = [cost for cost in costs if cost.family == family and cost.asked == "exact"]
            own.sort(key=lambda cost: (cost.front, cost.size))
            colour, label = f"C{number}", f"{family} ({FAMILIES[family].sizes_told})"
            done = [cost for cost in own if cost.answer != "refused"]
            axis.plot([c.front for c in own], list(map(value, own)), color=colour, alpha=0.4)
            axis.plot(
                [c.front for c in done],
                list(map(value, done)),
                "o",
                color=colour,
                label=label,
                ms=4,
            )
            refused = [cost for cost in own if cost.answer == "refused"]
            axis.plot([c.front for c in refused], list(map(value, refused)), "x", color=colour)
        scale = "linear" if axis is axes[2] else "log"
        axis.set(xscale="log", yscale=scale, title=title, xlabel="width of the front")
        axis.grid(visible=True, alpha=0.3)
    axes[0].axhline(BUDGET.states, color="grey", linestyle=":", linewidth=1)
    axes[0].text(2, BUDGET.states / 3, "budget", color="grey", fontsize=8)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="lower center", ncol=4, fontsize=8)
    figure.suptitle("Exact answers: a dot is given, a cross is refused", fontsize=11)
    figure.tight_layout(rect=(0, 0.12, 1, 1))
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main(
    out: Annotated[Path | None, typer.Option(help="Also write the costs as JSON.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw them, as SVG or PNG.")] = None,
    family: Annotated[str, typer.Option(help="Only families with this in their name.")] = "",
    sampled: Annotated[bool, typer.Option(help="Ask again for a sampled answer.")] = True,
    one: Annotated[str | None, typer.Option(hidden=True)] = None,
) -> None:
    """Measure every position of every family."""
    if one is not None:
        asked_family, asked_size, way = one.split("/")
        print(json.dumps(asdict(ask(asked_family, int(asked_size), way == "approximate"))))
        return
    costs: list[Cost] = []
    table = Table("family", "size", "front", "asked", "answer", "states", "CPU seconds", "peak MB")

    def run(name: str, size: int, way: str) -> Cost:
        command = [sys.executable, __file__, "--one", f"{name}/{size}/{way}"]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        cost = Cost(**json.loads(told))
        costs.append(cost)
        row = (f"{cost.states:,}", f"{cost.seconds:.2f}", f"{cost.megabytes:.0f}")
        table.add_row(name, f"{size:,}", str(cost.front), way, cost.answer, *row)
        print(cost, flush=True)
        return cost

    for name, kind in FAMILIES.items():
        if family in name:
            for size in kind.sizes:
                if run(name, size, "exact").answer == "refused" and sampled:
                    run(name, size, "approximate")
    Console(width=100).print(table)
    if out is not None:
        out.write_text(json.dumps([asdict(cost) for cost in costs], indent=1) + "\n")
    if picture is not None:
        draw(costs, picture)


if __name__ == "__main__":
    typer.run(main)
