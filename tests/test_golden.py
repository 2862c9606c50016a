"""Recorded games: a change of play or of words shows here, to be intended or fixed."""

import importlib.util
import sys
from pathlib import Path

import pytest

from minewright.strategies import strategies

SCRIPT = Path(__file__).parents[1] / "scripts" / "golden.py"
spec = importlib.util.spec_from_file_location("golden", SCRIPT)
assert spec is not None
assert spec.loader is not None
golden = importlib.util.module_from_spec(spec)
sys.modules["golden"] = golden
spec.loader.exec_module(golden)


@pytest.mark.parametrize("name", strategies())
def test_a_strategy_plays_its_recorded_game_again(name: str) -> None:
    recorded = (golden.GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert golden.playthrough(name) == recorded, "meant? then `make golden` records it anew"


def test_no_recorded_game_is_of_a_strategy_that_is_gone() -> None:
    assert {path.stem for path in golden.GOLDEN.glob("*.txt")} == set(strategies())
