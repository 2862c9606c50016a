"""The programs that are compared, each in a process of its own.

A peer may hang, fail or abort the interpreter: the benchmark must record that, not suffer from it.
So every call runs in a worker (this file run as a script), which times the call alone and answers
with one line of JSON. The time is processor time: on a machine with other work, wall-clock time
would charge a long call for that work and spare a short one.

The file needs nothing but the standard library and, in a worker, the one program that it is asked
for, because the peers may be installed in another environment than Minewright.
"""

from __future__ import annotations

import json
import math
import os
import resource
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Generic, Literal, Protocol, TypedDict, TypeVar, cast

Answer = TypeVar("Answer")
Row = list[float | None]
Status = Literal["answered", "refused", "time-out", "crashed"]

# A worker that eats the machine's memory would slow down everybody after it.
MEMORY = 4 << 30
START_SECONDS = 60.0
# What a program sets up at its first call is not part of any position.
WARM_UP = "3x3x2\n1##\n###\n##1"


class Request(TypedDict):
    """Positions for one call; or, to `sweep`, for one call each, of which only the times matter."""

    texts: list[str]
    sweep: bool


class Reply(TypedDict):
    """What came of a request: the seconds of each call, one row of probabilities per position."""

    status: Status
    seconds: list[float]
    rows: list[Row]
    message: str


class RefusalError(Exception):
    """A program says that it gives no answer, and why."""


class CrashError(Exception):
    """A process that a program started died of a fault of its own."""


class OwnTimeLimitError(Exception):
    """A program stopped by a time limit of its own."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"its own limit of {seconds:g} s")
        self.seconds = seconds


# --- The programs, as a worker sees them ----------------------------------------------------------


def _own_and_children() -> float:
    """Return our processor time, including that of child processes that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


class Job(Protocol):
    """One call, ready to be made."""

    def timed(self) -> tuple[float, Callable[[], list[Row]]]:
        """Make the call; return its seconds, and a way to read its answer."""


@dataclass(frozen=True)
class Call(Generic[Answer]):
    """The work, and how to read its result as one row of probabilities per position."""

    work: Callable[[], Answer]
    read: Callable[[Answer], list[Row]]
    clock: Callable[[], float] = time.process_time

    def timed(self) -> tuple[float, Callable[[], list[Row]]]:
        start = self.clock()
        answer = self.work()
        seconds = self.clock() - start
        return seconds, lambda: self.read(answer)


Program = Callable[[list[str]], Job]


def _read_rows(text: str) -> tuple[list[str], int]:
    """Split a position's text without checking it: what a peer makes of bad rows is its affair."""
    header, *lines = text.splitlines()
    return lines, int(header.split("x")[-1])


class _Array(Protocol):
    def tolist(self) -> list[float]: ...


def _row(values: Sequence[float]) -> Row:
    return [None if math.isnan(value) else value for value in values]


def minewright_one() -> Program:
    """Our `analyze(position).probability`."""
    from minewright.inference import BudgetExceeded, analyze
    from minewright.position import Position, PositionError

    def program(texts: list[str]) -> Job:
        (text,) = texts
        try:
            position = Position.parse(text)
        except PositionError as error:
            raise RefusalError(str(error)) from error

        def work() -> _Array:
            try:
                analysis = analyze(position)
            except BudgetExceeded as error:
                raise RefusalError(str(error)) from error
            if not analysis.consistent:
                clash = analysis.clash
                raise RefusalError(clash.describe(position) if clash else "no clash named")
            return analysis.probability

        return Call(work, lambda answer: [_row(answer.tolist())])

    return program


def minewright_batch() -> Program:
    """Our `analyze_many`, all positions of a group in one call."""
    from minewright.inference import analyze_many
    from minewright.position import Position

    def program(texts: list[str]) -> Job:
        positions = [Position.parse(text) for text in texts]

        def work() -> list[_Array]:
            return [analysis.probability for analysis in analyze_many(positions)]

        return Call(work, lambda answers: [_row(answer.tolist()) for answer in answers])

    return program


_Enumerated = tuple[list[tuple[tuple[int, int], float]], float, list[int], int]
_OnBoard = tuple[list[list[float]], list[int]]


