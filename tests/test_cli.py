"""The command line: what it promises, and every way to get it wrong."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import HANG, SYSCALL, processor_seconds, started, wait_until, waits_for
from typer.testing import CliRunner

import minewright
from minewright.cli import app, main
from minewright.cli.streams import MAX_BYTES

SOLVABLE = "5x3x4\n#####\n#212#\n####F\n"
CLASHING = "4x1x1\n1##1\n"
HARD = "9x9x24\n" + "#########\n#2#3#2#3#\n#########\n#3#2#3#2#\n" * 2 + "#########\n"
COMMAND = [sys.executable, "-m", "minewright"]


class Ran:
    """The result of a command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def mistake(self) -> str:
        """The one line of a user's mistake; nothing else may be written."""
        assert (self.code, self.out) == (2, "")
        assert self.err.startswith("minewright: ")
        assert self.err.count("\n") == 1
        assert self.err.endswith("\n")
        return self.err


def run(*arguments: str, given: bytes = b"") -> Ran:
    """Run a command in this process."""
    streams = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(given))
    sys.stdout, sys.stderr = io.StringIO(), io.StringIO()
    try:
        code = main(arguments)
        return Ran(code, sys.stdout.getvalue(), sys.stderr.getvalue())
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "position.txt"
    path.write_text(SOLVABLE)
    return path


# Answers


def test_solve_prints_the_promised_object(file: Path) -> None:
    done = subprocess.run([*COMMAND, "solve", file, "--json"], capture_output=True, check=True)
    assert done.stderr == b""
    assert json.loads(done.stdout) == {
        "width": 5,
        "height": 3,
        "mines": 4,
        "consistent": True,
        "solutions": "36",
        "safe": [[0, 2], [2, 2]],
        "mined": [],
        "probability": [
            [0.5, 0.25, 0.0, 0.25, 0.5],
            [0.5, None, None, None, 0.5],
            [0.5, 0.25, 0.0, 0.25, 0.5],
        ],
        "best": [0, 2],
    }


def test_solve_reads_standard_input_and_the_total_from_an_option(file: Path) -> None:
    rows = SOLVABLE.partition("\n")[2].encode()
    from_file = run("solve", str(file), "--json")
    assert run("solve", "-", "--mines", "4", "--json", given=rows).out == from_file.out
    assert json.loads(run("solve", "-", "--json", given=rows).out)["mines"] is None


def test_solve_trusts_marks_only_when_asked(file: Path) -> None:
    assert json.loads(run("solve", str(file), "--json").out)["mined"] == []
    trusting = json.loads(run("solve", str(file), "--json", "--trust-marks").out)
    assert trusting["probability"][2][4] == 1.0
    assert trusting["solutions"] == "18"


def test_solve_shows_a_picture_and_a_summary(file: Path) -> None:
    shown = run("solve", str(file))
    assert shown.code == 0
    assert "2  50 2  1  2  50" in shown.out
    assert "best        row 1, column 3: no risk" in shown.out


def test_a_position_that_cannot_be_is_an_answer_that_names_the_clash() -> None:
    shown = run("solve", "-", given=CLASHING.encode())
    assert (shown.code, shown.err) == (1, "")
    assert "no: the 1 at row 1, column 1, the 1 at row 1, column 4 and the total of 1" in shown.out
    answer = json.loads(run("solve", "-", "--json", given=CLASHING.encode()).out)
    assert (answer["consistent"], answer["solutions"], answer["best"]) == (False, "0", None)
    assert answer["probability"] == [[None] * 4]
    assert answer["clash"] == {"clues": [[0, 0], [0, 3]], "total": True}


def test_a_box_has_layers_in_its_answer() -> None:
    answer = json.loads(run("solve", "-", "--json", given=b"2x1x2x1 box\n1#\n\n##\n").out)
    assert (answer["width"], answer["height"]) == (2, 1)
    assert answer["probability"] == [[[None, pytest.approx(1 / 3)]], [[pytest.approx(1 / 3)] * 2]]
    assert answer["best"] == [0, 0, 1]


