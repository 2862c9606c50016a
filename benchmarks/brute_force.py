"""Checks the kernel against brute force on thousands of small random positions.

Counts, certain cells and inconsistency must be equal. Every probability, and the distribution of
the number that each covered cell would show, must be within 1e-12 of the exact fraction.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from minewright.inference import Clash, analyze, enumerate_solutions
from minewright.position import COVERED, MARKED, MAX_NUMBER, Position

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from reference import TOPOLOGIES, Reference, covered, random_position, reference

TOLERANCE = 1e-12
# How many cells of a position are asked for their numbers, and how many minefields are listed.
NUMBERED, LISTED = 4, 200
# With fewer clues, or without the total, brute force has more to try. So these are left out only if
# at most this many cells are covered.
ROOMY = 14


def differences(position: Position, random: Random) -> Iterator[str]:
    """Yield where the kernel differs from brute force, asked in one of several ways at random."""
    trust_marks = random.random() < 0.2
    roomy = len(covered(position)) <= ROOMY
    use_total = not roomy or random.random() < 0.7
    numbered = [cell for cell, code in enumerate(position.cells) if code <= MAX_NUMBER]
    some = random.sample(numbered, random.randint(0, len(numbered)))
    clues = some if roomy and random.random() < 0.3 else None

    def truth(clues: Sequence[int] | None, use_total: bool) -> Reference:
        return reference(position, trust_marks=trust_marks, clues=clues, use_total=use_total)

    expected = truth(clues, use_total)
    found = analyze(position, trust_marks=trust_marks, clues=clues, use_total=use_total)
    if found.consistent != expected.consistent:
        yield f"consistent: {found.consistent}, expected {expected.consistent}"
        return
    if found.solutions != expected.solutions:
        yield f"solutions: {found.solutions}, expected {expected.solutions}"
    if found.safe != expected.safe:
        yield f"safe: {found.safe}, expected {expected.safe}"
    if found.mined != expected.mined:
        yield f"mined: {found.mined}, expected {expected.mined}"
    if found.fractions != expected.fractions:
        yield "fractions: not the exact ones"
    for cell, fraction in enumerate(expected.fractions):
        value = float(found.probability[cell])
        if fraction is not None and not abs(value - fraction) <= TOLERANCE:
            yield f"probability of cell {cell}: {value}, expected {fraction}"
        if position[cell] not in (COVERED, MARKED) and not math.isnan(value):
            yield f"probability of cell {cell}: {value}, expected none"
    if expected.consistent:
        cells = covered(position)
        for cell in random.sample(cells, min(len(cells), NUMBERED)):
            shown, exact = found.numbers(cell), expected.numbers(cell)
            near = (abs(p - q) <= TOLERANCE for p, q in zip(shown, exact, strict=False))
            if len(shown) != len(exact) or not all(near):
                yield f"numbers of cell {cell}: {shown}, expected {tuple(map(str, exact))}"
    elif found.clash is None:
        yield "clash: none named"
    elif roomy:
        yield from _wrong_clash(found.clash, truth)
    if clues is None and expected.solutions <= LISTED:
        listed = enumerate_solutions(position, LISTED, trust_marks=trust_marks, use_total=use_total)
        if len(listed) != expected.solutions or set(listed) != set(expected.minefields()):
            yield f"enumerate_solutions: {len(listed)}, not the {expected.solutions} minefields"


def _wrong_clash(
    clash: Clash, truth: Callable[[Sequence[int] | None, bool], Reference]
) -> Iterator[str]:
    """Check that the clues of a clash are inconsistent together, and that all are needed for it."""
    if truth(clash.clues, clash.total).consistent:
        yield f"clash: {clash} does not clash"
    for clue in clash.clues:
        if not truth([c for c in clash.clues if c != clue], clash.total).consistent:
            yield f"clash: {clash} does not need cell {clue}"
    if clash.total and not truth(clash.clues, False).consistent:
        yield f"clash: {clash} does not need the total"


def main(
    topology: Annotated[list[str] | None, typer.Option(help="repeatable [all]")] = None,
    count: Annotated[int, typer.Option(min=1, help="positions a topology")] = 10_000,
    seed: int = 1,
    side: Annotated[int, typer.Option(min=1, max=5, help="the longest side")] = 5,
) -> None:
    """Compare the kernel with brute force; exit code 1 on any difference."""
    console = Console()
    names = topology or list(TOPOLOGIES)
    table = Table(title=f"The kernel against brute force, seed {seed}")
    table.add_column("topology")
    for heading in ("positions", "inconsistent", "unknown total", "minefields", "different"):
        table.add_column(heading, justify="right")
    failed = False
    with Progress(console=Console(stderr=True)) as progress:
        for name in names:
            tally: Counter[str] = Counter()
            for number in progress.track(range(count), description=f"{name:8}"):
                # One generator per position, so that a single position can be made again.
                random = Random(f"{seed} {name} {number}")
                position = random_position(random, [name], side=side)
                expected = reference(position)
                tally["inconsistent"] += not expected.consistent
                tally["unknown"] += position.mines is None
                tally["minefields"] += expected.solutions
                found = list(differences(position, random))
                tally["different"] += bool(found)
                if found and tally["different"] <= 3:
                    console.print(f"{name} #{number}", *found, str(position), sep="\n")
            failed |= tally["different"] > 0
            table.add_row(
                name,
                f"{count:,}",
                *(f"{tally[k]:,}" for k in ("inconsistent", "unknown", "minefields", "different")),
            )
    console.print(table)
    if failed:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
