"""What the fuzzer has found and collected is read, or refused as documented, today as well."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fuzz"))
from targets import TARGETS, server

FUZZ = Path(__file__).resolve().parents[1] / "fuzz"


@pytest.fixture(autouse=True, scope="module")
def _no_server_stays() -> Iterator[None]:
    yield
    server.close()


@pytest.mark.parametrize("name", TARGETS)
def test_no_input_of_the_fuzzer_breaks_a_promise(name: str) -> None:
    inputs = [*(FUZZ / "corpus" / name).iterdir(), *(FUZZ / "found").glob(f"{name}/*")]
    assert inputs, "a target without a corpus proves nothing"
    for path in sorted(inputs):
        try:
            TARGETS[name](path.read_bytes())
        except Exception as error:
            error.add_note(f"the input is {path.relative_to(FUZZ)}")
            raise


def test_every_target_is_fuzzed_every_week() -> None:
    workflow = FUZZ.with_name(".github") / "workflows" / "fuzz.yml"
    listed = re.findall(r"^ +- ([\w.-]+)$", workflow.read_text("utf-8"), re.MULTILINE)
    assert listed == sorted(TARGETS)


def test_a_target_sees_a_broken_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(text: str) -> None:
        raise KeyError(text)

    monkeypatch.setattr("targets.texts.Board.parse", fail)
    with pytest.raises(KeyError):
        TARGETS["board"](b"9x9x10")
