"""Wald's sequential test between two players of the same games."""

from collections.abc import Sequence
from math import log
from typing import Literal, NamedTuple

from minewright.lab.experiment import Duel


class Verdict(NamedTuple):
    """What a duel has shown, and after how many games.

    "first" or "second": it is the stronger one. "equal": neither wins the share of decided games
    that the duel asks for.
    """

    stronger: Literal["first", "second", "equal"]
    games: int
    first_only: int
    """Games that only the first of the two won."""
    second_only: int


def decide(first: Sequence[bool], second: Sequence[bool], duel: Duel) -> Verdict | None:
    """Follow the games in order and stop where the test does; None if they are too few.

    Two one-sided tests run side by side, each with half the error: "the first wins at least
    `share` of the games that one of them wins alone" against "half", and the same for the second.
    """
    # Each test may claim strength wrongly in error / 2 of the cases, and miss it in `error`.
    upper = log((1 - duel.error) / (duel.error / 2))
    lower = log(duel.error / (1 - duel.error / 2))
    win, lose = log(duel.share / 0.5), log((1 - duel.share) / 0.5)
    evidence = [0.0, 0.0]
    refuted = [False, False]
    alone = [0, 0]
    for game, (one, other) in enumerate(zip(first, second, strict=True), 1):
        if one == other:
            continue
        alone[other] += 1
        for side in (0, 1):
            evidence[side] += win if side == other else lose
            if refuted[side]:
                continue
            if evidence[side] >= upper:
                return Verdict(("first", "second")[side], game, *alone)
            refuted[side] = evidence[side] <= lower
        if all(refuted):
            return Verdict("equal", game, *alone)
    return None
