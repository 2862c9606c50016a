"""Puts faults into the kernel, one at a time, and reports which test catches each.

The faults are listed in scripts/mutations.toml. Each is built beside the usual kernel, and the
kernel's tests run on it until the first one fails. The exit code is 1 if a fault survives.

The test that caught a fault is noted in build/variants/mutant/caught.json, and the next run tries
it first. With --resume, faults that were caught on this very kernel are skipped.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from variants import ROOT, VARIANTS, BuildError, Variant

KERNEL = ROOT / "src" / "kernel"
LIST = Path(__file__).with_suffix(".toml")

TESTS = (
    *("kernel_boundaries", "kernel_hostile", "random", "topology", "game", "sums", "at_least"),
    *("bullets", "native_players", "deduction", "champion", "trials", "gym", "golden", "rating"),
    *("kernel_results", "modes", "noguess", "inference"),
)
"""The tests of the kernel, quick ones first."""

FIRST = {
    "trials": "trials",
    "reason": "at_least",
    "dancing": "at_least",
    "sums": "sums",
    "sum_search": "sums",
    "partial_sums": "sums",
    "bullets": "bullets",
    "bind_bullets": "kernel_hostile",
    "deduce": "deduction",
    "opening": "rating",
    **dict.fromkeys(("champion", "endgame", "dilemma", "layouts", "kinds", "optimal"), "champion"),
    "bind_champion": "kernel_hostile",
    "draw": "modes",
    "batch": "gym",
    "noguess": "noguess",
    "player": "native_players",
    "prospect": "native_players",
    "turn": "native_players",
    "minefield": "game",
    "random": "random",
    "graph": "topology",
}
"""The tests that are likeliest to catch the faults of a file; if none are named, inference."""

# A fault may make a test run forever. A test counts as hanging if it takes this many times as long
# as without the fault, and at least some minutes, because the machine may be busy.
PATIENCE, LEAST_SECONDS = 10, 300


@dataclass(frozen=True)
class Mutation:
    """A piece of the kernel's text and its replacement."""

    name: str
    file: str
    old: str
    new: str
    equivalent: str = ""

    @property
    def key(self) -> str:
        """A key that tells it from all others, whatever its name."""
        return sha256(f"{self.file}\n{self.old}\n{self.new}".encode()).hexdigest()[:16]

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
        self._caught_file = VARIANTS / "mutant" / "caught.json"
        self._caught: dict[str, list[str]] = {}
        if self._caught_file.exists():
            self._caught = json.loads(self._caught_file.read_text("utf-8"))
        whole = sha256()
        for path in sorted(KERNEL.iterdir()):
            whole.update(path.read_bytes())
        self._kernel = whole.hexdigest()

    def caught_before(self, mutation: Mutation) -> str:
        """Return which test caught a mutation of this very kernel in an earlier run, or nothing."""
        kernel, test = self._caught.get(mutation.key, ("", ""))
        return test if kernel == self._kernel else ""

    def _write(self, name: str, text: str) -> None:
        # Unchanged files keep their time, so that they are not compiled again.
        target = self.copy / name
        if not target.exists() or target.read_text("utf-8") != text:
            target.write_text(text, "utf-8")

    def try_out(self, mutation: Mutation) -> str:
        """Return which test fails with the mutation in the kernel, or nothing."""
        text = (KERNEL / mutation.file).read_text("utf-8")
        _, last = self._caught.get(mutation.key, ("", ""))
        likely = FIRST.get(Path(mutation.file).stem, "inference")
        tests = [f"test_{room}.py" for room in dict.fromkeys((TESTS[0], likely, *TESTS))]
        if "::" in last:
            tests.insert(0, last)
        try:
            for test in tests:
                # A test must pass without the fault; that run also shows how long it takes.
                if test not in self.seconds:
                    self._write(mutation.file, text)
                    self._measure(test)
                self._write(mutation.file, mutation.apply(text))
                self.variant.build()
                longest = max(LEAST_SECONDS, PATIENCE * self.seconds[test])
                if failed := self._failure(test, longest):
                    self._caught[mutation.key] = [self._kernel, failed]
                    self._caught_file.write_text(json.dumps(self._caught, indent=1), "utf-8")
                    return failed
            return ""
        finally:
            self._write(mutation.file, text)

    def _measure(self, test: str) -> None:
        """Time a test on the kernel without a fault. Raise ValueError if it fails even there."""
        self.variant.build()
        started = time.monotonic()
        if failed := self._failure(test, None):
            raise ValueError(f"a test fails without any mutation: {failed}")
        self.seconds[test] = time.monotonic() - started

    def _failure(self, test: str, longest: float | None) -> str:
        """Run some tests until the first fails, and return its name; nothing if none does."""
        command = [str(self.variant.interpreter), "-m", "pytest", "-x", "-q", "--tb=no"]
        command += ["-p", "no:cacheprovider", "-n", "0", f"tests/{test}"]
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
            return f"{test}, which does not end"
        if done.returncode < 0:
            return f"{test}, which crashes"
        if done.returncode == 0:
            return ""
        failed = re.search(r"^(?:FAILED|ERROR) tests/(\S+)", done.stdout, re.MULTILINE)
        if failed is None:
            raise BuildError(f"{test} was not run:\n{done.stdout}{done.stderr}")
        return failed[1]


def main() -> int:
    """Try all mutations and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument(
        "words", nargs="*", help="only mutations whose name or file has such a word"
    )
    parser.add_argument("--resume", action="store_true", help="leave out what was caught before")
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
        survivors = [mutation for mutation in chosen if not report(bench, mutation, wish.resume)]
    except (BuildError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} caught or equivalent")
    for mutation in survivors:
        print(f"SURVIVED {mutation.file}: {mutation.name}")
    return 1 if survivors else 0


def report(bench: Bench, mutation: Mutation, resume: bool) -> bool:
    """Try one mutation, print the outcome, and return whether it was caught or is equivalent."""
    started = time.monotonic()
    if mutation.equivalent:
        print(f"{mutation.file:<18} equivalent: {mutation.name}: {mutation.equivalent}", flush=True)
        return True
    if resume and (caught := bench.caught_before(mutation)):
        print(f"{mutation.file:<18} {mutation.name}: caught before by {caught}", flush=True)
        return True
    caught = bench.try_out(mutation)
    seconds = time.monotonic() - started
    verdict = f"caught by {caught}" if caught else "SURVIVED"
    print(f"{mutation.file:<18} {mutation.name}: {verdict} ({seconds:.0f} s)", flush=True)
    return bool(caught)


if __name__ == "__main__":
    sys.exit(main())
