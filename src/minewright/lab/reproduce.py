"""The reproductions: published tables and figures, each a name that can be run again."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final, Literal

from minewright.lab.page import Finding
from minewright.lab.store import Progress

Scale = Literal["quick", "paper"]
"""A look in less than two minutes; or the published size."""

MODULES: Final = ("minewright.lab.bullets",)
"""Where reproductions are registered."""


class ReproductionError(ValueError):
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
    """Give all reproductions by their names."""
    for module in MODULES:
        import_module(module)
    return dict(_known)


def get(name: str) -> Reproduction:
    """Give the reproduction of this name; ReproductionError names those there are."""
    known = reproductions()
    if name not in known:
        raise ReproductionError(f"no reproduction is called {name!r}; there are {', '.join(known)}")
    return known[name]
