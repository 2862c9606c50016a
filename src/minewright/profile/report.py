"""A profile as text for the terminal, and as a page with pictures."""

import csv
import io
from html import escape
from math import inf
from typing import Final

from minewright.ledger import tell_mean
from minewright.messages import counted
from minewright.profile.pictures import bars, sums, trend
from minewright.profile.profile import Entry, Profile, summary

FIGURES: Final = {
    "best_seconds": ("Best time", "the fastest game won, in seconds"),
    "mean_seconds": ("Mean time", "the average of the games won, in seconds"),
    "rate": ("3BV/s", "solved 3BV / t"),
    "ioe": ("IOE", "solved 3BV / clicks"),
    "corr": ("Corr", "effective clicks / clicks"),
    "thrp": ("Thrp", "solved 3BV / effective clicks"),
    "rqp": ("RQP", "t² / solved 3BV; lower is better"),
    "qg": ("QG", "t^1.7 / solved 3BV; lower is better"),
    "stnb": (
        "STNB",
        "k · solved 3BV / t^1.7 · √(solved 3BV / 3BV), with k = 36, 162, 435 on 8x8x10, 16x16x40,"
        " 30x16x99",
    ),
    "pluck": ("Pluck", "minus the sum of log10 of the safety of every move after the first"),
    "zini": (
        "ZiNi",
        "the clicks of a greedy player who also marks and chords; not proven to be the fewest",
    ),
    "hzini": (
        "HZiNi",
        "the same for a player who opens all 0s first, and chords only at open cells",
    ),
    "avoidable": (
        "Avoidable risk",
        "the sum of each move's risk minus the smallest possible one",
    ),
    "missed_proofs": (
        "Lost to missed proofs",
        "how much of the chance to win went to risks that were not needed",
    ),
    "bad_guesses": (
        "Lost to bad guesses",
        "how much of it went to guesses that win less often than the champion's",
    ),
    "luck": ("Luck", "how much of it luck brought, or took if negative"),
}
"""The figures of a board: what players call them, and what they are (see docs/profile.md)."""
NAMES: Final = {figure: name for figure, (name, _) in FIGURES.items()}
TRENDS: Final = ("rate", "ioe", "corr", "stnb", "avoidable")


def luck(profile: Profile) -> str:
    """Return a sentence about risks and explosions."""
    risks = sum(len(entry.risks) for entry in profile.entries)
    if not risks:
        return "No move after the first risked anything."
    suffered = profile.explosions
    return (
        f"{counted(risks, 'risk')} taken, which cost {profile.expected:.1f} explosions on average;"
        f" you had {suffered}. With the smallest possible risks it would be {profile.needed:.1f}."
    )


def regret(profile: Profile) -> str:
    """Return where the chance to win went in an average game."""
    return tell_mean([entry.sums for entry in profile.entries])


def pictures(profile: Profile) -> dict[str, str]:
    """Return the pictures of a profile by name, as SVG."""
    found = {
        name: trend(f"{NAMES[name]}, game by game", [_figure(e, name) for e in profile.entries])
        for name in TRENDS
    }
    suffered = [float(entry.lost) for entry in profile.entries]
    expected = [sum(choice.risk for choice in entry.choices) for entry in profile.entries]
    found["luck"] = sums("Luck: explosions so far", {"actual": suffered, "expected": expected})
    found["missed"] = bars("Missed proofs: a safe cell was provable, by", profile.missed)
    return found


def _figure(entry: Entry, name: str) -> float | None:
    found = entry.avoidable if name == "avoidable" else getattr(entry.measures, name)
    return found if isinstance(found, int | float) else None


def text(profile: Profile) -> str:
    """Return a profile for the terminal."""
    lines = [
        f"{counted(len(profile.entries), 'game')}, {profile.won:,} won",
        luck(profile),
        regret(profile),
    ]
    for board, entries in profile.boards.items():
        figures = summary(entries)
        lines += ["", f"{board}: {counted(len(entries), 'game')}, {figures['won']} won"]
        told = [f"{NAMES[name]} {_write(figures[name])}" for name in NAMES if figures[name]]
        lines += [f"  {', '.join(told[at : at + 6])}" for at in range(0, len(told), 6)]
    if profile.missed:
        kinds = ", ".join(f"{kind} {count}" for kind, count in profile.missed.items())
        lines += ["", f"Missed proofs: {kinds}"]
    if profile.worth:
        lines += ["", "Worth another look:"]
        lines += [f"  {entry.name}: {entry.reason}" for entry in profile.worth]
    return "".join(f"{line}\n" for line in lines)


def table(profile: Profile, names: bool = False) -> str:
    """Return all games as CSV."""
    rows = [entry.as_data(names) for entry in profile.entries]
    target = io.StringIO()
    if rows:
        writer = csv.DictWriter(target, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return target.getvalue()


_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Profile</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #fff; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ text-align: right; padding: 0.25rem 0.5rem; border-bottom: 1px solid #ddd; }}
th:first-child, td:first-child {{ text-align: left; }}
svg {{ width: 100%; height: auto; margin: 0.75rem 0; }}
</style></head><body>
{body}
</body></html>
"""
_BODY: Final = """<h1>Profile</h1>
<p>{head}</p><p>{luck}</p><p>{regret}</p>
<h2>By board</h2><div style="overflow-x:auto">{boards}</div>
<h2>Trends</h2>{trends}
<h2>Missed proofs</h2>{missed}
<h2>Worth another look</h2>{worth}
"""


def page(profile: Profile) -> str:
    """Return a profile as a page of its own, with its pictures inside."""
    return _PAGE.format(body=body(profile))


def body(profile: Profile) -> str:
    """Return what stands on the page of a profile."""
    drawn = pictures(profile)
    missed = drawn.pop("missed")
    boards = {board: summary(entries) for board, entries in profile.boards.items()}
    shown = [name for name in NAMES if any(found[name] is not None for found in boards.values())]
    heads = "".join(f"<th>{escape(board)}</th>" for board in boards)
    lines = [("Games", [str(found["games"]) for found in boards.values()])]
    lines += [("Won", [str(found["won"]) for found in boards.values()])]
    lines += [(NAMES[name], [_write(f[name]) for f in boards.values()]) for name in shown]
    rows = "".join(
        f"<tr><td>{name}</td>{''.join(f'<td>{value}</td>' for value in values)}</tr>"
        for name, values in lines
    )
    worth = "".join(f"<li><b>{escape(e.name)}</b>: {escape(e.reason)}</li>" for e in profile.worth)
    return _BODY.format(
        head=escape(f"{counted(len(profile.entries), 'game')}, {profile.won:,} won."),
        luck=escape(luck(profile)),
        regret=escape(regret(profile)),
        boards=f"<table><tr><th></th>{heads}</tr>{rows}</table>",
        trends="".join(drawn.values()),
        missed=missed,
        worth=f"<ol>{worth}</ol>" if worth else "<p>No game had a risk that could be avoided.</p>",
    )


def _write(value: object) -> str:
    if not isinstance(value, int | float) or value == inf:
        return "-"
    return f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"
