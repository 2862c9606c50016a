"""Whatever the fuzzer has found and collected is still read, or refused as documented."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from processes import HANG, wait_until

from minewright.engine.actions import ACTIONS
from minewright.web.people.reading import look

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fuzz"))
from targets import TARGETS, server, stores

FUZZ = Path(__file__).resolve().parents[1] / "fuzz"


@pytest.fixture(autouse=True, scope="module")
def _no_server_stays() -> Iterator[None]:
    yield
    server.close()


@pytest.mark.parametrize("name", TARGETS)
def test_no_input_of_the_fuzzer_breaks_a_promise(name: str) -> None:
    inputs = [*(FUZZ / "corpus" / name).iterdir(), *(FUZZ / "found").glob(f"{name}/*")]
    assert inputs, "a target without a corpus proves nothing"
    for path in sorted(inputs):
        try:
            TARGETS[name](path.read_bytes())
        except Exception as error:
            error.add_note(f"the input is {path.relative_to(FUZZ)}")
            raise


def test_every_target_is_fuzzed_every_week() -> None:
    workflow = FUZZ.with_name(".github") / "workflows" / "fuzz.yml"
    listed = re.findall(r"^ +- ([\w.-]+)$", workflow.read_text("utf-8"), re.MULTILINE)
    assert listed == sorted(TARGETS)


def test_a_target_sees_a_broken_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(text: str) -> None:
        raise KeyError(text)

    monkeypatch.setattr("targets.texts.Board.parse", fail)
    with pytest.raises(KeyError):
        TARGETS["board"](b"9x9x10")


def test_the_store_that_is_damaged_is_good_and_has_moves_of_every_kind(tmp_path: Path) -> None:
    file = tmp_path / "store"
    file.write_bytes(stores.good()[0])
    read = [look(file, partial(stores.games_of, number)) for number in range(3)]
    assert [[name for name, _ in games] for games in read] == [["a", "b"], ["c"], []]
    kinds = [{timed.move.kind for timed in game.moves} for games in read for _, game in games]
    assert kinds == [{"open", "mark", "chord"}] * 3


def test_a_command_may_write_only_what_it_was_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    TARGETS["command"](b"solve\nfile\n--svg\nout\x002x1x1\n1#")
    monkeypatch.setattr("targets.commands.main", lambda _: Path("elsewhere").write_bytes(b""))
    with pytest.raises(AssertionError, match="elsewhere"):
        TARGETS["command"](b"formats")


def test_json_that_other_programs_cannot_read_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    TARGETS["command"](b"formats\n--json")
    monkeypatch.setattr("targets.commands.main", lambda _: print('{"chance": NaN}') or 0)
    with pytest.raises(AssertionError, match="NaN is not JSON"):
        TARGETS["command"](b"formats\n--json")


def test_an_error_inside_the_engine_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(query: object) -> object:
        raise KeyError("lost")

    monkeypatch.setitem(ACTIONS, "version", fail)
    with pytest.raises(AssertionError, match="KeyError: 'lost'"):
        TARGETS["engine"](b'{"id": 1, "action": "version"}')


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[httpx.Response]]:
    """The answers that the target `server` gets, however busy the machine is."""
    server.close()
    monkeypatch.setattr(server, "SECONDS", HANG)
    heard: list[httpx.Response] = []
    request = httpx.AsyncClient.request

    async def listen(*asked: Any, **more: Any) -> httpx.Response:
        answer = await request(*asked, **more)
        heard.append(answer)
        return answer

    monkeypatch.setattr(httpx.AsyncClient, "request", listen)
    yield heard
    server.close()


@pytest.mark.parametrize("begins", [b'/api/games {"board": "5x5x4"}', b"/api/games/daily {}"])
def test_later_requests_are_about_the_game_that_has_begun(
    begins: bytes, answers: list[httpx.Response]
) -> None:
    TARGETS["server"](b"POST " + begins + b"\nGET /api/games/{game}")
    assert answers[1].status_code == 200


def test_a_header_goes_with_the_next_request_and_a_file_may_have_lines(
    answers: list[httpx.Response],
) -> None:
    file = b"POST /api/analyse/file 3x1x1%0A#1#"
    TARGETS["server"](b"sec-fetch-site: cross-site\nGET /api/meta\nGET /api/meta\n" + file)
    assert [answer.status_code for answer in answers] == [403, 200, 200]


def test_what_the_server_logs_is_a_finding(
    answers: list[httpx.Response], monkeypatch: pytest.MonkeyPatch
) -> None:
    TARGETS["server"](b"GET /api/meta")
    monkeypatch.setattr(
        "minewright.web.server.guard._check_head", partial(server.LOG.warning, "%r")
    )
    with pytest.raises(AssertionError, match="/api/meta"):
        TARGETS["server"](b"GET /api/meta")
    assert [answer.status_code for answer in answers] == [200, 200]


def test_the_server_with_a_small_budget_gives_up(answers: list[httpx.Response]) -> None:
    asked = b'POST /api/analyse/steps {"text": "4x4x4\\n1###\\n####\\n#2#1\\n####"}'
    TARGETS["server"](asked)
    TARGETS["server"](b"!\n" + asked)
    assert [answer.json()["complete"] for answer in answers] == [True, False]


ATHERIS = """
import os, pathlib, time
from types import SimpleNamespace
enabled_hooks = SimpleNamespace(add=print)
def instrument_func(function): pass
def Setup(arguments, target): pass
def Fuzz():
"""
"""The beginning of an atheris that tries no input."""
STILL = """
    pathlib.Path("pid").write_text(f"{os.getpid()}.")
    time.sleep(180)
"""
BLIND = """
    print("#1 cov: 70 ft: 70 corp: 1/1")
    print("stat::number_of_executed_units: 1")
"""


def fuzzing(place: Path, fuzz: str) -> list[str]:
    """Return the command that fuzzes positions in a place of its own, with another fuzzer."""
    own = place / "fuzz"
    shutil.copytree(FUZZ, own, ignore=shutil.ignore_patterns("corpus", "found", "__pycache__"))
    (own / "atheris.py").write_text(ATHERIS + fuzz)
    return [sys.executable, str(own / "run.py"), "position"]


@pytest.mark.skipif(os.name == "nt", reason="needs signals of POSIX")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"])
def test_a_run_that_is_stopped_leaves_no_fuzzer_behind(tmp_path: Path, name: str) -> None:
    number = getattr(signal, name)
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("these tests run under nohup")
    command = fuzzing(tmp_path, STILL)
    with subprocess.Popen(command, cwd=tmp_path, start_new_session=True) as run:
        pid = tmp_path / "pid"
        assert wait_until(lambda: pid.exists() and pid.read_text().endswith("."))
        run.send_signal(number)
        assert run.wait(HANG) == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()[:-1]), 0)


@pytest.mark.parametrize(("before", "counts"), [(80, True), (100, False)])
def test_a_sitting_that_reaches_far_less_than_earlier_ones_does_not_count(
    tmp_path: Path, before: int, counts: bool
) -> None:
    command = fuzzing(tmp_path, BLIND)
    log = tmp_path / "fuzz" / "log.jsonl"
    earlier = {"target": "position", "commit": "-", "minutes": 1.0, "runs": 1}
    log.write_text(json.dumps({**earlier, "branches": before, "findings": 0}) + "\n")
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == (0 if counts else 1)
    assert len(log.read_text().splitlines()) == (2 if counts else 1)
    assert counts or "only 70 branches reached, 100 before" in run.stderr
