"""The reproductions: published tables and figures, each a name that can be run again."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Final, Literal

from minewright.documents.site import Entry, write_index
from minewright.lab.experiment import ExperimentError
from minewright.lab.page import Figure, Finding
from minewright.lab.plots import PlotError
from minewright.lab.store import Progress

Scale = Literal["quick", "paper"]
"""A look in less than a minute; or the published size, and larger where it is cheap."""

MODULES: Final = (
    "bullets.samples",
    "bullets.density",
    "max_minesweeper.tables",
    "phase",
    "oz.tables",
    "minebot.expert",
    "minebot.density",
    "minebot.shape",
    "final_report.winrate",
    "final_report.cleared",
    "final_report.time",
    "final_report.firstmove",
)
"""Modules of `documents` that register reproductions, in the order they are listed."""


class ReproductionError(MinewrightError, ValueError):
    """A reproduction that does not exist or cannot run, in one line."""


@dataclass(frozen=True, slots=True)
class Request:
    """How to run a reproduction, and in which directory its own is made."""

    scale: Scale
    out: Path
    progress: Progress
    seed: int = 0
    workers: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: the findings, and the page that shows them with plots and tables."""

    page: Path
    findings: tuple[Finding, ...]
    figure: Figure | None = None
    """The one to show where all reproductions are shown."""


Run = Callable[[Request], Outcome]


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A published table or figure, and what runs it again."""

    name: str
    title: str
    paper: str
    run: Run


_known: dict[str, Reproduction] = {}


def register(name: str, title: str, paper: str) -> Callable[[Run], Run]:
    """Add the decorated function to the reproductions."""

    def add(run: Run) -> Run:
        _known[name] = Reproduction(name, title, paper, run)
        return run

    return add


def reproductions() -> dict[str, Reproduction]:
    """Give all reproductions by their names, in the order of their modules."""
    try:
        places = {
            import_module(f"minewright.documents.{module}").__name__: at
            for at, module in enumerate(MODULES)
        }
    except ModuleNotFoundError as error:
        raise ReproductionError(
            f"reproductions need {error.name}, which is not installed; "
            "pip install 'minewright[lab]'"
        ) from None
    ordered = sorted(_known.values(), key=lambda one: places.get(one.run.__module__, len(places)))
    return {one.name: one for one in ordered}


def get(name: str) -> Reproduction:
    """Give the reproduction of this name; ReproductionError names those there are."""
    known = reproductions()
    if name not in known:
        raise ReproductionError(f"no reproduction is called {name!r}; there are {', '.join(known)}")
    return known[name]


def run(reproduction: Reproduction, request: Request) -> Outcome:
    """Run a reproduction, or go on with it, and bring the page of all up to date."""
    try:
        outcome = reproduction.run(request)
    except (ExperimentError, PlotError) as error:
        raise ReproductionError(str(error)) from None
    size = f"Scale {request.scale}, seed {request.seed}."
    entry = replace(
        _entry(reproduction), size=size, findings=outcome.findings, figure=outcome.figure
    )
    entry.keep(request.out)
    write_index(request.out, [_entry(one) for one in reproductions().values()])
    return outcome


def _entry(reproduction: Reproduction) -> Entry:
    return Entry(reproduction.name, reproduction.title, reproduction.paper)
