"""MineBot's algorithms: which of them acts most, what each costs, and what luck alone is worth."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import comb, sqrt
from pathlib import Path
from time import thread_time
from typing import Final

from minewright.documents import work
from minewright.documents.charts import Bars, draw_bars
from minewright.documents.claims import (
    Claim,
    NotTestable,
    above,
    at_least_times,
    computed,
    within,
)
from minewright.documents.estimates import Estimate, Share, exact, mean, percent, ratio
from minewright.documents.minebot import PAPER
from minewright.documents.minebot.expert import EXPERT, MINEBOT
from minewright.documents.study import Picture, Study
from minewright.documents.work import Piece, Request, Row, table_csv
from minewright.lab.page import Block, Heading, Table
from minewright.strategies import own_numbers, play
from minewright.strategies.minebot import Algorithm, MineBot, Numbers
from minewright.strategies.strategy import Conclusion

NAME: Final = "minebot-algorithms"
GAMES: Final = {"quick": 150, "paper": 2000}
PIECE: Final = 10
ALGORITHMS: Final = ("truth", "contrapositive", "exhaustion", "burnout")
CELLS, MINES = 480, 99


class Timed:
    """An algorithm that counts its calls, its successes and its processor time."""

    def __init__(self, algorithm: Algorithm) -> None:
        self._algorithm = algorithm
        self.calls = self.acted = 0
        self.seconds = self.longest = 0.0

    def __call__(self, numbers: Numbers) -> Conclusion:
        """Call the algorithm."""
        began = thread_time()
        found = self._algorithm(numbers)
        spent = thread_time() - began
        self.calls += 1
        self.acted += bool(found.findings)
        self.seconds += spent
        self.longest = max(self.longest, spent)
        return found


@dataclass(frozen=True, slots=True)
class Used:
    """What one algorithm did: one value per game."""

    calls: Sequence[float]
    acted: Sequence[float]
    seconds: Sequence[float]
    longest: float


Data = dict[str, Used]


def measure(request: Request) -> Data:
    """Play the games, or continue."""
    kind = Piece("games", range(GAMES[request.scale]), 1.0, partial(_row, request.seed))
    (rows,) = work.make(request, NAME, [kind], PIECE)
    own = {name: [row[4 * at : 4 * at + 4] for row in rows] for at, name in enumerate(ALGORITHMS)}
    return {
        name: Used(
            [calls for calls, _, _, _ in all_],
            [acted for _, acted, _, _ in all_],
            [seconds for _, _, seconds, _ in all_],
            max(longest for _, _, _, longest in all_),
        )
        for name, all_ in own.items()
    }


def _row(seed: int, number: int) -> Row:
    """Play a game: calls, successes, seconds and the longest call of each algorithm."""
    game = MINEBOT.game(seed, number)
    player = MINEBOT.recipe.player(own_numbers(seed, number))
    assert isinstance(player.deducer, MineBot)
    timed = tuple(map(Timed, player.deducer.algorithms))
    player.deducer.algorithms = timed
    play(game, player)
    return tuple(
        value for one in timed for value in (one.calls, one.acted, one.seconds, one.longest)
    )


def _by_truth(data: Data) -> list[Estimate]:
    acted = {name: sum(one.acted) for name, one in data.items()}
    return [Share(round(acted["truth"]), round(sum(acted.values()))).estimate("")]


def _per_call(of: str, dear: Used, cheap: Used) -> Estimate:
    """Estimate how many times as long a call takes: the seconds, with the calls made equal."""
    scale = sum(cheap.calls) / max(1.0, sum(dear.calls))
    return ratio(of, [scale * one for one in dear.seconds], cheap.seconds, same=True)


def _burnout_dearest(data: Data) -> list[Estimate]:
    return [_per_call(f"over {name}:", data["burnout"], data[name]) for name in ALGORITHMS[:3]]


def _exhaustion_dearer(data: Data) -> list[Estimate]:
    return [_per_call("", data["exhaustion"], data["contrapositive"])]


def _burnout_seconds(data: Data) -> list[Estimate]:
    own = data["burnout"]
    each = [seconds / calls for seconds, calls in zip(own.seconds, own.calls, strict=True) if calls]
    longest = exact("the longest, ms:", 1000 * own.longest)
    return [mean("a call, ms:", [1000 * one for one in each]), longest] if len(each) > 1 else []


RANDOM: Final = comb(CELLS - MINES, 100) / comb(CELLS, 100)
_LUCK: Final = "Game Strategy"
CLAIMS: Final[tuple[Claim[Data], ...]] = (
    *(
        computed(
            f"random-{step}",
            f"Opening at random, one has a {printed}% chance of choosing a non-mine on step "
            f"{step}.",
            _LUCK,
            f"({CELLS} - {MINES} - {step - 1}) / ({CELLS} - {step - 1}) in whole per cent, if all "
            "steps before were safe",
            round(100 * (CELLS - MINES - step + 1) / (CELLS - step + 1)),
            printed,
        )
        for step, printed in ((1, 79), (2, 79), (50, 77), (100, 74))
    ),
    Claim(
        "random-hundred",
        "One's chances of opening one hundred locations consecutively at random are roughly one in "
        "one hundred billion.",
        _LUCK,
        "C(381, 100) / C(480, 100), as one in so many billion: arithmetic, nothing is played.",
        lambda _: [exact("one in, billion:", 1e-9 / RANDOM)],
        within(100 / sqrt(10), 100 * sqrt(10), meaning="roughly one in one hundred billion"),
        arithmetic=True,
    ),
    Claim(
        "truth-most-used",
        "Truth is by far the most heavily used algorithm.",
        "Truth",
        "The share of all turns that found something in which truth did.",
        _by_truth,
        above(0.75, percent, "by far the most"),
    ),
    Claim(
        "exhaustion-dearer",
        "Exhaustion is much more intensive than contrapositive.",
        "Exhaustion",
        "Processor time of a call of exhaustion over that of a call of contrapositive. Ours stops "
        "trying a number as soon as nothing is in common any more.",
        _exhaustion_dearer,
        at_least_times(2, "much more"),
    ),
    Claim(
        "burnout-dearest",
        "Burnout is by far the most intensive algorithm.",
        "Burnout",
        "Processor time of a call of burnout over that of each other. Ours searches in the kernel, "
        "over groups of cells that are alike, and leaves branches that cannot be the minimum.",
        _burnout_dearest,
        at_least_times(2, "by far the most"),
    ),
    Claim(
        "burnout-seconds",
        "Burnout typically takes a couple of seconds, sometimes upwards of ten.",
        "Burnout",
        "Processor time of a call of burnout.",
        _burnout_seconds,
        NotTestable(
            "Seconds of another machine and another program cannot be compared; ours does not "
            "build the whole tree of configurations."
        ),
    ),
)


def _draw(data: Data, path: Path) -> None:
    no_interval = [None] * len(ALGORITHMS)
    called = [sum(one.calls) / len(one.calls) for one in data.values()]
    acted = [sum(one.acted) / len(one.calls) for one in data.values()]
    draw_bars(
        path,
        "Calls of MineBot's algorithms, and calls that found something",
        "per game (logarithmic)",
        list(ALGORITHMS),
        [Bars("called", called, no_interval), Bars("found something", acted, no_interval)],
        log=True,
    )


def _cells(name: str, one: Used) -> tuple[str, ...]:
    calls, acted = sum(one.calls), sum(one.acted)
    return (
        name,
        f"{calls / len(one.calls):.2f}",
        f"{acted / len(one.calls):.2f}",
        f"{acted / calls:.1%}" if calls else "-",
        f"{1000 * sum(one.seconds) / calls:.3g}" if calls else "-",
        f"{1000 * one.longest:.3g}",
    )


_HEAD: Final = (
    "algorithm",
    "calls per game",
    "successes per game",
    "success",
    "ms per call",
    "longest, ms",
)


def _more(data: Data) -> list[Block]:
    return [
        Heading("Each algorithm"),
        Table(_HEAD, [_cells(name, one) for name, one in data.items()]),
    ]


STUDY: Final = Study(
    NAME,
    "MineBot: which algorithm acts, what each costs, and luck alone",
    PAPER,
    "MineBot: its algorithms",
    lambda request: [
        f"{request.count(GAMES):,} games of MineBot on {EXPERT}, start rule any (seed "
        f"{request.seed}). Every call of every algorithm is counted and timed, in seconds of the "
        "processor."
    ],
    measure,
    CLAIMS,
    [Picture("algorithms", "Calls and successes of each algorithm", _draw)],
    lambda data: {"table.csv": table_csv(_HEAD, [_cells(*one) for one in data.items()])},
    _more,
)
