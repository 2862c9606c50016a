"""Print sentences of real expert steps as Markdown, picked at random by a seed.

Games are played as in benchmarks/deduction.py. Nearly every step needs only one clue. So a sort of
step (its type, its number of clues, its pattern) is drawn first, then one of the steps of that
sort, each with the same chance. The sorts take turns until there are enough sentences.
"""

import sys
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from minewright.board import EXPERT
from minewright.deduction import Deduction, explain
from minewright.messages import counted

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))
from deduction import positions

Sort = tuple[int, int, str]
"""Type, number of clues, and pattern if any."""


def sorts(games: int, seed: int) -> dict[Sort, list[Deduction]]:
    """Play, and put the steps of all positions together by sort."""
    found: dict[Sort, list[Deduction]] = {}
    for game in range(games):
        for position in positions(EXPERT, seed, game):
            for step in explain(position):
                found.setdefault((step.kind, step.order, step.pattern or ""), []).append(step)
    return found


def pick(found: dict[Sort, list[Deduction]], count: int, seed: int) -> list[Deduction]:
    """Pick steps at random, as different in sort as possible; no sentence twice."""
    random = Random(seed)
    turns = random.sample(sorted(found), len(found))
    rounds = zip_longest(*(random.sample(found[sort], len(found[sort])) for sort in turns))
    picked: dict[str, Deduction] = {}
    for step in chain.from_iterable(rounds):
        if len(picked) == count:
            break
        if step is not None:
            picked.setdefault(step.sentence, step)
    return sorted(picked.values(), key=lambda step: (step.kind, step.order, step.pattern or ""))


def main(
    count: Annotated[int, typer.Option(min=1, metavar="N", help="how many sentences")] = 20,
    games: Annotated[int, typer.Option(min=1, metavar="N", help="how many games")] = 20,
    seed: Annotated[int, typer.Option(min=0, metavar="S")] = 1,
) -> None:
    """Print sentences from the positions of random expert games."""
    found = sorts(games, seed)
    steps = sum(map(len, found.values()))
    command = f"python scripts/sentences.py --count {count} --games {games} --seed {seed}"
    kinds = f"{counted(steps, 'step')} of {counted(len(found), 'sort')}"
    print(f"Picked by `{command}` from {kinds}, each sort in its turn.\n")
    for number, step in enumerate(pick(found, count, seed), 1):
        sort = (step.kind, step.order, step.pattern or "")
        total = " and the total" if step.total else ""
        pattern = f", {step.pattern}" if step.pattern else ""
        alike = counted(len(found[sort]), "such step")
        head = f"Type {step.kind}, {counted(step.order, 'clue')}{total}{pattern} ({alike})"
        print(f"{number}. {head}: {step.sentence}")


if __name__ == "__main__":
    typer.run(main)
