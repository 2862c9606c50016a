"""The list of mutations stays true to the kernel."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LISTED = tomllib.loads((ROOT / "scripts" / "mutations.toml").read_text("utf-8"))["mutation"]


@pytest.mark.parametrize("mutation", LISTED, ids=lambda mutation: mutation["name"])
def test_the_text_a_mutation_replaces_stands_once_in_the_kernel(mutation: dict[str, str]) -> None:
    text = (ROOT / "src" / "kernel" / mutation["file"]).read_text("utf-8")
    assert text.count(mutation["old"]) == 1
    assert mutation["new"] not in ("", mutation["old"]) or mutation["old"].endswith("\n")