class _Toollib(Protocol):
    def cal_probability_enum(self, board: list[list[int]], mines: float) -> _Enumerated: ...
    def cal_probability_onboard(self, board: list[list[int]], mines: float) -> _OnBoard: ...
    def mark_board(self, board: list[list[int]], remark: bool) -> list[list[int]]: ...


_TOOLLIB_COVERED, _TOOLLIB_MINED, _TOOLLIB_SAFE = 10, 11, 12
_TOOLLIB_CODES = {"#": _TOOLLIB_COVERED, "F": _TOOLLIB_MINED}


def _toollib_board(text: str) -> tuple[list[list[int]], int]:
    # Base 36, so that an unknown letter becomes an unknown code and reaches the peer.
    lines, mines = _read_rows(text)
    return [[_TOOLLIB_CODES.get(c) or int(c, 36) for c in line] for line in lines], mines


def ms_toollib_onboard() -> Program:
    """Every cell's probability at its place, by whichever of its two methods the peer chooses."""
    toollib = cast(_Toollib, import_module("ms_toollib"))

    def program(texts: list[str]) -> Job:
        board, mines = _toollib_board(texts[0])

        def read(answer: _OnBoard) -> list[Row]:
            return [_row([value for line in answer[0] for value in line])]

        return Call(lambda: toollib.cal_probability_onboard(board, mines), read)

    return program


def ms_toollib_enum() -> Program:
    """Enumeration; the cells that it settles beforehand are missing from its answer.

    They are filled in from `mark_board`, outside the timed call: a gift to the peer.
    """
    toollib = cast(_Toollib, import_module("ms_toollib"))

    def program(texts: list[str]) -> Job:
        board, mines = _toollib_board(texts[0])

        def read(answer: _Enumerated) -> list[Row]:
            listed, rest, _, _ = answer
            marked = toollib.mark_board(board, True)
            settled = {_TOOLLIB_MINED: 1.0, _TOOLLIB_SAFE: 0.0, _TOOLLIB_COVERED: rest}
            grid = [[settled.get(code, math.nan) for code in line] for line in marked]
            for (row, column), value in listed:
                grid[row][column] = value
            return [_row([value for line in grid for value in line])]

        return Call(lambda: toollib.cal_probability_enum(board, mines), read)

    return program


class _Zig(Protocol):
    def get_board_probs(self, board: str, *, mines: int) -> list[list[float]]: ...


def zig_minesolver() -> Program:
    """Its Python interface starts a process per call and prints five decimals: both count."""
    zig = cast(_Zig, import_module("zig_minesolver"))

    def program(texts: list[str]) -> Job:
        lines, mines = _read_rows(texts[0])
        board = "\n".join(" ".join(line.replace("F", "#")) for line in lines)

        def work() -> list[list[float]]:
            try:
                return zig.get_board_probs(board, mines=mines)
            except subprocess.TimeoutExpired as error:
                raise OwnTimeLimitError(error.timeout) from error
            except subprocess.CalledProcessError as error:
                lines = str(error.stderr).splitlines()
                panics = [line.split("panic: ")[-1] for line in lines if " panic: " in line]
                if panics:
                    raise CrashError(f"panic: {panics[0]}") from error
                told = [line.split("]: ")[-1] for line in lines if "[ERROR]" in line]
                raise RefusalError((told or lines or [str(error)])[-1]) from error

        def read(answer: list[list[float]]) -> list[Row]:
            return [_row([value for line in answer for value in line])]

        return Call(work, read, _own_and_children)

    return program


@dataclass(frozen=True)
class Side:
    """One column of the comparison."""

    name: str
    package: str
    program: Callable[[], Program]
    # Half a unit of the last decimal it prints; below that it cannot be called wrong.
    rounding: float = 0.0

    @property
    def ours(self) -> bool:
        return self.package == "minewright"


OURS = Side("minewright", "minewright", minewright_one)
BATCH = Side("minewright batch", "minewright", minewright_batch)
PEERS = (
    Side("ms_toollib enum", "ms_toollib", ms_toollib_enum),
    Side("ms_toollib onboard", "ms_toollib", ms_toollib_onboard),
    Side("zig-minesolver", "zig-minesolver", zig_minesolver, rounding=5.0e-6),
)
SIDES = {side.name: side for side in (OURS, BATCH, *PEERS)}


