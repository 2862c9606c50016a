"""Runs of the lab, as the web app shows them."""

import asyncio
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import httpx
import polars as pl
import pytest
from lab_runs import played
from patient import EASY
from processes import HANG, wait_until
from web_client import Browser, Web, serving

from minewright.lab import report, safety
from minewright.lab.experiment import Duel, Experiment
from minewright.lab.run import Run
from minewright.web.lab import runs
from minewright.web.lab.news import News
from minewright.work.executors import Here

SMALL = Experiment.grid(
    "small <b>", strategies=["single-point", "random"], boards=["5x5x3"], games=120, seed=4
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run that was played to its end."""
    directory = tmp_path_factory.mktemp("finished") / "lab-small"
    played(directory, SMALL)
    return directory


@pytest.fixture
def lab(tmp_path: Path, finished: Path) -> Path:
    shutil.copytree(finished, tmp_path / "lab" / "lab-small")
    return tmp_path / "lab"


@pytest.fixture
def anna(tmp_path: Path, lab: Path) -> Iterator[Browser]:
    with Web(tmp_path / "data", replace(EASY, lab=lab)) as web:
        yield web.browser()


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
    assert seen["titles"] == {"single-point": "Single point", "random": "Random"}


def test_a_run_that_measured_safety_shows_its_tables(anna: Browser, lab: Path) -> None:
    assert anna.ask("GET", "/lab/runs/lab-small")["safety"] == []
    players = ["champion:fast", "exact"]
    experiment = Experiment.grid(
        "calm", strategies=players, boards=["5x5x4"], games=60, seed=1, measure="safety"
    )
    run = played(lab / "calm", experiment)
    found = report.results(experiment, run.rows())
    pairs = report.safety_pairs(experiment, run.rows())
    assert [table["rows"] for table in anna.ask("GET", "/lab/runs/calm")["safety"]] == [
        [list(row) for row in safety.score_rows(found)],
        [list(row) for row in safety.pair_rows(pairs)],
    ]
    assert len(found) == 2


def test_a_plot_can_be_kept(anna: Browser) -> None:
    answer = anna.send("GET", "/api/lab/runs/lab-small/plot.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert b"single-point" in answer.content
    assert b"</svg>" in answer.content


def test_the_lab_directory_may_be_a_run_itself(tmp_path: Path, finished: Path) -> None:
    with Web(tmp_path, replace(EASY, lab=finished)) as web:
        assert names(web.browser(), "complete") == ["lab-small"]


def test_a_lab_that_is_not_there_is_empty(tmp_path: Path) -> None:
    with Web(tmp_path, replace(EASY, lab=tmp_path / "none")) as web:
        assert web.browser().ask("GET", "/lab")["runs"] == []


def test_a_run_under_way_counts_as_far_as_it_is(
    anna: Browser, lab: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "QUIET", HANG)
    run = Run.create(lab / "half", replace(SMALL, games=400))
    assert names(anna, "playing") == ["half"]
    assert anna.ask("GET", "/lab/runs/half")["players"]["rows"] == []
    # What a killed run leaves: some rows, from long ago.
    shutil.copytree(lab / "lab-small" / "shards", run.directory / "shards", dirs_exist_ok=True)
    (run.directory / "progress.json").write_text('{"played": 240, "games_per_second": 9.5}')
    for name in ("progress.json", "experiment.json"):
        os.utime(run.directory / name, (1e9, 1e9))
    assert names(anna, "stopped") == ["half"]
    seen = anna.ask("GET", "/lab/runs/half")
    assert (seen["played"], seen["games"]) == (240, 800)
    assert [arm["played"] for arm in seen["arms"]] == [120, 120]


def at(moment: float, directory: Path, name: str) -> None:
    os.utime(directory / name, (moment, moment))


def test_a_clock_that_is_set_does_not_stop_a_run_that_is_played(
    anna: Browser, lab: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run.create(lab / "half", SMALL)
    (run.directory / "progress.json").write_text('{"played": 100}')
    began = 1_700_000_000.0
    for jump in (-7200.0, 0.0, 7200.0):
        # It began, then the clock was set, and it has written since.
        at(began, run.directory, "experiment.json")
        at(began + jump, run.directory, "progress.json")
        monkeypatch.setattr("minewright.web.lab.runs.time", lambda now=began + jump: now + 1)
        assert names(anna, "playing") == ["half"]
        monkeypatch.setattr("minewright.web.lab.runs.time", lambda now=began + jump: now + 60)
        assert names(anna, "stopped") == ["half"]


def test_a_duel_that_is_decided_is_complete(anna: Browser, lab: Path) -> None:
    duel = replace(SMALL, games=5000, duel=Duel(share=0.9, round=50))
    run = Run.create(lab / "duel", duel)
    run.play(Here)
    for name in ("progress.json", "experiment.json"):
        os.utime(run.directory / name, (1e9, 1e9))
    assert "duel" in names(anna, "complete")
    seen = anna.ask("GET", "/lab/runs/duel")
    assert seen["played"] < seen["games"]
    assert seen["verdict"].startswith("Single point is the stronger of the two")
    # The list, which is looked at every second, reads no rows.
    shutil.rmtree(run.directory / "shards")
    assert "duel" in names(anna, "complete")


def test_a_definition_is_read_and_never_run(anna: Browser, lab: Path, tmp_path: Path) -> None:
    path = lab / "lab-small" / "experiment.json"
    definition = json.loads(path.read_text())
    definition["source"] = f"open({str(tmp_path / 'ran')!r}, 'w')"
    definition["arms"][0]["strategy"] = "of-its-own"
    path.write_text(json.dumps(definition))
    (shard,) = (lab / "lab-small" / "shards").iterdir()
    rows = pl.read_parquet(shard).with_columns(
        pl.when(pl.col("arm") == 0)
        .then(pl.lit("of-its-own"))
        .otherwise(pl.col("strategy").cast(pl.String))
        .alias("strategy")
    )
    shard.unlink()
    rows.write_parquet(shard.with_name("000001.parquet"))
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
    assert "this run cannot be shown" in problem


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
    pl.DataFrame({"arm": [99], "x": ["y"]}).write_parquet(
        lab / "lab-small" / "shards" / "000009.parquet"
    )
    assert anna.ask("GET", "/lab/runs/lab-small")["played"] == SMALL.games * len(SMALL.arms)


@pytest.mark.parametrize(
    "name", ["../lab/lab-small", "lab-small/../lab-small", "/etc", "shards", "a\0b"]
)
def test_no_name_leads_out_of_the_lab(anna: Browser, name: str) -> None:
    anna.ask("GET", f"/lab/runs/{quote(name, safe='')}", expect=404)


def test_one_looks_for_all_who_listen_and_only_while_they_do() -> None:
    looks = 0

    def look() -> str:
        nonlocal looks
        looks += 1
        return str(looks)

    async def hear(news: News) -> list[int]:
        events = news.listen(60)
        told = [int((await anext(events)).split()[1]) for _ in range(20)]
        await events.aclose()
        return told

    async def all_of_them() -> None:
        news = News(look, pulse=0.001)
        told = await asyncio.gather(*(hear(news) for _ in range(10)))
        assert all(each == sorted(set(each)) for each in told)
        # Each of the ten heard twenty changes, but they were the same ones.
        assert looks < 40
        async with asyncio.timeout(HANG):
            while len(asyncio.all_tasks()) > 1:
                await asyncio.sleep(0)
        assert len(await hear(news)) == 20

    asyncio.run(all_of_them())


def test_a_change_of_the_lab_is_told_live(tmp_path: Path, lab: Path) -> None:
    settings = replace(EASY, data=tmp_path / "data", lab=lab)
    with (
        serving(settings) as address,
        httpx.stream("GET", f"{address}api/lab/events", timeout=HANG) as live,
    ):
        assert live.headers["content-type"].startswith("text/event-stream")
        events = (line.removeprefix("data: ") for line in live.iter_lines() if "data:" in line)
        for names in (["lab-small"], ["new", "lab-small"]):
            assert [run["name"] for run in json.loads(next(events))["runs"]] == names
            if len(names) == 1:
                Run.create(lab / "new", SMALL)


def test_streams_are_bounded_and_who_leaves_makes_room(tmp_path: Path) -> None:
    bounds = replace(EASY, person_streams=2, address_streams=3, streams=4)
    with (
        serving(replace(bounds, data=tmp_path, lab=tmp_path)) as address,
        httpx.Client(base_url=address, timeout=HANG) as anna,
        httpx.Client(base_url=address, timeout=HANG) as bert,
        ExitStack() as listening,
    ):

        def listen(client: httpx.Client) -> int:
            answer = listening.enter_context(client.stream("GET", "/api/lab/events"))
            return answer.status_code

        for client in (anna, bert):
            client.get("/api/lab")
        with ExitStack() as first:
            first.enter_context(anna.stream("GET", "/api/lab/events"))
            assert [listen(anna), listen(anna)] == [200, 429]
            assert [listen(bert), listen(bert)] == [200, 429]
        # It is noticed soon.
        assert wait_until(lambda: listen(bert) == 200)


def test_a_stream_ends_after_its_time_and_tells_the_state_however_short_that_is(
    tmp_path: Path,
) -> None:
    with Web(tmp_path, replace(EASY, lab=tmp_path, stream_seconds=0.0)) as web:
        answer = web.browser().send("GET", "/api/lab/events")
        assert answer.text.startswith("data: {")
        assert answer.headers["cache-control"] == "no-store"
