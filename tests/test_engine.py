"""The engine: every query gets one answer, the right one, and no line stops it."""

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import which
from threading import Event
from time import sleep
from typing import Any

import pytest
from engine_schema import ANSWER, QUERY, SCHEMA
from hard_positions import scattered
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import HANG

import minewright as mw
from minewright import champion
from minewright.cli import main
from minewright.engine import Engine, answer, engine
from minewright.engine.actions import ACTIONS, CHUNK, Work
from minewright.engine.queries import MAX_LINE, Query

ROOT = Path(__file__).parents[1]
STUCK, GUESS, CLASH = "3x3x2\n1##\n12#\n01#", "3x1x1\n#1#", "3x1x2\n#1#"
Data = dict[str, Any]


def talk(lines: Iterable[Data | bytes]) -> list[Data]:
    """Return what the engine writes about these lines."""
    sent = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    heard = io.BytesIO()
    Engine(io.BytesIO(b"".join(line + b"\n" for line in sent)), heard).run()
    found = [json.loads(line) for line in heard.getvalue().splitlines()]
    for line in found:
        ANSWER.validate(line)
    return found


def ask(**query: object) -> Any:
    """Return the result of one query."""
    QUERY.validate({"id": 1, **query})
    (only,) = talk([{"id": 1, **query}])
    return only["result"]


def error(line: Data | bytes) -> Data:
    (only,) = talk([line])
    found = only["error"]
    assert isinstance(found, dict)
    return found | {"id": only["id"]}


def played(count: int) -> list[str]:
    """Return positions of games, certain and uncertain ones."""
    found: list[str] = []
    for seed in range(count):
        game = mw.Game(mw.Board.parse("9x8x14"), "open", seed)
        game.open(30)
        for cell in range(0, 72, 5):
            if not game.over and cell not in mw.analyze(game.position).mined:
                game.open(cell)
        found.append(str(game.position))
    return found


def test_an_analysis_is_what_solve_prints() -> None:
    texts = [STUCK, GUESS, CLASH, "2x2x2x3 box\n1#\n##\n\n##\n##", *played(2 * CHUNK)]
    fields = ["consistent", "safe", "mined", "probability", "best", "solutions"]
    found = ask(action="analyze", positions=texts, fields=fields)["answers"]
    for text, said in zip(texts, found, strict=True):
        wanted = json.loads(json.dumps(answer(mw.analyze(mw.Position.parse(text)))))
        assert said == {name: wanted[name] for name in said}
        assert set(fields) <= set(said)
        assert ("clash" in said) == (not said["consistent"])
    assert ask(action="analyze", position=STUCK, fields=["best"]) == {"best": [0, 2]}


@settings(max_examples=40)
@given(st.data())
def test_chances_are_written_as_json_writes_them(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 12))
    cells = data.draw(st.lists(st.sampled_from("##01"), min_size=2 * size, max_size=2 * size))
    text = "".join(cells[:size]) + "\n" + "".join(cells[size:])
    analysis = mw.analyze(mw.Position.parse(text))
    rows = analysis.position.topology.nested(analysis.chances)
    assert analysis.chances_json() == json.dumps(rows)


def test_of_no_fields_only_a_clash_is_told() -> None:
    assert ask(action="analyze", position=STUCK, fields=[]) == {}
    assert list(ask(action="analyze", position=CLASH, fields=[])) == ["clash"]


def test_explain_says_what_the_library_says() -> None:
    found = ask(action="explain", position=STUCK)
    assert [step["sentence"] for step in found["steps"]] == [
        step.sentence for step in mw.explain(mw.Position.parse(STUCK))
    ]
    assert found["guess"] is None
    guess = mw.guess(mw.Position.parse(GUESS))
    assert guess is not None
    assert ask(action="explain", position=GUESS)["guess"]["sentence"] == guess.sentence
    assert len(ask(action="explain", position=STUCK, steps=1)["steps"]) == 1


