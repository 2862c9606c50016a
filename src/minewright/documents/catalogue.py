"""The catalogue: every reproduction by name, and how one is run."""

from importlib import import_module
from typing import Final

from minewright.documents.site import Entry, write_index
from minewright.documents.study import Outcome, Reproduction
from minewright.documents.work import FAILURES, ReproductionError, Request

MODULES: Final = (
    "minewright.documents.bullets.samples",
    "minewright.documents.bullets.density",
    "minewright.documents.max_minesweeper.methods",
    "minewright.documents.max_minesweeper.levels",
    "minewright.documents.phase",
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
    """Run a reproduction, or continue it, and bring the page of all of them up to date."""
    try:
        outcome = reproduction.run(request)
    except FAILURES as error:
        raise ReproductionError(str(error)) from None
    size = f"Scale {request.scale}, seed {request.seed}."
    about = reproduction.name, reproduction.title, reproduction.paper
    Entry(*about, size, outcome.findings, outcome.figure).keep(request.out)
    known = [Entry(one.name, one.title, one.paper) for one in reproductions().values()]
    write_index(request.out, known)
    return outcome
