"""The pages and their files."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.types import Scope

from minewright.web import reference

STATIC: Final = Path(__file__).with_name("static")
PAGES: Final = {
    "/": "index.html",
    "/analyse": "analyse.html",
    "/watch": "watch.html",
    "/bullets": "bullets.html",
    "/lab": "lab.html",
    "/review": "review.html",
    "/favicon.ico": "img/icon.svg",
}
# A page brings a cookie along: it is for nobody else.
OWN: Final = {"Cache-Control": "private, no-cache"}


def _page(file: str) -> Callable[[], FileResponse]:
    return lambda: FileResponse(STATIC / file, headers=OWN)


router = APIRouter(include_in_schema=False)
for path, file in PAGES.items():
    router.get(path)(_page(file))


@router.get("/api")
def api(request: Request) -> HTMLResponse:
    """Describe the API to people."""
    return HTMLResponse(reference.page(request.app), headers=OWN)


class Files(StaticFiles):
    """The files of the pages; a browser asks each time whether they are still the same."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Answer with a file."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers.setdefault("Cache-Control", "no-cache")
        return response


def add_files(app: FastAPI) -> None:
    """Add the files of the pages."""
    app.mount("/static", Files(directory=STATIC), name="static")
