"""The lock: lock/ holds what pyproject.toml asks for, in exact versions with hashes."""

import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
FORGOTTEN = "pyproject.toml has changed since: run `make lock`"
SYSTEMS = [
    {"os_name": "posix", "sys_platform": "linux", "platform_system": "Linux"},
    {"os_name": "posix", "sys_platform": "darwin", "platform_system": "Darwin"},
    {"os_name": "nt", "sys_platform": "win32", "platform_system": "Windows"},
]
# Where the lock must hold: each Python on each system.
PLACES = [
    {"python_version": python, "python_full_version": f"{python}.0", **system}
    for python, system in product(["3.11", "3.12", "3.13", "3.14"], SYSTEMS)
]


def ask(*locks: str) -> list[str]:
    """Return the requirements of these locks, or the names of all locks if none is given."""
    command = [sys.executable, "scripts/requirements.py", *locks]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def name_of(requirement: Requirement) -> str:
    return canonicalize_name(requirement.name)


def holds(requirement: Requirement, place: dict[str, str]) -> bool:
    return requirement.marker is None or requirement.marker.evaluate(dict(place))


class Entry(NamedTuple):
    """A package in a lock, in one version."""

    requirement: Requirement
    version: str
    hashes: list[str]
    asked: bool
    """Whether pyproject.toml itself asks for it, rather than only another package."""


def text_of(lock: str) -> str:
    return (ROOT / "lock" / f"{lock}.txt").read_text(encoding="utf-8")


def entries(lock: str) -> list[Entry]:
    """Read a lock: one line per version, then indented hashes and a comment on who asks for it."""
    found = []
    for block in re.split(r"^(?=[^#\s])", text_of(lock), flags=re.MULTILINE)[1:]:
        first, *rest = block.splitlines()
        requirement = Requirement(first.removesuffix("\\"))
        (pin,) = requirement.specifier
        assert pin.operator == "==", first
        hashes = [line.strip(" \\") for line in rest if "--hash" in line]
        asked = any(line.endswith(" -r .venv/requirements") for line in rest)
        found.append(Entry(requirement, pin.version, hashes, asked))
    return found


def versions(lock: str, place: dict[str, str]) -> dict[str, str]:
    """Return what a lock installs on a given system and Python."""
    there = [entry for entry in entries(lock) if holds(entry.requirement, place)]
    installed = {name_of(entry.requirement): entry.version for entry in there}
    assert len(installed) == len(there), f"lock/{lock}.txt has two versions of a package"
    return installed


LOCKS = ask()
each_lock = pytest.mark.parametrize("lock", LOCKS)


def test_make_lock_writes_every_file_in_the_lock() -> None:
    assert {path.name for path in (ROOT / "lock").iterdir()} == {f"{lock}.txt" for lock in LOCKS}


@each_lock
def test_the_lock_holds_what_pyproject_asks_for_and_nothing_it_has_dropped(lock: str) -> None:
    wanted = {name_of(Requirement(line)) for line in ask(lock)}
    assert {name_of(entry.requirement) for entry in entries(lock) if entry.asked} == wanted, (
        FORGOTTEN
    )


@each_lock
def test_every_locked_version_is_within_the_bounds_of_pyproject(lock: str) -> None:
    wanted = [Requirement(line) for line in ask(lock)]
    for place in PLACES:
        installed = versions(lock, place)
        for requirement in wanted:
            if holds(requirement, place):
                version = installed[name_of(requirement)]
                assert requirement.specifier.contains(version, prereleases=True), (
                    f"{requirement}, locked at {version}: {FORGOTTEN}"
                )


@each_lock
def test_every_entry_of_the_lock_has_hashes(lock: str) -> None:
    for entry in entries(lock):
        assert entry.hashes, entry.requirement
        for line in entry.hashes:
            assert re.fullmatch("--hash=sha256:[0-9a-f]{64}", line), entry.requirement


@each_lock
def test_the_lock_names_no_index_and_no_host(lock: str) -> None:
    assert not re.search(r"://|--(?!hash=)\w", text_of(lock))


def test_the_locks_agree_so_that_they_share_an_environment() -> None:
    for place in PLACES:
        together: dict[str, str] = {}
        for lock in LOCKS:
            for name, version in versions(lock, place).items():
                assert together.setdefault(name, version) == version, (lock, name)
