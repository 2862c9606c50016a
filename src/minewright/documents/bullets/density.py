"""Figure 7 of Neller and Tran: the best density of bullets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final

from minewright.documents.bullets import PAPER
from minewright.documents.bullets.puzzles import (
    INTERVALS,
    ITERATIONS,
    PUZZLES,
    SIDES,
    Point,
    Results,
    energy,
    run_points,
    size,
    tables,
)
from minewright.documents.claims import Claim, ahead, within
from minewright.documents.estimates import Estimate, Interval, difference, given_mean, signed
from minewright.documents.study import Picture, Study
from minewright.documents.work import Request
from minewright.lab import plots
from minewright.lab.page import Block, Heading, Paragraph, Table
from minewright.lab.statistics import Mean, normal

NAME: Final = "bullets-density"
DENSITY_SAMPLES: Final = 3
# Denser grids keep hardly any clues, and their energy goes off the scale.
GREATEST_DENSITY: Final = 0.8
IDEAL, FEW, MANY, BOOK = 0.3, 0.1, 0.6, 0.22
"""Densities: the paper's ideal, too few, too many, and that of a published book."""


@dataclass(frozen=True, slots=True)
class Dense:
    """All puzzles of one density, summed up."""

    point: Point
    energy: Mean
    n0: Mean
    n1: Mean
    n2: Mean


Lines = Mapping[int, Sequence[Dense]]


@dataclass(frozen=True, slots=True)
class Data:
    """The puzzles, and a line of densities for each side."""

    made: Results
    lines: Lines


def measure(request: Request) -> Data:
    """Make the puzzles of figure 7, or continue."""
    points = {
        Point(side, bullets, DENSITY_SAMPLES, ITERATIONS): PUZZLES[request.scale]
        for side in SIDES
        for bullets in range(1, int(GREATEST_DENSITY * side**2) + 1)
    }
    made = run_points(NAME, points, request)
    lines: dict[int, list[Dense]] = {side: [] for side in SIDES}
    for point, puzzles in made.items():
        types = zip(*((puzzle.n0, puzzle.n1, puzzle.n2) for puzzle in puzzles), strict=True)
        n0, n1, n2 = (Mean.of(counts) for counts in types)
        lines[point.side].append(Dense(point, energy(puzzles), n0, n1, n2))
    return Data(made, lines)


def best_of(line: Sequence[Dense]) -> Dense:
    """Return the density with the least mean energy."""
    return min(line, key=lambda dense: dense.energy.value)


def nearest(line: Sequence[Dense], density: float) -> Dense:
    """Return the line's density nearest to this one."""
    return min(line, key=lambda dense: abs(dense.point.density - density))


def _best_densities(data: Data) -> list[Estimate]:
    """Estimate where the least energy lies: wherever chance cannot tell it from the best."""

    def ends(line: Sequence[Dense], confidence: float) -> Interval:
        strict = 1 - (1 - confidence) / max(1, len(line) - 1)
        best = best_of(line).energy
        near = [one.point.density for one in line if not one.energy.differs(best, strict)]
        return min(near), max(near)

    return [
        Estimate(
            f"n = {side}:",
            best_of(line).point.density,
            partial(ends, line),
        )
        for side, line in data.lines.items()
    ]


def _good_counts(line: Sequence[Dense], confidence: float) -> tuple[int, int, int]:
    """Count the numbers of bullets within 1 of the least energy: as measured, at least, at most."""
    best = best_of(line).energy
    counts = [0, 0, 0]
    for one in line:
        reach = (
            normal(1 - (1 - confidence) / len(line)) * (one.energy.error**2 + best.error**2) ** 0.5
        )
        above = one.energy.value - best.value
        counts[0] += above < 1
        counts[1] += one is best_of(line) or above + reach < 1
        counts[2] += one is best_of(line) or above - reach < 1
    return counts[0], counts[1], counts[2]


def _more_room(data: Data) -> list[Estimate]:
    """Estimate how many more numbers of bullets are good on each larger grid."""

    def ends(small: Sequence[Dense], large: Sequence[Dense], confidence: float) -> Interval:
        few, many = _good_counts(small, confidence), _good_counts(large, confidence)
        return many[1] - few[2], many[2] - few[1]

    found = []
    for (small, less), (large, more) in pairwise(data.lines.items()):
        few, many = _good_counts(less, 0.95)[0], _good_counts(more, 0.95)[0]
        found.append(
            Estimate(
                f"n = {large}, {many} numbers, less n = {small}, {few} numbers:",
                many - few,
                partial(ends, less, more),
            )
        )
    return found


def _apart(of: str, one: Mean, other: Mean) -> Estimate:
    return difference(of, given_mean("", one), given_mean("", other), signed)


