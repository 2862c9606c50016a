"""A run directory is data: looking at it executes nothing, whatever it contains."""

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from lab_runs import played
from patient import EASY
from web_client import Browser, Web

from minewright.cli import main
from minewright.lab import report
from minewright.lab.experiment import Experiment, ExperimentError
from minewright.lab.run import Run, RunError
from minewright.lab.score import UNIT
from minewright.work.executors import Here

HOSTILE = "open('pwned', 'w').close()"
NAMES = ("strategy", "guesser", "first", "topology")
SMALL = Experiment.grid(
    "small", strategies=["single-point", "random"], boards=["5x5x3"], games=30, seed=4
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run that was played to its end."""
    directory = tmp_path_factory.mktemp("whole") / "run"
    played(directory, SMALL)
    return directory


@pytest.fixture
def run(tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of it, to be changed; this is where `pwned` would be written."""
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(whole, tmp_path / "lab" / "run"))


@pytest.fixture
def anna(tmp_path: Path, run: Path) -> Iterator[Browser]:
    with Web(tmp_path / "data", replace(EASY, lab=run.parent)) as web:
        yield web.browser()


def change(run: Path, **changed: object) -> None:
    """Write other values into the definition of a run."""
    path = run / "experiment.json"
    path.write_text(json.dumps(json.loads(path.read_bytes()) | changed), encoding="utf-8")


def rename_arm(run: Path, **names: str) -> None:
    """Give the first arm other names, in the definition and in the rows."""
    arms = json.loads((run / "experiment.json").read_bytes())["arms"]
    arms[0] |= names
    change(run, arms=arms)
    (shard,) = (run / "shards").iterdir()
    rows = pl.read_parquet(shard).with_columns(
        pl.when(pl.col("arm") == 0)
        .then(pl.lit(value))
        .otherwise(pl.col(name).cast(pl.String))
        .alias(name)
        for name, value in names.items()
    )
    shard.unlink()
    rows.write_parquet(run / "shards" / "000001.parquet")


