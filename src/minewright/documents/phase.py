"""How the game changes with the density of mines: where it is too easy, and where it is lost."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, hypot, log, prod
from pathlib import Path
from typing import TYPE_CHECKING, Final

from minewright.board import write_sides
from minewright.documents.figures import drawing
from minewright.documents.parts import Interval, Share, all_of, judged, level, listed
from minewright.documents.played import Played, play, write_page
from minewright.documents.reproduce import Outcome, Request, register
from minewright.lab.experiment import Arm, Experiment
from minewright.lab.page import Figure, Finding, Findings, Heading, Page, Paragraph, Table
from minewright.lab.plots import COLOURS, MARKERS
from minewright.lab.statistics import Mean, normal, wilson
from minewright.messages import write_sides

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAPER: Final = (
    "Collet, Playing the Minesweeper with Constraints; Neller and Tran, The Bullets Puzzle"
)
GAMES: Final = {"quick": 200, "paper": 2000}
PERCENTS: Final = {
    "quick": [2.5 * step for step in range(2, 19)],
    "paper": [float(percent) for percent in range(1, 46)],
}
TOGETHER: Final = 0.95
EASY, LOST = 0.95, 0.05


@dataclass(frozen=True, slots=True)
class Field:
    """A kind of board, but for its mines."""

    shape: tuple[int, ...]
    topology: str = "moore"

    def arm(self, percent: float) -> Arm:
        """Give the player on this board with a density of mines."""
        mines = max(1, round(prod(self.shape) * percent / 100))
        return Arm("exact", f"{write_sides(self.shape)}x{mines}", "open", self.topology)

    def __str__(self) -> str:
        return f"{self.topology} {write_sides(self.shape)}"


BEGINNER, INTERMEDIATE, EXPERT = Field((9, 9)), Field((16, 16)), Field((30, 16))
SIZES: Final = (BEGINNER, INTERMEDIATE, EXPERT, Field((30, 30)))
TOPOLOGIES: Final = (
    INTERMEDIATE,
    Field((16, 16), "torus"),
    Field((16, 16), "hex"),
    Field((16, 16), "neumann"),
    Field((16, 16), "knight"),
    Field((5, 5, 4), "box"),
)
FIELDS: Final = tuple(dict.fromkeys(SIZES + TOPOLOGIES))


@dataclass(frozen=True, slots=True)
class Spot:
    """All games on one kind of board with one density of mines."""

    density: float
    won: Share
    free: Share
    """Won without a guess."""
    guesses: Mean
    seconds: Mean
    a_cell: float
    """Seconds of the processor for each cell opened."""
    a_cell_error: float
    """Its standard error, as a share of it."""


Curve = Sequence[Spot]
Curves = Mapping[Field, Curve]


@register("phase", "Wins, guesses and work against the density of mines", PAPER)
def phase(request: Request) -> Outcome:
    """Play exact on boards of many densities, sizes and topologies."""
    arms = {
        field: list(dict.fromkeys(field.arm(percent) for percent in PERCENTS[request.scale]))
        for field in FIELDS
    }
    experiment = Experiment(
        "phase",
        tuple(arm for own in arms.values() for arm in own),
        GAMES[request.scale],
        request.seed,
    )
    directory, run = play(request, "phase", experiment)
    played = Played(run)
    curves = {
        field: [_spot(played, arm, prod(field.shape)) for arm in own] for field, own in arms.items()
    }
    findings = twenty_percent(curves), sharper(curves), top_end(curves), growth(curves)
    page = Page(
        "The density of mines: from too easy to lost",
        [
            Paragraph(
                f"What two papers say of the density of mines, played ({PAPER}). The player is "
                "exact: it opens what is certain and else the cell with the least chance of a "
                "mine. It begins in a corner with the start rule open, so that no game ends before "
                f"there is something to think about. {experiment.games:,} games a point (seed "
                f"{request.seed}). Density is the share of cells with a mine. exact is a strong "
                "player, not a perfect one: the best possible play may win somewhat more."
            ),
            Figure("won.svg", "Share of games won against the density of mines"),
            Heading("Theirs and ours"),
            Findings(findings),
            Paragraph(
                "Intervals are of 95%; a verdict that rests on several comparisons makes each "
                "stricter, so that all together hold with 95%. The thresholds of the first "
                "finding were fixed before any game was played, those of the others after a probe "
                "of 40 games at five densities. What was not tested here was judged, before games "
                "had been seen, by how much dearer a cell is on the larger board."
            ),
            Heading("Where the game stops being interesting"),
            Table(_HEAD, [_summary(field, curve) for field, curve in curves.items()]),
            Paragraph(
                "Densities. Too easy ends where wins fall through 95% (never: they are below it "
                "from the first density on); all is lost below 5%. In brackets what the intervals "
                "of the shares allow; between two densities lines are straight. "
                f"{_easy_longest(curves)} "
                "A torus has no edges, where cells are seen by fewer numbers. "
                "With 4 neighbours, as in neumann, a number says little of other cells. "
                "With up to 26, as in a box, hardly a number is 0, so that little opens by itself "
                "even where mines are few; and this box is small, most of it is edge."
            ),
            Paragraph(
                "Logic alone, without a guess, wins "
                + listed(
                    f"{_at(curves[INTERMEDIATE], density).free.value:.0%} at {density:.0%}"
                    for density in (0.1, 0.15, 0.2, 0.25)
                )
                + " of the games on 16x16."
            ),
            Figure("guesses.svg", "Games without a guess, and guesses a game, against the density"),
            Heading("The work"),
            Paragraph(
                "Time of the processor, by the kernel's exact count: it depends on the machine, "
                f"its shape does not. {dearest(curves)} Growth beyond all bounds is a matter of "
                "worst cases and of brute force; the kernel joins the parts of a position instead "
                "of trying solutions one by one."
            ),
            Figure("time.svg", "Time of the processor a game against the density of mines"),
            Paragraph(
                "table.csv has the figures of every point; every game is in run/shards, as Parquet."
            ),
        ],
    )
    _draw(directory, curves)
    return Outcome(write_page(directory, page, run, games=False), findings, page.figure)


def _spot(played: Played, arm: Arm, cells: int) -> Spot:
    guesses, won = played.values(arm, "guesses"), played.values(arm, "guesses", won=True)
    spent, opened = played.values(arm, "cpu_seconds"), played.values(arm, "cleared")
    a_cell = sum(spent) / sum(opened)
    # A ratio of two means: what is left when the work of the opened cells is taken away.
    left = Mean.of([cost - a_cell * some for cost, some in zip(spent, opened, strict=True)])
    return Spot(
        int(arm.board.rpartition("x")[2]) / cells,
        played.share(arm),
        Share(won.count(0), len(guesses)),
        Mean.of(guesses, 0.95),
        Mean.of(spent, 0.95),
        a_cell,
        left.error * len(spent) / sum(spent),
    )


# --- Findings -------------------------------------------------------------------------------------


def twenty_percent(curves: Curves) -> Finding:
    """Compare whether 20% is where the game is interesting."""
    strict = level(9, TOGETHER)
    verdicts, told = [], []
    for density, least, most in ((0.1, EASY, 1.0), (0.2, LOST, EASY), (0.3, 0.0, LOST)):
        shares = [_at(curves[field], density).won for field in (BEGINNER, INTERMEDIATE, EXPERT)]
        verdicts += [judged(wilson(one.count, one.total, strict), least, most) for one in shares]
        told.append(f"at {density:.0%} it wins " + listed(f"{one.value:.1%}" for one in shares))
    return Finding(
        "About 20% of mined cells make the game interesting; less is too easy, more quickly makes "
        "it unplayable (Collet).",
        f"On 9x9, 16x16 and 30x16 {'; '.join(told)}. It agrees if all three boards are won more "
        "than 95% of the time at 10%, less than 5% at 30%, and in between at 20%.",
        all_of(verdicts),
    )


def sharper(curves: Curves) -> Finding:
    """Compare whether the fall becomes steeper with the board, as a transition of phase does."""
    ends = {field: [_through(curves[field], share) for share in (0.75, 0.25)] for field in SIZES}
    if any(end is None for both in ends.values() for end in both):
        told = "The densities played do not reach that far."
        return Finding(_SHARPER, told, "undecided", inferred=True)
    widths = {
        field: (low[0] - high[0], low[1] - high[2], low[2] - high[1])
        for field, (high, low) in ends.items()
        if high and low
    }
    small, large = widths[SIZES[0]], widths[SIZES[-1]]
    told = listed(
        f"{100 * width:.1f} ({100 * least:.1f} to {100 * most:.1f}) on {write_sides(field.shape)}"
        for field, (width, least, most) in widths.items()
    )
    return Finding(
        _SHARPER,
        f"From 75% to 25% of wins it is {told} percentage points of density. It agrees if the "
        "range of the largest board is smaller than that of the smallest beyond both intervals.",
        judged((small[1] - large[2], small[2] - large[1]), 0.0),
        inferred=True,
    )


_SHARPER: Final = (
    "If there is a phase transition as in other hard problems (Dempsey and Guinn, by Neller and "
    "Tran), the wins fall within a narrower range of densities on a larger board."
)


def top_end(curves: Curves) -> Finding:
    """Compare where all is lost."""
    ends = {
        field: _through(curves[field], LOST, level(3, TOGETHER))
        for field in (BEGINNER, INTERMEDIATE, EXPERT)
    }
    told = listed(f"{_crossing(end)} on {write_sides(field.shape)}" for field, end in ends.items())
    return Finding(
        "A density of 0.3 is near the top end of the transition (Neller and Tran).",
        f"Wins fall through 5% at a density of {told}. Near is taken as 0.25 to 0.35 on each.",
        all_of(
            judged((end[1], end[2]), 0.25, 0.35) if end else "undecided" for end in ends.values()
        ),
    )


def growth(curves: Curves) -> Finding:
    """Show what the work of a game is; the paper's claim is of brute force, in the worst case."""
    strict = level(2, TOGETHER)
    dearer = {density: _dearer(curves, density, strict) for density in (0.1, 0.3)}
    peak = max(curves[EXPERT], key=lambda spot: spot.seconds.value)
    told = listed(
        f"{value:.1f} times ({low:.1f} to {high:.1f}) as much at {density:.0%}"
        for density, (value, (low, high)) in dearer.items()
    )
    return Finding(
        "A density over 20% leads to exponential growth in reasoning (Dempsey and Guinn, by Neller "
        "and Tran).",
        "Not tested here: that is said of brute force and of the worst case, and what was played "
        "are games, by a kernel that does not try solutions one by one. For these: against 9x9, "
        f"each cell opened on 30x16 costs {told}; the dearest games of 30x16 are at a density of "
        f"{peak.density:.2f}, with {1000 * peak.seconds.value:.2f} ms.",
        "undecided",
    )


