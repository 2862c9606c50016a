"""The benchmark for language models, with models that play by script."""

import json
import shlex
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from socket import gaierror
from threading import Thread
from time import monotonic, sleep

import pytest
from processes import HANG

import minewright as mw
from minewright.cli import main
from minewright.llm.answers import Answer, read_answer
from minewright.llm.errors import ModelError, ModelLogError
from minewright.llm.judge import judge
from minewright.llm.model import Address, Command
from minewright.llm.prompts import question
from minewright.llm.run import PATIENCE, Settings, play, resume
from minewright.llm.score import score
from minewright.work.progress import Quiet

# The mines are at row 1, columns 2 and 3. Proving column 1 safe takes three of the numbers.
STUCK = mw.Position.parse("4x2x2\n####\n1221")
PYTHON = shlex.quote(sys.executable)
EXAMPLE = shlex.join(
    [sys.executable, str(Path(__file__).parents[1] / "docs" / "examples" / "model.py")]
)
SETTINGS = Settings("6x6x5", "open", 3, "list", "a script")


class Script:
    """A model that plays by exact inference, or as it is told."""

    name = "a script"

    def __init__(self, speak: Callable[[mw.Position], str]) -> None:
        self.speak, self.asked = speak, 0

    def ask(self, prompt: str) -> str:
        self.asked += 1
        return self.speak(seen_in(prompt))


def seen_in(prompt: str) -> mw.Position:
    """Return the position of a prompt in the encoding `list`, without its 0s."""
    cells = [mw.SAFE] * 36
    for line in prompt.splitlines():
        number, _, rest = line.partition(" at ")
        place, _, near = rest.partition(": ")
        if number.isdigit() and near:
            cells[number_of(place)] = int(number)
            for cell in near.split():
                cells[number_of(cell)] = mw.COVERED
        elif line.startswith("Covered cells") and not line.endswith("none"):
            for cell in line.partition(": ")[2].split():
                cells[number_of(cell)] = mw.COVERED
    return mw.Position(mw.Position.covered_board(mw.Board.parse("6x6x5")).topology, bytes(cells), 5)


def number_of(place: str) -> int:
    row, column = map(int, place.split(","))
    return (row - 1) * 6 + column - 1


