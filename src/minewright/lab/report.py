"""A run in figures: the score of each arm, and who is stronger on the same games."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

import polars as pl

from minewright.lab import safety
from minewright.lab.experiment import Arm, Experiment
from minewright.lab.files import write_whole
from minewright.lab.page import Block, Figure, Heading, Page, Paragraph, Table
from minewright.lab.run import Run
from minewright.lab.score import CONFIDENCE, UNIT, Score
from minewright.lab.sequential import DuelVerdict
from minewright.lab.statistics import Paired
from minewright.messages import counted

LABEL: Final = 28
LABEL_LINES: Final = 8
"""Characters per line beside a plot, and how many lines of a name are drawn."""
MOST_PAIRS: Final = 6
"""Up to this many arms on a board, all pairs are compared; with more, only those with the first."""
MOST_DRAWN: Final = 80
"""With more dots than this, no plot is drawn."""
OPTIONAL_STOP: Final = (
    "The number of games was not fixed in advance: the duel's error is as stated, but the "
    "intervals and p below are those of a fixed number of games, and flatter the winner."
)

SAFETY: Final = (
    "The safety of a game is the chance to survive all its risks; its mean is the win rate. The "
    "always-valid interval of a difference holds however often one looks, so a run may be stopped "
    "as soon as it excludes 0."
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two arms on the same games."""

    first: Arm
    second: Arm
    paired: Paired


def results(experiment: Experiment, rows: pl.DataFrame) -> list[Score]:
    """Return the score of each arm that has played."""
    won = pl.col("outcome") == "won"
    summed = rows.group_by("arm").agg(
        pl.len().alias("games"),
        won.sum().alias("wins"),
        # Sums of many games do not fit into the columns' 32 bits.
        pl.col("cleared").cast(pl.UInt64).sum().alias("cells_opened"),
        pl.col("found").cast(pl.UInt64).sum().alias("mines_found"),
        pl.col("guesses").cast(pl.UInt64).filter(won).sum().alias("guesses_in_won"),
        pl.col("guesses").cast(pl.UInt64).filter(~won).sum().alias("guesses_in_lost"),
        (pl.col("outcome") == "timed out").sum().alias("timeouts"),
        pl.col("blunder").sum().alias("blunders"),
        pl.col("gave_up").cast(pl.UInt64).sum(),
        pl.col("cpu_seconds").sum().alias("cpu_total"),
        *_safety_sums(rows),
    )
    return [
        Score(experiment.arms[row.pop("arm")], **_with_whole_sums(row))
        for row in summed.sort("arm").iter_rows(named=True)
    ]


_SAFETY_SUMS: Final = ("safety_sum", "safety_squares")
_HALF: Final = 1 << 20
"""Units of safety are split in two halves, which are summed apart: from eight million games on, a
single sum would not fit into 64 bits."""


