"""The claims about the density of mines, and their page."""

from functools import partial
from math import exp, hypot, inf, log
from typing import Final

from minewright.documents.claims import Claim, Measure, NotTestable, above, ahead, below, within
from minewright.documents.estimates import (
    Estimate,
    Interval,
    bounded,
    listed,
    percent,
    points,
    times,
)
from minewright.documents.phase import plots
from minewright.documents.phase.curves import Crossing, at, through
from minewright.documents.phase.games import (
    BEGINNER,
    EXPERT,
    GAMES,
    INTERMEDIATE,
    NAME,
    SIZES,
    TOPOLOGIES,
    USUAL,
    Curve,
    Curves,
    Data,
    Field,
    measure,
)
from minewright.documents.study import Picture, Study
from minewright.documents.work import Request
from minewright.lab.page import Block, Heading, Paragraph, Table
from minewright.lab.statistics import normal
from minewright.messages import write_sides

PAPER: Final = (
    "Collet, Playing the Minesweeper with Constraints; Neller and Tran, The Bullets Puzzle"
)
EASY, LOST = 0.95, 0.05


def _won_at(density: float) -> Measure[Data]:
    """Return the measurement of wins at a density on the three usual boards."""

    def measure(data: Data) -> list[Estimate]:
        return [
            at(data.curves[field], density).won.estimate(write_sides(field.shape))
            for field in USUAL
        ]

    return measure


def _narrower(data: Data) -> list[Estimate]:
    """Estimate how much wider the fall from 75% to 25% of wins is on the smallest board."""
    ends = {
        field: [through(data.curves[field], share) for share in (0.75, 0.25)]
        for field in (SIZES[0], SIZES[-1])
    }
    widths = [
        (low[0] - high[0], low[1] - high[2], low[2] - high[1])
        for high, low in ends.values()
        if high and low
    ]
    if len(widths) < len(ends):
        return []
    small, large = widths
    return [
        bounded("", small[0] - large[0], small[1] - large[2], small[2] - large[1], points),
    ]


def _lost_from(data: Data) -> list[Estimate]:
    """Estimate the density where wins fall through 5%."""
    found = []
    for field in USUAL:
        end = through(data.curves[field], LOST)
        if end is None:
            return []
        found.append(
            Estimate(
                f"{write_sides(field.shape)}:", end[0], partial(_fall_ends, data.curves[field])
            )
        )
    return found


def _fall_ends(curve: Curve, confidence: float) -> Interval:
    end = through(curve, LOST, confidence)
    return (end[1], end[2]) if end else (-inf, inf)


def _dearer(data: Data) -> list[Estimate]:
    """Estimate how much more a cell costs on 30x16 than on 9x9, at 10% and at 30%."""

    def ends(density: float, confidence: float) -> Interval:
        small, large = (at(data.curves[field], density) for field in (BEGINNER, EXPERT))
        ratio = large.a_cell / small.a_cell
        reach = normal(confidence) * hypot(small.a_cell_error, large.a_cell_error)
        return exp(log(ratio) - reach), exp(log(ratio) + reach)

    return [
        Estimate(
            f"a cell on 30x16 costs, at {density:.0%},",
            at(data.curves[EXPERT], density).a_cell / at(data.curves[BEGINNER], density).a_cell,
            partial(ends, density),
            times,
        )
        for density in (0.1, 0.3)
    ]


