"""A page about a reproduction: the same content as Markdown and as HTML that opens from disk."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal, Protocol

Verdict = Literal["agrees", "differs", "undecided"]

STYLE = """
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif;
  color: #1a1a1a; background: #fff; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { border: 1px solid #bbb; padding: 0.25rem 0.6rem; text-align: left;
  vertical-align: top; font-variant-numeric: tabular-nums; }
th { background: #eee; }
img { max-width: 100%; }
"""


class Block(Protocol):
    """A part of a page, which can be written in both ways."""

    def markdown(self) -> str:
        """Write it as Markdown."""

    def html(self) -> str:
        """Write it as HTML."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a section."""

    text: str

    def markdown(self) -> str:
        """Write it as Markdown."""
        return f"## {self.text}"

    def html(self) -> str:
        """Write it as HTML."""
        return f"<h2>{escape(self.text)}</h2>"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences."""

    text: str

    def markdown(self) -> str:
        """Write it as Markdown."""
        return self.text

    def html(self) -> str:
        """Write it as HTML."""
        return f"<p>{escape(self.text)}</p>"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a head."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> str:
        """Write it as Markdown."""
        lines = [self.head, ["---"] * len(self.head), *self.rows]
        cells = [[cell.replace("|", "\\|") for cell in line] for line in lines]
        return "\n".join(f"| {' | '.join(line)} |" for line in cells)

    def html(self) -> str:
        """Write it as HTML."""
        head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in self.head)
        rows = (
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self.rows
        )
        body = "\n".join(rows)
        return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture beside the page: the file's name, and what it shows in words."""

    file: str
    words: str

    def markdown(self) -> str:
        """Write it as Markdown."""
        return f"![{self.words}]({self.file})"

    def html(self) -> str:
        """Write it as HTML."""
        return f'<p><img src="{escape(self.file)}" alt="{escape(self.words)}"></p>'


@dataclass(frozen=True, slots=True)
class Finding:
    """What the paper says, what the rows here say, and whether that agrees."""

    paper: str
    ours: str
    verdict: Verdict


def findings_table(findings: Sequence[Finding]) -> Table:
    """Set theirs and ours side by side."""
    rows = [(finding.paper, finding.ours, finding.verdict) for finding in findings]
    return Table(("the paper", "here", ""), rows)


@dataclass(frozen=True, slots=True)
class Page:
    """A title and the blocks under it."""

    title: str
    blocks: Sequence[Block]

    def markdown(self) -> str:
        """Write the page as Markdown."""
        return "\n\n".join([f"# {self.title}", *(block.markdown() for block in self.blocks)]) + "\n"

    def html(self) -> str:
        """Write the page as HTML that needs nothing but the pictures beside it."""
        body = "\n".join(block.html() for block in self.blocks)
        title = escape(self.title)
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
            f"<h1>{title}</h1>\n{body}\n</body>\n</html>\n"
        )
