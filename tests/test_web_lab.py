"""Runs of the lab, as the web app shows them."""

import asyncio
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from web_client import EASY, Browser, Web

from minewright.lab import report
from minewright.lab.executors import Here
from minewright.lab.experiment import Duel, Experiment
from minewright.lab.run import Run
from minewright.web.lab import stream

SMALL = Experiment.grid(
    "small <b>", strategies=["single-point", "random"], boards=["5x5x3"], games=120, seed=4
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was played to its end."""
    directory = tmp_path_factory.mktemp("finished") / "lab-small"
    Run.create(directory, SMALL).play(Here, ahead=1)
    return directory


@pytest.fixture
def lab(tmp_path: Path, finished: Path) -> Path:
    shutil.copytree(finished, tmp_path / "lab" / "lab-small")
    return tmp_path / "lab"


@pytest.fixture
def anna(tmp_path: Path, lab: Path) -> Iterator[Browser]:
    web = Web(tmp_path / "data", replace(EASY, lab=lab))
    yield web.browser()
    web.close()


def names(browser: Browser, state: str) -> list[str]:
    return [run["name"] for run in browser.ask("GET", "/lab")["runs"] if run["state"] == state]


def test_a_run_shows_what_its_report_shows(anna: Browser, lab: Path) -> None:
    (line,) = anna.ask("GET", "/lab")["runs"]
    assert (line["title"], line["state"], line["played"]) == ("small <b>", "complete", 240)
    seen = anna.ask("GET", "/lab/runs/lab-small")
    run = Run.open(lab / "lab-small")
    found = report.results(run.experiment, run.rows())
    assert seen["players"]["rows"] == [list(row) for row in report.result_rows(found)]
    compared = report.comparisons(run.experiment, run.rows())
    assert seen["comparisons"]["rows"] == [list(row) for row in report.comparison_rows(compared)]
    assert [share["won"] for share in seen["shares"]] == [one.win_rate for one in found]
    assert [arm["played"] for arm in seen["arms"]] == [120, 120]


def test_a_plot_can_be_kept(anna: Browser) -> None:
    answer = anna.send("GET", "/api/lab/runs/lab-small/plot.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert b"single-point" in answer.content
    assert b"</svg>" in answer.content


def test_the_lab_directory_may_be_a_run_itself(tmp_path: Path, finished: Path) -> None:
    web = Web(tmp_path, replace(EASY, lab=finished))
    assert names(web.browser(), "complete") == ["lab-small"]
    web.close()


def test_a_lab_that_is_not_there_is_empty(tmp_path: Path) -> None:
    web = Web(tmp_path, replace(EASY, lab=tmp_path / "none"))
    assert web.browser().ask("GET", "/lab")["runs"] == []
    web.close()


def test_a_run_under_way_counts_as_far_as_it_is(anna: Browser, lab: Path) -> None:
    run = Run.create(lab / "half", replace(SMALL, games=400))
    assert names(anna, "playing") == ["half"]
    assert anna.ask("GET", "/lab/runs/half")["players"]["rows"] == []
    # As a killed run leaves it: some rows are there, and long ago.
    shutil.copytree(lab / "lab-small" / "shards", run.directory / "shards", dirs_exist_ok=True)
    (run.directory / "progress.json").write_text('{"played": 240, "games_per_second": 9.5}')
    for name in ("progress.json", "experiment.json"):
        os.utime(run.directory / name, (1e9, 1e9))
    assert names(anna, "stopped") == ["half"]
    seen = anna.ask("GET", "/lab/runs/half")
    assert (seen["played"], seen["games"]) == (240, 800)
    assert [arm["played"] for arm in seen["arms"]] == [120, 120]


def test_a_duel_that_is_decided_is_complete(anna: Browser, lab: Path) -> None:
    duel = replace(SMALL, games=5000, duel=Duel(share=0.9, round=50))
    run = Run.create(lab / "duel", duel)
    run.play(Here, ahead=1)
    for name in ("progress.json", "experiment.json"):
        os.utime(run.directory / name, (1e9, 1e9))
    assert "duel" in names(anna, "complete")
    seen = anna.ask("GET", "/lab/runs/duel")
    assert seen["played"] < seen["games"]
    assert "is the stronger of the two" in seen["verdict"]


def test_a_definition_is_read_and_never_run(anna: Browser, lab: Path, tmp_path: Path) -> None:
    path = lab / "lab-small" / "experiment.json"
    definition = json.loads(path.read_text())
    definition["source"] = f"open({str(tmp_path / 'ran')!r}, 'w')"
    definition["arms"][0]["strategy"] = "of-its-own"
    path.write_text(json.dumps(definition))
    seen = anna.ask("GET", "/lab/runs/lab-small")
    assert seen["players"]["rows"][0][0] == "of-its-own"
    assert not (tmp_path / "ran").exists()


BROKEN = {
    "nothing": b"",
    "foreign": b'{"name": "some other program\'s"}',
    "list": b"[1, 2]",
    "deep": b"[" * 100_000,
    "bytes": b"\xff\xfe\x00",
    "no arms": json.dumps(json.loads(SMALL.written()) | {"arms": []}).encode(),
    "no board": SMALL.written().replace("5x5x3", "5x5x99").encode(),
    "no duel": json.dumps(json.loads(SMALL.written()) | {"duel": {"first": 7}}).encode(),
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_definition_breaks_nothing_else(anna: Browser, lab: Path, content: bytes) -> None:
    (lab / "odd").mkdir()
    (lab / "odd" / "experiment.json").write_bytes(content)
    assert names(anna, "broken") == ["odd"]
    assert names(anna, "complete") == ["lab-small"]
    problem = anna.ask("GET", "/lab/runs/odd", expect=422)["problem"]
    assert "no run that can be shown" in problem


@pytest.mark.parametrize(
    ("file", "content", "status"),
    [
        ("shards/000001.parquet", b"PAR1 and then nothing", 200),
        ("shards/000002.parquet", b"", 200),
        ("progress.json", b'{"played": -3}', 422),
        ("progress.json", b"{", 200),
        ("about.json", b"[]", 200),
    ],
)
def test_a_broken_file_of_a_run_is_no_crash(
    anna: Browser, lab: Path, file: str, content: bytes, status: int
) -> None:
    (lab / "lab-small" / file).write_bytes(content)
    anna.ask("GET", "/lab")
    anna.ask("GET", "/lab/runs/lab-small", expect=status)


def test_rows_of_another_program_count_for_nothing(anna: Browser, lab: Path) -> None:
    import polars as pl

    pl.DataFrame({"arm": [99], "x": ["y"]}).write_parquet(
        lab / "lab-small" / "shards" / "000009.parquet"
    )
    assert anna.ask("GET", "/lab/runs/lab-small")["played"] == SMALL.games * len(SMALL.arms)


@pytest.mark.parametrize(
    "name", ["../lab/lab-small", "lab-small/../lab-small", "/etc", "shards", "a\0b"]
)
def test_no_name_leads_out_of_the_lab(anna: Browser, name: str) -> None:
    anna.ask("GET", f"/lab/runs/{quote(name, safe='')}", expect=404)


def test_a_change_is_told_at_once_and_who_leaves_is_not_counted(anna: Browser, lab: Path) -> None:
    state = SimpleNamespace(settings=anna.app.state.settings, lab_streams=0)

    async def listen() -> list[list[str]]:
        told: list[list[str]] = []
        telling = stream(state, life=20, pulse=0.01)
        async for event in telling:
            runs = json.loads(event.removeprefix("data: "))["runs"]
            told.append([run["name"] for run in runs])
            if len(told) == 2:
                break
            Run.create(lab / "new", SMALL)
        await telling.aclose()
        return told

    assert asyncio.run(listen()) == [["lab-small"], ["new", "lab-small"]]
    assert state.lab_streams == 0