# --- The worker -----------------------------------------------------------------------------------


def _attempt(program: Program, request: Request) -> Reply:
    reply = Reply(status="answered", seconds=[], rows=[], message="")
    start = time.process_time()
    try:
        if request["sweep"]:
            jobs = [program([text]) for text in request["texts"]]
            reply["seconds"] = [job.timed()[0] for job in jobs]
        else:
            job = program(request["texts"])
            start = time.process_time()
            seconds, read = job.timed()
            reply["seconds"] = [seconds]
            reply["rows"] = read()
        return reply
    except OwnTimeLimitError as error:
        reply["status"], reply["message"] = "time-out", str(error)
        reply["seconds"] = [error.seconds]
        return reply
    except CrashError as error:
        reply["status"], reply["message"] = "crashed", str(error)
    except RefusalError as error:
        reply["status"], reply["message"] = "refused", str(error)
    except Exception as error:
        reply["status"], reply["message"] = "refused", f"{type(error).__name__}: {error}"
    reply["seconds"] = [time.process_time() - start]
    return reply


def _work(name: str) -> None:
    """Answer requests on standard input until it ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    # No core files from a peer that aborts.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    side = SIDES[name]
    try:
        program = side.program()
        _attempt(program, Request(texts=[WARM_UP], sweep=False))
        greeting = {"version": version(side.package), "message": ""}
    except ImportError as error:
        greeting = {"version": "", "message": str(error)}
    print(json.dumps(greeting), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(_attempt(program, json.loads(line))), file=answers, flush=True)


# --- The benchmark's end of the line --------------------------------------------------------------


class NotInstalledError(Exception):
    """A worker could not import its program."""


class Worker:
    """A process that runs one side; a new one is started when it dies."""

    def __init__(self, side: Side, python: str = sys.executable) -> None:
        self.side = side
        # Not resolved: the link in an environment is what makes Python use that environment.
        self._command = [os.path.abspath(python), str(Path(__file__).resolve()), side.name]
        self._folder = tempfile.TemporaryDirectory()
        self._process: subprocess.Popen[bytes] | None = None
        self.version = ""
        self._start()

    def ask(self, texts: list[str], limit: float, sweep: bool = False) -> Reply:
        """Send positions, with `limit` seconds for each; whatever happens is reported."""
        process = self._process or self._start()
        request = Request(texts=texts, sweep=sweep)
        assert process.stdin is not None
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        # One second more, for reading the texts and sending the answer.
        line = self._line(process, limit * len(texts) + 1.0)
        if line is None:
            self.stop()
            return Reply(status="time-out", seconds=[limit], rows=[], message=f"{limit:g} s")
        if not line:
            code = process.wait()
            self.stop()
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            return Reply(status="crashed", seconds=[], rows=[], message=how)
        return cast(Reply, json.loads(line))

    def stop(self) -> None:
        """End the process, however busy it is."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _start(self) -> subprocess.Popen[bytes]:
        # In another directory, because ms_toollib leaves a crash.log wherever it aborts.
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=self._folder.name,
        )
        self._process = process
        line = self._line(process, START_SECONDS)
        greeting = cast(dict[str, str], json.loads(line or b'{"message": "it does not start"}'))
        if greeting["message"]:
            self.stop()
            raise NotInstalledError(f"{self.side.name}: {greeting['message']}")
        self.version = greeting["version"]
        return process

    @staticmethod
    def _line(process: subprocess.Popen[bytes], seconds: float) -> bytes | None:
        """Read one line: None when time is up, empty when the process is gone."""
        assert process.stdout is not None
        descriptor, deadline, parts = process.stdout.fileno(), time.monotonic() + seconds, []
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                return None
            part = os.read(descriptor, 1 << 20)
            parts.append(part)
            if not part or part.endswith(b"\n"):
                return b"".join(parts) if part else b""


if __name__ == "__main__":
    _work(sys.argv[1])
