"""Compares sampled answers with exact ones: how far off are they, in standard errors?

Every position can be solved exactly, but costs far more than a block of the walk. A budget of a few
states forces the sampler to answer. For each family, the table shows the share of cells that are
more than 2 and 3 standard errors off (4.6% and 0.3% for normal errors), the worst cell, the median
error, and how many answers were refused.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from minewright.inference import Budget, BudgetExceeded, analyze
from minewright.position import Position

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from hard_positions import FAMILIES

# Positions that cost less fit into a block or two of the walk, and say nothing about it.
LEAST_STATES, MOST_STATES = 300_000, 60_000_000
# A budget of so few states makes the sampler answer for every component that has a choice or two.
FORCED = 1000


@dataclass
class Score:
    """What was found in one family."""

    family: str
    answers: int
    refused: int
    cells: int
    beyond_2: float
    beyond_3: float
    worst: float
    furthest: float
    middle_error: float
    seconds: float


def exact(position: Position) -> NDArray[np.float64] | None:
    """Return the exact probabilities, or None if they cost too little or too much."""
    budget = Budget(MOST_STATES, 600.0)
    try:
        analyze(position, budget=Budget(LEAST_STATES, 600.0))
    except BudgetExceeded:
        try:
            return analyze(position, budget=budget).probability
        except BudgetExceeded:
            return None
    return None


def score(family: str, positions: int, seconds: float, first: int, tries: int = 400) -> Score:
    """Sample `positions` positions of a family, starting with seed `first`."""
    distances: list[NDArray[np.float64]] = []
    differences: list[NDArray[np.float64]] = []
    errors: list[NDArray[np.float64]] = []
    answers = refused = 0
    spent = 0.0
    for seed in range(first, first + tries):
        if answers + refused == positions:
            break
        position = FAMILIES[family](seed)
        truth = exact(position)
        if truth is None:
            continue
        start = process_time()
        try:
            found = analyze(position, approximate=True, seed=seed, budget=Budget(FORCED, seconds))
        except BudgetExceeded:
            refused += 1
            continue
        finally:
            spent += process_time() - start
        answers += 1
        error = found.standard_error
        assert error is not None
        difference = np.abs(found.probability - truth)
        # A cell whose error is 0 must be exact.
        uncertain = (error > 0) | (difference > 1e-9)
        with np.errstate(divide="ignore"):
            distances.append(difference[uncertain] / error[uncertain])
        differences.append(difference[uncertain])
        errors.append(error[uncertain])
    z = np.concatenate([*distances, np.zeros(0)])
    return Score(
        family,
        answers,
        refused,
        len(z),
        float(np.mean(z > 2)) if len(z) else 0.0,
        float(np.mean(z > 3)) if len(z) else 0.0,
        float(max(z, default=0.0)),
        float(max(np.concatenate([*differences, np.zeros(0)]), default=0.0)),
        float(np.median(np.concatenate(errors))) if errors else 0.0,
        spent / max(1, answers + refused),
    )


def main(
    positions: Annotated[int, typer.Option(help="How many positions of each family.")] = 12,
    seconds: Annotated[float, typer.Option(help="How long one answer may take.")] = 600.0,
    seed: Annotated[int, typer.Option(help="The first seed to make a position of.")] = 0,
    family: Annotated[str, typer.Option(help="Only families with this in their name.")] = "",
    out: Annotated[Path | None, typer.Option(help="Also write the scores as JSON.")] = None,
) -> None:
    """Compare sampled answers with exact ones, family by family."""
    console = Console(width=140)
    table = Table("family", "answers", "refused", "cells", "beyond 2", "beyond 3", "worst")
    for heading in ("furthest", "middle error", "CPU seconds"):
        table.add_column(heading)
    scores = []
    for name in FAMILIES:
        if family not in name:
            continue
        found = score(name, positions, seconds, seed)
        scores.append(found)
        console.print(asdict(found))
        table.add_row(
            found.family,
            str(found.answers),
            str(found.refused),
            f"{found.cells:,}",
            f"{found.beyond_2:.1%}",
            f"{found.beyond_3:.1%}",
            f"{found.worst:.1f}",
            f"{found.furthest:.3f}",
            f"{found.middle_error:.4f}",
            f"{found.seconds:.1f}",
        )
    console.print(table)
    if out is not None:
        out.write_text(json.dumps([asdict(found) for found in scores], indent=1) + "\n")


if __name__ == "__main__":
    typer.run(main)
