"""The rooms of the web app: which may use which, in Python and in the browser."""

import ast
import posixpath
import re
from pathlib import Path

import pytest

WEB = Path(__file__).parents[1] / "src" / "minewright" / "web"
SCRIPTS = WEB / "static" / "js"
PAGES = ("analyse", "drills", "lab", "play", "profile", "puzzles", "review", "watch")

USES = {
    # People's data knows nothing of the server or of any page.
    "people": set(),
    # The server knows people, since its guard recognises them, but no page: `app.py` adds the
    # pages.
    "server": {"people"},
    "shared": {"server"},
    "play": {"people", "server", "shared"},
    "analyse": {"server", "shared"},
    # A review is of a game that was played, so it finds the game as Play does.
    "review": {"people", "play", "server", "shared"},
    # Drills are made from what a review has found.
    "drills": {"people", "play", "review", "server", "shared"},
    "profile": {"people", "server", "shared"},
    "watch": {"server", "shared"},
    "puzzles": {"people", "server", "shared"},
    "lab": {"server", "shared"},
}
"""The other rooms that a room may import from. No page imports a page, except the two above."""

SCRIPT_USES = {
    # The board uses the page's elements, and what pages share writes chances as the board does.
    "board": {"shared"},
    "shared": {"board"},
    "reference": {"shared"},
    **{page: {"board", "shared"} for page in PAGES},
}


def imported(module: Path) -> set[str]:
    """Return the rooms that a module imports from, lazily or for types too."""
    names: list[str] = []
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    parts = [name.split(".") for name in names if name.startswith("minewright.web.")]
    return {part[2] for part in parts}


def scripts_imported(script: Path) -> set[str]:
    """Return the rooms that a script imports from."""
    here = script.parent.relative_to(SCRIPTS).as_posix()
    names = re.findall(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""", script.read_text("utf-8"))
    return {posixpath.normpath(posixpath.join(here, name)).split("/")[0] for name in names}


@pytest.mark.parametrize("room", sorted(USES))
def test_a_room_uses_only_the_rooms_it_may(room: str) -> None:
    for module in (WEB / room).rglob("*.py"):
        wrong = imported(module) - USES[room] - {room}
        assert not wrong, f"{module.relative_to(WEB)} imports from {sorted(wrong)}"


@pytest.mark.parametrize("room", sorted(SCRIPT_USES))
def test_a_script_uses_only_the_rooms_it_may(room: str) -> None:
    for script in (SCRIPTS / room).rglob("*.js"):
        wrong = scripts_imported(script) - SCRIPT_USES[room] - {room}
        assert not wrong, f"{script.relative_to(SCRIPTS)} imports from {sorted(wrong)}"


def test_every_file_is_in_a_room_and_every_page_is_found_by_its_name() -> None:
    assert {path.name for path in WEB.glob("*.py")} == {"__init__.py", "app.py"}
    rooms = {path.parent.name for path in WEB.glob("*/*.py")}
    assert rooms == set(USES)
    scripts = {path.relative_to(SCRIPTS).parts[0] for path in SCRIPTS.rglob("*.js")}
    assert scripts == set(SCRIPT_USES)
    for page in PAGES:
        assert (WEB / page / "routes.py").is_file()
        assert (SCRIPTS / page / "page.js").is_file()
        assert (WEB / "static" / "css" / page / "page.css").is_file()
