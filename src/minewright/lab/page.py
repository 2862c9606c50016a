"""A page: the same content as Markdown and as HTML that opens from disk."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol

STYLE = """
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --line: #bbb; --head: #eee;
  --link: #0b57a4; --agrees: #1b7a3d; --differs: #a84300; --undecided: #666; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e4e4; --paper: #17191c; --line: #4a4d52;
  --head: #26292d; --link: #7db8f0; --agrees: #69c98a; --differs: #f0a060; --undecided: #a8a8a8; } }
body { max-width: 80rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif;
  color: var(--ink); background: var(--paper); }
p { max-width: 60rem; }
a { color: var(--link); }
code { white-space: nowrap; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: 0.25rem 0.6rem; text-align: left;
  vertical-align: top; font-variant-numeric: tabular-nums; }
th { background: var(--head); }
.figure, .name { white-space: nowrap; }
.figure { text-align: right; }
th.figure { white-space: normal; }
img { max-width: 100%; background: #fff; border-radius: 0.4rem; }
.agrees, .differs, .undecided, .not-testable { font-weight: 600; }
.agrees { color: var(--agrees); } .differs { color: var(--differs); }
.undecided, .not-testable { color: var(--undecided); }
.small { font-size: 0.85em; }
.beside { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 1.5rem;
  align-items: start; }
.beside table { margin-top: 0; }
.beside > :first-child { position: sticky; top: 1rem; }
@media (max-width: 50rem) { .beside { display: block; }
  .beside > :first-child { position: static; } }
"""


class Block(Protocol):
    """A part of a page that can be written in both formats."""

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


_NAME = 40
"""The longest text that is kept on one line."""
# A number, its unit and its interval: 1,000; +0.5 points (-1.0 to +2.0); 0.1 ± 0.2; 1 to 2.
_FIGURE = re.compile(
    r"(< )?[-+]?[\d.,]+(e[-+]?\d+)?( ?(%|points|ms|s))?( (±|to) [-+\d.,%]+| \([^()]+\))?"
)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a header; columns of figures are aligned to the right."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def _figures(self) -> list[bool]:
        """Return which columns hold figures, with words only where a figure is missing."""
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(self.head)
        seen = ([cell for cell in column if any(map(str.isdigit, cell))] for column in columns)
        return [bool(cells) and all(map(_FIGURE.fullmatch, cells)) for cells in seen]

    def _kinds(self) -> list[str]:
        """Return how each column is set: as figures, as names, or as sentences."""
        longest = [max(map(len, column), default=0) for column in zip(*self.rows, strict=True)]
        return [
            "figure" if own else "name" if length <= _NAME else ""
            for own, length in zip(self._figures(), longest or [0] * len(self.head), strict=True)
        ]

    def markdown(self) -> str:
        """Write it as Markdown."""
        lines = [self.head, ["---:" if own else "---" for own in self._figures()], *self.rows]
        cells = [[cell.replace("|", "\\|") for cell in line] for line in lines]
        return "\n".join(f"| {' | '.join(line)} |" for line in cells)

    def html(self) -> str:
        """Write it as HTML."""
        kinds = [f' class="{kind}"' if kind else "" for kind in self._kinds()]
        head = "".join(
            f'<th scope="col"{kind}>{escape(cell)}</th>'
            for kind, cell in zip(kinds, self.head, strict=True)
        )
        rows = (
            "<tr>"
            + "".join(
                f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, row, strict=True)
            )
            + "</tr>"
            for row in self.rows
        )
        body = "\n".join(rows)
        return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture beside the page: its file, and what it shows in words."""

    file: str
    words: str

    def markdown(self) -> str:
        """Write it as Markdown."""
        return f"![{self.words}]({self.file})"

    def html(self) -> str:
        """Write it as HTML."""
        file, words = escape(self.file), escape(self.words)
        return f'<p><a href="{file}"><img src="{file}" alt="{words}"></a></p>'


@dataclass(frozen=True, slots=True)
class Page:
    """A title and the blocks under it."""

    title: str
    blocks: Sequence[Block]

    @property
    def figure(self) -> Figure | None:
        """The first figure."""
        return next((block for block in self.blocks if isinstance(block, Figure)), None)

    def markdown(self) -> str:
        """Write the page as Markdown."""
        return "\n\n".join([f"# {self.title}", *(block.markdown() for block in self.blocks)]) + "\n"

    def html(self, above: str = "") -> str:
        """Write the page as HTML that needs nothing but the pictures beside it.

        `above` is the address of the page to go back to, if there is one.
        """
        back = f'<p><a href="{escape(above)}">All reproductions</a></p>\n' if above else ""
        return document(self.title, back + "\n".join(block.html() for block in self.blocks))


def document(title: str, body: str) -> str:
    """Write a whole HTML document."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<h1>{escape(title)}</h1>\n{body}\n</body>\n</html>\n"
    )
