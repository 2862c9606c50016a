"""Commands in processes of their own, and how the tests wait for them."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

HANG = 180.0
"""Seconds after which a wait counts as endless. Only a test that fails waits this long."""

CHILDREN = Path("/proc/thread-self/children")
"""Not every Linux has this: some containers provide a smaller /proc."""
SYSCALL = Path("/proc/self/syscall")
"""Not every Linux has this either."""

STAYING = b"multiprocessing.resource_tracker", b"minewright.web.watch.players"
"""Processes that stay until this one ends: the tracker of shared memory, and the next player."""


@contextmanager
def started(
    command: Sequence[str | Path], stderr: int = subprocess.PIPE
) -> Iterator[subprocess.Popen[str]]:
    """Start a command in a session of its own, and leave nothing of it behind.

    `os.killpg(process.pid, …)` reaches the command and its workers, as Ctrl-C in a terminal does.
    """
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=stderr, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()
            if hasattr(os, "killpg"):
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


def wait_until(happened: Callable[[], object]) -> bool:
    """Wait until `happened()` is true; return False if it never is."""
    end = time.monotonic() + HANG
    while not happened():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def processor_seconds(process: int) -> float:
    """Return how long a process has kept a processor busy so far (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def waits_for(process: int, file: Path) -> bool:
    """Return True if a process is in a system call that waits for this file (Linux)."""
    place = Path(f"/proc/{process}")
    with suppress(OSError):
        # The number of the call, or `running`; then its arguments.
        call = (place / "syscall").read_text(encoding="ascii").split()
        if len(call) > 1:
            return (place / "fd" / str(int(call[1], 16))).readlink() == file
    return False


def children() -> dict[int, str]:
    """Return the child processes of this one and their commands (Linux; elsewhere none)."""
    found = {}
    tasks = "/proc/self/task"
    # This is read twice per test for every thread; `Path.glob` would take three times as long.
    for task in os.listdir(tasks) if os.path.isdir(tasks) else ():
        with suppress(OSError), open(f"{tasks}/{task}/children", encoding="ascii") as listed:
            for child in listed.read().split():
                command = Path(f"/proc/{child}/cmdline").read_bytes()
                if not any(staying in command for staying in STAYING):
                    name = command.replace(b"\0", b" ").decode(errors="replace")
                    found[int(child)] = name or "a process that nobody waited for"
    return found
