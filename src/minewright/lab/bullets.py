"""The experiments of Neller and Tran: what puzzles gain by more clue sets, and the best density."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from io import StringIO
from itertools import pairwise
from math import inf, sqrt
from pathlib import Path
from typing import Final, NamedTuple

from minewright import _kernel
from minewright.bullets.grade import PAPER as TASTE
from minewright.lab import plots
from minewright.lab.page import Figure, Finding, Heading, Page, Paragraph, Table, findings_table
from minewright.lab.reproduce import Outcome, Request, register
from minewright.lab.statistics import CONFIDENCE, Mean, normal, wilson
from minewright.lab.store import Piece, Row, claim, complete, write_whole
from minewright.topology import get

PAPER: Final = "Neller and Tran, The Bullets Puzzle: A Paper-and-Pencil Minesweeper"
SIDES: Final = (4, 5, 6, 7)
BEST_BULLETS: Final = {4: 5, 5: 7, 6: 10, 7: 15}
"""How many bullets give the least mean energy on each side, by bullets-density in full."""

PUZZLES: Final = {"quick": 25, "paper": 1000}
LONG_PUZZLES: Final = {"quick": 25, "paper": 200}
"""How many puzzles get 10 samples and 1000 iterations, as the paper's figure 4."""

FIGURE_4_BULLETS: Final = 15
ITERATIONS: Final = 500
LONG_ITERATIONS: Final = 1000
MOST_SAMPLES: Final = 10
DENSITY_SAMPLES: Final = 3
# Denser grids are left with next to no clues, and their energy leaves every scale.
GREATEST_DENSITY: Final = 0.8
GOOD_ENERGY: Final = -11.0
PIECE: Final = 50
# Far beyond what any of these grids needs; a limit in seconds would make results depend on speed.
STATES: Final = 10**15


@dataclass(frozen=True, slots=True)
class Point:
    """Puzzles of one kind: the grid, and how they are searched for."""

    side: int
    bullets: int
    samples: int
    iterations: int

    @property
    def density(self) -> float:
        """The share of cells with a bullet."""
        return self.bullets / self.side**2

    @property
    def name(self) -> str:
        """A name for files."""
        return f"{self.side}x{self.side}x{self.bullets}-{self.samples}-{self.iterations}"

    @property
    def effort(self) -> float:
        """What one puzzle costs, roughly: only the time left depends on it."""
        sparse = (0.05 + self.density) * (1 - self.density) ** 3
        return self.samples * self.iterations * self.side**4 * sparse

    def stream(self, index: int) -> int:
        """Give the stream of random numbers of one puzzle: longer searches go on from shorter."""
        return ((self.side * 100 + self.bullets) * 100 + self.samples) * 10**6 + index


class Made(NamedTuple):
    """One puzzle: its stream, its grade, its clues and its energy."""

    stream: int
    n0: int
    n1: int
    n2: int
    clues: int
    energy: float


def make(point: Point, seed: int, first: int, number: int) -> Row:
    """Make one puzzle of a piece that begins with the puzzle `first`."""
    stream = point.stream(first + number)
    puzzle = _kernel.bullets_make(
        graph=get("moore", (point.side, point.side)).graph,
        bullets=point.bullets,
        iterations=point.iterations,
        samples=point.samples,
        seed=seed,
        stream=stream,
        linear=TASTE.linear,
        square=TASTE.square,
        function=None,
        restarts=1,
        hot=0.0,
        cold=0.0,
        orbits=[],
        fewest_clues=0,
        most_clues=point.side**2,
        states=STATES,
        seconds=inf,
    )
    # All safe cells as clues leave only the bullets hidden: there always is a puzzle.
    assert puzzle is not None
    _, clues, n0, n1, n2, energy = puzzle
    return Made(stream, n0, n1, n2, len(clues), energy)


Results = Mapping[Point, Sequence[Made]]


def run_points(name: str, points: Mapping[Point, int], request: Request) -> tuple[Path, Results]:
    """Make so many puzzles of each kind, or go on with it; give the directory and the puzzles."""
    plots.require_matplotlib()
    directory = request.out / name
    claim(
        directory,
        {
            "reproduction": name,
            "scale": request.scale,
            "seed": request.seed,
            "version": version("minewright"),
        },
    )
    pieces: list[Piece] = []
    owners: list[Point] = []
    for point, puzzles in points.items():
        for first in range(0, puzzles, PIECE):
            rows = min(PIECE, puzzles - first)
            work = partial(make, point, request.seed, first)
            pieces.append(Piece(f"{point.name}-{first}", rows, rows * point.effort, work))
            owners.append(point)
    made: dict[Point, list[Made]] = {point: [] for point in points}
    done = complete(directory, pieces, request.workers, request.progress)
    for point, rows_done in zip(owners, done, strict=True):
        made[point] += (_made(row) for row in rows_done)
    return directory, made


