"""A disk without room: the web app says so, and goes on when there is some again."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from processes import HANG
from web_client import started

from minewright.lab.experiment import Experiment
from minewright.lab.run import Run
from minewright.work.executors import Here

if sys.platform != "linux":
    pytest.skip("needs Linux", allow_module_level=True)

import resource

GAME = {"board": "9x9x10", "seed": 1}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Make a file system of one megabyte."""
    place = tmp_path / "small"
    place.mkdir()
    if not shutil.which("mount"):
        pytest.skip("needs mount")
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("nothing may be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def check(address: str, process: subprocess.Popen[str], room: Callable[[bool], None]) -> None:
    """Play with room on the disk, then without, then with room again."""
    with httpx.Client(base_url=address, timeout=HANG) as client:
        game = client.post("/api/games", json=GAME).json()
        path = f"/api/games/{game['id']}"
        writes: list[tuple[str, str, dict[str, object]]] = [
            ("POST", "/api/games", {"board": "9x9x10"}),
            ("POST", f"{path}/moves", {"kind": "open", "cell": 40}),
            ("PUT", "/api/me/puzzles/day-2026-01-31", {"marks": "." * 4_000}),
        ]
        room(False)
        for method, where, body in writes:
            answer = client.request(method, where, json=body)
            # The rest of the last page may still have room for something.
            for _ in range(50):
                if answer.is_success:
                    answer = client.request(method, where, json=body)
            assert answer.status_code == 503, answer.text
            assert "check the free disk space" in answer.json()["problem"]
        assert client.get(path).json()["state"] in ("ready", "playing")
        assert client.get("/").status_code == 200
        assert client.get("/api/me/export").status_code == 200
        # Somebody new comes.
        assert httpx.get(f"{address}/api/games", timeout=HANG).status_code == 200
        room(True)
        for method, where, body in writes:
            assert client.request(method, where, json=body).is_success
    process.send_signal(signal.SIGTERM)
    assert process.wait(HANG) == 0
    assert process.stderr
    assert process.stderr.read() == ""


def test_a_full_disk_is_one_line_and_the_server_goes_on(small_disk: Path) -> None:
    filler = small_disk / "filler"

    def room(there: bool) -> None:
        if there:
            filler.unlink()
            return
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(b"x" * 1_024)

    with started(small_disk) as (process, address):
        check(address, process, room)


def test_a_file_that_may_not_grow_is_one_line_and_the_server_goes_on(tmp_path: Path) -> None:
    with started(tmp_path) as (process, address):

        def room(there: bool) -> None:
            most = resource.RLIM_INFINITY if there else 4_096
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

        check(address, process, room)


def test_a_plot_without_room_to_draw_is_one_line(small_disk: Path, tmp_path: Path) -> None:
    experiment = Experiment.grid("x", strategies=["random"], boards=["5x5x3"], games=9, seed=4)
    Run.create(tmp_path / "lab-x", experiment).play(Here)
    (small_disk / "filler").write_bytes(b"x" * 1_000 * 1_024)
    room = os.environ | {"TMPDIR": str(small_disk)}
    with started(tmp_path, env=room) as (_, address):
        answer = httpx.get(f"{address}/api/lab/runs/lab-x/plot.svg", timeout=HANG)
        assert answer.status_code == 503
        assert "No space" in answer.json()["problem"]