def test_the_best_move_is_safe_if_one_is_and_otherwise_the_guess() -> None:
    texts = [STUCK, GUESS, CLASH, "2x1x1\n1F"]
    safe, guess, clash, mined = ask(action="best", positions=texts)["answers"]
    assert (safe["cell"], safe["risk"], safe["safe"]) == ([0, 2], 0.0, [[0, 2]])
    assert (guess["cell"], guess["risk"], guess["forced"]) == ([0, 0], 0.5, True)
    assert (clash["consistent"], clash["cell"]) == (False, None)
    assert (mined["consistent"], mined["cell"], mined["risk"]) == (True, None, None)


def test_a_guess_comes_with_the_champion_s_choice_as_solve_prints_it() -> None:
    text = "16x2x4\n#1##############\n################"
    found = ask(action="best", position=text)
    own, guess = mw.best_move(mw.Position.parse(text)), mw.guess(mw.Position.parse(text))
    said = found["champion"]
    assert guess is not None
    assert tuple(found["cell"]) == own.position.topology.coordinates(guess.cell)
    assert tuple(said["cell"]) == own.position.topology.coordinates(own.cell)
    assert (said["win"], said["bounds"]) == (own.win, [own.lower, own.upper])
    assert said["sentences"] == list(own.sentences)
    assert len(said["options"]) == len(own.options)
    # There is nothing to choose, or nothing to choose by: the rest of the answer stands.
    for other in (STUCK, CLASH, "2x1x1\n1F", "##\n"):
        assert "champion" not in ask(action="best", position=other)


def test_the_budget_of_a_query_is_also_that_of_what_the_champion_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    budgets = []

    def look(position: mw.Position, *, budget: mw.Budget, trust_marks: bool = False) -> mw.Analysis:
        budgets.append(budget)
        return mw.analyze(position, budget=budget, trust_marks=trust_marks)

    monkeypatch.setattr(champion, "analyze", look)
    text = "16x2x4\n#1##############\n################"
    own = mw.Budget(1_000_000, 60.0)
    given = {"states": own.states, "seconds": own.seconds}
    said = ask(action="best", position=text, budget=given)["champion"]
    assert len(said["sentences"]) == 2
    assert len(budgets) > 1
    assert set(budgets) == {own}


def test_a_made_board_is_proved_and_a_forged_proof_is_not() -> None:
    (board,) = ask(action="make", board="9x9x10", seed=3, proof=True)["boards"]
    made = mw.noguess.make("9x9x10", seed=3)
    assert board["mines"] == [list(made.topology.coordinates(c)) for c in sorted(made.minefield)]
    assert ask(action="verify", proof=board["proof"])["proved"]
    forged = board["proof"] | {"steps": board["proof"]["steps"][1:]}
    assert ask(action="verify", proof=forged)["proved"] is False
    puzzles = ask(action="make", kind="bullets", size=4, bullets=5, seed=1, count=2)["puzzles"]
    assert puzzles[0]["text"] == str(mw.bullets.make(4, 5, seed=1))
    assert puzzles[0]["text"] != puzzles[1]["text"]


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        (b"nonsense", "bad-json", "not JSON"),
        (b"\xff\xfe", "bad-json", "not JSON"),
        (b"[" * 100_000, "bad-json", "not JSON"),
        (b'{"id": ' + b"9" * 5000 + b"}", "bad-json", "30 digits"),
        (b"[]", "bad-query", "expected an object"),
        (b"x" * (MAX_LINE + 5), "bad-query", "8,000,000 bytes"),
        ({"action": "version"}, "bad-query", "a string or a whole number"),
        ({"id": "x" * 201, "action": "version"}, "bad-query", "200 characters"),
        ({"id": 7}, "bad-query", "the name of an action"),
        ({"id": 7, "action": "dance"}, "bad-query", "no such action"),
        ({"id": 7, "action": "version", "colour": 1}, "bad-query", "no such field"),
        ({"id": 7, "action": "analyze"}, "bad-query", "either position or positions"),
        ({"id": 7, "action": "analyze", "position": 3}, "bad-query", "a string"),
        ({"id": 7, "action": "analyze", "position": "9"}, "bad-position", "line 1"),
        ({"id": 7, "action": "analyze", "positions": [""] * 10_001}, "bad-query", "10,000"),
        ({"id": 7, "action": "analyze", "position": STUCK, "fields": ["x"]}, "bad-query", "best"),
        ({"id": 7, "action": "best", "position": STUCK, "budget": 5}, "bad-query", "an object"),
        ({"id": 7, "action": "version", "priority": "high"}, "bad-query", "whole number"),
        ({"id": 7, "action": "make", "board": "3x3x99"}, "bad-query", "cannot hold 99"),
        ({"id": 7, "action": "make", "board": "600x600x9"}, "bad-query", "250,000 cells"),
        ({"id": 7, "action": "make", "board": "4x4x9", "first": [9, 9]}, "bad-query", "first row"),
        ({"id": 7, "action": "make", "topology": "x"}, "bad-query", "topology there is no"),
        ({"id": 7, "action": "make", "board": "4x4x14"}, "not-found", "at most 7 mines"),
        # The clock never decides which puzzle it is.
        (
            {
                "id": 7,
                "action": "make",
                "kind": "bullets",
                "size": 20,
                "budget": {"seconds": 0.001},
            },
            "not-found",
            "not made in time",
        ),
        ({"id": 7, "action": "verify", "proof": {}}, "bad-query", "proof"),
        ({"id": 7, "action": "cancel", "off": 3}, "bad-query", "no such field"),
    ],
)
def test_a_bad_line_gets_an_error_with_its_id_and_the_next_its_answer(
    line: Data | bytes, code: str, words: str
) -> None:
    found = error(line)
    assert found["code"] == code
    assert words in f"{found.get('field')} {found['message']}"
    wanted = line.get("id") if isinstance(line, dict) and len(str(line.get("id"))) < 200 else None
    assert found["id"] == wanted
    _, after = talk([line, {"id": "next", "action": "version"}])
    assert after["result"]["protocol"] == 1