def look(run: Path, anna: Browser, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Look at a run in every possible way; return what was shown."""
    shown = []
    for arguments in (["status"], ["status", "--json"], ["report"], ["report", "--json"]):
        assert main(["lab", arguments[0], str(run), *arguments[1:]]) == 0
        shown.append(capsys.readouterr().out)
    assert main(["lab", "report", str(run), "--out", str(run.parents[1] / "report")]) == 0
    capsys.readouterr()
    shown.append((run.parents[1] / "report" / "report.html").read_text(encoding="utf-8"))
    anna.ask("GET", "/lab")
    shown.append(json.dumps(anna.ask("GET", f"/lab/runs/{run.name}")))
    assert anna.send("GET", f"/api/lab/runs/{run.name}/plot.svg").status_code == 200
    return shown


def test_python_in_any_text_of_a_run_is_shown_and_never_executed(
    run: Path, anna: Browser, capsys: pytest.CaptureFixture[str]
) -> None:
    rename_arm(run, **dict.fromkeys(NAMES, HOSTILE))
    change(run, name=HOSTILE, source=HOSTILE)
    texts = {"about.json": ("minewright", "python", "machine", "began"), "progress.json": ("at",)}
    for file, keys in texts.items():
        told = json.loads((run / file).read_bytes())
        (run / file).write_text(json.dumps(told | dict.fromkeys(keys, HOSTILE)), encoding="utf-8")
    for shown in look(run, anna, capsys):
        assert "pwned" in shown
    assert not Path("pwned").exists()


@pytest.mark.parametrize("number", ["Infinity", "NaN", "1e400"])
def test_numbers_that_are_no_json_are_not_passed_on(
    number: str, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run / "progress.json").write_text(f'{{"played": {number}}}')
    assert main(["lab", "status", str(run), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["last"] is None


def test_a_definition_in_python_is_run_only_by_who_names_its_file(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(run, source=HOSTILE)
    (shard,) = (run / "shards").iterdir()
    shard.unlink()
    with pytest.raises(RunError, match="was defined in Python"):
        Run.open(run).play(Here)
    assert main(["lab", "resume", str(run)]) == 2
    output, complaints = capsys.readouterr()
    assert (output, complaints.count("\n")) == ("", 1)
    assert f"`minewright lab run FILE.py --out {run}` with the same file goes on" in complaints
    # Nor does naming another file make it run what is there.
    (run.parent / "own.py").write_text("experiment = 3", encoding="utf-8")
    assert main(["lab", "run", str(run.parent / "own.py"), "--out", str(run)]) == 2
    assert not Path("pwned").exists()


@pytest.mark.parametrize("name", ["[/] [bold] :bomb:", r"$\frac{$", "<script>|`*", "x" * 200])
def test_names_that_mean_something_elsewhere_are_shown_as_they_are_written(
    name: str, run: Path, anna: Browser, capsys: pytest.CaptureFixture[str]
) -> None:
    rename_arm(run, strategy=name)
    status, _, table, told, _, page = look(run, anna, capsys)
    assert name in status
    assert name in table
    assert json.loads(told)["players"][0]["arm"]["strategy"] == name
    assert json.loads(page)["players"]["rows"][0][0] == name


LARGE: dict[str, Any] = {
    "many arms": {"arms": [{"strategy": "exact", "board": "5x5x3"}] * 10_001},
    "the same arm": {"arms": [{"strategy": "exact", "board": "5x5x3"}] * 10_000},
    "games": {"games": 10**9 + 1},
    "endless games": {"games": 10**4000},
    "a share of games": {"games": 1.5},
    "a truth for games": {"games": True},
    "a seed": {"seed": 2**64},
    "an endless timeout": {"timeout": 10**400},
    "a long name": {"name": "x" * 1001},
    "a name that rings": {"name": "\x1b]0;bell\x07"},
    "a name that is none": {"name": ["x"]},
    "an arm that is none": {"arms": ["exact"]},
    "an arm with more": {"arms": [{"strategy": "exact", "board": "5x5x3", "run": HOSTILE}]},
    "an arm without": {"arms": [{"strategy": "exact"}]},
    "a start": {"arms": [{"strategy": "exact", "board": "5x5x3", "start": HOSTILE}]},
    "a board": {"arms": [{"strategy": "exact", "board": "9x9x100"}]},
    "a duel with nobody": {"duel": {"first": 0, "second": 7}},
    "a duel of words": {"duel": {"share": HOSTILE}},
    "more": {"python": HOSTILE},
    "a source": {"source": ["x"]},
    "megabytes": {"source": "x" * (8 << 20)},
}


@pytest.mark.parametrize("changed", LARGE.values(), ids=LARGE)
def test_a_definition_that_cannot_be_is_one_line(
    changed: dict[str, object], run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(run, **changed)
    for command in ("status", "report", "resume"):
        assert main(["lab", command, str(run)]) == 2
        output, complaints = capsys.readouterr()
        assert (output, complaints.count("\n")) == ("", 1)
        assert "cannot be read" in complaints


def test_a_definition_that_is_no_file_is_no_run(run: Path) -> None:
    (run / "experiment.json").unlink()
    os.mkfifo(run / "experiment.json")
    with pytest.raises(RunError, match="holds no run"):
        Run.open(run)


def test_looking_at_the_largest_experiment_takes_no_time(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arms = [
        {"strategy": f"unknown-{at}", "board": "200x200x99", "start": "any"} for at in range(10_000)
    ]
    change(run, arms=arms, games=10**9, duel={"first": 0, "second": 1, "round": 10**9})
    for command in ("status", "report"):
        assert main(["lab", command, str(run)]) == 0
    assert "0.0% played" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["[]", "null", "3", "{", "[" * 100_000, b"\xff\xfe\x00", "{}"])
def test_what_is_no_experiment_is_one_line(text: str | bytes) -> None:
    with pytest.raises(ExperimentError, match="cannot be read"):
        Experiment.read(text)


def test_sums_of_safeties_hold_as_many_games_as_a_run_may_have() -> None:
    games = 9_000_000
    rows = pl.DataFrame({"safety": pl.repeat(1.0, games, eager=True)})
    (row,) = rows.select(report._safety_sums(rows)).iter_rows(named=True)
    sums = report._with_whole_sums(row)
    assert sums["measured"] == games
    assert sums["safety_sum"] * UNIT == sums["safety_squares"] * UNIT == games
