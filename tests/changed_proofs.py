"""Proofs that are wrong in one place, for the tests and the benchmarks of their checker."""

import random
from collections.abc import Iterator
from dataclasses import replace

from minewright.noguess import Proof


def changes(proof: Proof, size: int, chance: random.Random) -> Iterator[Proof]:
    """Yield proofs that are wrong in one place.

    No clue of a step can be spared, and a step concludes everything that follows from its clues. So
    one clue fewer and one conclusion more are both wrong, even where the conclusion happens to be
    true.
    """
    mined = set(proof.mines)
    opened, flagged = set[int](), set[int]()
    for at, step in enumerate(proof.steps):
        wrong = []
        if step.clues:
            spared = chance.choice(step.clues)
            wrong.append(replace(step, clues=tuple(c for c in step.clues if c != spared)))
        if step.total:
            wrong.append(replace(step, total=False))
        if mines := sorted(mined - flagged - set(step.mined)):
            wrong.append(replace(step, safe=(*step.safe, chance.choice(mines))))
        if free := sorted(set(range(size)) - mined - opened - set(step.safe)):
            wrong.append(replace(step, mined=(*step.mined, chance.choice(free))))
        for one in wrong:
            yield replace(proof, steps=(*proof.steps[:at], one, *proof.steps[at + 1 :]))
        opened |= set(step.safe)
        flagged |= set(step.mined)
    yield replace(proof, first=chance.choice(proof.mines))
    yield replace(proof, mines=proof.mines[1:])
    yield replace(proof, steps=proof.steps[:-1])
