"""Compares the speed and the mistakes of exact probabilities with those of other programs.

Every position goes to every side in turn, on one core, so that a noisy moment affects all of them.
Each side has its own process, which times the call alone. Short calls are repeated in
rounds over the whole group: if the same position came twice in a row, the branch predictor would
remember it and favour the side that takes fewer steps.
"""

from __future__ import annotations

import json
import math
import os
import platform
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Annotated

import make_positions
import typer
from make_positions import Item
from peers import BATCH, OURS, PEERS, SIDES, NotInstalledError, Reply, Row, Side, Worker
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from minewright.board import Board
from minewright.inference import BudgetExceeded, analyze
from minewright.position import Position, PositionError

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from reference import TooLargeError, covered, reference

STORED = Path(__file__).with_name("positions.json")
BOARDS = ("9x9x10", "16x16x40", "30x16x99", "50x50x500", "100x100x2000")

# Calls shorter than SHORT seconds are repeated in ROUNDS rounds, and the median counts.
SHORT, ROUNDS = 0.1, 9
# After this many time-outs in a group, a side is not asked again in it.
PATIENCE = 3
TOLERANCE = 1e-9

# Every kind of mistake that callers make, and a few odd but valid positions.
ODD = {
    "a row is too short": "3x3x2\n1##\n##\n###",
    "a row is too long": "3x3x2\n1##\n####\n###",
    "no cells": "0x0x0",
    "an unknown letter": "2x2x1\n1#\nZ#",
    "a 5 with three neighbours": "2x2x2\n5#\n##",
    "more mines than covered cells": "2x2x9\n1#\n##",
    "fewer mines than the clues need": "3x3x1\n2##\n###\n##3",
    "more mines than the clues allow": "3x2x2\n0#1\n###",
    "fewer mines than none": "2x2x-1\n1#\n##",
    "clues that clash": "3x2x2\n0#3\n###",
    "a wrong mark": "4x1x1\n1#F#",
    "a 0 with covered neighbours": "3x3x2\n0##\n###\n###",
    "no clue": "3x3x4\n###\n###\n###",
    "no mine": "3x3x0\n###\n###\n###",
    "nothing but mines": "3x3x9\n###\n###\n###",
    "nothing covered": "3x1x0\n000",
}


@dataclass(frozen=True)
class Truth:
    """The exact answer to a position, and how it was found."""

    probability: Row
    safe: frozenset[int]
    mined: frozenset[int]
    by: str


@dataclass
class Score:
    """What one side did on one group."""

    tried: int = 0
    answered: int = 0
    refused: int = 0
    timed_out: int = 0
    crashed: int = 0
    skipped: int = 0
    wrong: int = 0
    false_certainty: int = 0
    missed_certainty: int = 0
    worst_error: float = 0.0
    # For each position that was answered or timed out: the seconds of all calls.
    samples: dict[str, list[float]] = field(default_factory=dict)
    wasted: float = 0.0
    messages: dict[str, str] = field(default_factory=dict)

    @property
    def seconds(self) -> list[float]:
        """The time of each position, in ascending order."""
        return sorted(median(samples) for samples in self.samples.values())

    @property
    def rate(self) -> float:
        """Answers per second; time spent without an answer counts too."""
        return self.answered / (sum(self.seconds) + self.wasted) if self.answered else 0.0

    def quantile(self, share: float) -> float:
        """The time within which this share of the positions was done, time-outs included."""
        seconds = self.seconds
        if not self.answered:
            return math.nan
        return median(seconds) if share == 0.5 else seconds[math.ceil(share * len(seconds)) - 1]

    def add(self, item: Item, reply: Reply, truth: Truth | None, side: Side) -> None:
        """Count the reply to one position."""
        name = item["id"]
        self.tried += 1
        if reply["status"] in ("answered", "time-out"):
            self.samples[name] = reply["seconds"]
        else:
            self.wasted += sum(reply["seconds"])
        if reply["status"] != "answered":
            self.messages[name] = f"{reply['status']}: {reply['message']}"
        match reply["status"]:
            case "answered":
                self.answered += 1
                if truth is not None:
                    self.judge(name, reply["rows"][0], truth, side)
            case "refused":
                self.refused += 1
            case "time-out":
                self.timed_out += 1
            case "crashed":
                self.crashed += 1

    def judge(self, name: str, row: Row, truth: Truth, side: Side) -> None:
        """Compare an answer with the truth."""
        verdict = compare(row, truth)
        self.worst_error = max(self.worst_error, verdict.error)
        self.false_certainty += verdict.false_certainty
        self.missed_certainty += verdict.missed_certainty
        if verdict.error > TOLERANCE + side.rounding:
            self.wrong += 1
            self.messages[name] = f"wrong by {verdict.error:.3g}"


