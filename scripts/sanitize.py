"""Runs the kernel under AddressSanitizer with UBSan, and under ThreadSanitizer.

Runs the kernel's tests, then random questions of every kind for --minutes, then the same questions
from several threads at once. The exit code is 1 after the first finding; the output shows how to
reproduce it.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from variants import ROOT, BuildError, Variant, run

TESTS = (
    *("at_least", "bullets", "champion", "deduction", "game", "golden", "guess", "gym"),
    *("inference", "kernel_boundaries", "kernel_hostile", "kernel_results", "minebot", "modes"),
    *("native_players", "noguess", "oz", "patterns", "random", "rating", "strategies", "sums"),
    *("topology", "trials"),
)
"""The tests that exercise the kernel."""
LEFT_OUT = (
    # A process forked while other threads allocate waits forever for AddressSanitizer's lock.
    "kernel_results.py::test_results_do_not_depend_on_the_number_of_workers",
    # These measure time, and the kernel is many times slower here.
    "game.py::test_a_million_cells_of_zeros_open_at_once",
    "inference.py::test_a_clash_is_found_without_much_work_on_a_large_board_too",
    "inference.py::test_the_kernel_hears_an_interrupt_within_a_second_of_work",
    "inference.py::test_a_plan_ends_with_the_budget_too",
    "inference.py::test_doubles_agree_with_fractions_on_large_boards",
)

COMMON = ("-O1", "-g", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all")
# The library's assertions notice an index beyond a vector's end that is still within its memory.
ADDRESS = Variant(
    "address",
    (
        *COMMON,
        "-fsanitize=address,undefined,float-cast-overflow",
        "-D_GLIBCXX_ASSERTIONS",
        "-D_GLIBCXX_SANITIZE_VECTOR=1",
    ),
    "g++",
)
THREAD = Variant("thread", (*COMMON, "-fsanitize=thread"), "g++")

ENVIRONMENT = {
    # Every Python object gets its own piece of memory, whose ends are watched.
    "PYTHONMALLOC": "malloc",
    # Python frees little when it exits, so leaks are tested elsewhere. A size beyond any memory is
    # an error that Python can raise, not a finding.
    "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "halt_on_error=1",
}


class MissingError(RuntimeError):
    """Something that has to be installed."""


@dataclass(frozen=True)
class Sanitizer:
    """A variant, and the libraries that must be loaded before Python itself."""

    variant: Variant
    libraries: tuple[str, ...]

    def run(self, *arguments: str) -> int:
        """Run Python with this kernel and return the exit code."""
        preload = ":".join(library_path(name) for name in self.libraries)
        command = [str(self.variant.interpreter), *arguments]
        # ThreadSanitizer does not work with randomized addresses.
        if shutil.which("setarch") and self.variant is THREAD:
            command = ["setarch", "--addr-no-randomize", *command]
        environment = os.environ | ENVIRONMENT | {"LD_PRELOAD": preload}
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def library_path(name: str) -> str:
    """Return where the compiler keeps one of its libraries."""
    path = Path(run(["g++", f"-print-file-name={name}"]).strip())
    if not path.is_absolute():
        raise MissingError(f"{name} is missing: install it (Debian: apt install g++)")
    return str(path.resolve())


# The C++ library comes second: when the sanitizer starts, it looks up the exceptions there.
SANITIZERS = {
    "address": Sanitizer(ADDRESS, ("libasan.so", "libstdc++.so")),
    "thread": Sanitizer(THREAD, ("libtsan.so", "libstdc++.so")),
}


def check(name: str, tests: bool, random: list[str]) -> bool:
    """Run the tests and the random questions under one sanitizer; return whether all is well."""
    sanitizer = SANITIZERS[name]
    print(f"{name}: building", flush=True)
    started = time.monotonic()
    sanitizer.variant.build()
    print(f"{name}: built in {time.monotonic() - started:.0f} s", flush=True)
    well = True
    if tests and name == "address":
        files = [f"tests/test_{room}.py" for room in TESTS]
        files += [f"--deselect=tests/test_{test}" for test in LEFT_OUT]
        well = sanitizer.run("-m", "pytest", "-q", "-p", "no:cacheprovider", *files) == 0
    at = sanitizer.variant.folder / "round"
    threads = ["--threads", "4"] if name == "thread" else []
    if sanitizer.run("scripts/random_kernel.py", *threads, *random, "--at", str(at)) != 0:
        well = False
        print(
            f"{name}: found something in round {at.read_text().strip()}; to have it again, add "
            f"--only {name} --no-tests --first {at.read_text().strip()} --rounds 1"
        )
    print(f"{name}: {'clean' if well else 'NOT clean'}", flush=True)
    return well


def main() -> int:
    """Run what is asked for and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--minutes", default="2", help="of random questions, for each")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", default="0", help="the first round of random questions")
    parser.add_argument("--rounds", help="how many, instead of all that the minutes allow")
    parser.add_argument("--only", choices=tuple(SANITIZERS))
    parser.add_argument("--no-tests", action="store_true", help="only the random questions")
    wish = parser.parse_args()
    if not shutil.which("g++"):
        print("g++ is missing: install it (Debian: apt install g++)", file=sys.stderr)
        return 2
    names = [wish.only] if wish.only else list(SANITIZERS)
    limit = ["--rounds", wish.rounds] if wish.rounds else ["--minutes", wish.minutes]
    random = ["--seed", wish.seed, "--first", wish.first, *limit]
    try:
        results = [check(name, not wish.no_tests, random) for name in names]
    except (BuildError, MissingError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
