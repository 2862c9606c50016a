"""What the documentation site needs beyond docs/: pages from elsewhere, and links that stay inside.

mkdocs calls these functions (see mkdocs.yml).
"""

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "benchmarks.md": "benchmarks/README.md",
}
"""Pages of the site, and the files of the repository that they show."""
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that live elsewhere in the repository."""
    for page, path in PAGES.items():
        text = (ROOT / path).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=_inside(text, Path(path).parent)))
    return files


def on_page_markdown(markdown: str, page: object, **_: object) -> str:
    """Turn links that leave docs/ into links to the pages above, or into plain text."""
    source = Path(str(getattr(getattr(page, "file", None), "src_uri", "")))
    if source.as_posix() in PAGES:
        return markdown
    return _inside(markdown, Path("docs") / source.parent)


def _inside(text: str, folder: Path) -> str:
    """Return Markdown in which every link leads to a page of the site, or is plain text."""

    def change(link: re.Match[str]) -> str:
        picture, words, target = link.groups()
        path, _, anchor = target.partition("#")
        if not path or "://" in path or path.startswith("mailto:"):
            return link[0]
        whole = _normal(folder / path)
        if whole in PAGES.values():
            name = next(page for page, source in PAGES.items() if source == whole)
            return f"{picture}[{words}]({_relative(folder, name)}{'#' + anchor if anchor else ''})"
        if whole.startswith("docs/"):
            name = whole.removeprefix("docs/")
            return f"{picture}[{words}]({_relative(folder, name)}{'#' + anchor if anchor else ''})"
        return words if not picture else ""

    return _LINK.sub(change, text)


def _normal(path: Path) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts:
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _relative(folder: Path, name: str) -> str:
    """Return the path from a page's folder to another page of the site."""
    here = folder.parts[1:] if folder.parts[:1] == ("docs",) else ()
    return "../" * len(here) + name