def _made(row: Row) -> Made:
    stream, n0, n1, n2, clues, energy = row
    return Made(int(stream), int(n0), int(n1), int(n2), int(clues), energy)


def level(comparisons: int) -> float:
    """Give the confidence of each of so many comparisons, so that all together have 90%."""
    return 1 - (1 - CONFIDENCE) / comparisons


def energy(made: Sequence[Made]) -> Mean:
    """Give the mean energy of some puzzles."""
    return Mean.of([puzzle.energy for puzzle in made])


# --- Figure 6: the number of sampled clue sets ----------------------------------------------------


@register(
    "bullets-samples",
    "Energy of Bullets puzzles against the number of sampled clue sets (figure 6)",
    PAPER,
)
def samples(request: Request) -> Outcome:
    """Reproduce figure 6 of the paper, and the puzzles of its figure 4."""
    points = {
        Point(side, BEST_BULLETS[side], count, ITERATIONS): PUZZLES[request.scale]
        for side in SIDES
        for count in range(1, MOST_SAMPLES + 1)
    }
    short = Point(7, FIGURE_4_BULLETS, MOST_SAMPLES, ITERATIONS)
    long = Point(7, FIGURE_4_BULLETS, MOST_SAMPLES, LONG_ITERATIONS)
    points.setdefault(short, LONG_PUZZLES[request.scale])
    points[long] = LONG_PUZZLES[request.scale]
    directory, made = run_points("bullets-samples", points, request)
    curves = {
        side: [
            energy(made[Point(side, BEST_BULLETS[side], count, ITERATIONS)])
            for count in range(1, MOST_SAMPLES + 1)
        ]
        for side in SIDES
    }
    findings = (
        falls_with_samples(curves),
        first_three(curves),
        _elbows(curves),
        _good_puzzles(made[long]),
        _settled(made[short], made[long]),
    )
    page = Page(
        "Bullets: how many clue sets to sample",
        [
            Paragraph(
                f"Figure 6 of {PAPER}. {_size(request)} The search samples s minimal "
                "clue sets of each arrangement of bullets and takes the best. Lower energy is "
                "better. The number of bullets is the best for each grid by bullets-density."
            ),
            Figure("figure6.svg", "Mean energy against the number of sampled clue sets"),
            Heading("Theirs and ours"),
            findings_table(findings),
            Paragraph(
                "The paper prints no figures beside its plots, so its sentences are what can be "
                "compared. The elbow is the point of a curve that lies farthest from the straight "
                "line between its ends; in brackets, those that chance cannot tell from it. "
                f"{_VERDICTS}"
            ),
            Heading("Mean energy"),
            Table(
                ("samples", *(f"{side}x{side}, {BEST_BULLETS[side]} bullets" for side in SIDES)),
                [
                    (str(count + 1), *(str(curves[side][count]) for side in SIDES))
                    for count in range(MOST_SAMPLES)
                ],
            ),
            Paragraph(_intervals()),
        ],
    )
    plots.draw(
        directory / "figure6",
        "Energy against the number of sampled clue sets",
        "sampled minimal clue sets",
        "mean energy (90% confidence intervals)",
        [
            plots.Series(
                f"n = {side}, b = {BEST_BULLETS[side]}", range(1, MOST_SAMPLES + 1), curves[side]
            )
            for side in SIDES
        ],
        intervals="bars",
    )
    return Outcome(_write(directory, page, made), findings)


Curves = Mapping[int, Sequence[Mean]]


def falls_with_samples(curves: Curves) -> Finding:
    """Compare whether more samples are better."""
    each_step, each_side = level(len(curves) * (MOST_SAMPLES - 1)), level(len(curves))
    falls = {side: means[0].value - means[-1].value for side, means in curves.items()}
    rises = [
        f"{side}x{side} from {count} to {count + 1}"
        for side, means in curves.items()
        for count, (fewer, more) in enumerate(pairwise(means), 1)
        if more.value > fewer.value and more.differs(fewer, each_step)
    ]
    down = all(
        means[0].differs(means[-1], each_side) and falls[side] > 0 for side, means in curves.items()
    )
    ours = f"From 1 sample to {MOST_SAMPLES} the mean energy falls by {_each(falls)}. " + (
        f"It rises beyond chance at: {', '.join(rises)}."
        if rises
        else "Nowhere does one more sample raise it beyond chance."
    )
    return Finding(
        "Energy decreases as more clue sets are sampled.",
        ours,
        "differs" if rises else "agrees" if down else "undecided",
    )


