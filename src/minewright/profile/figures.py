"""The figures of a profile: what players call them, and what they mean in plain words."""

from math import inf
from typing import Final, Literal, NamedTuple

from minewright.messages import counted
from minewright.profile.profile import Profile, summary

Unit = Literal["seconds", "share", ""]


class Figure(NamedTuple):
    """A figure of a board."""

    group: str
    """The heading it stands under."""
    name: str
    """What players call it."""
    meaning: str
    """What it is, for somebody who has never heard of it."""
    formula: str = ""
    """How it is computed, as docs/profile.md defines it."""
    unit: Unit = ""

    def write(self, value: object) -> str:
        """Return a value as people read it."""
        if not isinstance(value, int | float) or value == inf:
            return "-"
        if self.unit == "share":
            return f"{value:z.0%}"
        return f"{value:z.2f}" if abs(value) < 100 else f"{value:.0f}"


BBBV: Final = "3BV is the fewest left clicks that clear a board: how much work the board is."
"""What most of the figures build on."""
_SPEED, _CLICKS, _RISK = "Speed", "Clicks", "Risk and luck"
FIGURES: Final = {
    "best_seconds": Figure(_SPEED, "Best time", "the fastest win, in seconds", unit="seconds"),
    "mean_seconds": Figure(_SPEED, "Mean time", "the average win, in seconds", unit="seconds"),
    "rate": Figure(_SPEED, "3BV/s", "speed: 3BV cleared per second", "solved 3BV / t"),
    "stnb": Figure(
        _SPEED,
        "STNB",
        "a speed rating that is comparable between the standard boards",
        "k · solved 3BV / t^1.7 · √(solved 3BV / 3BV), with k = 36, 162, 435 on 8x8x10, 16x16x40,"
        " 30x16x99",
    ),
    "rqp": Figure(
        _SPEED,
        "RQP",
        "seconds divided by 3BV/s; lower is better",
        "t² / solved 3BV",
    ),
    "qg": Figure(
        _SPEED,
        "QG",
        "like RQP, but kinder to long games; lower is better",
        "t^1.7 / solved 3BV",
    ),
    "ioe": Figure(
        _CLICKS,
        "IOE",
        "efficiency: 3BV cleared per click",
        "solved 3BV / clicks",
        "share",
    ),
    "corr": Figure(
        _CLICKS,
        "Corr",
        "correctness: the share of clicks that had an effect",
        "effective clicks / clicks",
        "share",
    ),
    "thrp": Figure(
        _CLICKS,
        "Thrp",
        "throughput: 3BV cleared per click that had an effect",
        "solved 3BV / effective clicks",
        "share",
    ),
    "zini": Figure(
        _CLICKS,
        "ZiNi",
        "about the fewest clicks that clear the board, with flags and chords",
        "the clicks of a greedy player who also marks and chords; not proven to be the fewest",
    ),
    "hzini": Figure(
        _CLICKS,
        "HZiNi",
        "the same for somebody who opens all the empty areas first",
        "the same for a player who opens all 0s first, and chords only at open cells",
    ),
    "luck": Figure(
        _RISK,
        "Luck",
        "how much of the chance to win luck added, or took if negative",
        unit="share",
    ),
    "missed_proofs": Figure(
        _RISK,
        "Lost to missed proofs",
        "how much of the chance to win went to risks while a cell was provably safe",
        unit="share",
    ),
    "bad_guesses": Figure(
        _RISK,
        "Lost to bad guesses",
        "how much of the chance to win went to guesses that were not the best",
        "what the guess wins less often than the champion's",
        unit="share",
    ),
    "avoidable": Figure(
        _RISK,
        "Avoidable risk",
        "explosions per game that safer moves would have saved, on average",
        "the sum of each move's risk minus the smallest possible one",
    ),
    "pluck": Figure(
        _RISK,
        "Pluck",
        "how lucky a game had to be to survive: 0.3 is a coin toss, 1 is one in ten",
        "minus the sum of log10 of the safety of every move after the first",
    ),
}
"""The figures of a board by their names in JSON, in the order in which they are shown."""


class Headline(NamedTuple):
    """A figure of the whole profile, in plain words."""

    name: str
    value: str
    note: str = ""
    board: str = ""
    """The board that it is about, if it is about one."""


def headlines(profile: Profile) -> list[Headline]:
    """Return the few figures that everybody understands."""
    games = len(profile.entries)
    found = [
        Headline("Games", f"{games:,}"),
        Headline("Win rate", f"{profile.won / games:.0%}", f"{profile.won:,} won"),
    ]
    for board, entries in profile.boards.items():
        if (best := summary(entries)["best_seconds"]) is not None:
            found.append(Headline("Best time", f"{best:.2f} s", f"on {board}", board))
            break
    expected = f"{profile.expected:.1f} expected from the risks taken"
    found.append(Headline("Luck", counted(profile.explosions, "explosion"), expected))
    missed = sum(profile.missed.values())
    note = "risks taken while a cell was provably safe"
    return [*found, Headline("Missed proofs", f"{missed:,}", note)]
