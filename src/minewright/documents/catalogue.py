"""The catalogue: every reproduction by name, and how one is run."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Final

from minewright.documents import looks
from minewright.documents.claims import Finding
from minewright.documents.site import Listing, write_index
from minewright.documents.study import Outcome, Reproduction, made
from minewright.documents.work import FAILURES, ReproductionError, Request

MODULES: Final = (
    "minewright.documents.bullets.samples",
    "minewright.documents.bullets.density",
    "minewright.documents.max_minesweeper.methods",
    "minewright.documents.max_minesweeper.levels",
    "minewright.documents.phase.density",
    "minewright.documents.oz.tables",
    "minewright.documents.minebot.expert",
    "minewright.documents.minebot.density",
    "minewright.documents.minebot.shape",
    "minewright.documents.minebot.trials",
    "minewright.documents.minebot.algorithms",
    "minewright.documents.minebot.readings",
    "minewright.documents.minebot.further",
    "minewright.documents.final_report.winrate",
    "minewright.documents.final_report.cleared",
    "minewright.documents.final_report.time",
    "minewright.documents.final_report.firstmove",
    "minewright.documents.final_report.simpler",
    "minewright.documents.final_report.larger",
)
"""Modules of this room, each with a STUDY, in the order they are listed."""


def reproductions() -> dict[str, Reproduction]:
    """Return all reproductions by name, in the order of their modules."""
    try:
        found: list[Reproduction] = [import_module(module).STUDY for module in MODULES]
    except ModuleNotFoundError as error:
        raise ReproductionError(
            f"reproductions need {error.name}, which is not installed; "
            "pip install 'minewright[lab]'"
        ) from None
    return {one.name: one for one in found}


def run(reproduction: Reproduction, request: Request) -> Outcome:
    """Run a reproduction, or continue it, and bring the page of all of them up to date.

    If the request is for the first of several looks, look again with more games while they may
    decide a claim. Pages are written after each look, so a run that is stopped between two looks
    has those of the last one.
    """
    outcome = _look(reproduction, request)
    while request.look and looks.another(request.look, outcome.findings):
        request = replace(request, look=request.look + 1)
        outcome = _look(reproduction, request, outcome.findings)
    return outcome


def _look(reproduction: Reproduction, request: Request, before: Sequence[Finding] = ()) -> Outcome:
    try:
        outcome = reproduction.run(request, before)
    except FAILURES as error:
        raise ReproductionError(str(error)) from None
    size = f"Scale {request.scale}, seed {request.seed}."
    about = reproduction.name, reproduction.title, reproduction.paper
    Listing(*about, size, outcome.findings, outcome.figure, request.scale, made()).keep(request.out)
    write_index(request.out, entries())
    return outcome


def entries() -> list[Listing]:
    """Return what the overview shows of each reproduction before it is run."""
    return [Listing(one.name, one.title, one.paper) for one in reproductions().values()]


MINUTES: Final = {
    "minebot-algorithms": 1,
    "report-simpler": 4,
    "oz-tables": 4,
    "report-larger": 4,
    "max-levels": 5,
    "minebot-expert": 5,
    "minebot-further": 5,
    "minebot-trials": 5,
    "report-firstmove": 5,
    "phase": 8,
    "minebot-density": 9,
    "minebot-shape": 9,
    "report-winrate": 11,
    "report-cleared": 11,
    "report-time": 12,
    "max-methods": 12,
    "minebot-readings": 17,
    "bullets-density": 25,
    "bullets-samples": 34,
}
"""About how many minutes of processor time each takes at scale paper.

Reproductions that share their games are each given the time of all of them: `minebot-density` and
`minebot-shape`, and the three tables of the report.
"""


def cheapest_first(known: Iterable[Reproduction]) -> list[Reproduction]:
    """Return reproductions in the order of their cost, so that a run cut short has most of them."""
    return sorted(known, key=lambda one: MINUTES.get(one.name, 0))
