"""How findings are shown: on a page, and all those of a directory as a small website."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from html import escape
from pathlib import Path
from typing import Final, TypeVar, get_args, get_type_hints

from minewright.documents.claims import Finding, Verdict
from minewright.documents.work import keep
from minewright.lab.files import StoreError, read_small
from minewright.lab.page import Block, Figure, Heading, Paragraph, Table, document

INDEX: Final = "index.html"
OUTCOME: Final = "outcome.json"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Findings:
    """Theirs and ours side by side, with the measurement, its rule and the verdict.

    In brief, the measurement and the rule are left out.
    """

    findings: Sequence[Finding]
    brief: bool = False

    def markdown(self) -> str:
        """Write them as Markdown."""
        rows = [
            (_with_place(one), f"{one.how} Rule: {one.rule}.", one.ours, one.verdict)
            for one in self.findings
        ]
        head = ("the document", "how it is measured", "here", "verdict")
        return Table(head, rows).markdown()

    def html(self) -> str:
        """Write them as HTML."""
        how = [] if self.brief else ["how it is measured"]
        names = ["the document", *how, "here", "verdict"]
        head = "".join(f'<th scope="col">{cell}</th>' for cell in names)
        body = "\n".join(self._row(one) for one in self.findings)
        return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"

    def _row(self, one: Finding) -> str:
        how = "" if self.brief else f"<td>{escape(one.how)} Rule: {escape(one.rule)}.</td>"
        place = f' <span class="small">({escape(one.where)})</span>' if one.where else ""
        kind = one.verdict.replace(" ", "-")
        return (
            f"<tr><td>{escape(one.said)}{place}</td>{how}<td>{escape(one.ours)}</td>"
            f'<td class="{kind}">{one.verdict}</td></tr>'
        )


def main_findings(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings under the reading that counts."""
    return [one for one in findings if not one.reading]


def other_readings(findings: Sequence[Finding]) -> list[Block]:
    """Show claims that were judged again under other readings, claim by claim."""
    groups: dict[str, list[Finding]] = {}
    for one in findings:
        if one.reading:
            groups.setdefault(one.paper, []).append(one)
    if not groups:
        return []
    # The claim stands in the first row of its group only.
    rows = [
        (_with_place(one) if at == 0 else "", one.reading, one.ours, one.verdict)
        for group in groups.values()
        for at, one in enumerate(group)
    ]
    return [
        Heading("Under other readings"),
        Paragraph(
            "The same claims by the same rules, where the text can be read in another way. These "
            "verdicts are not counted."
        ),
        Table(("the document", "reading", "here", "verdict"), rows),
    ]


def _with_place(one: Finding) -> str:
    return f"{one.said} ({one.where})" if one.where else one.said


@dataclass(frozen=True, slots=True)
class Listing:
    """What the page of all shows of one reproduction: no findings if it has not been run."""

    name: str
    title: str
    paper: str
    size: str = ""
    findings: tuple[Finding, ...] = ()
    figure: Figure | None = None
    scale: str = ""
    made: str = ""
    """When, with what and on what it was made."""

    def keep(self, out: Path) -> None:
        """Keep it beside the reproduction's own page."""
        keep(out / self.name / OUTCOME, json.dumps(asdict(self), indent=2) + "\n")

    def found(self, out: Path) -> "Listing":
        """Return what was kept of it, or the entry itself if that is missing or unreadable."""
        try:
            data = dict(json.loads(read_small(out / self.name / OUTCOME)))
            findings = tuple(_typed(Finding, one) for one in data.pop("findings"))
            figure = data.pop("figure")
            return replace(
                _typed(Listing, data),
                findings=findings,
                figure=None if figure is None else _typed(Figure, figure),
            )
        except (OSError, StoreError, RecursionError, ValueError, TypeError, LookupError):
            return self


def _typed(kind: type[T], data: object) -> T:
    """Make an object of JSON's; raise ValueError, TypeError or LookupError if they differ."""
    if not isinstance(data, dict):
        raise TypeError(kind.__name__)
    hints = get_type_hints(kind)
    for name, value in data.items():
        choices = get_args(hints[name])
        if value not in choices if choices else type(value) is not hints[name]:
            raise TypeError(name)
        if isinstance(value, str):
            # JSON may hold halves of characters, which no file does.
            value.encode()
    return kind(**data)


def counted(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings about what a document says itself."""
    return [finding for finding in findings if finding.counted]


def verdicts(findings: Sequence[Finding]) -> str:
    """Count the verdicts in words, without those on what we infer ourselves."""
    count: Counter[Verdict] = Counter(finding.verdict for finding in counted(findings))
    words = [
        f"{count[verdict]} {verdict if count[verdict] == 1 else several}"
        for verdict, several in _SEVERAL.items()
        if count[verdict]
    ]
    return ", ".join(words) or "none"


_SEVERAL: Final[dict[Verdict, str]] = {
    "agrees": "agree",
    "differs": "differ",
    "undecided": "undecided",
    "not testable": "not testable",
}


def write_index(out: Path, known: Sequence[Listing]) -> Path:
    """Write the page of all reproductions from what is kept of each; return its path."""
    entries = [entry.found(out) for entry in known]
    done = [entry for entry in entries if entry.findings]
    rows = "\n".join(_row(entry) for entry in entries)
    body = (
        "<p>Published tables and figures, run again. Each page sets the document's claims beside "
        "what was measured here, says by which rule each was judged, and explains the "
        f"differences. Of {sum(len(counted(entry.findings)) for entry in done)} claims "
        f"{verdicts([finding for entry in done for finding in entry.findings])}. What we infer "
        "from a document, though it does not say it, is marked and not counted.</p>\n"
        '<table>\n<thead><tr><th scope="col">name</th><th scope="col">reproduction</th>'
        '<th scope="col">of</th>'
        '<th scope="col">claims</th></tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table>\n" + "\n".join(_section(entry) for entry in done)
    )
    keep(out / INDEX, document("Minewright: the documents again", body))
    return out / INDEX


def _row(entry: Listing) -> str:
    name, title = escape(entry.name), escape(entry.title)
    shown = f'<a href="{name}/{INDEX}">{title}</a>' if entry.findings else title
    summed = verdicts(entry.findings) if entry.findings else "not run here"
    cells = (f"<code>{name}</code>", shown, escape(entry.paper), summed)
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _section(entry: Listing) -> str:
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
        f"<p>{escape(entry.paper)}. {escape(entry.size)} Run it with "
        f"<code>minewright reproduce {name}</code>.</p>\n"
        f'<div class="beside">\n<div>{picture}</div>\n'
        f"<div>{Findings(main_findings(entry.findings), brief=True).html()}</div>\n</div>\n"
        "</section>"
    )
