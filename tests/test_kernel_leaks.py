"""When a process ends, no object of the kernel is left: nanobind reports any that is."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent

# Each kind of object once, in the places where objects live longest: a module, a cache, an array
# that outlives its owner, an exception, a generator that is never finished.
USE = """
import minewright as mw
from minewright import _kernel
from minewright.topology import get

position = mw.Position.parse("3x3x2\\n1##\\n12#\\n01#")
analysis = mw.analyze(position)
kept = analysis.probability, analysis.solutions, analysis.fractions, analysis.numbers(2)
steps = list(mw.explain(position))
game = mw.Game(mw.EXPERT, start="safe", seed=7)
game.open(0)
result = mw.simulate(mw.BEGINNER, "exact", games=3, seed=1)
puzzle = mw.bullets.make(size=5, bullets=5, seed=1, iterations=2)
own = _kernel.Random(1), _kernel.Sums([1, 1], [([0, 1], 1)]), _kernel.AtLeasts(1, [(1, [0], True)])
try:
    mw.analyze(mw.Position.parse("4x1x1\\n#1##"), budget=mw.Budget(states=1))
except mw.BudgetExceeded as error:
    failure = error
endless = (get("moore", (size, size)).graph for size in range(2, 9))
next(endless)
"""

# Like the tests of this project: properties beside parameters that hold a graph.
TESTS = """
import pytest
from hypothesis import given, strategies

import minewright as mw

POSITION = mw.Position.parse("3x1x1\\n1##")
POSITION.topology.graph


@pytest.mark.parametrize("position", [POSITION], ids=["row"])
def test_of_a_parameter(position):
    assert mw.analyze(position).consistent


@given(strategies.integers())
def test_of_a_property(number):
    assert number == number
"""


def last_words(*arguments: str | Path, folder: Path) -> str:
    """Run Python to its end; return what it wrote on standard error."""
    environment = os.environ | {
        "PYTHONPATH": str(HERE),
        "HYPOTHESIS_STORAGE_DIRECTORY": str(folder),
    }
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stderr


def test_a_program_that_uses_the_kernel_leaves_nothing(tmp_path: Path) -> None:
    assert last_words("-c", USE, folder=tmp_path) == ""


def test_a_run_of_tests_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    # Otherwise pytest looks for settings in all folders above, and may find ours there.
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    options = "-q", "-p", "conftest", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir=."
    assert "leaked" not in last_words("-m", "pytest", *options, "test_it.py", folder=tmp_path)