def dearest(curves: Curves) -> str:
    """Say where a game costs most, and what that has to do with the fall of the wins."""
    tops = {field: max(curves[field], key=lambda spot: spot.seconds.value) for field in SIZES}
    told = listed(
        f"{top.density:.2f} on {write_sides(field.shape)} ({top.won.value:.0%} won)"
        for field, top in tops.items()
    )
    words = f"A game is dearest at a density of {told}."
    cheaper = [
        1 - curves[field][-1].seconds.value / top.seconds.value for field, top in tops.items()
    ]
    if min(cheaper) > 0:
        words += (
            f" At the greatest density played it costs {100 * min(cheaper):.0f} to "
            f"{max(cheaper):.0%} less than there: such games end soon."
        )
    return words


def _dearer(curves: Curves, density: float, confidence: float) -> tuple[float, Interval]:
    """Give how much dearer a cell is on the larger board, with its interval."""
    small, large = (_at(curves[field], density) for field in (BEGINNER, EXPERT))
    ratio = large.a_cell / small.a_cell
    reach = normal(confidence) * hypot(small.a_cell_error, large.a_cell_error)
    return ratio, (exp(log(ratio) - reach), exp(log(ratio) + reach))


def _at(curve: Curve, density: float) -> Spot:
    return min(curve, key=lambda spot: abs(spot.density - density))


