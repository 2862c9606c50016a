"""The tables of a run that measured safety: win rates and differences with the luck taken out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from minewright.lab.arm import Arm
from minewright.lab.experiment import Experiment
from minewright.lab.score import CONFIDENCE, Score
from minewright.lab.statistics import PairedMeans

if TYPE_CHECKING:
    import polars as pl

HEAD: Final = ("player", "board", "games", "safety", "95% interval", "a game tells as much as")
PAIR_HEAD: Final = (
    *("first", "second", "board", "games", "difference", "95% interval", "always-valid interval"),
    *("stronger", "a game tells as much as"),
)


@dataclass(frozen=True, slots=True)
class SafetyPair:
    """Two arms on the same games, by the safeties of these games."""

    first: Arm
    second: Arm
    paired: PairedMeans
    worth: float | None
    """How many games judged by win or loss tell as much as one by its safety; None if unknown."""


def pairs(
    experiment: Experiment, rows: "pl.DataFrame", chosen: Sequence[tuple[Arm, Arm]]
) -> list[SafetyPair]:
    """Compare pairs of arms by the safeties of the games that both have played."""
    import polars as pl

    if "safety" not in rows.columns:
        return []
    figures = rows.select("arm", "stream", "safety", won=(pl.col("outcome") == "won").cast(pl.Int8))
    by_arm = {arm: own.drop("arm") for (arm,), own in figures.group_by("arm")}
    found = []
    for first, second in chosen:
        one, other = by_arm[experiment.arms.index(first)], by_arm[experiment.arms.index(second)]
        both = one.join(other, on="stream", suffix="_other")
        less = both.select(
            safety=pl.col("safety") - pl.col("safety_other"),
            won=pl.col("won") - pl.col("won_other"),
        )
        if less.height < 2:
            continue
        variance = _number(less["safety"].var())
        paired = PairedMeans(less.height, _number(less["safety"].mean()), variance, CONFIDENCE)
        worth = _number(less["won"].var()) / variance if variance else None
        found.append(SafetyPair(first, second, paired, worth))
    return found


def _number(value: object) -> float:
    assert isinstance(value, int | float)
    return float(value)


def score_rows(found: Sequence[Score]) -> list[tuple[str, ...]]:
    """Return the safeties of arms as rows of a table; none if they were not measured."""
    return [
        (
            one.arm.player,
            one.arm.field_name,
            f"{one.measured:,}",
            f"{one.safety:.3%}",
            "{:.3%} to {:.3%}".format(*one.safety_ci95),
            _times(one.worth),
        )
        for one in found
        if one.safety is not None and one.safety_ci95 is not None
    ]


def pair_rows(found: Sequence[SafetyPair]) -> list[tuple[str, ...]]:
    """Return comparisons as rows of a table."""
    return [
        (
            one.first.player,
            one.second.player,
            one.first.field_name,
            f"{one.paired.games:,}",
            f"{one.paired.difference:+.3%}",
            "{:+.3%} to {:+.3%}".format(*one.paired.interval),
            "{:+.3%} to {:+.3%}".format(*one.paired.always),
            one.paired.stronger,
            _times(one.worth),
        )
        for one in found
    ]


def _times(worth: float | None) -> str:
    return "-" if worth is None else f"{worth:.1f}"