def test_the_topology_comes_from_the_header_or_the_option() -> None:
    named = run("solve", "-", "--json", given=b"3x3x2 knight\n1##\n#0#\n###\n")
    asked = run("solve", "-", "--json", "--topology", "knight", given=b"3x3x2\n1##\n#0#\n###\n")
    assert named.code == 0
    assert named.out == asked.out
    assert named.out != run("solve", "-", "--json", given=b"3x3x2\n1##\n#2#\n###\n").out


def test_a_count_longer_than_python_writes_by_default_is_printed_exactly() -> None:
    covered = b"150x150x7500\n" + b"\n".join([b"#" * 150] * 150)
    solutions = json.loads(run("solve", "-", "--json", given=covered).out)["solutions"]
    assert len(solutions) > 5000
    assert solutions.isdigit()


def test_the_answer_can_be_drawn(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.svg"
    assert run("solve", str(file), "--svg", str(target)).code == 0
    assert target.read_text().startswith("<svg")


def test_work_beyond_the_budget_names_component_budget_and_way_out() -> None:
    beyond = run("solve", "-", "--budget-states", "10", given=HARD.encode())
    assert (beyond.code, beyond.out) == (3, "")
    assert beyond.err.count("\n") == 1
    assert "component of 65 cells from row 1, column 1" in beyond.err
    assert "(--budget-states, --budget-seconds, --approximate)" in beyond.err


def test_a_budget_may_be_as_large_as_one_likes() -> None:
    options = ["--budget-states", str(10**30), "--budget-seconds", "inf"]
    assert run("solve", "-", *options, given=SOLVABLE.encode()).code == 0


def test_an_approximate_answer_carries_its_error_and_no_count() -> None:
    options = ["--approximate", "--budget-states", "10"]
    answer = json.loads(run("solve", "-", "--json", *options, given=HARD.encode()).out)
    assert answer["solutions"] is None
    assert 0 < answer["standard_error"][0][0] < 0.2
    assert answer["standard_error"][1][1] is None
    assert "give or take" in run("solve", "-", *options, given=HARD.encode()).out


def test_topologies_lists_and_draws_each_kind() -> None:
    listed = json.loads(run("topologies", "--json").out)
    assert set(listed) >= {"moore", "neumann", "hex", "torus", "knight", "box"}
    drawn = run("topologies").out
    assert all(f"{name}: {about['summary']}" in drawn for name, about in listed.items())
    assert ".  o  .  o  .\n    o  .  .  .  o\n    .  .  X  .  .\n" in drawn


def test_help_version_and_completion_are_there() -> None:
    assert run("--version").out == f"minewright {minewright.__version__}\n"
    assert run().out == run("--help").out
    for group in ("bullets", "lab", "llm", "noguess", "patterns"):
        alone, asked = run(group), run(group, "--help")
        assert (alone.code, alone.out, alone.err) == (0, asked.out, "")
    assert "--install-completion" in CliRunner().invoke(app, ["--help"]).output


# Mistakes


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["solve"], "Missing argument 'FILE'"),
        (["sovle"], "No such command 'sovle'"),
        (["solve", "-", "--nothing"], "No such option: --nothing"),
        (["solve", "-", "--mines"], "requires an argument"),
        (["solve", "-", "--mines", "many"], "--mines"),
        (["solve", "-", "--mines", "-1"], "mine total"),
        (["solve", "-", "--mines", "99"], "99 mines"),
        (["solve", "-", "--topology", "mobius"], "choose from moore, neumann"),
        (["solve", "-", "--budget-seconds", "nan"], "--budget-seconds must be more than 0"),
        (["solve", "-", "--budget-states", "0"], "--budget-states must be at least 1"),
        (["solve", "-", "--svg", "/nowhere/out.svg"], "--svg /nowhere/out.svg: cannot be"),
        (["solve", "nowhere.txt"], "nowhere.txt: no such file"),
        (["solve", "."], ".: this is a directory"),
        (["solve", "a\nb\x1b"], r"a b\x1b: no such file"),
        (["bench", "--workers", "0"], "--workers"),
    ],
)
def test_a_mistake_on_the_command_line_is_one_line(arguments: list[str], says: str) -> None:
    assert says in run(*arguments, given=b"##\n##\n").mistake()


