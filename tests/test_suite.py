"""The suite itself: names that every process agrees on, interrupts, and nothing left behind."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import pytest_make_parametrize_id
from processes import CHILDREN, HANG, started

DISTURBED = """
import signal, subprocess, sys
import pytest

def test_an_interrupt_is_heard():
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

def test_that_leaves_a_process():
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])

def test_after_it():
    pass
"""
UNSTABLE = """
import pytest

@pytest.mark.parametrize("data", [1], ids=["\\x00"])
def test_of_a_file(data):
    pass
"""


def suite(place: Path, code: str) -> tuple[int, str]:
    """Run a suite with this one's settings, deaf to interrupts like a job in the background."""
    (place / "test_it.py").write_text(code, encoding="utf-8")
    # Otherwise pytest looks for settings in all folders above, and may find ours there.
    (place / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    here = str(Path(__file__).parent)
    run = f"import pytest, sys; sys.path.insert(0, {here!r}); sys.exit(pytest.main(sys.argv[1:]))"
    options = ["-p", "conftest", "-p", "no:cacheprovider", "--rootdir", str(place), str(place)]
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with started([sys.executable, "-c", run, *options], stderr=subprocess.STDOUT) as process:
            shown, _ = process.communicate(timeout=HANG)
    finally:
        signal.signal(signal.SIGINT, before)
    return process.returncode, shown


@pytest.mark.skipif(not CHILDREN.exists(), reason="looks into /proc")
def test_in_the_background_interrupts_are_heard_and_who_leaves_a_process_is_blamed(
    tmp_path: Path,
) -> None:
    code, shown = suite(tmp_path, DISTURBED)
    assert code == 1, shown
    assert re.search(r"3 passed, (\d+ warnings?, )?1 error", shown), shown
    assert "Failed: test_that_leaves_a_process left " in shown


def test_a_name_that_is_no_words_ends_the_run_before_it_begins(tmp_path: Path) -> None:
    code, shown = suite(tmp_path, UNSTABLE)
    assert code == pytest.ExitCode.USAGE_ERROR, shown
    assert "a test's name is words" in shown


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (b"\x1f\x8b\x08\0", "data"),
        ("3x2x1\n1##\n#%#", "3x2x1-1"),
        ("\0\u0663", "data"),
        ("no such file: a/b.txt", "no-such-file-a-b.txt"),
        (7, None),
    ],
)
def test_a_parameter_is_named_by_its_words_alone(value: object, name: str | None) -> None:
    assert pytest_make_parametrize_id(value, "data") == name
