"""What comes with the package: manual page, completion, citation, extras."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from typer.main import get_command

import minewright
from minewright.cli import app

ROOT = Path(__file__).parents[1]


def test_the_manual_page_has_every_command() -> None:
    page = (ROOT / "docs" / "minewright.1").read_text(encoding="utf-8")
    listed = re.findall(r"^\.SS minewright (\w+)", page, re.MULTILINE)
    commands = set(getattr(get_command(app), "commands", {}))
    assert commands
    assert commands <= set(listed), "run: python scripts/manpage.py"


def test_the_shell_completes_commands() -> None:
    asked = {"_MINEWRIGHT_COMPLETE": "complete_bash", "COMP_WORDS": "minewright conv"}
    run = subprocess.run(
        [Path(sys.executable).with_name("minewright")],
        env=os.environ | asked | {"COMP_CWORD": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == ["convert"]


def test_the_citation_names_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {minewright.__version__}\n" in citation


def test_the_installation_page_names_every_extra() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    told = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    for extra in settings["project"]["optional-dependencies"]:
        assert f"`{extra}`" in told


def test_a_container_gets_nothing_that_git_ignores() -> None:
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    left_out = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for name in ignored:
        plain = name.strip("/")
        assert plain in left_out or f"**/{plain}" in left_out, f"add {plain} to .dockerignore"