def first_three(curves: Curves) -> Finding:
    """Compare what the first three samples bring."""
    shares = {side: _share_of_gain(means, 3) for side, means in curves.items()}
    strict = level(sum(side <= 6 for side in SIDES))
    small = [_share_of_gain(curves[side], 3, strict) for side in SIDES if side <= 6]
    slopes = {
        side: ((means[0].value - means[2].value) / 2)
        / max((means[2].value - means[-1].value) / (MOST_SAMPLES - 3), 1e-9)
        for side, means in curves.items()
    }
    ours = "The first 3 samples bring this share of what 10 bring: " + _listed(
        f"{share:.0%} ± {half:.0%} on {side}x{side}" for side, (share, half) in shares.items()
    )
    ours += ". A sample up to the third brings " + _listed(
        f"{slope:.1f} times" if slope < 100 else "over 100 times" for slope in slopes.values()
    )
    ours += " what a later one brings."
    if all(share - half > 0.5 for share, half in small):
        return Finding(_FIRST_THREE, f"{ours} That is most of the gain.", "agrees")
    if any(share + half < 0.5 for share, half in small):
        return Finding(_FIRST_THREE, f"{ours} Somewhere that is less than half.", "differs")
    note = "Whether that is more than half everywhere, these puzzles cannot tell."
    return Finding(_FIRST_THREE, f"{ours} {note}", "undecided")


_FIRST_THREE: Final = (
    "For n = 4 to 6 much of the gain is from the first 3 samples; the slope levels considerably "
    "thereafter."
)