@pytest.mark.parametrize(
    "command",
    [
        "rate",
        "play",
        "simulate",
        "reproduce",
        "noguess make",
        "bullets make",
        "bullets book",
        "patterns collect",
        "llm prompt",
    ],
)
def test_a_seed_is_read_alike_everywhere(command: str) -> None:
    for bad in ("-1", "1.5", "x", "", "\u0663", str(2**64), "9" * 5_000):
        assert "from 0 to 18446744073709551615" in run(*command.split(), "--seed", bad).mistake()
    assert "18446744073709551615" not in run(*command.split(), "--help").out


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "standard input: line 1: the text is empty"),
        (b"\x7fELF\0\0", "standard input: this is a binary file"),
        ("#1".encode("utf-16"), "standard input: this is UTF-16 text; save it as UTF-8"),
        (b"##\n\xc3\xff\n", "line 2, column 1: the byte 0xc3 is not UTF-8"),
        (b"##\n#\tx\n", "standard input: line 2, column 3: "),
        (b"3x3x2\n###\n", "standard input: line 3"),
        (b"#" * (MAX_BYTES + 1), "more than 32 MB"),
    ],
)
def test_a_mistake_in_the_text_says_where(data: bytes, says: str) -> None:
    assert says in run("solve", "-", given=data).mistake()


def test_an_unreadable_file_is_a_mistake_too(tmp_path: Path) -> None:
    pipe = tmp_path / "socket"
    pipe.symlink_to(pipe)
    assert "cannot be read" in run("solve", str(pipe)).mistake()


texts = st.text("0123456789#HF?*.-!()x \t\r\n" + "é٣", max_size=60)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60) | texts.map(str.encode))
def test_no_bytes_at_all_bring_it_down(data: bytes) -> None:
    for arguments in (["solve", "-"], ["solve", "-", "--json"]):
        ran = run(*arguments, given=data)
        if ran.code == 2:
            ran.mistake()
        else:
            assert ran.code in (0, 1)
            assert ran.err == ""
            assert ran.out


# The process around it