@dataclass(frozen=True)
class Verdict:
    """How a row of probabilities compares with the truth."""

    error: float
    # Some cell has exactly 0 or 1 although it is not certain; or is certain and has something else.
    false_certainty: bool = False
    missed_certainty: bool = False


def compare(row: Row, truth: Truth) -> Verdict:
    """Compare a row of probabilities with the truth, cell by cell."""
    if len(row) != len(truth.probability):
        return Verdict(math.inf)
    error, false, missed = 0.0, False, False
    for cell, (given, exact) in enumerate(zip(row, truth.probability, strict=True)):
        if exact is None:
            continue
        if given is None:
            return Verdict(math.inf)
        error = max(error, abs(given - exact))
        for value, proved in ((0.0, truth.safe), (1.0, truth.mined)):
            false |= given == value and cell not in proved
            missed |= given != value and cell in proved
    return Verdict(error, false, missed)


def find_truth(text: str) -> Truth | None:
    """Return the exact answer: by brute force where possible, otherwise from exact fractions."""
    position = Position.parse(text)
    try:
        fractions, by = reference(position).fractions, "brute force"
    except TooLargeError:
        try:
            fractions, by = analyze(position).fractions, "exact fractions"
        except BudgetExceeded:
            return None
    cells = [(cell, fractions[cell]) for cell in covered(position)]
    row: Row = [None] * len(position.cells)
    for cell, fraction in cells:
        row[cell] = None if fraction is None else float(fraction)
    return Truth(
        row,
        frozenset(cell for cell, fraction in cells if fraction == 0),
        frozenset(cell for cell, fraction in cells if fraction == 1),
        by,
    )


def _witness(truth: Truth | None, replies: dict[str, Reply]) -> str:
    """Return how the truth of a position was found."""
    if truth is None:
        return "nobody"
    told = [replies[s.name]["rows"] for s in PEERS if s.rounding == 0.0 and s.name in replies]
    if any(rows and compare(rows[0], truth).error <= TOLERANCE for rows in told):
        return f"{truth.by} and a peer"
    return truth.by