def _share_of_gain(
    means: Sequence[Mean], count: int, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Give the share of the whole gain that the first samples bring, and its reach of error."""
    first, some, most = means[0], means[count - 1], means[-1]
    gain = first.value - most.value
    if gain <= 0:
        return 0.0, 1.0
    share = (first.value - some.value) / gain
    variance = some.error**2 + (share * most.error) ** 2 + ((1 - share) * first.error) ** 2
    return share, normal(confidence) * sqrt(variance) / gain


def elbow(means: Sequence[Mean]) -> tuple[int, tuple[int, int]]:
    """Give the number of samples at the elbow, and the least and most that chance allows."""
    last = len(means) - 1
    depths = []
    for at, mean in enumerate(means):
        chord = means[0].value + (means[last].value - means[0].value) * at / last
        depths.append(chord - mean.value)
    best = max(range(1, last), key=depths.__getitem__)
    near = [best]
    for at in range(1, last):
        # The ends stand in both depths, with almost the same weight: they hardly matter.
        reach = normal(level(last - 1)) * sqrt(means[best].error ** 2 + means[at].error ** 2)
        if depths[best] - depths[at] < reach:
            near.append(at)
    return best + 1, (min(near) + 1, max(near) + 1)


def _elbows(curves: Curves) -> Finding:
    elbows = {side: elbow(means) for side, means in curves.items()}
    five = _share_of_gain(curves[7], 5)
    ours = "The elbow is at " + _listed(
        f"{at} ({low} to {high}) for n = {side}" for side, (at, (low, high)) in elbows.items()
    )
    ours += f". On 7x7, 5 samples bring {five[0]:.0%} ± {five[1]:.0%} of what 10 bring."
    theirs = {side: 3 if side <= 6 else 5 for side in elbows}
    possible = all(low <= theirs[side] <= high for side, (_, (low, high)) in elbows.items())
    close = all(abs(at - theirs[side]) <= 1 for side, (at, _) in elbows.items())
    later = elbows[7][0] > max(at for side, (at, _) in elbows.items() if side <= 6)
    if not possible:
        return Finding(_ELBOW, f"{ours} A bend is elsewhere than the paper saw it.", "differs")
    if close and later:
        return Finding(_ELBOW, f"{ours} The largest grid bends last.", "agrees")
    note = "That allows 3 for the smaller grids and 5 for 7x7, and other numbers as well."
    return Finding(_ELBOW, f"{ours} {note}", "undecided")


_ELBOW: Final = "For n = 7, one could argue that 5 samples might be a better number than 3."


def _good_puzzles(long: Sequence[Made]) -> Finding:
    good = sum(puzzle.energy <= GOOD_ENERGY for puzzle in long)
    low, high = wilson(good, len(long))
    best = min(puzzle.energy for puzzle in long)
    ours = (
        f"{good} of {len(long)} searches ({good / len(long):.0%}; {low:.0%} to {high:.0%}) reach "
        f"{GOOD_ENERGY:.1f} or better; one in ten would be easy enough. "
        f"The mean is {energy(long)}, the best {best:.1f}."
    )
    return Finding(
        f"A 7x7 puzzle with {FIGURE_4_BULLETS} bullets and energy {GOOD_ENERGY:.1f} comes from 10 "
        "samples and 1000 iterations (figure 4).",
        ours,
        "agrees" if low > 0.1 else "differs" if high < 0.1 else "undecided",
    )


def _settled(short: Sequence[Made], long: Sequence[Made]) -> Finding:
    before = {puzzle.stream: puzzle.energy for puzzle in short}
    pairs = [(before[puzzle.stream], puzzle.energy) for puzzle in long if puzzle.stream in before]
    same = sum(early == late for early, late in pairs)
    low, high = wilson(same, len(pairs))
    gain = Mean.of([early - late for early, late in pairs])
    ours = (
        f"On 7x7 with 10 samples {same} of {len(pairs)} searches ({same / len(pairs):.0%}; "
        f"{low:.0%} to {high:.0%}) find nothing better in 500 further iterations; the mean energy "
        f"falls by {gain}."
    )
    return Finding(
        "Most optimizations reach their minimum within 500 iterations.",
        ours,
        "agrees" if low > 0.5 else "differs" if high < 0.5 else "undecided",
    )


# --- Figure 7: density ----------------------------------------------------------------------------


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
                f"Figure 7 of {PAPER}. {_size(request)} {DENSITY_SAMPLES} clue sets "
                "are sampled of each arrangement. Density is the share of cells with a bullet. "
                "Lower energy is better."
            ),
            Figure("figure7.svg", "Mean energy against the density of bullets"),
            Heading("Theirs and ours"),
            findings_table(findings),
            Paragraph(
                "The paper prints no figures beside its plots, so its sentences are what can be "
                "compared. In brackets, the densities that chance cannot tell from the best. "
                f"{_VERDICTS}"
            ),
            Heading("Mean energy, and steps of each type"),
            Table(
                ("grid", "bullets", "density", "energy", "type 0", "type 1", "bullets by type 2"),
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
            Paragraph(_intervals()),
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
    return Outcome(_write(directory, page, made), findings)


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
    ours = "The least mean energy is at density " + _listed(
        f"{best.point.density:.2f} ({low:.2f} to {high:.2f}; {best.point.bullets} bullets, "
        f"{best.energy}) for n = {side}"
        for side, (best, (low, high)) in bests.items()
    )
    lost = {
        side: _at(line, 0.3).energy.value - bests[side][0].energy.value
        for side, line in lines.items()
    }
    ours += f". The density nearest to 0.3 loses {_each(lost)} against that."
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
    ours = "Within 1 of the least energy lie " + _listed(
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
    ours = "On 7x7 there are " + _listed(
        f"{dense.n0.value:.1f} steps of type 0 and {dense.n1.value:.1f} of type 1 at density "
        f"{dense.point.density:.2f}"
        for dense in (few, best, many)
    )
    shares = (dense.n0.value / (dense.n0.value + dense.n1.value) for dense in (few, best, many))
    ours += "; type 0 is " + _listed(f"{share:.0%}" for share in shares) + " of these"
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


# --- Words and files ------------------------------------------------------------------------------


_VERDICTS: Final = (
    "A verdict that rests on several comparisons makes each of them stricter, so that all together "
    "hold with 90% confidence."
)


def _listed(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _each(values: Mapping[int, float]) -> str:
    return _listed(f"{value:.2f} (n = {side})" for side, value in values.items())


def _size(request: Request) -> str:
    puzzles = PUZZLES[request.scale]
    note = "" if request.scale == "paper" else ", a quick look: the paper made 1000"
    return f"{puzzles} puzzles of {ITERATIONS} iterations a point (seed {request.seed}){note}."


def _intervals() -> str:
    return (
        "After ± stands half the width of the 90% confidence interval. table.csv has these "
        "figures, puzzles.csv every puzzle; seed and stream give each again."
    )


def _write(directory: Path, page: Page, made: Results) -> Path:
    """Write the page and the tables; give the page."""
    table: list[Sequence[object]] = []
    puzzles: list[Sequence[object]] = []
    for point, row in made.items():
        start = (point.side, point.bullets, point.samples, point.iterations)
        mean = energy(row)
        table.append((*start, f"{point.density:.4f}", len(row), mean.value, mean.half))
        puzzles += ((*start, *puzzle) for puzzle in row)
    head = ("side", "bullets", "samples", "iterations")
    summed = (*head, "density", "puzzles", "mean_energy", "half_width_90")
    write_whole(directory / "table.csv", _csv(summed, table))
    write_whole(directory / "puzzles.csv", _csv((*head, *Made._fields), puzzles))
    write_whole(directory / "page.md", page.markdown())
    write_whole(directory / "index.html", page.html())
    return directory / "index.html"


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()
