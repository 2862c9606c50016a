"""The fixed amount of work: the same results everywhere."""

import json

import pytest

from minewright import bench


def test_the_signature_is_the_same_for_any_number_of_workers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bench, "SETS", tuple((*kind[:2], 2) for kind in bench.SETS))
    alone, together = bench.run(1), bench.run(2)
    assert alone.signature == together.signature
    assert alone.positions == together.positions
    assert json.loads(together.json())["signature"] == alone.signature
    assert f"signature   {alone.signature}\n" in str(alone)


def test_the_signature_changes_with_the_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SETS", (("9x9x10", "moore", 2),))
    before = bench.run().signature
    monkeypatch.setattr(bench, "DIGITS", 5)
    assert bench.run().signature != before


def test_no_result_has_changed() -> None:
    # Name a change and its reason in CHANGELOG.md; only then write the new signature here.
    assert bench.run(2).signature == "cd46c826ebdec2f8"
