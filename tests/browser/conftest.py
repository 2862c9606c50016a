"""A server of its own, a real Chromium, and people with a page each."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Page,
    Playwright,
    expect,
    sync_playwright,
)
from processes import HANG, started

from minewright.web.people.database import FILE

ROOT = Path(__file__).parents[2]
SERVE = Path(__file__).with_name("serve.py")
PATIENCE = HANG * 1_000
"""Milliseconds."""
# The pages are our own, so no sandbox is needed, and none is available to root.
# By default, Chromium keeps a renderer ready for the next page, and draws in one more process. The
# tests would pay for both at every visit.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--renderer-process-limit=1",
    "--in-process-gpu",
]
# A message on the page goes when it is clicked or another one comes, but not after its time: a test
# that stalls for a while must still find it. In a timer, there is no `window.event`.
KEEP_MESSAGES = """{
    const {remove} = Element.prototype;
    Element.prototype.remove = function () {
        if (window.event || !this.classList.contains('toast')) remove.call(this);
    };
}"""
EXPERIMENT = """
name = "little"
boards = ["9x9x10"]
strategies = ["single-point", "exact"]
starts = ["safe"]
games = 200
seed = 1
"""


@pytest.fixture(scope="package")
def chromium() -> str:
    """Find Chromium, or say what to install."""
    if not shutil.which("sh"):
        pytest.skip("looking for Chromium needs a shell")
    found = subprocess.run(
        ["sh", ROOT / "scripts" / "chromium"], capture_output=True, text=True, check=False
    )
    if found.returncode:
        pytest.skip(found.stderr.strip())
    return found.stdout.strip()


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = launch(playwright, chromium)
        yield browser
        browser.close()


def launch(playwright: Playwright, chromium: str) -> Browser:
    """Start Chromium, up to three times: on a busy machine it sometimes crashes as it starts."""
    start = partial(
        playwright.chromium.launch, executable_path=chromium, args=ARGUMENTS, timeout=PATIENCE
    )
    for _ in range(2):
        with suppress(Error):
            return start()
    return start()


@pytest.fixture(scope="package")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a directory with one finished run."""
    place = tmp_path_factory.mktemp("lab")
    (place / "little.toml").write_text(EXPERIMENT, encoding="utf-8")
    command = [sys.executable, "-m", "minewright", "lab", "run", "little.toml", "--workers", "1"]
    subprocess.run(command, cwd=place, check=True, capture_output=True)
    return place


@pytest.fixture(scope="package")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a directory for what the server keeps."""
    return tmp_path_factory.mktemp("web")


@pytest.fixture
def secret(data: Path) -> Callable[[], int]:
    """Return a function that looks up the seed of the newest game, which its page is not told."""

    def secret() -> int:
        with closing(sqlite3.connect(data / FILE)) as db:
            ((seed,),) = db.execute("SELECT seed FROM games ORDER BY number DESC LIMIT 1")
        return int(seed)

    return secret


@pytest.fixture(scope="package")
def server(data: Path, lab: Path, pytestconfig: pytest.Config) -> Iterator[str]:
    """Start `minewright serve`; yield its address."""
    luck = str(pytestconfig.getoption("--luck"))
    with started([sys.executable, SERVE, luck, "--data", data, "--lab", lab, "--table"]) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+(?=/)", line)
        assert found, line
        yield found[0]
        process.terminate()
        assert process.communicate(timeout=HANG)[1] == ""


@pytest.fixture
def visit(browser: Browser, server: str) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens a page for somebody new, with any options of a browser.

    Whatever such a page does, it must not raise an error of its own or contact any other host.
    """
    contexts = []
    wrong: list[str] = []

    def said(message: ConsoleMessage) -> None:
        # A refusal is an answer like any other, but the browser logs it as an error.
        if message.type == "error" and "Failed to load resource" not in message.text:
            wrong.append(message.text)

    def requested(request: Any) -> None:
        if not request.url.startswith((server, "data:", "blob:")):
            wrong.append(f"asked {request.url}")

    def visit(**options: Any) -> Page:
        wishes = {
            "viewport": {"width": 1280, "height": 900},
            "reduced_motion": "reduce",
            # A test cannot see what a worker fetches.
            "service_workers": "block",
        }
        context = browser.new_context(base_url=server, **(wishes | options))
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(KEEP_MESSAGES)
        context.on("console", said)
        context.on("weberror", lambda error: wrong.append(str(error.error)))
        context.on("request", requested)
        page = context.new_page()
        if os.environ.get("SLOW_ANSWERS") == "1":
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
        return page

    yield visit
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture
def page(visit: Callable[..., Page]) -> Page:
    """Return the page of somebody with a mouse and a keyboard."""
    return visit()
