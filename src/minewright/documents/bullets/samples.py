"""Figure 6 of Neller and Tran: what puzzles gain by more clue sets."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import sqrt
from typing import Final

from minewright.documents.bullets.puzzles import (
    INTERVALS,
    ITERATIONS,
    PAPER,
    PUZZLES,
    SIDES,
    VERDICTS,
    Made,
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
from minewright.lab.statistics import CONFIDENCE, Mean, normal, wilson

BEST_BULLETS: Final = {4: 5, 5: 7, 6: 10, 7: 15}
"""How many bullets give the least mean energy on each side, by bullets-density in full."""

LONG_PUZZLES: Final = {"quick": 25, "paper": 200}
"""How many puzzles get 10 samples and 1000 iterations, as the paper's figure 4."""

FIGURE_4_BULLETS: Final = 15
LONG_ITERATIONS: Final = 1000
MOST_SAMPLES: Final = 10
GOOD_ENERGY: Final = -11.0
FEWEST: Final = 200
"""With fewer puzzles a point, the whole gain is too uncertain to speak of shares of it."""


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
        first_three(curves, PUZZLES[request.scale]),
        _elbows(curves),
        _good_puzzles(made[long]),
        _settled(made[short], made[long]),
    )
    page = Page(
        "Bullets: how many clue sets to sample",
        [
            Paragraph(
                f"Figure 6 of {PAPER}. {size(request)} The search samples s minimal "
                "clue sets of each arrangement of bullets and takes the best. Lower energy is "
                "better. The number of bullets is the best for each grid by bullets-density."
            ),
            Figure("figure6.svg", "Mean energy against the number of sampled clue sets"),
            Heading("Theirs and ours"),
            Findings(findings),
            Paragraph(
                "The paper prints no figures beside its plots, so its sentences are what can be "
                "compared. The elbow is the point of a curve that lies farthest from the straight "
                "line between its ends; in brackets, those that chance cannot tell from it. Much "
                f"of the gain is judged from {FEWEST} puzzles a point on, which was added after "
                "rows had been seen. "
                f"{VERDICTS}"
            ),
            Heading("Mean energy"),
            Table(
                (
                    "samples",
                    *(f"{side}x{side}, {BEST_BULLETS[side]} bullets (± 90%)" for side in SIDES),
                ),
                [
                    (str(count + 1), *(str(curves[side][count]) for side in SIDES))
                    for count in range(MOST_SAMPLES)
                ],
            ),
            Paragraph(INTERVALS),
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
    return Outcome(write(directory, page, made), findings, page.figure)


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
    ours = f"From 1 sample to {MOST_SAMPLES} the mean energy falls by {each(falls)}. " + (
        f"It rises beyond chance at: {', '.join(rises)}."
        if rises
        else "Nowhere does one more sample raise it beyond chance."
    )
    return Finding(
        "Energy decreases as more clue sets are sampled.",
        ours,
        "differs" if rises else "agrees" if down else "undecided",
    )


def first_three(curves: Curves, puzzles: int) -> Finding:
    """Compare what the first three samples bring; so many puzzles stand behind each point."""
    shares = {side: _share_of_gain(means, 3) for side, means in curves.items()}
    strict = level(sum(side <= 6 for side in SIDES))
    small = [_share_of_gain(curves[side], 3, strict) for side in SIDES if side <= 6]
    slopes = {
        side: ((means[0].value - means[2].value) / 2)
        / max((means[2].value - means[-1].value) / (MOST_SAMPLES - 3), 1e-9)
        for side, means in curves.items()
    }
    ours = "The first 3 samples bring this share of what 10 bring: " + listed(
        f"{share:.0%} ± {half:.0%} on {side}x{side}" for side, (share, half) in shares.items()
    )
    ours += ". A sample up to the third brings " + listed(
        f"{slope:.1f} times" if slope < 100 else "over 100 times" for slope in slopes.values()
    )
    ours += " what a later one brings."
    if puzzles < FEWEST:
        note = f"That is not judged by fewer than {FEWEST} puzzles a point."
        return Finding(_FIRST_THREE, f"{ours} {note}", "undecided")
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
    ours = "The elbow is at " + listed(
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
