"""Data of released versions: it is read with all it holds, or refused in one line."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from web_client import Web

from minewright.cli import main
from minewright.web.people.database import FILE
from minewright.web.people.schema import VERSION
from minewright.web.people.store import Store

RELEASES = sorted((Path(__file__).parent / "upgrade").iterdir())
"""A folder per release: its database, and what it answered to one of its players."""


def still_said(old: Any, new: Any) -> bool:
    """Return True if the new answer says all that the old one said."""
    if isinstance(old, dict):
        return all(key in new and still_said(value, new[key]) for key, value in old.items())
    if isinstance(old, list):
        return len(old) == len(new) and all(map(still_said, old, new))
    return bool(old == new)


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name)
def test_a_database_of_a_release_opens_with_its_games_puzzles_and_statistics(
    release: Path, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.executescript((release / "minewright.sql").read_text(encoding="utf-8"))
    told = json.loads((release / "answers.json").read_text(encoding="utf-8"))
    with Web(tmp_path) as web:
        anna = web.browser()
        for path, answer in told["answers"].items():
            found = anna.send("GET", f"/api{path}", headers={"Cookie": told["cookie"]}).json()
            assert still_said(answer, found), path
        # The game that was running goes on.
        running = anna.send(
            "POST",
            f"/api/games/{told['running']}/moves",
            headers={"Cookie": told["cookie"]},
            json={"kind": "mark", "cell": 1},
        )
        assert running.json()["moves"] == 3


def test_a_database_of_a_later_version_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Store(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    assert main(["serve", "--port", "0", "--data", str(tmp_path)]) == 2
    out, told = capsys.readouterr()
    assert (out, told.count("\n")) == ("", 1)
    assert "a later version of Minewright wrote it" in told
    assert "damaged" not in told