Crossing = tuple[float, float, float]


def _through(
    curve: Curve,
    share: float,
    confidence: float = 0.95,
    what: Callable[[Spot], Share] = lambda spot: spot.won,
) -> Crossing | None:
    """Give the density where a share falls through a value, and what chance allows it to be."""
    ends = [wilson(what(spot).count, what(spot).total, confidence) for spot in curve]
    densities = [spot.density for spot in curve]
    middle = falls_through(densities, [what(spot).value for spot in curve], share)
    low = falls_through(densities, [low for low, _ in ends], share)
    high = falls_through(densities, [high for _, high in ends], share)
    if middle is None:
        return None
    return middle, densities[0] if low is None else low, densities[-1] if high is None else high


def falls_through(
    places: Sequence[float], values: Sequence[float], threshold: float
) -> float | None:
    """Give the first place where straight lines between the values fall through a threshold."""
    for (place, value), (later, lower) in pairwise(zip(places, values, strict=True)):
        if lower < threshold <= value:
            return place + (later - place) * (value - threshold) / (value - lower)
    return None


_HEAD: Final = (
    "board",
    "wins fall through 95% (95% interval)",
    "50% (95% interval)",
    "5% (95% interval)",
    "half are won without a guess (95% interval)",
    "most guesses at",
    "guesses there (± 95%)",
)