def test_a_line_nested_as_deeply_as_can_be_read_is_answered() -> None:
    # Near the recursion limit, something that could be read cannot be written again.
    most = sys.getrecursionlimit()
    lines = [b'{"id": ' + b"[" * depth + b"]" * depth + b"}" for depth in range(most - 50, most)]
    assert {found["error"]["code"] for found in talk(lines)} <= {"bad-json", "bad-query"}
    assert talk([*lines, {"id": 1, "action": "version"}])[-1]["result"]["protocol"] == 1


def test_one_hard_position_does_not_spoil_the_others() -> None:
    hard = str(scattered((16, 16), 50, 0.3, 1))
    texts = [STUCK, hard, "nonsense", GUESS]
    found = ask(action="analyze", positions=texts, budget={"states": 40})["answers"]
    codes = [said.get("error", {}).get("code") for said in found]
    assert codes == [None, "too-hard", "bad-position", None]
    assert found[3] == ask(action="analyze", position=GUESS)


def test_a_fault_in_one_query_does_not_spoil_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(query: Query) -> Work:
        raise KeyError(query.action)

    monkeypatch.setitem(ACTIONS, "verify", fail)
    bad, good = talk([{"id": 1, "action": "verify"}, {"id": 2, "action": "version"}])
    assert bad == {"id": 1, "error": {"code": "internal", "message": "KeyError: 'verify'"}}
    assert good["result"]["protocol"] == 1


@given(st.lists(st.one_of(st.binary(max_size=60), st.builds(
    lambda data: json.dumps(data).encode(),
    st.dictionaries(
        st.sampled_from(["id", "action", "position", "positions", "priority", "of", "budget"]),
        st.one_of(
            st.none(), st.booleans(), st.integers(), st.text(max_size=5),
            st.sampled_from([*ACTIONS, "cancel", STUCK]), st.lists(st.text(max_size=3), max_size=3),
        ),
    ),
)), max_size=6))  # fmt: skip
@settings(max_examples=40)
def test_whatever_comes_every_line_has_one_answer(lines: list[bytes]) -> None:
    # Making a board takes a long time, and nothing about it is random here.
    lines = [line.replace(b"\n", b" ") for line in lines if b"make" not in line]
    found = talk(lines)
    assert len(found) == sum(bool(line.strip()) for line in lines)
    assert not [said for said in found if said.get("error", {}).get("code") == "internal"]