def _safety_sums(rows: pl.DataFrame) -> list[pl.Expr]:
    """Return the sums of the safeties, if they were measured."""
    if "safety" not in rows.columns:
        return []
    safety = pl.col("safety")
    sums = [safety.count().alias("measured")]
    for name, value in zip(_SAFETY_SUMS, (safety, safety**2), strict=True):
        units = (value / UNIT).round().cast(pl.Int64)
        sums += [(units // _HALF).sum().alias(f"{name} high"), (units % _HALF).sum().alias(name)]
    return sums


def _with_whole_sums(row: dict[str, Any]) -> dict[str, Any]:
    for name in _SAFETY_SUMS:
        if name in row:
            row[name] += _HALF * row.pop(f"{name} high")
    return row


def comparisons(experiment: Experiment, rows: pl.DataFrame) -> list[Comparison]:
    """Compare arms that met the same minefields, game by game."""
    found = []
    fields = dict.fromkeys(arm.field for arm in experiment.arms)
    won = {
        arm: own.select("stream", won=pl.col("outcome") == "won")
        for (arm,), own in rows.group_by("arm")
    }
    for field in fields:
        arms = [at for at, arm in enumerate(experiment.arms) if arm.field == field and at in won]
        pairs = list(combinations(arms, 2))
        if len(arms) > MOST_PAIRS:
            duel = experiment.duel
            wanted = (duel.first, duel.second) if duel else ()
            pairs = [pair for pair in pairs if pair[0] == arms[0] or set(pair) == set(wanted)]
        for one, other in pairs:
            both = won[one].join(won[other], on="stream", suffix="_other")
            if both.height:
                paired = Paired(
                    both.height,
                    both.filter(pl.col("won") & ~pl.col("won_other")).height,
                    both.filter(~pl.col("won") & pl.col("won_other")).height,
                    CONFIDENCE,
                )
                found.append(Comparison(experiment.arms[one], experiment.arms[other], paired))
    return found


RESULT_HEAD: Final = (
    "player",
    "board",
    "games",
    "won",
    "95% interval",
    "cleared",
    "found",
    "guesses",
    "in won",
    "in lost",
    "CPU ms",
    "time-outs",
)
COMPARISON_HEAD: Final = (
    "first",
    "second",
    "board",
    "games",
    "only first won",
    "only second won",
    "difference",
    "95% interval",
    "p",
)


def result_rows(found: Sequence[Score]) -> list[tuple[str, ...]]:
    """Return scores as rows of a table."""
    return [
        (
            result.arm.player,
            result.arm.field_name,
            f"{result.games:,}",
            f"{result.win_rate:.2%}",
            "{:.2%} to {:.2%}".format(*result.ci95),
            f"{result.cleared:.1%}",
            f"{result.found:.1%}",
            f"{result.guesses:.2f}",
            _mean(result.guesses_won),
            _mean(result.guesses_lost),
            f"{result.cpu_seconds * 1000:.3g}",
            str(result.timeouts),
        )
        for result in found
    ]


def comparison_rows(found: Sequence[Comparison]) -> list[tuple[str, ...]]:
    """Return comparisons as rows of a table."""
    return [
        (
            one.first.player,
            one.second.player,
            one.first.field_name,
            f"{one.paired.games:,}",
            f"{one.paired.first_only:,}",
            f"{one.paired.second_only:,}",
            f"{one.paired.difference:+.2%}",
            "{:+.2%} to {:+.2%}".format(*one.paired.interval),
            _chance(one.paired.p),
        )
        for one in found
    ]


def verdict_words(
    experiment: Experiment, verdict: DuelVerdict | None, over: bool, titles: bool = False
) -> str:
    """Return what a duel has shown in a sentence; empty if there is no duel.

    Players have the names of the experiment, or their titles if `titles` is True.
    """
    duel = experiment.duel
    if duel is None:
        return ""
    first, second = (
        arm.title if titles else arm.player
        for arm in (experiment.arms[duel.first], experiment.arms[duel.second])
    )
    if verdict is None:
        if over:
            return f"Between {first} and {second} nothing was decided in all games."
        return f"Between {first} and {second} nothing is decided yet."
    seen = (
        f"after {counted(verdict.games, 'game')} ({verdict.first_only} won by the first alone, "
        f"{verdict.second_only} by the second alone)"
    )
    if verdict.stronger == "equal":
        return (
            f"{first} and {second} do not differ as much as asked: neither wins {duel.share:.0%} "
            f"of the games that one of them wins alone; decided {seen}."
        )
    name = first if verdict.stronger == "first" else second
    return f"{name} is the stronger of the two; decided {seen}."


def page(run: Run, plot: str = "") -> Page:
    """Return the page of a run."""
    experiment, rows = run.experiment, run.rows()
    total = experiment.games * len(experiment.arms)
    blocks: list[Block] = [
        Paragraph(
            f"{rows.height:,} of {total:,} games have been played, seed {experiment.seed}. All "
            "players of a board meet the same minefields, except for what the start rule clears. "
            "Intervals of shares are Wilson's; differences are paired, game by game."
        )
    ]
    if experiment.duel:
        blocks += [
            Paragraph(verdict_words(experiment, run.verdict(), run.complete)),
            Paragraph(OPTIONAL_STOP),
        ]
    found = results(experiment, rows)
    blocks += [Heading("Players"), Table(RESULT_HEAD, result_rows(found))]
    if plot:
        blocks.append(Figure(plot, "Share of games won, with 95% intervals"))
    compared = comparisons(experiment, rows)
    if compared:
        blocks += [
            Heading("Side by side"),
            Table(COMPARISON_HEAD, comparison_rows(compared)),
            Paragraph(
                "p is the chance of a split at least this uneven between equals (McNemar's exact "
                "test); the difference beside it says how large the effect is. If a board has more "
                f"than {MOST_PAIRS} players, only the pairs with the first are shown."
            ),
        ]
    measured = safety.score_rows(found)
    if measured:
        blocks += [Heading("By safety"), Table(safety.HEAD, measured), Paragraph(SAFETY)]
        between = safety_pairs(experiment, rows)
        if between:
            blocks.append(Table(safety.PAIR_HEAD, safety.pair_rows(between)))
    return Page(experiment.name, blocks)


def safety_pairs(experiment: Experiment, rows: pl.DataFrame) -> list[safety.SafetyPair]:
    """Compare the same arms as `comparisons`, by safety; return nothing if it was not measured."""
    if "safety" not in rows.columns:
        return []
    pairs = [(one.first, one.second) for one in comparisons(experiment, rows)]
    return safety.pairs(experiment, rows, pairs)


def write(run: Run, directory: Path) -> Path:
    """Write the report as Markdown and as HTML with its plot; return the HTML page."""
    from minewright.lab.plots import draw_shares

    directory.mkdir(parents=True, exist_ok=True)
    found = results(run.experiment, run.rows())
    plot = ""
    if 0 < len(found) <= MOST_DRAWN:
        plot = "won.svg"
        fields = {one.arm.field_name for one in found}
        draw_shares(
            directory / "won",
            f"{run.experiment.name}: {fields.pop()}" if len(fields) == 1 else run.experiment.name,
            [(_label(one.arm, bool(fields)), one.win_rate, one.ci95) for one in found],
        )
    content = page(run, plot)
    write_whole(directory / "report.md", content.markdown())
    write_whole(directory / "report.html", content.html())
    return directory / "report.html"


def _label(arm: Arm, with_field: bool) -> str:
    """Return an arm for the margin of a plot, in lines that leave room for the plot."""
    lines = [""]
    for part in re.split(r"(?<=[,+:])(?! )|(?<= )", arm.player):
        if lines[-1] and len(lines[-1] + part) > LABEL:
            lines.append("")
        lines[-1] += part
    # A single part may be too long: it is cut as well.
    cut = [short for line in lines for short in wrap(line, LABEL)][:LABEL_LINES]
    return "\n".join([*cut, *([arm.field_name] if with_field else [])])


def _mean(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _chance(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else "< 0.001"


_FIELDS: Final = (
    *("games", "wins", "cleared", "found", "guesses", "guesses_won", "guesses_lost"),
    *("cpu_seconds", "timeouts", "blunders", "gave_up", "win_rate", "ci95"),
)
"""The fields of a score in the JSON object."""


def as_json(run: Run) -> str:
    """Return a run's figures as one JSON object."""
    experiment, rows = run.experiment, run.rows()
    return (
        json.dumps(
            {
                "name": experiment.name,
                "seed": experiment.seed,
                "players": [
                    {"arm": asdict(one.arm)} | {name: getattr(one, name) for name in _FIELDS}
                    for one in results(experiment, rows)
                ],
                "comparisons": [
                    asdict(one)
                    | {
                        "difference": one.paired.difference,
                        "ci95": one.paired.interval,
                        "p": one.paired.p,
                    }
                    for one in comparisons(experiment, rows)
                ],
                "verdict": verdict_words(experiment, run.verdict(), run.complete) or None,
            }
            | _safety_data(experiment, rows)
        )
        + "\n"
    )


def _safety_data(experiment: Experiment, rows: pl.DataFrame) -> dict[str, object]:
    """Return the additional data of a run that measured safety."""
    if experiment.measure != "safety":
        return {}
    names = ("measured", "safety", "safety_ci95", "worth")
    return {
        "safety": {
            "players": [
                {"arm": asdict(one.arm)} | {name: getattr(one, name) for name in names}
                for one in results(experiment, rows)
            ],
            "comparisons": [
                {
                    "first": asdict(one.first),
                    "second": asdict(one.second),
                    "games": one.paired.games,
                    "difference": one.paired.difference,
                    "ci95": one.paired.interval,
                    "always": one.paired.always,
                    "stronger": one.paired.stronger,
                    "worth": one.worth,
                }
                for one in safety_pairs(experiment, rows)
            ],
        }
    }