_BOARDS: Final = "The share of games that exact wins on 9x9, 16x16 and 30x16 at a density of"
_SPLIT: Final = (
    "The sentence about 20% was one claim until version 0.2; its thresholds are those that were "
    "fixed before any game was played."
)
CLAIMS: Final[tuple[Claim[Data], ...]] = (
    Claim(
        "twenty-percent",
        "Around 20% of mined squares make the game interesting.",
        "Collet, section 5",
        f"{_BOARDS} 20%.",
        _won_at(0.2),
        within(LOST, EASY, percent, "interesting"),
        changed=_SPLIT,
    ),
    Claim(
        "less-is-easy",
        "Less than 20% makes the problem too easy.",
        "Collet, section 5",
        f"{_BOARDS} 10%.",
        _won_at(0.1),
        above(EASY, percent, "too easy"),
        changed=_SPLIT,
    ),
    Claim(
        "more-is-unplayable",
        "More than 20% quickly makes the game unplayable.",
        "Collet, section 5",
        f"{_BOARDS} 30%.",
        _won_at(0.3),
        below(LOST, percent, "unplayable"),
        changed=_SPLIT,
    ),
    Claim(
        "sharper",
        "If there is a phase transition as in other hard problems (Dempsey and Guinn), the wins "
        "fall within a narrower range of densities on a larger board.",
        "Neller and Tran, Related Work",
        "The range of densities from 75% to 25% of wins on 9x9 less that on 30x30.",
        _narrower,
        ahead(),
        inferred=True,
    ),
    Claim(
        "top-end",
        "A density of 0.3 is near the top end of the phase transition.",
        "Neller and Tran, Bullet Density",
        "The density where the wins of exact fall through 5%, on 9x9, 16x16 and 30x16.",
        _lost_from,
        within(0.25, 0.35, meaning="near 0.3"),
    ),
    Claim(
        "exponential-growth",
        "A mine density over 20% leads to exponential growth in reasoning (Dempsey and Guinn).",
        "Neller and Tran, Related Work",
        "Processor time per opened cell on 30x16 over that on 9x9.",
        _dearer,
        NotTestable(
            "That is said of brute force and of the worst case. Games are played here, by a kernel "
            "that does not try solutions one by one."
        ),
        changed="Before games had been seen, exponential growth was judged by how much dearer a "
        "cell is on the larger board. The rules of the two claims of Neller and Tran that are "
        "judged were fixed after a probe of 40 games at five densities.",
    ),
)


# --- The page -------------------------------------------------------------------------------------


def dearest(curves: Curves) -> str:
    """Say where a game costs most, and how that relates to the fall of the wins."""
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
            _crossing(through(curve, share)) if curve[0].won.value >= share else "never"
            for share in (EASY, 0.5, LOST)
        ),
        _crossing(through(curve, 0.5, what=lambda spot: spot.free)),
        f"{most.density:.3f}",
        str(most.guesses),
    )


def _easy_longest(curves: Curves) -> str:
    """Say which topology stays easy up to the greatest density."""
    ends = {field: through(curves[field], EASY) for field in TOPOLOGIES}
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


def _about(request: Request) -> list[str]:
    return [
        f"What two documents say of the density of mines, played ({PAPER}). The player is exact: "
        "it opens what is certain, and otherwise the cell with the least chance of a mine. It "
        "begins in a corner with the start rule open, so that no game ends before there is "
        f"something to think about. {request.count(GAMES):,} games per point (seed "
        f"{request.seed}). Density is the share of cells with a mine. exact is a strong player, "
        "not a perfect one: the best possible play may win somewhat more."
    ]


def _more(data: Data) -> list[Block]:
    curves = data.curves
    logic = listed(
        f"{at(curves[INTERMEDIATE], density).free.value:.0%} at {density:.0%}"
        for density in (0.1, 0.15, 0.2, 0.25)
    )
    return [
        Heading("Where the game stops being interesting"),
        Table(_HEAD, [_summary(field, curve) for field, curve in curves.items()]),
        Paragraph(
            "Too easy ends where wins fall through 95% (never: they are below it from the first "
            "density on); all is lost below 5%. Brackets hold what the intervals of the shares "
            "allow; between two densities lines are straight. "
            f"{_easy_longest(curves)} "
            "A torus has no edges, where cells are seen by fewer numbers. With 4 neighbours, as in "
            "neumann, a number says little of other cells. With up to 26, as in a box, hardly a "
            "number is 0, so that little opens by itself even where mines are few; and this box is "
            "small, so most of it is edge."
        ),
        Paragraph(f"Logic alone, without a guess, wins {logic} of the games on 16x16."),
        Heading("The work"),
        Paragraph(
            "Time of the processor, by the kernel's exact count: it depends on the machine, its "
            f"shape does not. {dearest(curves)} Growth beyond all bounds is a matter of worst "
            "cases and of brute force; the kernel joins the parts of a position instead of trying "
            "solutions one by one."
        ),
        Paragraph(
            "table.csv has the figures of every point; every game is in run/shards, as Parquet."
        ),
    ]


STUDY: Final = Study(
    NAME,
    "Wins, guesses and work against the density of mines",
    PAPER,
    "The density of mines: from too easy to lost",
    _about,
    measure,
    CLAIMS,
    [
        Picture("won", "Share of games won against the density of mines", plots.won),
        Picture(
            "guesses", "Games without a guess, and guesses per game, by density", plots.guesses
        ),
        Picture("time", "Time of the processor per game by density of mines", plots.time),
    ],
    lambda data: {"table.csv": data.table},
    _more,
)
