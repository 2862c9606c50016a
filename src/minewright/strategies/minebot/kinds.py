"""MineBot as a player, and its names in the registry."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from minewright.position import Position
from minewright.strategies.minebot.algorithms import (
    NODES,
    Algorithm,
    burnout,
    contrapositive,
    exhaustion,
    mended_burnout,
    similarity,
    truth,
)
from minewright.strategies.minebot.numbers import LITERAL, Numbers, Reading
from minewright.strategies.registry import Kind, Option, register
from minewright.strategies.strategy import Conclusion, Deducer


class MineBot(Deducer):
    """Applies algorithms in order, until one of them finds something."""

    def __init__(
        self,
        algorithms: Iterable[Algorithm],
        contradiction: str = LITERAL.contradiction,
        visits: str = LITERAL.visits,
        guess: str = "unknown",
    ) -> None:
        self.algorithms = tuple(algorithms)
        self.reading = Reading(contradiction, visits)
        self.guesses_marked = guess == "non-open"

    def conclude(self, position: Position) -> Conclusion:
        """Return what the first successful algorithm finds; each turn starts with the first."""
        numbers = Numbers(position, self.reading)
        gave_up = False
        for algorithm in self.algorithms:
            conclusion = algorithm(numbers)
            gave_up |= conclusion.gave_up
            if conclusion.findings:
                return replace(conclusion, gave_up=gave_up)
        among = position.covered if self.guesses_marked else ()
        return Conclusion(among=tuple(among), gave_up=gave_up)


def published(nodes: str, **reading: str) -> Deducer:
    """Make MineBot as published."""
    last = partial(burnout, nodes=int(nodes))
    return MineBot((truth, contrapositive, exhaustion, last), **reading)


def burnout_alone(nodes: str) -> Deducer:
    """Make a player that uses burnout alone."""
    return MineBot((partial(burnout, nodes=int(nodes)),))


IMPROVEMENTS = ("burnout", "similarity")


def plus(nodes: str, improve: str, **reading: str) -> Deducer:
    """Make MineBot with improvements listed under Further Research."""
    chosen = improve.split("+")
    last = mended_burnout if "burnout" in chosen else burnout
    algorithms: list[Algorithm] = [
        truth,
        contrapositive,
        exhaustion,
        partial(last, nodes=int(nodes)),
    ]
    if "similarity" in chosen:
        algorithms.append(partial(similarity, nodes=int(nodes)))
    return MineBot(algorithms, **reading)


_FOLLOWED = {
    "contradiction": Option(
        LITERAL.contradiction, ("many", "both"), "too many mines, or also too few cells for them"
    ),
    "visits": Option(
        LITERAL.visits,
        ("once", "all"),
        "follow an assumption to each number once, or until there is nothing new",
    ),
}
_READING = _FOLLOWED | {
    "guess": Option(
        "unknown", ("unknown", "non-open"), "guess among unmarked cells, or among marked ones too"
    )
}
_IMPROVE = {
    "improve": Option(
        "+".join(IMPROVEMENTS),
        IMPROVEMENTS,
        "which improvements, beside the guess: a corrected burnout, what all configurations share",
        many=True,
    )
}
_NODES = {"nodes": Option(str(NODES), summary="nodes of a whole-board search before it gives up")}

register(
    Kind(
        "minebot",
        "MineBot, Game Difficulty",
        "truth, contrapositive, exhaustion, burnout, in this order",
        published,
        title="MineBot",
        options=_READING | _NODES,
    )
)
register(
    Kind(
        "minebot-truth",
        "MineBot, Truth",
        "one number at a time",
        partial(MineBot, (truth,)),
        title="MineBot Truth",
    )
)
register(
    Kind(
        "minebot-contrapositive",
        "MineBot, Contrapositive",
        "a mark that leads to a contradiction is wrong",
        partial(MineBot, (contrapositive,)),
        title="MineBot Contrapositive",
        options=_FOLLOWED,
    )
)
register(
    Kind(
        "minebot-exhaustion",
        "MineBot, Exhaustion",
        "what all valid markings of one number have in common",
        partial(MineBot, (exhaustion,)),
        title="MineBot Exhaustion",
        options=_FOLLOWED,
    )
)
register(
    Kind(
        "minebot-burnout",
        "MineBot, Burnout",
        "nothing is mined beyond the numbers if they need all remaining mines",
        burnout_alone,
        title="MineBot Burnout",
        options=_NODES,
    )
)
register(
    Kind(
        "minebot-plus",
        "MineBot, Further Research",
        "MineBot with a corrected burnout, what all configurations share, and the safest guess",
        plus,
        title="MineBot Plus",
        complete="yes",
        # It "guesses among the locations with the least probability": ties are broken at random.
        guesser="safest:ties=random",
        options=_FOLLOWED | _NODES | _IMPROVE,
    )
)
