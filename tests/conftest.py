"""Shared by all tests."""

import os
import re
import signal
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import settings
from processes import children

# The same examples every time, so that a new failure comes from a change. To look further:
# HYPOTHESIS_PROFILE=explore pytest
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))

# A shell starts what it runs in the background deaf to Ctrl-C, and every child inherits that. The
# tests of Ctrl-C start commands that must hear it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST_NAME = 200


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--shuffle",
        metavar="SEED",
        type=int,
        help="run the modules, and the tests in each, shuffled",
    )


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a parameter by the words in it; what has none, or is bytes, by the argument's name.

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
        # Where a name holds what is not printable ASCII, pytest writes it with a backslash.
        if len(item.name) > LONGEST_NAME or not re.fullmatch(r"[ -\[\]-~]+", item.name):
            raise pytest.UsageError(f"{item.nodeid!r}: a test's name is words; give it ids=")
    seed = config.getoption("--shuffle")
    if seed is not None:
        random = Random(seed)
        modules: dict[object, list[pytest.Item]] = {}
        for item in items:
            modules.setdefault(item.path, []).append(item)
        # What a module's tests share is made once only if they stay together.
        order = random.sample(list(modules.values()), len(modules))
        items[:] = [item for module in order for item in random.sample(module, len(module))]


@pytest.fixture(autouse=True)
def _nothing_left_behind() -> Iterator[None]:
    """Blame the test that leaves a process behind, not the one that stumbles over it."""
    before = children()
    yield
    # Python's own keeper of shared memory lives as long as this process.
    if left := {
        process: command
        for process, command in children().items()
        if process not in before and "resource_tracker" not in command
    }:
        for process in left:
            os.kill(process, signal.SIGKILL)
        names = (command or "a process that nobody waited for" for command in left.values())
        pytest.fail(f"left behind: {', '.join(names)}")
