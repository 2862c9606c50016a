"""Fuzz one target or all of them, and say what came of it.

    python fuzz/run.py position --minutes 5
    python fuzz/run.py --all --minutes 60 --resume --jobs 2     until each has had an hour in all
    python fuzz/run.py --all --minimise     put what was learnt into fuzz/corpus, in short
    python fuzz/run.py --report             how long each target has been fuzzed

An input that breaks a promise is kept in fuzz/found/TARGET, and the exit code is 1. Every sitting
is a line of fuzz/log.jsonl, also one that Ctrl-C ends; its minutes are the processor's. Inputs that
reach something new are collected in build/fuzz. The tests replay fuzz/corpus and fuzz/found.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Annotated

import typer
from targets import TARGETS

from minewright.messages import counted

HERE = Path(__file__).resolve().parent
ENGINE = HERE / "engine.py"
CORPUS, FOUND, WORDS = HERE / "corpus", HERE / "found", HERE / "words"
LOG = HERE / "log.jsonl"
WORK = HERE.parent / "build" / "fuzz"
SECONDS = 30
"""An input that takes longer is a finding, on a machine that does much else besides."""
MEGABYTES = 2048
KEPT = 80_000
"""Bytes of a target's corpus that are kept, so that the tests replay it quickly."""

FAMILIAR = 0.8
"""The share of the branches reached before that a sitting must reach to count."""

_stopping = Event()
_fuzzers: set[int] = set()
"""The processes that fuzz at the moment."""

_REACHED = re.compile(r"cov: (\d+) ft: (\d+) corp: (\d+)/")
_RUNS = re.compile(r"stat::number_of_executed_units: (\d+)")
_TRIED = re.compile(r"^#(\d+)\t", re.MULTILINE)


@dataclass(frozen=True)
class Sitting:
    """What fuzzing a target for some minutes of the processor came to."""

    target: str
    commit: str
    minutes: float
    runs: int
    branches: int
    findings: int

    def __str__(self) -> str:
        return (
            f"{self.target}: {self.minutes:.1f} minutes, {self.runs:,} inputs tried,"
            f" {self.branches:,} branches reached, {counted(self.findings, 'finding')}"
        )


def sittings() -> list[Sitting]:
    """Return all sittings so far, oldest first."""
    if not LOG.exists():
        return []
    return [Sitting(**json.loads(line)) for line in LOG.read_text("utf-8").splitlines()]


def clean(past: Iterable[Sitting], target: str) -> Sitting:
    """Return all sittings of a target since its last finding as one."""
    minutes, runs, branches, commit = 0.0, 0, 0, "-"
    for sitting in past:
        if sitting.target == target:
            commit = sitting.commit
            if sitting.findings:
                minutes, runs, branches = 0.0, 0, 0
                continue
            minutes, runs = minutes + sitting.minutes, runs + sitting.runs
            # One that was stopped at once has hardly reached any.
            branches = max(branches, sitting.branches)
    return Sitting(target, commit, minutes, runs, branches, 0)


def engine(target: str, *options: str, log: Path) -> tuple[str, float]:
    """Run the fuzzer on a target; return what it said and the processor's minutes it took."""
    command = [sys.executable, str(ENGINE), target, *options]
    with log.open("w+", encoding="utf-8", errors="replace") as said:
        # Ctrl-C must not reach it: `stop` alone ends it.
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT, process_group=0)
        _fuzzers.add(process.pid)
        if _stopping.is_set():
            stop()
        # Measure only this child; others run in parallel.
        _, status, used = os.wait4(process.pid, 0)
        _fuzzers.discard(process.pid)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return said.read(), (used.ru_utime + used.ru_stime) / 60


def stop(*_: object) -> None:
    """Let every fuzzer end as soon as it can, and start no other."""
    _stopping.set()
    for process in list(_fuzzers):
        with suppress(ProcessLookupError):
            # Not SIGINT: the command under test would handle it itself.
            os.kill(process, signal.SIGTERM)


def fuzz(target: str, minutes: float) -> Sitting:
    """Fuzz a target for some minutes by the clock, and add the sitting to the log.

    A sitting that reaches far less than earlier ones does not count: a change elsewhere may have
    made the target's own material invalid, so that every input is refused at once.
    """
    known, new, found = CORPUS / target, WORK / target, FOUND / target
    for folder in (known, new, found):
        folder.mkdir(parents=True, exist_ok=True)
    words = WORDS / f"{target}.dict"
    said, used = engine(
        target,
        *(str(new), str(known), str(found)),
        f"-max_total_time={round(minutes * 60)}",
        f"-timeout={SECONDS}",
        # By default libFuzzer also keeps inputs that take 10 seconds.
        f"-report_slow_units={SECONDS}",
        f"-rss_limit_mb={MEGABYTES}",
        f"-artifact_prefix={found}{os.sep}",
        "-print_final_stats=1",
        *([f"-dict={words}"] if words.exists() else []),
        log=WORK / f"{target}.log",
    )
    if not any(found.iterdir()):
        found.rmdir()
    runs, reached = _RUNS.search(said), list(_REACHED.finditer(said))
    # A fuzzer that was stopped may leave no statistics.
    tried = [int(runs[1])] if runs else [int(number) for number in _TRIED.findall(said)]
    # One that is not mended yet counts again: the fuzzer gets no further than that.
    findings = said.count("Test unit written to ")
    if not tried or not (reached or findings):
        if _stopping.is_set():
            raise typer.Exit(130)
        raise SystemExit(f"{target}: the fuzzer did not start; see {WORK / target}.log")
    branches = int(reached[-1][1]) if reached else 0
    before = clean(sittings(), target).branches
    if branches < FAMILIAR * before and not findings and not _stopping.is_set():
        raise SystemExit(
            f"{target}: only {branches:,} branches reached, {before:,} before; this sitting does"
            f" not count. See whether what the target is made from is still accepted; if so, remove"
            f" the target's older lines from {LOG}"
        )
    sitting = Sitting(target, _commit(), round(used, 2), tried[-1], branches, findings)
    with LOG.open("a", encoding="utf-8") as log:
        log.write(json.dumps(asdict(sitting)) + "\n")
    return sitting