def _more_single(data: Data) -> list[Estimate]:
    best = nearest(data.lines[7], IDEAL)
    return [
        _apart(f"at density {one.point.density:.2f}", one.n0, best.n0)
        for one in (nearest(data.lines[7], FEW), nearest(data.lines[7], MANY))
    ]


def _fewer_several(data: Data) -> list[Estimate]:
    best = nearest(data.lines[7], IDEAL)
    return [
        _apart(f"at density {one.point.density:.2f}", best.n1, one.n1)
        for one in (nearest(data.lines[7], FEW), nearest(data.lines[7], MANY))
    ]


def _book(data: Data) -> list[Estimate]:
    book, best = nearest(data.lines[7], BOOK), nearest(data.lines[7], IDEAL)
    return [_apart(f"density {book.point.density:.2f}:", book.energy, best.energy)]


_SENTENCES: Final = "section Bullet Density"
_RULES_0_2: Final = (
    "Density: until version 0.2 the best density itself, without its interval, was enough to agree "
    "with 'approximately 0.3', and bare means decided about steps and about the book's density. "
    "These rules were made stricter after the results at the paper's size had been seen."
)

CLAIMS: Final[tuple[Claim[Data], ...]] = (
    Claim(
        "ideal-density",
        "A bullet density of approximately 0.3 appears ideal for all grid sizes.",
        f"{_SENTENCES}, figure 7",
        "The density of least mean energy on each grid; the interval holds all densities that "
        "chance cannot tell from it.",
        _best_densities,
        within(0.25, 0.35, meaning="approximately 0.3"),
        changed=_RULES_0_2,
    ),
    Claim(
        "less-sensitive",
        "The larger the grid, the less sensitive the quality is to the number of bullets.",
        _SENTENCES,
        "How many numbers of bullets have a mean energy within 1 of the least, on each grid less "
        "the next smaller one.",
        _more_room,
        ahead(),
        changed="Sensitivity was first counted as a range of density, then in bullets. That "
        "turned the verdict from differs to agrees, and part of the means had been seen by then.",
    ),
    Claim(
        "more-type-0",
        "With too few or too many bullets we observe more type 0 steps.",
        _SENTENCES,
        "Mean number of type 0 steps on 7x7 at densities 0.1 and 0.6, less that at 0.3.",
        _more_single,
        ahead(),
        changed=_RULES_0_2,
    ),
    Claim(
        "fewer-type-1",
        "With too few or too many bullets we observe fewer type 1 steps.",
        _SENTENCES,
        "Mean number of type 1 steps on 7x7 at density 0.3, less those at 0.1 and 0.6.",
        _fewer_several,
        ahead(),
        changed=_RULES_0_2,
    ),
    Claim(
        "book-density",
        "Densities of 0.21 to 0.23, as in a published book, are likely suboptimal yet reasonable.",
        _SENTENCES,
        "Mean energy on 7x7 at density 0.22 less that at 0.3. One step of type 1 counts 1.5.",
        _book,
        within(0.0, 1.5, meaning="suboptimal yet reasonable"),
        changed=_RULES_0_2,
    ),
)


def _about(request: Request) -> list[str]:
    return [
        f"Figure 7 of {PAPER}. {size(request)} {DENSITY_SAMPLES} clue sets are sampled of each "
        "arrangement. Density is the share of cells with a bullet. Lower energy is better. The "
        "paper prints no figures beside its plot, so its sentences are what can be compared."
    ]


def _draw(data: Data, path: Path) -> None:
    plots.draw(
        path,
        "Energy against the density of bullets, 3 sampled clue sets",
        "density of bullets, b / n²",
        "mean energy (90% confidence bands)",
        [
            plots.Series(
                f"n = {side}",
                [dense.point.density for dense in line],
                [dense.energy for dense in line],
            )
            for side, line in data.lines.items()
        ],
        intervals="bands",
    )


def _more(data: Data) -> list[Block]:
    head = ("grid", "bullets", "density", "energy (± 90%)", "type 0", "type 1", "bullets by type 2")
    rows = [
        (
            f"{side}x{side}",
            str(dense.point.bullets),
            f"{dense.point.density:.3f}",
            str(dense.energy),
            f"{dense.n0.value:.2f}",
            f"{dense.n1.value:.2f}",
            f"{dense.n2.value:.2f}",
        )
        for side, line in data.lines.items()
        for dense in line
    ]
    return [Heading("Mean energy, and steps of each type"), Table(head, rows), Paragraph(INTERVALS)]


STUDY: Final = Study(
    NAME,
    "Energy of Bullets puzzles against the density of bullets (figure 7)",
    PAPER,
    "Bullets: the best density",
    _about,
    measure,
    CLAIMS,
    [Picture("figure7", "Mean energy against the density of bullets", _draw)],
    lambda data: tables(data.made),
    _more,
)
