"""Files that an older version wrote: read as they were, or refused in one clear line."""

import json
import shutil
from pathlib import Path

import pytest

from minewright.cli import main
from minewright.formats.registry import read
from minewright.lab.files import StoreError
from minewright.lab.pieces import claim
from minewright.lab.run import Run, RunError
from minewright.work.executors import Here

OLD = Path(__file__).parent / "upgrade" / "0.1.0"
RUNS = ("complete", "incomplete", "duel", "python")


@pytest.fixture(autouse=True)
def newer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend to be another version than the one that wrote the files, whatever it is called."""
    monkeypatch.setattr("minewright.lab.run.own_version", lambda: "9.9.9")


def called(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """Call a command that succeeds; return what it prints."""
    assert main(list(map(str, arguments))) == 0
    return capsys.readouterr().out


def figures(text: str) -> object:
    """Read JSON without sentences, whose words may change from version to version.

    Means may differ in their last digits by the version of a library.
    """
    return json.loads(
        text,
        parse_float=lambda number: round(float(number), 9),
        object_hook=lambda data: {
            name: value for name, value in data.items() if name not in ("sentence", "why")
        },
    )


@pytest.mark.parametrize("name", RUNS)
def test_an_old_run_has_the_same_status_and_report(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = (OLD / "lab" / f"{name}.status.txt").read_text(encoding="utf-8")
    assert called(capsys, "lab", "status", OLD / "lab" / name) == status
    report = (OLD / "lab" / f"{name}.report.json").read_text(encoding="utf-8")
    assert figures(called(capsys, "lab", "report", OLD / "lab" / name, "--json")) == figures(report)


@pytest.mark.parametrize("name", RUNS)
def test_an_old_run_is_not_continued_in_one_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Path(shutil.copytree(OLD / "lab" / name, tmp_path / name))
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    with pytest.raises(RunError, match=r"was begun by version 0\.1\.0, this is 9\.9\.9"):
        Run.open(run).play(Here)
    assert main(["lab", "resume", str(run)]) == 2
    output, complaints = capsys.readouterr()
    assert (output, complaints.count("\n")) == ("", 1)
    assert "was begun by version 0.1.0" in complaints
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


def test_an_old_reproduction_is_not_continued_in_one_line() -> None:
    found = json.loads((OLD / "reproduce" / "run.json").read_bytes())["run"]
    claim(OLD / "reproduce", found)
    with pytest.raises(StoreError, match=r"holds another run \(.*version 0\.1\.0\)"):
        claim(OLD / "reproduce", found | {"version": "9.9.9"})


@pytest.mark.parametrize("file", ["position.txt", "position.mine"])
def test_an_old_position_has_the_same_answer(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = (OLD / "position.solve.json").read_text(encoding="utf-8")
    answer, before = figures(called(capsys, "solve", OLD / file, "--json")), figures(wanted)
    assert isinstance(answer, dict)
    assert isinstance(before, dict)
    # The answer may hold more than it did then.
    assert {name: answer[name] for name in before} == before


def test_an_old_minefield_is_read() -> None:
    replay = read((OLD / "minefield.mbf").read_bytes(), "minefield.mbf").replay
    assert replay is not None
    assert sorted(replay.mined) == [0, 7, 24]


def test_an_old_bullets_puzzle_has_the_same_solution(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = (OLD / "bullets.solve.json").read_text(encoding="utf-8")
    assert figures(called(capsys, "bullets", "solve", OLD / "bullets.txt", "--json")) == figures(
        wanted
    )