def _commit() -> str:
    """Return the commit that is fuzzed, or a dash outside a checkout."""
    command = ["git", "-C", str(HERE), "rev-parse", "--short", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "-"


def slices(targets: Iterable[str], minutes: float, longest: float, jobs: int) -> Iterator[Sitting]:
    """Fuzz targets, some at a time, until each has had its minutes in all since its last finding.

    The one with the fewest is always next, in slices, so that a run may be stopped at any time.
    """
    had = {target: clean(sittings(), target).minutes for target in targets}
    busy: dict[Future[Sitting], str] = {}
    with ThreadPoolExecutor(jobs) as pool:
        while True:
            waiting = sorted(
                (spent, target)
                for target, spent in had.items()
                if spent < minutes and target not in busy.values() and not _stopping.is_set()
            )
            for spent, target in waiting[: jobs - len(busy)]:
                # The last slice of a target must do more than load the corpus.
                now = min(longest, max(minutes - spent, 1.0))
                busy[pool.submit(fuzz, target, now)] = target
            if not busy:
                return
            done, _ = wait(busy, return_when=FIRST_COMPLETED)
            for future in done:
                target = busy.pop(future)
                sitting = future.result()
                had[target] += sitting.minutes
                if sitting.findings:
                    # Every further slice would begin with this input, and end there.
                    del had[target]
                yield sitting


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
        if _stopping.is_set():
            raise typer.Exit(130)
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


def report() -> None:
    """Print how long each target has been fuzzed since its last finding, as Markdown."""
    past = sittings()
    print("| target | processor minutes | inputs tried | branches reached |")
    print("| --- | --- | --- | --- |")
    whole = [clean(past, target) for target in TARGETS]
    for each in whole:
        print(f"| `{each.target}` | {each.minutes:.0f} | {each.runs:,} | {each.branches:,} |")
    minutes, runs = sum(each.minutes for each in whole), sum(each.runs for each in whole)
    print(f"| all {len(whole)} | {minutes:,.0f} | {runs:,} | |")


def main(
    target: Annotated[str | None, typer.Argument(help=f"one of {', '.join(TARGETS)}")] = None,
    minutes: Annotated[float, typer.Option(min=0.05, help="for each target")] = 1.0,
    every: Annotated[bool, typer.Option("--all", help="all targets")] = False,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="count the minutes that a target had before, by the log"),
    ] = False,
    longest: Annotated[
        float, typer.Option("--slice", min=0.2, help="minutes of one sitting, with --resume")
    ] = 5.0,
    jobs: Annotated[int, typer.Option(min=1, help="targets at a time, with --resume")] = 1,
    minimised: Annotated[
        bool, typer.Option("--minimise", help="shorten the corpus instead")
    ] = False,
    reported: Annotated[
        bool, typer.Option("--report", help="print the table of the log instead")
    ] = False,
) -> None:
    """Fuzz one target, or all."""
    if reported:
        report()
        return
    if (target is None) != every or (target is not None and target not in TARGETS):
        raise SystemExit(f"name one target, or say --all: {', '.join(TARGETS)}")
    if find_spec("atheris") is None:
        raise SystemExit("atheris is missing: `make fuzz` fetches it")
    WORK.mkdir(parents=True, exist_ok=True)
    # A terminal that closes reaches only this process: the fuzzers have groups of their own.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        # `nohup` has a run go on without its terminal.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stop)
    chosen = list(TARGETS) if target is None else [target]
    if minimised:
        for name in chosen:
            print(f"{name}: {minimise(name)}", flush=True)
        return
    findings = 0
    sat = (
        slices(chosen, minutes, longest, jobs)
        if resume
        else (fuzz(name, minutes) for name in chosen if not _stopping.is_set())
    )
    for sitting in sat:
        findings += sitting.findings
        print(sitting, flush=True)
    if findings:
        print(
            f"{counted(findings, 'finding')} in {FOUND}; mend what they show, and keep them there"
        )
        raise typer.Exit(1)
    if _stopping.is_set():
        raise typer.Exit(130)
    if resume:
        print(f"Every target has had {minutes:g} minutes.")


if __name__ == "__main__":
    typer.run(main)
