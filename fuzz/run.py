"""Fuzz one target or all of them, and say what came of it.

    python fuzz/run.py position --minutes 5
    python fuzz/run.py --all --minutes 60 --resume      leave out targets that had their hour
    python fuzz/run.py position --minimise      put what was learnt into fuzz/corpus, in short

An input that breaks a promise is kept in fuzz/found/TARGET, and the exit code is 1. Inputs that
reach something new are collected in build/fuzz, with the outcome of each target. The tests replay
fuzz/corpus and fuzz/found.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from targets import TARGETS

HERE = Path(__file__).resolve().parent
ENGINE = HERE / "engine.py"
CORPUS, FOUND, WORDS = HERE / "corpus", HERE / "found", HERE / "words"
WORK = HERE.parent / "build" / "fuzz"
SECONDS = 30
"""An input that takes longer is a finding, on a machine that does much else besides."""
MEGABYTES = 2048
KEPT = 24_000
"""Bytes of a target's corpus that are kept, so that the tests replay it quickly."""

_REACHED = re.compile(r"cov: (\d+) ft: (\d+) corp: (\d+)/")
_RUNS = re.compile(r"stat::number_of_executed_units: (\d+)")


@dataclass(frozen=True)
class Outcome:
    """What fuzzing a target for some minutes came to."""

    minutes: float
    runs: int
    branches: int
    features: int
    inputs: int
    findings: int

    def __str__(self) -> str:
        return (
            f"{self.runs:,} inputs tried, {self.branches:,} branches and {self.features:,} features"
            f" reached by {self.inputs:,} of them, {self.findings} findings"
        )


def engine(target: str, *options: str, log: Path) -> str:
    """Run the fuzzer on a target; return what it said."""
    command = [sys.executable, str(ENGINE), target, *options]
    with log.open("w+", encoding="utf-8", errors="replace") as said:
        subprocess.run(command, stdout=said, stderr=subprocess.STDOUT, check=False)
        said.seek(0)
        return said.read()


def fuzz(target: str, minutes: float) -> Outcome:
    """Fuzz a target for some minutes."""
    known, new, found = CORPUS / target, WORK / target, FOUND / target
    for folder in (known, new, found):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(found.iterdir())
    words = WORDS / f"{target}.dict"
    said = engine(
        target,
        *(str(new), str(known), str(found)),
        f"-max_total_time={round(minutes * 60)}",
        f"-timeout={SECONDS}",
        f"-rss_limit_mb={MEGABYTES}",
        f"-artifact_prefix={found}{os.sep}",
        "-print_final_stats=1",
        *([f"-dict={words}"] if words.exists() else []),
        log=WORK / f"{target}.log",
    )
    runs, reached = _RUNS.search(said), list(_REACHED.finditer(said))
    if runs is None or not reached:
        raise SystemExit(f"{target}: the fuzzer did not start; see {WORK / target}.log")
    branches, features, inputs = map(int, reached[-1].groups())
    findings = len(set(found.iterdir()) - before)
    if not any(found.iterdir()):
        found.rmdir()
    outcome = Outcome(minutes, int(runs[1]), branches, features, inputs, findings)
    _outcome_file(target).write_text(json.dumps(asdict(outcome)), encoding="utf-8")
    return outcome


def had(target: str, minutes: float) -> Outcome | None:
    """Return the last outcome of a target if it was fuzzed that long and nothing was found."""
    try:
        last = Outcome(**json.loads(_outcome_file(target).read_bytes()))
    except (FileNotFoundError, ValueError, TypeError):
        return None
    return last if last.minutes >= minutes and not last.findings else None


def _outcome_file(target: str) -> Path:
    return WORK / f"{target}.json"


def minimise(target: str) -> str:
    """Replace the corpus by the shortest inputs that reach all that is reached."""
    known, new = CORPUS / target, WORK / target
    new.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as made:
        # Without counters an input must reach a branch of its own, not reach one more often.
        engine(
            target,
            *("-merge=1", "-use_counters=0", made, str(known), str(new)),
            log=WORK / f"{target}.merge.log",
        )
        chosen = sorted(Path(made).iterdir(), key=lambda path: path.stat().st_size)
        if not chosen:
            raise SystemExit(f"{target}: nothing was merged; see {WORK / target}.merge.log")
        shutil.rmtree(known)
        known.mkdir()
        total = 0
        for path in chosen:
            total += path.stat().st_size
            if total > KEPT:
                break
            shutil.copy(path, known / path.name[:12])
    kept = list(known.iterdir())
    return f"{len(kept)} inputs, {sum(path.stat().st_size for path in kept):,} bytes"


def main(
    target: Annotated[str | None, typer.Argument(help=f"one of {', '.join(TARGETS)}")] = None,
    minutes: Annotated[float, typer.Option(min=0.05, help="for each target")] = 1.0,
    every: Annotated[bool, typer.Option("--all", help="all targets, one after the other")] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="leave out targets that had these minutes before")
    ] = False,
    minimised: Annotated[
        bool, typer.Option("--minimise", help="shorten the corpus instead")
    ] = False,
) -> None:
    """Fuzz one target, or all."""
    if (target is None) != every or (target is not None and target not in TARGETS):
        raise SystemExit(f"name one target, or say --all: {', '.join(TARGETS)}")
    if find_spec("atheris") is None:
        raise SystemExit("atheris is missing: `make fuzz` fetches it")
    WORK.mkdir(parents=True, exist_ok=True)
    findings = 0
    for name in TARGETS if target is None else [target]:
        if minimised:
            print(f"{name}: {minimise(name)}", flush=True)
            continue
        before = had(name, minutes) if resume else None
        outcome = before or fuzz(name, minutes)
        findings += outcome.findings
        print(f"{name}: {outcome}{' (before)' if before else ''}", flush=True)
    if findings:
        print(f"{findings} findings are in {FOUND}; mend what they show, and keep them there")
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
