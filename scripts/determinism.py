"""Runs scripts/results.py in many ways and reports whether the results are always the same.

The ways are: one and two workers, several seeds of Python's hashes, gcc and clang, optimised and
not, with and without this machine's special instructions, and other versions of Python. What is not
installed is named and skipped. The exit code is 1 if any digest differs.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from variants import ROOT, BuildError, Variant

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
COMPILERS = ("g++", "clang++")
FLAGS = {
    "": (),
    "-O0": ("-O0",),
    # Fused multiply-add and wide vectors, where the machine has them.
    "-march=native": ("-march=native",),
}


@dataclass(frozen=True)
class Way:
    """A kernel, and how Python is started with it."""

    variant: Variant | None  # the usual kernel
    workers: int = 1
    hash_seed: str = "0"

    def __str__(self) -> str:
        kernel = self.variant.name if self.variant else "usual"
        return f"{kernel}, workers {self.workers}, hash seed {self.hash_seed}"

    def results(self, quick: bool) -> dict[str, str]:
        """Build what is needed, do the work and return the digests."""
        python = str(self.variant.build()) if self.variant else sys.executable
        command = [python, "scripts/results.py", "--workers", str(self.workers)]
        done = subprocess.run(
            [*command, *(["--quick"] if quick else [])],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": self.hash_seed},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        found: dict[str, str] = json.loads(done.stdout)
        return found


def ways(pythons: list[str]) -> Iterator[Way]:
    """Yield every way that this machine allows, and print which are skipped."""
    yield Way(None)
    yield Way(None, workers=2, hash_seed="1")
    yield Way(None, workers=3, hash_seed="random")
    for compiler in COMPILERS:
        if not shutil.which(compiler):
            print(f"left out: {compiler} is not installed (Debian: apt install g++ clang)")
            continue
        for name, flags in FLAGS.items():
            yield Way(Variant(f"{compiler}{name}", flags, compiler))
    for version in VERSIONS:
        found = [name for name in pythons if name.endswith(f"python{version}")]
        python = found[0] if found else shutil.which(f"python{version}")
        if python is None:
            print(f"left out: python{version} is not installed; name one with --python")
        elif version != f"{sys.version_info[0]}.{sys.version_info[1]}":
            yield Way(Variant(f"python{version}", python=python), workers=2)


def main() -> int:
    """Compare all ways with the first and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--python", action="append", default=[], help="…/bin/python3.X, repeatedly")
    parser.add_argument("--quick", action="store_true", help="without bench and the last bits")
    parser.add_argument(
        "--only", default="", help="only ways with this in their name, and one more"
    )
    wish = parser.parse_args()
    expected: dict[str, str] = {}
    same = True
    for way in ways(wish.python):
        if expected and wish.only not in str(way):
            continue
        try:
            found = way.results(wish.quick)
        except (BuildError, subprocess.CalledProcessError) as error:
            print(f"{way}: FAILED\n{error}", flush=True)
            same = False
            continue
        expected = expected or found
        differ = [name for name, value in found.items() if value != expected[name]]
        print(f"{way}: {'DIFFERENT: ' + ', '.join(differ) if differ else 'same'}", flush=True)
        same &= not differ
    print(json.dumps(expected, indent=1))
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