def load_groups(quick: bool, seed: int) -> dict[str, list[Item]]:
    """Read the stored positions and make our own."""
    groups: defaultdict[str, list[Item]] = defaultdict(list)
    stored: list[Item] = json.loads(STORED.read_text(encoding="utf-8"))
    for item in stored:
        board = item["text"].split("\n", 1)[0]
        groups[f"sparse {board}" if item["kind"] == "sparse" else board].append(item)
    for board in BOARDS:
        count = 2 if board in BOARDS[3:] else 25
        group = groups[f"{board}, our own"]
        for kind in ("first_stuck", "midgame"):
            group += make_positions.make(Board.parse(board), kind, count, seed)
    for board, share in (("24x24x115", 0.3), ("30x16x99", 0.3), ("50x50x500", 0.3)):
        group = groups[f"sparse {board}, {share:.0%} open, our own"]
        group += make_positions.make(Board.parse(board), "sparse", 5, seed, share)
    groups["200x200x6000 midgame, our own"] = make_positions.make(
        Board.parse("200x200x6000"), "midgame", 1 if quick else 3, seed
    )
    if quick:
        return {name: group[:: max(1, len(group) // 10)] for name, group in groups.items()}
    return dict(groups)


class Contest:
    """All sides at work on all groups."""

    def __init__(self, python: str, limit: float, console: Console) -> None:
        self.limit = limit
        self.console = console
        self.workers: dict[str, Worker] = {}
        for side in SIDES.values():
            try:
                self.workers[side.name] = Worker(side, sys.executable if side.ours else python)
            except NotInstalledError as error:
                console.print(f"[yellow]left out: {error}[/]")
        self.groups: dict[str, dict[str, Score]] = {}
        self.truths: dict[str, int] = defaultdict(int)
        self.odd: dict[str, dict[str, tuple[bool, str]]] = {}

    def singles(self) -> list[Worker]:
        return [worker for worker in self.workers.values() if worker.side is not BATCH]

    def run_group(self, name: str, items: Sequence[Item]) -> Iterator[None]:
        """Ask every side about every position, in turns; yield after each step."""
        scores = {worker.side.name: Score() for worker in self.workers.values()}
        self.groups[name] = scores
        truths: list[Truth | None] = []
        for number, item in enumerate(items):
            truth = find_truth(item["text"])
            truths.append(truth)
            replies: dict[str, Reply] = {}
            for worker in self._in_turn(number):
                score = scores[worker.side.name]
                if score.timed_out >= PATIENCE and score.answered == 0:
                    score.skipped += 1
                    continue
                reply = worker.ask([item["text"]], self.limit)
                score.add(item, reply, truth, worker.side)
                replies[worker.side.name] = reply
            self.truths[_witness(truth, replies)] += 1
            yield
        batches: list[Reply] = []
        for number in range(ROUNDS):
            for worker in self._in_turn(number):
                # Each round starts elsewhere, because the first call after a pause is slow.
                first = number * len(items) // ROUNDS
                around = [*items[first:], *items[:first]]
                self._sweep(worker, scores[worker.side.name], around)
            if BATCH.name in self.workers:
                texts = [item["text"] for item in items]
                batches.append(self.workers[BATCH.name].ask(texts, self.limit))
            yield
        if batches:
            self._add_batches(scores[BATCH.name], batches, items, truths)

    def _in_turn(self, number: int) -> list[Worker]:
        turn = number % len(self.singles())
        return self.singles()[turn:] + self.singles()[:turn]

    def _sweep(self, worker: Worker, score: Score, items: Sequence[Item]) -> None:
        """Repeat the short calls of a group."""
        short = [
            item
            for item in items
            if item["id"] in score.samples and score.samples[item["id"]][0] < SHORT
        ]
        if short:
            reply = worker.ask([item["text"] for item in short], self.limit, sweep=True)
            if reply["status"] == "answered":
                for item, seconds in zip(short, reply["seconds"], strict=True):
                    score.samples[item["id"]].append(seconds)

    @staticmethod
    def _add_batches(
        score: Score, batches: list[Reply], items: Sequence[Item], truths: list[Truth | None]
    ) -> None:
        """Count a group's batches as one: the median of their times, the answers of the last."""
        score.tried = len(items)
        failed = [reply for reply in batches if reply["status"] != "answered"]
        if failed:
            score.refused = len(items)
            score.messages = {"batch": failed[0]["message"]}
            return
        score.answered = len(items)
        score.samples = {"batch": [seconds for reply in batches for seconds in reply["seconds"]]}
        for item, row, truth in zip(items, batches[-1]["rows"], truths, strict=True):
            if truth is not None:
                score.judge(item["id"], row, truth, BATCH)

    def run_odd(self) -> None:
        """Give every side the odd inputs."""
        for name, text in ODD.items():
            verdicts = {
                worker.side.name: self._verdict(worker.ask([text], self.limit), text, worker.side)
                for worker in self.singles()
            }
            self.odd[name] = verdicts

    @staticmethod
    def _verdict(reply: Reply, text: str, side: Side) -> tuple[bool, str]:
        """Say whether a reply is right, and what it was."""
        try:
            found = reference(Position.parse(text))
        except PositionError:
            found = None
        if reply["status"] != "answered":
            right = reply["status"] == "refused" and (found is None or not found.consistent)
            return right, f"{reply['status']}: {reply['message']}"
        shown = ", ".join("-" if p is None else f"{p:.3g}" for p in reply["rows"][0])
        if found is None or not found.consistent:
            return False, f"answered {shown}"
        truth = find_truth(text)
        assert truth is not None
        right = compare(reply["rows"][0], truth).error <= TOLERANCE + side.rounding
        return right, f"answered {shown}"

    def stop(self) -> None:
        for worker in self.workers.values():
            worker.stop()


# --- What is shown --------------------------------------------------------------------------------


def _time(seconds: float) -> str:
    if math.isnan(seconds):
        return "-"
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def _ratio(ours: float, theirs: float) -> str:
    return f"{ours / theirs:,.1f}" if ours and theirs and math.isfinite(ours / theirs) else "-"


def fastest_peer(scores: dict[str, Score]) -> Score | None:
    """Return the peer with the most answers per second."""
    rated = [scores[side.name] for side in PEERS if side.name in scores]
    return max((s for s in rated if s.rate), key=lambda score: score.rate, default=None)


def speed_table(groups: dict[str, dict[str, Score]]) -> Table:
    """Show the speed of every side on every group."""
    table = Table(title="Speed: every position, all probabilities, one core")
    for heading in ("group", "side"):
        table.add_column(heading)
    for heading in ("answered", "positions/s", "median", "p99", "worst"):
        table.add_column(heading, justify="right")
    table.add_column("times the\nfastest peer", justify="right")
    table.add_column("by the\nmedian", justify="right")
    for group, scores in groups.items():
        best = fastest_peer(scores)
        for name, score in scores.items():
            batch = name == BATCH.name
            table.add_row(
                group if name == OURS.name else "",
                name,
                f"{score.answered}/{score.tried + score.skipped}",
                f"{score.rate:,.3g}" if score.rate < 1000 else f"{score.rate:,.0f}",
                "" if batch else _time(score.quantile(0.5)),
                "" if batch else _time(score.quantile(0.99)),
                "" if batch else _time(score.quantile(1.0)),
                _ratio(score.rate, best.rate) if best else "-",
                "" if batch or best is None else _ratio(best.quantile(0.5), score.quantile(0.5)),
            )
        table.add_section()
    return table


def fault_table(groups: dict[str, dict[str, Score]]) -> Table:
    """Show what every side got wrong, all groups together."""
    table = Table(title="Faults on the same positions")
    table.add_column("side")
    for heading in (
        "tried",
        "wrong",
        "false\ncertainty",
        "certainty\nmissed",
        "largest error",
        "refused",
        "time-out",
        "crashed",
        "not tried",
    ):
        table.add_column(heading, justify="right")
    for side in SIDES.values():
        found = [scores[side.name] for scores in groups.values() if side.name in scores]
        if found:
            table.add_row(
                side.name,
                str(sum(s.tried for s in found)),
                str(sum(s.wrong for s in found)),
                str(sum(s.false_certainty for s in found)),
                str(sum(s.missed_certainty for s in found)),
                f"{max(s.worst_error for s in found):.1e}",
                str(sum(s.refused for s in found)),
                str(sum(s.timed_out for s in found)),
                str(sum(s.crashed for s in found)),
                str(sum(s.skipped for s in found)),
            )
    return table


def odd_table(odd: dict[str, dict[str, tuple[bool, str]]]) -> Table:
    """Show what every side said to the odd inputs."""
    names = list(next(iter(odd.values())))
    table = Table(title="Odd and bad inputs", show_lines=True)
    table.add_column("input")
    for name in names:
        table.add_column(name, max_width=36)
    for name, verdicts in odd.items():
        cells = (verdicts[side] for side in names)
        table.add_row(
            name, *(f"[{'green' if right else 'red'}]{said[:120]}[/]" for right, said in cells)
        )
    return table


def as_json(contest: Contest) -> dict[str, object]:
    """Return everything that was measured as one object."""
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "versions": {name: worker.version for name, worker in contest.workers.items()},
        "time_limit": contest.limit,
        "truth": dict(contest.truths),
        "groups": {
            group: {
                name: {
                    **asdict(score),
                    "positions_per_second": score.rate,
                    "median": score.quantile(0.5),
                    "p99": score.quantile(0.99),
                    "worst": score.quantile(1.0),
                }
                for name, score in scores.items()
            }
            for group, scores in contest.groups.items()
        },
        "odd_inputs": contest.odd,
    }


def main(
    quick: Annotated[bool, typer.Option(help="a tenth of the positions, 5 s a call")] = False,
    limit: Annotated[float | None, typer.Option(help="seconds a call may take [30]")] = None,
    core: Annotated[int | None, typer.Option(help="the core to run on [the last]")] = None,
    seed: Annotated[int, typer.Option(help="of our own positions")] = 1,
    only: Annotated[str, typer.Option(help="only groups whose name holds this")] = "",
    peers_python: Annotated[
        str, typer.Option(help="the Python that has the peers, if another one")
    ] = sys.executable,
    json_file: Annotated[Path | None, typer.Option("--json", help="write all figures")] = None,
) -> None:
    """Compare Minewright with ms_toollib and zig-minesolver, position by position."""
    console = Console(width=None if sys.stdout.isatty() else 140)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0)) if core is None else core})
    seconds = limit if limit is not None else 5.0 if quick else 30.0
    contest = Contest(peers_python, seconds, console)
    try:
        with Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
        ) as progress:
            making = progress.add_task("making positions", total=None)
            groups = {n: g for n, g in load_groups(quick, seed).items() if only in n}
            progress.remove_task(making)
            for name, items in groups.items():
                task = progress.add_task(name, total=len(items) + ROUNDS)
                for _ in contest.run_group(name, items):
                    progress.advance(task)
            contest.run_odd()
    finally:
        contest.stop()
    console.print(speed_table(contest.groups))
    console.print(fault_table(contest.groups))
    judged = ", ".join(f"{count} by {by}" for by, count in sorted(contest.truths.items()))
    console.print(f"Who is right was decided: {judged}.")
    console.print(odd_table(contest.odd))
    if json_file:
        json_file.write_text(json.dumps(as_json(contest), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