class Slow(io.BytesIO):
    """A stream whose lines come when they are due."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        super().__init__()
        self._parts = parts

    def readline(self, size: int | None = -1, /) -> bytes:
        return next(self._parts, b"")


class Heard(io.BytesIO):
    """A stream that notes when something is written."""

    def __init__(self) -> None:
        super().__init__()
        self.came = Event()

    def write(self, data: Any) -> int:
        self.came.set()
        return super().write(data)

    def lines(self) -> list[Data]:
        return [json.loads(line) for line in self.getvalue().splitlines()]


def test_the_urgent_comes_first_and_a_cancel_ends_what_runs() -> None:
    heard = Heard()

    def parts() -> Iterator[bytes]:
        long = {"id": "long", "action": "explain", "positions": [STUCK] * 10_000, "progress": 0}
        yield json.dumps(long).encode() + b"\n"
        # The first line about its progress: it is running.
        assert heard.came.wait(HANG)
        yield b'{"id": "later", "action": "version", "priority": -1}\n'
        yield b'{"id": "now", "action": "version", "priority": 1}\n'
        heard.came.clear()
        while not any(line["id"] == "now" for line in heard.lines()):
            assert heard.came.wait(HANG)
            heard.came.clear()
        yield b'{"id": "stop", "action": "cancel", "of": ["long", "nobody"]}\n'

    Engine(Slow(parts()), heard).run()
    lines = heard.lines()
    assert lines[0]["progress"] == {"done": 1, "total": 10_000}
    final = [line["id"] for line in lines if "progress" not in line]
    assert final == ["now", "long", "stop", "later"]
    assert [line["result"] for line in lines if line["id"] == "stop"] == [{"cancelled": ["long"]}]
    assert [e["error"]["code"] for e in lines if e["id"] == "long" and "error" in e] == [
        "cancelled"
    ]


def test_an_id_is_free_again_only_after_its_answer() -> None:
    heard = Heard()

    def parts() -> Iterator[bytes]:
        long = {"id": "long", "action": "explain", "positions": [STUCK] * 10_000, "progress": 0}
        yield json.dumps(long).encode() + b"\n"
        assert heard.came.wait(HANG)
        yield b'{"id": "long", "action": "version"}\n'
        yield b'{"id": "stop", "action": "cancel"}\n'
        yield b'{"id": "long", "action": "version"}\n'

    Engine(Slow(parts()), heard).run()
    twice, ended, stop, last = (line for line in heard.lines() if "progress" not in line)
    assert "still waiting" in twice["error"]["message"]
    assert (ended["id"], ended["error"]["code"]) == ("long", "cancelled")
    assert stop["result"] == {"cancelled": ["long"]}
    assert (last["id"], last["result"]["protocol"]) == ("long", 1)


@pytest.mark.parametrize(("name", "most"), [("MAX_WAITING", 3), ("MAX_WAITING_BYTES", 500)])
def test_no_more_is_read_than_may_wait(
    name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, waiting = Heard(), 0

    def rest(query: Query) -> Work:
        # Long enough for everything to be read if there were no limit.
        for done in range(20):
            sleep(0.01)
            yield done, 20
        return "null"

    def parts() -> Iterator[bytes]:
        nonlocal waiting
        yield b'{"id": "long", "action": "rest", "priority": 1}\n'
        for number in range(40):
            query = {"id": number, "action": "version"}
            yield json.dumps(query).encode().ljust(99) + b"\n"
            waiting = max(waiting, 2 + number - len(heard.lines()))

    monkeypatch.setattr(engine, name, most)
    monkeypatch.setitem(ACTIONS, "rest", rest)
    made = Engine(Slow(parts()), heard)
    made.run()
    assert len(heard.lines()) == 41
    # One more is let in while the heap is empty, and an answer is written a moment after its work.
    assert waiting <= 7
    assert made._bytes == 0


def test_after_its_answer_nothing_is_told_of_a_query(monkeypatch: pytest.MonkeyPatch) -> None:
    heard, cancelled = Heard(), Event()

    def hold(query: Query) -> Work:
        yield 1, 3
        assert cancelled.wait(HANG)
        yield 2, 3
        return "null"

    def parts() -> Iterator[bytes]:
        yield b'{"id": 1, "action": "hold", "progress": 0}\n'
        assert heard.came.wait(HANG)
        yield b'{"id": 2, "action": "cancel", "of": 1}\n'
        cancelled.set()

    monkeypatch.setitem(ACTIONS, "hold", hold)
    Engine(Slow(parts()), heard).run()
    told = [(line["id"], *(line.keys() - {"id"})) for line in heard.lines()]
    assert told == [(1, "progress"), (1, "error"), (2, "result")]


@pytest.mark.parametrize("budget", [{"states": 20_000_000_001}, {"seconds": 601}])
def test_a_budget_has_bounds(budget: dict[str, int]) -> None:
    found = error({"id": 7, "action": "analyze", "position": STUCK, "budget": budget})
    (name,) = budget
    assert (found["code"], found["field"]) == ("bad-query", f"budget.{name}")


def test_the_schema_names_every_action_and_the_command_prints_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    named = {
        each["properties"]["action"]["const"]
        for each in SCHEMA["$defs"].values()
        if "action" in each.get("properties", {})
    }
    assert named == {*ACTIONS, "cancel"}
    assert main(["engine", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == SCHEMA


def test_the_command_answers_through_a_pipe_and_ends_with_its_input() -> None:
    lines = (
        b'{"id": 1, "action": "version"}\n\n{"id": 2, "action": "best", "position": "3x1x1\\n1-#"}'
    )
    command = [sys.executable, "-m", "minewright", "engine"]
    run = subprocess.run(command, input=lines, capture_output=True, check=True)
    assert [json.loads(line)["id"] for line in run.stdout.splitlines()] == [1, 2]
    assert run.stderr == b""


@pytest.mark.parametrize("ending", ["interrupt", "closed pipe"])
def test_the_command_ends_cleanly_while_it_waits_for_more(ending: str) -> None:
    command = [sys.executable, "-m", "minewright", "engine"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b'{"id": 1, "action": "version"}\n')
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        if ending == "interrupt":
            process.send_signal(signal.SIGINT)
        else:
            process.stdout.close()
            process.stdin.write(b'{"id": 2, "action": "version"}\n')
            process.stdin.flush()
        said = process.stderr.read()
    wanted = (130, b"minewright: interrupted\n") if ending == "interrupt" else (141, b"")
    assert (process.returncode, said) == wanted


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("line", [b'{"id": 1, "action": "version"}', b"nonsense"])
def test_a_full_disk_is_told_in_one_line(line: bytes) -> None:
    command = [sys.executable, "-m", "minewright", "engine"]
    with open("/dev/full", "wb") as full:
        run = subprocess.run(command, input=line, stdout=full, stderr=subprocess.PIPE)
    assert run.returncode == 2
    assert run.stderr == b"minewright: standard input or output: No space left on device\n"


@pytest.mark.skipif(not which("node"), reason="needs Node: see scripts/node")
def test_the_client_for_node_explains_positions(tmp_path: Path) -> None:
    for name, text in (("a.txt", STUCK), ("b.txt", GUESS)):
        (tmp_path / name).write_text(text)
    program = Path(sys.executable).with_name("minewright")
    run = subprocess.run(
        ["node", ROOT / "docs/examples/engine-client.mjs", "a.txt", "b.txt"],
        cwd=tmp_path,
        env=os.environ | {"MINEWRIGHT": str(program)},
        capture_output=True,
        text=True,
        check=True,
    )
    steps = [step.sentence for step in mw.explain(mw.Position.parse(STUCK))]
    guess = mw.guess(mw.Position.parse(GUESS))
    assert guess is not None
    assert run.stdout.splitlines() == [*steps, guess.sentence]