def test_a_closed_pipe_ends_it_quietly(file: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*COMMAND, "solve", file], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_help_that_nobody_reads_is_no_answer_about_a_position() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*COMMAND, "--help"], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_memory_that_runs_out_is_one_line(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("minewright.inference.analyze", fail)
    assert main(["solve", str(file)]) == 3
    told = "minewright: not enough memory; ask for less work at once\n"
    assert capsys.readouterr() == ("", told)


@pytest.mark.parametrize("name", ["file/x", "a" * 300, "", "nowhere/x"])
def test_a_file_that_cannot_be_written_is_a_mistake(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text(SOLVABLE, encoding="utf-8")
    assert main(["solve", "file", "--svg", name]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "cannot be written" in err
    assert os.listdir() == ["file"]


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
def test_what_is_written_may_go_through_a_pipe(file: Path) -> None:
    done = subprocess.run([*COMMAND, "solve", file, "--svg", "/dev/stdout"], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"<svg" in done.stdout


def test_a_file_may_have_the_longest_name_and_may_be_a_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text(SOLVABLE, encoding="utf-8")
    assert main(["solve", "file", "--svg", "b" * 255]) == 0
    Path("link").symlink_to("target")
    assert main(["solve", "file", "--svg", "link"]) == 0
    assert Path("link").is_symlink()
    assert Path("target").read_text("utf-8").startswith("<svg")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("wish", "where"),
    [("topologies", "standard output"), ("--help", "standard output or a file")],
)
def test_an_answer_that_finds_no_room_is_told_in_one_line(wish: str, where: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*COMMAND, wish], stdout=full, stderr=subprocess.PIPE)
    told = f"minewright: {where}: No space left on device\n"
    assert (done.returncode, done.stderr.decode()) == (2, told)


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("noguess make --board 5x5x3 --iterations 1000", "--iterations"),
        ("rate --board 5x5x3 --samples 50", "--samples"),
        ("rate --board 5x5x3 --puzzles", "--puzzles"),
        ("rate - --count 1", "--count"),
        ("reproduce --list --scale quick", "--scale"),
        ("reproduce --claims --workers 3", "--workers"),
        ("reproduce --publish out --seed 0", "--seed"),
        ("bullets make --size 5 --paper a4", "--paper"),
        ("bullets make --size 5 --text --solution", "--solution"),
        ("bullets book puzzles.txt --no-total", "--no-total"),
        ("noguess make --difficulty hard --way uniform --iterations 1000", "--iterations"),
        ("profile . --person 1", "--person"),
        ("play --daily --seed 1", "--seed"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused_even_with_its_default(
    line: str, option: str
) -> None:
    assert run(*line.split()).mistake().startswith(f"minewright: {option} ")


@pytest.mark.parametrize(("text", "word"), [("3x1x1\n###\n", "safest"), (SOLVABLE, "best")])
def test_a_cell_is_called_the_safest_only_where_none_is_safe(text: str, word: str) -> None:
    names = [
        line.split()[0]
        for line in run("solve", "-", given=text.encode()).out.splitlines()
        if line.strip()
    ]
    assert word in names
    assert not {"best", "safest"}.difference([word]).intersection(names)


def test_samples_are_for_positions() -> None:
    proof = run("noguess", "make", "--board", "5x5x3", "--json").out.encode()
    told = run("rate", "-", "--samples", "7", given=proof).mistake()
    assert told == "minewright: --samples works only with a position; leave it out\n"


@pytest.mark.parametrize(
    "line",
    [
        "solve - --svg -",
        "review game.rmv --svg -",
        "noguess make --board 5x5x3 --proof -",
        "patterns list --svg -",
        "patterns collect --out -",
        "bullets make --size 5 --count 2 --svg -",
        "bullets make --size 5 --pdf -",
        "bullets solve - --svg -",
        "bullets book --out -",
    ],
)
def test_a_picture_or_a_book_is_written_to_a_file_only(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = run(*line.split(), given=SOLVABLE.encode()).mistake()
    assert f"'{line.split()[-2]}': '-' stands for no file here; name one to write." in told
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="Windows has other words for it")
@pytest.mark.parametrize("wish", ["profile", "review", "solve", "rate", "lab status"])
def test_a_name_that_no_file_can_have_is_a_mistake(
    wish: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*wish.split(), "a" * 1000]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 1
    # From Python 3.14 on, such a file simply does not exist.
    assert "File name too long" in shown.err or sys.version_info >= (3, 14)


def test_a_sign_that_a_terminal_does_not_have_is_shown_by_its_number() -> None:
    old = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*COMMAND, "formats"], env=old, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u2026" in done.stdout


@pytest.mark.skipif(not SYSCALL.exists(), reason="looks into /proc")
@pytest.mark.parametrize("at_work", [False, True], ids=["reading", "at work in the kernel"])
def test_an_interrupt_ends_it_at_once_with_one_line(tmp_path: Path, at_work: bool) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    budget = ["--budget-seconds", "3600", "--budget-states", str(10**15)]
    with started([*COMMAND, "solve", pipe, *budget]) as process:
        # This waits until the command opens its end; then the command waits for us.
        writer = os.open(pipe, os.O_WRONLY)
        if at_work:
            os.write(writer, b"\n".join([b"#" * 99, b"#2#3#2#3#1#" * 9] * 49))
            os.close(writer)
            # Reading this little takes far less time.
            begun = processor_seconds(process.pid)
            assert wait_until(lambda: processor_seconds(process.pid) > begun + 0.5)
        else:
            assert wait_until(lambda: waits_for(process.pid, pipe))
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=HANG) == ("", "minewright: interrupted\n")
        assert process.returncode == 130
        if not at_work:
            os.close(writer)


def test_solve_loads_only_what_it_needs(file: Path) -> None:
    script = (
        "import sys; from minewright.cli import main; main(sys.argv[1:]);"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "solve", file, "--json"], capture_output=True, check=True
    )
    loaded = set(done.stderr.decode().split())
    assert "minewright.inference" in loaded
    assert not loaded & {"rich", "numpy", "pydantic", "minewright.render.svg", "minewright.bench"}
