"""The documents: their links lead somewhere, the notebooks run, the pictures are true."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import minewright as mw

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))
import algorithm_pictures
import notebooks

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [
    *sorted(DOCS.rglob("*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
    # Without those of pytest's cache, which exists from the second run on.
    *sorted(ROOT.glob("[!.]*/README.md")),
]
_LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def links(page: Path) -> Iterator[tuple[Path, str]]:
    """Yield where each link of a page inside the repository leads: the file, and the heading."""
    text = re.sub(r"`[^`\n]*`", "", _FENCE.sub("", page.read_text(encoding="utf-8")))
    for first, second in _LINK.findall(text):
        target = first or second
        path, _, anchor = target.partition("#")
        if "://" not in target and not target.startswith("mailto:"):
            yield (page.parent / path).resolve() if path else page, anchor


def anchors(page: Path) -> set[str]:
    """Return the names of a page's headings, as sites make them."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    heads = re.findall(r"^#+\s+(.+)$", text, re.MULTILINE)
    plain = (re.sub(r"[^\w\s-]", "", head.replace("`", "").lower()).strip() for head in heads)
    named = re.findall(r"(?:id|name)=\"([^\"]+)\"", text)
    return {re.sub(r"\s", "-", head) for head in plain} | set(named)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, anchor in links(page):
        assert target.exists(), f"{target} is not there"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{target.name} has no heading #{anchor}"


def test_every_page_is_listed() -> None:
    listed = (DOCS / "README.md").read_text(encoding="utf-8")
    for page in DOCS.glob("*.md"):
        if page.name != "README.md":
            assert f"]({page.name})" in listed, f"list {page.name} in docs/README.md"


@pytest.mark.parametrize("path", sorted((DOCS / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_a_notebook_runs_and_holds_no_output(path: Path) -> None:
    ran = notebooks.run(path)
    assert any("<svg" in shown for _, _, shown in ran)
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        assert not cell.get("outputs")


def test_every_strategy_has_a_row_in_the_tables_of_figures() -> None:
    # In this process other tests may have registered some of their own.
    command = [sys.executable, "-m", "minewright", "strategies", "--json"]
    told = subprocess.run(command, capture_output=True, check=True).stdout
    names = [one["name"] for one in json.loads(told)["strategies"]]
    page = (DOCS / "strategies.md").read_text("utf-8")
    for heading in ("certain cells", "games/s"):
        table = page.partition(f"| strategy | {heading} |")[2].partition("\n\n")[0]
        assert re.findall(r"^\| `(.+?)`", table, re.MULTILINE) == names


def test_the_pictures_of_the_algorithms_are_counted_right() -> None:
    position = mw.Position.parse(algorithm_pictures.TEXT)
    assert mw.analyze(position).solutions == 1484
    for name, picture in algorithm_pictures.pictures().items():
        stored = (DOCS / "images" / name).read_text(encoding="utf-8")
        assert stored == picture, "run: python scripts/algorithm_pictures.py"
    numbers = ("480", "810", "192", "2")
    assert all(f">{n}</text>" in algorithm_pictures.pictures()["merge.svg"] for n in numbers)
