"""Studies: the claims that one body of games or puzzles decides, judged and drawn by one engine."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import version
from pathlib import Path
from platform import machine, python_version, system
from typing import Generic, Never, Protocol, TypeVar

from minewright.documents import looks
from minewright.documents.claims import ONE_RULE, Claim, Finding, judge
from minewright.documents.site import INDEX, Findings, main_findings, other_readings
from minewright.documents.work import Request, keep
from minewright.lab.page import Block, Figure, Heading, Page, Paragraph


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a reproduction: the findings, and the page with its plots and tables."""

    page: Path
    findings: tuple[Finding, ...]
    figure: Figure | None = None
    """The picture that stands for it on the page of all reproductions."""


class Reproduction(Protocol):
    """Something published that can be run again by its name."""

    @property
    def name(self) -> str:
        """The name on the command line."""

    @property
    def title(self) -> str:
        """What it is."""

    @property
    def paper(self) -> str:
        """The document it is from."""

    def run(self, request: Request, before: Sequence[Finding] = ()) -> Outcome:
        """Run it, or continue it, and write its page; `before` is what an earlier look found."""

    def table(self) -> Sequence[Claim[Never]]:
        """Return its claims."""


D = TypeVar("D")


@dataclass(frozen=True)
class Picture(Generic[D]):
    """A plot: its file without the ending, what it shows, and how it is drawn at a path."""

    file: str
    words: str
    draw: Callable[[D, Path], None]

    @property
    def figure(self) -> Figure:
        """The picture as a part of a page."""
        return Figure(f"{self.file}.svg", self.words)


def _no_blocks(_: D) -> Sequence[Block]:
    return ()


@dataclass(frozen=True)
class Study(Generic[D]):
    """A reproduction: what is played or made once, and the table of claims it decides."""

    name: str
    title: str
    paper: str
    heading: str
    about: Callable[[Request], Sequence[str]]
    """What was done, paragraph by paragraph."""
    measure: Callable[[Request], D]
    """Play the games or make the puzzles, or continue."""
    claims: Sequence[Claim[D]]
    pictures: Sequence[Picture[D]]
    tables: Callable[[D], Mapping[str, str]]
    """Return the files of figures to keep beside the page, by name."""
    more: Callable[[D], Sequence[Block]] = field(default=_no_blocks)
    """Return what follows the claims: tables, and why theirs and ours differ."""

    def table(self) -> Sequence[Claim[D]]:
        """Return the claims."""
        return self.claims

    def run(self, request: Request, before: Sequence[Finding] = ()) -> Outcome:
        """Measure, judge every claim, draw the pictures and write the page."""
        data = self.measure(request)
        findings = tuple(judge(claim, data, request.look) for claim in self.claims)
        if before:
            findings = looks.first_decisions(before, findings)
        directory = request.out / self.name
        directory.mkdir(parents=True, exist_ok=True)
        for picture in self.pictures:
            picture.draw(data, directory / picture.file)
        for name, content in self.tables(data).items():
            keep(directory / name, content)
        figures = [picture.figure for picture in self.pictures]
        page = Page(
            self.heading,
            [
                *map(Paragraph, self.about(request)),
                *figures,
                *_judged(main_findings(findings)),
                Paragraph(ONE_RULE),
                *looks.told(findings, request.look),
                *_changes(findings),
                *other_readings(findings),
                *self.more(data),
            ],
        )
        return Outcome(
            write_page(directory, page, request), findings, figures[0] if figures else None
        )


def _judged(findings: Sequence[Finding]) -> list[Block]:
    """Show the findings, if there are any under the reading that counts."""
    return [Heading("Theirs and ours"), Findings(findings)] if findings else []


def _changes(findings: Sequence[Finding]) -> list[Block]:
    """Say which rules were changed after results had been seen."""
    seen = dict.fromkeys(one.changed for one in findings if one.changed)
    if not seen:
        return []
    return [
        Heading("Rules that were changed after results had been seen"),
        *map(Paragraph, seen),
    ]


def made() -> str:
    """Say when, with what and on what a page is made."""
    return (
        f"{date.today().isoformat()}, Minewright {version('minewright')}, Python "
        f"{python_version()}, {system()} {machine()}, {os.cpu_count()} cores"
    )


def write_page(directory: Path, page: Page, request: Request) -> Path:
    """Write a page as Markdown and as HTML, which links to the page of all; return the latter.

    Both end with what made them.
    """
    command = f"minewright reproduce {directory.name} --scale {request.scale} --seed {request.seed}"
    command += " --decide" if request.look else ""
    page = Page(page.title, [*page.blocks, Paragraph(f"{command}: {made()}.")])
    keep(directory / "page.md", page.markdown())
    keep(directory / INDEX, page.html(above=f"../{INDEX}"))
    return directory / INDEX
