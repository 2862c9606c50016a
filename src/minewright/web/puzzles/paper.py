"""Puzzles on paper: a sheet as PDF, the puzzle or its worked solution as SVG."""

from datetime import date
from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Query, Request, Response

from minewright.bullets.printed import BookError, Paper
from minewright.bullets.sheet import Sheet
from minewright.messages import write_sides
from minewright.render.printing import sheet_pdf
from minewright.render.steps import puzzle_svg, solution_svg
from minewright.web.puzzles.codes import CodeAsked
from minewright.web.puzzles.views import opened, worked
from minewright.web.server.bounds import Queued
from minewright.web.server.refusals import PROBLEMS

router = APIRouter(prefix="/api/bullets", tags=["bullets"], responses=PROBLEMS)


@router.get("/svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
def svg(
    request: Request,
    code: CodeAsked,
    _: Queued,
    what: Annotated[Literal["puzzle", "solution"], Query()] = "puzzle",
) -> Response:
    """Return a puzzle as SVG, or its worked solution as a strip."""
    drawn = (
        puzzle_svg(opened(request, code))
        if what == "puzzle"
        else solution_svg(worked(request, code))
    )
    return _file(drawn.encode(), "image/svg+xml", f"bullets-{what}.svg")


@router.get("/pdf", response_class=Response, responses={200: {"content": {"application/pdf": {}}}})
def pdf(
    request: Request,
    code: CodeAsked,
    _: Queued,
    paper: Annotated[Paper, Query()] = "a4",
    day: Annotated[
        date | None,
        Query(alias="date", description="The day of a daily puzzle, printed below the title."),
    ] = None,
) -> Response:
    """Return a puzzle on one sheet: the rules, the puzzle, and its solution upside down."""
    puzzle = opened(request, code)
    try:
        drawn = sheet_pdf(Sheet.of(puzzle, day=day), paper)
    except BookError as error:
        raise HTTPException(503, str(error)) from None
    name = write_sides(puzzle.topology.shape) if day is None else day.isoformat()
    return _file(drawn, "application/pdf", f"bullets-{name}.pdf")


def _file(content: bytes, kind: str, name: str) -> Response:
    return Response(
        content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
