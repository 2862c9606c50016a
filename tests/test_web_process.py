"""The web app as a process: where it keeps things, how it starts, and how it ends."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from processes import HANG
from web_client import Web, started

from minewright.cli import main
from minewright.web.people.database import FILE, DatabaseError
from minewright.web.people.store import Store
from minewright.web.server.process import listen
from minewright.web.server.settings import Settings, data_directory

GAME = {"board": "9x9x10", "seed": 1}


def test_a_store_that_cannot_be_used_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"not a database" * 1_000)
    with pytest.raises(DatabaseError, match="move it away"):
        Store(tmp_path)
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(DatabaseError, match="--data"):
        Store(file)


def test_a_damaged_store_is_one_line_and_exit_code_2(
    tmp_path: Path, refusal: Callable[..., str]
) -> None:
    with Web(tmp_path) as web:
        anna = web.browser()
        for _ in range(50):
            anna.begin("9x9x10")
    file = tmp_path / FILE
    whole = file.read_bytes()
    assert len(whole) > 8 * 4_096
    file.write_bytes(whole[:4_096] + b"\xa5" * (len(whole) - 4_096))
    assert "damaged" in refusal("--data", str(tmp_path))
    file.write_bytes(whole)
    Store(tmp_path).close()


@pytest.mark.skipif(os.name == "nt", reason="needs permissions of POSIX")
def test_the_store_is_for_its_owner_only(tmp_path: Path) -> None:
    Store(tmp_path / "new").close()
    assert (tmp_path / "new" / FILE).stat().st_mode & 0o077 == 0


def test_what_is_kept_goes_where_the_user_keeps_such_things(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_directory() == tmp_path / "minewright"


@pytest.fixture
def refusal(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return a function that tries to start a server, and returns the one line that it prints."""

    def refusal(*options: str) -> str:
        assert main(["serve", "--port", "0", *options]) == 2
        out, told = capsys.readouterr()
        assert (out, told.count("\n")) == ("", 1)
        return told

    return refusal


def test_without_a_home_one_line_says_what_to_choose(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, refusal: Callable[..., str]
) -> None:
    def home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    # This happens in a container that runs under a user number unknown to the system.
    monkeypatch.setattr(Path, "home", home)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert "--data" in refusal()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_directory() == tmp_path / "minewright"


@pytest.mark.skipif(os.name == "nt", reason="needs signals of POSIX")
def test_a_kill_loses_no_move_and_a_polite_end_is_clean(tmp_path: Path) -> None:
    with httpx.Client(timeout=HANG) as client:
        with started(tmp_path) as (process, address):
            game = client.post(f"{address}/api/games", json=GAME).json()
            path = f"/api/games/{game['id']}"
            for cell in (40, 0, 80):
                sent = client.post(f"{address}{path}/moves", json={"kind": "open", "cell": cell})
                made = sent.json()
            process.kill()
            process.wait()
        assert made["moves"] >= 1
        with started(tmp_path) as (process, address):
            again = client.get(f"{address}{path}").json()
            assert (again["moves"], again["state"]) == (made["moves"], made["state"])
            # Even somebody who watches the lab live does not hold it up.
            with client.stream("GET", f"{address}/api/lab/events") as live:
                next(live.iter_lines())
                process.send_signal(signal.SIGTERM)
                assert process.wait(HANG) == 0
            assert process.stderr
            assert process.stderr.read() == ""


def test_a_request_that_came_before_the_end_is_answered(tmp_path: Path) -> None:
    with Web(tmp_path) as web:
        anna = web.browser()
        game = anna.begin("9x9x10")
        web.app.state.ending.begin()
        assert anna.move(game, "open", 40)["moves"] == 1


@pytest.mark.skipif(os.name == "nt", reason="needs locks of POSIX")
def test_a_directory_is_served_by_one_server_only(
    tmp_path: Path, refusal: Callable[..., str]
) -> None:
    store = Store(tmp_path)
    assert "is already using" in refusal("--data", str(tmp_path))
    store.close()
    Store(tmp_path).close()


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("", "--host is empty"),
        ("127.0.0.256", "--host 127.0.0.256: this address is not known"),
        ("\udcff", "this is not an address"),
        ("192.0.2.1", "--host 192.0.2.1: this machine does not have that address"),
    ],
    ids=["empty", "unknown", "no text", "of another machine"],
)
def test_an_address_that_is_none_is_refused(
    host: str, why: str, tmp_path: Path, refusal: Callable[..., str]
) -> None:
    assert why in refusal("--host", host, "--data", str(tmp_path))


def test_a_host_that_has_only_an_address_of_another_kind_is_not_known(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = socket.getaddrinfo

    def only_six(host: str, port: int, family: int = 0, *more: int) -> object:
        return known(host if family == socket.AF_INET else "::1", port, family, *more)

    monkeypatch.setattr(socket, "getaddrinfo", only_six)
    with pytest.raises(socket.gaierror):
        listen(Settings(host="six.invalid", port=0, data=tmp_path))


def test_a_port_that_is_taken_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        # This one in a process of its own, as a user meets it.
        command = [sys.executable, "-m", "minewright", "serve", "--port", port]
        run = subprocess.run(
            [*command, "--data", str(tmp_path)], capture_output=True, text=True, check=False
        )
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.count("\n") == 1
    assert run.stderr.count(port) == 1
    assert "--port" in run.stderr


def test_a_proxy_that_has_no_address_is_one_line_and_exit_code_2(
    tmp_path: Path, refusal: Callable[..., str]
) -> None:
    assert "--proxy" in refusal("--proxy", "proxy.example", "--data", str(tmp_path))
