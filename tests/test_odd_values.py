"""Each value of a file or a query in turn is an odd one: it is answered, or refused in one line."""

import io
import json
from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any

import pytest
from engine_schema import ANSWER
from lab_runs import played

import minewright as mw
from minewright.cli import main
from minewright.engine import Engine
from minewright.lab.experiment import Experiment
from minewright.lab.run import ABOUT, PROGRESS

ODD: tuple[object, ...] = (
    *(None, True, -1, 1e-320, 1e308, inf, 10**400, 2**63, "", "\0\u202e", "9" * 999, [], [[]], {}),
)
CLUES = "4x3x2\n##1.\n##1.\n11.."
GUESS = "3x1x1\n#1#"
LITTLE = {"states": 1000, "seconds": 0.1}
PROOF = json.loads(mw.noguess.make("5x5x4", seed=1).proof.json())
REPLAY = {
    "minewright": "replay",
    "topology": "moore",
    "shape": [8, 8],
    "mines": [[7, 7], *([row, 7] for row in range(7)), [7, 6], [7, 0]],
    "moves": [[1.5, "mark", [0, 7]], [2, "open", [0, 0]], [2.5, "chord", [6, 6]]],
    "ended": True,
    "player": "Anna",
    "program": "",
    "clicks": [2, 1, 1],
}
FILES: dict[str, tuple[Any, tuple[str, ...]]] = {
    "replay": (REPLAY, ("profile . --json", "review F --json", "convert F - --to json")),
    "position": ({"minewright": "position", "text": CLUES}, ("solve F --json", "rate F --json")),
    "puzzle": (mw.bullets.make(size=4, bullets=3, seed=1).as_data(), ("bullets grade F --json",)),
    "proof": (PROOF, ("verify F", "rate F --json")),
    "log": (
        {
            "version": 1,
            "board": "4x4x3",
            "start": "open",
            "seed": 1,
            "encoding": "list",
            "model": "a",
        },
        ("llm report F --json",),
    ),
}
QUERIES: dict[str, dict[str, Any]] = {
    "analyze": {"positions": [CLUES, GUESS], "fields": ["safe", "best"], "budget": LITTLE},
    "explain": {"position": CLUES, "search": "simplest", "budget": LITTLE},
    "best": {"position": GUESS, "level": "fast", "budget": LITTLE},
    "make": {"kind": "noguess", "board": "5x5x4", "count": 1, "first": [2, 2], "budget": LITTLE},
    "verify": {"proof": PROOF},
    "cancel": {"of": [1]},
}


def odd(value: Any) -> Iterator[Any]:
    """Yield odd values, then this value with each that it holds in turn replaced by odd ones."""
    yield from ODD
    if isinstance(value, dict):
        for name, held in value.items():
            yield from (value | {name: other} for other in odd(held))
    elif isinstance(value, list):
        for at, held in enumerate(value):
            yield from ([*value[:at], other, *value[at + 1 :]] for other in odd(held))


def read_json(text: str | bytes) -> Any:
    return json.loads(text, parse_constant=pytest.fail)


def check(command: str, capsys: pytest.CaptureFixture[str]) -> int:
    """Check that a command keeps its promises, whatever its file holds; return its exit code."""
    code = main(command.split())
    told = capsys.readouterr()
    assert code in range(4)
    if code == 2:
        assert (told.out, told.err.count("\n")) == ("", 1)
        assert len(told.err) < 1000
    elif "--json" in command:
        read_json(told.out)
    return code


@pytest.mark.parametrize("kind", FILES)
def test_a_file(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    document, commands = FILES[kind]
    for changed in [document, *odd(document)]:
        Path("F").write_text(f"{json.dumps(changed)}\n", encoding="utf-8")
        codes = [check(command, capsys) for command in commands]
        assert not any(codes) or changed is not document


@pytest.mark.parametrize("name", [ABOUT, PROGRESS])
def test_a_file_of_a_run(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = played(
        tmp_path / "run", Experiment.grid("x", strategies=["exact"], boards=["4x4x3"], games=1)
    )
    file = run.directory / name
    for changed in odd(json.loads(file.read_bytes())):
        file.write_text(json.dumps(changed), encoding="utf-8")
        check(f"lab status {run.directory} --json", capsys)


@pytest.mark.parametrize("action", QUERIES)
def test_a_query(action: str) -> None:
    sent = list(odd({"id": 7, "action": action, **QUERIES[action]}))
    heard = io.BytesIO()
    for one in sent:
        Engine(io.BytesIO(f"{json.dumps(one)}\n".encode()), heard).run()
    found = [read_json(line) for line in heard.getvalue().splitlines()]
    assert len(found) == len(sent)
    for answer in found:
        ANSWER.validate(answer)
        assert answer.get("error", {}).get("code") != "internal", answer
