"""A profile as text for the terminal, and as a page with pictures."""

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Mapping
from html import escape
from itertools import groupby
from typing import Final

from minewright.ledger import tell_mean
from minewright.messages import counted
from minewright.profile.figures import BBBV, FIGURES, Figure, headlines
from minewright.profile.pictures import bars, sums, trend
from minewright.profile.profile import Entry, Profile, summary

TRENDS: Final = {
    "rate": "Speed (3BV/s)",
    "ioe": "Efficiency (IOE)",
    "corr": "Clicks that had an effect (Corr)",
    "stnb": "Speed rating (STNB)",
    "avoidable": "Avoidable risk",
}
"""The figures that are drawn, and what the pictures call them."""
_SIDE_BY_SIDE: Final = 5
"""How many boards stand side by side in the terminal."""


def luck(profile: Profile) -> str:
    """Return a sentence about risks and explosions."""
    risks = sum(len(entry.risks) for entry in profile.entries)
    if not risks:
        return "No move after the first risked anything."
    return (
        f"You took {counted(risks, 'risk')}, which cost {profile.expected:.1f} explosions on"
        f" average. Always taking the smallest risk would cost {profile.needed:.1f}."
    )


def regret(profile: Profile) -> str:
    """Return where the chance to win went in an average game."""
    return tell_mean([entry.sums for entry in profile.entries])


def pictures(profile: Profile) -> dict[str, str]:
    """Return the pictures of a profile by name, as SVG."""
    found = {
        name: trend(f"{words}, game by game", [_figure(e, name) for e in profile.entries])
        for name, words in TRENDS.items()
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
    """Return a profile for the terminal: plain words first, then the figures of each board."""
    lines = [
        f"{line.name + ':':<15}{line.value}{f', {line.note}' if line.note else ''}"
        for line in headlines(profile)
    ]
    lines += ["", luck(profile), regret(profile)]
    if profile.worth:
        lines += ["", "Worth another look:"]
        lines += [f"  {entry.name}: {entry.reason}" for entry in profile.worth]
    if profile.missed:
        kinds = ", ".join(f"{kind} {count}" for kind, count in profile.missed.items())
        lines += ["", f"Missed proofs by kind: {kinds}"]
    boards = list(profile.boards)
    for at in range(0, len(boards), _SIDE_BY_SIDE):
        lines += ["", *_columns(profile, boards[at : at + _SIDE_BY_SIDE])]
    lines += ["", f"What the figures mean (docs/profile.md defines them). {BBBV}"]
    lines += [f"  {figure.name:<23}{figure.meaning}" for figure in FIGURES.values()]
    return "".join(f"{line}\n" for line in lines)


def _columns(profile: Profile, boards: list[str]) -> Iterator[str]:
    """Yield the lines of a table with a column for each board."""
    found = {board: summary(profile.boards[board]) for board in boards}
    width = max(10, *(len(board) + 2 for board in boards))

    def row(name: str, values: Iterable[str]) -> str:
        return f"{name:<25}" + "".join(f"{value:>{width}}" for value in values)

    yield row("By board", boards)
    for key in ("games", "won"):
        yield row(f"  {key.capitalize()}", (f"{figures[key]:,}" for figures in found.values()))
    for group, lines in _figures(found.values()):
        yield group
        yield from (row(f"  {figure.name}", values) for figure, values in lines)


def _figures(
    boards: Collection[Mapping[str, object]],
) -> Iterator[tuple[str, list[tuple[Figure, list[str]]]]]:
    """Yield the figures that some board has under their headings, each with its values."""
    known = [name for name in FIGURES if any(found[name] is not None for found in boards)]
    for group, names in groupby(known, lambda name: FIGURES[name].group):
        yield (
            group,
            [
                (FIGURES[name], [FIGURES[name].write(found[name]) for found in boards])
                for name in names
            ],
        )


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
td:first-child small {{ color: #555; display: block; }}
svg {{ width: 100%; height: auto; margin: 0.75rem 0; }}
dl {{ display: flex; flex-wrap: wrap; gap: 1rem 2rem; }}
dd {{ font-size: 1.4rem; font-weight: 600; margin: 0; }}
dd + dd {{ font-size: 0.85rem; font-weight: 400; }}
</style></head><body>
{body}
</body></html>
"""
_BODY: Final = """<h1>Profile</h1>
<dl>{head}</dl><p>{luck}</p><p>{regret}</p>
<h2>Worth another look</h2>{worth}
<h2>Missed proofs</h2>{missed}
<h2>Trends</h2>{trends}
<h2>By board</h2><p>{bbbv}</p><div style="overflow-x:auto">{boards}</div>
"""


def page(profile: Profile) -> str:
    """Return a profile as a page of its own, with its pictures inside."""
    return _PAGE.format(body=body(profile))


def body(profile: Profile) -> str:
    """Return what stands on the page of a profile."""
    drawn = pictures(profile)
    missed = drawn.pop("missed")
    boards = {board: summary(entries) for board, entries in profile.boards.items()}
    heads = "".join(f"<th>{escape(board)}</th>" for board in boards)
    rows = ""
    for name in ("games", "won"):
        rows += _row(name.capitalize(), [f"{found[name]:,}" for found in boards.values()])
    for group, lines in _figures(boards.values()):
        rows += f'<tr><th colspan="{len(boards) + 1}">{group}</th></tr>'
        for figure, values in lines:
            rows += _row(f"{figure.name}<small>{escape(figure.meaning)}</small>", values)
    head = "".join(
        f"<div><dt>{line.name}</dt><dd>{line.value}</dd><dd>{escape(line.note)}</dd></div>"
        for line in headlines(profile)
    )
    worth = "".join(f"<li><b>{escape(e.name)}</b>: {escape(e.reason)}</li>" for e in profile.worth)
    return _BODY.format(
        head=head,
        luck=escape(luck(profile)),
        regret=escape(regret(profile)),
        bbbv=BBBV,
        boards=f"<table><tr><th></th>{heads}</tr>{rows}</table>",
        trends="".join(drawn.values()),
        missed=missed,
        worth=f"<ol>{worth}</ol>" if worth else "<p>No game had a risk that could be avoided.</p>",
    )


def _row(label: str, values: Iterable[str]) -> str:
    cells = "".join(f"<td>{value}</td>" for value in values)
    return f"<tr><td>{label}</td>{cells}</tr>"
