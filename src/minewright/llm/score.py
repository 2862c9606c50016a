"""The scores of a run, with 95% intervals that allow for moves of one game being alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, NamedTuple

from minewright.lab.statistics import student, wilson
from minewright.llm.answers import Answer
from minewright.llm.judge import Verdict, judge
from minewright.llm.run import Play

CONFIDENCE: Final = 0.95
BINS: Final = (0.0, 0.05, 0.15, 0.3, 0.5, 1.0)
"""The upper ends of the classes of stated chances."""


class Figure(NamedTuple):
    """A mean over moves, its interval (None for a single game), and how many it is of."""

    value: float | None
    low: float | None
    high: float | None
    of: int


class Class(NamedTuple):
    """Moves whose stated chance of a mine is at most `up_to`, and above the class before."""

    up_to: float
    moves: int
    stated: float
    exact: float
    exploded: int


@dataclass(frozen=True)
class Score:
    """What a model's games were worth."""

    games: int
    won: int
    replies: int
    figures: dict[str, Figure]
    reasons: dict[str, int]
    workload: Figure
    calibration: tuple[Class, ...]


def score(plays: Sequence[Play]) -> Score:
    """Judge every move of these games. Raise BudgetExceeded if a position is too hard."""
    judged = [_judged(play) for play in plays]
    verdicts = [verdict for game in judged for verdict in game]
    proofs = [[v for v in game if v.workload is not None] for game in judged]
    guesses = [[v for v in game if not v.certain] for game in judged]
    claims = [[v for v in game if v.reason] for game in judged]
    valid = [[isinstance(each.answer, Answer) for each in play.questions] for play in plays]
    over = [play for play in plays if play.over]
    won = sum(play.game.state == "won" for play in over)
    figures = {
        "won": _share([[play.game.state == "won"] for play in over]),
        "valid": _share(valid),
        "needless": _share([[v.needless for v in game] for game in proofs]),
        "regret": _chance([[v.regret for v in game] for game in judged]),
        "risk of a guess": _chance([[v.chance for v in game] for game in guesses]),
        "error of the stated chance": _chance(
            [[abs(v.stated - v.chance) for v in game if v.stated is not None] for game in judged]
        ),
        "reason proved": _share([[v.reason == "proved" for v in game] for game in claims]),
        "claim false": _share([[v.reason == "false" for v in game] for game in claims]),
    }
    reasons = {
        name: sum(v.reason == name for v in verdicts) for name in ("proved", "unproved", "false")
    }
    return Score(
        games=len(over),
        won=won,
        replies=sum(len(play.questions) for play in plays),
        figures=figures,
        reasons=reasons,
        workload=_mean([[float(v.workload or 0) for v in game if v.needless] for game in judged]),
        calibration=tuple(_classes(plays, judged)),
    )


def _judged(play: Play) -> list[Verdict]:
    return [
        judge(each.position, each.answer)
        for each in play.questions
        if isinstance(each.answer, Answer)
    ]


def _classes(plays: Sequence[Play], judged: Sequence[Sequence[Verdict]]) -> Iterable[Class]:
    """Yield the classes of stated chances that have moves."""
    moves = []
    for play, verdicts in zip(plays, judged, strict=True):
        for at, verdict in enumerate(verdicts):
            lost = play.game.state == "lost" and at == len(verdicts) - 1
            if verdict.stated is not None:
                moves.append((verdict.stated, verdict.chance, lost))
    below = -1.0
    for top in BINS:
        inside = [move for move in moves if below < move[0] <= top]
        below = top
        if inside:
            count = len(inside)
            stated, exact, exploded = (sum(column) for column in zip(*inside, strict=True))
            yield Class(top, count, stated / count, exact / count, int(exploded))


def _share(games: Sequence[Sequence[bool]]) -> Figure:
    """Return a share, with Wilson's interval or that of the games, whichever is wider."""
    figure = _mean([[float(each) for each in game] for game in games])
    if figure.value is None:
        return figure
    low, high = wilson(round(figure.value * figure.of), figure.of, CONFIDENCE)
    alone = all(len(game) == 1 for game in games)
    if not alone and figure.low is not None and figure.high is not None:
        low, high = min(low, max(0.0, figure.low)), max(high, min(1.0, figure.high))
    return figure._replace(low=low, high=high)


def _chance(games: Sequence[Sequence[float]]) -> Figure:
    """Return the mean of values from 0 to 1, with an interval that keeps within these."""
    figure = _mean(games)
    if figure.low is None or figure.high is None:
        return figure
    return figure._replace(low=max(0.0, figure.low), high=min(1.0, figure.high))


def _mean(games: Sequence[Sequence[float]]) -> Figure:
    """Return the mean over all moves; its error is that of a ratio of sums over games."""
    used = [game for game in games if game]
    count = sum(map(len, used))
    if not count:
        return Figure(None, None, None, 0)
    value = sum(map(sum, used)) / count
    number = len(used)
    if number < 2:
        return Figure(value, None, None, count)
    spread = sum((sum(game) - value * len(game)) ** 2 for game in used)
    error = sqrt(spread * number / (number - 1)) / count
    reach = student(number - 1, CONFIDENCE) * error
    return Figure(value, value - reach, value + reach, count)