def _summary(field: Field, curve: Curve) -> tuple[str, ...]:
    most = max(curve, key=lambda spot: spot.guesses.value)
    return (
        str(field),
        *(
            _crossing(_through(curve, share)) if curve[0].won.value >= share else "never"
            for share in (EASY, 0.5, LOST)
        ),
        _crossing(_through(curve, 0.5, what=lambda spot: spot.free)),
        f"{most.density:.3f}",
        str(most.guesses),
    )


def _easy_longest(curves: Curves) -> str:
    """Say which kind of cells is won up to the greatest density."""
    ends = {field: _through(curves[field], EASY) for field in TOPOLOGIES}
    last = {field: end for field, end in ends.items() if end}
    if not last:
        return ""
    most = max(last, key=lambda field: last[field][0])
    least, *_ = last[most][1:]
    surely = all(least > end[2] for field, end in last.items() if field is not most)
    beyond = "beyond" if surely else "though not beyond"
    return f"Of the topologies {most} stays easy longest, {beyond} chance."


def _crossing(end: Crossing | None) -> str:
    return "not reached" if end is None else f"{end[0]:.3f} ({end[1]:.3f} to {end[2]:.3f})"


# --- Plots ----------------------------------------------------------------------------------------

Line = Callable[[Spot], tuple[float, float, float]]


def _draw(directory: Path, curves: Curves) -> None:
    with drawing(directory / "won", (10, 5), columns=2) as panels:
        _panels(panels, curves, "games won, %", lambda spot: _percent(spot.won))
    with drawing(directory / "guesses", (10, 9.4), rows=2, columns=2) as panels:
        _panels(panels[:2], curves, "won without a guess, %", lambda spot: _percent(spot.free))
        _panels(panels[2:], curves, "guesses a game", lambda spot: _ends(spot.guesses))
    with drawing(directory / "time", (10, 5), columns=2) as panels:
        _panels(panels, curves, "ms of the processor a game", lambda spot: _factor(spot.seconds))
        for axes in panels:
            axes.set_yscale("log")


def _panels(panels: Sequence["Axes"], curves: Curves, up: str, line: Line) -> None:
    """Draw a line of each field: sizes on the left, topologies on the right."""
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
    low, high = wilson(share.count, share.total, 0.95)
    return 100 * share.value, 100 * low, 100 * high


def _ends(mean: Mean) -> tuple[float, float, float]:
    return mean.value, mean.value - mean.half, mean.value + mean.half


def _factor(mean: Mean) -> tuple[float, float, float]:
    """Give a mean of seconds in ms; its interval is of the logarithm, as the scale is."""
    reach = exp(mean.half / mean.value)
    return 1e3 * mean.value, 1e3 * mean.value / reach, 1e3 * mean.value * reach
