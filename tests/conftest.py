"""Shared by all tests."""

import atexit
import gc
import os
import re
import secrets
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from processes import HANG, children

from minewright.inference import Budget

if TYPE_CHECKING:
    from web_client import Browser, Web

# The same examples every time, so that a new failure comes from a change. To look further:
# HYPOTHESIS_PROFILE=explore pytest
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))

# A shell makes background commands ignore Ctrl-C and Ctrl-\, and every child inherits that. Scripts
# may make them ignore a request to end, too. Some tests start commands that must react to these.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
for ending in ("SIGTERM", "SIGQUIT"):
    # Windows has no SIGQUIT.
    if (number := getattr(signal, ending, None)) and signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)

# The tests expect what a plain machine shows. So neither they nor the processes they start are told
# how wide a terminal is, whether it has colours, which warnings to show, or where a proxy is.
PLAIN = re.compile(
    r"TERM|COLUMNS|LINES|TERMINAL_WIDTH|TTY_\w+|(NO|FORCE)_COLOR|CLICOLOR\w*|PY_COLORS"
    r"|PYTHON(WARNINGS|DEVMODE|OPTIMIZE|IOENCODING|UNBUFFERED|INSPECT|VERBOSE|DEBUG|NODEBUGRANGES"
    r"|ASYNCIODEBUG|MALLOCSTATS|PROFILEIMPORTTIME|_COLORS)"
    r"|GITHUB_ACTIONS|\w+_PROXY|SOURCE_DATE_EPOCH|MPLBACKEND|MINEWRIGHT\w*",
    re.IGNORECASE,
)
for name in filter(PLAIN.fullmatch, list(os.environ)):
    del os.environ[name]
# In a container, the user may have no home, or one that is read-only: Playwright asks for one, and
# Matplotlib complains. The processes that run parts of the suite share what is made here.
if not os.access(os.path.expanduser("~"), os.W_OK):
    os.environ["HOME"] = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, os.environ["HOME"], ignore_errors=True)

# What is imported and collected stays to the end, so searching it for garbage again and again as it
# grows finds nothing. Once everything is there, `gc.freeze` excludes it from all later searches.
gc.disable()

LONGEST_NAME = 200


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--shuffle",
        metavar="SEED",
        type=int,
        help="run the modules, and the tests in each, shuffled",
    )
    parser.addoption(
        "--luck",
        metavar="SEED",
        type=int,
        default=0,
        help="have the web app draw other minefields than usual",
    )


def pytest_configure(config: pytest.Config) -> None:
    # If the sources are read-only or the disk is full, pytest has nowhere to keep its results.
    config.addinivalue_line("filterwarnings", "default::pytest.PytestCacheWarning")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a parameter by the words in it, or by the argument's name if it has none or is bytes.

    Processes that run parts of the same suite must agree on every name, so none may hold the
    contents of a file.
    """
    if isinstance(val, bytes):
        return argname
    if isinstance(val, str):
        return "-".join(re.findall(r"[A-Za-z0-9.]+", val))[:60] or argname
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        # pytest writes characters that are not printable ASCII with a backslash.
        if len(item.name) > LONGEST_NAME or not re.fullmatch(r"[ -\[\]-~]+", item.name):
            raise pytest.UsageError(f"{item.nodeid!r}: a test's name is words; give it ids=")
    seed = config.getoption("--shuffle")
    if seed is not None:
        random = Random(seed)
        modules: dict[object, list[pytest.Item]] = {}
        for item in items:
            modules.setdefault(item.path, []).append(item)
        # What the tests of a module share is made only once if they stay together.
        order = random.sample(list(modules.values()), len(modules))
        items[:] = [item for module in order for item in random.sample(module, len(module))]


def pytest_collection_finish() -> None:
    make_patient()
    # These options are meant for this run, not for the runs that tests start.
    os.environ.pop("PYTEST_ADDOPTS", None)
    gc.freeze()
    gc.enable()


def make_patient() -> None:
    """Give every default budget enough time for the busiest machine.

    Its states still limit what is answered, and they do so in the same way everywhere.
    """
    for name, module in list(sys.modules.items()):
        if name.startswith("minewright."):
            for budget in vars(module).values():
                if isinstance(budget, Budget) and budget.seconds < HANG:
                    object.__setattr__(budget, "seconds", HANG)


def pytest_unconfigure() -> None:
    """Let the interpreter free what the tests have held when it exits.

    Hypothesis adds a function to gc.callbacks and leaves it there. Python drops that list only
    after its last collection, so whatever the function reaches is never freed: Hypothesis, pytest's
    collected tests and their parameters. nanobind would report the graphs among them as leaked.
    """
    gc.callbacks.clear()
    gc.unfreeze()


@pytest.fixture(scope="module", autouse=True)
def _started() -> Iterator[dict[int, str]]:
    """Blame the test that leaves a process behind, not the one that stumbles over it.

    What a module's tests share, such as a server, may keep a process until the module ends.
    """
    started: dict[int, str] = {}
    yield started
    left = {process: name for process, name in children().items() if process in started}
    for process in left:
        os.kill(process, signal.SIGKILL)
    if left:
        names = (f"{started[process]} left {name}" for process, name in left.items())
        pytest.fail("\n".join(names))


@pytest.fixture(autouse=True)
def _note_processes(_started: dict[int, str], request: pytest.FixtureRequest) -> Iterator[None]:
    before = children()
    yield
    for process in children().keys() - before.keys():
        _started[process] = request.node.name


@pytest.fixture(autouse=True)
def _luck(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the same minefields for a test in every run, whatever ran before it."""
    drawn = Random(f"{request.config.getoption('--luck')} {request.node.nodeid}")
    monkeypatch.setattr(secrets, "randbelow", drawn.randrange)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Web]":
    """Make a web app that the tests of a module share."""
    # Most modules do not need what this imports.
    from web_client import Web

    with Web(tmp_path_factory.mktemp("web")) as web:
        yield web


@pytest.fixture
def anna(web: "Web") -> "Browser":
    """Return the browser of somebody new."""
    return web.browser()
