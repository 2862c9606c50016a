"""The script and the style sheet of a page, each in one file, joined from those of its rooms."""

import gzip
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from fastapi import Request
from fastapi.responses import Response

from minewright.web.server.bundle import bundle

_TYPES: Final = {"js": "text/javascript", "js.map": "application/json", "css": "text/css"}


class Part(NamedTuple):
    """A file that is sent as it is, or compressed to clients that can unpack it."""

    body: bytes
    packed: bytes
    tag: str
    media_type: str

    def answer(self, request: Request) -> Response:
        """Return the file, or say that the browser has it already."""
        headers = {"ETag": self.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self.body, headers=headers, media_type=self.media_type)
        headers["Content-Encoding"] = "gzip"
        return Response(self.packed, headers=headers, media_type=self.media_type)


class Parts:
    """The joined files of a page by kind, made again when a file they come from has changed."""

    def __init__(self, static: Path, room: str, sheets: tuple[str, ...]) -> None:
        self._static = static
        self._room = room
        self._sheets = [static / "css" / f"{sheet}.css" for sheet in (*sheets, f"{room}/page")]
        self._times: dict[Path, int] = {}
        self._made: dict[str, Part] = {}

    def made(self) -> dict[str, Part]:
        """Return the files: `js`, `js.map` and `css`."""
        if not self._made or any(_changed(path) != time for path, time in self._times.items()):
            self._make()
        return self._made

    def _make(self) -> None:
        scripts = self._static / "js"
        joined = bundle(scripts, f"{self._room}/page.js", "/static/js")
        files = [*self._sheets, *(scripts / name for name in joined.modules)]
        self._times = {path: _changed(path) for path in files}
        texts = {
            "js": f"{joined.script}//# sourceMappingURL={self._room}.js.map\n",
            "js.map": joined.map,
            "css": "\n".join(path.read_text(encoding="utf-8") for path in self._sheets),
        }
        self._made = {kind: _part(text, kind) for kind, text in texts.items()}


def _changed(path: Path) -> int:
    """Return when a file was changed; 0 if it is gone, so that the page is joined without it."""
    return path.stat().st_mtime_ns if path.exists() else 0


def _part(text: str, kind: str) -> Part:
    body = text.encode()
    return Part(
        body, gzip.compress(body, mtime=0), f'W/"{sha256(body).hexdigest()[:16]}"', _TYPES[kind]
    )