def best(position: mw.Position) -> str:
    """Answer as a perfect reasoner that names all numbers as its reason."""
    analysis = mw.analyze(position)
    cell = analysis.safe[0] if analysis.safe else analysis.best or 0
    clues = [c for c, code in enumerate(position.cells) if code <= mw.MAX_NUMBER]
    return json.dumps(
        {
            "open": [cell // 6 + 1, cell % 6 + 1],
            "mine_chance": analysis.chances[cell],
            "because": [[c // 6 + 1, c % 6 + 1] for c in clues],
            "total": True,
        }
    )


def test_a_perfect_reasoner_scores_perfectly_in_the_encoding_it_reads(tmp_path: Path) -> None:
    plays = play(SETTINGS, 6, Script(best), tmp_path / "log", Quiet())
    found = score(plays)
    assert found.games == 6
    assert found.won == sum(each.game.state == "won" for each in plays)
    for name, value in {
        "valid": 1.0,
        "needless": 0.0,
        "regret": 0.0,
        "error of the stated chance": 0.0,
        "reason proved": 1.0,
        "claim false": 0.0,
    }.items():
        assert found.figures[name].value == pytest.approx(value, abs=1e-12)
    low = found.figures["valid"].low
    assert low is not None
    assert 0.5 < low < 1  # a few replies, all good, do not prove that all are


def test_a_stopped_run_goes_on_where_it_was_and_ends_the_same(tmp_path: Path) -> None:
    whole = play(SETTINGS, 4, Script(best), tmp_path / "whole", Quiet())

    class Failing(Script):
        def ask(self, prompt: str) -> str:
            if self.asked == 5:
                raise ModelError("out of order")
            return super().ask(prompt)

    log = tmp_path / "log"
    with pytest.raises(ModelError):
        play(SETTINGS, 4, Failing(best), log, Quiet())
    with log.open("a") as file:
        file.write('{"game": 0, "rep')  # killed while it wrote
    rest = Script(best)
    again = play(SETTINGS, 4, rest, log, Quiet())
    assert [each.game.moves for each in again] == [each.game.moves for each in whole]
    assert rest.asked == sum(len(each.questions) for each in whole) - 5
    idle = Script(best)
    assert score(play(SETTINGS, 4, idle, log, Quiet())) == score(whole)
    assert idle.asked == 0


def test_a_log_of_another_run_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "log"
    play(SETTINGS, 1, Script(best), log, Quiet())
    other = Settings("6x6x5", "open", 4, "list", "a script")
    with pytest.raises(ModelLogError, match="seed is 3, not 4"):
        play(other, 1, Script(best), log, Quiet())
    log.write_text(log.read_text().replace('"reply"', '"answer"'))
    with pytest.raises(ModelLogError, match="line 2 is damaged"):
        resume(SETTINGS, log)


@pytest.mark.parametrize("after", [0, 1])
def test_a_game_that_its_first_opening_ends_is_counted_wherever_it_stands(
    after: int, tmp_path: Path
) -> None:
    risky = Settings("6x6x5", "any", 3, "list", "a script")
    ended = [number for number in range(40) if risky.game(number).over]
    games = ended[0] + 1 + after
    assert ended[0] + 1 not in ended
    log = tmp_path / "log"
    whole = play(risky, games, Script(best), log, Quiet())
    assert not whole[ended[0]].questions
    assert score(resume(None, log)) == score(whole)
    idle = Script(best)
    assert score(play(risky, games, idle, log, Quiet())) == score(whole)
    assert idle.asked == 0
    # Older versions wrote no line for it.
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(line for line in lines if '"reply": null' not in line))
    assert score(play(risky, games, idle, log, Quiet())) == score(whole)
    assert idle.asked == 0


@pytest.mark.parametrize("number", [-1, 1, 10**30])
def test_a_log_whose_games_are_not_in_order_is_refused(number: int, tmp_path: Path) -> None:
    log = tmp_path / "log"
    play(SETTINGS, 1, Script(best), log, Quiet())
    log.write_text(log.read_text().replace('"game": 0', f'"game": {number}', 1))
    with pytest.raises(ModelLogError, match="is not in order"):
        resume(SETTINGS, log)


def test_a_log_without_its_first_line_is_begun_anew(tmp_path: Path) -> None:
    log, cut = tmp_path / "log", tmp_path / "cut"
    play(SETTINGS, 1, Script(best), log, Quiet())
    header = log.read_text().partition("\n")[0]
    for left in ("", header[:20], header):
        cut.write_text(left)
        play(SETTINGS, 1, Script(best), cut, Quiet())
        assert cut.read_text().startswith(f"{header}\n")
        assert len(resume(SETTINGS, cut)) == 1


# The first game of seed 21 is lost by its first opening, before a model is asked.
@pytest.mark.parametrize(("start", "seed"), [("safe", "3"), ("any", "21")])
def test_a_model_that_cannot_be_asked_does_not_claim_the_log(
    start: str, seed: str, tmp_path: Path
) -> None:
    options = ["--board", "6x6x5", "--start", start, "--games", "2", "--seed", seed]
    out = ["--encoding", "list", "--out", str(tmp_path / "log")]
    run = ["llm", "run", *options, *out, "--command"]
    assert main([*run, "/nowhere/model"]) == 2
    assert main([*run, EXAMPLE]) == 0


def test_the_interval_of_a_chance_keeps_within_0_and_1(tmp_path: Path) -> None:
    def worst(position: mw.Position) -> str:
        chances = mw.analyze(position).chances
        cell = max(position.covered, key=lambda cell: chances[cell] or 0.0)
        return json.dumps({"open": [cell // 6 + 1, cell % 6 + 1]})

    plays = [
        *play(SETTINGS, 1, Script(best), tmp_path / "good", Quiet()),
        *play(SETTINGS, 1, Script(worst), tmp_path / "bad", Quiet()),
    ]
    regret = score(plays).figures["regret"]
    assert (regret.low, regret.high) == (0.0, 1.0)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_a_device_without_end_is_not_taken_for_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    wish = ["llm", "run", "--out", "/dev/zero", "--command", "cat", "--games", "1"]
    for arguments in (["llm", "report", "/dev/zero"], wish):
        assert main(arguments) == 2
        assert "this is not a regular file" in capsys.readouterr().err


def test_a_file_that_is_no_log_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "notes.json"
    file.write_text('{"a line": "without an end"}')
    assert main(["llm", "report", str(file)]) == 2
    assert main(["llm", "run", "--command", "model", "--out", str(file)]) == 2
    assert file.read_text() == '{"a line": "without an end"}'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"6x6x5"', '"6x6x99"'),
        ('"6x6x5"', "6"),
        ('"seed": 3', '"seed": "x"'),
        ('"a script"', "Infinity"),
        ('"game": 0', '"game": 1e999'),
    ],
)
def test_a_damaged_log_is_told_in_one_line(
    old: str, new: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"
    play(SETTINGS, 1, Script(best), log, Quiet())
    log.write_text(log.read_text().replace(old, new, 1))
    assert main(["llm", "report", str(log)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("I would open row 1.", "no JSON object"),
        ('{"open": [9, 1]}', "not on the board"),
        ('{"open": [2, 1]}', "open already"),
        ('{"open": "1,1"}', "is not [ROW, COLUMN]"),
        ('{"open": [true, 1]}', "whole numbers"),
        ("{" * 5000, "no JSON object"),
    ],
)
def test_a_reply_that_is_no_move_is_told_so(reply: str, problem: str) -> None:
    found = read_answer(reply, STUCK)
    assert isinstance(found, str)
    assert problem in found
    assert found in question(STUCK, "grid", found)


def test_the_last_object_of_a_talkative_reply_counts() -> None:
    reply = 'First {"open": [1, 4]}, no: {"open": [1, 1], "mine_chance": 0, "because": [[2, 1]]}.'
    assert read_answer(reply, STUCK) == Answer(0, 0.0, (4,), False)


@pytest.mark.parametrize(
    ("cell", "chance", "clues", "reason"),
    [
        (0, 0.0, (4, 6, 7), "proved"),
        (0, 0.0, (4, 5), "unproved"),
        (0, 0.0, (), "unproved"),
        (1, 0.0, (4, 5), "false"),
        (1, 0.9, (4, 5), None),
        (0, None, (4, 5), None),
    ],
)
def test_a_stated_reason_is_checked_by_its_clues_alone(
    cell: int, chance: float | None, clues: tuple[int, ...], reason: str | None
) -> None:
    verdict = judge(STUCK, Answer(cell, chance, clues, False))
    assert verdict.reason == reason
    assert verdict.needless == (cell != 0)
    assert verdict.workload == 1  # the first step needs two clues, the others one
    assert verdict.regret == (0.0 if cell == 0 else 1.0)


def test_a_model_that_never_answers_well_is_given_up(tmp_path: Path) -> None:
    model = Script(lambda _: "no idea")
    found = score(play(SETTINGS, 2, model, tmp_path / "log", Quiet()))
    assert model.asked == 2 * PATIENCE
    assert (found.games, found.won, found.figures["valid"].value) == (2, 0, 0.0)
    assert found.figures["regret"].value is None


@contextmanager
def server(answer: Callable[[dict[str, object]], tuple[int, object]]) -> Iterator[str]:
    """Serve chat completions on a free port."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            code, reply = answer({**body, "path": self.path, "key": self.headers["Authorization"]})
            data = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
            self.send_response(code)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with serving(Handler) as url:
        yield url


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Serve on a free port."""
    with HTTPServer(("127.0.0.1", 0), handler) as served:
        thread = Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{served.server_port}/v1"
        finally:
            served.shutdown()
            thread.join()


def completion(text: str) -> dict[str, object]:
    return {"choices": [{"message": {"role": "assistant", "content": text}}]}


def test_a_model_behind_an_address_plays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINEWRIGHT_LLM_KEY", "secret")
    heard: list[dict[str, object]] = []

    def answer(request: dict[str, object]) -> tuple[int, object]:
        heard.append(request)
        messages = request["messages"]
        assert isinstance(messages, list)
        return 200, completion(best(seen_in(messages[0]["content"])))

    log = tmp_path / "log"
    with server(answer) as url:
        options = ["--url", url, "--model", "fake", "--out", str(log)]
        board = ["--board", "6x6x5", "--games", "2", "--seed", "3", "--encoding", "list"]
        assert main(["llm", "run", *options, *board, "--json"]) == 0
    first = capsys.readouterr().out
    assert json.loads(first)["figures"]["valid"]["value"] == 1.0
    assert {(each["path"], each["model"], each["key"]) for each in heard} == {
        ("/v1/chat/completions", "fake", "Bearer secret")
    }
    assert "secret" not in log.read_text()
    assert main(["llm", "report", str(log), "--json"]) == 0
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    "answer",
    [b'{"choices": []}', b"null", b"\xff", b"[" * 100_000],
    ids=["empty", "null", "not UTF-8", "nested"],
)
def test_an_answer_that_is_no_chat_completion_is_named(answer: bytes) -> None:
    with (
        server(lambda _: (200, answer)) as url,
        pytest.raises(ModelError, match="not a chat completion"),
    ):
        Address(url, "fake", HANG).ask("?")


def test_a_busy_server_is_asked_again_and_a_refusing_one_is_not() -> None:
    codes = [503, 429, 200]
    waits: list[float] = []
    with server(lambda _: (codes.pop(0), completion("hello"))) as url:
        assert Address(url, "fake", HANG, wait=waits.append).ask("?") == "hello"
    assert len(waits) == 2
    with server(lambda _: (401, {})) as url, pytest.raises(ModelError, match="answers 401"):
        Address(url, "fake", HANG, wait=waits.append).ask("?")
    assert len(waits) == 2


@pytest.mark.parametrize(
    "error", [ConnectionRefusedError(111, "refused"), gaierror(-2, "unknown name")]
)
def test_an_address_where_nobody_listens_is_told_at_once(
    error: OSError, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("socket.create_connection", fail)
    waits: list[float] = []
    with pytest.raises(ModelError, match=f"cannot be reached: {error.strerror}$"):
        Address("http://somewhere/v1", "fake", HANG, wait=waits.append).ask("?")
    assert not waits


def test_a_reply_that_comes_byte_by_byte_ends_at_the_time_limit() -> None:
    class Slow(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):  # until nobody listens
                while True:
                    self.wfile.write(b" ")
                    sleep(0.01)

        def log_message(self, format: str, *args: object) -> None:
            pass

    waits: list[float] = []
    with (
        serving(Slow) as url,
        pytest.raises(ModelError, match=r"took more than 0\.2 seconds"),
    ):
        Address(url, "fake", 0.2, wait=waits.append).ask("?")
    assert not waits


def test_a_command_plays_and_a_failing_one_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--board", "6x6x5", "--games", "1", "--seed", "3", "--encoding", "list"]
    log = tmp_path / "log"
    assert main(["llm", "run", "--command", EXAMPLE, "--out", str(log), *options]) == 0
    told = capsys.readouterr().out
    assert "\n1 game finished, " in told
    assert "claims of certainty that are false              0.0%" in told
    with pytest.raises(ModelError, match="exit code 3: gone"):
        Command(f"{PYTHON} -c 'import sys; print(\"gone\", file=sys.stderr); exit(3)'", HANG).ask(
            ""
        )
    with pytest.raises(ModelError, match="cannot be run"):
        Command("/nowhere/model", HANG).ask("")


def test_what_a_command_writes_without_end_is_not_kept(tmp_path: Path) -> None:
    program = tmp_path / "model.py"
    program.write_text(
        "import sys\n"
        "stream = getattr(sys, sys.argv[1])\n"
        "while True:\n"
        "    stream.write('x' * 65536)\n"
    )
    command = [sys.executable, str(program)]
    tracemalloc.start()
    with pytest.raises(ModelError, match="wrote more than 4,000,000 bytes"):
        Command(shlex.join([*command, "stdout"]), HANG).ask("")
    with pytest.raises(ModelError, match=r"took more than 0\.2 seconds"):
        Command(shlex.join([*command, "stderr"]), 0.2).ask("")
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


def test_a_command_is_ended_in_time_with_all_that_it_started() -> None:
    begun = monotonic()
    # The shell's child keeps its streams open for as long as it lives.
    with pytest.raises(ModelError, match="took more than 1 seconds"):
        Command(f"sh -c 'sleep {HANG}; echo'", 1.0).ask("")
    assert monotonic() - begun < HANG


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "--out", "x"], "either --command, or --url with --model"),
        (["run", "--out", "x", "--url", "http://127.0.0.1:1"], "--url needs --model"),
        (["run", "--out", "x", "--url", "ftp://x", "--model", "m"], "begins with http://"),
        (["run", "--out", "x", "--command", "m", "--board", "3x3x3x3"], "rows and columns"),
        (["run", "--out", "x", "--url", "http://x:y", "--model", "m"], "cannot be asked"),
        (["run", "--out", "x", "--url", "http://[", "--model", "m"], "cannot be asked"),
        (["run", "--out", "x", "--command", "m", "--seconds", "nan"], "--seconds must be"),
        (["run", "--out", "x", "--command", "m", "--model", "n"], "--model is for --url"),
        (["run", "--out", "x", "--command", "m", "--board", "1x1x1", "--start", "any"], "is mined"),
        (["prompt", "--board", "3x3x9", "--start", "any"], "every cell is mined"),
        (["prompt", "--game", "99999999999999999999"], "--game"),
        (["report", "missing"], "missing: No such file"),
    ],
)
def test_mistakes_are_told_in_one_line(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["llm", *arguments]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
