"""A fixed amount of work of every kind gives the recorded results."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "results.py"
spec = importlib.util.spec_from_file_location("results", SCRIPT)
assert spec is not None
assert spec.loader is not None
results = importlib.util.module_from_spec(spec)
sys.modules["results"] = results
spec.loader.exec_module(results)


@pytest.mark.parametrize("name", results.QUICK)
def test_a_fixed_work_gives_its_recorded_results(name: str) -> None:
    recorded = json.loads(results.RECORD.read_text("utf-8"))
    assert results.digest(results.QUICK[name]) == recorded[name], (
        "meant? then `python scripts/results.py --write` records it anew"
    )


def test_results_do_not_depend_on_the_number_of_workers() -> None:
    work = results.QUICK["simulations"]
    assert results.digest(work, workers=2) == results.digest(work, workers=1)
