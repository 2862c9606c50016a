"""Many games together: means by board, missed proofs, luck, and the games worth another look."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, log10
from statistics import fmean
from typing import Final

from minewright.formats import Replay
from minewright.ledger import Sums
from minewright.messages import write_sides
from minewright.profile.choices import SLIGHT, Choice, choices
from minewright.profile.measures import RATIOS, Measures, measure
from minewright.profile.reviews import judge
from minewright.topology import Topology

WORTH: Final = 5
"""How many games are named as worth another look."""


@dataclass(frozen=True)
class Entry:
    """One game of a profile: where it comes from, its figures and its choices."""

    name: str
    board: str
    topology: Topology = field(repr=False)
    measures: Measures
    choices: tuple[Choice, ...] = field(repr=False)
    sums: Sums
    """Where the chance to win went."""
    player: str = ""
    lost: bool = False

    @property
    def risks(self) -> list[Choice]:
        """The choices that could have exploded."""
        return [choice for choice in self.choices if choice.risk > SLIGHT]

    @property
    def pluck(self) -> float:
        """Pluck: minus the sum of log10 of each choice's safety; infinite if the game was lost."""
        if self.lost:
            return inf
        return -sum(log10(1 - choice.risk) for choice in self.risks if choice.risk < 1)

    @property
    def avoidable(self) -> float:
        """The sum of the risks that were not needed."""
        return sum(choice.avoidable for choice in self.choices)

    @property
    def worst(self) -> Choice | None:
        """The choice with the most avoidable risk, if any had some."""
        worst = max(self.choices, key=lambda choice: choice.avoidable, default=None)
        return worst if worst is not None and worst.avoidable > SLIGHT else None

    @property
    def reason(self) -> str:
        """Why this game is worth another look, in a sentence."""
        worst = self.worst
        assert worst is not None
        where = self.topology.describe(worst.cell)
        head = f"Move {worst.move} risked {worst.risk:.0%} at {where}"
        if worst.safe:
            cells = "a cell was" if worst.safe == 1 else f"{worst.safe} cells were"
            how = f" ({worst.missed})" if worst.missed else ""
            return f"{head} while {cells} certainly safe{how}."
        return f"{head}; the safest cell risked {worst.least:.0%}."

    def as_data(self, names: bool) -> dict[str, object]:
        """Return the game as JSON data, with its player's name if `names` is True."""
        found: dict[str, object] = {"game": self.name, "board": self.board}
        if names:
            found["player"] = self.player
        found |= self.measures.as_data()
        found |= {
            "pluck": None if self.pluck == inf else self.pluck,
            "risks": len(self.risks),
            "risk": sum(choice.risk for choice in self.choices),
            "avoidable": self.avoidable,
            "missed": sum(choice.missed is not None for choice in self.choices),
            "start": self.sums.start,
            "missed_proofs": self.sums.missed_proofs,
            "bad_guesses": self.sums.bad_guesses,
            "luck": self.sums.luck,
            "hard": self.sums.hard,
        }
        return found


@dataclass(frozen=True)
class Profile:
    """What many games say about who played them."""

    entries: tuple[Entry, ...]

    @property
    def won(self) -> int:
        """How many games were won."""
        return sum(entry.measures.won for entry in self.entries)

    @cached_property
    def missed(self) -> dict[str, int]:
        """How often a proof of each kind was missed, the most frequent first."""
        kinds = (choice.missed for entry in self.entries for choice in entry.choices)
        return dict(Counter(kind for kind in kinds if kind is not None).most_common())

    @property
    def expected(self) -> float:
        """How many explosions the risks that were taken cost on average."""
        return sum(choice.risk for entry in self.entries for choice in entry.choices)

    @property
    def needed(self) -> float:
        """How many explosions would have been expected from the smallest risks."""
        return sum(choice.least for entry in self.entries for choice in entry.choices)

    @property
    def explosions(self) -> int:
        """How many games ended with one."""
        return sum(entry.lost for entry in self.entries)

    @property
    def worth(self) -> list[Entry]:
        """The games most worth another look: those with the most avoidable risk."""
        ranked = sorted(self.entries, key=lambda entry: -entry.avoidable)
        return [entry for entry in ranked if entry.worst is not None][:WORTH]

    @cached_property
    def boards(self) -> dict[str, list[Entry]]:
        """The games by board, the most played first."""
        counts = Counter(entry.board for entry in self.entries).most_common()
        return {board: [e for e in self.entries if e.board == board] for board, _ in counts}

    def as_data(self, names: bool = False) -> dict[str, object]:
        """Return the profile as JSON data; players' names are left out unless `names` is True."""
        return {
            "games": len(self.entries),
            "won": self.won,
            "explosions": self.explosions,
            "expected_explosions": self.expected,
            "needed_explosions": self.needed,
            "missed": self.missed,
            "missed_proofs": sum(entry.sums.missed_proofs for entry in self.entries),
            "bad_guesses": sum(entry.sums.bad_guesses for entry in self.entries),
            "luck": sum(entry.sums.luck for entry in self.entries),
            "hard": sum(entry.sums.hard for entry in self.entries),
            "boards": {board: summary(entries) for board, entries in self.boards.items()},
            "worth": [{"game": e.name, "reason": e.reason} for e in self.worth],
            "each": [entry.as_data(names) for entry in self.entries],
        }


def make(
    games: Iterable[tuple[str, Replay]], told: Callable[[str], None] = lambda _: None
) -> Profile:
    """Return the profile of named games, in their order; `told` hears each name when it is done."""
    entries = []
    for name, replay in games:
        entries.append(enter(name, replay, choices(replay), judge(replay).sums))
        told(name)
    return Profile(tuple(entries))


def enter(name: str, replay: Replay, made: Iterable[Choice], sums: Sums) -> Entry:
    """Return a game as part of a profile, with its choices and where its chance to win went."""
    measures = measure(replay)
    board = f"{write_sides(replay.topology.shape)}x{len(replay.mined)}"
    if replay.topology.name != "moore":
        board += f" {replay.topology.name}"
    lost = replay.ended and not measures.won
    return Entry(
        name, board, replay.topology, measures, tuple(made), sums, replay.player, lost=lost
    )


def summary(entries: Sequence[Entry]) -> dict[str, object]:
    """Return the figures of several games on one board.

    Times are those of games won; ratios are means over all games that have them.
    """
    seconds = [e.measures.seconds for e in entries if e.measures.won and e.measures.seconds]
    found: dict[str, object] = {
        "games": len(entries),
        "won": sum(e.measures.won for e in entries),
        "best_seconds": min(seconds, default=None),
        "mean_seconds": fmean(seconds) if seconds else None,
    }
    for name in RATIOS:
        values = [v for e in entries if (v := getattr(e.measures, name)) is not None]
        found[name] = fmean(values) if values else None
    plucks = [e.pluck for e in entries if e.pluck != inf]
    found["pluck"] = fmean(plucks) if plucks else None
    found["zini"] = fmean(e.measures.zini for e in entries)
    found["hzini"] = fmean(e.measures.hzini for e in entries)
    found["avoidable"] = fmean(e.avoidable for e in entries)
    found["missed_proofs"] = fmean(e.sums.missed_proofs for e in entries)
    found["bad_guesses"] = fmean(e.sums.bad_guesses for e in entries)
    found["luck"] = fmean(e.sums.luck for e in entries)
    return found
