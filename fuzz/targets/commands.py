"""The command line: any arguments, and any content of the file that they name.

An input is one argument per line, then a zero byte, then the file's bytes. The file is called
`file`; a command that reads standard input finds the same bytes there. What a command writes can
only be called `out`.
"""

import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from minewright.cli import COMMANDS, GROUPS, main
from targets.promises import Target, read_json
from targets.runs import GOOD

CODES = (0, 1, 2, 3, 130)
MISTAKE = 2
OUT = "out"
BOUNDED = {
    ("solve",): ("--budget-seconds", "0.5", "--budget-states", "20000"),
    ("rate",): (),
    ("verify",): (),
    ("simulate",): ("--games", "2", "--workers", "1", "--timeout", "0.2"),
    ("optimal",): ("--budget-seconds", "0.2"),
    ("reproduce", "--list"): (),
    ("reproduce", "--claims"): (),
    ("convert",): ("-",),
    ("profile",): (),
    ("review",): (),
    ("play",): (),
    ("bullets", "make"): (
        *("--count", "1", "--iterations", "2", "--samples", "1", "--restarts", "1"),
        *("--workers", "1", "--budget-seconds", "0.5"),
    ),
    ("bullets", "book"): (
        *("--count", "1", "--budget-seconds", "0.5", "--workers", "1", "--out", OUT),
    ),
    ("bullets", "solve"): (),
    ("bullets", "grade"): (),
    ("noguess", "make"): ("--count", "1", "--seconds", "0.1"),
    ("patterns", "list"): (),
    ("lab", "status"): (),
    ("lab", "report"): (),
    ("llm", "report"): (),
    ("llm", "prompt"): (),
    ("engine", "--schema"): (),
    ("circuits",): (),
    ("strategies",): (),
    ("topologies",): (),
    ("formats",): (),
}
"""The commands that are tried, and what is added so that none takes long or writes elsewhere."""
NAMES = {*(each.__name__ for each in COMMANDS), *(group.info.name for group in GROUPS)}
WRITES = ("--svg", "--pdf", "--out", "--trace", "--proof")
"""Options that name the file to write: `out`, or a dash for standard output."""
INSTALLS = ("--install", "--show-completion")
LARGE = re.compile(r"\d{3,}|max-|/|\\")
"""Boards that take long, strategies with engines of their own, and files elsewhere."""
FREE = ("--seed", "--mines", "--move", "--person", "--first", "--number", "--budget-states")
"""Options that may have large numbers all the same."""
PLAYED = ("rate", "review", "profile")
PLAYED_BYTES = 400
"""Commands that play what they read, and the longest file that takes them no time."""


def command(data: bytes) -> None:
    """Run one command in this process: its exit code is documented, its mistakes are one line."""
    head, _, content = data.partition(b"\0")
    arguments = [os.fsdecode(line) for line in head.split(b"\n")]
    bounds = _bounds(arguments)
    if bounds is None or (arguments[0] in PLAYED and len(content) > PLAYED_BYTES):
        return
    # Two deep: the folder above, which an argument may name, is as small.
    with TemporaryDirectory() as above, TemporaryDirectory(dir=above) as own, chdir(own):
        Path("file").write_bytes(content)
        Path("run").mkdir()
        for name, good in GOOD.items():
            Path("run", name).write_bytes(good)
        with _streams(content) as (out, err):
            code = main([*arguments, *bounds])
        strange = {*os.listdir()} - {"file", "run", *({OUT} & {*arguments, *bounds})}
        assert not strange, f"it wrote {strange}, and nobody asked for that"
    assert code in CODES, f"exit code {code}"
    if code == MISTAKE:
        assert not out.getvalue(), "a mistake, and something on standard output"
        assert len(err.getvalue().splitlines()) == 1, f"not one line: {err.getvalue()!r}"
    elif "--json" in arguments and out.getvalue():
        read_json(out.getvalue())


def _bounds(arguments: Sequence[str]) -> Sequence[str] | None:
    """Return the options that bound a command; None for one that is not tried."""
    for before, word in pairwise(["", *arguments]):
        if before in WRITES and word not in (OUT, "-"):
            return None
        if word.startswith(INSTALLS) or (word.startswith(WRITES) and word not in WRITES):
            return None
        if LARGE.search(word) and not (before in FREE and word.isdecimal()):
            return None
    if arguments and arguments[-1] in WRITES:
        return None
    if not any(arguments) or arguments[0].startswith("-"):
        return ()
    for words, bounds in BOUNDED.items():
        if tuple(arguments[: len(words)]) == words:
            # After this word options are taken for files, and would bound nothing.
            return None if "--" in arguments else bounds
    return None if arguments[0] in NAMES else ()


@contextmanager
def _streams(given: bytes) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """Take the standard streams, which are as strict as a terminal's."""
    out, err, before = io.BytesIO(), io.BytesIO(), sys.stdin
    writer = io.TextIOWrapper(out, "utf-8", write_through=True)
    complaints = io.TextIOWrapper(err, "utf-8", "backslashreplace", write_through=True)
    sys.stdin = io.TextIOWrapper(io.BytesIO(given))
    try:
        with redirect_stdout(writer), redirect_stderr(complaints):
            yield out, err
    finally:
        sys.stdin = before
        writer.detach()
        complaints.detach()


TARGETS: dict[str, Target] = {"command": command}
