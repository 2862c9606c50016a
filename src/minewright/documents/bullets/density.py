"""Figure 7 of Neller and Tran: the best density of bullets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from minewright.documents.bullets.puzzles import (
    INTERVALS,
    ITERATIONS,
    PAPER,
    PUZZLES,
    SIDES,
    VERDICTS,
    Point,
    each,
    energy,
    run_points,
    size,
    write,
)
from minewright.documents.parts import level, listed
from minewright.documents.reproduce import Outcome, Request, register
from minewright.lab import plots
from minewright.lab.page import Figure, Finding, Findings, Heading, Page, Paragraph, Table
from minewright.lab.statistics import Mean

DENSITY_SAMPLES: Final = 3
# Denser grids are left with next to no clues, and their energy leaves every scale.
GREATEST_DENSITY: Final = 0.8


@dataclass(frozen=True, slots=True)
class Dense:
    """All puzzles of one density, summed up."""

    point: Point
    energy: Mean
    n0: Mean
    n1: Mean
    n2: Mean


Lines = Mapping[int, Sequence[Dense]]


@register(
    "bullets-density",
    "Energy of Bullets puzzles against the density of bullets (figure 7)",
    PAPER,
)
def density(request: Request) -> Outcome:
    """Reproduce figure 7 of the paper."""
    points = {
        Point(side, bullets, DENSITY_SAMPLES, ITERATIONS): PUZZLES[request.scale]
        for side in SIDES
        for bullets in range(1, int(GREATEST_DENSITY * side**2) + 1)
    }
    directory, made = run_points("bullets-density", points, request)
    lines: dict[int, list[Dense]] = {side: [] for side in SIDES}
    for point, puzzles in made.items():
        types = zip(*((puzzle.n0, puzzle.n1, puzzle.n2) for puzzle in puzzles), strict=True)
        n0, n1, n2 = (Mean.of(counts) for counts in types)
        lines[point.side].append(Dense(point, energy(puzzles), n0, n1, n2))
    findings = best_density(lines), _sensitive(lines), _types(lines), _published(lines)
    page = Page(
        "Bullets: the best density",
        [
            Paragraph(
                f"Figure 7 of {PAPER}. {size(request)} {DENSITY_SAMPLES} clue sets "
                "are sampled of each arrangement. Density is the share of cells with a bullet. "
                "Lower energy is better."
            ),
            Figure("figure7.svg", "Mean energy against the density of bullets"),
            Heading("Theirs and ours"),
            Findings(findings),
            Paragraph(
                "The paper prints no figures beside its plots, so its sentences are what can be "
                "compared. In brackets, the densities that chance cannot tell from the best. "
                f"{VERDICTS}"
            ),
            Heading("Mean energy, and steps of each type"),
            Table(
                (
                    "grid",
                    "bullets",
                    "density",
                    "energy (± 90%)",
                    "type 0",
                    "type 1",
                    "bullets by type 2",
                ),
                [
                    (
                        f"{side}x{side}",
                        str(dense.point.bullets),
                        f"{dense.point.density:.3f}",
                        str(dense.energy),
                        f"{dense.n0.value:.2f}",
                        f"{dense.n1.value:.2f}",
                        f"{dense.n2.value:.2f}",
                    )
                    for side, line in lines.items()
                    for dense in line
                ],
            ),
            Paragraph(INTERVALS),
        ],
    )
    plots.draw(
        directory / "figure7",
        "Energy against the density of bullets, 3 sampled clue sets",
        "density of bullets, b / n²",
        "mean energy (90% confidence bands)",
        [
            plots.Series(
                f"n = {side}",
                [dense.point.density for dense in line],
                [dense.energy for dense in line],
            )
            for side, line in lines.items()
        ],
        intervals="bands",
    )
    return Outcome(write(directory, page, made), findings, page.figure)


def best_of(line: Sequence[Dense]) -> tuple[Dense, tuple[float, float]]:
    """Give the density of least energy, and the range that chance cannot tell from it."""
    best = min(line, key=lambda dense: dense.energy.value)
    strict = level(len(line) - 1)
    near = [d.point.density for d in line if not d.energy.differs(best.energy, strict)]
    return best, (min(near), max(near))


def _at(line: Sequence[Dense], density: float) -> Dense:
    return min(line, key=lambda dense: abs(dense.point.density - density))


def best_density(lines: Lines) -> Finding:
    """Compare which density is best."""
    bests = {side: best_of(line) for side, line in lines.items()}
    ours = "The least mean energy is at density " + listed(
        f"{best.point.density:.2f} ({low:.2f} to {high:.2f}; {best.point.bullets} bullets, "
        f"{best.energy}) for n = {side}"
        for side, (best, (low, high)) in bests.items()
    )
    lost = {
        side: _at(line, 0.3).energy.value - bests[side][0].energy.value
        for side, line in lines.items()
    }
    ours += f". The density nearest to 0.3 loses {each(lost)} against that."
    # About 0.3: what rounds to it.
    possible = all(low < 0.35 and high >= 0.25 for _, (low, high) in bests.values())
    close = all(0.25 <= best.point.density < 0.35 for best, _ in bests.values())
    return Finding(
        "A density of approximately 0.3 appears ideal for all grid sizes.",
        ours,
        "differs" if not possible else "agrees" if close else "undecided",
    )


def _sensitive(lines: Lines) -> Finding:
    bullets: dict[int, int] = {}
    for side, line in lines.items():
        least = best_of(line)[0].energy.value
        bullets[side] = sum(dense.energy.value < least + 1 for dense in line)
    ours = "Within 1 of the least energy lie " + listed(
        f"{count} numbers of bullets (a range of density of {count / side**2:.2f}) for n = {side}"
        for side, count in bullets.items()
    )
    wider = [bullets[small] < bullets[large] for small, large in pairwise(SIDES)]
    return Finding(
        _SENSITIVE,
        f"{ours}.",
        "agrees" if all(wider) else "undecided" if any(wider) else "differs",
    )


_SENSITIVE: Final = (
    "The larger the grid, the less sensitive the quality is to the number of bullets."
)


def _types(lines: Lines) -> Finding:
    line = lines[7]
    few, best, many = _at(line, 0.1), best_of(line)[0], _at(line, 0.6)
    ours = "On 7x7 there are " + listed(
        f"{dense.n0.value:.1f} steps of type 0 and {dense.n1.value:.1f} of type 1 at density "
        f"{dense.point.density:.2f}"
        for dense in (few, best, many)
    )
    shares = (dense.n0.value / (dense.n0.value + dense.n1.value) for dense in (few, best, many))
    ours += "; type 0 is " + listed(f"{share:.0%}" for share in shares) + " of these"
    fewer_several = [dense.n1.value < best.n1.value for dense in (few, many)]
    more_single = [dense.n0.value > best.n0.value for dense in (few, many)]
    if all(fewer_several) and all(more_single):
        return Finding(_TYPES, f"{ours}.", "agrees")
    notes = []
    if all(fewer_several):
        notes.append("Type 1 becomes rarer on both sides, as the paper says")
    if not more_single[0]:
        notes.append("Type 0 becomes rarer too where bullets are few")
    if not more_single[1]:
        notes.append("Type 0 becomes rarer too where bullets are many")
    return Finding(_TYPES, ". ".join([ours, *notes]) + ".", "differs")


_TYPES: Final = (
    "With too few or too many bullets there are more type 0 steps and fewer type 1 steps."
)


def _published(lines: Lines) -> Finding:
    dense, best = _at(lines[7], 0.22), best_of(lines[7])[0]
    loss = dense.energy.value - best.energy.value
    ours = (
        f"On 7x7 density {dense.point.density:.2f} has energy {dense.energy}, {loss:.2f} above the "
        "best; one step of type 1 counts 1.5."
    )
    worse = dense.energy.differs(best.energy)
    return Finding(
        "Densities of 0.21 to 0.23, as in a published book, are suboptimal yet reasonable.",
        ours if worse else f"{ours} Chance alone could explain that.",
        "differs" if loss > 1.5 else "agrees" if worse else "undecided",
    )
