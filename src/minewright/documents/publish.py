"""Published results: one Markdown page per document, and a summary of all claims.

The pages are those that the reproductions wrote, put together by document. Where a run at the
paper's size has not finished, the page of a quick look stands in, and says so.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from minewright.documents.claims import ONE_RULE, VERDICTS, Finding
from minewright.documents.site import Listing, counted, verdicts
from minewright.documents.work import ReproductionError, keep
from minewright.lab.page import Table

SUMMARY: Final = "README.md"
IMAGES: Final = "images"
QUICK: Final = (
    "**A quick look.** The run at the paper's size is not finished. These games are few and the "
    "intervals wide; much is undecided for that reason alone."
)
_IMAGE: Final = re.compile(r"!\[([^\]]*)\]\(([^)/]+)\)")


@dataclass(frozen=True, slots=True)
class Published:
    """A reproduction with the run that its results are taken from."""

    entry: Listing
    run: Path

    @property
    def document(self) -> str:
        """The page it stands on: its name up to the first hyphen."""
        return self.entry.name.partition("-")[0]

    @property
    def size(self) -> str:
        """The size in a word or two."""
        return "full" if self.entry.scale == "paper" else "quick look"


def publish(into: Path, runs: Sequence[Path], known: Sequence[Listing]) -> list[Path]:
    """Write the pages of what was run, each from the first run that has it; return their paths.

    Raise ReproductionError if no run has any.
    """
    found = list(_found(runs, known))
    if not found:
        places = ", ".join(map(str, runs))
        raise ReproductionError(f"no reproduction has been run in {places}; run some there first")
    pages = []
    for document in dict.fromkeys(one.document for one in found):
        own = [one for one in found if one.document == document]
        keep(into / f"{document}.md", _page(into, own))
        pages.append(into / f"{document}.md")
    keep(into / SUMMARY, _summary(found, len(known)))
    return [*pages, into / SUMMARY]


def _found(runs: Sequence[Path], known: Sequence[Listing]) -> Iterator[Published]:
    for entry in known:
        for run in runs:
            kept = entry.found(run)
            if kept.findings:
                yield Published(kept, run)
                break


def _page(into: Path, own: Sequence[Published]) -> str:
    parts = [f"# {own[0].entry.paper}", f"Theirs beside ours. [All documents]({SUMMARY})."]
    if len(own) > 1:
        parts.append("\n".join(f"- [{one.entry.title}](#{one.entry.name})" for one in own))
    for one in own:
        parts += [f'<a id="{one.entry.name}"></a>', f"## {one.entry.title}"]
        parts += [_made(one.entry)]
        parts += [QUICK] if one.entry.scale != "paper" else []
        parts.append(f"Claims that are counted: {verdicts(one.entry.findings)}.")
        parts.append(_body(into, one))
    return "\n\n".join(parts) + "\n"


def _made(entry: Listing) -> str:
    command = f"minewright reproduce {entry.name} --scale {entry.scale or 'quick'}"
    command += " --decide" if any(one.look for one in entry.findings) else ""
    return f"`{command}` ({entry.made or 'an older version'})"


def _body(into: Path, one: Published) -> str:
    """Return the page of a reproduction without its title, one level deeper, with its pictures."""
    directory = one.run / one.entry.name
    text = (directory / "page.md").read_text("utf-8")
    _, _, text = text.partition("\n\n")
    # Leave out the rule, which the summary states, and what made the page, which is stated above.
    paragraphs = [part for part in text.rstrip().split("\n\n") if part != ONE_RULE][:-1]
    text = re.sub(r"(?m)^## ", "### ", "\n\n".join(paragraphs))

    def moved(match: re.Match[str]) -> str:
        words, file = match.groups()
        name = f"{one.entry.name}-{file}"
        (into / IMAGES).mkdir(parents=True, exist_ok=True)
        keep(into / IMAGES / name, shrunk((directory / file).read_text("utf-8")))
        return f"![{words}]({IMAGES}/{name})"

    return _IMAGE.sub(moved, text)


def shrunk(svg: str) -> str:
    """Return a picture without what nobody sees, and with its words as text, not as outlines.

    Published pictures are kept in the repository, and every change of them is kept again.
    """
    if "<!-- $" not in svg:  # Formulas stay outlines, and the words share their letters.
        svg = _OUTLINED.sub(_as_text, svg)
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(?<= d=")[^"]*', lambda path: _rounded(path[0]), svg)
    return "\n".join(filter(None, map(str.strip, svg.splitlines()))) + "\n"


_OUTLINED: Final = re.compile(
    r"<!-- (?P<words>[^\n]*) -->\s*<g(?P<style> style=\"[^\"]*\")? "
    r'transform="(?P<place>translate[^"]*?) scale\((?P<scale>[\d.]+) -[\d.]+\)">'
    r"(?:(?!<g\b).)*?</g>",
    re.DOTALL,
)
"""Words that matplotlib draws as outlines, which it names in a comment."""


def _as_text(found: re.Match[str]) -> str:
    size = f"{100 * float(found['scale']):g}"
    return (
        f'<text{found["style"] or ""} transform="{found["place"]}" font-size="{size}" '
        f"font-family=\"'DejaVu Sans',Verdana,sans-serif\">{found['words']}</text>"
    )


def _rounded(path: str) -> str:
    """Round the coordinates of a path to tenths; put it on one line."""
    short = re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), path)
    return " ".join(short.split())


def _counts(findings: Sequence[Finding]) -> tuple[str, ...]:
    own = counted(findings)
    each = (sum(one.verdict == verdict for one in own) for verdict in VERDICTS)
    return str(len(own)), *map(str, each)


def _sizes(full: int, everything: int) -> str:
    if full == everything:
        return f"All {full} reproductions are at the paper's size or larger."
    return (
        f"{full} of {everything} reproductions are at the paper's size or larger; the others are "
        "quick looks, with few games and wide intervals."
    )


def _summary(found: Sequence[Published], known: int) -> str:
    everything = [finding for one in found for finding in one.entry.findings]
    own = counted(everything)
    full = sum(one.size == "full" for one in found)
    rows = [
        (
            f"[{one.entry.title}]({one.document}.md#{one.entry.name})",
            one.entry.paper,
            one.size,
            *_counts(one.entry.findings),
        )
        for one in found
    ]
    rows.append(("**All**", "", f"{full} of {len(found)} full", *_counts(everything)))
    head = ("reproduction", "document", "size", "claims", "agree", "differ", "undecided")
    missing = f" {known - len(found)} of {known} have not been run." if len(found) < known else ""
    parts = [
        "# The documents again: what came of it",
        f"{len(own)} claims: {verdicts(everything)}. {sum(one.arithmetic for one in own)} of them "
        "are decided by arithmetic alone. Claims that we infer from a document, and claims that "
        "are judged again under another reading of it, are on the pages but not counted.",
        f"{sum(one.theirs_too_few for one in own)} of the undecided ones would be undecided even "
        "if our figures were exact, because the documents played too few games.",
        f"{_sizes(full, len(found))}{missing}",
        Table((*head, "not testable"), rows).markdown(),
        ONE_RULE,
        "The pages are written by `minewright reproduce --publish DIR --out RUN --fallback RUN` "
        "from what `minewright reproduce --all --scale paper --out RUN` has kept "
        "([how](../reproduce.md)). The CSV files that they mention are in that directory.",
    ]
    return "\n\n".join(parts) + "\n"
