"""The reproductions of a directory as a small website: one page of all, which opens from disk."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import Final

from minewright.lab.files import write_whole
from minewright.lab.page import Figure, Finding, Findings, document

INDEX: Final = "index.html"
OUTCOME: Final = "outcome.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """What the page of all shows of one reproduction: empty findings if it has not been run."""

    name: str
    title: str
    paper: str
    size: str = ""
    findings: tuple[Finding, ...] = ()
    figure: Figure | None = None

    def keep(self, out: Path) -> None:
        """Keep it beside the reproduction's own page."""
        write_whole(out / self.name / OUTCOME, json.dumps(asdict(self), indent=2) + "\n")

    def found(self, out: Path) -> "Entry":
        """Give what was kept of it; itself if nothing was, or nothing that can be read."""
        try:
            data = json.loads((out / self.name / OUTCOME).read_bytes())
            findings = tuple(Finding(**one) for one in data.pop("findings"))
            figure = data.pop("figure")
            return Entry(**data, findings=findings, figure=Figure(**figure) if figure else None)
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return self


def counted(findings: Sequence[Finding]) -> list[Finding]:
    """Give the findings about what a paper says itself."""
    return [finding for finding in findings if not finding.inferred]


def verdicts(findings: Sequence[Finding]) -> str:
    """Count the verdicts in words; those on what we infer ourselves are left out."""
    count: Counter[str] = Counter(finding.verdict for finding in counted(findings))
    words = [
        f"{count[verdict]} {verdict if count[verdict] == 1 else several}"
        for verdict, several in _SEVERAL.items()
        if count[verdict]
    ]
    return ", ".join(words) or "none"


_SEVERAL: Final = {"agrees": "agree", "differs": "differ", "undecided": "undecided"}


def write_index(out: Path, known: Sequence[Entry]) -> Path:
    """Write the page of all reproductions from what is kept of each; give the page."""
    entries = [entry.found(out) for entry in known]
    done = [entry for entry in entries if entry.findings]
    rows = "\n".join(_row(entry) for entry in entries)
    body = (
        "<p>Published tables and figures, run again. Each page has theirs and ours side by side, "
        "says where and why they differ, and by which rule a verdict is given; beside it lie its "
        f"rows. Of {sum(len(counted(entry.findings)) for entry in done)} findings "
        f"{verdicts([finding for entry in done for finding in entry.findings])}; what we infer "
        "from a paper, and it does not say itself, is marked and not counted.</p>\n"
        '<table>\n<thead><tr><th scope="col">name</th><th scope="col">reproduction</th>'
        '<th scope="col">of</th>'
        '<th scope="col">findings</th></tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table>\n" + "\n".join(_section(entry) for entry in done)
    )
    write_whole(out / INDEX, document("Minewright: the papers again", body))
    return out / INDEX


def _row(entry: Entry) -> str:
    name, title = escape(entry.name), escape(entry.title)
    shown = f'<a href="{name}/{INDEX}">{title}</a>' if entry.findings else title
    summed = verdicts(entry.findings) if entry.findings else "not run here"
    cells = (f"<code>{name}</code>", shown, escape(entry.paper), summed)
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _section(entry: Entry) -> str:
    name = escape(entry.name)
    picture = ""
    if entry.figure:
        words = escape(entry.figure.words)
        picture = (
            f'<a href="{name}/{INDEX}">'
            f'<img src="{name}/{escape(entry.figure.file)}" alt="{words}"></a>'
        )
    return (
        f'<section id="{name}">\n<h2><a href="{name}/{INDEX}">{escape(entry.title)}</a></h2>\n'
        f"<p>{escape(entry.paper)}. {escape(entry.size)} Run it by "
        f"<code>minewright reproduce {name}</code>.</p>\n"
        f'<div class="beside">\n<div>{picture}</div>\n'
        f"<div>{Findings(entry.findings).html()}</div>\n</div>\n</section>"
    )
