"""The pages and their files."""

import json
import os
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from string import Template
from typing import Final, NamedTuple

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.types import Scope

from minewright.web.server import reference
from minewright.web.server.guard import READING
from minewright.web.server.parts import Parts

STATIC: Final = Path(__file__).parents[1] / "static"
# A page comes with a cookie, so no shared cache may keep it.
OWN: Final = {"Cache-Control": "private, no-cache"}
SHEETS: Final = tuple(
    f"shared/{name}"
    for name in ("tokens", "elements", "header", "controls", "layout", "dialogs", "base")
)
"""The style sheets of every page, in order."""
BOARD: Final = tuple(f"board/{name}" for name in ("board", "tints", "over", "looks", "touch"))
"""The style sheets of pages with a board, in order."""
TEMPLATE: Final = Template((STATIC / "page.html").read_text(encoding="utf-8"))


class Page(NamedTuple):
    """What sets one page apart: its room below `js` and `css`, its words, its extra sheets."""

    room: str
    title: str
    description: str
    sheets: tuple[str, ...] = ()

    def write(self, main: str = "") -> str:
        """Return the page as HTML; most pages are filled by their script."""
        return TEMPLATE.substitute(
            title=self.title,
            description=self.description,
            room=self.room,
            main=main,
        )


PAGES: Final = {
    "/": Page(
        "play",
        "Play",
        "Minesweeper with an assistant that says what is safe, and why.",
        (
            *BOARD,
            "shared/numbers",
            "play/statistics",
            "play/days",
            "play/stage",
            "play/assistant",
            "play/newgame",
        ),
    ),
    "/analyse": Page(
        "analyse",
        "Analyse",
        "Draw or paste a Minesweeper position and see what is certain, every chance, and why.",
        (*BOARD, "shared/numbers"),
    ),
    "/watch": Page(
        "watch",
        "Watch",
        "Every published Minesweeper strategy at play, turn by turn, with its reasons.",
        BOARD,
    ),
    "/bullets": Page(
        "puzzles",
        "Bullets",
        "Bullets, a paper-and-pencil puzzle: new every day, made to order, explained, printable.",
        ("puzzles/pencil", "puzzles/side", "puzzles/worked", "puzzles/print"),
    ),
    "/lab": Page(
        "lab", "Lab", "Experiments with Minesweeper strategies, live: progress, tables, plots."
    ),
    "/review": Page(
        "review",
        "Review",
        "A finished game of Minesweeper, move by move: risks taken, safe moves missed, luck.",
        BOARD,
    ),
    "/drills": Page(
        "drills",
        "Drills",
        "Train the patterns of Minesweeper: the steps you missed, and those that games need most.",
        ("drills/form",),
    ),
    "/profile": Page(
        "profile",
        "Profile",
        "What your games of Minesweeper say about you: speed, efficiency, risks and luck.",
    ),
}
REFERENCE: Final = Page(
    "reference", "API", "How programs use Minewright: every operation of the API."
)
MISSING: Final = Page("reference", "Nothing here", "There is no page at this address.").write(
    (STATIC / "missing.html").read_text(encoding="utf-8")
)


def _answer(page: Page) -> Callable[[], HTMLResponse]:
    written = page.write()
    return lambda: HTMLResponse(written, headers=OWN)


router = APIRouter(include_in_schema=False)
for path, page in PAGES.items():
    router.api_route(path, methods=list(READING))(_answer(page))


@router.api_route("/api", methods=list(READING))
def api(request: Request) -> HTMLResponse:
    """Return the API reference for people."""
    return HTMLResponse(REFERENCE.write(reference.page(request.app)), headers=OWN)


@router.get("/favicon.ico")
def icon() -> FileResponse:
    """Return the icon from where browsers look for it."""
    return FileResponse(STATIC / "img" / "icon.svg", headers=OWN)


@router.get("/manifest.webmanifest")
def manifest() -> FileResponse:
    """Return what a system needs to know to install the app."""
    path = STATIC / "manifest.webmanifest"
    return FileResponse(path, media_type="application/manifest+json", headers=OWN)


PARTS: Final = {
    page.room: Parts(STATIC, page.room, (*SHEETS, *page.sheets))
    for page in (*PAGES.values(), REFERENCE)
}


@router.api_route("/static/pages/{name}", methods=list(READING))
def part(request: Request, name: str) -> Response:
    """Return the script of a page, its map or its style sheet."""
    room, _, kind = name.partition(".")
    parts = PARTS.get(room)
    made = parts and parts.made().get(kind)
    return made.answer(request) if made else HTMLResponse(MISSING, 404)


@cache
def _worker() -> str:
    images = (path for path in STATIC.rglob("*.*") if path.suffix in {".svg", ".png"})
    files = [f"/static/{path.relative_to(STATIC).as_posix()}" for path in images]
    files += ["/static/js/shared/theme.js"]
    files += [f"/static/pages/{room}.{kind}" for room in PARTS for kind in ("js", "css")]
    content = sha256()
    for path in sorted(STATIC.rglob("*.*")):
        content.update(path.name.encode() + path.read_bytes())
    return Template((STATIC / "worker.js").read_text(encoding="utf-8")).substitute(
        version=content.hexdigest()[:16], files=json.dumps([*PAGES, *sorted(files)])
    )


@router.get("/worker.js")
def worker() -> Response:
    """Return the service worker; it stands at the top, since it may serve only what is below it."""
    return Response(_worker(), media_type="text/javascript", headers=OWN)


class PageFiles(StaticFiles):
    """The files of the pages, kept in memory; a browser asks each time whether they have changed.

    Opening and reading a file takes twice as long as sending it.
    """

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory)
        self._kept: dict[str, tuple[int, bytes]] = {}

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Return a file that must be checked for changes before it is reused."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        if isinstance(response, FileResponse):
            del response.headers["accept-ranges"]
            body = self._content(os.fspath(full_path), stat_result.st_mtime_ns)
            response = Response(body, status_code, response.headers)
        response.headers.setdefault("Cache-Control", "no-cache")
        return response

    def _content(self, path: str, changed: int) -> bytes:
        kept = self._kept.get(path)
        if kept is None or kept[0] != changed:
            kept = self._kept[path] = changed, Path(path).read_bytes()
        return kept[1]


def add_files(app: FastAPI) -> None:
    """Add the files of the pages."""
    app.mount("/static", PageFiles(STATIC), name="static")
