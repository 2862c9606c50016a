"""Puts faults into the kernel, one at a time, and says which test catches each.

The faults are listed in scripts/mutations.toml. Each is built beside the usual kernel, and the
kernel's tests run on it until the first one fails. The exit code is 1 if a fault survives.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

from variants import ROOT, VARIANTS, BuildError, Variant

KERNEL = ROOT / "src" / "kernel"
LIST = Path(__file__).with_suffix(".toml")

TESTS = (
    *("kernel_boundaries", "kernel_hostile", "random", "topology", "game", "sums", "at_least"),
    *("bullets", "native_players", "deduction", "kernel_results", "inference"),
)
"""The tests of the kernel, quick ones first."""

FIRST = {
    "reason": "at_least",
    "dancing": "at_least",
    "sums": "sums",
    "sum_search": "sums",
    "partial_sums": "sums",
    "bullets": "bullets",
    "bind_bullets": "kernel_hostile",
    "deduce": "deduction",
    "player": "native_players",
    "prospect": "native_players",
    "turn": "native_players",
    "minefield": "game",
    "random": "random",
    "graph": "topology",
}
"""The tests that are likeliest to see the faults of a file; inference where none are named."""

# A fault may make a test run forever. A test counts as such if it takes this many times as long as
# without the fault, and at least some minutes, because the machine may be busy.
PATIENCE, LEAST_SECONDS = 10, 300


@dataclass(frozen=True)
class Mutation:
    """A piece of the kernel's text and its replacement."""

    name: str
    file: str
    old: str
    new: str
    equivalent: str = ""

    def apply(self, text: str) -> str:
        """Return the text of the file with the fault in it."""
        if text.count(self.old) != 1 or self.old == self.new:
            raise ValueError(
                f"{self.file}: '{self.name}' replaces a text that stands there "
                f"{text.count(self.old)} times, not once: bring scripts/mutations.toml up to date"
            )
        return text.replace(self.old, self.new)


def mutations() -> list[Mutation]:
    """Return all mutations; raise ValueError if one no longer fits the kernel."""
    found = [Mutation(**fields) for fields in tomllib.loads(LIST.read_text("utf-8"))["mutation"]]
    for mutation in found:
        mutation.apply((KERNEL / mutation.file).read_text("utf-8"))
    return found


class Bench:
    """A copy of the kernel to break, and its build."""

    def __init__(self) -> None:
        self.copy = VARIANTS / "mutant" / "kernel"
        self.variant = Variant("mutant", kernel=self.copy)
        self.copy.mkdir(parents=True, exist_ok=True)
        for path in self.copy.iterdir():
            if not (KERNEL / path.name).exists():
                path.unlink()
        for path in KERNEL.iterdir():
            self._write(path.name, path.read_text("utf-8"))
        self.seconds: dict[str, float] = {}

    def _write(self, name: str, text: str) -> None:
        # Files that did not change keep their time, so that they are not compiled again.
        target = self.copy / name
        if not target.exists() or target.read_text("utf-8") != text:
            target.write_text(text, "utf-8")

    def measure(self) -> str:
        """Time the tests on the kernel without a fault. Return the first that fails even there."""
        self.variant.build()
        for room in TESTS:
            started = time.monotonic()
            if failed := self._failure(room, None):
                return failed
            self.seconds[room] = time.monotonic() - started
        return ""

    def try_out(self, mutation: Mutation) -> str:
        """Return which test fails with the mutation in the kernel, or nothing."""
        text = (KERNEL / mutation.file).read_text("utf-8")
        try:
            self._write(mutation.file, mutation.apply(text))
            self.variant.build()
            first = (TESTS[0], FIRST.get(Path(mutation.file).stem, "inference"))
            for room in (*first, *(room for room in TESTS if room not in first)):
                longest = max(LEAST_SECONDS, PATIENCE * self.seconds[room])
                if failed := self._failure(room, longest):
                    return failed
            return ""
        finally:
            self._write(mutation.file, text)

    def _failure(self, room: str, longest: float | None) -> str:
        """Run some tests until the first fails, and return its name; nothing if none does."""
        command = [str(self.variant.interpreter), "-m", "pytest", "-x", "-q", "--tb=no"]
        command += ["-p", "no:cacheprovider", "-p", "no:xdist", f"tests/test_{room}.py"]
        try:
            done = subprocess.run(
                command,
                cwd=ROOT,
                env=os.environ | {"PYTHONPATH": ""},
                timeout=longest,
                capture_output=True,
                text=True,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"test_{room}.py, which does not end"
        if done.returncode < 0:
            return f"test_{room}.py, which crashes"
        if done.returncode == 0:
            return ""
        failed = re.search(r"^(?:FAILED|ERROR) tests/(\S+)", done.stdout, re.MULTILINE)
        return failed[1] if failed else f"test_{room}.py: {done.stdout[-200:]}"


def main() -> int:
    """Try all mutations and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument(
        "words", nargs="*", help="only mutations whose name or file has such a word"
    )
    wish = parser.parse_args()
    if not shutil.which("c++"):
        print("a C++ compiler is missing: install one (Debian: apt install g++)", file=sys.stderr)
        return 2
    try:
        chosen = [
            mutation
            for mutation in mutations()
            if not wish.words
            or any(word in mutation.name or word in mutation.file for word in wish.words)
        ]
        bench = Bench()
        print("building and testing the kernel without a fault", flush=True)
        if failed := bench.measure():
            raise ValueError(f"the tests fail without any mutation: {failed}")
        survivors = [mutation for mutation in chosen if not report(bench, mutation)]
    except (BuildError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} caught or equivalent")
    for mutation in survivors:
        print(f"SURVIVED {mutation.file}: {mutation.name}")
    return 1 if survivors else 0


def report(bench: Bench, mutation: Mutation) -> bool:
    """Try one mutation, print the outcome, and return whether it was caught or is equivalent."""
    started = time.monotonic()
    if mutation.equivalent:
        print(f"{mutation.file:<18} equivalent: {mutation.name}: {mutation.equivalent}", flush=True)
        return True
    caught = bench.try_out(mutation)
    seconds = time.monotonic() - started
    verdict = f"caught by {caught}" if caught else "SURVIVED"
    print(f"{mutation.file:<18} {mutation.name}: {verdict} ({seconds:.0f} s)", flush=True)
    return bool(caught)


if __name__ == "__main__":
    sys.exit(main())
